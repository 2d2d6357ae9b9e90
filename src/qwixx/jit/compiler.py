"""
The one place that knows numba: compiled twins of the functions of the rules.

A function of the rules is plain Python, and so are all that it calls. Its twin is the same code, compiled, in a copy
of its module in which every other such function is a twin too. So the interpreted rules and the compiled ones live side
by side and never meet halfway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from qwixx.kernel.jit import ENTRIES, INLINE, WHOLE, WRITTEN, Entry, words_of
from qwixx.kernel.kept import compiled_directory

try:
    from qwixx.kernel.parts import AS_A_PART
except (ImportError, AttributeError):  # another version of numba, which is made differently inside
    AS_A_PART: dict[str, Any] = {}  # type: ignore[no-redef]  # then each part is compiled whole, which takes longer

numba: Any = import_module("numba")  # its types are not meant for others
_events: Any = import_module("numba.core.event")

_lock = RLock()
_twins: dict[Callable[..., Any], Any] = {}
_modules: dict[int, tuple[ModuleType, dict[str, Any]]] = {}
"""By the address of a module's globals: its copy, and the globals themselves, which keep their address that way."""


def twin_of(function: Callable[..., Any]) -> Any:
    """
    Give the compiled twin of a function; it is compiled, or loaded, when it is called.

    Python may call the twins of entries only (`parts`); see `twin_for_python`.
    """
    with _lock:
        if function not in _twins:
            twin = _in_twin_world(WRITTEN.get(function, function))
            if function not in _twins:  # the copy of its module, once made, has it already
                is_entry = any(entry.function is function for entry in ENTRIES)
                _twins[function] = _compile(twin) if is_entry else _compile_for_others(function, twin)
        return _twins[function]


def twin_for_python(function: Callable[..., Any]) -> Any:
    """Give a compiled twin that Python can call of any function of the rules."""
    with _lock:
        return _compile(_in_twin_world(WRITTEN.get(function, function)))


def load(function: Callable[..., Any], args: tuple[object, ...]) -> None:
    """Have the code for such arguments ready, without calling the function."""
    twin_of(function).compile(tuple(numba.typeof(value) for value in args))


def within(function: Callable[..., Any]) -> set[Callable[..., Any]]:
    """List a function and all that are compiled for it: those it calls, those they call, and so on."""
    found: set[Callable[..., Any]] = set()
    waiting = [function]
    while waiting:
        each = waiting.pop()
        each = WRITTEN.get(each, each)
        if each in found:
            continue
        found.add(each)
        names, world = each.__code__.co_names, each.__globals__
        things = [world[name] for name in names if name in world]
        things += [cell.cell_contents for cell in each.__closure__ or ()]
        for module in [thing for thing in things if isinstance(thing, ModuleType)]:
            things += [vars(module)[name] for name in names if name in vars(module)]
        waiting += [plain for thing in things if (plain := _plain(thing)) in INLINE]
    return found


@contextmanager
def watched(began: Callable[[], None], ended: Callable[[], None]) -> Iterator[None]:
    """Call somebody whenever a function begins and ends to be compiled; loading one that was kept does not count."""

    class Listener(_events.Listener):  # type: ignore[misc]  # as above
        def on_start(self, event: Any) -> None:
            began()

        def on_end(self, event: Any) -> None:
            ended()

    with _events.install_listener("numba:compile", Listener()):
        yield


def _plain(thing: object) -> Any:
    """Give the function behind something that may be an entry; something that cannot be one as it is."""
    return thing.function if isinstance(thing, Entry) else thing if isinstance(thing, FunctionType) else None


def _in_twin_world(function: Callable[..., Any]) -> Any:
    """Give the same function with twins for all others of its kind that it names."""
    assert isinstance(function, FunctionType)
    closure = tuple(CellType(_twin_or_same(cell.cell_contents)) for cell in function.__closure__ or ())
    world = _twin_world(function.__globals__)
    twin = FunctionType(function.__code__, world, function.__name__, function.__defaults__, closure or None)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__ = function.__qualname__
    return twin


def _twin_world(world: dict[str, Any]) -> dict[str, Any]:
    """Copy the globals of a module, with twins in the place of functions of the rules and copies of their modules."""
    return vars(_twin_module(world))


def _twin_or_same(value: Any) -> Any:
    if isinstance(value, ModuleType):
        is_ours = any(_plain(inside) in INLINE for inside in vars(value).values())
        return _twin_module(vars(value)) if is_ours else value
    plain = _plain(value)
    return twin_of(plain) if plain in INLINE else value


def _twin_module(world: dict[str, Any]) -> ModuleType:
    """Make the copy of a module; it is known before it is filled, since modules may name one another."""
    if id(world) not in _modules:
        copy = ModuleType(world["__name__"])
        _modules[id(world)] = copy, world
        for name, value in list(world.items()):
            vars(copy)[name] = _twin_or_same(value)
    return _modules[id(world)][0]


def _compile_for_others(function: Any, twin: Any) -> Any:
    """Compile what only compiled code calls."""
    if WRITTEN.get(function, function) in WHOLE:
        return numba.njit(nogil=True, error_model="numpy")(twin)
    return _compile_part(twin, inline=INLINE[function])


def _compile_part(function: Any, inline: bool) -> Any:
    """Compile a function as far as those who call it need it."""
    return numba.njit(nogil=True, error_model="numpy", forceinline=inline, **AS_A_PART)(function)


def _compile(function: Any) -> Any:
    """Compile what Python calls, and keep it."""
    directory = compiled_directory(Path(function.__code__.co_filename).absolute())
    # Numba reads its cache directory while it decorates; put the caller's own setting back right after.
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if directory is None else str(directory)
    try:
        return numba.njit(cache=directory is not None, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = previous


# ---- a record as a list of numbers


def _address(_context: Any, record: Any) -> Any:
    """Tell the compiler how to find where a record stands in memory."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], import_module("numba.core.cgutils").voidptr_t)

    return import_module("numba.core.types").voidptr(record), generate


_address_of = import_module("numba.extending").intrinsic(_address)
_carray = numba.carray


def _words(record: np.record, size: int) -> npt.NDArray[np.int32]:
    return _carray(_address_of(record), (size,), np.int32)  # type: ignore[no-any-return]  # numba has no types


_twins[words_of] = _compile_part(_words, inline=True)
