"""
Which source files a module's compiled code can come from: its own, and those of all that it imports, all the way down.

Numba's own cache on disk notices an edit of the file a function stands in, but not of a function that it calls in
another file. So compiled code is kept under a key of all these files, found by reading import statements.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_COMPILER = _PACKAGE / "kernel" / "jit.py"
"""Asked for by every compiled module; what it imports is compiled into none."""
_MAKER = _PACKAGE / "kernel" / "twins.py"
"""How it compiles matters to all of them."""
SHARED_PLACES = ("site-packages", "dist-packages")
"""Where everybody's modules lie side by side, so that a neighbor is nobody's own."""


@cache
def name_of(file: Path) -> str:
    """Give the full name of the module that a file holds."""
    parts = [file.stem] if file.stem != "__init__" else []
    return ".".join([*file.parent.relative_to(_root(file.parent)).parts, *parts])


@cache
def _root(folder: Path) -> Path:
    """Give the folder in which the outermost package around a folder lies, itself if it belongs to none."""
    is_outermost = folder == folder.parent or not (folder / "__init__.py").exists()
    return folder if is_outermost else _root(folder.parent)


@cache
def sources_of(file: Path) -> tuple[Path, ...]:
    """
    List the sources of a module and of all it imports, in a fixed order; none if there is no such file.

    Only this package's modules count and, for a module of a user's own, those of its own package or folder; what other
    packages compile they must look after themselves.
    """
    found: set[Path] = set()
    waiting = [file] if file.is_file() else []
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting += _imported(source) if source != _COMPILER else ()
    return tuple(sorted({_MAKER if source == _COMPILER else source for source in found}))


def is_compiled(file: Path) -> bool:
    """Whether a module of this package holds compiled functions: such a module imports their decorator."""
    return _COMPILER in _imported(file)


@cache
def source_key(files: tuple[Path, ...]) -> str:
    """Name the content of some source files."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(name_of(file).encode() + b"\0" + _content(file))
    return digest.hexdigest()


@cache
def _content(file: Path) -> bytes:
    try:
        return hashlib.sha256(file.read_bytes()).digest()
    except OSError:
        return b""


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """List the files of the modules that a file imports, in functions apart: compiled code cannot import anything."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ()
    module, is_package = name_of(file), file.stem == "__init__"
    names = {name for node in _statements(tree.body) for name in _names(node, module, is_package)}
    return tuple(sorted({found for name in names if (found := _find(name, file.parent))}))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Give the statements of a file, those inside other ones too, functions apart."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody", "handlers"):
                yield from _statements(getattr(node, part, []))


def _names(node: ast.AST, module: str, is_package: bool) -> Iterator[str]:
    """
    Give the modules that an import statement may load.

    `from a import b` may mean a module b of the package a, or something in a: both are named. `import a.b` gives
    access to a as well.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            parts = alias.name.split(".")
            yield from (".".join(parts[: length + 1]) for length in range(len(parts)))
    elif isinstance(node, ast.ImportFrom):
        above = module.split(".")[: len(module.split(".")) - node.level + int(is_package)] if node.level else []
        origin = ".".join([*above, *([node.module] if node.module else [])])
        yield origin
        yield from (f"{origin}.{alias.name}" if origin else alias.name for alias in node.names)


@cache
def _find(name: str, folder: Path) -> Path | None:
    """Find the file of a module of this package, or of the package or folder that imports it."""
    top = name.partition(".")[0]
    root = _PACKAGE.parent if top == _PACKAGE.name else _root(folder)
    own = folder.relative_to(root).parts[:1] if root in (folder, *folder.parents) else ()
    if root.name in SHARED_PLACES and top not in (*own, _PACKAGE.name):
        return None
    place = root.joinpath(*name.split("."))
    for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None
