"""Computing and storing a table: the plan, the sweeps over all positions, the file, and the solution."""
