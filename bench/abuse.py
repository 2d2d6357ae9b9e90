"""
The effect of attacks on other players: how long their moves take, and the cost for the server.

A server with its default limits runs in a separate process on a free port of this machine. People at fifty tables, from
127.0.0.2, make one move per second each. The attacker is a third process, for each attack from an address of its own.
The server has the first core, and the attacker gets what the people leave of the others. Latency counts from the
planned time of a move to its receipt at every screen. Attacks that miss a goal are named at the end, with exit status
1. If other work shares the machine, use the turns of the server's event loop in CPU time: during a turn no other client
is served. Everything stays on loopback and ends by itself.
Run: python -m bench.abuse [--attacks ping_flood churn] [--seconds 4] [--tables 50]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from bench.attacks import ATTACKS
from bench.cores import leave_the_servers_core
from bench.server import Load, cpu_seconds, memory, start_with

OTHERS = "127.0.0.2"
_FIRST_SECONDS = 0.5
"""An attack needs a moment to begin before it is measured."""
_QUIET_SECONDS = 2.0
"""Other work on the machine is noticed too, so that each attack is compared with the moment before it."""


_TURNS_OF_A_MOVE = 5
"""The message is read, the table handles it, the disk writes it, the table continues, and clients get the result."""


_MOST_MS, _MOST_MB = 20.0, 50.0
"""The goals: what other players may notice, and the memory that an attack may take."""


async def measure(load: Load, server: int, name: str, seconds: float, turns: Path) -> str:
    """Attack once and print a line; return which goal was missed, if one was."""
    quiet = await watch(load, _QUIET_SECONDS)
    await turns_taken(server, turns)
    before, cpu, begin = memory(server), cpu_seconds(server), time.perf_counter()
    words = [sys.executable, "-m", "bench.attacks", name, load.address, str(seconds + _FIRST_SECONDS), "idle"]
    attacker = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parent.parent
    )
    assert attacker.stdout is not None
    await asyncio.wait_for(attacker.stdout.readline(), 60)
    await asyncio.sleep(_FIRST_SECONDS)
    most = before

    async def look_at_memory() -> None:
        nonlocal most
        while True:
            most = max(most, memory(server))
            await asyncio.sleep(0.2)

    looking = asyncio.create_task(look_at_memory())
    during = await watch(load, seconds)
    looking.cancel()
    used = (cpu_seconds(server) - cpu) / (time.perf_counter() - begin)
    out, _ = await asyncio.wait_for(attacker.communicate(), 30)
    counts = ", ".join(f"{count} {what}" for what, count in json.loads(out or b"{}").items())
    longest, in_a_row = await turns_taken(server, turns)
    taken = f"{longest:.0f}, {in_a_row:.0f}"
    print(
        f"| {name} | {counts} | {_shown(quiet)} | {_shown(during)} | {taken} | {used:.0%} | {most - before:+.0f} |",
        flush=True,
    )
    # People also notice other work on this machine. It is not the attack if they noticed it before.
    is_slow = in_a_row > _MOST_MS or (quiet[1] <= _MOST_MS / 2 and during[1] > _MOST_MS)
    return name if is_slow or most - before > _MOST_MB else ""


async def turns_taken(server: int, turns: Path) -> tuple[float, float]:
    """Ask the server for the turns of its event loop since the last time; return milliseconds of CPU time.

    The longest turn, and the 99th percentile of as many turns in a row as a move takes: the time of a move on a machine
    without other work.
    """
    turns.unlink(missing_ok=True)
    os.kill(server, signal.SIGUSR1)
    for _ in range(50):
        await asyncio.sleep(0.1)
        with contextlib.suppress(FileNotFoundError, ValueError):
            noted: list[float] = json.loads(turns.read_text())
            in_a_row = sorted(sum(noted[at : at + _TURNS_OF_A_MOVE]) for at in range(len(noted)))
            return max(noted) * 1000, in_a_row[int(len(in_a_row) * 0.99)] * 1000
    return math.nan, math.nan


def _shown(times: tuple[float, float]) -> str:
    return f"{times[0]:.1f}, {times[1]:.1f}"


async def watch(load: Load, seconds: float) -> tuple[float, float]:
    """Measure for a while what people notice; return the median and the 99th percentile in milliseconds."""
    load.latencies, load.is_measuring = [], True
    await asyncio.sleep(seconds)
    load.is_measuring = False
    ordered = sorted(load.latencies) or [float("nan")]
    p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
    return p50, p99


async def run(address: str, server: int, names: list[str], tables: int, seconds: float, turns: Path) -> list[str]:
    """Seat the people at their tables, then run all requested attacks; return those that miss a goal."""
    load = Load(address, OTHERS)
    await load.fill(tables, "classic")
    for number, table in enumerate(load.tables):
        load.at(number / tables, table.tick)
    await asyncio.sleep(2)
    names_of_columns = (
        "attack",
        "result",
        "p50, p99 ms of others before",
        "and during",
        "CPU ms of the longest turn, p99 of five in a row",
        "server CPU",
        "memory MB",
    )
    print("| " + " | ".join(names_of_columns) + " |")
    print("|" + "---|" * len(names_of_columns))
    missed = []
    for name in names:
        missed.append(await measure(load, server, name, seconds, turns))
        await asyncio.sleep(1.0)
    load.paced = False
    return list(filter(None, missed))


def main() -> None:
    """Start a server, attack it, stop it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", nargs="+", choices=list(ATTACKS), default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--tables", type=int, default=50)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        turns = Path(folder) / "turns.json"
        process, address = start_with(
            folder, {"BOT_DELAY": "0", "UNDO_SECONDS": "0", "LOG_LEVEL": "error"}, program=("bench.turns", str(turns))
        )
        leave_the_servers_core()
        tables, seconds = min(wanted.tables, 100), min(max(wanted.seconds, 1), 30)
        try:
            missed = asyncio.run(run(address, process.pid, wanted.attacks, tables, seconds, turns))
        finally:
            process.terminate()
            process.wait(20)
    if missed:
        raise SystemExit(f"Beyond {_MOST_MS:g} ms or {_MOST_MB:g} MB: {', '.join(missed)}.")


if __name__ == "__main__":
    main()
