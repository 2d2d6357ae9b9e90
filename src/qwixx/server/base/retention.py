"""
What is kept for how long.

Nothing is deleted at first sight: a table that is due is marked, and goes only if it is still due a day later. A clock
that was wrong for a while deletes nothing, since tables that are not due any more lose their mark.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import msgspec

SECOND_LOOK = 86400.0
"""Seconds between the mark and the end, by the clock."""
AT_ONCE = 200
"""Tables seen to in one commit, so that players never wait long for the disk."""
BREATH = 0.01
"""Seconds that the disk is left to the players between two commits."""
_DUE = """((stage <> 'over' AND touched < :unfinished) OR (stage = 'over' AND touched < :finished))
    AND code NOT IN (SELECT value FROM json_each(:spare))"""
_FIND = f"SELECT code FROM tables WHERE {_DUE}"  # noqa: S608 - our own text
_STILL = f"{_FIND} AND code IN (SELECT value FROM json_each(:codes))"  # noqa: S608 - as above
_MARK = "INSERT OR REPLACE INTO due SELECT value, :now FROM json_each(:codes)"
_UNMARK = "DELETE FROM due WHERE code IN (SELECT value FROM json_each(:codes))"
_DELETE = (
    "DELETE FROM ledger WHERE code IN (SELECT value FROM json_each(:codes))",
    "DELETE FROM tables WHERE code IN (SELECT value FROM json_each(:codes))",
    _UNMARK,
)
_Facts = dict[str, float | str]


@dataclass(frozen=True, slots=True)
class Keep:
    """How many seconds tables are kept since they were last touched; 0 keeps finished games for ever."""

    unfinished: float
    finished: float = 0.0

    def facts(self, now: float, spare: Collection[str]) -> _Facts:
        """Give the moments before which a table is due, for the statements here."""
        return {
            "now": now,
            "unfinished": now - self.unfinished,
            "finished": now - self.finished if self.finished else 0.0,
            "spare": _json(spare),
        }


def clean(connection: sqlite3.Connection, keep: Keep, spare: Collection[str] = (), now: float | None = None) -> int:
    """Delete what was marked long enough ago and is still due, then mark what is due now; tell how many went."""
    moment = time.time() if now is None else now
    facts = keep.facts(moment, spare)
    # Looking takes no lock, however many tables there are; only the small commits after it do.
    due = {code for (code,) in connection.execute(_FIND, facts)}
    marked = dict(connection.execute("SELECT code, marked FROM due"))
    gone = [code for code, mark in marked.items() if code in due and mark <= moment - SECOND_LOOK]
    fresh = [code for code in due if marked.get(code, math.inf) > moment]  # a mark of a later day is none
    for codes in _portions(marked.keys() - due):
        connection.execute(_UNMARK, {"codes": _json(codes)})
    for codes in _portions(fresh):
        connection.execute(_MARK, {**facts, "codes": _json(codes)})
    return sum(_delete(connection, facts, codes) for codes in _portions(gone))


def _delete(connection: sqlite3.Connection, facts: _Facts, codes: list[str]) -> int:
    """Delete some tables, but for those that somebody has touched meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        still = [code for (code,) in connection.execute(_STILL, {**facts, "codes": _json(codes)})]
        for statement in _DELETE:
            connection.execute(statement, {"codes": _json(still)})
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return len(still)


def _portions(codes: Iterable[str]) -> Iterator[list[str]]:
    """Give a few codes at a time, with a pause for everybody else."""
    left = iter(codes)
    while portion := list(islice(left, AT_ONCE)):
        yield portion
        time.sleep(BREATH)


def _json(codes: Collection[str]) -> str:
    return msgspec.json.encode(list(codes)).decode()
