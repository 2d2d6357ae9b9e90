"""
The one place that knows numba.

`@kernel` compiles a function of the rules. With `QWIXX_JIT=0`, or where numba is not installed, it hands the
function back as it is: the same source then runs interpreted, slower, with the same results bit for bit.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from qwixx.kernel.sources import is_compiled, name_of, source_key, sources_of
from qwixx.places import cache_directory

F = TypeVar("F", bound=Callable[..., Any])


numba: Any
try:
    numba = import_module("numba")
except ImportError:
    numba = None

COMPILED: bool = numba is not None and os.environ.get("QWIXX_JIT", "1") != "0"
"""Whether the rules run compiled in this process."""

_KERNEL = Path(__file__).parent
_KEY_LETTERS = 16
_STALE_DAYS = 60
"""Compiled code of other sources is kept so long after its last use: another version of the package may be using it."""
_DAY = 86400.0


def _versions() -> str:
    """Name the compiler: other versions make other code. Numba itself tells processors apart."""
    llvm = getattr(sys.modules.get("llvmlite"), "__version__", "")
    return f"{sys.version} {getattr(numba, '__version__', '')} {llvm}"


def _key(files: tuple[Path, ...]) -> str:
    return hashlib.sha256(f"{_versions()} {source_key(files)}".encode()).hexdigest()[:_KEY_LETTERS]


def _base() -> Path:
    return cache_directory() / "compiled"


@cache
def compiled_directory(file: Path) -> Path | None:
    """
    Where the compiled functions of a module are kept between runs, by its sources and all that it imports.

    None where nothing can be written, or where the module has no source file: then it is compiled in every run.
    """
    files = sources_of(file)
    if not files:
        return None
    directory = _base() / f"{name_of(file)}-{_key(files)}"
    try:
        if not directory.exists():
            directory.mkdir(parents=True, exist_ok=True)
            _remove_stale(directory)
        elif time.time() - directory.stat().st_mtime > _DAY:
            os.utime(directory)  # still in use
    except OSError:
        return None
    return directory if os.access(directory, os.W_OK) else None


def _remove_stale(current: Path) -> None:
    """Remove what other sources of the same module left behind, if nobody has used it for a long time."""
    name = current.name[: -_KEY_LETTERS - 1]
    for other in current.parent.glob(f"{name}-{'?' * _KEY_LETTERS}"):
        if other != current and time.time() - other.stat().st_mtime > _STALE_DAYS * _DAY:
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink(missing_ok=True)


def _mark(parts: tuple[Path, ...]) -> Path:
    """Name the file that says that all compiled code of some parts is there, as their sources are now."""
    modules = (file for part in parts for file in part.rglob("*.py") if is_compiled(file))
    files = tuple(sorted({source for module in modules for source in sources_of(module)}))
    return _base() / f"complete-{'-'.join(part.name for part in parts)}-{_key(files)}"


def is_cold(*parts: Path) -> bool:
    """Whether the first to use some parts, the kernel if none are named, will have to wait for the compiler."""
    return COMPILED and not _mark(parts or (_KERNEL,)).exists()


def mark_warm(*parts: Path) -> None:
    """Note that everything the users of some parts need has been compiled."""
    if COMPILED:
        mark = _mark(parts or (_KERNEL,))
        with contextlib.suppress(OSError):
            mark.touch()
            _remove_stale(mark)


def _compile(function: F, inline: bool) -> F:
    directory = compiled_directory(Path(function.__code__.co_filename).absolute())
    # Numba reads its cache directory while it decorates; put the caller's own setting back right after.
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if directory is None else str(directory)
    try:
        compiled: F = numba.njit(cache=directory is not None, nogil=True, error_model="numpy", forceinline=inline)(
            function
        )
    finally:
        numba.config.CACHE_DIR = previous
    return compiled


def kernel(function: F) -> F:
    """Compile a function of the rules, or leave it as it is."""
    return _compile(function, inline=False) if COMPILED else function


def inlined(function: F) -> F:
    """
    Compile a function of the rules into each of its callers, or leave it as it is.

    For the short way that every decision takes: without calls between its parts it is twice as fast. Each
    caller pays with the time to compile it again, so nothing that is called from many places should be inlined.
    """
    return _compile(function, inline=True) if COMPILED else function


# ---- a record as a list of numbers


def _address(_context: Any, record: Any) -> Any:
    """Tell the compiler how to find where a record stands in memory."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], import_module("numba.core.cgutils").voidptr_t)

    return import_module("numba.core.types").voidptr(record), generate


if COMPILED:
    _address_of = import_module("numba.extending").intrinsic(_address)
    _carray = numba.carray

    def _words(record: np.record, size: int) -> npt.NDArray[np.int32]:
        return _carray(_address_of(record), (size,), np.int32)  # type: ignore[no-any-return]  # numba has no types

    _words_of = inlined(_words)
else:

    def _words_of(record: np.record, size: int) -> npt.NDArray[np.int32]:
        address: int = record.__array_interface__["data"][0]
        return np.ctypeslib.as_array((ctypes.c_int32 * size).from_address(address))


words_of = _words_of
"""Give the memory of a record as so many 32-bit numbers, to be read and written, whatever its fields are."""
