"""
The decorators of the rules: what can be compiled, and when it is.

Every function of the rules is plain Python and stays callable as such; nothing here needs a compiler. `@kernel` and
`@inlined` mark functions that other such functions call. `@entry` marks one that Python calls for a game at a time: it
runs interpreted at once, and compiled as soon as that code has been loaded beside it (`kernel.takeover`). `@bulk` marks
one that Python calls for a lot of work: it is compiled before it runs, and says so if that takes a while.

Interpreted and compiled give the same results bit for bit, so nobody notices the change but by the clock.

QWIXX_JIT=0 keeps everything interpreted, as does an environment without numba; QWIXX_JIT=now compiles everything at
its first call.
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

F = TypeVar("F", bound=Callable[..., Any])

MODE: Final = os.environ.get("QWIXX_JIT", "1")
_OFF, _NOW = "0", "now"
HAS_COMPILER: Final = find_spec("numba") is not None
COMPILES: Final = HAS_COMPILER and MODE != _OFF
"""Whether anything is ever compiled in this process."""

LOADED: Final = time()
"""When the rules were loaded: what is written to their files later is not what runs here."""

INLINE: Final[dict[Callable[..., Any], bool]] = {}
"""Every function that can be compiled, and whether it is compiled into each of its callers."""
WHOLE: Final[set[Callable[..., Any]]] = set()
"""Those among them that are made into machine code on their own."""
WRITTEN: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}
"""By a function: the writing of it that is compiled, where that is another one."""
_PATIENCE: Final = 0.25
"""Seconds of interpreted rules after which compiled code pays for the time it takes to load."""
_SAMPLES: Final = 4
"""Kinds of arguments that an entry remembers, so that its code can be loaded before it is next called."""


def kernel(function: F) -> F:
    """Mark a function of the rules."""
    INLINE[function] = False
    return function


def inlined(function: F) -> F:
    """
    Mark a function of the rules that is compiled into each of its callers.

    For the short way that every decision takes: without calls between its parts it is twice as fast. Each
    caller pays with the time to compile it again, so nothing that is called from many places should be inlined.
    """
    INLINE[function] = True
    return function


def whole(function: F) -> F:
    """
    Mark a function of the rules that is made into machine code on its own, before those who call it are.

    For short loops over arrays, which the compiler makes into steps of many numbers at a time only where it meets
    them alone: within others it unrolls them first, and a product of a matrix takes five times as long.
    """
    INLINE[function] = False
    WHOLE.add(function)
    return function


def compiled_as(writing: Callable[..., Any]) -> Callable[[F], F]:
    """
    Mark a function that is compiled from another writing, which does the same to the bit.

    For the few whose loops the compiler likes, and which are much faster by whole rows where it is not there.
    """

    def mark(function: F) -> F:
        INLINE[function] = INLINE[writing]
        WRITTEN[function] = writing
        return function

    return mark


def entry(function: F) -> F:
    """Mark a function that Python calls for a game at a time: interpreted at first, compiled later."""
    INLINE[function] = False
    return Entry(function)  # type: ignore[return-value]  # called just like the function


def bulk(function: F) -> F:
    """Mark a function that Python calls for a lot of work: compiled before it runs."""
    INLINE[function] = False
    return Bulk(function)  # type: ignore[return-value]  # as above


class Entry:
    """A function as Python calls it: interpreted until its compiled code takes over."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Begin interpreted."""
        update_wrapper(self, function)
        self.function = function
        self.samples: dict[tuple[object, ...], tuple[object, ...]] = {}
        self.run: Callable[..., Any] = self._interpret if COMPILES else function
        ENTRIES.append(self)

    def __call__(self, *args: Any) -> Any:
        """Call it as it runs now."""
        return self.run(*args)

    def __reduce__(self) -> str:
        """Go to other processes by its name, as functions do."""
        return self.function.__qualname__

    def _interpret(self, *args: Any) -> Any:
        """Run interpreted, and remember what the arguments look like; or change over, if it is time."""
        if pace.is_over:
            return self._change_over(args)
        begun = perf_counter()
        try:
            return self.function(*args)
        finally:
            if len(self.samples) < _SAMPLES:
                self.samples.setdefault(*_sample(args))
            pace.spend(perf_counter() - begun)

    def _change_over(self, args: tuple[Any, ...]) -> Any:
        """Run compiled from now on, beginning with this call; let people see it if that takes a while."""
        from qwixx.kernel.waiting import prepare  # noqa: PLC0415 - loads the compiler

        prepare(self.function, args)
        return self.compile()(*args)

    def compile(self) -> Callable[..., Any]:
        """Run compiled from the next call on."""
        from qwixx.kernel.twins import twin_of  # noqa: PLC0415 - loads the compiler

        self.run = twin_of(self.function)
        return self.run


class Bulk(Entry):
    """A function for a lot of work, which is worth waiting for the compiler."""

    def _interpret(self, *args: Any) -> Any:
        """Compile first."""
        return self._change_over(args)


ENTRIES: Final[list[Entry]] = []
"""Everything that Python calls."""


def _sample(args: tuple[Any, ...]) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Give arguments of the same types that hold nothing, under a key of these types."""
    key = tuple((a.dtype, a.ndim, a.flags.writeable) if isinstance(a, np.ndarray) else type(a) for a in args)
    return key, tuple(_empty(a) if isinstance(a, np.ndarray) else a for a in args)


def _empty(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    like = np.zeros((0,) * array.ndim, array.dtype)
    like.flags.writeable = array.flags.writeable
    return like


class Pace:
    """How long games have been interpreted in this process, and what happens when it gets long."""

    def __init__(self) -> None:
        """Begin cold."""
        self.is_over = MODE == _NOW
        """Whether whatever is still interpreted should be compiled when it is next called."""
        self.begin_anew()

    def begin_anew(self) -> None:
        """Count from nothing."""
        self._spent = 0.0
        self._patience = _PATIENCE

    def spend(self, seconds: float) -> None:
        """Count interpreted time; when it has become long, have compiled code take over."""
        self._spent += seconds
        if self._spent > self._patience:
            self._patience = float("inf")
            from qwixx.kernel.takeover import begin  # noqa: PLC0415 - few programs get here

            with suppress(OSError, RuntimeError):  # no thread to be had, say: then it goes on as it is
                begin()


pace: Final = Pace()


def compile_now() -> None:
    """Compile everything from now on when it is first called: for whoever plays many games, or compiles ahead."""
    pace.is_over = COMPILES


def words_of(record: np.record, size: int) -> npt.NDArray[np.int32]:
    """Give the memory of a record as so many 32-bit numbers, to be read and written, whatever its fields are."""
    address: int = record.__array_interface__["data"][0]
    return np.ctypeslib.as_array((ctypes.c_int32 * size).from_address(address))


INLINE[words_of] = True
