"""
The players of the house, one file each. A file that stands here is found by itself.

A file declares `PLAYERS`, the registered players it holds. It may have `named(name)`, which gives others such as
`gap:3`, and then says in `NAMED` which names those are.
"""
