"""The daily game: its dice, and the scores of the players. The HTTP routes are in `http`."""
