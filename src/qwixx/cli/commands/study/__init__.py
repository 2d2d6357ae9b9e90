"""Commands for studying the game: analysis, simulation, solving, training."""
