"""Helpers for files, folders, languages and signals. Anything that knows the game belongs to a layer above."""
