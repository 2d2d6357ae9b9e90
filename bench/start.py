"""
The first minute: the time of a start, compared with Python itself, and the size of an installation.

    python -m bench.start [--cold]

Each program runs several times in a separate process, in turn with a Python that does nothing; the best time counts.
All caches are empty, as on a new machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires

from packaging.requirements import Requirement

ROUNDS = 7
_DECISION = """
import qwixx
game = qwixx.Game("classic", seats=2, seed=1)
game.roll()
game.decide(0, game.legal(0)[0])
"""
_GAME = """
import qwixx
game = qwixx.Game("classic", seats=2, seed=1)
while not game.is_over:
    if game.awaits_chance:
        game.roll()
    for seat in game.deciders():
        game.decide(seat, game.legal(seat)[0])
"""
_BOT = """
import qwixx
from qwixx.players import find
game = qwixx.Game("classic", seats=2, seed=1)
game.roll()
find("master").sit(game.variant, 2).answer(game.question(0))
"""
PROGRAMS = {
    "Python alone": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import qwixx": ["-c", "import qwixx"],
    "qwixx --help": ["-m", "qwixx", "--help"],
    "qwixx rules classic": ["-m", "qwixx", "rules", "classic"],
    "first decision": ["-c", _DECISION],
    "first game": ["-c", _GAME],
    "first decision of a bot": ["-c", _BOT],
}
COLD = {
    "simulate classic --games 1000": ["simulate", "classic", "--games", "1000"],
    "simulate longo --games 1000": ["simulate", "longo", "--games", "1000"],
    "hint, two seats": ["hint", "classic active=0 phase=white roll=34/2615 | r=2,5 g=12 | -", "--seat", "0"],
}
"""Commands that need compiled code, or could."""
_MEGABYTE = 1e6


def _seconds(arguments: list[str], environment: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def starts() -> list[str]:
    """Measure every program; return lines of Markdown."""
    best = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(ROUNDS):
        for name, arguments in PROGRAMS.items():
            with tempfile.TemporaryDirectory() as cache:
                environment = {**os.environ, "QWIXX_JIT": "1", "QWIXX_CACHE": cache}
                best[name] = min(best[name], _seconds(arguments, environment))
    alone = best["Python alone"]
    lines = ["| program | seconds | times Python alone |", "|---|---|---|"]
    return lines + [f"| {name} | {seconds:.2f} | {seconds / alone:.1f} |" for name, seconds in best.items()]


def cold() -> list[str]:
    """Measure commands in an empty home folder, once each: CPU seconds and memory, with all child processes."""
    lines = ["| command | CPU seconds | again | peak MB |", "|---|---|---|---|"]
    for name, words in COLD.items():
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "QWIXX_JIT": "1", "HOME": home, "QWIXX_CACHE": f"{home}/cache"}
            first, memory = _used(words, environment)
            again, _ = _used(words, environment)
        lines.append(f"| {name} | {first:.1f} | {again:.1f} | {memory:.0f} |")
    return lines


def _used(words: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a command; return its CPU seconds and its peak memory in megabytes."""
    child = subprocess.Popen([sys.executable, "-m", "qwixx", *words], env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert not status, f"{words} did not work"
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / _MEGABYTE


def _needed(name: str, extras: frozenset[str], found: dict[str, Distribution]) -> None:
    """Collect a package and all its installed dependencies."""
    try:
        this = distribution(name)
    except PackageNotFoundError:
        return
    found[this.metadata["Name"].lower()] = this
    for text in requires(name) or ():
        wanted = Requirement(text)
        is_wanted = wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in (*extras, ""))
        if is_wanted and wanted.name.lower() not in found:
            _needed(wanted.name, frozenset(wanted.extras), found)


def _size(package: Distribution) -> float:
    """Return the megabytes of a package's files."""
    paths = (package.locate_file(file) for file in package.files or ())
    return sum(os.stat(path).st_size for path in map(str, paths) if os.path.isfile(path)) / _MEGABYTE  # noqa: PTH113, PTH116


def sizes() -> list[str]:
    """Measure the installation for playing, and what `qwixx[fast]` adds; return lines of Markdown."""
    plain: dict[str, Distribution] = {}
    fast: dict[str, Distribution] = {}
    _needed("qwixx", frozenset(), plain)
    _needed("qwixx", frozenset({"fast"}), fast)
    totals = [sum(map(_size, found.values())) for found in (plain, fast)]
    heaviest = sorted(fast, key=lambda name: -_size(fast[name]))[:5]
    return [
        f"`pip install qwixx` brings {totals[0]:.0f} MB in {len(plain)} packages,"
        f" `qwixx[fast]` {totals[1]:.0f} MB in {len(fast)}; the heaviest are"
        f" {', '.join(f'{name} {_size(fast[name]):.0f} MB' for name in heaviest)}.",
    ]


def main() -> None:
    """Print all; with `--cold` the commands without compiled code only."""
    print("\n".join(cold() if "--cold" in sys.argv else [*starts(), "", *cold(), "", *sizes()]))


if __name__ == "__main__":
    main()
