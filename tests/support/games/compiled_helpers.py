"""Compiled code for tests: internal functions that tests call from Python, and caches that share what is compiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from qwixx.base.user_dirs import cache_directory
from qwixx.jit import decorators

F = TypeVar("F", bound=Callable[..., Any])


def compiled_version(function: F) -> F:
    """Return the compiled version of a function, or the function itself if nothing is compiled."""
    if not decorators.COMPILES:
        return function
    from qwixx.jit.compiler import compiled_for_python  # noqa: PLC0415 - loads the compiler

    return compiled_for_python(function)  # type: ignore[no-any-return]  # it does the same


def own_cache(cache: Path) -> Path:
    """Make an empty cache that contains only the compiled code of all tests; set QWIXX_CACHE to it afterwards.

    For tests that need their own solved tables. With a completely empty cache each of them would compile the solver.
    """
    compiled = cache_directory() / "compiled"
    compiled.mkdir(parents=True, exist_ok=True)
    cache.mkdir(exist_ok=True)
    (cache / "compiled").symlink_to(compiled, target_is_directory=True)
    return cache
