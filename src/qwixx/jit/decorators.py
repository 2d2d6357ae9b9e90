"""
The decorators of the rules: which functions can be compiled, and when they are.

Every function of the rules is plain Python and stays callable as such; nothing here needs a compiler. `@kernel` and
`@inlined` mark functions that other such functions call. `@entry` marks a function that Python calls for one game: it
runs interpreted at first, and compiled as soon as a background thread has loaded that code (`jit.tiering`).
`@eager_entry` marks a function that Python calls for a long job: it is compiled before its first call, with a progress
line if that takes a while.

Interpreted and compiled code give the same results bit for bit; only the speed differs.

QWIXX_JIT=0 keeps everything interpreted, and so does an environment without numba, unless it has a library of compiled
code (`jit.library`). QWIXX_JIT=now compiles every entry at its first call.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from importlib.util import find_spec
from time import perf_counter, time
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from qwixx.jit.library import open_library

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

MODE: Final = os.environ.get("QWIXX_JIT", "1")
_OFF, _NOW = "0", "now"
HAS_COMPILER: Final = find_spec("numba") is not None
COMPILES: Final = HAS_COMPILER and MODE != _OFF
"""Whether anything is ever compiled in this process."""
LIBRARY: Final = open_library() if MODE != _OFF and not HAS_COMPILER else None
"""Code that was compiled ahead of time, where there is no compiler."""
RUNS_COMPILED: Final = COMPILES or LIBRARY is not None
"""Whether this process runs compiled code, sooner or later."""

LOADED_AT: Final = time()
"""When the rules were loaded: later edits of their files are not in the code of this process."""

INLINE: Final[dict[Callable[..., Any], bool]] = {}
"""Every function that can be compiled, and whether it is compiled into each of its callers."""
COMPILED_SEPARATELY: Final[set[Callable[..., Any]]] = set()
"""Those of them that are compiled to machine code on their own, not as part of their callers."""
ALTERNATIVE_SOURCES: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}
"""By a function: the other implementation that is compiled in its place."""
INTERPRET_SECONDS: Final = 0.25
"""Seconds of interpreted rules after which compiled code is worth the time to load it."""
_MAX_SAMPLES: Final = 4
"""Signatures that an entry remembers, so that a background thread can load the code for them."""


def kernel(function: F) -> F:
    """Mark a function of the rules."""
    INLINE[function] = False
    return function


def inlined(function: F) -> F:
    """
    Mark a function of the rules that is compiled into each of its callers.

    For the fast path of every decision: without calls between its functions it is twice as fast. The function is
    compiled again for each caller, so do not inline a function that has many callers.
    """
    INLINE[function] = True
    return function


def compiled_separately(function: F) -> F:
    """
    Mark a function of the rules that is compiled to machine code on its own, before its callers.

    For short loops over arrays, which the compiler vectorizes only in a function of their own. Inside a caller it
    unrolls them first, and a matrix product takes five times as long.
    """
    INLINE[function] = False
    COMPILED_SEPARATELY.add(function)
    return function


def compiled_from(alternative: Callable[..., Any]) -> Callable[[F], F]:
    """
    Mark a function that is compiled from another implementation with the same results bit for bit.

    For the few functions that are fast as loops when compiled, and as NumPy operations on whole rows when interpreted.
    """

    def mark(function: F) -> F:
        INLINE[function] = INLINE[alternative]
        ALTERNATIVE_SOURCES[function] = alternative
        return function

    return mark


def entry(function: F) -> F:
    """Mark a function that Python calls for one game: interpreted at first, compiled later."""
    INLINE[function] = False
    return Entry(function)  # type: ignore[return-value]  # has the same call signature


def eager_entry(function: F) -> F:
    """Mark a function that Python calls for a long job: compiled before its first call."""
    INLINE[function] = False
    return EagerEntry(function)  # type: ignore[return-value]  # as above


class Entry:
    """A function that Python calls: interpreted until its compiled code is loaded."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Start interpreted."""
        update_wrapper(self, function)
        self.function = function
        self.samples: dict[tuple[object, ...], tuple[object, ...]] = {}
        self.run: Callable[..., Any] = self._interpret if COMPILES else self._find_in_library if LIBRARY else function
        ENTRIES.append(self)

    def __call__(self, *args: Any) -> Any:
        """Call the current implementation."""
        return self.run(*args)

    def __reduce__(self) -> str:
        """Pickle by name, as functions do."""
        return self.function.__qualname__

    def _find_in_library(self, *args: Any) -> Any:
        """Run the code of the library from this call on."""
        assert LIBRARY is not None
        self.run = LIBRARY.find(self.function)
        return self.run(*args)

    def _interpret(self, *args: Any) -> Any:
        """Run interpreted and remember the types of the arguments; or switch, if interpreting has ended."""
        if interpret_budget.has_ended:
            return self._switch_to_compiled(args)
        started = perf_counter()
        try:
            return self.function(*args)
        finally:
            if len(self.samples) < _MAX_SAMPLES:
                self.samples.setdefault(*_sample(args))
            interpret_budget.consume(perf_counter() - started)

    def _switch_to_compiled(self, args: tuple[Any, ...]) -> Any:
        """Run compiled from this call on; show the progress if compiling takes a while."""
        from qwixx.jit.progress import load_with_progress  # noqa: PLC0415 - loads the compiler

        load_with_progress(self.function, args)
        return self.compile()(*args)

    def make_eager(self) -> None:
        """Compile before the next call, unless that is done."""
        if self.run == self._interpret:
            self.run = self._compile_first

    def _compile_first(self, *args: Any) -> Any:
        return self._switch_to_compiled(args)

    def compile(self) -> Callable[..., Any]:
        """Switch to the compiled code for all later calls, and return it."""
        from qwixx.jit.compiler import compiled  # noqa: PLC0415 - loads the compiler

        self.run = compiled(self.function)
        return self.run


class EagerEntry(Entry):
    """A function for a long job, which is worth the wait for the compiler."""

    def _interpret(self, *args: Any) -> Any:
        """Compile before the first call."""
        return self._switch_to_compiled(args)


ENTRIES: Final[list[Entry]] = []
"""All functions of the rules that Python calls."""


def _sample(args: tuple[Any, ...]) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return a key of the argument types, and empty arguments of these types."""
    return tuple(_kind(argument) for argument in args), tuple(_empty(argument) for argument in args)


def _kind(argument: Any) -> object:
    """Return a key of the type of an argument; a named tuple has the types of its members."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.writeable
    return type(argument), *(_kind(member) for member in (argument if isinstance(argument, tuple) else ()))


def _empty(argument: Any) -> Any:
    """Return an argument of the same type, without the contents of arrays."""
    if isinstance(argument, tuple):
        members = [_empty(member) for member in argument]
        return argument._make(members) if hasattr(argument, "_make") else tuple(members)
    if not isinstance(argument, np.ndarray):
        return argument
    empty = np.zeros((0,) * argument.ndim, argument.dtype)
    empty.flags.writeable = argument.flags.writeable
    return empty


class InterpretBudget:
    """The time that this process may spend in interpreted rules before it starts the background compiler."""

    def __init__(self) -> None:
        """Start with the full budget; with QWIXX_JIT=now with none."""
        self.has_ended = MODE == _NOW
        """Whether every entry that is still interpreted switches to compiled code at its next call."""
        self.reset()

    def reset(self) -> None:
        """Restore the full budget."""
        self._spent = 0.0
        self._limit = INTERPRET_SECONDS

    def lift(self) -> None:
        """Let the program interpret as much as it likes: it starts the background compiler itself."""
        self._limit = float("inf")

    def consume(self, seconds: float) -> None:
        """Count interpreted time; when the budget is used up, start the background compiler."""
        self._spent += seconds
        if self._spent > self._limit:
            self._limit = float("inf")
            from qwixx.jit.tiering import start_background_compile  # noqa: PLC0415 - few programs get here

            with suppress(OSError, RuntimeError):  # for example no more threads: then it stays interpreted
                start_background_compile()


interpret_budget: Final = InterpretBudget()


def compile_now() -> None:
    """Compile every entry at its next call: for programs that play many games, or compile ahead of time."""
    interpret_budget.has_ended = COMPILES


def make_eager(*entries: Callable[..., Any]) -> None:
    """Compile some entries before their next calls, for a long job with functions that usually answer one question."""
    for each in entries:
        assert isinstance(each, Entry)
        each.make_eager()


def as_int32_view(record: np.record, size: int) -> npt.NDArray[np.int32]:
    """Return the memory of a record as a writable array of `size` 32-bit integers."""
    address: int = record.__array_interface__["data"][0]
    return np.ctypeslib.as_array((ctypes.c_int32 * size).from_address(address))


INLINE[as_int32_view] = True


def borrowed(arguments: T) -> T:
    """
    Return the same array, or the same tuple of arrays, without reference counts in compiled code.

    For entries that pass a named tuple of arrays on: compiled code would count every pass and every access, and an
    atomic counter costs as much as ten operations. The caller of the entry holds the arrays meanwhile.
    """
    return arguments


INLINE[borrowed] = True
