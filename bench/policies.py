"""
Exact scores of policies in solitaire, and the chances of targets.

    python -m bench.policies [--variant classic] [--targets 100 131 150]    # writes bench/policies-classic.md

Nothing is sampled: every figure is exact up to rounding. The source of the tables in docs/solving.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from bench.run import heading

from qwixx.solver import solve, solve_target

BOTS = ("random", "gap")
SHARES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def main() -> None:
    """Compute all figures and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--targets", type=int, nargs="+", default=[100, 131, 150])
    parser.add_argument("--bots", nargs="*", default=BOTS)
    asked = parser.parse_args()
    # The commit that is measured is the one at the start.
    facts = [line for line in heading([]) if line.startswith(("- Date", "- Commit", "- Machine"))]
    started = time.process_time()
    solution = solve(asked.variant)
    found = solution.distribution
    lines = ["| target | best play for the score | best play for the target |", "|---|---|---|"]
    for target in asked.targets:
        best = solve_target(asked.variant, target)
        lines.append(f"| {target} | {100 * found.at_least(target):.4f} % | {100 * best.value:.4f} % |")
    lines += ["", "| share of games | " + " | ".join(f"{share:g}" for share in SHARES) + " |"]
    lines += ["|---" * (len(SHARES) + 1) + "|"]
    lines += ["| score at most | " + " | ".join(str(found.quantile(share)) for share in SHARES) + " |"]
    lines += ["", "| policy | exact expected score | share of the optimum |", "|---|---|---|"]
    for name in asked.bots:
        score = solution.evaluate(name)
        lines.append(f"| {name} | {score:.6f} | {100 * score / solution.value:.2f} % |")
    lines.append(f"| optimal | {solution.value:.6f} | 100.00 % |")
    lines += ["", f"Best play for the score has a standard deviation of {found.deviation:.4f} points."]
    facts.append(f"- CPU seconds for everything, with the compiler: {time.process_time() - started:.0f}")
    command = f"python -m bench.policies --variant {asked.variant} --targets {' '.join(map(str, asked.targets))}"
    top = ["# Policies in solitaire, exactly", "", f"Written by `{command}`; do not edit.", "", *facts, ""]
    page = Path(__file__).with_name(f"policies-{asked.variant}.md")
    page.write_text("\n".join([*top, *lines, ""]), "utf-8")


if __name__ == "__main__":
    main()
