"""The shape of the package: imports point down, numba has one home, files stay small, everything says what it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "qwixx"
FILES = sorted(SOURCE.rglob("*.py"))
MOST_LINES = 450

LAYERS = [
    {"errors", "files", "interrupts", "kernel", "languages", "places"},
    {"variants"},
    {
        *("actions", "chance", "events", "game", "imagining", "notation", "phrases", "position", "question", "reasons"),
        *("record", "standing", "view", "wanted"),
    },
    {"qwixx"},
    {"fair", "lessons", "solver", "render", "perft", "rulebook", "testing"},
    {"printing"},
    {"learn"},
    {"players"},
    {"advice", "rl", "sim", "train"},
    {"analysis"},
    {"warm"},
    {"server"},
    {"browser", "web"},
    {"cli", "__main__"},
]
"""Parts of the package from the bottom up; the package's own face, `qwixx`, stands on the game."""


def part_of(path: Path) -> str:
    """Give the part that a file belongs to; what is run as a program may use everything."""
    if path.name == "__main__.py":
        return "__main__"
    first = path.relative_to(SOURCE).parts[0]
    return "qwixx" if first == "__init__.py" else first.removesuffix(".py")


def layer_of(part: str) -> int:
    """Give the layer of a part, counted from the bottom."""
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def imports(tree: ast.Module, *, at_once: bool) -> set[str]:
    """List the parts that a file imports: when it is loaded, or anywhere in it."""
    nodes = ast.walk(tree) if not at_once else _loaded_at_once(tree)
    found = set()
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "qwixx":
            parts = {path.stem for path in FILES} | {path.parent.name for path in FILES}
            names = [f"qwixx.{alias.name}" if alias.name in parts else "qwixx" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name what they import in full"
            names = [node.module or ""]
        found |= {[*name.split("."), "qwixx"][1] for name in names if name.split(".")[0] == "qwixx"}
    return found


def _loaded_at_once(tree: ast.Module) -> list[ast.AST]:
    """List what runs when a file is loaded: everything outside functions, and outside checks for type checkers."""
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
    """Give a short name for a file."""
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    """A file loads only parts of its own layer or below."""
    own = layer_of(part_of(path))
    above = {part for part in imports(tree_of(path), at_once=True) if layer_of(part) > own}
    assert not above, f"{name_of(path)} stands below {', '.join(sorted(above))}"


def test_what_is_imported_late_is_known() -> None:
    """Only the game's drawing and what the package's face offers reach up, and only when somebody asks for them."""
    late = {
        (part_of(path), part)
        for path in FILES
        for part in imports(tree_of(path), at_once=False)
        if layer_of(part) > layer_of(part_of(path))
    }
    assert late == {
        ("standing", "render"),
        ("qwixx", "advice"),
        ("qwixx", "analysis"),
        ("qwixx", "players"),
        ("qwixx", "sim"),
        ("qwixx", "solver"),
    }


def test_nothing_below_knows_the_face() -> None:
    """The kernel, the sheets and the game import their neighbors by name, never the whole package."""
    below = [path for path in FILES if layer_of(part_of(path)) < layer_of("qwixx")]
    assert len(below) > 20
    assert [name_of(path) for path in below if "qwixx" in imports(tree_of(path), at_once=False)] == []


def test_few_files_know_numba() -> None:
    """Only kernel/twins.py and what it hands to browsers load numba; others ask whether it is there and which one."""
    knowing = set()
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            is_import = isinstance(node, ast.Import) and any(a.name.split(".")[0] == "numba" for a in node.names)
            is_from = isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba"
            is_name = isinstance(node, ast.Name) and node.id == "numba"
            is_text = isinstance(node, ast.Constant) and node.value == "numba"
            if is_import or is_from or is_name or is_text:
                knowing.add(name_of(path))
    loading, asking = (
        {"kernel/twins.py", "browser/gather.py"},
        {"kernel/jit.py", "kernel/kept.py", "browser/sources.py"},
    )
    assert knowing == loading | asking


def test_the_witness_is_no_part_of_the_package() -> None:
    """Nothing in the package imports from the tests."""
    for path in FILES:
        names = {alias.name for node in ast.walk(tree_of(path)) if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module or "" for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & {"oracle", "duet", "scenarios", "pytest", "hypothesis"}


def test_files_are_small() -> None:
    """No file is longer than can be read in one sitting."""
    lengths = {name_of(path): path.read_text("utf-8").count("\n") for path in FILES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_everything_public_says_what_it_is(path: Path) -> None:
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
