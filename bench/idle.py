"""
The cost of idle sockets: the memory of a server before and after thousands of silent clients have connected.

They watch, forty at a table, or play, two at a table whose game has started. Each answers pings, as browsers do, and
the memory is read after the first round of these. They use several addresses of loopback, because one address may have
at most half of the connections. Run: python -m bench.idle [--sockets 10000] [--only watching|playing]
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from functools import partial
from itertools import count

import httpx
import msgspec
from bench.server import memory, start
from bench.websocket_client import WebSocketClient

_ADDRESSES = 8
_AT_ONCE = 50
_WATCHERS = 40
"""Spectators of a table, by the usual limit."""
_PINGED = 22.0
"""Seconds after which the server has pinged all clients that were connected at the start."""
_RESERVE = 200


class Socket(WebSocketClient):
    """A client that says hello, answers pings and ignores everything else."""

    def __init__(self, path: str, host: str, words: list[object]) -> None:
        super().__init__(host, path)
        self._words = words
        self.is_lost = False
        self.pings = 0
        self.is_answered = asyncio.Event()
        self.token = ""

    def opened(self) -> None:
        """Say all words."""
        for word in self._words:
            self.say(word)

    def connection_lost(self, _: Exception | None) -> None:
        """Record that the server has refused the connection."""
        self.is_lost = True
        self.is_answered.set()

    def say(self, word: object) -> None:
        """Send a short message."""
        self.send_frame(msgspec.json.encode(word))

    def pinged(self, message: bytes) -> None:
        """Count the ping, and answer."""
        self.pings += 1
        super().pinged(message)

    def heard(self, message: bytes) -> None:
        """Keep the token of a seat."""
        if message.startswith(b'{"t":"seated"'):
            self.token = msgspec.json.decode(message)["token"]
        self.is_answered.set()


async def come(address: str, source: str, code: str, words: list[object]) -> Socket:
    """Connect to a table from an address, and wait for its first message."""
    host, port = address.split(":")
    make = partial(Socket, f"/ws/{code}", address, words)
    loop = asyncio.get_running_loop()
    _, found = await loop.create_connection(make, host, int(port), local_addr=(source, 0))
    await asyncio.wait_for(found.is_answered.wait(), 60)
    assert not found.is_lost, "the server let nobody in"
    return found


async def fill(address: str, sockets: int, mode: str) -> list[Socket]:
    """Connect this many clients, some at a time."""
    people: list[Socket] = []
    at_table = _WATCHERS if mode == "watching" else 2
    tables = -(-sockets // at_table)
    numbers = count()
    gate = asyncio.Semaphore(_AT_ONCE)

    async def settle(client: httpx.AsyncClient) -> None:
        async with gate:
            number = next(numbers)
            source = f"127.0.1.{1 + number % _ADDRESSES}"
            wanted = {"variant": "classic"} | ({"name": "Anna"} if mode == "playing" else {})
            facts = (await client.post(f"http://{address}/api/tables", json=wanted, timeout=120)).json()
            code = facts["code"]
            if mode == "watching":
                for _ in range(min(at_table, sockets - number * at_table)):
                    people.append(await come(address, source, code, [{"t": "hello", "tokens": []}]))
                return
            hello = {"t": "hello", "tokens": [facts["token"]], "changes": True}
            anna = await come(address, source, code, [hello])
            ben = await come(
                address, source, code, [{"t": "hello", "tokens": [], "changes": True}, {"t": "sit", "name": "Ben"}]
            )
            people.extend((anna, ben))
            while not ben.token:
                await asyncio.sleep(0.01)
            anna.say({"t": "start"})

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=_AT_ONCE)) as client:
        await asyncio.gather(*(settle(client) for _ in range(tables)))
    return people


async def measure(address: str, server: int, sockets: int, mode: str) -> None:
    """Measure one kind of clients."""
    # objects that are created for the first visitors do not count
    for each in await fill(address, 4 * _WATCHERS, "watching"):
        each.transport.abort()
    await asyncio.sleep(1)
    before, began = memory(server), time.perf_counter()
    people = await fill(address, sockets, mode)
    took = time.perf_counter() - began
    at_once = memory(server)
    await asyncio.sleep(_PINGED)
    after = memory(server)
    lost, pinged = sum(each.is_lost for each in people), sum(bool(each.pings) for each in people)
    share = (after - before) / len(people) * 1024
    numbers = (len(people), before, at_once, after, share, took, pinged, lost)
    print(f"| {mode} | " + " | ".join(f"{number:.0f}" for number in numbers) + " |", flush=True)
    for person in people:
        person.transport.abort()


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--only", choices=["watching", "playing"])
    wanted = parser.parse_args()
    sockets = min(max(wanted.sockets, 1), 50_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = sockets + _RESERVE
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise SystemExit(f"The system allows {hard} open files, and {needed} are needed.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))  # the server raises its own limit
    bounds = dict.fromkeys(("CONNECTIONS_IN_ALL", "CONNECTIONS_PER_ADDRESS", "MAX_TABLES"), str(sockets + 1000))
    room = {**bounds, "HELLO_TIMEOUT": "120", "REQUEST_TIMEOUT": "120"}  # a busy machine accepts them slowly
    print("| people | sockets | MB before | MB when all are there | MB after pings | kB a socket | s | pinged | lost |")
    print("|---|---|---|---|---|---|---|---|---|")
    for mode in ("watching", "playing"):
        if wanted.only in (None, mode):
            with tempfile.TemporaryDirectory() as folder:
                process, address = start(folder, "normal", **room)
                try:
                    asyncio.run(measure(address, process.pid, sockets, mode))
                finally:
                    process.terminate()
                    process.wait(60)


if __name__ == "__main__":
    main()
