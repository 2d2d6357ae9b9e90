"""Positions as numbers: what a row can still do, which sheets play alike, and what marked cells remember."""
