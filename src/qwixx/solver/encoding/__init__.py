"""Positions as numbers: classes of rows, symmetries of the sheet, and the state of marked cells."""
