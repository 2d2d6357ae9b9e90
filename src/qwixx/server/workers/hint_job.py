"""Computes a hint as a message: in a thread of the server, or in a worker while the code is not compiled."""

from __future__ import annotations

import qwixx
from qwixx.coach import Hint
from qwixx.coach.hints import hint
from qwixx.coach.judges.judge import Judge
from qwixx.coach.judges.select import find_judge
from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.wire import message_parts, messages
from qwixx.server.wire.messages import encode
from qwixx.server.workers.precompile import is_compiled_for


class NotCompiled(Exception):  # noqa: N818 - no error: a worker has to do it
    """The code is still being compiled, and threads of the server must not wait for the compiler."""


def compute(game: qwixx.Game, seat: int, phase: int) -> bytes:
    """Compute a hint with compiled code. Raises `NotCompiled`, or `Refused` if there is no judge for the game."""
    judge = _judge_of(game)
    if not is_compiled_for(judge):
        raise NotCompiled
    return _encoded(game, seat, phase, judge)


def compute_uncompiled(record: str, seat: int, phase: int) -> bytes:
    """Compute a hint without compiled code, which takes up to a few seconds."""
    game = qwixx.Game.from_record(record)
    return _encoded(game, seat, phase, _judge_of(game))


def _judge_of(game: qwixx.Game) -> Judge:
    try:
        return find_judge(game, at_hand=True)
    except QwixxError:
        raise Refused("no-hint") from None  # no trained network: rollouts would take too long


def _encoded(game: qwixx.Game, seat: int, phase: int, judge: Judge) -> bytes:
    return encode(message_of(hint(game, seat, by=judge), phase))


def message_of(found: Hint, phase: int) -> messages.Hint:
    """Return a hint as a message."""
    choices = [
        message_parts.RankedChoice(
            each.action.text,
            round(each.value, 4),
            round(each.points, 1),
            round(each.loss, 4),
            list(each.reasons),
        )
        for each in found.choices
    ]
    return messages.Hint(found.seat, phase, found.source, found.measure, choices)
