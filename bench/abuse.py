"""
What others notice of an attack: how long their moves take, and what it costs the server.

A server with its usual limits runs in a process of its own on a free port of this machine; people at fifty tables, who
come from 127.0.0.2, make a move a second each; the attacker is a third process and comes from 127.0.0.1. Latency counts
from the moment a move was meant to be sent to its receipt at every screen. Everything stays on loopback and ends by
itself. Run: python -m bench.abuse [--attacks ping_flood churn] [--seconds 4] [--tables 50]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from bench.attacks import ATTACKS
from bench.server import Load, cpu_seconds, memory, start_with

OTHERS = "127.0.0.2"
_FIRST_SECONDS = 0.5
"""An attack needs a moment to begin before it is measured."""


async def measure(load: Load, server: int, name: str, seconds: float) -> None:
    """Attack once and print a line."""
    before, cpu, begin = memory(server), cpu_seconds(server), time.perf_counter()
    words = [sys.executable, "-m", "bench.attacks", name, load.address, str(seconds + _FIRST_SECONDS)]
    attacker = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parent.parent
    )
    await asyncio.sleep(_FIRST_SECONDS)
    load.latencies, load.is_measuring = [], True
    most = before
    while time.perf_counter() - begin < seconds + _FIRST_SECONDS:
        await asyncio.sleep(0.2)
        most = max(most, memory(server))
    load.is_measuring = False
    used = (cpu_seconds(server) - cpu) / (time.perf_counter() - begin)
    out, _ = await asyncio.wait_for(attacker.communicate(), 30)
    counts = ", ".join(f"{count} {what}" for what, count in json.loads(out or b"{}").items())
    ordered = sorted(load.latencies) or [float("nan")]
    p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
    print(f"| {name} | {counts} | {p50:.1f} | {p99:.1f} | {used:.0%} | {most - before:+.0f} |", flush=True)


async def run(address: str, server: int, names: list[str], tables: int, seconds: float) -> None:
    """Bring the people to their tables, then attack in every way that was asked for."""
    load = Load(address, OTHERS)
    await load.fill(tables, "classic")
    for number, table in enumerate(load.tables):
        load.at(number / tables, table.tick)
    await asyncio.sleep(2)
    print("| attack | what came of it | others' p50 ms | others' p99 ms | server CPU | memory MB |")
    print("|" + "---|" * 6)
    for name in names:
        await measure(load, server, name, seconds)
        await asyncio.sleep(1.5)
    load.paced = False


def main() -> None:
    """Start a server, attack it, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", nargs="+", choices=list(ATTACKS), default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--tables", type=int, default=50)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = start_with(folder, {"BOT_DELAY": "0", "LOG_LEVEL": "error"})
        try:
            asyncio.run(
                run(address, process.pid, wanted.attacks, min(wanted.tables, 100), min(max(wanted.seconds, 1), 30))
            )
        finally:
            process.terminate()
            process.wait(20)


if __name__ == "__main__":
    main()
