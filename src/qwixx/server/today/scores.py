"""
What is kept of the days: who began which game, and what they scored. No name, no address.

A device is written down by a word that only this server can make from its token, another one on every date and in
every game, so that nobody can follow a device through its days. The statements are plain SQL.
"""

from __future__ import annotations

import asyncio
from typing import cast

from qwixx.server.store import Store

_FIND = "SELECT code, score FROM days WHERE date = ? AND variant = ? AND device = ?"
_ADD = "INSERT INTO days (date, variant, device, code) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
_SCORE = "UPDATE days SET score = ? WHERE date = ? AND variant = ? AND code = ? AND score IS NULL"
_SCORES = "SELECT score, count(*) FROM days WHERE date = ? AND variant = ? AND score IS NOT NULL GROUP BY score"
_PLAYED = "SELECT variant, count(score) FROM days WHERE date = ? GROUP BY variant"
_FORGET = "DELETE FROM days WHERE date < ?"
_DRAW = "INSERT INTO secrets (name, value) VALUES ('days', ?) ON CONFLICT DO NOTHING"
_DRAWN = "SELECT value FROM secrets WHERE name = 'days'"


class DayBook:
    """The rows about days, in a store."""

    def __init__(self, store: Store) -> None:
        """Keep them in this store."""
        self._store = store

    async def secret(self, fresh: str) -> str:
        """Give the secret of this server; a fresh one if there was none, which is the secret from then on."""
        found = await self._store.look_up(_DRAWN, ())
        if not found:
            await asyncio.shield(self._store.note(_DRAW, (fresh,)))
            found = await self._store.look_up(_DRAWN, ())
        return cast(str, found[0][0])

    async def find(self, date: str, variant: str, device: str) -> tuple[str, int | None] | None:
        """Give the table at which a device plays, and its score; None if it has not begun."""
        found = await self._store.look_up(_FIND, (date, variant, device))
        return cast("tuple[str, int | None]", found[0]) if found else None

    async def begin(self, date: str, variant: str, device: str, code: str) -> None:
        """Note at which table a device plays. The first one stays."""
        await asyncio.shield(self._store.note(_ADD, (date, variant, device, code)))

    async def score(self, date: str, variant: str, code: str, score: int) -> None:
        """Note what was scored at a table. The first score stays."""
        await asyncio.shield(self._store.note(_SCORE, (score, date, variant, code)))

    async def scores(self, date: str, variant: str) -> dict[int, int]:
        """Give how often each score was made, from the least on."""
        found = cast("list[tuple[int, int]]", await self._store.look_up(_SCORES, (date, variant)))
        return dict(sorted(found))

    async def played(self, date: str) -> dict[str, int]:
        """Give how many have finished each game."""
        return dict(cast("list[tuple[str, int]]", await self._store.look_up(_PLAYED, (date,))))

    async def forget(self, date: str) -> None:
        """Forget all days before a date."""
        await asyncio.shield(self._store.note(_FORGET, (date,)))
