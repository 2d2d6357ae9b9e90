"""
The table server: friends, bots and spectators around one game.

Start reading at `table`: the only writer of its game. What travels is in `protocol`, what stays
in `store`. No file here knows a rule; they all ask `qwixx.Game`.
"""
