"""Firefox and WebKitGTK for the browser tests, and how to install them.

`python -m support.page.find_engines`, run in `tests`, installs them with apt. Without apt it only says what is missing,
and the tests of these engines are skipped.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from support.server import system_packages

PACKAGES = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb", "xauth")}
"""Debian's packages, by engine."""
FIREFOX = ("firefox-esr", "firefox")
WEBKIT = ("WebKitWebDriver", "Xvfb")


def find(engine: str) -> str | None:
    """Return the path of Firefox, or of WebKit's driver; None if something is missing."""
    if engine == "firefox":
        return next(filter(None, map(shutil.which, FIREFOX)), None)
    return shutil.which(WEBKIT[0]) if mini_browser() and all(map(shutil.which, WEBKIT)) else None


def mini_browser() -> str | None:
    """Return the path of the small browser of WebKitGTK, which its driver starts."""
    found = (str(path) for path in Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))
    return next(found, None)


def main() -> str | None:
    """Make sure that both engines are installed; return an error sentence if apt is there and fails."""
    for engine in (missing := [engine for engine in PACKAGES if not find(engine)]):
        sys.stderr.write(f"Installing {', '.join(PACKAGES[engine])} for the browser tests ...\n")
        system_packages.install(*PACKAGES[engine])
    if still := [engine for engine in missing if not find(engine)]:
        sentence = f"Browser tests do not run in {' and '.join(still)}: these engines need Debian's packages."
        if shutil.which("apt-get"):
            return sentence
        sys.stderr.write(f"{sentence}\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
