"""Ink only: sheets and tables as text and as pictures. What stands where comes from the view and the variant."""
