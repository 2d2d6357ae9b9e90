"""Ways to a PostgreSQL database, and one sentence for each way in which it can be out of reach."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import asyncpg

from qwixx.errors import QwixxError
from qwixx.server.store import StoreFailed

CONNECT_SECONDS = 5.0
"""To open a connection; a database that takes longer counts as one that does not answer."""
ANSWER_SECONDS = 10.0
"""For one statement, commits too."""
OLDEST = 13
"""The oldest PostgreSQL that its makers still looked after when this was written."""
_ALONE_MILLISECONDS = 1000
"""A process that is stopped in the middle of a transaction holds its locks no longer than this."""


def settings_of(sync: str) -> dict[str, str]:
    """Give what every connection asks of the database for itself."""
    return {
        "application_name": "qwixx",
        "synchronous_commit": "on" if sync == "full" else "off",
        "idle_in_transaction_session_timeout": str(_ALONE_MILLISECONDS),
        "statement_timeout": str(int(ANSWER_SECONDS * 1000)),
        "jit": "off",  # statements here are small: compiling them takes longer than running them
    }


async def connect(url: str, sync: str) -> Any:
    """Open a connection. Raises what asyncpg raises; `reason` puts it into words."""
    return await asyncpg.connect(
        url, timeout=CONNECT_SECONDS, command_timeout=ANSWER_SECONDS, server_settings=settings_of(sync)
    )


def make_pool(url: str, sync: str, most: int) -> Any:
    """Make a pool of connections for reading; they are opened when they are needed."""
    return asyncpg.create_pool(
        url,
        min_size=0,
        max_size=most,
        timeout=CONNECT_SECONDS,
        command_timeout=ANSWER_SECONDS,
        server_settings=settings_of(sync),
        reset=_keep,
    )


async def _keep(connection: Any) -> None:
    """Leave a connection as it is when it goes back: we change nothing on it, and asking costs a way and back."""


def where(url: str) -> str:
    """Name a database without the password that may stand in its address."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "in QWIXX_DB"
    name = parts.path.strip("/") or "(without a name)"
    return f"{name!r} at {parts.hostname or 'this machine'}{port}"


def cannot_be_used(url: str, error: BaseException) -> QwixxError:
    """Say in a sentence why a database cannot be used."""
    return QwixxError(f"The database {where(url)} cannot be used: {reason(error)}.")


def reason(error: BaseException) -> str:
    """Put what went wrong into words, without the password."""
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
