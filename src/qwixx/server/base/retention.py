"""
Retention: how long tables are kept, and deleting expired ones from SQLite.

An expired table is first marked, and deleted only if it is still expired a day later. So a clock that was wrong for a
while deletes nothing: tables that are no longer expired lose their mark.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import msgspec

GRACE_SECONDS = 86400.0
"""Seconds between the mark and the deletion, by the clock."""
BATCH_SIZE = 200
"""Tables per commit, so that players never wait long for the disk."""
PAUSE_SECONDS = 0.01
"""Seconds between two commits, in which the disk is free for players."""
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
class RetentionPolicy:
    """Seconds for which tables are kept after the last change or visit; 0 keeps finished games without limit."""

    unfinished: float
    finished: float = 0.0

    def facts(self, now: float, spare: Collection[str]) -> _Facts:
        """Return the parameters of the statements here: a table touched before these times is expired."""
        return {
            "now": now,
            "unfinished": now - self.unfinished,
            "finished": now - self.finished if self.finished else 0.0,
            "spare": _json(spare),
        }


def clean(
    connection: sqlite3.Connection, keep: RetentionPolicy, spare: Collection[str] = (), now: float | None = None
) -> int:
    """Delete tables that were marked long enough ago and are still expired, mark new ones; return how many went."""
    moment = time.time() if now is None else now
    facts = keep.facts(moment, spare)
    # The query takes no lock, however many tables there are; only the small commits after it do.
    due = {code for (code,) in connection.execute(_FIND, facts)}
    marked = dict(connection.execute("SELECT code, marked FROM due"))
    expired = [code for code, mark in marked.items() if code in due and mark <= moment - GRACE_SECONDS]
    fresh = [code for code in due if marked.get(code, math.inf) > moment]  # a mark from the future does not count
    for codes in _batches(marked.keys() - due):
        connection.execute(_UNMARK, {"codes": _json(codes)})
    for codes in _batches(fresh):
        connection.execute(_MARK, {**facts, "codes": _json(codes)})
    return sum(_delete(connection, facts, codes) for codes in _batches(expired))


def _delete(connection: sqlite3.Connection, facts: _Facts, codes: list[str]) -> int:
    """Delete some tables, except those that were touched meanwhile."""
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


def _batches(codes: Iterable[str]) -> Iterator[list[str]]:
    """Yield a few codes at a time, with a pause for everyone else."""
    left = iter(codes)
    while batch := list(islice(left, BATCH_SIZE)):
        yield batch
        time.sleep(PAUSE_SECONDS)


def _json(codes: Collection[str]) -> str:
    return msgspec.json.encode(list(codes)).decode()
