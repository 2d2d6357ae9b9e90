"""
Texts and arguments of callers as kernel numbers, and back: notation, records, sentences of refusals.

The course of a game belongs to `game`; positions, which need a whole game, to `game/position`.
"""
