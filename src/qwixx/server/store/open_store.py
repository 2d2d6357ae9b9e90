"""Which store the settings mean: a file, or a PostgreSQL database."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from qwixx.errors import QwixxError
from qwixx.server.reach import EVERYWHERE, lan_address
from qwixx.server.settings import Settings
from qwixx.server.sqlite import SqliteStore
from qwixx.server.store import Store

_FORM = re.compile(r"[A-Za-z0-9_.-]{1,255}:[0-9]{1,5}|\[[0-9A-Fa-f:.]{2,45}\]:[0-9]{1,5}")


def open_store(settings: Settings, port: int | None = None) -> Store:
    """Open the store, as far as that can be done before serving. Raises `QwixxError` with a sentence if it fails."""
    if not settings.is_postgres:
        return SqliteStore(settings.database, settings.sync)
    address = peer_address(settings, port)
    try:
        # Only those who use it need asyncpg.
        from qwixx.server.postgres import schema  # noqa: PLC0415
        from qwixx.server.postgres.keeping import PostgresStore  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise QwixxError(
            f"QWIXX_DB names a PostgreSQL database, for which the package {error.name} is missing; "
            "install it by: pip install 'qwixx[postgres]'"
        ) from None
    _at_once(schema.prepare(settings.db))
    return PostgresStore(settings.db, settings.sync, address=address, readers=settings.pool)


def peer_address(settings: Settings, port: int | None = None) -> str:
    """Say where other servers on the same database reach this one, which listens on this port."""
    if settings.peer:
        if not _FORM.fullmatch(settings.peer):
            raise QwixxError(f"QWIXX_PEER should look like 10.0.0.5:8321, not {settings.peer[:60]!r}.")
        return settings.peer
    host = lan_address() if settings.host in EVERYWHERE else settings.host
    return f"{f'[{host}]' if ':' in host else host}:{port or settings.port}"


def _at_once(work: Coroutine[Any, Any, None]) -> None:
    """Wait for something in a loop of its own, also where one is running already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
