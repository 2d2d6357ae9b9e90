"""Basics for every part of the server: settings, errors, counters, background tasks, retention. No table, no socket."""
