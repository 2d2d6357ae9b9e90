"""A table as data: room, seats, names, options, bots, ledger, integrity, catalogue. Running tables are in `table`."""
