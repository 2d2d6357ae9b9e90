"""
The stored scores of the daily games: which device started which game, and its score. No names, no addresses.

A device is stored as a keyed hash of its token, with another key on every date and in every game, so that the rows of
one device cannot be linked. How many games an address has begun is counted by a keyed hash of 18 bits until the next
day: thousands of addresses share each hash, so it does not reveal one.
"""

from __future__ import annotations

import asyncio
from typing import cast

from qwixx.server.store.interface import Store

_FIND = "SELECT code, score FROM days WHERE date = ? AND variant = ? AND device = ?"
_ADD = "INSERT INTO days (date, variant, device, code) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_SCORE = "UPDATE days SET score = ? WHERE date = ? AND variant = ? AND code = ? AND score IS NULL"
_SCORES = "SELECT score, count(*) FROM days WHERE date = ? AND variant = ? AND score IS NOT NULL GROUP BY score"
_PLAYED = "SELECT variant, count(score) FROM days WHERE date = ? GROUP BY variant"
_DELETE_BEFORE = "DELETE FROM days WHERE date < ?"
_BEGUN = "SELECT number FROM begun WHERE date = ? AND mark = ?"
_COUNT = """INSERT INTO begun (date, mark, number) VALUES (?, ?, 1)
    ON CONFLICT (date, mark) DO UPDATE SET number = begun.number + 1"""
_FORGET_BEFORE = "DELETE FROM begun WHERE date < ?"
_ADD_SERVER_KEY = "INSERT INTO secrets (name, value) VALUES ('days', ?) ON CONFLICT DO NOTHING"
_READ_SERVER_KEY = "SELECT value FROM secrets WHERE name = 'days'"


class DailyScores:
    """The scores of the daily games in a store."""

    def __init__(self, store: Store) -> None:
        """Use this store."""
        self._store = store

    async def secret(self, fresh: str) -> str:
        """Return the secret of this server; store `fresh` as the secret if there was none."""
        rows = await self._store.query(_READ_SERVER_KEY, ())
        if not rows:
            await asyncio.shield(self._store.execute(_ADD_SERVER_KEY, (fresh,)))
            rows = await self._store.query(_READ_SERVER_KEY, ())
        return cast(str, rows[0][0])

    async def find(self, date: str, variant: str, device: str) -> tuple[str, int | None] | None:
        """Return the table of a device and its score, None before the end; None if it has not started."""
        rows = await self._store.query(_FIND, (date, variant, device))
        return cast("tuple[str, int | None]", rows[0]) if rows else None

    async def begun(self, date: str, mark: str) -> int:
        """Return how many games the addresses of a mark have begun."""
        rows = await self._store.query(_BEGUN, (date, mark))
        return cast(int, rows[0][0]) if rows else 0

    async def start(self, date: str, variant: str, device: str, code: str, mark: str) -> None:
        """Store the table of a device, unless it has one already, and count it for the mark of its address."""
        self._store.execute(_COUNT, (date, mark))
        await asyncio.shield(self._store.execute(_ADD, (date, variant, device, code)))  # both are in one commit

    async def score(self, date: str, variant: str, code: str, score: int) -> None:
        """Store the score of a table, unless it has one already."""
        await asyncio.shield(self._store.execute(_SCORE, (score, date, variant, code)))

    async def scores(self, date: str, variant: str) -> dict[int, int]:
        """Return the number of players for each score, the lowest first."""
        rows = cast("list[tuple[int, int]]", await self._store.query(_SCORES, (date, variant)))
        return dict(sorted(rows))

    async def played(self, date: str) -> dict[str, int]:
        """Return the number of players who have finished each game."""
        return dict(cast("list[tuple[str, int]]", await self._store.query(_PLAYED, (date,))))

    async def delete_before(self, date: str) -> None:
        """Delete all scores before a date."""
        await asyncio.shield(self._store.execute(_DELETE_BEFORE, (date,)))

    async def forget_before(self, date: str) -> None:
        """Delete the counts of addresses before a date."""
        await asyncio.shield(self._store.execute(_FORGET_BEFORE, (date,)))
