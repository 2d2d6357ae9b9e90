"""
The players of the house, one file each. A file that stands here is found by itself.

A file declares `PLAYERS`, the registered players it holds. It may have `named(name)`, which gives others: `gap:3`.
"""
