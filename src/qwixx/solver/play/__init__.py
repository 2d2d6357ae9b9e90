"""Using a solution: the best choice, whole games of it, and what a choice or a roll is worth."""
