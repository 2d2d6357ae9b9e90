"""
Every limit of the server, declared once: what is counted, per what, how much, and what happens above it.

`limiter` counts against these declarations, and docs/server.md lists them. A number that is no setting is only here.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from qwixx.server.base.errors import RefusalCode
from qwixx.server.base.settings import Settings, variable
from qwixx.server.limits.meter import Meter

_PERIODS = {60.0: "a minute", 3600.0: "an hour", 86400.0: "a day"}


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """One limit. The texts are those of docs/server.md."""

    counts: str
    """The thing that is counted."""
    per: str
    """The unit that has its own count: a message, a connection, an address, a table, or the whole server."""
    amount: str | float
    """How much: the name of a setting, or a number. With `burst` it is a rate in a second."""
    excess: str = ""
    """The answer above the limit; empty: a refusal if there is a code for it, else the end of the connection."""
    _: KW_ONLY
    by: str = "app"
    """The part that enforces it."""
    code: RefusalCode | None = None
    """The code of the refusal, if a client gets one."""
    burst: str = ""
    """The setting for how much may pass at the same time; empty if the limit is no rate."""
    seconds: float = 0.0
    """The period in which it is counted; 0: what is there at the same time is counted."""
    times: float = 1.0
    """A factor of the amount and of the burst."""
    burst_times: float = 1.0
    """A further factor of the burst."""
    unit: str = ""
    note: str = ""
    fairness: str = ""
    """How those below the limit share it: the order, or a part that is reserved."""
    bounds: str = ""
    """The queues, pools and counters of what is counted, as `Class.attribute`. A test finds those that are missing."""

    def most(self, settings: Settings) -> int:
        """Return how much is allowed at the same time, or in the period; sizes are in bytes."""
        if self.burst:
            return max(1, int(self.value(self.burst, settings) * self.burst_times))
        return int(self.value(self.amount, settings))

    @property
    def refusal(self) -> RefusalCode:
        """The code of the refusal, for a limit that has one."""
        assert self.code is not None, f"above the limit of {self.counts} a connection ends"
        return self.code

    @property
    def fixed(self) -> int:
        """How much is allowed, for a limit that is no setting."""
        return int(self.value(self.amount, None))

    @property
    def returns(self) -> bool:
        """Whether what was used comes back with time, so that an unused count can be forgotten."""
        return bool(self.burst or self.seconds)

    def meter(self, most: int, settings: Settings) -> Meter:
        """Create a meter with this many tokens."""
        return Meter(most, self.value(self.amount, settings) if self.burst else 0.0, self.seconds)

    def value(self, amount: str | float, settings: Settings | None) -> float:
        """Return the number of an amount, with its factor."""
        number: float = getattr(settings, amount) if isinstance(amount, str) else amount
        return number * self.times * (1024 if self.unit == "kB" else 1)

    def how_much(self) -> str:
        """Write the amount for docs/server.md."""
        text = " ".join(filter(None, [_shown(self.amount, self.times), self.unit, _PERIODS.get(self.seconds, "")]))
        if self.burst:
            text = f"{text} a second, {_shown(self.burst, self.times * self.burst_times)} at once"
        return "; ".join(filter(None, [text, self.note, self.fairness]))


def _shown(amount: str | float, times: float) -> str:
    text = f"`{variable(amount)}`" if isinstance(amount, str) else f"{amount:,g}"
    return {1.0: text, 0.5: f"half of {text}"}.get(times, f"{times:g} times {text}")


RESERVED_FILES = 100
"""Open files for the database, the page's files, threads, and connections that will be refused."""
MAX_WAIT = 5.0
"""Seconds for which a request above the rate limit waits at most; one that had to wait longer is refused."""
SOCKET_COST, QR_CODE_COST, PRINT_COST, COMPARISON_COST = 5.0, 10.0, 30.0, 10.0
"""Their cost in plain requests: the time that they take. Everyone at the table of a new socket gets a message."""
REQUEST_SECONDS, ANSWER_SECONDS, MESSAGE_SECONDS = 0.0007, 0.0003, 0.0003
"""Time in the event loop of a plain request without its answer, of sending the answer, and of a message."""

_COSTS = (
    f"a socket counts as {SOCKET_COST:g}, a QR code as {QR_CODE_COST:g}, a comparison of scores as "
    f"{COMPARISON_COST:g}, a file to print as {PRINT_COST:g}"
)
_FILES = f"and open files (`ulimit -n`) less a reserve of {RESERVED_FILES}"
_BOTH, _UNREAD = "app; gate", "gate, before they are read"
_DROPS = "a connection without a request is dropped first, else the new one"
_SLOWEST = "the slowest readers are disconnected"
_CODES = "other codes are refused too, except for owners of a seat"
_TOKENS = "correct tokens are refused, too"
_WAITS = f"waits up to {MAX_WAIT:g} seconds, then refused"
_FORGOTTEN = "the oldest is forgotten"
_IN_ORDER = "first come, first served"
_FOR_PLAYERS = f"{_IN_ORDER}, and half is reserved for players at the table"
_OUTBOX = "QueuedTransport._texts"
_FILE_READERS = "SqliteStore._reading SqliteStore._cleaning"
_BY_OWNER = "address by address, or table by table"
_THREADS = "FairThreads._executor FairThreads._waiting"
_WRITES = "SqliteStore._queue _Writes.tokens _Writes.released Batch.rooms Batch.new_codes Batch.taken Batch.touched"
_LOADED = "Tables.loaded Tables._loading Leases._tokens"
_RESULTS = "ResultCache._cached ResultCache._pending"
_OPERATORS = "Bans._until Bans._names Bans.unsent"

# ---- messages of a socket

MESSAGE_SIZE = Limit("bytes", "message", "message_size", code="too-large")
UNREAD_SIZE = Limit("bytes", "message", "message_size", times=4, by="websockets, which does not read it")
PARTS = Limit("parts", "message", 64, by="gate")
FRAMES = Limit("frames of every kind, with pings", "connection", "rate", burst="burst", times=5, by=_UNREAD)
ADDRESS_FRAMES = Limit("frames", "address", "address_rate", burst="address_burst", times=5, by=_UNREAD)
MESSAGES = Limit("messages", "connection", "rate", burst="burst", code="too-fast")
ADDRESS_MESSAGES = Limit("messages", "address", "address_rate", burst="address_burst", code="too-fast")
REFUSED_MESSAGES = Limit("refused messages in a row", "connection", 100)
INBOX = Limit("messages that wait", "table", "inbox", code="busy", fairness=_FOR_PLAYERS, bounds="Inbox._items")
LOOP_TIME = Limit(
    *("time of the event loop", "address", 500, "waits for the next turns"),
    unit="µs of each turn",
    by="gate: what is read; app: messages, requests, answers",
    fairness="address by address; one that was alone for a minute does not wait for turns",
    bounds="FairQueue._waiting FairQueue._used",
)

# ---- what waits for a client that does not read

UNSENT = Limit("bytes that wait, with answers to pings", "connection", "outbox", unit="kB", bounds=_OUTBOX, by=_BOTH)
ADDRESS_UNSENT = Limit("bytes that wait", "address", "address_outbox", _SLOWEST, unit="kB", by="gate, every second")
SYSTEM_BUFFER = Limit("bytes that wait in the system", "connection", 128, "wait", unit="kB", by="system (`SO_SNDBUF`)")
RESPONSE_SLICE = Limit("bytes of an answer in memory", "connection", 64, "the rest waits", unit="kB")

# ---- connections

CONNECTIONS = Limit(
    *("connections", "server", "connections_in_all", _DROPS),
    note=_FILES,
    by="gate; system",
    bounds="ConnectionLimiter.connections ConnectionLimiter._without_request",
)
ADDRESS_CONNECTIONS = Limit("connections", "address", "connections_per_address", note="and half of all", by="gate")
SOCKETS = Limit("sockets", "address", "connections_per_address", code="full")
NEW_CONNECTIONS = Limit("new connections", "address", "request_rate", burst="request_burst", burst_times=0.5, by="gate")
HANDSHAKES = Limit("connections without a request yet", "server", "handshakes", "the oldest is disconnected", by="gate")
ACCEPTS = Limit("new connections in a turn of the event loop", "server", 4, "wait for the next turn", by="system")
SPECTATORS = Limit(
    "spectators; owners of seats are not counted", "table", "max_connections", code="full", bounds="Table.connections"
)
OWNER_CONNECTIONS = Limit("connections of one owner of seats", "table", 8, "the oldest is disconnected")

# ---- time

FIRST_REQUEST = Limit("time until the first request", "connection", "hello_timeout", unit="s", by="gate")
REQUEST_TIME = Limit(
    "time to send a request, or to read its answer", "connection", "request_timeout", unit="s", by="gate"
)
KEEP_ALIVE = Limit("time between two requests", "connection", 10, "closed", unit="s", by="uvicorn")
HELLO_TIME = Limit("time until `hello`", "connection", "hello_timeout", "closed", unit="s")
BODY_TIME = Limit("time for the body", "request", "hello_timeout", unit="s", code="unreadable")
PONG_TIME = Limit("time to answer a ping", "connection", 20, "closed", unit="s", by="uvicorn")
CLOSE_TIME = Limit("time to complete a close", "connection", 2, unit="s", by=_BOTH)

# ---- requests

HEADER_SIZE = Limit("bytes of the header", "request", 16, "refused", unit="kB", by="uvicorn")
BODY_SIZE = Limit("bytes of the body", "request", 4, unit="kB", code="too-large")
# The longest games need a quarter of it.
RECORD_SIZE = Limit("bytes of a record to import", "request", 64, unit="kB", code="too-large")
REQUESTS = Limit("requests", "address", "request_rate", _WAITS, burst="request_burst", note=_COSTS, code="too-fast")
PRINTS = Limit("files to print", "address", "prints_per_address", seconds=60.0, code="too-fast")
REPLAYS = Limit("replays, records and reviews", "address", "replays_per_address", seconds=60.0, code="too-fast")
TABLES_OPENED = Limit(
    "opened tables and imported records", "address", "tables_per_address", seconds=3600.0, code="too-fast"
)
# After the first game of a day the dice are known. Returning to the same game is free.
DAILY_GAMES = Limit(
    *("games of today's roll that are begun", "address and game", "days_per_address"),
    seconds=86400.0,
    code="too-fast",
    by="app; the database counts",
)
WRONG_CODES = Limit("codes without a table", "address", "guesses_per_address", _CODES, seconds=3600.0, code="too-fast")
WRONG_TOKENS = Limit("wrong tokens of an operator", "address", 10, _TOKENS, seconds=60.0, code="too-fast")

# ---- work that waits

TABLES = Limit("tables in memory", "server", "max_tables", code="too-many-tables", bounds=_LOADED)
# The longest possible game has 2,880 lines: in Longo with five players each crosses 60 cells and 4 misses in as many
# turns, of nine lines at most. The rest is for hints and undone decisions.
GAME_LINES = Limit("lines of a game", "table", 4_000, "no hint, no undo, no import of the record", code="too-large")
OWNER_TASKS = Limit("tasks that wait", "worker and address", 16, code="busy")
WORKER_TASKS = Limit("tasks that wait", "worker", 256, code="busy", fairness=_BY_OWNER)
THREADS = Limit("work for threads", "pool", 8, "waits", fairness=_BY_OWNER, bounds=_THREADS)
HINTS = Limit("hints in work", "server", 32, code="busy", fairness=_IN_ORDER)
COMMITS = Limit("commits", "server", 1, "writes wait and share the next commit", bounds=_WRITES)
FILE_READS = Limit(
    "reads of the database file, and of all of it", "server", 1, "wait", fairness=_IN_ORDER, bounds=_FILE_READERS
)
READERS = Limit("connections to PostgreSQL for reading", "server", "pool", _WAITS, code="busy", fairness=_IN_ORDER)

# ---- memory and the log

ADDRESSES = Limit("addresses remembered", "limit", 10_000, _FORGOTTEN, by=_BOTH, bounds="Limiter._meters")
BANS = Limit("bans by the operator", "server", 10_000, _FORGOTTEN, bounds=_OPERATORS)
TABLE_BANS = Limit("bans by the host", "table", 100, _FORGOTTEN, bounds="Presence.banned Presence.banned_keys")
CACHED = Limit("cached replays and reviews", "server", "replay_memory", _FORGOTTEN, unit="MB", bounds=_RESULTS)
SHARED_BOTS = Limit("bots that decide at many tables", "server", 64, _FORGOTTEN, bounds="SharedBots._bots")
BEST_SCORES = Limit(
    "games of the day that the master has played", "server", 64, _FORGOTTEN, bounds="DailyGames._masters"
)
COUNTED_CHOICES = Limit(
    *("different choices of today's roll that are counted", "date and game", 2_000),
    excess="those with the same sheet are not counted, those with the same dice are",
    by="app; the database counts",
)
LOG_LINES = Limit("lines of one kind in the log", "server", "log_lines", "counted", seconds=60.0, by="log")

LIMITS = tuple(each for each in list(globals().values()) if isinstance(each, Limit))
"""All limits, in the order of docs/server.md."""

BY_PROGRAM = (
    "Counters.refused Counters.failed Counters.opened Counters.finished RateLimitFilter._kinds "
    "BotLatency._fast_answers ConnectionLimiter._unlogged_refusals ConnectionLimiter.refused ConnectionLimiter.cut "
    "rules_of catalogue"
)
"""Counters and caches whose keys are in the program: codes, reasons, games, lines of code. No visitor adds one."""
BY_SEAT = "Presence._left Presence._returned Presence._votes Presence._reacted Presence._rematch_keys"
"""The data of the people at a table's seats, deleted when they leave."""
BY_DATABASE = "Store.damaged Limiter.exhausted Limiter._unsent_tables"
"""Data from or for the database, every second: damaged tables, and addresses that opened tables."""
