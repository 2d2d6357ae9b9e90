"""
Events: one struct per change of a game, made from the kernel's event log, in order.

The server sends the same structs to the page: the word as `e`, the names in camelCase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from msgspec import Struct, ValidationError, convert, structs

from qwixx.errors import NotationError
from qwixx.kernel.state import event_log as kinds
from qwixx.kernel.state.records import ENDINGS, PHASES, TOTALS
from qwixx.text.arguments import describe_value
from qwixx.text.notation import card_text, cell_text
from qwixx.variants.model import COLORS, Variant


class _Word:
    """An event's word: the tag of its struct, as an attribute of an event or of its class."""

    def __get__(self, event: Event | None, kind: type[Event]) -> str:
        return str(kind.__struct_config__.tag)


class Event(
    Struct, frozen=True, rename="camel", tag_field="e", gc=False
):  # immutable values cannot be part of a reference cycle
    """One change of a game. `str(event)` is its text: a word, then its details."""

    word = _Word()

    def __str__(self) -> str:
        details = [",".join(map(str, d)) if isinstance(d, tuple) else str(d) for d in structs.astuple(self)]
        return " ".join([self.word, *details])

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data for JSON: its word as `e`, then its details; `from_dict` reads it."""
        data: dict[str, Any] = {"e": self.word}
        for name, value in zip(self.__struct_fields__, structs.astuple(self), strict=True):
            data[name] = list(value) if isinstance(value, tuple) else value
        return data

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> AnyEvent:
        """Read an event from plain data, also as the server sends it. Raises `NotationError` for anything else."""
        try:
            event: AnyEvent = convert({_SENT_AS.get(name, name): value for name, value in data.items()}, AnyEvent)
        except (ValidationError, AttributeError) as error:
            why = (
                str(error) if isinstance(error, ValidationError) else f"it is a dictionary, not {describe_value(data)}"
            )
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
    """A seat has decided; its choice stays hidden until all have decided (C3)."""

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
    """A bonus cross could not be made (BA5, BB2, BB3)."""

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
    """Cards were taken from the display; all seats saw their numbers (K3)."""

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
    """A pawn captured a pawn of the opponent (D3)."""

    seat: int
    cell: str


class Stacked(Event, frozen=True, tag="stacked"):
    """A pawn was put on top of an own pawn (D4)."""

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
    """The next phase of the game began."""

    phase: str


class Exchanged(Event, frozen=True, tag="exchanged"):
    """A field of the bar exchanged the white sum for another number; counted from 1 (XC2)."""

    seat: int
    bar_cell: int


class SecondCrossed(Event, frozen=True, tag="second"):
    """The second box of a cell was crossed (DA2)."""

    seat: int
    cell: str


class LinkedCrossed(Event, frozen=True, tag="linked"):
    """A cell was crossed because the cell that it is linked to was (CB2)."""

    seat: int
    cell: str


class SmallCrossed(Event, frozen=True, tag="small"):
    """A small field was crossed (F4)."""

    seat: int
    cell: str


class BonusCellCrossed(Event, frozen=True, tag="bonus-cell"):
    """A cell of a bonus row was crossed (BP2)."""

    seat: int
    cell: str


class TrackCrossed(Event, frozen=True, tag="track"):
    """A field of the track was crossed; counted from 1 (F2)."""

    seat: int
    field: int


class TakenBack(Event, frozen=True, tag="undone"):
    """A seat took its last decision back. The table adds this event; the rules do not have it."""

    seat: int


class Hinted(Event, frozen=True, tag="hinted"):
    """A seat took a hint. The table adds this event; the rules do not have it."""

    seat: int


class TimedOut(Event, frozen=True, tag="late"):
    """The clock ran out, and the table decided for a seat. The table adds this event; the rules do not have it."""

    seat: int


TableEvent = TakenBack | Hinted | TimedOut
"""Events that the table adds, not the rules."""
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
    | Exchanged
    | SecondCrossed
    | LinkedCrossed
    | SmallCrossed
    | BonusCellCrossed
    | TrackCrossed
    | TableEvent
)
"""The union of all events, for decoding and type checks."""
_SENT_AS = {
    name: sent
    for kind in get_args(AnyEvent)
    for name, sent in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
}
"""The names of details in Python, and as the server sends them."""


SEAT, ROLL = "seat", "roll"
NUMBER, PLACE, CELL, ROW, COLOR, PAIR = "number", "place", "cell", "row", "color", "pair"
PHASE, ENDING, CARDS, NUMBERS = "phase", "ending", "cards", "numbers"
"""The fields of an event: the seat in the log, the dice on the table, or the detail in one of these forms."""

EVENT_FORMS: dict[int, tuple[type[Event], tuple[str, ...]]] = {
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
    kinds.EXCHANGED: (Exchanged, (SEAT, PLACE)),
    kinds.SECOND: (SecondCrossed, (SEAT, CELL)),
    kinds.LINK: (LinkedCrossed, (SEAT, CELL)),
    kinds.SMALL: (SmallCrossed, (SEAT, CELL)),
    kinds.BONUS_CELL: (BonusCellCrossed, (SEAT, CELL)),
    kinds.TRACKED: (TrackCrossed, (SEAT, PLACE)),
}
"""By the kind of an event in the log: its class, and the forms of its fields."""


def read_event(variant: Variant, kind: int, seat: int, detail: int) -> Event:
    """Return one event of a log. Not for ROLLED: the dice are on the table, not in the log."""
    event, forms = EVENT_FORMS[kind]
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
    """Unpack up to three cards from one number of the log."""
    cards = []
    while packed:
        packed, card = divmod(packed, kinds.PACK)
        cards.append(card - 1)
    return cards
