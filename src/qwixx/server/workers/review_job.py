"""Reviews of finished games, with a judge that needs seconds, never minutes."""

from __future__ import annotations

import msgspec

import qwixx
from qwixx.coach import find_judge
from qwixx.coach.review.analysis import analyse
from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.room.room import Room
from qwixx.server.workers import replay_job
from qwixx.server.workers.precompile import is_compiled_for


def review(room: Room, lines: list[str]) -> bytes:
    """
    Analyse a finished game, as `qwixx analyse --json` does.

    Raises `Refused` if there is no fast judge for the game, or while its code is compiled in this process.
    """
    text = replay_job.record(room, lines)
    try:
        judge = find_judge(qwixx.Game.from_record(text), at_hand=True)
    except QwixxError:
        raise Refused("no-judge") from None
    if not is_compiled_for(judge):  # exact values, after an update
        raise Refused("busy")
    return msgspec.json.encode(analyse(text, by=judge).to_dict())
