"""
Measured numbers on docs pages, taken from the files that measuring writes.

`python docs/tools/numbers_of_docs.py` writes the blocks between `<!-- measured NAME -->` and `<!-- end -->` of
docs/performance.md anew from bench/results.md; `make bench` does so after measuring, and a test compares.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
RESULTS = ROOT / "bench" / "results.md"
_BLOCK = re.compile(r"(<!-- measured (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def loops(results: str) -> str:
    """Write the table of the three ways to drive the kernel, with the day and the commit of the measurement."""
    by_hand = _rate(results, "| written by hand, classic only |")
    kernel = _rate(results, "| kernel |")
    telling = _rate(results, "| kernel, telling what happens |")
    bulk = _rate(results, "| classic | gap |")
    ways = (
        (
            "a hand-written loop for classic alone (`bench/classic_loop.py`)",
            "plain arrays, no layout, no phases",
            by_hand,
        ),
        (
            "the kernel, decision by decision (`players/loops.py`)",
            "roll, legal, decide, resolve: what a server does",
            f"{kernel}, or {telling} with the trail of events",
        ),
        ("the simulator (`sim/fused.py`)", "whole turns, the same paper functions", bulk),
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


BLOCKS = {"loops": loops}


def renewed(page: str, results: str) -> str:
    """Give a page with all its blocks written anew."""
    return _BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]](results)}{found[3]}", page)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8"), RESULTS.read_text("utf-8")), "utf-8")
