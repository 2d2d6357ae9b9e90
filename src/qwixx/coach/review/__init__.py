"""
The review of a whole game: luck, skill, mistakes (`analysis`, `report`), a chart, the best result in hindsight.

A hint for one decision is in `coach/hints.py`.
"""
