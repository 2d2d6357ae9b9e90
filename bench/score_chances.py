"""
The chance of every score in solitaire, for the page: what a new game offers before it begins.

    python -m bench.score_chances [--variant classic gemixxt-a gemixxt-b]    # writes page/src/history/scoreChances.json

Nothing is sampled: the distributions of best play for the score are exact up to rounding. A game that is not named
keeps its figures. Classic takes a minute of CPU time, gemixxt several.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

from qwixx.solver import solve

FILE = Path(__file__).parents[1] / "page/src/history/scoreChances.json"
DIGITS = 6


def main() -> None:
    """Compute the games that are named, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--variant", nargs="+", default=["classic", "gemixxt-a", "gemixxt-b"])
    asked = parser.parse_args()
    known = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"games": {}}
    for name in asked.variant:
        found = solve(name).distribution
        most = found.least + len(found.chances) - 1
        chances = [round(found.at_least(score), DIGITS) for score in range(found.least, most + 1)]
        known["games"][name] = {"least": found.least, "atLeast": chances}
    known["command"] = "python -m bench.score_chances"
    known["date"] = datetime.now(UTC).date().isoformat()
    FILE.write_text(json.dumps(dict(sorted(known.items())), separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
