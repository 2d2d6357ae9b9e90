"""Regenerate golden files: playthroughs, the page of rules and tests, examples. Read the diff."""

from __future__ import annotations

import sys

import architecture
from qwixx.rulebook.page_data import FILE, page_data
from support.games.playthroughs import FOLDER, path_of, playthrough, settings
from support.tools.rule_coverage import PAGE, coverage_page


def main() -> None:
    """Write all files, and print which have changed."""
    texts = {path_of(setting): playthrough(setting) for setting in settings()}
    texts |= {PAGE: coverage_page(), FILE: page_data(), **architecture.texts()}
    for path in FOLDER.glob("*.txt"):
        if path not in texts:
            path.unlink()
            sys.stdout.write(f"removed {path.name}\n")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            sys.stdout.write(f"wrote {path.name}\n")


if __name__ == "__main__":
    main()
