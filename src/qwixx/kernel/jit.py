"""
The one place that knows numba.

`@kernel` compiles a function of the rules. With `QWIXX_JIT=0`, or where numba is not installed, it hands the
function back as it is: the same source then runs interpreted, slower, with the same results bit for bit.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])


numba: Any
try:
    numba = import_module("numba")
except ImportError:
    numba = None

COMPILED: bool = numba is not None and os.environ.get("QWIXX_JIT", "1") != "0"
"""Whether the rules run compiled in this process."""

_KERNEL = Path(__file__).parent


@cache
def _source_key(room: Path) -> str:
    """
    Name compiled code after all sources it can come from: the kernel's and its own room's.

    Numba's own disk cache does not notice an edit in a function that another file calls, so an edit anywhere
    must lead to another cache directory.
    """
    digest = hashlib.sha256(sys.version.encode())
    for source in sorted({*_KERNEL.glob("*.py"), *room.glob("*.py")}):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_directory(room: Path = _KERNEL) -> Path | None:
    """Where the compiled functions of a room are kept between runs; None where nothing can be written."""
    root = os.environ.get("QWIXX_CACHE")
    base = Path(root) if root else user_cache_path("qwixx")
    directory = base / "compiled" / f"{room.name}-{_source_key(room)}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return directory if os.access(directory, os.W_OK) else None


_COMPLETE = "complete"
"""The file that says a room's cache holds everything its users need; without it a compilation was cut short."""


def is_cold(room: Path = _KERNEL) -> bool:
    """Whether the first to use a room, the first player of the kernel, will have to wait for the compiler."""
    directory = cache_directory(room) if COMPILED else None
    return COMPILED and (directory is None or not (directory / _COMPLETE).exists())


def mark_warm(room: Path = _KERNEL) -> None:
    """Note that everything the users of a room need has been compiled."""
    directory = cache_directory(room) if COMPILED else None
    if directory is not None:
        (directory / _COMPLETE).touch()


def _compile(function: F, inline: bool) -> F:
    directory = cache_directory(Path(function.__code__.co_filename).parent)
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
