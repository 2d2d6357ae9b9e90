"""Tables in one SQLite file, for one server process."""
