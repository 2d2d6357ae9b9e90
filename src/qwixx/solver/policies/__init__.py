"""Policies on a solved sheet: their exact score, the distribution of scores, targets, and the regret of a game."""
