"""The folders of this repository that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
GOLDEN = TESTS / "golden"
