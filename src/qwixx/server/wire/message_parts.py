"""What the messages of a table are made of (`protocol`), and the base of everything that is answered."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from qwixx.view import View

Level = Literal["easy", "normal", "strong", "master"]
Kind = Literal["person", "bot"]


class Part(Struct, rename="camel", gc=False):
    """A part of a message."""


class Options(Part):
    """How a table plays."""

    timer: int = 0
    sealed: bool = True
    real_dice: bool = False
    sheet: str = ""
    lucky: list[str] | None = None
    late: bool = True
    """Whether somebody who comes late may take the seat of a bot that plays for nobody."""
    hints: bool | None = None
    """Whether seats may ask for hints; null: as long as only one person plays."""


class SeatInfo(Part):
    """One seat of the room."""

    seat: int
    name: str
    kind: Kind
    level: Level | None
    here: bool
    votes: int
    """How many people want a bot to play here, since this person does not move."""
    words: str = ""
    """What they have added to the seed of the dice."""


class UndoWish(Part):
    """Somebody wants to take a decision back."""

    seat: int
    waiting: list[int]
    """The seats whose people have not answered yet."""


class Mine(Part):
    """What one of my seats may do."""

    legal: list[str]
    choice: str | None
    pass_cost: int
    """Points that crossing nothing now would cost at once."""
    pass_miss: bool
    """Whether crossing nothing now would take a miss."""
    closes: dict[str, list[str]]
    """The actions that would close rows, with the keys of these rows."""
    ends: list[str]
    """The actions that would end the game, if nobody else crosses anything."""
    view: View | UnsetType = UNSET
    """What this seat sees, where that is more than everybody sees."""


class Reason(Part, omit_defaults=True):
    """A fact that speaks for or against a choice: its kind, what it counts, a row, numbers of cells or cards."""

    kind: str
    n: int | UnsetType = UNSET
    row: str | UnsetType = UNSET
    numbers: list[int] | UnsetType = UNSET
    k: int | UnsetType = UNSET
    """In so many rolls the white dice show one of the numbers."""
    total: int | UnsetType = UNSET
    """Of so many rolls."""


class Advised(Part):
    """One legal choice, what it is worth and why."""

    action: str
    value: float
    """By the measure: the chance of winning, or alone the points at the end."""
    loss: float
    """What it is worth less than the best."""
    reasons: list[Reason]
