"""
The sync between servers of a cluster: bans, closed tables, announcements, and counts of opened tables.

Every second a server writes its news to the shared database, if there are any, and reads what is in force. No player
waits for that. While the database is unreachable, the last known state stays in force. Addresses are not stored, only
their marks: keyed hashes (HMAC), whose key comes from a secret in the database and from the database password. So a
copy of the database alone does not reveal an address. A mark is deleted when its time is over.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from functools import lru_cache
from typing import Final, cast
from urllib.parse import urlsplit

from qwixx.server.base.background_tasks import BackgroundTask
from qwixx.server.limits.bans import Bans
from qwixx.server.limits.declared import TABLES_OPENED
from qwixx.server.store.write_batch import SqlValue
from qwixx.server.table.inbox import Close, Kick
from qwixx.server.table.registry import Tables

_INTERVAL: Final = 1.0
_CLEANUP_SECONDS: Final = 60.0
_SLOT: Final = 300
"""Tables are counted in slots of this many seconds: an hour ends up to one slot later than on a single server."""
_HOUR: Final = 3600 // _SLOT
_MOST: Final = 10_000
"""Rows that are read, and entries of one kind that are remembered."""
_ADDRESS, _TABLE, _ANNOUNCEMENT = "address", "table", "announcement"
_NOW: Final = "extract(epoch FROM clock_timestamp())"
_ADD = f"""INSERT INTO shared (kind, name, until) VALUES (?, ?, {_NOW} + ?::integer)
    ON CONFLICT (kind, name) DO UPDATE SET until = excluded.until"""  # noqa: S608 - our own text
_REMOVE = "DELETE FROM shared WHERE kind = ? AND name = ?"
_CLEAR = "DELETE FROM shared WHERE kind = ?"
_IN_FORCE = f"""SELECT kind, name, (until - {_NOW})::double precision FROM shared WHERE until > {_NOW}
    ORDER BY until DESC LIMIT {_MOST}"""  # noqa: S608 - our own text
_COUNT = f"""INSERT INTO opened (mark, slot, number) VALUES (?, ({_NOW} / {_SLOT})::bigint, ?)
    ON CONFLICT (mark, slot) DO UPDATE SET number = opened.number + excluded.number"""  # noqa: S608 - our own text
_TOO_MANY = f"""SELECT mark FROM opened WHERE slot > ({_NOW} / {_SLOT})::bigint - {_HOUR}
    GROUP BY mark HAVING sum(number) >= ? LIMIT {_MOST}"""  # noqa: S608 - our own text
_CLEANUP = (
    f"DELETE FROM shared WHERE until <= {_NOW}",  # noqa: S608 - our own text
    f"DELETE FROM opened WHERE slot <= ({_NOW} / {_SLOT})::bigint - {_HOUR}",  # noqa: S608 - our own text
)
_DRAW = "INSERT INTO secrets (name, value) VALUES ('marks', ?) ON CONFLICT DO NOTHING"
_DRAWN = "SELECT value FROM secrets WHERE name = 'marks'"


class ClusterSync:
    """Sends the news of one server to the others, and applies theirs."""

    def __init__(self, tables: Tables) -> None:
        """Sync the bans, announcements and counts of these tables."""
        self._tables, self._limiter, self._announcing = tables, tables.limiter, tables.announcer
        self._bans: dict[str, Bans] = {_ADDRESS: tables.banned, _TABLE: tables.closed_codes}
        self._last_cleanup = time.monotonic()
        self._work = BackgroundTask("sharing", self.sync, lambda: _INTERVAL)

    async def start(self) -> None:
        """Start: from now on addresses are counted and banned by their marks."""
        store = self._tables.store
        await store.execute(_DRAW, (secrets.token_hex(32),))
        ((secret,),) = await store.query(_DRAWN, ())
        key = hashlib.sha256(f"{secret} {_password(self._tables.settings.db)}".encode()).digest()
        self._tables.banned.mark = self._limiter.mark = lru_cache(_MOST)(lambda address: _mark(key, address))
        await self.sync()
        self._work.start()

    def stop(self) -> None:
        """Stop the sync."""
        self._work.stop()

    async def sync(self) -> None:
        """Write the news of this server, then read and apply what is in force."""
        await self._publish()
        in_force: dict[str, dict[str, float]] = {_ADDRESS: {}, _TABLE: {}, _ANNOUNCEMENT: {}}
        for kind, name, left in await self._tables.store.query(_IN_FORCE, ()):
            in_force.setdefault(cast(str, kind), {})[cast(str, name)] = float(cast(int, left))
        for kind, bans in self._bans.items():
            for mark in bans.merge_remote(in_force[kind]):
                self._disconnect(kind, mark)
        self._announcing.merge_remote(in_force[_ANNOUNCEMENT])
        rows = await self._tables.store.query(_TOO_MANY, (self._limiter.most(TABLES_OPENED),))
        self._limiter.exhausted = {cast(str, mark) for (mark,) in rows}

    async def _publish(self) -> None:
        """Write the news for the other servers; news that cannot be written now is tried again."""
        writes: list[tuple[str, tuple[SqlValue, ...]]] = []
        sent = [(bans, dict(bans.unsent)) for bans in self._bans.values()]
        for kind, (_, unsent) in zip(self._bans, sent, strict=True):
            writes += [
                (_ADD, (kind, mark, seconds)) if seconds else (_REMOVE, (kind, mark))
                for mark, seconds in unsent.items()
            ]
        announcement = self._announcing.unsent
        if announcement is not None:
            writes.append((_CLEAR, (_ANNOUNCEMENT,)))
            writes += [(_ADD, (_ANNOUNCEMENT, announcement.text, announcement.seconds))] if announcement.text else []
        opened = self._limiter.take_unsent_counts()
        writes += [(_COUNT, (mark, number)) for mark, number in opened.items()]
        if time.monotonic() - self._last_cleanup > _CLEANUP_SECONDS:
            self._last_cleanup = time.monotonic()
            writes += [(statement, ()) for statement in _CLEANUP]
        if not writes:
            return
        for statement, facts in writes:  # all of them share one commit
            written = self._tables.store.execute(statement, facts)
        try:
            await written
        except BaseException:
            self._limiter.restore_counts(opened)
            raise
        for bans, unsent in sent:
            bans.unsent = {mark: seconds for mark, seconds in bans.unsent.items() if unsent.get(mark) != seconds}
        if self._announcing.unsent is announcement:
            self._announcing.unsent = None

    def _disconnect(self, kind: str, mark: str) -> None:
        """Apply a new ban of another server: disconnect an address, or close a table."""
        if kind == _TABLE:
            table = self._tables.loaded.get(mark)
            if table is not None:
                table.post(Close())
            return
        for table in list(self._tables.loaded.values()):
            here = {connection.address for connection in table.connections}
            for address in here:
                if self._tables.banned.mark(address) == mark:
                    table.post(Kick(address))


def _password(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:
        return ""


def _mark(key: bytes, address: str) -> str:
    return base64.urlsafe_b64encode(hmac.digest(key, address.encode(), "sha256")[:15]).decode()
