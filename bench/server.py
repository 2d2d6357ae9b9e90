"""
The speed of the table server: durable moves per second, and the time of a move to every screen.

The server runs in a separate process; this one simulates the people: two at every table, who choose any legal action.
With `--bots 3` each table has one person and three bots, who answer immediately.
Saturated: people decide as soon as they may. Paced: every table makes one move per second at its planned time, and the
latency counts from that time, whether or not a client was ready to send (so that a stall does not hide itself).
Everything stays on loopback. Run: python -m bench.server [--tables 50 200 500] [--seconds 8] [--variant classic]
[--bots 3 --level master]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import msgspec
from bench.websocket_client import WebSocketClient

from qwixx.precompile import TRAINING
from qwixx.sim import replay_game

WARM_UP = 2.0
_READING_SECONDS = 60.0
"""Seconds during which readers ask for games that are new to the server."""


class Mine(msgspec.Struct, rename="camel"):
    """The decision of a seat: its legal actions."""

    legal: list[str]
    choice: str | None
    pass_miss: bool


class Heard(msgspec.Struct):
    """The few fields of a message that the load generator needs."""

    t: str
    code: str = ""
    phase: int = 0
    mine: dict[str, Mine] | list[int] = {}
    events: list[dict[str, str | int | list[str | int]]] = []
    outcome: object = None
    token: str = ""
    next: str | None = None
    follows: bool = False


DECODER = msgspec.json.Decoder(Heard)


class Person(WebSocketClient):
    """A person at a table."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table.load.address, f"/ws/{table.code}")
        self.table, self.seat = table, seat
        self._now = 0.0

    def opened(self) -> None:
        """Say hello, and sit down or start."""
        token = self.table.tokens[self.seat]
        self.greet()
        if not token:
            self.send({"t": "sit", "name": f"P{self.seat}"})
        elif self.table.load.bots and not self.table.is_moving:
            self.table.begin()

    def greet(self) -> None:
        """Say hello at the table, or move to it from another."""
        token = self.table.tokens[self.seat]
        tokens = [token] if token else []
        self.send({"t": "hello", "tokens": tokens, "changes": True, "table": self.table.code})

    def send(self, message: object) -> None:
        """Send one message."""
        self.send_frame(msgspec.json.encode(message))

    def heard(self, message: bytes) -> None:
        """Pass a message on, with the time at which its bytes arrived."""
        self.table.heard(self, DECODER.decode(message), self._now)

    def data_received(self, data: bytes) -> None:
        """Note the time."""
        self._now = time.perf_counter()
        super().data_received(data)


class Table:
    """Two people at a table, or one and bots."""

    def __init__(self, load: Load, code: str, token: str) -> None:
        self.load, self.code = load, code
        self.seats = range(1 if load.bots else 2)
        """The seats of the simulated people."""
        self.tokens: list[str] = [token, ""]
        self.people: list[Person] = []
        self.sent: list[list[float]] = [[], []]
        """When each seat's decisions were meant to be sent."""
        self.seen = [[0, 0], [0, 0]]
        """How many decisions of each seat each person has seen."""
        self.decided = [-1, -1]
        self.latest: list[Heard | None] = [None, None]
        self.due: list[float] = []
        self.is_moving = False
        self.has_come = [True, True]
        """Whether each person has heard of this table: what they heard before is about the one that they left."""

    async def join(self) -> None:
        """Seat both people at the table."""
        loop = asyncio.get_running_loop()
        host, port = self.load.address.split(":")
        self.people = []
        self.clear()
        own = (self.load.source, 0) if self.load.source else None
        for seat in self.seats:
            _, person = await loop.create_connection(partial(Person, self, seat), host, int(port), local_addr=own)
            self.people.append(person)

    def clear(self) -> None:
        """Forget the last game."""
        self.latest, self.decided = [None, None], [-1, -1]
        self.sent, self.seen = [[], []], [[0, 0], [0, 0]]

    def begin(self) -> None:
        """Start the game, with bots if there are any."""
        for _ in range(self.load.bots):
            self.people[0].send({"t": "addBot", "level": self.load.level})
        self.people[0].send({"t": "start"})

    def heard(self, person: Person, message: Heard, now: float) -> None:
        """Record the delay of a message, and continue."""
        self.has_come[person.seat] |= message.t == "table" and message.code == self.code
        if not self.has_come[person.seat]:
            return
        if message.t == "seated":
            self.tokens[person.seat] = message.token
            if person.seat:
                self.begin()
        elif message.t == "table" and message.next and not self.is_moving:
            if message.follows:
                self.go_on(message.next)
            else:
                self.is_moving = True
                self.load.spawn(self.move_on(message.next))
        elif message.t in ("state", "change"):
            latest = self.latest[person.seat]
            if message.t == "change" and latest is not None:
                message.mine = {**latest.mine, **message.mine}  # type: ignore[dict-item]
            self.latest[person.seat] = message
            for event in message.events:
                if event["e"] == "decided":
                    seat = int(event["seat"])  # type: ignore[arg-type]
                    if seat not in self.seats:
                        continue
                    count = self.seen[person.seat][seat]
                    self.seen[person.seat][seat] = count + 1
                    self.load.note(now - self.sent[seat][count], person.seat == seat)
            if message.outcome is not None:
                person.send({"t": "rematch"})  # the next table opens when all have agreed
            elif self.load.paced:
                self.pay()
            else:
                self.decide(person.seat, now)

    def go_on(self, code: str) -> None:
        """Move to the next table together, over the same sockets, as pages do."""
        self.clear()
        self.code, self.has_come = code, [False, False]
        for person in self.people:
            person.greet()

    async def move_on(self, code: str) -> None:
        """Move to the next table together, over new sockets."""
        for person in self.people:
            person.transport.abort()
        self.code = code
        await self.join()
        self.is_moving = False

    def decide(self, seat: int, meant: float) -> bool:
        """Choose any legal action, if this seat has something to decide."""
        state = self.latest[seat]
        if (
            state is None
            or self.decided[seat] >= state.phase
            or state.outcome is not None
            or not isinstance(state.mine, dict)
        ):
            return False
        mine = state.mine.get(str(seat))
        if mine is None or not mine.legal or mine.choice is not None:
            return False
        self.decided[seat] = state.phase
        self.sent[seat].append(meant)
        self.people[seat].send({"t": "decide", "seat": seat, "phase": state.phase, "action": self.load.choose(mine)})
        return True

    def tick(self) -> None:
        """Add one more move that is due."""
        self.due.append(time.perf_counter())
        self.pay()
        if self.load.paced:
            self.load.at(1.0, self.tick)

    def pay(self) -> None:
        """Make the moves that are due, as far as a seat may decide."""
        while self.due and any(self.decide(seat, self.due[0]) for seat in self.seats):
            self.due.pop(0)


class Load:
    """All tables, and their measurements."""

    def __init__(self, address: str, source: str | None = None, *, bots: int = 0, level: str = "master") -> None:
        self.address = address
        self.bots, self.level = bots, level
        self.source = source
        """The address that the people come from, if not the usual one."""
        self.tables: list[Table] = []
        self.paced = True
        self.is_measuring = False
        self.latencies: list[float] = []
        self.moves = 0
        self._random = random.Random(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def choose(self, mine: Mine) -> str:
        """Choose any legal action, but take a miss only if there is nothing else, so that games last as usual."""
        if mine.pass_miss:
            return mine.legal[0]
        return "pass" if self._random.random() < 0.6 and "pass" in mine.legal else self._random.choice(mine.legal)

    def note(self, seconds: float, is_own: bool) -> None:
        """Record that one person saw one move."""
        if self.is_measuring:
            self.latencies.append(seconds)
            self.moves += is_own

    def spawn(self, work: object) -> None:
        """Start a background task."""
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def at(self, seconds: float, call: Callable[[], None]) -> None:
        """Call a function after this many seconds."""
        asyncio.get_running_loop().call_later(seconds, call)

    async def fill(self, count: int, variant: str) -> None:
        """Open tables until there are this many."""
        async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(local_address=self.source)) as client:
            while len(self.tables) < count:
                body = {"variant": variant, "name": "P0"}
                facts = (await client.post(f"http://{self.address}/api/tables", json=body)).json()
                table = Table(self, facts["code"], facts["token"])
                self.tables.append(table)
                await table.join()
        await asyncio.sleep(1)

    async def measure(self, server: int, seconds: float) -> dict[str, float]:
        """Warm up, then measure."""
        await asyncio.sleep(WARM_UP)
        self.latencies, self.moves = [], 0
        self.is_measuring = True
        cpu, own, begin = cpu_seconds(server), time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        self.is_measuring = False
        took = time.perf_counter() - begin
        used, load = cpu_seconds(server) - cpu, time.process_time() - own
        ordered = sorted(self.latencies) or [0.0]
        return {
            "moves/s": self.moves / took,
            "moves/s a core": self.moves / used,
            "CPU us a move": used / max(self.moves, 1) * 1e6,
            "p50 ms": ordered[len(ordered) // 2] * 1000,
            "p99 ms": ordered[int(len(ordered) * 0.99)] * 1000,
            "server CPU": used / took,
            "load CPU": load / took,
        }


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Return the memory of a process in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found
    return int(found[1]) / 1024


def start(folder: str, sync: str, **more: str) -> tuple[subprocess.Popen[str], str]:
    """Start the server with high limits."""
    names = ("RATE", "BURST", "ADDRESS_RATE", "ADDRESS_BURST", "REQUEST_RATE", "REQUEST_BURST", "TABLES_PER_ADDRESS")
    readers = ("REPLAYS_PER_ADDRESS",)
    room = {"CONNECTIONS_IN_ALL": "12000", "CONNECTIONS_PER_ADDRESS": "10000", "SYNC": sync}
    room |= {"BOT_DELAY": "0", "UNDO_SECONDS": "0"}
    return start_with(folder, {**dict.fromkeys((*names, *readers), "1000000"), **room, **more})


def start_with(
    folder: str, settings: dict[str, str], program: tuple[str, ...] = ("qwixx.server",)
) -> tuple[subprocess.Popen[str], str]:
    """Start the server with these settings; return its process and address."""
    process = subprocess.Popen(
        [sys.executable, "-m", *program, "--port", "0", "--no-open", "--db", f"{folder}/bench.db"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **{f"QWIXX_{name}": value for name, value in settings.items()}},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://([\d.:]+)/", line):
            return process, found[1]
    raise SystemExit("The server did not start.")


class Readers:
    """People who import finished games, all different, and request reviews: the server has to compute each of them."""

    def __init__(self, a_second: float) -> None:
        self._a_second = a_second
        count = int(a_second * _READING_SECONDS) + 1 if a_second else 0
        # Created before the measurement, so that this process does nothing else meanwhile.
        self._records = [replay_game("classic", 2, ("gap",), 1, number).record() for number in range(count)]
        self.done = 0

    async def ask(self, address: str) -> None:
        """Request one review after the other, at most at this rate per second."""
        async with httpx.AsyncClient(timeout=300) as client:
            for record in itertools.cycle(self._records):
                begin = time.perf_counter()
                code = (await client.post(f"http://{address}/api/records", content=record)).json()["code"]
                (await client.get(f"http://{address}/api/tables/{code}/analysis")).raise_for_status()
                self.done += 1
                await asyncio.sleep(max(0.0, begin + 1 / self._a_second - time.perf_counter()))


async def measure(
    load: Load, server: int, count: int, seconds: float, variant: str, readers: Readers | None = None
) -> None:
    """Measure one number of tables, paced and saturated; meanwhile readers request reviews, if there are any."""
    asking = asyncio.create_task(readers.ask(load.address)) if readers else None
    before = memory(server)
    await load.fill(count, variant)
    memory_each = (memory(server) - before) / count * 1024
    for number, table in enumerate(load.tables):
        load.at(number / count, table.tick)
    while readers and not readers.done and asking and not asking.done():
        await asyncio.sleep(0.1)  # the first review loads its code and weights
    reviewed = readers.done if readers else 0
    show("paced", count, await load.measure(server, seconds), memory_each)
    if readers:
        print(f"{readers.done - reviewed} reviews meanwhile", flush=True)
    load.paced = False
    for table in load.tables:
        for seat in table.seats:
            table.decide(seat, time.perf_counter())
    show("saturated", count, await load.measure(server, seconds), (memory(server) - before) / count * 1024)
    for table in load.tables:
        table.is_moving = True
        for person in table.people:
            person.transport.abort()
    if asking is not None:
        assert not asking.done(), "somebody was refused a review"
        asking.cancel()


def show(mode: str, count: int, facts: dict[str, float], each: float) -> None:
    """Print one line of the table."""
    words = [mode, str(count), *(f"{value:.{0 if value >= 100 else 2}f}" for value in facts.values()), f"{each:.0f}"]
    print("| " + " | ".join(words) + " |", flush=True)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 200, 500])
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--sync", choices=["full", "normal"], default="full")
    parser.add_argument("--bots", type=int, default=0, help="at every table, against one person")
    parser.add_argument("--level", default="master", help="of the bots")
    parser.add_argument("--reviews", type=float, default=0, help="finished games to review per second")
    wanted = parser.parse_args()
    if wanted.reviews and TRAINING.is_uncached:
        TRAINING.warm()  # the evaluation is compiled first: until then a server refuses reviews for a moment
    names = [
        "mode",
        "tables",
        "moves/s",
        "moves/s a core",
        "CPU us a move",
        "p50 ms",
        "p99 ms",
        "server CPU",
        "load CPU",
    ]
    print("| " + " | ".join([*names, "kB a table"]) + " |")
    print("|" + "---|" * (len(names) + 1))
    for number in wanted.tables:
        with tempfile.TemporaryDirectory() as folder:
            process, address = start(folder, wanted.sync)
            try:
                load = Load(address, bots=wanted.bots, level=wanted.level)
                readers = Readers(wanted.reviews) if wanted.reviews else None
                facts = min(number, 2000), min(wanted.seconds, 60), wanted.variant, readers
                asyncio.run(measure(load, process.pid, *facts))
            finally:
                process.terminate()
                process.wait(20)


if __name__ == "__main__":
    main()
