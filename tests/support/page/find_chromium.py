"""The Chromium for the browser tests, and how to install one.

`python -m support.page.find_chromium`, run in `tests`, makes sure that there is one: from the system, from apt, or from
Playwright.
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
    """Return the path of the Chromium to use: one on the PATH before Playwright's own; None if none starts."""
    on_path = (path for name in NAMES if (path := shutil.which(name)))
    for path in on_path:
        if is_working(path):
            return path
    own = playwright_path()
    return str(own) if own and is_working(str(own)) else None


def playwright_path() -> Path | None:
    """Return the path of Playwright's own Chromium, whether it exists or not."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - needed only where the system has no Chromium
    except ImportError:
        return None
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def is_working(path: str) -> bool:
    """Return whether it starts; without its libraries, or as a stub for another package, it does not."""
    return system_packages.succeeds(path, "--version")


def install() -> str | None:
    """Install Chromium with apt if that needs no input, else with Playwright; return its path."""
    for package in ("chromium-headless-shell", "chromium"):  # some systems have only the second
        system_packages.install(package)
        if path := find():
            return path
    system_packages.succeeds(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")
    return find()


def main() -> str | None:
    """Make sure that there is a Chromium; return an error sentence if that is not possible."""
    if find():
        return None
    sys.stderr.write("Installing Chromium for the browser tests ...\n")
    return None if install() else MISSING


if __name__ == "__main__":
    sys.exit(main())
