"""
Puzzles: positions with one clearly best choice, generated from games (`generate`), with their themes (`themes`).

The page and `qwixx puzzles` show them; evaluation belongs to `qwixx.coach`.
"""
