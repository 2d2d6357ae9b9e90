"""
Who decides: a player has a name, says what it can play, and plays everywhere under that name.

`Player` is the class to write a player of your own with; docs/players.md shows how.
"""

from qwixx.players.base import Player, Registered
from qwixx.players.guard import PlayerFailed, QuestionThread, seconds_to_decide, take_seat
from qwixx.players.registry import all_players, check_plays, find, house_names, more_names, rule_of_thumb
from qwixx.players.yours import is_file

__all__ = [
    "Player",
    "PlayerFailed",
    "QuestionThread",
    "Registered",
    "all_players",
    "check_plays",
    "find",
    "house_names",
    "is_file",
    "more_names",
    "rule_of_thumb",
    "seconds_to_decide",
    "take_seat",
]
