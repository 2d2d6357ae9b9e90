"""Many games, many cores, one table of results."""

from qwixx.sim.figures import FirstSeat, Line, Turns
from qwixx.sim.replay import replay_game
from qwixx.sim.results import Results
from qwixx.sim.run import simulate

__all__ = ["FirstSeat", "Line", "Results", "Turns", "replay_game", "simulate"]
