"""A hint as the page gets it: worked out in a thread of the server, or by a worker as long as nothing is compiled."""

from __future__ import annotations

from typing import cast

from msgspec import UNSET

import qwixx
from qwixx.analysis import Hint
from qwixx.analysis.choosing import find_judge
from qwixx.analysis.hint import hint
from qwixx.analysis.judging import Judge
from qwixx.analysis.reasons import Reason
from qwixx.errors import QwixxError
from qwixx.server import pieces, protocol
from qwixx.server.compiling import is_compiled_for
from qwixx.server.protocol import encode
from qwixx.server.room import Refused


class NotCompiled(Exception):  # noqa: N818 - nothing is wrong: somebody else has to do it
    """What it takes is still being compiled, and no thread of the server shall wait for that."""


def work_out(game: qwixx.Game, seat: int, phase: int) -> bytes:
    """Work out a hint with compiled code. Raises `NotCompiled` where there is none, `Refused` where nobody knows."""
    judge = _judge_of(game)
    if not is_compiled_for(judge):
        raise NotCompiled
    return _encoded(game, seat, phase, judge)


def work_out_slowly(record: str, seat: int, phase: int) -> bytes:
    """Work out a hint without compiled code, which takes up to a few seconds."""
    game = qwixx.Game.from_record(record)
    return _encoded(game, seat, phase, _judge_of(game))


def _judge_of(game: qwixx.Game) -> Judge:
    try:
        return find_judge(game, at_hand=True)
    except QwixxError:
        raise Refused("no-hint") from None  # nobody has learned it: playing on would take long while people wait


def _encoded(game: qwixx.Game, seat: int, phase: int, judge: Judge) -> bytes:
    return encode(message_of(hint(game, seat, by=judge), phase))


def message_of(found: Hint, phase: int) -> protocol.Hint:
    """Give a hint as the page gets it."""
    choices = [
        pieces.Advised(
            each.choice.action.text,
            round(each.choice.value, 4),
            round(each.choice.loss, 4),
            [_reason(reason) for reason in each.reasons],
        )
        for each in found.choices
    ]
    measure = cast("protocol.Measure", found.measure)
    return protocol.Hint(found.seat, phase, found.source, measure, choices)


def _reason(reason: Reason) -> pieces.Reason:
    return pieces.Reason(
        reason.kind,
        UNSET if reason.n is None else reason.n,
        UNSET if reason.row is None else reason.row,
        list(reason.numbers) or UNSET,
        reason.facts.get("k", UNSET),
        reason.facts.get("total", UNSET),
    )
