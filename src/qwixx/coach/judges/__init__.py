"""
Judges: each evaluates positions and choices, by an exact table (`exact`), a neural network (`net_judge`) or rollouts.

`judge` has the protocol, `player_judge` asks a player, `select` chooses. Grades, reasons and reports are elsewhere.
"""
