"""
Running tables, each the only writer of its game: message handlers, and the registry of tables. Plain data is in `room`.

The way of a tap: `http/socket_endpoint` receives the message and posts it to the inbox of the `table`; `commands`
checks the sender and calls the `dealer`, which changes the game; the table writes the ledger; `updates` sends it.
"""
