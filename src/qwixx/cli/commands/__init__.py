"""One file per command, in folders by audience; a helper that two commands share is in `terminal` or `table`."""
