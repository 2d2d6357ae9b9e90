"""The structure of the package: imports point down, few files use numba, files are small, all have docstrings."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from architecture import LAYERS, folders, layer_of, part_named, texts
from support.paths import ROOT, TESTS

SOURCE = ROOT / "src" / "qwixx"
FILES = sorted(SOURCE.rglob("*.py"))
MOST_LINES = 600
"""A guideline: a file is not split only to stay below it."""
LONGER = {"game/game.py": 750}
"""Files that are one class: half of `Game` in a base class would be harder to read."""
MOST_FILES = 20
MOST_WORDS = 40


def part_of(path: Path) -> str:
    """Return the part that a file belongs to; programs may use everything."""
    if path.name == "__main__.py":
        return "__main__"
    module = path.relative_to(SOURCE.parent).with_suffix("")
    return part_named(".".join(module.parts).removesuffix(".__init__"))


def imports(tree: ast.Module, *, at_once: bool) -> set[str]:
    """List the parts that a file imports: at import time, or anywhere in it."""
    nodes = ast.walk(tree) if not at_once else _loaded_at_once(tree)
    found = set()
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "qwixx":
            names = [f"qwixx.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name what they import in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {part_named(name) for name in names if name.split(".")[0] == "qwixx"}
    return found


def names_imported(tree: ast.Module) -> set[str]:
    """List the full names of everything that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _loaded_at_once(tree: ast.Module) -> list[ast.AST]:
    """List the nodes that run at import time: everything outside functions and `TYPE_CHECKING` blocks."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        waiting += ast.iter_child_nodes(node)
    return found


def tree_of(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text("utf-8"))


def name_of(path: Path) -> str:
    """Return a short name for a file."""
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    """At import time a file imports only its own layer or lower layers."""
    own = layer_of(part_of(path))
    above = {part for part in imports(tree_of(path), at_once=True) if layer_of(part) > own}
    assert not above, f"{name_of(path)} is in a lower layer than {', '.join(sorted(above))}"


@pytest.mark.slow
def test_late_imports_are_listed() -> None:
    """Only a drawing, the package's lazy names and bots by name in the solver come from higher layers, on demand."""
    late = {
        (part_of(path), part)
        for path in FILES
        for part in imports(tree_of(path), at_once=False)
        if layer_of(part) > layer_of(part_of(path))
    }
    assert late == {
        ("game", "render"),
        ("qwixx", "coach"),
        ("qwixx", "fair"),
        ("qwixx", "nets.training"),
        ("qwixx", "players"),
        ("qwixx", "puzzles"),
        ("qwixx", "rl"),
        ("qwixx", "sim"),
        ("qwixx", "solver"),
        ("qwixx", "testing"),
        ("solver", "players"),
    }


def test_every_part_is_there() -> None:
    """Each name in the list of layers is a folder or a module, and appears once."""
    parts = [part for layer in LAYERS for part in layer]
    assert len(parts) == len(set(parts))
    found = {part_of(path) for path in FILES} | {"web"}  # the built page, which may be missing
    assert set(parts) - found == set()


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.name)
def test_the_map_is_up_to_date(path: Path) -> None:
    """The folder table of ARCHITECTURE.md and the diagram are generated from the layers: run `make golden`."""
    assert path.read_text("utf-8") == texts()[path]


def test_tables_of_the_map_can_be_read() -> None:
    """No cell of a table in ARCHITECTURE.md has more than 40 words."""
    lines = (ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()
    cells = [cell for line in lines if line.startswith("|") for cell in line.split("|")]
    assert len(cells) > 100
    assert [cell for cell in cells if len(cell.split()) > MOST_WORDS] == []


def test_folders_are_small() -> None:
    """A folder of the package or of the tests has at most twenty Python files."""
    tests = {path.parent for path in TESTS.rglob("*.py")}
    counts = {folder: len(list(folder.glob("*.py"))) for folder in (SOURCE, *folders(), *tests)}
    assert {str(folder): count for folder, count in counts.items() if count > MOST_FILES} == {}


@pytest.mark.slow
def test_tests_do_not_import_tests() -> None:
    """Helpers of several tests are in `tests/support`."""
    for path in TESTS.rglob("test_*.py"):
        shared = {
            name
            for name in names_imported(tree_of(path))
            if any(part.startswith("test_") for part in name.split(".")[:-1])
        }
        assert not {name for name in shared if not name.startswith("pettingzoo.")}, path


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("kernel/state", "qwixx.kernel."),
        ("server/store/interface.py", "qwixx.server.store.sqlite"),
        ("server/store/interface.py", "qwixx.server.store.postgres"),
        ("server/store/sqlite", "qwixx.server.store.postgres"),
        ("server/store/postgres", "qwixx.server.store.sqlite"),
    ],
)
def test_layers_inside_a_part(folder: str, forbidden: str) -> None:
    """Inside these parts imports point one way, too."""
    files = [path for path in FILES if path.is_relative_to(SOURCE / folder)]
    assert files
    for path in files:
        named = {name for name in names_imported(tree_of(path)) if name.startswith(forbidden)}
        assert not {name for name in named if not name.startswith("qwixx.kernel.state")}, name_of(path)


@pytest.mark.slow
def test_lower_layers_do_not_import_the_package() -> None:
    """The kernel, the sheets and the game import their neighbors by name, never the whole package."""
    below = [path for path in FILES if layer_of(part_of(path)) < layer_of("qwixx")]
    assert len(below) > 20
    assert [name_of(path) for path in below if "qwixx" in imports(tree_of(path), at_once=False)] == []


@pytest.mark.slow
def test_few_files_import_numba() -> None:
    """Only five files import numba; others check whether it is installed, and its version."""
    knowing = set()
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            is_import = isinstance(node, ast.Import) and any(a.name.split(".")[0] == "numba" for a in node.names)
            is_from = isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba"
            is_name = isinstance(node, ast.Name) and node.id == "numba"
            text = node.value if isinstance(node, ast.Constant) else None
            is_text = isinstance(text, str) and re.fullmatch(r"numba(\.\w+)*", text) is not None
            if is_import or is_from or is_name or is_text:
                knowing.add(name_of(path))
    loading, asking = (
        {"jit/build_library.py", "jit/cache_files.py", "jit/compiler.py", "jit/deferred.py", "wasm/compile_module.py"},
        {"jit/decorators.py", "jit/cache.py", "wasm/source_key.py"},
    )
    assert knowing == loading | asking


@pytest.mark.slow
def test_the_oracle_is_no_part_of_the_package() -> None:
    """Nothing in the package imports from the tests."""
    for path in FILES:
        names = {alias.name for node in ast.walk(tree_of(path)) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & {"oracle", "support", "pytest", "hypothesis"}


def test_files_are_small() -> None:
    """No file is too long to be read in one sitting, except those with a reason."""
    lengths = {name_of(path): path.read_text("utf-8").count("\n") for path in FILES}
    assert {name: length for name, length in lengths.items() if length > LONGER.get(name, MOST_LINES)} == {}
    assert {name for name in LONGER if lengths[name] <= MOST_LINES} == set()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_everything_public_has_a_docstring(path: Path) -> None:
    """Every module, and every class and function without an underscore, has a docstring."""
    tree = tree_of(path)
    assert ast.get_docstring(tree), f"{name_of(path)} has no docstring"
    silent = []
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    while scopes:
        for node in scopes.pop().body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if not node.name.startswith("_") and not ast.get_docstring(node):
                    silent.append(node.name)
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    scopes.append(node)
    assert silent == []
