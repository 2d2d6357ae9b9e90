"""Many games, many cores, one table of results."""

from qwixx.sim.lineup import bot_names
from qwixx.sim.replay import replay_game
from qwixx.sim.results import Line, Results
from qwixx.sim.run import simulate

__all__ = ["Line", "Results", "bot_names", "replay_game", "simulate"]
