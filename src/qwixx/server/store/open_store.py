"""Opens the store that the settings name: an SQLite file or a PostgreSQL database."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from qwixx.errors import QwixxError
from qwixx.server.base.settings import Settings
from qwixx.server.store.interface import Store
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.wire.public_address import EVERYWHERE, lan_address

_ADDRESS = re.compile(r"[A-Za-z0-9_.-]{1,255}:[0-9]{1,5}|\[[0-9A-Fa-f:.]{2,45}\]:[0-9]{1,5}")


def open_store(settings: Settings, port: int | None = None) -> Store:
    """Open the store, as far as that is possible before serving. Raises `QwixxError`."""
    if not settings.is_postgres:
        return SqliteStore(settings.database, settings.sync)
    address = peer_address(settings, port)
    try:
        # Only operators who use PostgreSQL need asyncpg.
        from qwixx.server.store.postgres import schema  # noqa: PLC0415
        from qwixx.server.store.postgres.store import PostgresStore  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise QwixxError(
            f"QWIXX_DB names a PostgreSQL database, for which the package {error.name} is missing; "
            "install it by: pip install 'qwixx[postgres]'"
        ) from None
    _run_now(schema.prepare(settings.db))
    return PostgresStore(settings.db, settings.sync, address=address, readers=settings.pool)


def peer_address(settings: Settings, port: int | None = None) -> str:
    """Return the address where other servers on the same database reach this one, which listens on this port."""
    if settings.peer:
        if not _ADDRESS.fullmatch(settings.peer):
            raise QwixxError(f"QWIXX_PEER should look like 10.0.0.5:8321, not {settings.peer[:60]!r}.")
        return settings.peer
    host = lan_address() if settings.host in EVERYWHERE else settings.host
    return f"{f'[{host}]' if ':' in host else host}:{port or settings.port}"


def _run_now(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a new event loop, also inside a running one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
