"""What a finished game's decisions were worth: by whoever is at hand, and never for minutes."""

from __future__ import annotations

import msgspec

import qwixx
from qwixx.analysis import analyse, find_judge
from qwixx.errors import QwixxError
from qwixx.server import replays
from qwixx.server.compiling import is_compiled_for
from qwixx.server.room import Refused, Room


def review(room: Room, lines: list[str]) -> bytes:
    """
    Analyse a finished game, as `qwixx analyse --json` does.

    Raises `Refused` where nobody at hand knows the game, and as long as what that takes is still being compiled.
    """
    text = replays.record(room, lines)
    try:
        judge = find_judge(qwixx.Game.from_record(text), at_hand=True)
    except QwixxError:
        raise Refused("no-judge") from None
    if not is_compiled_for(judge):
        raise Refused("busy")
    return msgspec.json.encode(analyse(text, by=judge).to_dict())
