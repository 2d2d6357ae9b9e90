"""
The source files that a module is compiled from: its own, and those of all its imports, direct and indirect.

Numba's own cache notices an edit of the file that defines a function, but not an edit of another file with a function
that it calls. So compiled code is cached under a key of all these files, which are found by parsing imports.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_DECORATORS_FILE = _PACKAGE / "jit" / "decorators.py"
"""Imported by every compiled module; its own imports are compiled into none."""
_COMPILER_FILE = _PACKAGE / "jit" / "compiler.py"
"""Its options affect all compiled code."""
SITE_DIRS = ("site-packages", "dist-packages")
"""Folders that unrelated packages share, so a module beside another one is not part of the same program."""


@cache
def name_of(file: Path) -> str:
    """Return the full module name of a file."""
    parts = [file.stem] if file.stem != "__init__" else []
    return ".".join([*file.parent.relative_to(_root(file.parent)).parts, *parts])


@cache
def _root(folder: Path) -> Path:
    """Return the folder that holds the outermost package around a folder, or the folder itself if it is in none."""
    is_outermost = folder == folder.parent or not (folder / "__init__.py").exists()
    return folder if is_outermost else _root(folder.parent)


@cache
def sources_of(file: Path) -> tuple[Path, ...]:
    """
    Return the sources of a module and of all its imports, in a fixed order; none if there is no such file.

    Only modules of this package count and, for a custom module, those of its own package or folder. Other packages
    are responsible for their own compiled code.
    """
    found: set[Path] = set()
    pending = [file] if file.is_file() else []
    while pending:
        source = pending.pop()
        if source not in found:
            found.add(source)
            pending += _imported(source) if source != _DECORATORS_FILE else ()
    return tuple(sorted({_COMPILER_FILE if source == _DECORATORS_FILE else source for source in found}))


def is_compiled(file: Path) -> bool:
    """Return whether a module has compiled functions: then it imports their decorators."""
    return _DECORATORS_FILE in _imported(file)


@cache
def source_key(files: tuple[Path, ...]) -> str:
    """Return a hash of the names and contents of some source files."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(name_of(file).encode() + b"\0" + _content_hash(file))
    return digest.hexdigest()


@cache
def _content_hash(file: Path) -> bytes:
    try:
        return hashlib.sha256(file.read_bytes()).digest()
    except OSError:
        return b""


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """Return the files of the modules that a file imports, except inside functions: compiled code cannot import."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ()
    module, is_package = name_of(file), file.stem == "__init__"
    names = {name for node in _statements(tree.body) for name in _imported_names(node, module, is_package)}
    return tuple(sorted({found for name in names if (found := _find(name, file.parent))}))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a file, nested ones too, except those inside functions."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody", "handlers"):
                yield from _statements(getattr(node, part, []))


def _imported_names(node: ast.AST, module: str, is_package: bool) -> Iterator[str]:
    """
    Yield the modules that an import statement may load.

    `from a import b` may mean a module b of the package a, or a name in a: both are yielded. `import a.b` loads a too.
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
    if root.name in SITE_DIRS and top not in (*own, _PACKAGE.name):
        return None
    place = root.joinpath(*name.split("."))
    for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None
