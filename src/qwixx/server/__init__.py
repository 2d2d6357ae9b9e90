"""
The table server: friends, bots and spectators play one game together.

Start reading at `table/table.py`, the only writer of its game. Messages are in `wire/messages.py`, the database is in
`store`, limits and bans in `limits`. `app.py` puts everything together, `run.py` starts it. No file here knows a rule:
all of them ask `qwixx.Game`.
"""
