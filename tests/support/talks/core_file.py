"""Plays `tests/golden/core.txt` with the server's core; `page/tests/local/core.test.ts` plays it with the page's."""

from __future__ import annotations

import re

import qwixx
from qwixx.server.base.errors import Refused
from qwixx.server.table.change import Change
from qwixx.server.table.core import Core
from support.paths import GOLDEN

FILE = GOLDEN / "core.txt"


def answers() -> list[str]:
    """Return the file with the answers of the core."""
    core, found = Core(), list[str]()
    announces = False
    for line in FILE.read_text("utf-8").splitlines():
        word, *rest = line.split(" ")
        if word in ("=", "!"):
            continue
        found.append(line)
        if word == "new":
            core, announces = Core(qwixx.Game(rest[0], int(rest[1]), first=0)), False
        elif word == "at":
            core, announces = Core(qwixx.Game.from_position(" ".join(rest))), True
        elif word in ("roll", "decide", "withdraw", "undo", "hint"):
            found.append(_answer(core, word, rest, announces=announces))
    return found


def _answer(core: Core, word: str, rest: list[str], *, announces: bool) -> str:
    try:
        change = _step(core, word, rest, announces=announces)
    except Refused as refused:
        return f"! {refused.code}"
    lines = "; ".join(re.sub(r"^deal .*", "deal ...", line) for line in change.lines)
    return f"= {'-' if change.cut is None else change.cut}: {lines} | {'; '.join(map(str, change.events))}".rstrip()


def _step(core: Core, word: str, rest: list[str], *, announces: bool) -> Change:
    if word == "roll":
        return core.roll(rest[0])
    seat = int(rest[0])
    match word:
        case "decide":
            return core.decide(seat, core.phase, rest[1], announces=announces)
        case "withdraw":
            return core.withdraw(seat, core.phase, announces=announces)
        case "hint":
            return core.note_hint(seat)
        case _:
            core.check_undo(seat, core.phase)
            return core.undo(seat)
