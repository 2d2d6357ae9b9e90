"""The terminal: screen, keyboard, streams, files, progress and tables of text. No command and no game in progress."""
