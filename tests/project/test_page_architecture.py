"""The structure of the page: imports point down, folders are small, and each README says what belongs there."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest

from support.paths import ROOT

PAGE = ROOT / "page"
SOURCE = PAGE / "src"
FILES = sorted(path for ending in ("*.ts", "*.svelte") for path in SOURCE.rglob(ending))
IMPORTED = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*"(\.[^"?]+)""")
MOST_FILES = 20

LAYERS = [
    {"protocol.ts"},
    {"house.ts"},
    {"engine"},
    {"device"},
    {"words"},
    {"fair"},
    {"local"},
    {"connection"},
    {"play"},
    {"history"},
    {"components"},
    {"tutorial"},
    {"puzzles", "today", "board"},
    {"screens"},
    {"App.svelte"},
    {"main.ts"},
]
"""Parts of `page/src` from the bottom up. `virtual-modules.d.ts` declares types for all of them and has no layer."""


def part_of(path: str) -> str:
    """Return the folder below `page/src` that a file is in, or the name of a file at the top."""
    return path.split("/", maxsplit=1)[0]


def layer_of(part: str) -> int:
    """Return the layer of a part, counted from the bottom."""
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def imports_of(path: Path) -> set[str]:
    """Return the files that a file imports, statically or later, as paths below `page/src`."""
    folder = path.relative_to(SOURCE).parent.as_posix()
    found = {posixpath.normpath(posixpath.join(folder, name)) for name in IMPORTED.findall(path.read_text("utf-8"))}
    return {name for name in found if not name.startswith("..") and not name.endswith((".css", ".wasm"))}


def upward() -> dict[str, set[str]]:
    """Return the imports that point up or to a neighbor in the same layer, by file."""
    found = {}
    for path in FILES:
        name = path.relative_to(SOURCE).as_posix()
        own = part_of(name)
        if name == "virtual-modules.d.ts":
            continue
        above = {
            other for other in imports_of(path) if part_of(other) != own and layer_of(part_of(other)) >= layer_of(own)
        }
        if above:
            found[name] = above
    return found


def test_imports_of_the_page_point_down() -> None:
    """A file of the page imports its own part and lower layers only."""
    assert len(FILES) > 200
    assert upward() == {}


def test_imports_are_found() -> None:
    """Every way to import a file is recognized: static, dynamic, and as a worker."""
    assert "screens/StartScreen.svelte" in imports_of(SOURCE / "App.svelte")
    assert "screens/TableScreen.svelte" in imports_of(SOURCE / "App.svelte")
    assert "local/worker.ts" in imports_of(SOURCE / "local" / "localHouse.ts")
    every = {name for path in FILES for name in imports_of(path)}
    assert not {name for name in every if not (SOURCE / name).is_file()}


def test_every_part_has_a_layer() -> None:
    """A new folder needs a layer."""
    parts = {part_of(path.relative_to(SOURCE).as_posix()) for path in FILES}
    assert parts - {"virtual-modules.d.ts"} == {part for parts in LAYERS for part in parts}


@pytest.mark.parametrize("top", ["src", "build", "tests"])
def test_folders_are_small_and_explained(top: str) -> None:
    """A folder has at most twenty files; its README says in a few lines what belongs there and what does not."""
    for folder in (PAGE / top, *(path for path in (PAGE / top).rglob("*") if path.is_dir())):
        if folder.name == "__pycache__":
            continue
        files = [path for path in folder.iterdir() if path.is_file() and path.suffix != ".wasm"]
        assert len([path for path in files if path.name != "README.md"]) <= MOST_FILES, folder
        # Folders of tests have the names of the folders of the sources.
        if not (top == "tests" and (SOURCE / folder.name).is_dir()):
            lines = (folder / "README.md").read_text("utf-8").splitlines()
            assert lines[0].startswith("# "), folder
            assert len(lines) == 3, folder
