"""
Deferred compilation of functions that only compiled functions call.

Numba optimises each function on its own, together with everything that it calls: a function ten calls deep is optimised
ten times. Deferred functions stop before that step, as code that can be linked into others. The function that Python
calls is then optimised once, with all deferred functions inside.
"""

from __future__ import annotations

from importlib import import_module
from itertools import count
from typing import Any, Final

_codegen: Any = import_module("numba.core.codegen")  # numba has no type stubs
_compiler: Any = import_module("numba.core.compiler")
_types: Any = import_module("numba.core.types")
_lower_cast: Any = import_module("numba.core.imputils").lower_cast
_numbers = count()


class _NoEnvironmentManager:
    """Ignores the environment of a function that Python never calls."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""


class _DeferredLibrary(_codegen.JITCodeLibrary):  # type: ignore[misc]  # as above
    """The code of a deferred function: it can be linked into others, but has no machine code."""

    @property
    def codegen(self) -> _NoEnvironmentManager:
        """Return a stand-in that registers nothing."""
        return _NoEnvironmentManager()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the null pointer: there is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class DeferredCompiler(_compiler.Compiler):  # type: ignore[misc]  # as above
    """Compiles functions as deferred code."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        """Store the code in a deferred library."""
        super().__init__(
            typingctx, targetctx, _DeferredLibrary(targetctx.codegen(), f"deferred-{next(_numbers)}"), *rest
        )


DEFERRED_OPTIONS: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": DeferredCompiler,
}
"""The options of `numba.njit` for a deferred function."""


def share_widths(function: Any) -> Any:
    """
    Compile a function once for integers of every width, and once for arrays inside and outside of records.

    Numba compiles a function for each combination of argument types. An `int32` from a record, an `int64` and every
    constant are different types, and half of the compiler's time went into such copies. Numba widens integers to 64
    bits before every operation, so a function that receives them wide computes the same. An array in a record has a
    type of its own, and the same form in memory as any other array.
    """
    compiler = function._compiler
    fold = compiler.fold_argument_types

    def fold_wide(args: Any, kws: Any) -> tuple[Any, tuple[Any, ...]]:
        signature, folded = fold(args, kws)
        return signature, tuple(_widen(kind) for kind in folded)

    compiler.fold_argument_types = fold_wide
    return function


def _widen(kind: Any) -> Any:
    """Return the type of 64 bits for an integer type, and the plain type for constants and for arrays in records."""
    if isinstance(kind, _types.NestedArray):
        return _types.Array(kind.dtype, kind.ndim, "C")
    plain = _types.unliteral(kind) if isinstance(kind, _types.IntegerLiteral | _types.BooleanLiteral) else kind
    if not isinstance(plain, _types.Integer):
        return plain
    return _types.int64 if plain.signed else _types.uint64


def _same_array(_context: Any, _builder: Any, _from: Any, _to: Any, value: Any) -> Any:
    """Generate no code: both types have the same form in memory."""
    return value


_lower_cast(_types.NestedArray, _types.Array)(_same_array)
