"""
Compiled code without the compiler: a shared library of all entries, which `build_library` writes ahead of time.

A container has the library and no numba, which saves 200 MB on disk and most of a process's memory. Each entry has one
function in the library, for the types of arguments that the package uses. Such a function reads the addresses of arrays
out of the Python objects. The code is that of numba, and so are the results.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

PATH: Final = Path(__file__).with_name("compiled.so")
"""Where the library is, if there is one."""
_PACKAGE = Path(__file__).parents[1]


def key() -> str:
    """Return a hash of the sources, the processor's kind and the version of Python: a library is for these only."""
    digest = hashlib.sha256(f"{platform.machine()} {sys.version_info[:2]} {np.__version__.split('.')[0]}".encode())
    for folder in ("jit", "kernel", "players", "coach", "nets", "solver", "sim"):
        for file in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def symbol_of(function: Callable[..., Any]) -> str:
    """Return the name of a function in the library."""
    return f"{function.__module__}.{function.__qualname__}"


def open_library() -> Library | None:
    """Open the library, if there is one for these sources."""
    try:
        library = ctypes.PyDLL(str(PATH))
        is_ours = _text(library, "key") == key()
    except (OSError, ValueError):
        return None
    return Library(library) if is_ours else None


def _text(library: ctypes.PyDLL, name: str) -> str:
    """Read a text with a zero at its end."""
    return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, name))).decode()


class Library:
    """The functions of the library."""

    def __init__(self, library: ctypes.PyDLL) -> None:
        """Wrap an open library."""
        self._library = library

    def find(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the compiled form of a function, or the function itself if it is not in the library."""
        name = symbol_of(function)
        try:
            compiled = self._library[name]
        except AttributeError:
            return function
        result, *arguments = _text(self._library, f"{name}:types").split()
        compiled.restype = _RESULTS[result]
        kinds: list[Any] = [_NUMBERS[word] if word in _NUMBERS else _Array(word) for word in arguments]
        compiled.argtypes = kinds

        def call(*args: Any) -> Any:
            try:
                return compiled(*args)
            except ctypes.ArgumentError:  # not the types that it was compiled for
                return function(*args)

        def call_with_tuples(*args: Any) -> Any:
            try:
                return compiled(*_flat(args))
            except ctypes.ArgumentError:
                return function(*args)

        return call_with_tuples if len(arguments) > function.__code__.co_argcount else call


def _flat(args: tuple[Any, ...]) -> list[Any]:
    """Return the arguments with the members of named tuples in place of the tuples."""
    return [part for each in args for part in (_flat(each) if isinstance(each, tuple) else (each,))]


class _Number:
    """An argument that is passed as this type of C."""

    def __init__(self, kind: type[Any], convert: Callable[[Any], Any]) -> None:
        self._kind, self._convert = kind, convert

    def from_param(self, value: Any) -> Any:
        """Convert a number of Python or NumPy."""
        return self._kind(self._convert(value))


def _integer(value: Any) -> int:
    return int(value.__index__())


_RESULTS: Final[dict[str, Any]] = {
    "none": None,
    "bool": ctypes.c_bool,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float64": ctypes.c_double,
}
_NUMBERS: Final[dict[str, Any]] = {
    "int64": _Number(ctypes.c_int64, _integer),
    "uint64": _Number(ctypes.c_uint64, _integer),
    "float64": _Number(ctypes.c_double, float),
    "bool": _Number(ctypes.c_bool, bool),
    "none": ctypes.c_void_p,
}


class _Array:
    """An array with this number of dimensions and this type of elements, in C order."""

    def __init__(self, word: str) -> None:
        dimensions, self._is_writeable, size, self._kind = _parse(word)
        self._dimensions, self._size = dimensions, size

    def from_param(self, value: Any) -> Any:
        """Check an array, and pass it as an object."""
        if type(value) is not np.ndarray or value.ndim != self._dimensions:
            raise TypeError
        kind, flags = value.dtype, value.flags
        if kind.kind != self._kind or kind.itemsize != self._size or not flags.c_contiguous:
            raise TypeError
        if self._is_writeable and not flags.writeable:
            raise TypeError
        return ctypes.py_object(value)


def word_of(dimensions: int, is_writeable: bool, dtype: np.dtype[Any]) -> str:
    """Return a word for an array in the description of a function."""
    return f"{dimensions}{'w' if is_writeable else 'r'}{dtype.itemsize}{dtype.kind}"


def _parse(word: str) -> tuple[int, bool, int, str]:
    return int(word[0]), word[1] == "w", int(word[2:-1]), word[-1]
