"""
The learned player: a value function over public positions, the decisions it leads to, and how it is learned.

`tables` says what the net looks at in a layout, and `inputs`, `board` and `hand` which rows of the tables speak of a
position on sheets, on the duel's board and with cards. `net` adds them up. `turn`, `board` and `hand` decide with it,
`games` plays games of it against itself and `lessons` learns from them; `weights` keeps it in a file. Nothing here
knows a game by name (docs/decisions/0010-master.md).
"""
