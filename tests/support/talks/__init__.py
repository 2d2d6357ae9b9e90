"""Conversations with a table: their files, and players of them for both hosts of tables."""
