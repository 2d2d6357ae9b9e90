"""
Several servers on one PostgreSQL: their speed, the cost of a move compared with SQLite, and the effect of failures.

PostgreSQL (durable, with its defaults), the servers, HAProxy and the people share this machine; all stays on loopback.
Speed: tables of two people who decide as soon as they may, as in bench/server.py, with SQLite and one process, then
with PostgreSQL and one, two and three, and with two whose proxy does not route by table, so that half of the sockets
are relayed. Faults: people play while servers are killed, suspended beyond their leases and resumed, or stopped, and
while the database crashes or all its connections are in use; then all received messages are compared with the database.
Ways: the time of a message to another process, through the database and through a socket.

Run: python -m bench.cluster [--tables 200] [--seconds 6] [--only speed|faults|ways]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import asyncpg
from bench.server import Load, cpu_seconds, start
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from support.server import postgres_server
from support.server.postgres_server import Postgres
from support.server.server_cluster import Cluster, Game

_UNBOUND = ("rate", "burst", "address_rate", "address_burst", "request_rate", "request_burst", "tables_per_address")
_ROOM = {
    **dict.fromkeys(_UNBOUND, 1_000_000),
    "connections_in_all": 12_000,
    "connections_per_address": 10_000,
}
"""Settings with room for everybody."""
_WARM_UP = 2.0


async def speed(address: str, processes: list[int], count: int, seconds: float) -> dict[str, float]:
    """Play as fast as people may; return moves per second, and their CPU cost for all servers together."""
    load = Load(address)
    await load.fill(count, "classic")
    load.paced = False
    for table in load.tables:
        for seat in table.seats:
            table.decide(seat, time.perf_counter())
    await asyncio.sleep(_WARM_UP)
    load.latencies, load.moves, load.is_measuring = [], 0, True
    cpu, begin = sum(map(cpu_seconds, processes)), time.perf_counter()
    await asyncio.sleep(seconds)
    load.is_measuring = False
    took, used = time.perf_counter() - begin, sum(map(cpu_seconds, processes)) - cpu
    for table in load.tables:
        table.is_moving = True
        for person in table.people:
            person.transport.abort()
    ordered = sorted(load.latencies) or [0.0]
    return {
        "moves/s": load.moves / took,
        "moves/s a core of the servers": load.moves / used,
        "us of the servers a move": used / max(load.moves, 1) * 1e6,
        "p50 ms": ordered[len(ordered) // 2] * 1000,
        "p99 ms": ordered[int(len(ordered) * 0.99)] * 1000,
    }


def measure_speed(database: Postgres, count: int, seconds: float) -> None:
    """Measure SQLite and PostgreSQL, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        process, address = start(folder, "full")
        facts = asyncio.run(speed(address, [process.pid], count, seconds))
        process.terminate()
        process.wait()
        print("| store | processes | sockets passed on | " + " | ".join(facts) + " |")
        _show("SQLite, no proxy", 1, "none", facts)
    for processes, by_code in ((1, True), (2, True), (3, True), (2, False)):
        cluster = Cluster(database, processes, by_code=by_code, **_ROOM)
        try:
            facts = asyncio.run(speed(cluster.address, [each.pid for each in cluster.servers], count, seconds))
        finally:
            cluster.close()
        _show("PostgreSQL", processes, "none" if by_code else "half", facts)


def _show(store: str, processes: int, passed: str, facts: dict[str, float]) -> None:
    words = [store, str(processes), passed, *(f"{value:.{0 if value >= 100 else 1}f}" for value in facts.values())]
    print("| " + " | ".join(words) + " |", flush=True)


# ---- faults


async def _fault(
    cluster: Cluster, name: str, tables: int, seconds: float, happen: Callable[[list[Game]], Awaitable[None]]
) -> None:
    """Let people play, cause a failure, and check the received messages afterwards."""
    variants = ("classic", "cards", "longo", "bonus-a", "cards-joker", "bonus-b", "gemixxt-a", "duel")
    games = [
        await asyncio.to_thread(Game, cluster.address, variants[number % len(variants)], number)
        for number in range(tables)
    ]
    await asyncio.gather(*(game.begin() for game in games))
    playing = [asyncio.create_task(person.play()) for game in games for person in game.people]
    await asyncio.sleep(2)
    await happen(games)
    await asyncio.sleep(seconds)
    for game in games:
        game.is_over = True
    await asyncio.gather(*playing)
    kept = sum([game.check(*await asyncio.to_thread(cluster.stored, game.code)) for game in games])
    gaps = [gap for game in games for person in game.people for gap in person.gaps] or [0.0]
    words = (name, str(tables), str(len(gaps)), f"{statistics.median(gaps):.1f}", f"{max(gaps):.1f}", str(kept))
    print("| " + " | ".join(words) + " |", flush=True)


async def faults(cluster: Cluster, tables: int, seconds: float) -> None:
    """Cause all kinds of failures, one after the other."""

    async def owner(games: list[Game]) -> int:
        return await asyncio.to_thread(cluster.owner, games[0].code) or 0

    async def kill(games: list[Game]) -> None:
        number = await owner(games)
        cluster.servers[number].kill()
        await asyncio.sleep(5)
        await asyncio.to_thread(cluster.start_again, number)

    async def stop(games: list[Game]) -> None:
        number = await owner(games)
        cluster.servers[number].signal(signal.SIGSTOP)
        await asyncio.sleep(6)
        cluster.servers[number].signal(signal.SIGCONT)

    async def leave(games: list[Game]) -> None:
        number = await owner(games)
        await asyncio.to_thread(cluster.servers[number].end)
        await asyncio.to_thread(cluster.start_again, number)

    async def crash(games: list[Game]) -> None:
        begin = time.monotonic()
        await asyncio.to_thread(cluster.database.stop, signal.SIGQUIT)
        await asyncio.to_thread(cluster.database.start)
        print(f"(the database was away for {time.monotonic() - begin:.1f} s)")

    async def fill(games: list[Game]) -> None:
        number, held = await owner(games), []
        with contextlib.suppress(asyncpg.TooManyConnectionsError):
            while True:
                held.append(await asyncpg.connect(cluster.database.url()))
        cluster.servers[number].kill()  # others have to read its tables
        await asyncio.sleep(3)
        for connection in held:
            connection.terminate()
        await asyncio.sleep(3)

    happenings = {
        "kill -9 of a server": kill,
        "a server stopped for 6 s (SIGSTOP, SIGCONT)": stop,
        "a server asked to leave (SIGTERM)": leave,
        "crash and restart of the database": crash,
        "all connections of the database taken, then kill -9": fill,
    }
    print("| what happens | tables | lines lost | median s away | longest s away | acknowledged moves, all kept |")
    for name, happen in happenings.items():
        await _fault(cluster, name, tables, seconds, happen)


# ---- messages to another process


async def ways(database: Postgres, bytes_each: int = 4000, count: int = 2000) -> None:
    """Send messages to another connection by NOTIFY, one commit each, and by a socket; print the time of each."""
    sender = await asyncpg.connect(database.url())
    listener = await asyncpg.connect(database.url())
    came = asyncio.Event()
    await listener.add_listener("qwixx", lambda *_: came.set())
    text = "x" * bytes_each

    async def notify() -> None:
        came.clear()
        await sender.execute("SELECT pg_notify('qwixx', $1)", text)
        await came.wait()

    async def answer(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    async with serve(answer, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None, proxy=None) as socket:

            async def relay() -> None:
                await socket.send(text)
                await socket.recv()

            for name, way in (("NOTIFY and back to a listener", notify), ("a socket, there and back", relay)):
                times = []
                for _ in range(count):
                    begin = time.perf_counter()
                    await way()
                    times.append(time.perf_counter() - begin)
                ordered = sorted(times)
                p50, p99 = (ordered[int(count * part)] * 1e6 for part in (0.5, 0.99))
                print(f"| {name} | {bytes_each} bytes | p50 {p50:.0f} us | p99 {p99:.0f} us |", flush=True)
    try:
        await sender.execute("SELECT pg_notify('qwixx', $1)", "x" * 8000)
    except asyncpg.PostgresError as error:
        print(f"NOTIFY of 8,000 bytes: {error}")
    await sender.close()
    await listener.close()


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--only", choices=["speed", "faults", "ways"])
    wanted = parser.parse_args()
    if not all(map(postgres_server.find, postgres_server.NEEDED)):
        raise SystemExit(postgres_server.MISSING)
    with postgres_server.running(durable=True, connections=40) as database:
        if wanted.only in (None, "ways"):
            asyncio.run(ways(database))
        if wanted.only in (None, "speed"):
            measure_speed(database, wanted.tables, wanted.seconds)
        if wanted.only in (None, "faults"):
            cluster = Cluster(database, 3)
            try:
                asyncio.run(faults(cluster, 24, wanted.seconds))
            finally:
                cluster.close()


if __name__ == "__main__":
    main()
