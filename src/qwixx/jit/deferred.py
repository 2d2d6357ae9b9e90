"""
Compiled code of functions that only compiled functions call.

Numba makes each function it meets into machine code of its own, with all that it calls inside: a function ten calls
deep is optimised ten times over. Parts are not. They stop where their code can be linked into others, and the function
that Python calls is optimised once, with all of its parts inside.
"""

from __future__ import annotations

from importlib import import_module
from itertools import count
from typing import Any, Final

_codegen: Any = import_module("numba.core.codegen")  # numba's types are not meant for others
_compiler: Any = import_module("numba.core.compiler")
_numbers = count()


class _NoEnvironments:
    """Takes the environment of a function that never runs on its own."""

    def set_env(self, name: str, environment: object) -> None:
        """Forget it."""


class _PartLibrary(_codegen.JITCodeLibrary):  # type: ignore[misc]  # as above
    """The code of a part: ready to be linked into others, and nothing else."""

    @property
    def codegen(self) -> _NoEnvironments:
        """Give whoever registers this code nothing to register it with."""
        return _NoEnvironments()

    def get_pointer_to_function(self, name: str) -> int:
        """Say that there is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class PartCompiler(_compiler.Compiler):  # type: ignore[misc]  # as above
    """Compiles functions as parts."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        """Have the code kept as a part."""
        super().__init__(typingctx, targetctx, _PartLibrary(targetctx.codegen(), f"part-{next(_numbers)}"), *rest)


AS_A_PART: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""How numba is told."""
