"""A table as data: room, seats, display names, options, bots, ledger, catalogue. Running tables are in `table`."""
