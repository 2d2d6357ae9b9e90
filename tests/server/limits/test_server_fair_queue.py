"""The fair queue and the listener: addresses take turns, and a refused connection costs next to nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import socket
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from qwixx.server.base.settings import Settings
from qwixx.server.http.admission import Admission
from qwixx.server.limits.connection_limits import ConnectionLimiter
from qwixx.server.limits.fair_queue import TIME_SLICE, FairQueue
from qwixx.server.limits.limiter import Limiter
from qwixx.server.run import bind
from qwixx.server.wire.listener import Listener
from support.server.in_process_tables import until
from support.server.live_server import PATIENCE, click, joined, open_table, seated, serving


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine in an event loop."""
    asyncio.run(asyncio.wait_for(test(), 60))


def queue_with_two_addresses() -> FairQueue:
    """Return a queue that has seen two addresses."""
    turns = FairQueue()
    turns.run_or_queue("x", int)
    turns.run_or_queue("y", int)
    return turns


def busy(seconds: float) -> None:
    """Compute for this long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


# ---- the queue


def test_little_work_is_done_immediately() -> None:
    """Work within the limit is done immediately, and leaves nothing for later."""

    async def check() -> None:
        turns, done = FairQueue(), list[str]()
        assert turns.run_or_queue("a", partial(done.append, "first"))
        assert turns.run_or_queue("a", partial(done.append, "second"))
        assert done == ["first", "second"]

    run(check)


def test_a_single_address_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single address takes no turns; with a second one it does, and for a while afterwards."""

    async def check() -> None:
        turns, done = FairQueue(), list[str]()
        assert all(turns.run_or_queue("a", partial(done.append, "a"), cost=TIME_SLICE) for _ in range(5))
        assert turns.run_or_queue("b", partial(done.append, "b"))
        immediately = [turns.run_or_queue("a", partial(done.append, "a"), cost=TIME_SLICE) for _ in range(2)]
        assert immediately == [True, False], "its earlier work without other addresses does not count"
        while turns._waiting or turns._used:
            await asyncio.sleep(0)
        monkeypatch.setattr("qwixx.server.limits.fair_queue._ALONE_SECONDS", -1.0)
        assert all(turns.run_or_queue("a", partial(done.append, "a"), cost=TIME_SLICE) for _ in range(5))

    run(check)


def test_an_address_has_time_until_its_slice_is_used_or_something_waits() -> None:
    """Data with one message is read without measuring only while its address has time: its message is measured."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[str]()
        assert turns.has_time("a")
        turns.run_or_queue("a", partial(done.append, "first"), cost=TIME_SLICE)
        assert not turns.has_time("a")
        assert turns.has_time("b")
        turns.run_or_queue("a", partial(done.append, "second"), cost=TIME_SLICE)
        while not turns.has_time("a"):
            await asyncio.sleep(0)
        assert done == ["first", "second"], "nothing overtakes what waits"

    run(check)


def test_a_burst_waits_and_others_do_not() -> None:
    """Work beyond the time slice of an address waits in its order; another address is served immediately."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[str]()
        immediately = [
            turns.run_or_queue("a", partial(done.append, f"a{number}"), cost=TIME_SLICE) for number in range(4)
        ]
        assert immediately == [True, False, False, False]
        assert turns.run_or_queue("b", partial(done.append, "b0"))
        assert done == ["a0", "b0"]
        await asyncio.sleep(0)
        assert done == ["a0", "b0", "a1"], "one more in each iteration of the loop"
        assert turns.run_or_queue("b", partial(done.append, "b1"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert done == ["a0", "b0", "a1", "b1", "a2", "a3"]

    run(check)


def test_time_is_counted() -> None:
    """Long work counts with its real time, and for several turns if necessary."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[str]()
        assert turns.run_or_queue("a", partial(busy, 3.5 * TIME_SLICE))
        assert not turns.run_or_queue("a", partial(done.append, "a"))
        for _ in range(2):
            await asyncio.sleep(0)
        assert done == [], "it has had more than three turns' time"
        for _ in range(20):
            await asyncio.sleep(0)
        assert done == ["a"]

    run(check)


def test_work_within_work_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Received data and the messages in it share one time slice, and the time of the messages counts once."""
    clock = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: clock[0])

    def message() -> None:
        clock[0] += TIME_SLICE / 2

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[bool]()

        def read() -> None:
            clock[0] += TIME_SLICE / 8
            done.extend(turns.run_or_queue("a", message, cost=TIME_SLICE / 2) for _ in range(4))

        assert turns.run_or_queue("a", read)
        assert done == [True, True, False, False], "two messages fill the slice, the others wait"
        assert turns._used["a"] == pytest.approx(TIME_SLICE * 9 / 8)
        assert not turns.run_or_queue("a", int), "and so does what is received next"

    run(check)


def test_bad_luck_is_bounded() -> None:
    """Who happens to be served while memory is being tidied up does not wait for dozens of turns."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[str]()
        assert turns.run_or_queue("a", partial(busy, 100 * TIME_SLICE))
        assert not turns.run_or_queue("a", partial(done.append, "a"))
        for _ in range(6):
            await asyncio.sleep(0)
        assert done == ["a"]

    run(check)


def test_small_things_add_up() -> None:
    """A hundred small tasks of one address take more than one turn."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[int]()
        immediately = [
            turns.run_or_queue("a", partial(done.append, number), cost=TIME_SLICE / 10) for number in range(100)
        ]
        assert 9 <= immediately.count(True) <= 10
        turns_taken = 0
        while len(done) < 100:
            before = len(done)
            await asyncio.sleep(0)
            assert len(done) - before <= 11
            turns_taken += 1
        assert turns_taken >= 8
        assert done == list(range(100))

    run(check)


def test_waiting_for_a_turn() -> None:
    """A request waits behind earlier work of its address; a cancelled one delays no other."""

    async def check() -> None:
        turns, order = queue_with_two_addresses(), list[str]()

        async def ask(name: str) -> None:
            await turns.wait_turn("a", cost=5 * TIME_SLICE)
            order.append(name)

        tasks = [asyncio.create_task(ask(name)) for name in ("first", "gives up", "last")]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.wait(tasks)
        assert order == ["first", "last"]

    run(check)


def test_failed_work_blocks_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Work behind failed work is done all the same."""

    async def check() -> None:
        turns, done = queue_with_two_addresses(), list[str]()
        with caplog.at_level(logging.ERROR):
            turns.run_or_queue("a", partial(busy, TIME_SLICE))
            turns.run_or_queue("a", lambda: 1 // 0)
            turns.run_or_queue("a", partial(done.append, "after"))
            while not done:
                await asyncio.sleep(0)
        assert "work in turn failed" in caplog.text

    run(check)


def test_idle_addresses_are_forgotten() -> None:
    """With any number of addresses, those without pending work are forgotten."""

    async def check() -> None:
        turns = FairQueue()
        for number in range(1000):
            turns.run_or_queue(str(number), partial(busy, TIME_SLICE / 50))
            if number % 50 == 0:
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(turns._used) < 100
        assert not turns._waiting

    run(check)


def test_answers_take_turns() -> None:
    """Clients that waited for the same commit are not all answered in one iteration of the event loop."""

    async def check() -> None:
        limiter = Limiter(Settings(request_rate=1000, request_burst=1000))
        written, answered = asyncio.Event(), list[str]()
        limiter.fair_queue.run_or_queue("x", int)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await written.wait()
            await send({"type": "http.response.start", "status": 201, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        async def answer(message: Message) -> None:
            answered.append(message["type"])

        async def receive() -> Message:
            return {"type": "http.request"}

        scope = {"type": "http", "path": "/", "headers": [(b"host", b"127.0.0.1")], "client": ("192.0.2.1", 1)}
        admission = Admission(app, limiter)
        asked = [asyncio.create_task(admission(scope, receive, answer)) for _ in range(30)]
        await asyncio.sleep(0.2)
        written.set()
        most = 0
        while len(answered) < 60:
            before = answered.count("http.response.start")
            await asyncio.sleep(0)
            most = max(most, answered.count("http.response.start") - before)
        assert 0 < most <= 5
        await asyncio.gather(*asked)

    run(check)


# ---- the listener


@contextlib.contextmanager
def connect_many(listener: Listener, count: int) -> Any:
    """Connect this many times, without waiting for an answer."""
    listener.listen(count)
    with contextlib.ExitStack() as stack:
        plain = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in plain:
            each.settimeout(PATIENCE)
            each.connect(listener.getsockname())
        yield plain


def test_a_refused_connection_costs_nothing() -> None:
    """For refused connections no protocol is created, and they are closed; an allowed one behind them is accepted."""

    async def check() -> None:
        made: list[asyncio.Protocol] = []
        asked: list[str] = []

        def protocol() -> asyncio.Protocol:
            made.append(asyncio.Protocol())
            return made[-1]

        def lets_in(host: str) -> bool:
            asked.append(host)
            return len(asked) > 40  # more than are refused in one iteration

        with contextlib.closing(bind("127.0.0.1", 0)) as listener:
            listener.may_connect = lets_in
            with connect_many(listener, 41) as plain:
                server = await asyncio.get_running_loop().create_server(protocol, sock=listener, backlog=4)
                listener.listen(100)
                while not made:
                    await asyncio.sleep(0.01)
                with pytest.raises(ConnectionResetError):
                    plain[0].recv(1)
                plain[40].settimeout(0.05)
                with pytest.raises(TimeoutError):
                    plain[40].recv(1)
                server.close()
        assert asked == ["127.0.0.1"] * 41
        assert len(made) == 1

    run(check)


def test_others_are_served_between_refusals() -> None:
    """After some refused connections the event loop continues, however long the queue is."""
    with contextlib.closing(bind("127.0.0.1", 0)) as listener:
        asked: list[str] = []

        def lets_in(host: str) -> bool:
            asked.append(host)
            return False

        listener.may_connect = lets_in
        listener.setblocking(False)
        with connect_many(listener, 50):
            with pytest.raises(BlockingIOError):
                listener.accept()
            assert 0 < len(asked) <= 25
            for _ in range(10):
                with pytest.raises(BlockingIOError):
                    listener.accept()
            assert len(asked) == 50


def test_the_connection_limiter_counts_once() -> None:
    """If the listener has counted a connection, accepting it does not count it again."""

    async def check() -> None:
        limiter = ConnectionLimiter(Limiter(Settings(request_burst=10, request_rate=0.001)))
        assert [limiter.may_connect("192.0.2.1") for _ in range(6)] == [True] * 5 + [False]
        assert limiter.may_connect("192.0.2.2")
        for _ in range(5):
            assert limiter.register(FakeConnection("192.0.2.1"))
        assert limiter.may_connect("192.0.2.1") is False

    run(check)


def test_the_connection_limiter_keeps_its_room() -> None:
    """Connections beyond the limit of an address, or of the server, are refused by the listener already."""

    async def check() -> None:
        limiter = ConnectionLimiter(Limiter(Settings(connections_per_address=2, connections_in_all=3)))
        for host in ("192.0.2.1", "192.0.2.2"):
            assert limiter.may_connect(host)
            connection = limiter.register(FakeConnection(host))
            assert connection
            limiter.on_upgrade(connection)
        assert limiter.may_connect("192.0.2.1") is False, "with room for three, half of it is one"
        third = limiter.register(FakeConnection("192.0.2.3"))
        assert third
        assert limiter.may_connect("192.0.2.4"), "the third is idle and would be closed"
        limiter.reset_deadline(third)
        assert limiter.may_connect("192.0.2.4") is False

    run(check)


def test_refusals_are_one_line(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of refusals make one line in the log, with their number."""
    monkeypatch.setattr("qwixx.server.limits.connection_limits._SWEEP_SECONDS", 0.05)

    async def check() -> None:
        limiter = ConnectionLimiter(Limiter(Settings(request_burst=2, request_rate=0.001)))
        for _ in range(1000):
            limiter.may_connect("192.0.2.1")
        await until(lambda: any(line.name == "qwixx.gate" for line in caplog.records))

    run(check)
    (line,) = (line for line in caplog.records if line.name == "qwixx.gate")
    assert (vars(line)["reason"], vars(line)["count"]) == ("too many new connections of one address", 999)


class FakeConnection(asyncio.Transport):
    """A connection from any address."""

    def __init__(self, host: str) -> None:
        """Set the address."""
        super().__init__(extra={"peername": (host, 1)})
        self.is_over = False

    def abort(self) -> None:
        """Close it."""
        self.is_over = True

    def is_closing(self) -> bool:
        """Return whether it is closed."""
        return self.is_over

    def get_write_buffer_size(self) -> int:
        """Return that nothing is pending."""
        return 0


# ---- both in a server


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make nearly all work wait for its turn, as with many addresses."""
    monkeypatch.setattr("qwixx.server.limits.fair_queue.TIME_SLICE", 0.00002)
    monkeypatch.setattr("qwixx.server.limits.fair_queue._ALONE_SECONDS", math.inf)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["short", "plain"])
def test_a_game_in_short_turns(way: str, short_slices: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No message is lost or reordered when messages have to wait for their turn."""
    if way == "plain":
        monkeypatch.setattr("qwixx.server.wire.uvicorn_versions.is_supported", lambda: False)

    async def game() -> None:
        code, token = open_table(server, variant="classic", name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.until(lambda message: message["t"] == "table" and len(message["seats"]) == 2)
            await anna.send("start")
            ends = await asyncio.gather(click(anna, random.Random(1)), click(ben, random.Random(2)))
            assert ends[0]["outcome"] == ends[1]["outcome"]

    with serving(tmp_path) as server:
        run(game)


@pytest.mark.slow
def test_the_last_message_before_a_disconnect(short_slices: None, tmp_path: Path) -> None:
    """A message of a client that disconnects right after it is handled, also if it had to wait."""

    async def check() -> None:
        code, token = open_table(server, variant="classic", name="Anna")
        async with joined(server, code, token) as anna:
            for number in range(20):
                await anna.send("rename", seat=0, name=f"Anna {number}")
        async with joined(server, code) as guest:
            while guest.room["seats"][0]["name"] != "Anna 19":
                await guest.until("table")

    with serving(tmp_path) as server:
        run(check)


@pytest.mark.slow
def test_a_burst_of_requests(short_slices: None, tmp_path: Path) -> None:
    """Many simultaneous requests of one address are all answered."""

    async def check() -> None:
        async with httpx.AsyncClient(limits=httpx.Limits(max_connections=60)) as client:
            answers = await asyncio.gather(*(client.get(f"http://{server.address}/api/games") for _ in range(60)))
        assert {answer.status_code for answer in answers} == {200}

    with serving(tmp_path) as server:
        run(check)
