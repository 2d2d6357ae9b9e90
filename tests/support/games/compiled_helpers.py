"""Internal functions of the rules, compiled for tests that call them from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from qwixx.jit import decorators

F = TypeVar("F", bound=Callable[..., Any])


def compiled_version(function: F) -> F:
    """Return the compiled version of a function, or the function itself if nothing is compiled."""
    if not decorators.COMPILES:
        return function
    from qwixx.jit.compiler import compiled_for_python  # noqa: PLC0415 - loads the compiler

    return compiled_for_python(function)  # type: ignore[no-any-return]  # it does the same
