"""
What is kept for how long.

Nothing is deleted at first sight: a table that is due is marked, and goes only if it is still due a day later. A clock
that was wrong for a while deletes nothing, since tables that are not due any more lose their mark.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection
from dataclasses import dataclass

import msgspec

SECOND_LOOK = 86400.0
"""Seconds between the mark and the end, by the clock."""
_AT_ONCE = 200
"""Tables deleted in one commit, so that players never wait long for the disk."""
_DUE = """((stage <> 'over' AND touched < :unfinished) OR (stage = 'over' AND touched < :finished))
    AND code NOT IN (SELECT value FROM json_each(:spare))"""
_UNMARK = f"DELETE FROM due WHERE code NOT IN (SELECT code FROM tables WHERE {_DUE})"  # noqa: S608 - our own text
_MARK = f"INSERT OR IGNORE INTO due SELECT code, :now FROM tables WHERE {_DUE}"  # noqa: S608 - as above
_MARKED_LATER = "UPDATE due SET marked = :now WHERE marked > :now"
_TAKE = "SELECT code FROM due WHERE marked <= :before LIMIT :most"
_CHOSEN = "(SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class Keep:
    """How many seconds tables are kept since they were last touched; 0 keeps finished games for ever."""

    unfinished: float
    finished: float = 0.0

    def facts(self, now: float, spare: Collection[str]) -> dict[str, float | str]:
        """Give the moments before which a table is due, for the statements here."""
        return {
            "now": now,
            "unfinished": now - self.unfinished,
            "finished": now - self.finished if self.finished else 0.0,
            "spare": msgspec.json.encode(list(spare)).decode(),
        }


def clean(connection: sqlite3.Connection, keep: Keep, spare: Collection[str] = (), now: float | None = None) -> int:
    """Delete what was marked long enough ago and is still due, then mark what is due now; tell how many went."""
    moment = time.time() if now is None else now
    facts = keep.facts(moment, spare)
    connection.execute(_UNMARK, facts)
    connection.execute(_MARKED_LATER, facts)
    gone = 0
    while True:
        rows = connection.execute(_TAKE, {"before": moment - SECOND_LOOK, "most": _AT_ONCE}).fetchall()
        if not rows:
            break
        gone += _delete(connection, facts, [code for (code,) in rows])
    connection.execute(_MARK, facts)
    return gone


def _delete(connection: sqlite3.Connection, facts: dict[str, float | str], codes: list[str]) -> int:
    """Delete some tables, but for those that somebody has touched meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        still = f"SELECT code FROM tables WHERE code IN (SELECT value FROM json_each(:codes)) AND {_DUE}"  # noqa: S608
        due = [code for (code,) in connection.execute(still, {**facts, "codes": _json(codes)})]
        for table, those in (("ledger", due), ("tables", due), ("due", codes)):
            connection.execute(f"DELETE FROM {table} WHERE code IN {_CHOSEN}", (_json(those),))  # noqa: S608
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return len(due)


def _json(codes: list[str]) -> str:
    return msgspec.json.encode(codes).decode()
