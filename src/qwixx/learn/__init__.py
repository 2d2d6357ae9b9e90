"""
The learned player: a value function over public positions, the decisions it leads to, and how it is learned.

`inputs` says which rows of the tables speak of a position, `net` adds them up, `turn` decides with it, `games` plays
games of it against itself and `lessons` learns from them; `weights` keeps it in a file. Nothing here knows a game by
name: the tables follow from the layout (docs/decisions/0010-master.md).
"""
