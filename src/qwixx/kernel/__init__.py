"""
The rules of all games: plain Python that numba compiles. Text, files and objects for users belong above.

Read `state.records` first (a game in memory), then `paper` (crosses on one sheet), `board` (the duel's pawns), `dice`
and `cards` (the choices of each phase) and `flow`, the five functions that every caller uses: begin, roll, legal,
refusal, decide. Python calls them through `api`.
"""
