"""The plan of a solve: whether a sheet can be solved, and how much memory and time that takes."""

from __future__ import annotations

import os
from dataclasses import dataclass

from qwixx.errors import QwixxError
from qwixx.jit.decorators import RUNS_COMPILED
from qwixx.kernel.effects import SOLVER
from qwixx.kernel.state.records import Records
from qwixx.solver.encoding.build_index import fold_sheet
from qwixx.solver.encoding.marked_state import Firsts, number_memories
from qwixx.solver.encoding.sheet_index import positions
from qwixx.variants.features import features_of, supported_by
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Pad, Variant

SOLVABLE = supported_by(SOLVER)
"""The supported features (`variants.features`); a sheet with any other feature is refused."""
_STEPS_PER_SECOND = 25e6
"""Ordered pairs of cells that one core processes, or white rolls that it averages, in a second, roughly."""
_CHAINS = 1.8
"""How much longer a position takes where crosses trigger others."""
_BYTES = 8
_SHARE_OF_MEMORY = 0.8


@dataclass(frozen=True)
class Plan:
    """The cost of solving a sheet: entries of the table, bytes of memory and of disk, seconds of one core, roughly."""

    variant: Variant
    lucky: Pad | None
    layouts: Records
    folds: Records
    firsts: Firsts

    @property
    def places(self) -> int:
        """Positions of the table, without misses, with finished games; on sheets with marked cells these are one."""
        return int(self.firsts[-1]) + 1 if len(self.firsts) else positions(self.folds[0])

    @property
    def entries(self) -> int:
        """Positions of the table, each once for every number of misses."""
        return self.places * int(self.folds[0].end_misses)

    @property
    def shape(self) -> tuple[int, int]:
        """Positions and numbers of misses: the shape of the table."""
        return self.places, int(self.folds[0].end_misses)

    @property
    def bytes(self) -> int:
        """Size of the table."""
        return self.entries * _BYTES

    @property
    def cpu_seconds(self) -> float:
        """A rough estimate of the work, from the cells still ahead in an average row."""
        fold = self.folds[0]
        ahead = 0.0
        for slot in range(len(fold.classes)):
            classes = int(fold.classes[slot]) - 1
            ahead += float((fold.to[slot, :classes] >= 0).sum()) / classes
        white_rolls = fold.sides * (fold.sides + 1) / 2
        steps = 0.6 * ahead**2 / int(fold.end_misses) + 1.5 * white_rolls
        return float(self.entries * steps * (_CHAINS if fold.remembers else 1.0) / _STEPS_PER_SECOND)

    def __str__(self) -> str:
        # Without the compiler the rules take hundreds of times as long: no number is better than a wrong one.
        seconds = (
            f"about {self.cpu_seconds:,.0f} seconds of one core" if RUNS_COMPILED else "many hours without the compiler"
        )
        return f"{self.entries:,} entries, {self.bytes / 1e6:,.0f} MB, {seconds}"


def refuse(variant: Variant) -> None:
    """Raise `QwixxError` if a variant has no solitaire, or a feature that the solver does not support."""
    if 1 not in variant.seats:
        raise QwixxError(f"Only solitaire with dice is solved; {variant.id!r} is not played alone with dice.")
    unknown = features_of(compile_layout(variant)) - SOLVABLE
    if unknown:
        raise QwixxError(f"{variant.id!r} cannot be solved: the solver does not know {', '.join(sorted(unknown))}.")


def plan(variant: Variant, lucky: Pad | None = None, *, keep_counts: bool = False, fold: bool = True) -> Plan:
    """
    Fold a sheet and return the cost of solving it; raises `QwixxError` if it cannot be solved.

    `keep_counts` and `fold` are those of `encoding.build_index.fold_sheet`.
    """
    refuse(variant)
    variant.check_lucky(lucky)
    if variant.lucky and lucky is None:
        lucky = variant.lucky[0]
    layouts = compile_layout(variant)
    folds = fold_sheet(layouts, lucky, keep_counts=keep_counts, fold=fold)
    if folds[0].remembers:
        _check_memory(variant, positions(folds[0]) * _BYTES)
    return Plan(variant, lucky, layouts, folds, number_memories(folds))


def check_memory(work: Plan) -> None:
    """Refuse a table that does not fit into memory, before an hour of work is lost."""
    _check_memory(work.variant, work.bytes + work.firsts.nbytes)


def _check_memory(variant: Variant, needed: int) -> None:
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return  # this system does not report its memory
    if needed > _SHARE_OF_MEMORY * memory:
        raise QwixxError(
            f"Solving {variant.id} takes tables of {needed / 1e9:.1f} GB in memory; this machine has"
            f" {memory / 1e9:.1f} GB."
        )
