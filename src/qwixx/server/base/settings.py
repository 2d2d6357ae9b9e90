"""The settings of a server, from command-line options or from environment variables named `QWIXX_...`."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from qwixx.base.user_dirs import data_directory
from qwixx.errors import QwixxError
from qwixx.players.supervise import SECONDS_TO_DECIDE, seconds_to_decide
from qwixx.server.base.url_prefix import MAX_LENGTH, read_prefix


def _setting(default: Any, meaning: str, least: float = 0, most: float = math.inf) -> Any:
    """Declare a setting with its default, its description, and its smallest and largest value."""
    return field(default=default, metadata={"meaning": meaning, "least": least, "most": most})


def _secret(meaning: str) -> Any:
    """Declare a setting that is never shown."""
    return field(default="", metadata={"meaning": meaning, "least": 0, "most": math.inf}, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings for operators. `docs/server.md` lists the same descriptions, and a test compares them."""

    host: str = _setting("127.0.0.1", "address to listen on; 0.0.0.0 means the whole local network")
    port: int = _setting(8321, "port to listen on", most=65535)
    db: str = _setting(
        "", "database file, or postgresql://...; empty: qwixx.db in the user's data directory, or in QWIXX_DATA"
    )
    pool: int = _setting(4, "connections for reading from PostgreSQL; writing and leases use two more", least=1)
    peer: str = _setting(
        "", "address at which other servers on the same PostgreSQL reach this one; empty: where it listens"
    )
    sync: str = _setting("full", "full: a move survives a power cut; normal: it survives a crash of the server")
    hosts: str = _setting("", "host names of this server, such as games.example, separated by commas")
    path: str = _setting(
        "",
        "path below which a proxy shows this server, such as /games/qwixx; empty: the headers of a trusted proxy say",
    )
    origins: str = _setting("", "further origins whose pages may connect, separated by commas")
    proxies: str = _setting(
        "", "addresses of trusted proxies (X-Forwarded headers, X-Ingress-Path), separated by commas"
    )
    bot_delay: float = _setting(0.7, "seconds that a bot waits before it decides")
    undo_seconds: float = _setting(
        1.0, "seconds after a decision of a person in which no dice are rolled, so that it can be undone", most=60
    )
    bot_seconds: float = _setting(
        SECONDS_TO_DECIDE, "seconds that a bot of an installed package may take for a decision"
    )
    players: str = _setting(
        "easy,normal,strong,master", "bots that may sit at tables, separated by commas; empty: no bots"
    )
    message_size: int = _setting(4096, "largest message of a client in bytes", least=256)
    rate: float = _setting(20.0, "messages a second that a connection may send, in the long run", least=0.1)
    burst: int = _setting(60, "messages that a connection may send in one burst", least=10)
    outbox: int = _setting(256, "kilobytes that may wait for a slow client before it is disconnected", least=1)
    inbox: int = _setting(256, "messages that may wait for a table", least=1)
    hello_timeout: float = _setting(
        10.0, "seconds until a new connection must send a request, and a new socket `hello`", least=0.1
    )
    request_timeout: float = _setting(
        30.0, "seconds to send a request or to read its answer, and between two of them", least=0.1
    )
    connections_in_all: int = _setting(5000, "connections; fewer if the system allows fewer open files", least=1)
    connections_per_address: int = _setting(200, "connections of one address", least=1)
    handshakes: int = _setting(256, "connections without a complete request; one more disconnects the oldest", least=1)
    address_rate: float = _setting(200.0, "messages a second that one address may send, in the long run", least=0.1)
    address_burst: int = _setting(200, "messages that one address may send in one burst", least=10)
    address_outbox: int = _setting(8192, "kilobytes that may wait for all slow clients of one address", least=1)
    request_rate: float = _setting(
        100.0, "requests a second from one address that are answered, in the long run", least=0.1
    )
    request_burst: int = _setting(200, "requests from one address that are answered in one burst; others wait", least=1)
    max_tables: int = _setting(5000, "tables that may be in memory", least=1)
    max_connections: int = _setting(40, "spectators of one table; owners of seats are not counted")
    tables_per_address: int = _setting(300, "tables that one address may open in an hour, rematches included")
    days_per_address: int = _setting(30, "times that one address may begin each game of today's roll in a day")
    keep_scores_days: float = _setting(60.0, "days for which the scores of today's roll are kept; 2 at least")
    guesses_per_address: int = _setting(100, "codes without a table that one address may try in an hour")
    name_length: int = _setting(24, "longest name of a person")
    idle_minutes: float = _setting(10.0, "minutes without a visitor after which a table is removed from memory")
    keep_days: float = _setting(30.0, "days without a visit after which an unfinished table is deleted")
    check_hours: float = _setting(
        0.0, "hours between two checks of all tables, in which every game is played again; 0: never"
    )
    log: str = _setting("text", "format of the log: text (key=value) or json")
    log_level: str = _setting("warning", "lowest level that is logged: debug, info, warning or error")
    drain_seconds: float = _setting(
        0.0,
        "seconds after SIGTERM in which play continues and /readyz reports `stopping`, for proxies that ask it",
        most=3600,
    )
    grace_seconds: float = _setting(30.0, "seconds after a person has left before a bot may take over")
    vote_seconds: float = _setting(
        90.0, "seconds without a move after which people may vote for a bot, if there is no clock"
    )
    keep_finished_days: float = _setting(0.0, "days without a visit after which a finished game is deleted; 0: never")
    replays_per_address: int = _setting(120, "replays, records and reviews that one address may ask for in a minute")
    prints_per_address: int = _setting(60, "files to print that one address may ask for in a minute")
    replay_memory: int = _setting(32, "megabytes of cached replays and reviews")
    metrics_token: str = _secret("token for /metrics; empty: there is no such page")
    metrics_token_file: str = _setting("", "file that holds this token instead")
    admin_token: str = _secret("token of `qwixx admin` for /api/admin; empty: not available")
    admin_token_file: str = _setting("", "file that holds this token instead")
    contact: str = _setting("", "who runs this server and how to reach them, shown on the page /privacy")
    log_lines: int = _setting(10, "lines of one kind that are logged in a minute; more are only counted", least=1)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ, **flags: Any) -> Self:
        """Read `QWIXX_PORT` and so on; options that were given (are not None) win."""
        given: dict[str, Any] = {}
        for each in fields(cls):
            text = environment.get(variable(each.name))
            if text is not None:
                given[each.name] = _read(each.name, type(each.default), text)
        given |= {name: value for name, value in flags.items() if value is not None}
        settings = replace(cls(), **given)
        for each in fields(cls):
            _check(each.name, getattr(settings, each.name), each.metadata["least"], each.metadata["most"])
        for name, words in _WORDS.items():
            if getattr(settings, name) not in words:
                raise QwixxError(f"{variable(name)} is one of {', '.join(words)}.")
        if read_prefix(settings.path) is None:
            raise QwixxError(
                f"{variable('path')} is a path such as /games/qwixx, of letters, digits and ._~-, with at most "
                f"{MAX_LENGTH} characters."
            )
        seconds_to_decide(settings.bot_seconds)  # raises if no bot could decide in that time
        return settings

    @property
    def is_postgres(self) -> bool:
        """Whether the database is PostgreSQL, which several servers can share."""
        return self.db.startswith(("postgresql:", "postgres:"))

    @property
    def database(self) -> Path:
        """The database file; its directory is created if needed."""
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
    """Return the environment variable of a setting."""
    return f"QWIXX_{name.upper()}"


def _read(name: str, kind: type, text: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise QwixxError(f"{variable(name)} should be a number, not {text[:40]!r}.") from None


def _check(name: str, value: object, least: float, most: float) -> None:
    if isinstance(value, str):
        return
    assert isinstance(value, int | float)
    if not math.isfinite(value):
        raise QwixxError(f"{variable(name)} should be a number, not {value}.")
    if value < least:
        raise QwixxError(f"{variable(name)} should be {least:g} or more, not {value:g}.")
    if value > most:
        raise QwixxError(f"{variable(name)} should be {most:g} or less, not {value:g}.")
