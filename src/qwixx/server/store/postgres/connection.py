"""Connections to PostgreSQL, and a sentence for each error that an operator may see."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import asyncpg

from qwixx.errors import QwixxError
from qwixx.server.base.errors import StoreFailed

CONNECT_SECONDS = 5.0
"""Timeout for opening a connection."""
ANSWER_SECONDS = 10.0
"""Timeout for one statement, commits too."""
OLDEST = 13
"""The oldest major version that was supported when this was written."""
_IDLE_MILLISECONDS = 1000
"""A process that stops inside a transaction keeps its locks no longer than this."""


def settings_of(sync: str) -> dict[str, str]:
    """Return the session settings of every connection."""
    return {
        "application_name": "qwixx",
        "synchronous_commit": "on" if sync == "full" else "off",
        "idle_in_transaction_session_timeout": str(_IDLE_MILLISECONDS),
        "statement_timeout": str(int(ANSWER_SECONDS * 1000)),
        "jit": "off",  # statements here are small: compiling them takes longer than running them
    }


async def connect(url: str, sync: str) -> Any:
    """Open a connection. Raises the errors of asyncpg; `reason` explains them."""
    return await asyncpg.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=ANSWER_SECONDS, server_settings=settings_of(sync)
    )


def make_pool(url: str, sync: str, size: int) -> Any:
    """Create a pool of connections for reading; they are opened when they are needed."""
    return asyncpg.create_pool(
        url,
        min_size=0,
        max_size=size,
        timeout=CONNECT_SECONDS,
        command_timeout=ANSWER_SECONDS,
        server_settings=settings_of(sync),
        reset=_no_reset,
    )


async def _no_reset(connection: Any) -> None:
    """Do not reset a connection: it has no state to reset, and the statement would cost a round trip."""


def where(url: str) -> str:
    """Return the name and host of a database, without the password of its URL."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "in QWIXX_DB"
    name = parts.path.strip("/") or "(without a name)"
    return f"{name!r} at {parts.hostname or 'this machine'}{port}"


def cannot_be_used(url: str, error: BaseException) -> QwixxError:
    """Return an error that says why a database cannot be used."""
    return QwixxError(f"The database {where(url)} cannot be used: {reason(error)}.")


def reason(error: BaseException) -> str:
    """Explain an error in words, without the password."""
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            return "it refuses the name or the password in QWIXX_DB"
        case asyncpg.InvalidCatalogNameError():
            return "there is no database of that name; `createdb` makes one"
        case asyncpg.TooManyConnectionsError():
            return "all its connections are taken; raise its max_connections or lower QWIXX_POOL"
        case asyncpg.InsufficientPrivilegeError():
            return f"the name in QWIXX_DB may not do that there ({_first_line(error)})"
        case asyncpg.DiskFullError():
            return "its disk is full; nothing that was written before is lost"
        case asyncpg.CannotConnectNowError() | asyncpg.AdminShutdownError() | asyncpg.CrashShutdownError():
            return "it is starting or stopping"
        case TimeoutError():
            return "it does not answer in time"
        case StoreFailed() | asyncpg.PostgresError():
            return _first_line(error)
        case OSError():
            return f"it cannot be reached ({error.strerror or _first_line(error)})"
        case asyncpg.InterfaceError() | ValueError():
            return "QWIXX_DB should look like postgresql://name:password@host:5432/qwixx"
    return _first_line(error) or repr(error)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")
