"""
The built-in players, one module each. The registry loads every module of this folder.

A module declares `PLAYERS`, its registered players. If names can have a parameter, such as `gap:3`, it also has
`named(name)`, which returns such a player, and `NAMED`, which describes these names. Code that several players share
is in `qwixx.players`, not here.
"""
