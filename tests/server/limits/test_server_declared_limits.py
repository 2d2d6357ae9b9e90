"""The declarations of limits: every bound, queue, pool and counter of the server is in the list, and in the docs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields

import pytest

from qwixx.server import generate_docs
from qwixx.server.base.settings import Settings
from qwixx.server.limits import declared
from qwixx.server.limits.declared import LIMITS, Limit
from support.paths import ROOT

_QUEUE = re.compile(r"\b(deque|\w*Queue|\w*PoolExecutor|\w*Semaphore)\b[\[(]")
# The keys of others are numbers of seats and phases, or names that are listed in the program.
_COUNTER = re.compile(
    r"\blist\[|\b(dict|defaultdict|OrderedDict|Counter|set|Weak\w+)\["
    r"(?!int\b|tuple\[int\b|Limit, int|PoolName\b|WorkerName\b)"
)
_UNBOUNDED_CACHE = re.compile(r"lru_cache\((maxsize=)?None|(functools\.)?cache$")
_MECHANISM = {"Meter._times", "Limiter.fair_queue"}
_OTHERS = {
    *("AllowedBots._players", "ClusterSync._bans"),  # filled once
    *("BotTurns._tasks", "HintRequests._tasks"),  # one for each seat
    # The changes of one batch of a table, or of one commit (INBOX, COMMITS).
    *(f"Batch.{name}" for name in ("admitted", "cuts", "decided_at", "deleted", "events", "lines", "replies")),
    *("Batch.resync", "Batch.statements"),
    *("Core._decisions", "Core._tail", "Core.asides"),  # of one game (GAME_LINES)
    *("BotTurns._threads", "HintRequests._to_start", "Connection.keys"),  # one for each seat
    "Leases._stale",  # one for each table in memory (TABLES)
    # Messages and who sent them, while a table or a hint is awaited (MESSAGES, FRAMES).
    *("Connection.pending", "HintRequests._waiting", "Table._rematch_askers"),
    ": waiting = deque(asides)",  # the events of one game
    ": received: queue.SimpleQueue[bytes] = queue.SimpleQueue()",  # a worker gets one task after the other
}


def test_every_bound_is_declared() -> None:
    """Every setting that is a bound belongs to a limit, and no limit names another setting."""
    named = {name for each in LIMITS for name in (each.amount, each.burst) if isinstance(name, str) and name}
    bounds = {each.name for each in fields(Settings) if each.metadata["least"] > 0}
    may_be_none = {f"{what}_per_address" for what in ("tables", "guesses", "replays", "prints", "days")}
    assert bounds | may_be_none | {"max_connections", "replay_memory"} == named


def _queues(tree: ast.AST, owner: str = "") -> Iterator[str]:
    """Find queues, pools, attributes that count by a key, as `Class.attribute`, and caches without a bound."""
    for each in ast.iter_child_nodes(tree):
        if isinstance(each, ast.Assign | ast.AnnAssign):
            text = ast.unparse(each)
            found = re.match(r"self\.(\w+)(?=[:, ])", text)
            if _QUEUE.search(text):
                yield f"{owner}.{found[1]}" if found else f"{owner}: {text}"
            elif found and _COUNTER.search(text):
                yield f"{owner}.{found[1]}"
        elif isinstance(each, ast.FunctionDef) and any(
            _UNBOUNDED_CACHE.match(ast.unparse(decorator)) for decorator in each.decorator_list
        ):
            yield each.name
        yield from _queues(each, each.name if isinstance(each, ast.ClassDef) else owner)


@pytest.mark.slow
def test_every_queue_is_declared() -> None:
    """A queue, pool or counter of the server has a declaration with its bound, and every declared one exists."""
    sources = list((ROOT / "src" / "qwixx" / "server").rglob("*.py"))
    found = {name for path in sources for name in _queues(ast.parse(path.read_bytes()))}
    declared_names = [each.bounds for each in LIMITS]
    declared_names += [declared.BY_PROGRAM, declared.BY_SEAT, declared.BY_DATABASE]
    assert found - _MECHANISM - _OTHERS == set(" ".join(declared_names).split())


def test_every_queue_says_who_comes_next() -> None:
    """Work that waits for its turn has a declared order, or is done all at once."""
    queues = {declared.INBOX, declared.LOOP_TIME, declared.WORKER_TASKS, declared.THREADS, declared.HINTS}
    assert all(each.fairness for each in (*queues, declared.FILE_READS, declared.READERS))


def test_an_undeclared_queue_is_found() -> None:
    """The search sees queues and counters of every kind, with and without a type, and nothing else."""
    text = """
class A:
    def __init__(self):
        self.a: deque[int] = deque()
        self.b = asyncio.Queue(5)
        self.c = {name: ThreadPoolExecutor(1) for name in "xy"}
        self.d = Semaphore(2)
        self.e: dict[str, int] = {}
        self.f: Counter[Connection] = Counter()
        self.g: dict[int, str] = {}
        local = deque()
POOL = ThreadPoolExecutor(2)
@cache
def price(name): ...
@lru_cache(256)
def cost(name): ...
"""
    found = ["A.a", "A.b", "A.c", "A.d", "A.e", "A.f", "A: local = deque()", ": POOL = ThreadPoolExecutor(2)"]
    assert list(_queues(ast.parse(text))) == [*found, "price"]


@pytest.mark.parametrize(
    ("limit", "most", "text"),
    [
        (declared.FRAMES, 300, "5 times `QWIXX_RATE` a second, 5 times `QWIXX_BURST` at once"),
        (declared.NEW_CONNECTIONS, 100, "`QWIXX_REQUEST_RATE` a second, half of `QWIXX_REQUEST_BURST` at once"),
        (declared.UNSENT, 256 * 1024, "`QWIXX_OUTBOX` kB"),
        (declared.PRINTS, 60, "`QWIXX_PRINTS_PER_ADDRESS` a minute"),
        (declared.ADDRESSES, 10_000, "10,000"),
    ],
)
def test_how_much(limit: Limit, most: int, text: str) -> None:
    """The amount comes from the defaults of the settings, and the docs name the setting."""
    assert limit.most(Settings()) == most
    assert limit.how_much() == text


def test_the_tables_of_the_docs_are_up_to_date() -> None:
    """docs/server.md lists the settings and the limits as they are declared."""
    text = (ROOT / "docs" / "server.md").read_text("utf-8")
    assert all(f"<!-- server {name} -->" in text for name in ("settings", "limits"))
    assert generate_docs.renewed(text) == text, "run: python -m qwixx.server.generate_docs docs/server.md"
