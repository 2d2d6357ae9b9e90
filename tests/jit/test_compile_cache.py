"""The compile cache: compiled code is used only while all of its sources are unchanged."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import qwixx
from qwixx.jit import cache, decorators
from qwixx.jit.source_key import is_compiled, name_of, sources_of
from qwixx.kernel import crossing

PATIENCE = 60.0
"""Timeout of a test in seconds: a slow machine is not a failure, a process that waits for ever is."""
PACKAGE = Path(qwixx.__file__).parent
# Every worker collects this file, and reading is faster than parsing: a module that imports decorators names them.
MODULES = [
    file for file in sorted(PACKAGE.rglob("*.py")) if "decorators" in file.read_text("utf-8") and is_compiled(file)
]

USER = """
import helper
from qwixx.jit.decorators import eager_entry

@eager_entry
def twice(mask):
    return 2 * helper.rows(mask)

result = twice(0b1011)
print(result, "kept" if sum(twice.run.stats.cache_hits.values()) else "compiled")
"""
HELPER = """
from qwixx.kernel.game_end import count_rows
from qwixx.jit.decorators import kernel

@kernel
def rows(mask):
    return count_rows(mask)
"""


@pytest.fixture
def copied_package(tmp_path: Path) -> Path:
    """Copy the sources of the package, next to a user program that compiles its own function."""
    for file in PACKAGE.rglob("*"):
        if file.suffix in (".py", ".toml") and "web" not in file.parts:
            target = tmp_path / "qwixx" / file.relative_to(PACKAGE)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "helper.py").write_text(HELPER)
    return tmp_path


def run(copied_package: Path) -> str:
    """Run the program in its own process, with its own cache."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copied_package),
        "QWIXX_CACHE": str(copied_package / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, str(copied_package / "user.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def edit(file: Path, old: str, new: str) -> None:
    """Change a source file."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.slow
@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_an_edit_recompiles_its_users_only(copied_package: Path) -> None:
    """A program is compiled again after an edit two imports away, but not after one in a file it does not import.

    Three rows, twice, are six; counted from ten, 26; with one more row, 28.
    """
    assert run(copied_package) == "6 compiled"
    assert run(copied_package) == "6 kept"
    edit(
        copied_package / "qwixx" / "kernel" / "state" / "rng.py",
        "from __future__ import annotations",
        "from __future__ import annotations\n\nx = 1",
    )
    assert run(copied_package) == "6 kept"
    edit(copied_package / "qwixx" / "kernel" / "game_end.py", "count = 0", "count = 10")
    assert run(copied_package) == "26 compiled"
    edit(copied_package / "helper.py", "return count_rows(mask)", "return count_rows(mask) + 1")
    assert run(copied_package) == "28 compiled"
    assert run(copied_package) == "28 kept"


@pytest.mark.slow
@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_damaged_code_is_compiled_again(copied_package: Path) -> None:
    """A file that was cut short, emptied or changed is dropped; the next run compiles, and the one after it loads."""
    assert run(copied_package) == "6 compiled"
    folder = copied_package / "cache"

    def cut(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:200])

    def empty(path: Path) -> None:
        path.write_bytes(b"")

    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)

    for kind, damage in (("nbi", cut), ("nbi", empty), ("nbc", cut), ("nbc", empty), ("nbc", flip)):
        (file,) = folder.rglob(f"*.{kind}")
        damage(file)
        assert run(copied_package) == "6 compiled", (kind, damage.__name__)
        assert run(copied_package) == "6 kept"


def functions_of(module: ModuleType) -> list[Any]:
    """List the compiled functions of a module."""
    return [function for function in decorators.INLINE if function.__module__ == module.__name__]


def function_behind(thing: object) -> Any:
    """Return the function that is compiled for a name of a module; None if there is none."""
    plain = thing.function if isinstance(thing, decorators.Entry) else thing
    return plain if isinstance(plain, FunctionType) and plain in decorators.INLINE else None


def used_by(function: Any) -> set[Path]:
    """List the files of all compiled functions and modules that a compiled function names."""
    names, world = function.__code__.co_names, function.__globals__
    files = set()
    for thing in (world[name] for name in names if name in world):
        if isinstance(thing, ModuleType) and (thing.__file__ or "").startswith(str(PACKAGE)):
            files.add(Path(str(thing.__file__)))
            inside = (function_behind(vars(thing)[name]) for name in names if name in vars(thing))
            files |= {Path(found.__code__.co_filename) for found in inside if found}
        elif found := function_behind(thing):
            files.add(Path(found.__code__.co_filename))
    return files - {Path(str(decorators.__file__))}


@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_the_cache_key_contains_all_compiled_sources(file: Path) -> None:
    """The file of every compiled function that another one calls is part of the cache key of the caller."""
    functions = functions_of(import_module(name_of(file)))
    used = set().union(*(used_by(function) for function in functions))
    assert used <= set(sources_of(file))


def test_compiled_functions_have_different_names() -> None:
    """
    No two functions have the same name.

    Code from the cache comes from several processes. The linker takes functions of equal names and numbers for one, and
    the numbers start again in each process: one effect of a cross was once carried out as another.
    """
    code = (
        "import sys, importlib; from collections import Counter; from qwixx.jit import decorators\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "names = Counter(f'{each.__module__}.{each.__qualname__}' for each in decorators.INLINE)\n"
        "print([name for name, count in names.items() if count > 1], len(names))"
    )
    # A process of its own: other tests make functions, too.
    words = [sys.executable, "-c", code, *map(name_of, MODULES)]
    found = subprocess.run(words, env={**os.environ, "QWIXX_JIT": "0"}, capture_output=True, text=True, check=True)
    doubles, _, count = found.stdout.strip().rpartition(" ")
    assert doubles == "[]"
    assert int(count) > 200


def test_modules_with_compiled_functions_are_found() -> None:
    """The list of compiled modules contains the rules, and the names in a function are found."""
    assert PACKAGE / "kernel" / "paper.py" in used_by(crossing.score)
    assert PACKAGE / "kernel" / "paper.py" in MODULES
    assert len(MODULES) > 20


def test_names_and_relative_imports(tmp_path: Path) -> None:
    """A user's package is followed by full and by relative names; other files are not."""
    for name, text in {
        "__init__.py": "",
        "first.py": "from . import second\nfrom .inner.third import x\nimport numpy",
        "second.py": "import mine.fourth\ntry:\n    from qwixx.kernel.state import rng\nexcept ImportError:\n    pass",
        "fourth.py": "def f():\n    import mine.fifth",
        "fifth.py": "",
        "inner/__init__.py": "",
        "inner/third.py": "from ..second import y",
    }.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    found = {name_of(file) for file in sources_of(tmp_path / "mine" / "first.py")}
    own = {"mine", "mine.first", "mine.second", "mine.fourth", "mine.inner.third"}
    assert {name for name in found if not name.startswith("qwixx")} == own
    assert "qwixx.kernel.state.rng" in found
    assert "qwixx.kernel.paper" not in found


def test_code_without_a_file_is_not_cached() -> None:
    """Code that was typed in has no source file that could be checked."""
    assert cache.compiled_directory(Path("<string>").absolute()) is None


def test_old_compiled_code_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code of older sources of the same module is removed if it was not used for two months."""
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "mine.py"
    source.write_text("import math")
    os.utime(source, (0, 0))  # written before the rules were loaded
    base = tmp_path / "cache" / "compiled"
    for name, days in {
        "mine-aaaaaaaaaaaaaaaa": 61,
        "mine-bbbbbbbbbbbbbbbb": 59,
        "mine-else-aaaaaaaaaaaaaaaa": 61,
    }.items():
        (base / name).mkdir(parents=True)
        then = time.time() - days * 86400
        os.utime(base / name, (then, then))
    current = cache.compiled_directory(source)
    assert current is not None
    assert {folder.name for folder in base.iterdir()} == {
        current.name,
        "mine-bbbbbbbbbbbbbbbb",
        "mine-else-aaaaaaaaaaaaaaaa",
    }


@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_warm_is_a_matter_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is cold until it is marked; the mark applies to this part only."""
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path))
    (tmp_path / "compiled").mkdir()
    assert cache.is_uncached(PACKAGE / "sim")
    cache.mark_cached(PACKAGE / "sim")
    assert not cache.is_uncached(PACKAGE / "sim")
    assert cache.is_uncached()


@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_copies_with_equal_sources_share_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second clone is warm if the first one is; an edit makes it cold, a new time of a file does not."""
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path))
    (tmp_path / "compiled").mkdir()
    copies = [tmp_path / name / "qwixx" for name in ("first", "second", "edited")]
    for copy in copies:
        shutil.copytree(PACKAGE / "sim", copy / "sim")
        (copy / "__init__.py").touch()
    edit(copies[2] / "sim" / "fast_path.py", "from __future__", "# edited\nfrom __future__")
    cache.mark_cached(copies[0] / "sim")
    os.utime(copies[1] / "sim" / "fast_path.py", (1, 1))
    assert [cache.is_uncached(copy / "sim") for copy in copies] == [False, False, True]


SMALL = {
    *(
        "cell_of",
        "cost_unmarked",
        "has_more",
        "most_for_a_cell",
        "number_for_all",
        "place",
        "player",
        "player_of",
        "player_stream_seed",
        "position_of",
        "refuses",
        "row_of",
        "row_points",
        "seat_of",
        "tie_of",
        "to_kernel",
        "turns_of",
    ),
    "write_sheet",
}
"""Functions of the rules that are so small that Python calls them interpreted."""


@pytest.mark.slow
def test_python_calls_entries() -> None:
    """Functions that Python calls for more than a number are marked as entries; others would stay interpreted."""
    called = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.stem == "__main__":
            continue
        world = vars(import_module(name_of(file)))
        for node in _python_code(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called.add(_function(world.get(node.func.id)))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                holder = world.get(ast.unparse(node.func.value))
                called.add(_function(getattr(holder, node.func.attr, None)) if isinstance(holder, ModuleType) else None)
    assert {function.__name__ for function in called if function in decorators.INLINE} == SMALL


def _function(thing: object) -> Any:
    return thing if isinstance(thing, FunctionType) else None


def _python_code(tree: ast.Module) -> Iterator[ast.AST]:
    """Return the code outside the functions of the rules."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        marks = {ast.unparse(mark) for mark in getattr(node, "decorator_list", [])}
        if not marks & {"kernel", "inlined", "entry", "eager_entry"}:
            yield node
            waiting += ast.iter_child_nodes(node)


COMPILES_FOR_A_WHILE = """
import os, pathlib, time
from qwixx.precompile import Part

folder = pathlib.Path(os.environ["QWIXX_CACHE"])

def note(word):
    with (folder / "notes").open("a") as notes:
        notes.write(f"{word} {os.getpid()}\\n")

def use():
    note("begins")
    while not (folder / "go").exists():
        time.sleep(0.01)
    note("ends")

Part("kernel", "rules", use).warm()
"""


@pytest.mark.slow
@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_one_process_compiles_for_all_that_start_at_the_same_time(tmp_path: Path) -> None:
    """The others wait for it and use its result. If it is killed, one of them compiles."""
    notes = tmp_path / "notes"
    notes.touch()
    environment = {**os.environ, "QWIXX_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", COMPILES_FOR_A_WHILE]
    waiting = {process.pid: process for process in (subprocess.Popen(command, env=environment) for _ in range(3))}
    try:
        killed = next_compiling_process(notes, 1)
        waiting[killed].kill()
        waiting.pop(killed).wait()
        heir = next_compiling_process(notes, 2)
        (tmp_path / "go").touch()
        assert [process.wait(PATIENCE) for process in waiting.values()] == [0, 0]
    finally:
        for process in waiting.values():
            process.kill()
            process.wait()
    assert notes.read_text() == f"begins {killed}\nbegins {heir}\nends {heir}\n"


def next_compiling_process(notes: Path, count: int) -> int:
    """Wait until this many processes have started to compile; return the last of them."""
    end = time.monotonic() + PATIENCE
    while notes.read_text().count("\n") < count:
        assert time.monotonic() < end, "no process compiles"
        time.sleep(0.01)
    return int(notes.read_text().split()[-1])
