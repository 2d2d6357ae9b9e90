"""Making a table and keeping it: the plan, the passes over all positions, the file, and the solution that comes out."""
