"""
Which Chromium the browser tests drive, and how to get one.

`python -m support.page.find_chromium`, run in `tests`, makes sure that there is one: the system's, or one from apt, or
Playwright's own.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from support.server import system_packages

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell is first: it starts faster and takes less CPU."""
MISSING = (
    "The browser tests need Chromium, and neither apt nor Playwright could install it: "
    "install your system's package `chromium` and run this again."
)


def find() -> str | None:
    """Give the path of the Chromium to drive: one on the PATH before Playwright's own; None if none starts."""
    on_path = (path for name in NAMES if (path := shutil.which(name)))
    for path in on_path:
        if is_working(path):
            return path
    own = playwrights_own()
    return str(own) if own and is_working(str(own)) else None


def playwrights_own() -> Path | None:
    """Say where Playwright keeps a Chromium of its own, whether it is there or not."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - needed only where the system has no Chromium
    except ImportError:
        return None
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def is_working(path: str) -> bool:
    """Whether it starts: a Chromium without the libraries it needs, or a stub that only names another, is none."""
    return system_packages.succeeds(path, "--version")


def install() -> str | None:
    """Get a Chromium, from apt where that works without asking anything, else from Playwright; give its path."""
    for package in ("chromium-headless-shell", "chromium"):  # some systems have only the second
        system_packages.install(package)
        if path := find():
            return path
    system_packages.succeeds(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")
    return find()


def main() -> str | None:
    """Make sure that there is a Chromium; give a sentence if there cannot be one."""
    if find():
        return None
    sys.stderr.write("Installing Chromium for the browser tests ...\n")
    return None if install() else MISSING


if __name__ == "__main__":
    sys.exit(main())
