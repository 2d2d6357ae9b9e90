"""The declarations of limits: every bound and every queue of the server is in the list, and the docs show it."""

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
_MECHANISM = {"Meter._times", "Limiter.fair_queue"}


def test_every_bound_is_declared() -> None:
    """Every setting that is a bound belongs to a limit, and no limit names another setting."""
    named = {name for each in LIMITS for name in (each.amount, each.burst) if isinstance(name, str) and name}
    bounds = {each.name for each in fields(Settings) if each.metadata["least"] > 0}
    may_be_none = {f"{what}_per_address" for what in ("tables", "guesses", "replays", "prints", "days")}
    assert bounds | may_be_none | {"max_connections"} == named


def _queues(tree: ast.AST) -> Iterator[str]:
    """Find the attributes that are made with a queue or a pool, as `Class.attribute`."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for each in ast.walk(owner):
                if isinstance(each, ast.Assign | ast.AnnAssign) and _QUEUE.search(ast.unparse(each)):
                    found = re.match(r"self\.(\w+)(?=[:, ])", ast.unparse(each))
                    yield from [f"{owner.name}.{found[1]}"] if found else []


@pytest.mark.slow
def test_every_queue_is_declared() -> None:
    """A queue or a pool of the server has a limit with its bound, and every declared one exists."""
    sources = (ROOT / "src" / "qwixx" / "server").rglob("*.py")
    found = {name for path in sources for name in _queues(ast.parse(path.read_bytes()))}
    assert found - _MECHANISM == {name for each in LIMITS for name in each.bounds.split()}


def test_an_undeclared_queue_is_found() -> None:
    """The search sees queues of every kind, with and without a type, and nothing else."""
    text = """
class A:
    def __init__(self):
        self.a: deque[int] = deque()
        self.b = asyncio.Queue(5)
        self.c = {name: ThreadPoolExecutor(1) for name in "xy"}
        self.d = Semaphore(2)
        self.e = dict()
        local = deque()
"""
    assert list(_queues(ast.parse(text))) == ["A.a", "A.b", "A.c", "A.d"]


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
