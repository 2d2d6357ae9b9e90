"""Fixtures of more than one test file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG

import chromium

if TYPE_CHECKING:
    from page_driver import Browser, Server
    from postgres import Postgres

ROOT = Path(__file__).parents[1]
# Tests prove the compiled rules, unless somebody asks for the others; what changes over is for test_takeover.py.
os.environ.setdefault("QWIXX_JIT", "now")
# Five seconds are too short for a server on a busy machine, and the library has no other place to say so once for all.
DEFAULT_TIMEOUT_CONFIG.connect = DEFAULT_TIMEOUT_CONFIG.read = DEFAULT_TIMEOUT_CONFIG.write = 60.0

_WEIGHTS = {"browser": 30.0, "slow": 1.0}
"""How much longer a test takes than a quick one, by its mark; about."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Put the files that take longest first.

    `make test` gives a file to one worker, which starts its server and its browser once; workers that are done with the
    long ones share the quick ones, and all end together.
    """
    weights: dict[Path, float] = {}
    for item in items:
        weight = max((weight for mark, weight in _WEIGHTS.items() if mark in item.keywords), default=0.01)
        weights[item.path] = weights.get(item.path, 0.0) + weight
    items.sort(key=lambda item: (-weights[item.path], item.path))


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test saves in a directory of its own, away from the user's."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="session")
def database_server() -> Iterator[Postgres]:
    """Give a PostgreSQL of our own; its tests make databases in it."""
    import postgres  # noqa: PLC0415 - other tests run without asyncpg

    if not postgres.find("postgres"):
        pytest.skip(postgres.MISSING)
    with postgres.running() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server in a process of its own, with the built page."""
    from page_driver import Server  # noqa: PLC0415 - tests without a browser run without playwright

    if not (ROOT / "src/qwixx/web/index.html").is_file():
        pytest.skip("the page has not been built")
    running = Server(tmp_path_factory.mktemp("page") / "qwixx.db")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a browser."""
    from page_driver import ARGS, sync_playwright  # noqa: PLC0415 - tests without a browser run without playwright

    path = chromium.find()
    if path is None:
        pytest.skip("there is no chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(ARGS))
        yield started
        started.close()
