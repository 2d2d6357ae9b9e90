"""
Copy measured numbers from the files of the benchmarks into the docs.

`python docs/tools/numbers_of_docs.py` rewrites the blocks between `<!-- measured NAME -->` and `<!-- end -->`, each
from a file in bench/: docs/performance.md from results.md (`make bench`), docs/environments.md from rl.md (`python -m
bench.rl`), docs/benchmark.md from baselines.json (`make baselines`), and docs/solving.md from the pages of
`python -m bench.policies`. Tests compare them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
ENVIRONMENTS = ROOT / "docs" / "environments.md"
RESULTS = ROOT / "bench" / "results.md"
BASELINES = ROOT / "bench" / "baselines.json"
ENDGAMES = ROOT / "bench" / "endgames.json"
BENCHMARK = ROOT / "docs" / "benchmark.md"
ADAPTERS = ROOT / "bench" / "rl.md"
SOLVING = ROOT / "docs" / "solving.md"
POLICIES = {name: ROOT / "bench" / f"policies-{name}.md" for name in ("classic", "gemixxt-a", "gemixxt-b", "longo")}
_BLOCK = re.compile(r"(<!-- measured (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def loops(results: str) -> str:
    """Write the table of the three ways to drive the kernel, with the date and the commit of the measurement."""
    by_hand = _rate(results, "| written by hand, classic only |")
    kernel = _rate(results, "| kernel |")
    bulk = _rate(results, "| classic | gap |")
    ways = (
        (
            "a hand-written loop for classic only (`bench/classic_loop.py`)",
            "plain arrays, no layout, no phases",
            by_hand,
        ),
        (
            "the kernel, decision by decision (`players/game_loop.py`)",
            "roll, legal, decide, resolve: what a server does",
            kernel,
        ),
        ("the simulator (`sim/fast_path.py`)", "whole turns, the same paper functions", bulk),
    )
    lines = ["| way | what it is | classic, two gap bots, games a CPU second |", "|---|---|---|"]
    lines += [f"| {' | '.join(way)} |" for way in ways]
    when, commit, machine = (_fact(results, name) for name in ("Date", "Commit", "Machine"))
    return "\n".join([*lines, "", f"Measured {when[:10]} at commit {commit} on one core: {machine}.", ""])


def _rate(results: str, line: str) -> str:
    found = re.search(rf"^{re.escape(line)} ([\d,]+) \|", results, re.MULTILINE)
    assert found, f"bench/results.md has no line {line!r}"
    return f"{round(int(found[1].replace(',', '')), -3):,}"


def _fact(results: str, name: str) -> str:
    found = re.search(rf"^- {name}: (.+)$", results, re.MULTILINE)
    assert found, f"bench/results.md does not say its {name}"
    return found[1]


def baselines(results: str) -> str:
    """Write the tables of the benchmark: one for solitaire, and one for two seats."""
    tasks = json.loads(results)
    lines = ["| task | random | heuristic | learner | master | optimum |", "|---|---|---|---|---|---|"]
    for name, task in tasks.items():
        if task["seats"] == 1:
            rows = {row["player"]: row for row in task["results"]}
            entries = [rows.get("random"), *_heuristic(rows), rows.get("learner"), rows.get("master")]
            shown = [_score(row, task["optimum"]) if row else "" for row in entries]
            lines.append(f"| `{name}` | {' | '.join(shown)} | {task['optimum']:.2f} |")
    lines += ["", "| task | player | score | score of the opponent | share of wins |", "|---|---|---|---|---|"]
    for name, task in tasks.items():
        for row in task["results"] if task["seats"] == 2 else []:
            scores = f"{_interval(row['score'])} | {_interval(row['opponent'])} | {_interval(row['wins'], 4)}"
            lines.append(f"| `{name}` | {_named(row)} | {scores} |")
    runs = sorted({f"{task['measured']['date']} at commit {task['measured']['commit']}" for task in tasks.values()})
    games = {seats: {task["games"] for task in tasks.values() if task["seats"] == seats} for seats in (1, 2)}
    played = " and ".join(f"{'/'.join(f'{n:,}' for n in sorted(each))} games" for each in games.values() if each)
    return "\n".join([*lines, "", f"Measured {', '.join(runs)}; {played} for each figure, alone and for two.", ""])


def endgames(results: str) -> str:
    """Write the errors of the nets against exact endgames."""
    found = json.loads(results)
    lines = ["| game | positions | rms error | mean error | largest error | of them undecided | their rms error |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, each in found["results"].items():
        errors = " | ".join(f"{100 * each[key]:.1f} %" for key in ("rms", "bias", "largest"))
        lines.append(
            f"| {name} | {each['positions']} | {errors} | {each['open_positions']} | {100 * each['open_rms']:.1f} % |"
        )
    source = f"one for each of {found['games']} games of {' and '.join(found['bots'])} that has one"
    lines += ["", f"Positions with about {found['most']} successors or fewer, {source}; undecided: 5 to 95 %."]
    run = found["measured"]
    command = f"python -m bench.endgames --games {found['games']} --most {found['most']}"
    lines.append(f"Measured {run['date']} at commit {run['commit']} by `{command}`.")
    return "\n".join([*lines, ""])


def _heuristic(rows: dict[str, Any]) -> list[Any]:
    """Return the row of the default heuristic, which has another name in each kind of game."""
    return [row for name, row in rows.items() if name not in ("random", "learner", "master", "optimal")]


def _score(row: dict[str, Any], optimum: float) -> str:
    return f"{_interval(row['score'])} ({row['score'][0] / optimum:.1%})"


def _interval(figure: list[float], digits: int = 2) -> str:
    return f"{figure[0]:.{digits}f} ± {figure[1]:.{digits}f}"


def _named(row: dict[str, Any]) -> str:
    return f"{row['player']}, {row['steps']:,} steps, {row['seeds']} seeds" if "steps" in row else str(row["player"])


def policies(results: str) -> str:
    """Copy the tables of exact policies, with the date and the command."""
    tables = results[results.index("\n|") + 1 :].rstrip("\n")
    command = re.search(r"Written by `(.+)`;", results)
    assert command, "a page of bench.policies does not say its command"
    return f"{tables}\n\nComputed {_fact(results, 'Date')[:10]} by `{command[1]}`.\n"


_SHOWN, _BARE, _CPP = (
    "batch of 4096, observations and masks",
    "batch of 4096, nothing shown",
    "inside OpenSpiel, C++ rollouts",
)
_SPIEL = "OpenSpiel from Python"
_COMPARED = (
    ("4096 games at once, observations and masks", _SHOWN, "qwixx classic, 2 seats", _SHOWN),
    ("4096 games at once, nothing shown", _BARE, "qwixx classic, 2 seats", _CPP),
    ("Gymnasium, one game", "Gymnasium, one", "qwixx/Classic-v0", "Gymnasium, one"),
    ("Gymnasium, 1024 games", "Gymnasium, 1024 at once", "qwixx/Classic-v0", "Gymnasium, 1024 at once"),
    ("PettingZoo, `env`", "PettingZoo, wrapped", "qwixx classic, 2 seats", "PettingZoo, wrapped"),
    ("PettingZoo, `raw_env`", "PettingZoo, raw", "qwixx classic, 2 seats", "PettingZoo, raw"),
    ("OpenSpiel from Python, steps with chance", _SPIEL, "qwixx", _SPIEL),
)
"""For each line: its title, the line of bench/rl.md with our number, and the line with the numbers of other games."""
_MEASURED = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([\d,]+) \| ([\d,]*) ?\|$", re.MULTILINE)


def adapters(results: str) -> str:
    """Write the speed of each adapter, with the speed of the games that its package ships."""
    measured: dict[str, dict[str, int]] = {}
    for way, game, decisions, steps in _MEASURED.findall(results):
        rate = steps if way == _SPIEL else decisions
        measured.setdefault(way, {})[game] = int(rate.replace(",", ""))
    lines = ["| interface | qwixx | other games |", "|---|---|---|"]
    for words, way, own, other in _COMPARED:
        others = [f"{game} {_rounded(rate)}" for game, rate in measured.get(other, {}).items() if "qwixx" not in game]
        lines.append(f"| {words} | {_rounded(measured[way][own])} | {', '.join(others)} |")
    when, commit = _fact(results, "Date")[:10], _fact(results, "Commit")
    return "\n".join([*lines, "", f"Measured {when} at commit {commit} in one run of `python -m bench.rl`.", ""])


def _rounded(rate: int) -> str:
    return f"{rate / 1e6:.1f} million" if rate >= 1_000_000 else f"{round(rate, -3):,}"


BLOCKS: dict[str, tuple[Path, Callable[[str], str]]] = {
    "loops": (RESULTS, loops),
    "baselines": (BASELINES, baselines),
    "adapters": (ADAPTERS, adapters),
    "endgames": (ENDGAMES, endgames),
    **{f"policies-{name}": (path, policies) for name, path in POLICIES.items()},
}
"""The blocks by name: the file of the benchmark, and the function that writes the block from it."""


def renewed(page: str, results: str | None = None) -> str:
    """Return a page with all its blocks written again, from their files or from other results."""

    def block(name: str) -> str:
        source, write = BLOCKS[name]
        return write(source.read_text("utf-8") if results is None else results)

    return _BLOCK.sub(lambda found: f"{found[1]}{block(found[2])}{found[3]}", page)


if __name__ == "__main__":
    for path in (PAGE, ENVIRONMENTS, SOLVING, BENCHMARK):
        path.write_text(renewed(path.read_text("utf-8")), "utf-8")
