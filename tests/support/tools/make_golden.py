"""Write again what can be written again: playthroughs, the page of rules and tests, examples. Read the difference."""

from __future__ import annotations

import sys

from coverage_page import PAGE, coverage_page
from playthroughs import FOLDER, path_of, playthrough, settings
from qwixx.rulebook.drawn import FILE, drawn


def main() -> None:
    """Write all files, and say which have changed."""
    texts = {path_of(setting): playthrough(setting) for setting in settings()} | {PAGE: coverage_page(), FILE: drawn()}
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
