"""
The cost of a move for the server, without a network: the CPU time of one process, for the same work every time.

Server and people are in one process, and bytes are passed from one to the other directly: complete frames of the real
protocol, the real rules and a real file, but neither sockets nor a second process. Every table makes one move in each
round, and all of them share a commit. The CPU time of the people is left out. On a busy machine this is more reliable
than `bench/server.py`: to compare two versions run both at the same time, so that they have the same noise, and compare
the medians. The first rounds contain moves only; with `--opening 120` games also end and start during the measurement,
as on a server that has run for a while.
Run: python -m bench.moves [--tables 200] [--opening 15] [--rounds 3] [--repeat 12] [--profile FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import statistics
import tempfile
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import httpx
from bench.server import Load, Person, Table
from uvicorn.server import ServerState

from qwixx.jit.decorators import compile_now
from qwixx.server.app import make_app
from qwixx.server.base.settings import Settings
from qwixx.server.run import freeze_objects, server_config

if TYPE_CHECKING:
    import uvicorn

_QUIET = 4
"""Checks in a row without pending messages after which a round is over."""
_MUCH = 10**6


class Line:
    """The connection between a person and the server: messages of both wait here for the next round."""

    def __init__(self, load: ByHand, person: Person) -> None:
        """Connect a person."""
        self.load, self.person = load, person
        self.server_end = ServerEnd(self)
        protocol = load.config.http_protocol_class(  # type: ignore[call-arg]
            config=load.config, server_state=load.state, app_state={}, _loop=None
        )
        self.server_end.set_protocol(protocol)
        protocol.connection_made(self.server_end)
        person.connection_made(PersonEnd(self))


class ServerEnd(asyncio.Transport):
    """The transport of the server."""

    def __init__(self, line: Line) -> None:
        """Start open."""
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self._line = line
        self._protocol: Any = None
        self._is_closing = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Change the protocol."""
        self._protocol = protocol

    def get_protocol(self) -> Any:
        """Return the protocol."""
        return self._protocol

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Store bytes for the person, until the next round."""
        self._line.load.to_people.append((self._line.person, bytes(data)))

    def get_write_buffer_size(self) -> int:
        """Return that nothing is pending."""
        return 0

    def is_closing(self) -> bool:
        """Return whether the connection is closed."""
        return self._is_closing

    def close(self) -> None:
        """Close the connection."""
        if not self._is_closing:
            self._is_closing = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        """Close the connection."""
        self.close()

    def pause_reading(self) -> None:
        """Do nothing: no data comes by itself."""

    def resume_reading(self) -> None:
        """Do nothing: no data comes by itself."""


class PersonEnd(asyncio.Transport):
    """The transport of a person."""

    def __init__(self, line: Line) -> None:
        """Start open."""
        super().__init__()
        self._line = line

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Store bytes for the server, until one of the next rounds."""
        self._line.load.to_server.append((self._line, bytes(data)))

    def abort(self) -> None:
        """Disconnect, in one of the next rounds."""
        self._line.load.to_server.append((self._line, b""))


class TableByHand(Table):
    """A table whose people connect without a network."""

    async def join(self) -> None:
        """Seat both people at the table."""
        assert isinstance(self.load, ByHand)
        self.people = [Person(self, seat) for seat in self.seats]
        self.clear()
        for person in self.people:
            Line(self.load, person)


class ByHand(Load):
    """All tables; people answer immediately, and `round` delivers all messages."""

    def __init__(self, app: Any, config: uvicorn.Config) -> None:
        """Run the application in this process."""
        super().__init__("127.0.0.1:1")
        self.paced, self.is_measuring = False, True
        self.config, self.state = config, ServerState()
        self.server_tables = app.state.tables
        self.to_people: list[tuple[Person, bytes]] = []
        self.to_server: deque[tuple[Line, bytes]] = deque()
        self.own_seconds = 0.0
        """CPU time of the simulated people, and of the checks whether a round is over."""

    async def open(self, app: Any, count: int, variant: str) -> None:
        """Open the tables."""
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:1") as client:
            for _ in range(count):
                facts = (await client.post("/api/tables", json={"variant": variant, "name": "P0"})).json()
                self.tables.append(TableByHand(self, facts["code"], facts["token"]))
                await self.tables[-1].join()

    async def round(self) -> None:
        """Deliver messages to people, then one message of each table to the server, until nothing is pending."""
        begin = time.thread_time()
        said, self.to_people = self.to_people, []
        for person, data in said:
            person.data_received(data)
        waiting, self.to_server = self.to_server, deque()
        now: dict[int, tuple[Line, bytes]] = {}
        for line, data in waiting:
            if now.setdefault(id(line.person.table), (line, data)) != (line, data):
                self.to_server.append((line, data))
        self.own_seconds += time.thread_time() - begin
        for line, data in now.values():
            if not data:
                line.server_end.close()
            elif not line.server_end.is_closing():
                line.server_end.get_protocol().data_received(data)
        quiet = 0
        while quiet < _QUIET:
            await asyncio.sleep(0 if quiet else 0.001)
            begin = time.thread_time()
            quiet = quiet + 1 if self._is_quiet() else 0
            self.own_seconds += time.thread_time() - begin

    def _is_quiet(self) -> bool:
        is_idle = all(table.is_idle for table in self.server_tables.loaded.values())
        return is_idle and not self._tasks

    async def measured(self, rounds: int) -> tuple[float, float, int]:
        """Play some rounds; return the CPU time of a move, that of the event loop only, and the number of moves."""
        moves, own, process, thread = self.moves, self.own_seconds, time.process_time(), time.thread_time()
        for _ in range(rounds):
            await self.round()
        moves, own = self.moves - moves, self.own_seconds - own
        each = 1e6 / max(moves, 1)
        return (time.process_time() - process - own) * each, (time.thread_time() - thread - own) * each, moves


async def play(app: Any, settings: Settings, wanted: argparse.Namespace) -> None:
    """Measure and print."""
    await app.state.tables.start()
    load = ByHand(app, server_config(app, app.state.tables.limiter))
    await load.open(app, wanted.tables, wanted.variant)
    for _ in range(wanted.opening):
        await load.round()
    freeze_objects()
    profile = cProfile.Profile() if wanted.profile else None
    found = []
    for _ in range(wanted.repeat):
        if profile:
            profile.enable()
        found.append(await load.measured(wanted.rounds))
        if profile:
            profile.disable()
        print("{:.1f} us a move, {:.1f} of them in the event loop, {} moves".format(*found[-1]), flush=True)
    if profile:
        profile.dump_stats(wanted.profile)
    middle = [statistics.median(each) for each in zip(*found, strict=True)]
    least = [min(each) for each in zip(*found, strict=True)]
    print(
        f"median {middle[0]:.1f} us a move ({middle[1]:.1f} in the event loop), least {least[0]:.1f} ({least[1]:.1f})"
    )
    await app.state.tables.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument(
        "--opening", type=int, default=15, help="rounds before the measurement: until all are seated, or longer"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of one move at every table")
    parser.add_argument("--repeat", type=int, default=12, help="number of measurements of these rounds")
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--profile", help="write a profile of cProfile to this file; everything takes longer then")
    wanted = parser.parse_args()
    compile_now()
    room = dict.fromkeys(("burst", "address_burst", "request_burst", "tables_per_address", "handshakes"), _MUCH)
    rates = dict.fromkeys(("rate", "address_rate", "request_rate", "hello_timeout", "request_timeout"), float(_MUCH))
    with tempfile.TemporaryDirectory() as folder:
        more = {"connections_in_all": 12000, "connections_per_address": 10000}
        settings = Settings(db=f"{folder}/bench.db", undo_seconds=0, **room, **rates, **more)  # type: ignore[arg-type]
        asyncio.run(play(make_app(settings, 1), settings, wanted))


if __name__ == "__main__":
    main()
