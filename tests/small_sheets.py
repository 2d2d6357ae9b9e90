"""Sheets small enough to be solved at once, for games of one to three seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SHEET = """
id = "{id}"
like = "classic"
name = "{id}"
title = "Small enough to be solved at once."
seats = "{seats}"
sheet = \"\"\"
{sheet}
\"\"\"
{lucky}
[dice]
sides = {sides}
[closing]
crosses = 2
[end]
rows = 2
misses = {misses}
[score]
rows = [1, 3, 6, 10, 15, 21]
miss = 2
"""
SHEETS: dict[str, dict[str, Any]] = {
    "plain": {"sheet": "r 2 3 4 5 | 6 L\ny 2 3 4 5 | 6 L\ng 6 5 4 3 | 2 L\nb 6 5 4 3 | 2 L", "sides": 3},
    "mixed": {"sheet": "A r2 r3 y4 | b5 L\nB y2 b3 r4 | g6 L\nC g5 g4 b2 | r6 L\nD b6 y5 g2 | y3 L", "sides": 3},
    "lucky": {
        "sheet": "r 2 3 4 5 | 6 L\ny 2 3 4 5 | 6 L\ng 6 5 4 3 | 2 L\nb 6 5 4 3 | 2 L",
        "lucky": 'lucky = ["2/4", "4/6", "3/4"]',  # the first two mirror one another
        "sides": 3,
    },
    "crowd": {"sheet": "r 2 3 | 4 L\ny 2 3 | 4 L\ng 4 3 | 2 L\nb 4 3 | 2 L", "sides": 2, "seats": "2-5"},
}


def sheet_file(tmp_path: Path, name: str) -> Path:
    """Write a sheet file."""
    facts = {"seats": "1-3", "lucky": "", "misses": 3, **SHEETS[name]}
    path = tmp_path / f"{name}.toml"
    path.write_text(SHEET.format(id=f"small-{name}", **facts))
    return path
