"""
Generates the page's types of the compiled functions and of the tables, `exports.ts` and `tables.ts`.

`python -m qwixx.wasm.generate_types page/src/engine` writes both files to that folder. An argument that is an array or
a record is its address; an array of any length has its length as the next argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Final

from msgspec import inspect

from qwixx.base.atomic_files import write_atomically
from qwixx.base.generator_arguments import parse_paths
from qwixx.server.generate_types import interface, structs_in
from qwixx.wasm.exports import EXPORTS, Array, Export, Nothing, Word, Zero
from qwixx.wasm.table_types import Tables

_HEAD = """// Generated from `qwixx.wasm.exports` by `python -m qwixx.wasm.generate_types`; do not edit.

/** The exports of the module; an argument named after an array is its address. */
export interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
"""
_TABLES_HEAD = """// Generated from `qwixx.wasm.table_types` by `python -m qwixx.wasm.generate_types`; do not edit.

import type { Catalogue } from "../protocol.ts";

"""
_RESULTS = {"None": "void", "np.uint64": "bigint"}


def generate_exports() -> str:
    """Return the types of all functions that the page calls."""
    return _HEAD + "".join(f"  {_signature(export)}\n" for export in EXPORTS) + "}\n"


def generate_tables() -> str:
    """Return the types of the tables in the module."""
    found = {
        kind.cls: kind for kind in structs_in(inspect.type_info(Tables)) if isinstance(kind, inspect.TypedDictType)
    }
    return _TABLES_HEAD + "\n".join(interface(kind) for kind in found.values())


FILES: Final[dict[str, Callable[[], str]]] = {"exports.ts": generate_exports, "tables.ts": generate_tables}
"""The generated files of `page/src/engine`."""


def _signature(export: Export) -> str:
    result = _RESULTS.get(signature(export.function).return_annotation, "number")
    return f"{export.name}({', '.join(_parameters(export))}): {result};"


def _parameters(export: Export) -> Iterator[str]:
    for name, argument in zip(signature(export.function).parameters, export.arguments, strict=True):
        if not isinstance(argument, Zero | Nothing):
            yield f"{name}: {'bigint' if isinstance(argument, Word) else 'number'}"
        if isinstance(argument, Array) and argument.length is None:
            yield f"{name}_length: number"


if __name__ == "__main__":
    (folder,) = parse_paths(__doc__, "folder")
    for name, generate in FILES.items():
        write_atomically(folder / name, [generate().encode()])
