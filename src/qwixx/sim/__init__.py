"""
Simulation: many games on many cores, statistics, the ladder of players, replay and plots.

Players are in `players`, the rules in `kernel`; here games are only run and counted.
"""

from qwixx.sim.replay import replay_game
from qwixx.sim.results import Results
from qwixx.sim.run import simulate
from qwixx.sim.statistics import FirstSeat, Line, Turns

__all__ = ["FirstSeat", "Line", "Results", "Turns", "replay_game", "simulate"]
