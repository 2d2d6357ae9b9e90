"""Workers: processes next to the server that replay finished games, end with it, and are replaced if they end."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import OWNER_TASKS, WORKER_TASKS
from qwixx.server.room.room import Room
from qwixx.server.room.seats import Seat
from qwixx.server.table.finished_games import FinishedGames
from qwixx.server.wire.messages import encode
from qwixx.server.workers import pools, precompile, replay_job, review_job, tasks, worker_main, worker_process
from qwixx.server.workers.fair_threads import FairThreads
from qwixx.server.workers.import_job import CHECKED
from qwixx.server.workers.pools import Pools
from qwixx.server.workers.tasks import FinishedGameTask, ImportTask, TaskDone, TaskFailed
from qwixx.server.workers.worker_process import Worker
from qwixx.text.record import read_record
from support.paths import ROOT
from support.server.live_server import PATIENCE, Client, ServerProcess, run, serving

HEAD = "qwixx record 1\nvariant classic\nseats 2\nfirst 0\n"
OPEN = f"{HEAD}roll 34/2615\n0 r7\n"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def finished() -> tuple[Room, list[str]]:
    """Play a short game in which all seats always pass: four misses of the active seats end it (C7)."""
    game = qwixx.Game("classic", 2, first=0, seed=3)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, "pass")
    record = read_record(game.record())
    facts = {name: fact for name, fact in record.facts.items() if name != "seed"}
    room = Room("ABCDEFGH", "classic", "over", [Seat("Anna", key="a"), Seat("Ben", key="b")], opening=facts)
    return room, [str(step) for step in record.steps]


@pytest.mark.slow
def test_a_review_need_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the judge is not compiled, a worker interprets it; then another one, with compiled code, takes over."""
    is_compiled, started = [False], []

    def start(*, compiles: bool) -> Any:
        started.append(compiles)
        return start_process(compiles=False)  # the compiler would take minutes here

    start_process = worker_process._start
    monkeypatch.setattr(precompile, "are_judges_compiled", lambda: is_compiled[0])
    monkeypatch.setattr(worker_process, "_start", start)
    worker = Worker(compiles=True)

    def review() -> Any:
        return json.loads(gzip.decompress(worker.request(FinishedGameTask("analysis", *finished()))))

    try:
        first = review()
        assert (first["variant"], started) == ("classic", [False])
        is_compiled[0] = True
        assert (review(), started) == (first, [False, True])
        assert (review(), started) == (first, [False, True])
    finally:
        worker.close()


def is_there(process: int) -> bool:
    """Return whether a process lives."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(process: int) -> set[int]:
    """Return the child processes of a process."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return {int(word) for path in lists for word in path.read_text().split()}


def kill_when_asked(process: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pause a worker, and kill it as soon as it gets a task."""
    os.kill(process, signal.SIGSTOP)
    send = tasks.send

    def send_and_kill(stream: IO[bytes], message: tasks.Task | tasks.Answer) -> None:
        send(stream, message)
        monkeypatch.setattr(tasks, "send", send)
        os.kill(process, signal.SIGKILL)

    monkeypatch.setattr(tasks, "send", send_and_kill)


def wait_until(happens: Any) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def own() -> Any:
    """Start a worker for a test."""
    found = Worker()
    yield found
    found.close()
    assert found.pid is None


@pytest.mark.slow
def test_a_worker_returns_the_same_as_the_server(own: Worker) -> None:
    """Records and replays are equal byte by byte, compressed; so is the answer whether an imported game is over."""
    room, lines = finished()
    assert own.pid is None, "there was no task yet"
    record = replay_job.record(room, lines)
    assert CHECKED.decode(own.request(ImportTask(record))).over
    process = own.pid
    assert not CHECKED.decode(own.request(ImportTask(OPEN))).over
    assert gzip.decompress(own.request(FinishedGameTask("record", room, lines))).decode() == record
    assert gzip.decompress(own.request(FinishedGameTask("replay", room, lines))) == encode(
        replay_job.replay(room, lines)
    )
    with pytest.raises(Refused, match="no-record"):
        own.request(ImportTask("nonsense"))
    assert own.pid == process, "one process does all tasks"
    own.stop_if_idle()
    assert own.pid is None
    assert not CHECKED.decode(own.request(ImportTask(OPEN))).over


def test_refusals_of_a_worker(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A game without a trained network and a damaged game have codes; an unexpected error has a text for the log."""

    def nobody(*_: object, **__: object) -> None:
        raise QwixxError("Nobody has learned this game.")

    room, lines = finished()
    monkeypatch.setattr(review_job, "find_judge", nobody)
    assert worker_main.perform(FinishedGameTask("analysis", room, lines)) == TaskFailed("no-judge")
    assert isinstance(worker_main.perform(ImportTask(OPEN)), TaskDone)
    damaged = worker_main.perform(FinishedGameTask("replay", room, ["nonsense"]))
    assert isinstance(damaged, TaskFailed)
    assert damaged.code == "damaged"
    assert "nonsense" in damaged.reason
    assert damaged.trace == ""

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(replay_job, "replay", fails)
    broken = worker_main.perform(FinishedGameTask("replay", room, lines))
    assert isinstance(broken, TaskFailed)
    assert broken.code == "trouble"
    assert "Traceback" in broken.trace
    assert caplog.text == ""


def test_messages_behind_their_length() -> None:
    """Messages are read one after the other; the end of the stream is reported, also in the middle of a message."""
    stream = io.BytesIO()
    tasks.send(stream, ImportTask("one"))
    tasks.send(stream, ImportTask("two" * 50_000))
    whole = stream.getvalue()
    stream.seek(0)
    assert len(tasks.receive(stream)) < 100
    assert len(tasks.receive(stream)) > 150_000
    for size in (0, 2, 4, len(whole) - 1):
        cut = io.BytesIO(whole[:size])
        with pytest.raises(EOFError):
            tasks.receive(cut), tasks.receive(cut)


@pytest.mark.slow
@on_linux
def test_a_killed_worker_is_replaced(
    own: Worker, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while idle, nobody notices; killed during its work, one task is refused, and the next one is done."""
    assert not CHECKED.decode(own.request(ImportTask(OPEN))).over
    for stops in (False, True):
        process = own.pid
        assert process is not None
        if stops:
            kill_when_asked(process, monkeypatch)
            with pytest.raises(Refused, match="trouble"):
                own.request(ImportTask(OPEN))
            assert "a worker ended in the middle of its work" in caplog.text
        else:
            os.kill(process, signal.SIGKILL)
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)  # until it has ended
        assert not CHECKED.decode(own.request(ImportTask(OPEN))).over
        assert own.pid != process


@pytest.mark.slow
@on_linux
def test_people_get_an_error_and_may_ask_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader whose worker is killed gets an error code with a sentence on the page; then it works again."""
    room, lines = finished()
    with serving(tmp_path) as server:
        reader = server.tables.pools.workers["replays"]
        assert reader.pid is None
        code = httpx.post(
            f"http://{server.address}/api/records", content=replay_job.record(room, lines), timeout=PATIENCE
        ).json()["code"]
        process = reader.pid
        assert process is not None
        kill_when_asked(process, monkeypatch)
        address = f"http://{server.address}/api/tables/{code}/record"
        answer = httpx.get(address, timeout=PATIENCE)
        assert (answer.status_code, answer.json()) == (500, {"code": "trouble"})
        assert server.tables.counts.failed["worker"] == 1
        assert httpx.get(address, timeout=PATIENCE).text.startswith("qwixx record 1")
        process = reader.pid
        assert process is not None
    wait_until(lambda: not is_there(process))
    words = (ROOT / "src/qwixx/text/catalogues/en.po").read_text("utf-8")
    assert 'msgid "error.trouble"' in words


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_with_its_server(how: signal.Signals, tmp_path: Path) -> None:
    """However the server ends, and whatever the worker is doing."""
    server = ServerProcess(tmp_path)
    before = children(server.pid)
    opened = httpx.post(f"http://{server.address}/api/records", content=OPEN, timeout=PATIENCE)
    assert opened.status_code == 201, opened.text
    (process,) = children(server.pid) - before
    assert b"qwixx.server.workers.worker_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    if how == signal.SIGKILL:
        server.kill()
    else:
        server.end(how)
    wait_until(lambda: not is_there(process))


def test_an_owner_with_much_work_does_not_delay_others() -> None:
    """Threads take the work that waits owner by owner, and each owner's work in order; cancelled work is skipped."""

    async def look() -> None:
        threads, done, first = FairThreads("test", 1), list[str](), threading.Event()
        waits: list[asyncio.Task[Any]] = [asyncio.create_task(threads.run("a", lambda: first.wait(PATIENCE)))]
        await asyncio.sleep(0)
        for name in ("a1", "a2", "a3", "b1", "c1", "c2"):
            waits.append(asyncio.create_task(threads.run(name[0], partial(done.append, name))))
        await asyncio.sleep(0)
        waits[2].cancel()  # a2
        await asyncio.sleep(0)
        first.set()
        await asyncio.gather(*waits, return_exceptions=True)
        assert done == ["a1", "b1", "c1", "c2", "a3"]  # a2 was the turn of its owner
        threads.close()

    run(look())


def test_reviews_of_one_address_do_not_delay_those_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address asks for the reviews of many imported games; another's review is next, not last."""
    room, lines = finished()
    done, first = list[str](), threading.Event()

    def request(worker: Worker, task: tasks.Task) -> bytes:
        assert isinstance(task, FinishedGameTask)
        first.wait(PATIENCE)
        done.append(task.room.code)
        return b""

    monkeypatch.setattr(Worker, "request", request)

    class Imported:
        """A store with a finished game under every code."""

        async def room(self, code: str) -> Room:
            return msgspec.structs.replace(room, code=code)

        async def read(self, code: str) -> tuple[Room, list[str]]:
            return await self.room(code), lines

        def touch(self, code: str) -> None:
            """Keep no time."""

        def setting_aside(self, code: str) -> contextlib.AbstractContextManager[None]:
            return contextlib.nullcontext()

    async def look() -> None:
        own = Pools()
        games = FinishedGames(cast(Any, Imported()), own, 1, lambda _: False)
        asked = [(f"A{number:02}", "192.0.2.1") for number in range(30)] + [("B00", "192.0.2.2"), ("C00", "192.0.2.3")]
        waits = [asyncio.create_task(games.compressed(code, "analysis", (), address)) for code, address in asked]
        while own.waiting["reviews"] < OWNER_TASKS.fixed + 2:
            await asyncio.sleep(0)
        first.set()
        found = await asyncio.gather(*waits, return_exceptions=True)
        refused = [code for (code, _), each in zip(asked, found, strict=True) if isinstance(each, Refused)]
        assert refused == [f"A{number:02}" for number in range(OWNER_TASKS.fixed, 30)]
        assert set(done[1:4]) == {"A01", "B00", "C00"}  # A00 was in work already
        own.close()

    run(look())


@pytest.mark.slow
def test_work_belongs_to_the_address_that_asked_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports, replays, reviews, files to print and loaded tables take turns by the address of the visitor."""
    owners: dict[str, set[str]] = {}
    run_in_pool = Pools.run

    async def noted(self: Pools, work: pools.PoolName, function: Callable[[], Any], owner: str = "") -> Any:
        owners.setdefault(work, set()).add(owner)
        return await run_in_pool(self, work, function, owner)

    async def watch(code: str) -> None:
        link = f"ws://{server.address}/ws/{code}"
        async with connect(link, additional_headers=visitor, compression=None) as socket:
            client = Client(socket)
            await client.send("hello", tokens=[])
            await client.until("table")

    monkeypatch.setattr(Pools, "run", noted)
    _, lines = finished()
    visitor = {"X-Forwarded-For": "192.0.2.7"}
    with serving(tmp_path, proxies="127.0.0.1") as server:
        with httpx.Client(base_url=f"http://{server.address}", headers=visitor, timeout=PATIENCE) as client:
            code = client.post("/api/records", content="\n".join([HEAD.strip(), *lines, ""])).json()["code"]
            for path in (f"/api/tables/{code}/replay", f"/api/tables/{code}/analysis", "/api/print/duel.pdf?sheets=1"):
                client.get(path)
        run(watch(code))
        assert server.tables.pools.workers["prints"].pid not in (None, os.getpid())
    assert owners == {work: {"192.0.2.7"} for work in ("replays", "reviews", "prints", "waking")}


@pytest.mark.slow
def test_idle_workers_end_and_the_queue_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that would wait too long is refused immediately; an idle worker ends."""

    async def look() -> None:
        own = Pools()
        own.limiter.lower(WORKER_TASKS, 3)
        own.limiter.lower(OWNER_TASKS, 2)
        asked = [asyncio.create_task(own.submit_to_worker("replays", ImportTask(OPEN), owner)) for owner in "aaabc"]
        found = await asyncio.gather(*asked, return_exceptions=True)
        codes = [each.code if isinstance(each, Refused) else CHECKED.decode(cast(bytes, each)).over for each in found]
        assert codes == [False, False, "busy", False, "busy"]
        assert own.workers["replays"].pid is not None
        monkeypatch.setattr(pools, "_IDLE_SECONDS", 0.05)
        await own.submit_to_worker("replays", ImportTask(OPEN))
        end = time.monotonic() + PATIENCE
        while own.workers["replays"].pid is not None:
            assert time.monotonic() < end
            await asyncio.sleep(0.02)
        own.close()
        with pytest.raises(Refused, match="trouble"):
            own.workers["replays"].request(ImportTask(OPEN))

    run(look())


def test_without_python_people_get_an_error(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """If no process can be started, a task is refused, and the log has the reason."""
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(Refused, match="trouble"):
        Worker().request(ImportTask(OPEN))
    assert json.dumps("no worker can be started")[1:-1] in caplog.text
