"""Processes of the command line that tests start."""
