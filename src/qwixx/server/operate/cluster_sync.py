"""
What servers on one database tell each other: who is kept out, what is announced, who has opened too many tables.

Every second a server writes what is new here, if anything is, and reads what is in force. Nobody who plays waits for
that, and while the database is away everything holds as it was last heard. Addresses are not stored. What stands for
one is a mark: it is made with a secret of the database and the password that leads there, so that a copy of the
database alone does not tell whose it is, and it goes when its time is over.
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

from qwixx.server.announcing import Announcing
from qwixx.server.background import Background
from qwixx.server.bars import Bars
from qwixx.server.batches import Fact
from qwixx.server.inbox import Close, Expel
from qwixx.server.quotas import Quotas
from qwixx.server.tables import Tables

_PAUSE: Final = 1.0
_TIDY_SECONDS: Final = 60.0
_SLOT: Final = 300
"""Tables are counted in slots of so many seconds: an hour ends up to one slot later than for one server alone."""
_HOUR: Final = 3600 // _SLOT
_MOST: Final = 10_000
"""Rows that are read; as much is remembered of one kind."""
_ADDRESS, _TABLE, _ANNOUNCEMENT = "address", "table", "announcement"
_NOW: Final = "extract(epoch FROM clock_timestamp())"
_ADD = f"""INSERT INTO shared (kind, name, until) VALUES (?, ?, {_NOW} + ?::integer)
    ON CONFLICT (kind, name) DO UPDATE SET until = excluded.until"""  # noqa: S608 - our own text
_LIFT = "DELETE FROM shared WHERE kind = ? AND name = ?"
_CLEAR = "DELETE FROM shared WHERE kind = ?"
_IN_FORCE = f"""SELECT kind, name, (until - {_NOW})::double precision FROM shared WHERE until > {_NOW}
    ORDER BY until DESC LIMIT {_MOST}"""  # noqa: S608 - our own text
_COUNT = f"""INSERT INTO opened (mark, slot, number) VALUES (?, ({_NOW} / {_SLOT})::bigint, ?)
    ON CONFLICT (mark, slot) DO UPDATE SET number = opened.number + excluded.number"""  # noqa: S608 - our own text
_TOO_MANY = f"""SELECT mark FROM opened WHERE slot > ({_NOW} / {_SLOT})::bigint - {_HOUR}
    GROUP BY mark HAVING sum(number) >= ? LIMIT {_MOST}"""  # noqa: S608 - our own text
_TIDY = (
    f"DELETE FROM shared WHERE until <= {_NOW}",  # noqa: S608 - our own text
    f"DELETE FROM opened WHERE slot <= ({_NOW} / {_SLOT})::bigint - {_HOUR}",  # noqa: S608 - our own text
)
_DRAW = "INSERT INTO secrets (name, value) VALUES ('marks', ?) ON CONFLICT DO NOTHING"
_DRAWN = "SELECT value FROM secrets WHERE name = 'marks'"


class Sharing:
    """What one server tells the others, and hears from them."""

    def __init__(self, tables: Tables, quotas: Quotas, announcing: Announcing) -> None:
        """Share what these know."""
        self._tables, self._quotas, self._announcing = tables, quotas, announcing
        self._bars: dict[str, Bars] = {_ADDRESS: tables.barred, _TABLE: tables.closed}
        self._tidied = time.monotonic()
        self._work = Background("sharing", self.share, lambda: _PAUSE)

    async def start(self) -> None:
        """Begin: from now on marks stand for addresses."""
        store = self._tables.store
        await store.note(_DRAW, (secrets.token_hex(32),))
        ((secret,),) = await store.look_up(_DRAWN, ())
        key = hashlib.sha256(f"{secret} {_password(self._tables.settings.db)}".encode()).digest()
        self._tables.barred.mark = self._quotas.mark = lru_cache(_MOST)(lambda address: _mark(key, address))
        await self.share()
        self._work.start()

    def stop(self) -> None:
        """End for good."""
        self._work.stop()

    async def share(self) -> None:
        """Tell what is new here, then hear what is in force."""
        await self._tell()
        heard: dict[str, dict[str, float]] = {_ADDRESS: {}, _TABLE: {}, _ANNOUNCEMENT: {}}
        for kind, name, left in await self._tables.store.look_up(_IN_FORCE, ()):
            heard.setdefault(cast(str, kind), {})[cast(str, name)] = float(cast(int, left))
        for kind, bars in self._bars.items():
            for mark in bars.hear(heard[kind]):
                self._send_away(kind, mark)
        self._announcing.hear(heard[_ANNOUNCEMENT])
        most = self._tables.settings.tables_per_address
        rows = await self._tables.store.look_up(_TOO_MANY, (most,))
        self._quotas.exhausted = {cast(str, mark) for (mark,) in rows}

    async def _tell(self) -> None:
        """Write what others should hear of; what cannot be written now is tried again."""
        notes: list[tuple[str, tuple[Fact, ...]]] = []
        told = [(bars, dict(bars.unsent)) for bars in self._bars.values()]
        for kind, (_, unsent) in zip(self._bars, told, strict=True):
            notes += [
                (_ADD, (kind, mark, seconds)) if seconds else (_LIFT, (kind, mark)) for mark, seconds in unsent.items()
            ]
        said = self._announcing.unsent
        if said is not None:
            notes.append((_CLEAR, (_ANNOUNCEMENT,)))
            notes += [(_ADD, (_ANNOUNCEMENT, said.text, said.seconds))] if said.text else []
        opened = self._quotas.take_opened()
        notes += [(_COUNT, (mark, number)) for mark, number in opened.items()]
        if time.monotonic() - self._tidied > _TIDY_SECONDS:
            self._tidied = time.monotonic()
            notes += [(statement, ()) for statement in _TIDY]
        if not notes:
            return
        for statement, facts in notes:  # all of them share one commit
            written = self._tables.store.note(statement, facts)
        try:
            await written
        except BaseException:
            self._quotas.put_back(opened)
            raise
        for bars, unsent in told:
            bars.unsent = {mark: seconds for mark, seconds in bars.unsent.items() if unsent.get(mark) != seconds}
        if self._announcing.unsent is said:
            self._announcing.unsent = None

    def _send_away(self, kind: str, mark: str) -> None:
        """Do at once what another server was told to do: hang up on an address, or close a table."""
        if kind == _TABLE:
            table = self._tables.loaded.get(mark)
            if table is not None:
                table.post(Close())
            return
        for table in list(self._tables.loaded.values()):
            here = {connection.address for connection in table.connections}
            for address in here:
                if self._tables.barred.mark(address) == mark:
                    table.post(Expel(address))


def _password(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:
        return ""


def _mark(key: bytes, address: str) -> str:
    return base64.urlsafe_b64encode(hmac.digest(key, address.encode(), "sha256")[:15]).decode()
