"""
Every effect of marked cells, declared once with all its properties.

A sheet file marks cells with a letter and says in `[pairs]` or `[effects]` which effect the cells of this letter have;
boxed cells (`[7]`) need no letter. The kernel (`crossing`), the checks of sheet files (`qwixx.variants`), the features
that solver and fast paths support, rule pages, drawings, prints, hints and the page are derived from this list.

To add an effect, declare it here, write its function in `effect_rules`, its texts in `qwixx/text/effects.toml`, and
draw its badge in `qwixx/render/badges`. The order matters: a compiled sheet holds the place of an effect in the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from qwixx.kernel import effect_rules
from qwixx.kernel.state import records

SOLVER: Final = "solver"
FAST_PATH: Final = "fast path"
NETS: Final = "nets"
LEARNERS: Final = "learners"
EVERYWHERE: Final = frozenset({SOLVER, FAST_PATH, NETS, LEARNERS})
"""Code that supports only some effects, because it has its own idea of a position."""


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect with all its properties."""

    name: str
    """Its word in a sheet file, and its key in the files of texts and badges."""
    sign: str
    """Its badge in plain text."""
    rules: tuple[str, ...] = ()
    """The rules about it, for the pages of custom sheets."""
    when: int = records.PAIRED
    """When a cross has the effect: BOXED, PAIRED (both cells are crossed), AT_EACH cross, or AT_SCORE only."""
    crosses: Callable[..., int] | None = None
    """The function that makes its crosses."""
    scores: Callable[..., int] | None = None
    """The function that returns its points: of a pair once it is complete, of other cells always."""
    has_number: bool = False
    """Whether a number follows the name in a sheet file: `plus-13`."""
    has_ties: bool = False
    """Whether players may have to choose a row: only one letter of a sheet can have such an effect."""
    counts_rows: bool = False
    """Whether it compares the crosses of all rows, even of rows that take no more crosses (BB2, BB7)."""
    lasts: bool = False
    """Whether it changes the points of later crosses and misses."""
    weight: int = 1
    """How many crosses of its row one cross on such a cell is (DB2)."""
    supported_by: frozenset[str] = frozenset()

    @property
    def feature(self) -> str:
        """Its name among the features of a sheet."""
        return f"pair-{self.name}" if self.when == records.PAIRED else self.name


BOXES: Final = Effect(
    "boxed",
    "[ ]",
    ("BA1", "BA2", "BA3", "BA4", "BA5"),
    when=records.BOXED,
    crosses=effect_rules.use_bar,
    supported_by=EVERYWHERE,
)
"""The effect of boxed cells; it has no place in the list, because no letter can have it."""

EFFECTS: Final[tuple[Effect, ...]] = (
    Effect(
        "two-in-fewest",
        "××",  # noqa: RUF001 - crosses, as on paper
        ("BB2", "BB3a", "BB4", "BB5"),
        crosses=effect_rules.two_in_fewest,
        has_ties=True,
        counts_rows=True,
        supported_by=EVERYWHERE,
    ),
    Effect(
        "one-in-each", "≡", ("BB3", "BB3a", "BB4", "BB5"), crosses=effect_rules.one_in_each, supported_by=EVERYWHERE
    ),
    Effect(
        "double-fewest",
        "×2",  # noqa: RUF001 - a multiplication sign, as on paper
        ("BB4", "BB7"),
        scores=effect_rules.double_fewest,
        counts_rows=True,
        lasts=True,
        supported_by=EVERYWHERE,
    ),
    Effect("plus", "+{n}", ("BB4",), scores=effect_rules.plus, has_number=True, supported_by=EVERYWHERE),
    Effect("free-misses", "0", ("BB4", "BB6"), scores=effect_rules.free_misses, lasts=True, supported_by=EVERYWHERE),
    Effect(
        "double", "2", ("DB2", "DB3"), when=records.AT_SCORE, weight=2, supported_by=frozenset({FAST_PATH, LEARNERS})
    ),
)
"""The effects that a letter can have."""

_WORD = re.compile(r"(.+?)(?:-([0-9]{1,3}))?")


def find_effect(word: str) -> tuple[Effect, int]:
    """
    Return an effect by its word in a sheet file, and the number behind its name. Raises `LookupError`.

    >>> effect, number = find_effect("plus-13")
    >>> effect.name, number
    ('plus', 13)
    """
    for effect in EFFECTS:
        if not effect.has_number and word == effect.name:
            return effect, 0
        found = _WORD.fullmatch(word)
        if effect.has_number and found and found[1] == effect.name and found[2]:
            return effect, int(found[2])
    raise LookupError(word)


def is_of_pairs(word: str) -> bool:
    """Return whether an effect, given by its word in a sheet file, is that of a pair of cells."""
    return find_effect(word)[0].when == records.PAIRED


def code_of(name: str) -> int:
    """Return the code of an effect in compiled sheets."""
    return [effect.name for effect in EFFECTS].index(name)
