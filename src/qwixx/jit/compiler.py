"""
Numba's front end: makes the compiled version of a function of the rules.

A function of the rules is plain Python, and so is every function that it calls. Its compiled version is the same code
in a copy of its module, in which every other such function is compiled too. So interpreted and compiled rules exist
side by side, and compiled code never calls interpreted code.
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

from qwixx.jit.cache import compiled_directory
from qwixx.jit.decorators import (
    ALTERNATIVE_SOURCES,
    COMPILED_SEPARATELY,
    ENTRIES,
    INLINE,
    Entry,
    as_int32_view,
    borrowed,
)

try:
    from qwixx.jit.cache_files import check_files
    from qwixx.jit.deferred import DEFERRED_OPTIONS, share_widths
except (ImportError, AttributeError):  # another version of numba with other internals
    DEFERRED_OPTIONS: dict[str, Any] = {}  # type: ignore[no-redef]  # then each function is optimised on its own, which takes longer

    def share_widths(function: Any) -> Any:
        """Leave a function as numba makes it."""
        return function

    check_files = share_widths


numba: Any = import_module("numba")  # numba has no type stubs
_events: Any = import_module("numba.core.event")
_caching: Any = import_module("numba.core.caching")

_lock = RLock()
_compiled: dict[Callable[..., Any], Any] = {}
_modules: dict[int, tuple[ModuleType, dict[str, Any]]] = {}
"""By the id of a module's globals: its compiled copy, and the globals themselves, so that the id stays theirs."""


def compiled(function: Callable[..., Any]) -> Any:
    """
    Return the compiled version of a function; it is compiled or loaded at its first call.

    Python may call the result only for entries (see `deferred`); for other functions use `compiled_for_python`.
    """
    with _lock:
        if function not in _compiled:
            bound = _bind_to_compiled(ALTERNATIVE_SOURCES.get(function, function))
            if function not in _compiled:  # copying its module may have compiled it already
                is_entry = any(entry.function is function for entry in ENTRIES)
                _compiled[function] = (
                    _compile_for_python(bound) if is_entry else _compile_for_compiled_callers(function, bound)
                )
        return _compiled[function]


def compiled_for_python(function: Callable[..., Any]) -> Any:
    """Return a compiled version of any function of the rules that Python can call."""
    with _lock:
        return _compile_for_python(_bind_to_compiled(ALTERNATIVE_SOURCES.get(function, function)))


def load(function: Callable[..., Any], args: tuple[object, ...]) -> None:
    """Compile or load a function for arguments of these types, without a call."""
    compiled(function).compile(tuple(numba.typeof(value) for value in args))


def callees_of(function: Callable[..., Any]) -> set[Callable[..., Any]]:
    """Return a function and all functions that are compiled with it: its callees, their callees, and so on."""
    callees: set[Callable[..., Any]] = set()
    pending = [function]
    while pending:
        each = pending.pop()
        each = ALTERNATIVE_SOURCES.get(each, each)
        if each in callees:
            continue
        callees.add(each)
        names, module_globals = each.__code__.co_names, each.__globals__
        things = [module_globals[name] for name in names if name in module_globals]
        things += [cell.cell_contents for cell in each.__closure__ or ()]
        for module in [thing for thing in things if isinstance(thing, ModuleType)]:
            things += [vars(module)[name] for name in names if name in vars(module)]
        pending += [plain for thing in things if (plain := _plain(thing)) in INLINE]
    return callees


@contextmanager
def compile_listener(began: Callable[[], None], ended: Callable[[], None]) -> Iterator[None]:
    """Call `began` and `ended` around each compilation inside this block; loading cached code does not count."""

    class Listener(_events.Listener):  # type: ignore[misc]  # as above
        def on_start(self, event: Any) -> None:
            began()

        def on_end(self, event: Any) -> None:
            ended()

    with _events.install_listener("numba:compile", Listener()):
        yield


def _plain(thing: object) -> Any:
    """Return the function of an entry, a plain function itself, and None for anything else."""
    return thing.function if isinstance(thing, Entry) else thing if isinstance(thing, FunctionType) else None


def _bind_to_compiled(function: Callable[..., Any]) -> Any:
    """Return a copy of a function that refers to the compiled versions of all functions of the rules."""
    assert isinstance(function, FunctionType)
    closure = tuple(CellType(_compiled_or_same(cell.cell_contents)) for cell in function.__closure__ or ())
    bound = FunctionType(
        function.__code__,
        vars(_compiled_module(function.__globals__)),
        function.__name__,
        function.__defaults__,
        closure or None,
    )
    bound.__kwdefaults__ = function.__kwdefaults__
    bound.__qualname__ = function.__qualname__
    return bound


def _compiled_or_same(value: Any) -> Any:
    if isinstance(value, ModuleType):
        is_ours = any(_plain(inside) in INLINE for inside in vars(value).values())
        return _compiled_module(vars(value)) if is_ours else value
    plain = _plain(value)
    return compiled(plain) if plain in INLINE else value


def _compiled_module(module_globals: dict[str, Any]) -> ModuleType:
    """Copy a module with compiled functions; register it before it is filled, as modules may refer to each other."""
    if id(module_globals) not in _modules:
        copy = ModuleType(module_globals["__name__"])
        _modules[id(module_globals)] = copy, module_globals
        for name, value in list(module_globals.items()):
            vars(copy)[name] = _compiled_or_same(value)
    return _modules[id(module_globals)][0]


def _compile_for_compiled_callers(function: Any, bound: Any) -> Any:
    """Compile a function that only compiled code calls."""
    if ALTERNATIVE_SOURCES.get(function, function) in COMPILED_SEPARATELY:
        return share_widths(numba.njit(nogil=True, error_model="numpy")(bound))
    return _compile_deferred(bound, inline=INLINE[function])


def _compile_deferred(function: Any, inline: bool) -> Any:
    """Compile a function only as far as its compiled callers need it (see `deferred`)."""
    return share_widths(numba.njit(nogil=True, error_model="numpy", forceinline=inline, **DEFERRED_OPTIONS)(function))


class SharedLocator(_caching.UserProvidedCacheLocator):  # type: ignore[misc]  # as above
    """Lets all copies of the package share compiled code: its folder is named after the contents of its sources."""

    def __init__(self, function: Any, file: str) -> None:
        """Leave out the path of the copy, which numba adds."""
        super().__init__(function, file)
        self._cache_path = numba.config.CACHE_DIR

    def get_source_stamp(self) -> str:
        """Return the same stamp for all copies: the folder's name has a key of all sources."""
        return ""


_LOCATOR = f"{SharedLocator.__module__}.{SharedLocator.__qualname__}"


def _compile_for_python(function: Any) -> Any:
    """Compile a function that Python calls, and cache it on disk."""
    directory = compiled_directory(Path(function.__code__.co_filename).absolute())
    # Numba reads these settings while it decorates; restore the caller's right after.
    config = numba.config
    previous = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = ("", "") if directory is None else (str(directory), _LOCATOR)
    try:
        made = numba.njit(cache=directory is not None, nogil=True, error_model="numpy")(function)
        return made if directory is None else check_files(made)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = previous


# ---- a record as an array of 32-bit integers


def _address(_context: Any, record: Any) -> Any:
    """Generate code that returns the address of a record."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], import_module("numba.core.cgutils").voidptr_t)

    return import_module("numba.core.types").voidptr(record), generate


_address_of = import_module("numba.extending").intrinsic(_address)
_carray = numba.carray


def _int32_view(record: np.record, size: int) -> npt.NDArray[np.int32]:
    return _carray(_address_of(record), (size,), np.int32)  # type: ignore[no-any-return]  # numba has no types


_compiled[as_int32_view] = _compile_deferred(_int32_view, inline=True)


# ---- arrays without reference counts


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Generate code that clears the owner of an array, or of every array in a tuple."""
    types: Any = import_module("numba.core.types")
    if isinstance(kind, types.BaseTuple):
        members = [
            _without_owner(context, builder, member, builder.extract_value(value, at))
            for at, member in enumerate(kind.types)
        ]
        return context.make_tuple(builder, kind, members)
    if not isinstance(kind, types.Array):
        return value
    array = context.make_array(kind)(context, builder, value)
    array.meminfo = import_module("numba.core.cgutils").get_null_value(array.meminfo.type)
    return array._getvalue()


def _borrowed(_context: Any, arguments: Any) -> Any:
    """Generate code for `borrowed`."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _without_owner(context, builder, signature.args[0], values[0])

    return arguments(arguments), generate


_compiled[borrowed] = import_module("numba.extending").intrinsic(_borrowed)
