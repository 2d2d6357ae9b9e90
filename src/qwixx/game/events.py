"""
What happened, in words: one value per event, made from the kernel's trail in the order it happened.

The server sends these very structs to the page: the word as `e`, the names in camelCase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from msgspec import Struct, ValidationError, convert, structs

from qwixx.errors import NotationError
from qwixx.kernel import trail as kinds
from qwixx.kernel.records import ENDINGS, PHASES, TOTALS
from qwixx.notation import card_text, cell_text
from qwixx.variants.model import COLORS, Variant
from qwixx.wanted import described


class _Word:
    """An event's word: the tag of its struct, asked of an event or of its kind."""

    def __get__(self, event: Event | None, kind: type[Event]) -> str:
        return str(kind.__struct_config__.tag)


class Event(Struct, frozen=True, rename="camel", tag_field="e", gc=False):  # values: no cycle can go through them
    """One difference in a game. `str(event)` is its text: a word, then its details."""

    word = _Word()

    def __str__(self) -> str:
        details = [",".join(map(str, d)) if isinstance(d, tuple) else str(d) for d in structs.astuple(self)]
        return " ".join([self.word, *details])

    def to_dict(self) -> dict[str, Any]:
        """Give the event as plain data, fit for JSON: its word as `e`, then its details; `from_dict` reads it."""
        data: dict[str, Any] = {"e": self.word}
        for name, value in zip(self.__struct_fields__, structs.astuple(self), strict=True):
            data[name] = list(value) if isinstance(value, tuple) else value
        return data

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> AnyEvent:
        """Read an event from plain data, also as the server sends it. Raises `NotationError` if it is none."""
        try:
            event: AnyEvent = convert({_SENT_AS.get(name, name): value for name, value in data.items()}, AnyEvent)
        except (ValidationError, AttributeError) as error:
            why = str(error) if isinstance(error, ValidationError) else f"it is a dictionary, not {described(data)}"
            raise NotationError(f"That is no event: {why}.") from None
        return event


class Rolled(Event, frozen=True, tag="rolled"):
    """The dice were rolled (C2)."""

    roll: str


class Dealt(Event, frozen=True, tag="dealt"):
    """The cards were dealt (K2)."""


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The discards became the new pile (K3)."""

    cards: int


class Decided(Event, frozen=True, tag="decided"):
    """A seat has decided; nobody learns what until all have (C3)."""

    seat: int


class Crossed(Event, frozen=True, tag="crossed"):
    """A cell was crossed (C1)."""

    seat: int
    cell: str


class Locked(Event, frozen=True, tag="locked"):
    """A seat closed a row and crossed its lock (C7); in the duel, put a pawn on it (D7)."""

    seat: int
    row: str


class BonusUsed(Event, frozen=True, tag="bonus"):
    """A boxed cell used a cell of the bar, counted from 1 (BA2)."""

    seat: int
    bar_cell: int


class BonusLost(Event, frozen=True, tag="lost"):
    """A bonus cross that could not be made (BA5, BB2, BB3)."""

    seat: int
    row: str


class PairCompleted(Event, frozen=True, tag="pair"):
    """Both cells of a pair are crossed, and it takes effect (BB1, BB4)."""

    seat: int
    kind: str


class Played(Event, frozen=True, tag="played"):
    """Cards were played from the hand (K5)."""

    seat: int
    cards: tuple[str, ...]


class Took(Event, frozen=True, tag="took"):
    """Cards were taken from the display; everybody saw their numbers (K3)."""

    seat: int
    numbers: tuple[int, ...]


class NumberShown(Event, frozen=True, tag="number"):
    """The pile's top card shows the number for all (K4)."""

    number: int


class Placed(Event, frozen=True, tag="placed"):
    """A pawn went to a free cell (D2)."""

    seat: int
    cell: str


class Captured(Event, frozen=True, tag="captured"):
    """A pawn took the place of the opponent's (D3)."""

    seat: int
    cell: str


class Stacked(Event, frozen=True, tag="stacked"):
    """A pawn was put on top of one's own (D4)."""

    seat: int
    cell: str


class RowClosed(Event, frozen=True, tag="closed"):
    """A row is closed for all (C8)."""

    row: str


class DieLeft(Event, frozen=True, tag="die-left"):
    """A color die left the game (C8, G3)."""

    color: str


class BarStruck(Event, frozen=True, tag="struck"):
    """A cell of the bar was struck, counted from 1 (BA4)."""

    seat: int
    bar_cell: int


class Missed(Event, frozen=True, tag="missed"):
    """The active seat crossed nothing in its turn (C6, K6, D6)."""

    seat: int


class GameOver(Event, frozen=True, tag="over"):
    """The game ended (C11, K8, D8)."""

    ending: str


class TurnBegan(Event, frozen=True, tag="turn"):
    """The next seat is active (C13)."""

    seat: int


class PhaseBegan(Event, frozen=True, tag="phase"):
    """The game goes on to another phase."""

    phase: str


class TakenBack(Event, frozen=True, tag="undone"):
    """A seat took its last decision back; the table told it, the rules know nothing of it."""

    seat: int


class Hinted(Event, frozen=True, tag="hinted"):
    """A seat took a hint; the table told it, the rules know nothing of it."""

    seat: int


class TimedOut(Event, frozen=True, tag="late"):
    """The clock of a table ran out, and the table decided for a seat; the rules know nothing of it."""

    seat: int


Aside = TakenBack | Hinted | TimedOut
"""What happens at a table beside the game."""
AnyEvent = (
    Rolled
    | Dealt
    | Shuffled
    | Decided
    | Crossed
    | Locked
    | BonusUsed
    | BonusLost
    | PairCompleted
    | Played
    | Took
    | NumberShown
    | Placed
    | Captured
    | Stacked
    | RowClosed
    | DieLeft
    | BarStruck
    | Missed
    | GameOver
    | TurnBegan
    | PhaseBegan
    | Aside
)
"""Every kind of event, for those who have to tell them apart."""
_SENT_AS = {
    name: sent
    for kind in get_args(AnyEvent)
    for name, sent in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
}
"""Python's names of details, and those that the server sends."""


SEAT, ROLL = "seat", "roll"
NUMBER, PLACE, CELL, ROW, COLOR, PAIR = "number", "place", "cell", "row", "color", "pair"
PHASE, ENDING, CARDS, NUMBERS = "phase", "ending", "cards", "numbers"
"""What an event tells: the seat of its note, the dice on the table, or the note's detail as one of these."""

NOTES: dict[int, tuple[type[Event], tuple[str, ...]]] = {
    kinds.ROLLED: (Rolled, (ROLL,)),
    kinds.DEALT: (Dealt, ()),
    kinds.SHUFFLED: (Shuffled, (NUMBER,)),
    kinds.DECIDED: (Decided, (SEAT,)),
    kinds.CROSSED: (Crossed, (SEAT, CELL)),
    kinds.LOCKED: (Locked, (SEAT, ROW)),
    kinds.BONUS: (BonusUsed, (SEAT, PLACE)),
    kinds.LOST: (BonusLost, (SEAT, ROW)),
    kinds.PAIR: (PairCompleted, (SEAT, PAIR)),
    kinds.PLAYED: (Played, (SEAT, CARDS)),
    kinds.TOOK: (Took, (SEAT, NUMBERS)),
    kinds.NUMBER_SHOWN: (NumberShown, (NUMBER,)),
    kinds.PLACED: (Placed, (SEAT, CELL)),
    kinds.CAPTURED: (Captured, (SEAT, CELL)),
    kinds.STACKED: (Stacked, (SEAT, CELL)),
    kinds.CLOSED: (RowClosed, (ROW,)),
    kinds.DIE_LEFT: (DieLeft, (COLOR,)),
    kinds.STRUCK: (BarStruck, (SEAT, PLACE)),
    kinds.MISSED: (Missed, (SEAT,)),
    kinds.GAME_OVER: (GameOver, (ENDING,)),
    kinds.TURN_BEGAN: (TurnBegan, (SEAT,)),
    kinds.PHASE_BEGAN: (PhaseBegan, (PHASE,)),
}
"""By the kind of a note: the event that tells it, and how its details are told."""


def read_note(variant: Variant, kind: int, seat: int, detail: int) -> Event:
    """Put one note of a trail into words; what was rolled lies on the table and is in no note."""
    event, forms = NOTES[kind]
    return event(*[seat if form == SEAT else _detail(variant, form, detail) for form in forms])


def _detail(variant: Variant, form: str, detail: int) -> str | int | tuple[str, ...] | tuple[int, ...]:
    match form:
        case "number":
            return detail
        case "place":
            return detail + 1
        case "cell":
            return cell_text(variant, detail)
        case "row":
            return variant.rows[detail].key
        case "color":
            return COLORS[detail]
        case "pair":
            return list(variant.pairs.values())[detail]
        case "phase":
            return PHASES[detail]
        case "ending":
            return ENDINGS[detail]
        case "cards":
            return tuple(card_text(card) for card in _unpack(detail))
        case _:
            return tuple(card % TOTALS for card in _unpack(detail))


def _unpack(packed: int) -> list[int]:
    """Take apart up to three cards that the kernel put into one number."""
    cards = []
    while packed:
        packed, card = divmod(packed, kinds.PACK)
        cards.append(card - 1)
    return cards
