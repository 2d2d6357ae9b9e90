"""
The review of a whole game: luck, skill, mistakes (`analysis`, `report`), a chart.

A hint for one decision is in `coach/hints.py`.
"""
