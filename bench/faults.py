"""
Kills and stops of servers and databases while people play: nothing that was shown or acknowledged is lost.

First one server on a SQLite file is killed and started again. Then three servers on one PostgreSQL behind HAProxy run
through every fault below. People reconnect by themselves. Afterwards all that they received is compared with the
database: states, acknowledged choices, dice and seats. A difference is an error. All of it takes five minutes at most.
Each fault gets an equal share of the time that is left: on a slow machine people play for a shorter time, at fewer
tables, so that every kind of fault happens. If even that is too much, the last ones are named. Everything stays on
loopback.

Run: python -m bench.faults [--tables 24] [--seconds 6] [--only "kill -9 of a server"]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import asyncpg
import msgspec

from qwixx.server.room.room import Room
from support.server import postgres_server
from support.server.free_ports import free_port
from support.server.live_server import ServerProcess
from support.server.server_cluster import Cluster, Game

VARIANTS = ("classic", "cards", "longo", "bonus-a", "cards-joker", "bonus-b", "gemixxt-a", "duel")
MAX_SECONDS = 300.0
_LAST_START = MAX_SECONDS - 45.0
_BEFORE, _LEAST_SECONDS, _LEAST_TABLES = 2.0, 1.0, 4
"""People play for two seconds before a fault, and for a second after it at least, at four tables at least."""
_FIRST_GUESS = 12.0
"""Seconds that the first fault takes, without the time in which people play."""
Fault = Callable[[Cluster, list[Game]], Awaitable[None]]
Stored = Callable[[str], tuple[Room, list[str]]]


class Budget:
    """The time for all faults: each gets an equal share of what is left when it begins."""

    def __init__(self, end: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Be done at this time of the clock."""
        self._end, self._clock = end, clock
        self._overhead = _FIRST_GUESS
        """Seconds that the last fault took, without the time in which people play."""

    def is_spent(self) -> bool:
        """Return whether no fault may begin any more."""
        return self._clock() >= self._end

    def share(self, left: int, tables: int, seconds: float) -> tuple[int, float]:
        """Return at how many of these tables, and for how long, people play through the first of the faults left."""
        share = (self._end - self._clock()) / left
        playing = share - self._overhead
        fewer = tables if playing >= _LEAST_SECONDS else int(tables * max(0.0, share) / self._overhead)
        return max(min(_LEAST_TABLES, tables), fewer), min(seconds, max(_LEAST_SECONDS, playing))

    def note(self, took: float, seconds: float) -> None:
        """Learn from a fault: how long it took, people who played for so long included."""
        self._overhead = max(0.0, took - seconds)


async def play_through(
    address: str,
    name: str,
    tables: int,
    seconds: float,
    happen: Callable[[list[Game]], Awaitable[None]],
    stored: Stored,
) -> int:
    """Let people play, cause a failure, compare what they received with the database; return acknowledged moves."""
    games = [
        await asyncio.to_thread(Game, address, VARIANTS[number % len(VARIANTS)], number) for number in range(tables)
    ]
    await asyncio.gather(*(game.begin() for game in games))
    playing = [asyncio.create_task(person.play()) for game in games for person in game.people]
    await asyncio.sleep(min(_BEFORE, seconds))
    await happen(games)
    await asyncio.sleep(seconds)
    for game in games:
        game.is_over = True
    await asyncio.gather(*playing)
    kept = sum([game.check(*await asyncio.to_thread(stored, game.code)) for game in games])
    states = sum(len(person.states) for game in games for person in game.people)
    gaps = [gap for game in games for person in game.people for gap in person.gaps] or [0.0]
    words = (name, len(gaps), f"{statistics.median(gaps):.1f}", f"{max(gaps):.1f}", states, kept)
    print("| " + " | ".join(map(str, words)) + " |", flush=True)
    return kept


# ---- the faults


async def _owner(cluster: Cluster, games: list[Game]) -> int:
    return await asyncio.to_thread(cluster.owner, games[0].code) or 0


async def _kill(cluster: Cluster, games: list[Game], count: int = 1) -> None:
    first = await _owner(cluster, games)
    numbers = [(first + step) % len(cluster.servers) for step in range(count)]
    for number in numbers:
        cluster.servers[number].kill()
    await asyncio.sleep(3)
    for number in numbers:
        await asyncio.to_thread(cluster.start_again, number)


async def _kill_two(cluster: Cluster, games: list[Game]) -> None:
    await _kill(cluster, games, 2)


def _suspend(seconds: float) -> Fault:
    async def suspend(cluster: Cluster, games: list[Game]) -> None:
        server = cluster.servers[await _owner(cluster, games)]
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        server.signal(signal.SIGCONT)

    return suspend


async def _leave(cluster: Cluster, games: list[Game]) -> None:
    number = await _owner(cluster, games)
    await asyncio.to_thread(cluster.servers[number].end)
    await asyncio.to_thread(cluster.start_again, number)


def _stop_database(how: int) -> Fault:
    async def stop(cluster: Cluster, games: list[Game]) -> None:
        await asyncio.to_thread(cluster.database.stop, how)
        await asyncio.to_thread(cluster.database.start)

    return stop


async def _suspend_database(cluster: Cluster, games: list[Game]) -> None:
    group = os.getpgid(cluster.database.process.pid)  # PostgreSQL has its own: tests start it in a new session
    os.killpg(group, signal.SIGSTOP)
    await asyncio.sleep(4)
    os.killpg(group, signal.SIGCONT)


async def _fill_database(cluster: Cluster, games: list[Game]) -> None:
    number, held = await _owner(cluster, games), []
    with contextlib.suppress(asyncpg.TooManyConnectionsError):
        while True:
            held.append(await asyncpg.connect(cluster.database.url()))
    cluster.servers[number].kill()  # others have to read its tables
    await asyncio.sleep(3)
    for connection in held:
        connection.terminate()
    await asyncio.to_thread(cluster.start_again, number)


FAULTS: dict[str, Fault] = {
    "kill -9 of a server": _kill,
    "kill -9 of two of three servers": _kill_two,
    "SIGSTOP of a server for 2.1 s, about its lease": _suspend(2.1),
    "SIGSTOP of a server for 6 s": _suspend(6.0),
    "SIGTERM of a server": _leave,
    "fast stop of PostgreSQL": _stop_database(signal.SIGINT),
    "immediate stop of PostgreSQL": _stop_database(signal.SIGQUIT),
    "SIGSTOP of PostgreSQL for 4 s": _suspend_database,
    "all connections of PostgreSQL taken, then kill -9 of a server": _fill_database,
}


def stored_in(path: Path) -> Stored:
    """Return a function that reads tables from a SQLite file."""

    def read(code: str) -> tuple[Room, list[str]]:
        with contextlib.closing(sqlite3.connect(path)) as file:
            (room,) = file.execute("SELECT room FROM tables WHERE code = ?", (code,)).fetchone()
            lines = file.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,)).fetchall()
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return msgspec.json.decode(room, type=Room), [line for (line,) in lines]

    return read


async def one_server(tables: int, seconds: float) -> int:
    """Kill the only server, on a SQLite file, and start it again on the same port; return acknowledged moves."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        running = [await asyncio.to_thread(ServerProcess, Path(folder), port=port)]

        async def kill(games: list[Game]) -> None:
            running.pop().kill()
            running.append(await asyncio.to_thread(ServerProcess, Path(folder), port=port))

        try:
            stored = stored_in(Path(folder) / "tables.db")
            return await play_through(f"127.0.0.1:{port}", "kill -9, SQLite", tables, seconds, kill, stored)
        finally:
            for server in running:
                server.kill()


async def many_servers(cluster: Cluster, names: list[str], tables: int, seconds: float, end: float) -> list[str]:
    """Run through faults of a cluster; return those that there was no time for."""
    left, budget = list(names), Budget(end)
    while left and not budget.is_spent():
        fault, began = FAULTS[left[0]], time.monotonic()

        async def happen(games: list[Game], fault: Fault = fault) -> None:
            await fault(cluster, games)

        some, playing = budget.share(len(left), tables, seconds)
        await play_through(cluster.address, left.pop(0), some, playing, happen, cluster.stored)
        budget.note(time.monotonic() - began, playing)
    return left


def main() -> None:
    """Cause all faults and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--only", choices=FAULTS)
    wanted = parser.parse_args()
    if not all(map(postgres_server.find, postgres_server.NEEDED)):
        raise SystemExit(postgres_server.MISSING)
    end = time.monotonic() + _LAST_START
    print("| fault | lines lost | median s away | longest s away | states compared | acknowledged moves, all kept |")
    print("|---|---|---|---|---|---|")
    if wanted.only is None:
        asyncio.run(one_server(wanted.tables, wanted.seconds))
    with postgres_server.running(durable=True, connections=40) as database:
        cluster = Cluster(database, 3)
        try:
            names = [wanted.only] if wanted.only else list(FAULTS)
            left = asyncio.run(many_servers(cluster, names, wanted.tables, wanted.seconds, end))
        finally:
            cluster.close()
    if left:
        print(f"No time was left for: {'; '.join(left)}.")


if __name__ == "__main__":
    main()
