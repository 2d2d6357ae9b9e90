"""
Judges: each evaluates positions and choices, by an exact table (`exact`), a neural network (`net_judge`) or rollouts.

`judge` has the protocol, `select` chooses. Grades, reasons and reports are elsewhere in `coach`.
"""
