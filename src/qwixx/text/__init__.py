"""
Texts and arguments of callers as kernel numbers, and back: notation, records, refusals; texts in every language.

The course of a game belongs to `game`; positions, which need a whole game, to `game/position`.
"""
