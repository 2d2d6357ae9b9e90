"""Every game of the Qwixx family on one engine."""
