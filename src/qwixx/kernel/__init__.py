"""
The rules, written once: plain Python that numba compiles.

Start reading at `records` (what a game looks like in memory), then `paper` (what one pencil may do on a
sheet), `board` (the duel's pawns), `dice` and `cards` (who is offered what, when) and `flow`, the five verbs
that everything outside this package uses: begin, roll, legal, refusal, decide.
"""
