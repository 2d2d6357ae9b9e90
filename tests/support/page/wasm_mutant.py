"""
Compile the score of a sheet to WebAssembly twice, once with one rule reversed.

Run in `tests`: `python -m support.page.wasm_mutant FILE`.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from qwixx.jit.decorators import kernel
from qwixx.kernel import crossing
from qwixx.kernel.state.records import Records
from qwixx.wasm.compile_module import compile_objects
from qwixx.wasm.exports import EXPORTS, Export
from qwixx.wasm.linker import link

RULE, TURNED = "if not is_pair(layout, group) or is_complete(", "if not is_complete("
"""Bonus B: a pair counts once both its cells are crossed (BB1), and not before."""

_source = inspect.getsource(crossing.score)
assert RULE in _source
_world = dict(vars(crossing))
exec(compile(_source.replace(RULE, TURNED), __file__, "exec"), _world)
_score = _world["score"]


@kernel
def mutated(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Score a seat with the reversed rule."""
    return int(_score(layouts[0], states[at].sheets[seat]))


if __name__ == "__main__":
    (score,) = (export for export in EXPORTS if export.name == "score")
    both = (score, Export("mutated", mutated, score.arguments))
    (made,) = compile_objects(both)
    Path(sys.argv[1]).write_bytes(link(made, [export.name for export in both]))
