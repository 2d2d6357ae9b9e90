"""Using a solution: the best choice, whole games, and the values of choices and rolls."""
