"""What can be set: one value each, from flags or from environment variables named `QWIXX_...`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from qwixx.errors import QwixxError
from qwixx.places import data_directory
from qwixx.players.guard import SECONDS_TO_DECIDE, seconds_to_decide


def _setting(default: Any, meaning: str) -> Any:
    """Declare a setting with its default and the words that document it."""
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator may want to change. `docs/server.md` lists the same words, and a test compares them."""

    host: str = _setting("127.0.0.1", "address to listen on; 0.0.0.0 is the whole local network")
    port: int = _setting(8321, "port to listen on")
    db: str = _setting("", "database file; empty: qwixx.db in the user's data directory, or in QWIXX_DATA")
    sync: str = _setting("full", "full: a move survives a power cut; normal: it survives a crash of the server")
    origins: str = _setting("", "further origins whose pages may connect, separated by commas")
    proxies: str = _setting("", "addresses of proxies whose X-Forwarded headers are believed, separated by commas")
    bot_delay: float = _setting(0.7, "seconds a bot seems to think")
    bot_seconds: float = _setting(
        SECONDS_TO_DECIDE, "seconds that a player of an installed package may take for a decision"
    )
    players: str = _setting("easy,normal,strong", "players that may sit at tables, separated by commas")
    message_size: int = _setting(4096, "largest message of a client in bytes")
    rate: float = _setting(20.0, "messages a second that a connection may send for long")
    burst: int = _setting(60, "messages that a connection may send at once")
    outbox: int = _setting(256, "kilobytes that may wait for a slow reader before it is dropped")
    inbox: int = _setting(256, "messages that may wait for a table")
    hello_timeout: float = _setting(10.0, "seconds a new connection has to say hello")
    max_tables: int = _setting(5000, "tables that may be in memory")
    max_connections: int = _setting(40, "connections to one table, spectators included")
    tables_per_address: int = _setting(60, "tables that one address may open in an hour")
    name_length: int = _setting(24, "longest name of a person")
    idle_minutes: float = _setting(10.0, "minutes after which a table nobody looks at leaves memory")
    keep_days: float = _setting(30.0, "days after which an unfinished table that nobody touched is deleted")
    log: str = _setting("text", "form of the log: text (key=value) or json")
    log_level: str = _setting("warning", "least that is logged: debug, info, warning or error")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ, **flags: Any) -> Self:
        """Take `QWIXX_PORT` and so on; flags that were given (are not None) come first."""
        given: dict[str, Any] = {}
        for each in fields(cls):
            text = environment.get(variable(each.name))
            if text is not None:
                given[each.name] = _read(each.name, type(each.default), text)
        given |= {name: value for name, value in flags.items() if value is not None}
        settings = replace(cls(), **given)
        for name, words in _WORDS.items():
            if getattr(settings, name) not in words:
                raise QwixxError(f"{variable(name)} is one of {', '.join(words)}.")
        seconds_to_decide(settings.bot_seconds)  # refuses a time in which nobody could decide
        return settings

    @property
    def database(self) -> Path:
        """The database file, its directory made if need be."""
        path = Path(self.db).expanduser() if self.db else data_directory() / "qwixx.db"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise QwixxError(f"The folder {str(path.parent)!r} cannot be made: {error.strerror}.") from None
        return path


_WORDS = {
    "sync": ("full", "normal"),
    "log": ("text", "json"),
    "log_level": ("debug", "info", "warning", "error"),
}


def variable(name: str) -> str:
    """Give the environment variable of a setting."""
    return f"QWIXX_{name.upper()}"


def _read(name: str, kind: type, text: str) -> Any:
    try:
        value = kind(text)
    except ValueError:
        raise QwixxError(f"{variable(name)} should be a number, not {text[:40]!r}.") from None
    if kind is not str and not value >= 0:
        raise QwixxError(f"{variable(name)} should not be negative.")
    return value
