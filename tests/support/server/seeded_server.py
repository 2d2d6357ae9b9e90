"""`python -m qwixx.server` for tests: games have the same dice in every run, and days have a given date."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

MOMENT = "TEST_MOMENT"
"""The variable with the simulated start time of daily games, such as 2026-11-16T12:00; by default now."""
COMMAND = (sys.executable, str(Path(__file__)))


def seconds_until(moment: str) -> float:
    """Return the seconds from now until a moment of UTC, less than 0 if it is over."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() - time.time()


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    from qwixx.cli.commands.host.serve import serve_command
    from qwixx.server.today import daily_game
    from support.games.seeded import SEED_FILE, seed_chance

    seed_chance(Path(os.environ[SEED_FILE]) if SEED_FILE in os.environ else "server")
    vars(daily_game)["secrets"] = SimpleNamespace(token_hex=lambda size: "5a" * size)
    if MOMENT in os.environ:
        ahead = seconds_until(os.environ[MOMENT])
        vars(daily_game)["time"] = SimpleNamespace(time=lambda: time.time() + ahead)
    serve_command()
