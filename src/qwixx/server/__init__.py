"""
The table server: friends, bots and spectators around one game.

Start reading at `table`: one task there is the only writer of a game. What travels is in `protocol`, what stays
in `store`. No file here knows a rule; they all ask `qwixx.Game`.
"""
