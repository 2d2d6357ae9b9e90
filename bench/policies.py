"""
Exact scores of policies in solitaire, and the chances of targets.

    python -m bench.policies [--variant classic] [--targets 100 131 150]    # writes bench/policies-classic.md

Nothing is sampled: every figure is exact up to rounding. The source of the tables in docs/solving.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.run import heading

from qwixx.solver import solve, solve_target

BOTS = ("gap", "random")
SHARES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def main() -> None:
    """Compute all figures; write the page after each, since a large sheet takes more than an hour."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--targets", type=int, nargs="*", default=[100, 131, 150])
    parser.add_argument("--bots", nargs="*", default=BOTS)
    asked = parser.parse_args()
    # The commit that is measured is the one at the start.
    facts = [line for line in heading([]) if line.startswith(("- Date", "- Commit", "- Machine"))]
    command = " ".join(["python -m bench.policies", *sys.argv[1:]])
    page = Path(__file__).with_name(f"policies-{asked.variant}.md")
    started = time.process_time()
    for table in figures(asked.variant, asked.targets, asked.bots):
        spent = f"- CPU seconds for everything, with the compiler: {time.process_time() - started:.0f}"
        top = ["# Policies in solitaire, exactly", "", f"Written by `{command}`; do not edit.", "", *facts, spent, ""]
        page.write_text("\n".join([*top, *table, ""]), "utf-8")


def figures(variant: str, targets: Sequence[int], bots: Sequence[str]) -> Iterator[list[str]]:
    """Compute figure after figure; yield the tables of all so far."""
    solution = solve(variant)
    found = solution.distribution
    shares = ["| share of games | " + " | ".join(f"{share:g}" for share in SHARES) + " |"]
    shares += ["|---" * (len(SHARES) + 1) + "|"]
    shares += ["| score at most | " + " | ".join(str(found.quantile(share)) for share in SHARES) + " |"]
    pad = "" if solution.lucky is None else f" Lucky numbers: {solution.lucky[0]}/{solution.lucky[1]}."
    last = ["", f"Best play for the score has a standard deviation of {found.deviation:.4f} points.{pad}"]
    rows: list[str] = []
    scores = [f"| optimal | {solution.value:.6f} | 100.00 % |"]

    def tables() -> list[str]:
        reached = ["| target | best play for the score | best play for the target |", "|---|---|---|", *rows, ""]
        policies = ["", "| policy | exact expected score | share of the optimum |", "|---|---|---|", *scores]
        return [*(reached if rows else ()), *shares, *policies, *last]

    yield tables()
    for target in targets:
        best = solve_target(variant, target)
        rows.append(f"| {target} | {100 * found.at_least(target):.4f} % | {100 * best.value:.4f} % |")
        yield tables()
    for name in bots:
        score = solution.evaluate(name)
        scores.insert(-1, f"| {name} | {score:.6f} | {100 * score / solution.value:.2f} % |")
        yield tables()


if __name__ == "__main__":
    main()
