"""
Several servers on one PostgreSQL: their speed, and the cost of a move compared with SQLite.

PostgreSQL (durable, with its defaults), the servers, HAProxy and the people share this machine; all stays on loopback.
Speed: tables of two people who decide as soon as they may, as in bench/server.py, with SQLite and one process, then
with PostgreSQL and one, two and three, and with two whose proxy does not route by table, so that half of the sockets
are relayed. Ways: the time of a message to another process, through the database and through a socket. `bench.faults`
measures the effect of failures.

Run: python -m bench.cluster [--tables 200] [--seconds 6] [--only speed|ways]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import asyncpg
from bench.server import Load, cpu_seconds, start
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from support.server import postgres_server
from support.server.postgres_server import Postgres
from support.server.server_cluster import Cluster

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
    parser.add_argument("--only", choices=["speed", "ways"])
    wanted = parser.parse_args()
    if not all(map(postgres_server.find, postgres_server.NEEDED)):
        raise SystemExit(postgres_server.MISSING)
    with postgres_server.running(durable=True, connections=40) as database:
        if wanted.only in (None, "ways"):
            asyncio.run(ways(database))
        if wanted.only in (None, "speed"):
            measure_speed(database, wanted.tables, wanted.seconds)


if __name__ == "__main__":
    main()
