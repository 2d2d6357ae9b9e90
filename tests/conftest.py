"""Fixtures that more than one test folder uses."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG

from support.games.seeded import seed_chance, seed_servers
from support.page import find_chromium
from support.paths import ROOT

if TYPE_CHECKING:
    from support.page.page_driver import Browser, Server
    from support.server.postgres_server import Postgres

# Tests use the compiled rules, unless QWIXX_JIT says otherwise; test_tiering.py tests the switch between the two.
os.environ.setdefault("QWIXX_JIT", "now")
# The terminal speaks the language of the environment, and tests read English unless they name a language.
os.environ.update({name: "C.UTF-8" for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)})
# Five seconds are too short for a server on a busy machine, and httpx has no other place for a global default.
DEFAULT_TIMEOUT_CONFIG.connect = DEFAULT_TIMEOUT_CONFIG.read = DEFAULT_TIMEOUT_CONFIG.write = 60.0

_SECONDS = {"browser": 8.0, "slow": 1.0}
"""Rough duration of a test by its mark; `slow(30)` marks one that takes about thirty seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first.

    `make test` gives a file to one worker, which starts its server and its browser once. Workers that have finished the
    slow files share the quick ones, so that all end together.
    """
    totals: dict[Path, float] = {}
    for item in items:
        marks = [mark for mark in item.iter_markers() if mark.name in _SECONDS]
        seconds = max((mark.args[0] if mark.args else _SECONDS[mark.name] for mark in marks), default=0.01)
        totals[item.path] = totals.get(item.path, 0.0) + seconds
    items.sort(key=lambda item: (-totals[item.path], item.path))


@pytest.fixture(autouse=True)
def _seeded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Seed chance by the name of the test: it is the same in every run, whatever ran before."""
    with pytest.MonkeyPatch.context() as patch:
        seed_chance(request.node.nodeid, patch.setattr)
        seed_servers(request.node.nodeid)
        yield


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store the saved games of a test in its own directory, away from the user's."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache without solved tables; compiled code is shared."""
    from support.games.compiled_helpers import own_cache  # noqa: PLC0415 - after QWIXX_JIT has been set

    cache = own_cache(tmp_path / "cache")
    monkeypatch.setenv("QWIXX_CACHE", str(cache))
    return cache


@pytest.fixture(scope="session")
def solved_classic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the solved table of classic in the cache directory of its own: one worker solves it for all."""
    from qwixx.solver import solve  # noqa: PLC0415 - after QWIXX_JIT has been set
    from support.games.compiled_helpers import own_cache  # noqa: PLC0415

    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with (folder / "solved.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cache = folder / "solved-cache"
        if not cache.exists():
            own_cache(cache)
        patch.setenv("QWIXX_CACHE", str(cache))
        solve("classic")
    (path,) = (cache / "solved").glob("classic-*.qwixx")
    return path


@pytest.fixture(scope="session")
def database_server() -> Iterator[Postgres]:
    """Yield our own PostgreSQL server; tests create databases in it."""
    from support.server import postgres_server  # noqa: PLC0415 - other tests run without asyncpg

    if not postgres_server.find("postgres"):
        pytest.skip(postgres_server.MISSING)
    with postgres_server.running() as started:
        yield started


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server in its own process, with the built page. Tests share it and leave its settings as they are."""
    from support.page.page_driver import Server  # noqa: PLC0415 - tests without a browser run without playwright

    if not (ROOT / "src/qwixx/web/index.html").is_file():
        pytest.skip("the page has not been built")
    running = Server(tmp_path_factory.mktemp("page") / "qwixx.db")
    yield running
    running.stop()


_browsers: list[Browser] = []
"""The browser of this process, if one is running."""
_closing = ExitStack()
"""Closes it."""


@pytest.fixture
def browser() -> Browser:
    """Return a browser: successive tests share it. They open contexts, which share nothing."""
    from support.page.page_driver import ARGS, sync_playwright  # noqa: PLC0415 - tests without a browser run without playwright

    if _browsers and not _browsers[0].is_connected():  # it has crashed
        _closing.close()
    if not _browsers:
        path = find_chromium.find()
        if path is None:
            pytest.skip("Chromium is not installed")
        playwright = _closing.enter_context(sync_playwright())
        _closing.callback(_browsers.clear)
        _browsers.append(playwright.chromium.launch(executable_path=path, args=list(ARGS)))
        _closing.callback(_browsers[0].close)
    return _browsers[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before a test that does not need it: while it runs, no test can start an event loop."""
    yield
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        _closing.close()
