"""
Neural networks that predict win probabilities, and the decisions that follow from them; training is in `training`.

`feature_tables` lays out the tables of a net for a sheet. `sheet_features`, `duel_board` and `hand_features` list the
table rows that describe a position on sheets, on the board of the duel and with cards. `network` has the forward and
the backward pass. `dice_policy`, `duel_board` and `card_policy` decide; `policy` selects one of them. `value` and
`evaluate` return values of positions and of actions. `weight_files` reads and writes the files in `trained`. No code
here knows a game by name (docs/decisions/0010-master.md). Players that use a net are in `qwixx.players`.
"""
