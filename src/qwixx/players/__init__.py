"""
Players: the `Player` base class, the registry of names, and the loops that play whole games between players.

Built-in players are in `built_in`, and `custom` loads those of users and packages (docs/players.md). `heuristics` has
players that are rows of weights, and `supervise` limits the time of other players' code. `game_loop`, `net_games` and
`batched_games` play games. Networks are in `qwixx.nets`, statistics over many games in `qwixx.sim`.
"""

from qwixx.players.custom import is_file
from qwixx.players.player import Player, Registered
from qwixx.players.registry import (
    all_players,
    built_in_names,
    check_plays,
    default_heuristic,
    find,
    parameterized_names,
)
from qwixx.players.supervise import PlayerFailed, PlayerThread, instantiate_supervised, seconds_to_decide

__all__ = [
    "Player",
    "PlayerFailed",
    "PlayerThread",
    "Registered",
    "all_players",
    "built_in_names",
    "check_plays",
    "default_heuristic",
    "find",
    "instantiate_supervised",
    "is_file",
    "parameterized_names",
    "seconds_to_decide",
]
