"""What happened, in words: one value per event, made from the kernel's trail in the order it happened."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import ClassVar

from qwixx.kernel import trail as kinds
from qwixx.kernel.records import ENDINGS, PHASES, TOTALS, Ints, Record
from qwixx.notation import card_text, cell_text, roll_text
from qwixx.variants.model import COLORS, Variant


@dataclass(frozen=True, slots=True)
class Event:
    """One difference in a game. `str(event)` is its text: a word, then its details."""

    word: ClassVar[str] = ""

    def __str__(self) -> str:
        details = [",".join(map(str, d)) if isinstance(d, tuple) else str(d) for d in astuple(self)]
        return " ".join([self.word, *details])


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice were rolled (C2)."""

    word: ClassVar[str] = "rolled"
    roll: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The cards were dealt (K2)."""

    word: ClassVar[str] = "dealt"


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """The discards became the new pile (K3)."""

    word: ClassVar[str] = "shuffled"
    cards: int


@dataclass(frozen=True, slots=True)
class Decided(Event):
    """A seat has decided; nobody learns what until all have (C3)."""

    word: ClassVar[str] = "decided"
    seat: int


@dataclass(frozen=True, slots=True)
class Crossed(Event):
    """A cell was crossed (C1)."""

    word: ClassVar[str] = "crossed"
    seat: int
    cell: str


@dataclass(frozen=True, slots=True)
class Locked(Event):
    """A seat closed a row and crossed its lock (C7); in the duel, put a pawn on it (D7)."""

    word: ClassVar[str] = "locked"
    seat: int
    row: str


@dataclass(frozen=True, slots=True)
class BonusUsed(Event):
    """A boxed cell used a cell of the bar, counted from 1 (BA2)."""

    word: ClassVar[str] = "bonus"
    seat: int
    bar_cell: int


@dataclass(frozen=True, slots=True)
class BonusLost(Event):
    """A bonus cross that could not be made (BA5, BB2, BB3)."""

    word: ClassVar[str] = "lost"
    seat: int
    row: str


@dataclass(frozen=True, slots=True)
class PairCompleted(Event):
    """Both cells of a pair are crossed, and it takes effect (BB1, BB4)."""

    word: ClassVar[str] = "pair"
    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Played(Event):
    """Cards were played from the hand (K5)."""

    word: ClassVar[str] = "played"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Took(Event):
    """Cards were taken from the display; everybody saw their numbers (K3)."""

    word: ClassVar[str] = "took"
    seat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NumberShown(Event):
    """The pile's top card shows the number for all (K4)."""

    word: ClassVar[str] = "number"
    number: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A pawn went to a free cell (D2)."""

    word: ClassVar[str] = "placed"
    seat: int
    cell: str


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """A pawn took the place of the opponent's (D3)."""

    word: ClassVar[str] = "captured"
    seat: int
    cell: str


@dataclass(frozen=True, slots=True)
class Stacked(Event):
    """A pawn was put on top of one's own (D4)."""

    word: ClassVar[str] = "stacked"
    seat: int
    cell: str


@dataclass(frozen=True, slots=True)
class RowClosed(Event):
    """A row is closed for all (C8)."""

    word: ClassVar[str] = "closed"
    row: str


@dataclass(frozen=True, slots=True)
class DieLeft(Event):
    """A color die left the game (C8, G3)."""

    word: ClassVar[str] = "die-left"
    color: str


@dataclass(frozen=True, slots=True)
class BarStruck(Event):
    """A cell of the bar was struck, counted from 1 (BA4)."""

    word: ClassVar[str] = "struck"
    seat: int
    bar_cell: int


@dataclass(frozen=True, slots=True)
class Missed(Event):
    """The active seat crossed nothing in its turn (C6, K6, D6)."""

    word: ClassVar[str] = "missed"
    seat: int


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game ended (C11, K8, D8)."""

    word: ClassVar[str] = "over"
    ending: str


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """The next seat is active (C13)."""

    word: ClassVar[str] = "turn"
    seat: int


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """The game goes on to another phase."""

    word: ClassVar[str] = "phase"
    phase: str


def read_trail(variant: Variant, state: Record, trail: Ints) -> list[Event]:
    """Put the notes of a trail into words."""
    return [
        _event(variant, state, int(kind), int(seat), int(detail))
        for kind, seat, detail, _ in trail[1 : trail[0]].reshape(-1, kinds.NOTE)
    ]


def _event(variant: Variant, state: Record, kind: int, seat: int, detail: int) -> Event:
    if kind in _WITH_CELL:
        return _WITH_CELL[kind](seat, cell_text(variant, detail))
    if kind in _WITH_ROW:
        return _WITH_ROW[kind](seat, variant.rows[detail].key)
    match kind:
        case kinds.ROLLED:
            return Rolled(roll_text(state.dice))
        case kinds.DEALT:
            return Dealt()
        case kinds.SHUFFLED:
            return Shuffled(detail)
        case kinds.DECIDED:
            return Decided(seat)
        case kinds.BONUS:
            return BonusUsed(seat, detail + 1)
        case kinds.STRUCK:
            return BarStruck(seat, detail + 1)
        case kinds.PAIR:
            return PairCompleted(seat, list(variant.pairs.values())[detail])
        case kinds.PLAYED:
            return Played(seat, tuple(card_text(card) for card in _unpack(detail)))
        case kinds.TOOK:
            return Took(seat, tuple(card % TOTALS for card in _unpack(detail)))
        case kinds.NUMBER_SHOWN:
            return NumberShown(detail)
        case kinds.CLOSED:
            return RowClosed(variant.rows[detail].key)
        case kinds.DIE_LEFT:
            return DieLeft(COLORS[detail])
        case kinds.MISSED:
            return Missed(seat)
        case kinds.GAME_OVER:
            return GameOver(ENDINGS[detail])
        case kinds.TURN_BEGAN:
            return TurnBegan(seat)
        case _:
            return PhaseBegan(PHASES[detail])


_WITH_CELL: dict[int, type[Crossed] | type[Placed] | type[Captured] | type[Stacked]] = {
    kinds.CROSSED: Crossed,
    kinds.PLACED: Placed,
    kinds.CAPTURED: Captured,
    kinds.STACKED: Stacked,
}
_WITH_ROW: dict[int, type[Locked] | type[BonusLost]] = {kinds.LOCKED: Locked, kinds.LOST: BonusLost}


def _unpack(packed: int) -> list[int]:
    """Take apart up to three cards that the kernel put into one number."""
    cards = []
    while packed:
        packed, card = divmod(packed, 100)
        cards.append(card - 1)
    return cards
