"""
Generates the page's types of the compiled functions: `python -m qwixx.wasm.generate_types page/src/engine/exports.ts`.

An argument that is an array or a record is its address; an array of any length has its length as the next argument.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.wasm.exports import EXPORTS, Array, Export, Nothing, Word, Zero

_HEAD = """// Generated from `qwixx.wasm.exports` by `python -m qwixx.wasm.generate_types`; do not edit.

/** The exports of the module; an argument named after an array is its address. */
export interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
"""
_RESULTS = {"None": "void", "np.uint64": "bigint"}


def generate_exports() -> str:
    """Return the types of all functions that the page calls."""
    return _HEAD + "".join(f"  {_signature(export)}\n" for export in EXPORTS) + "}\n"


def _signature(export: Export) -> str:
    result = _RESULTS.get(inspect.signature(export.function).return_annotation, "number")
    return f"{export.name}({', '.join(_parameters(export))}): {result};"


def _parameters(export: Export) -> Iterator[str]:
    for name, argument in zip(inspect.signature(export.function).parameters, export.arguments, strict=True):
        if not isinstance(argument, Zero | Nothing):
            yield f"{name}: {'bigint' if isinstance(argument, Word) else 'number'}"
        if isinstance(argument, Array) and argument.length is None:
            yield f"{name}_length: number"


if __name__ == "__main__":
    write_atomically(Path(sys.argv[1]), [generate_exports().encode()])
