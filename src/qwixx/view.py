"""
The one door through which a state leaves for a seat.

`View` is what somebody sees: a seat its own hand and what lies open, a spectator only what lies open. It is made
from a copy that the kernel has redacted, so that nothing hidden is there to be leaked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from qwixx.kernel import door
from qwixx.kernel.records import (
    CARDS,
    COLOR,
    ENDINGS,
    NO_CARD,
    NO_CHOICE,
    NUMBER,
    OVER,
    PHASES,
    PLAY,
    SEATS,
    STATE,
    TOTALS,
    WHITE,
    Record,
    Records,
)
from qwixx.notation import action_text, card_text, roll_text
from qwixx.variants.model import Variant


@dataclass(frozen=True, slots=True)
class RowView:
    """One row of one seat."""

    key: str
    crosses: tuple[int, ...]
    """Numbers crossed, left to right; in the duel, numbers with own pawns."""
    heights: tuple[int, ...]
    """Duel: how many pawns stand on each of them; elsewhere all 1."""
    locked: bool
    count: int
    """Crosses, or pawns, the lock included."""
    points: int


@dataclass(frozen=True, slots=True)
class SheetView:
    """One seat's paper, or its pawns in the duel."""

    seat: int
    rows: tuple[RowView, ...]
    misses: int
    score: int
    used: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    lucky: tuple[int, ...] = ()
    pawns_left: int | None = None
    hand: tuple[str, ...] | None = None
    """Cards held, None if they cannot be seen."""
    hand_size: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A game as somebody sees it. `seat` is None for a spectator."""

    variant: str
    seat: int | None
    seats: int
    active: int
    turn: int
    phase: str
    deciders: tuple[int, ...]
    choice: str | None
    """What this seat has chosen in the open window."""
    dice: str | None
    crossed: bool
    """Whether the active seat has crossed something in an earlier action of this turn."""
    closed: tuple[str, ...]
    sheets: tuple[SheetView, ...]
    ending: str | None = None
    number: int | None = None
    """Card games: the number on top of the pile."""
    display: tuple[int | None, ...] = ()
    """Card games: the numbers of the display."""
    pile_size: int = 0
    discards: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give the view as plain data."""
        return asdict(self)


def bits(mask: int, size: int) -> tuple[int, ...]:
    """List the places set in a mask."""
    return tuple(place for place in range(size) if mask >> place & 1)


def redacted(layouts: Records, states: Records, seat: int | None) -> Records:
    """Give a copy of the state with everything hidden from a seat blanked out."""
    copies: Records = np.zeros(1, STATE)
    door.redact(layouts, states, 0, copies, -1 if seat is None else seat)
    return copies


def make_view(variant: Variant, layouts: Records, states: Records, seat: int | None) -> View:
    """Show the game to a seat, or to a spectator."""
    return read_view(variant, layouts, redacted(layouts, states, seat), seat)


def read_view(variant: Variant, layouts: Records, states: Records, seat: int | None) -> View:
    """Read a state as it is; hidden things must have been blanked out before."""
    state = states[0]
    cards = layouts[0].flow == CARDS
    choice = None
    if seat is not None and state.choices[seat] != NO_CHOICE:
        choice = action_text(variant, _hand(state, seat) or (), int(state.choices[seat]))
    return View(
        variant=variant.id,
        seat=seat,
        seats=int(state.seats),
        active=int(state.active),
        turn=int(state.turn),
        phase=PHASES[state.phase],
        deciders=bits(int(state.waiting), SEATS),
        choice=choice,
        dice=dice_text(state),
        crossed=bool(state.crossed) and state.phase in (COLOR, PLAY),
        closed=tuple(variant.rows[row].key for row in bits(int(state.closed), len(variant.rows))),
        sheets=tuple(_sheet(variant, layouts, states, s) for s in range(state.seats)),
        ending=ENDINGS[state.ending] or None,
        number=int(state.pile[state.pile_size - 1]) % TOTALS if cards and state.phase in (NUMBER, PLAY) else None,
        display=tuple(None if c == NO_CARD else int(c) % TOTALS for c in state.display) if cards else (),
        pile_size=int(state.pile_size),
        discards=tuple(card_text(int(c)) for c in sorted(state.discards[: state.discarded])),
    )


def dice_text(state: Record) -> str | None:
    """Write the dice that lie on the table, None if none do."""
    on_table = state.phase in (WHITE, COLOR) or (state.phase == OVER and state.dice[0])
    return roll_text(state.dice) if on_table else None


def _hand(state: Record, seat: int) -> tuple[int, ...] | None:
    """Give the cards of a hand, None if they are hidden."""
    hand = tuple(int(card) for card in state.hands[seat, : state.held[seat]])
    return None if NO_CARD in hand else hand


def _sheet(variant: Variant, layouts: Records, states: Records, seat: int) -> SheetView:
    state = states[0]
    sheet = state.sheets[seat]
    hand = _hand(state, seat)
    rows = []
    for r, row in enumerate(variant.rows):
        places = bits(int(sheet.marks[r]), len(row.cells))
        rows.append(
            RowView(
                key=row.key,
                crosses=tuple(row.cells[p].value for p in places),
                heights=tuple(int(state.board[seat, r, p]) if variant.is_duel else 1 for p in places),
                locked=bool(sheet.locks >> r & 1),
                count=int(sheet.count[r]),
                points=door.row_points(layouts, int(sheet.count[r])),
            )
        )
    return SheetView(
        seat=seat,
        rows=tuple(rows),
        misses=int(sheet.misses),
        score=door.score(layouts, states, 0, seat),
        used=tuple(i + 1 for i in bits(int(sheet.used), len(variant.bar))),
        struck=tuple(i + 1 for i in bits(int(sheet.struck), len(variant.bar))),
        lucky=tuple(int(n) for n in sheet.lucky) if variant.lucky else (),
        pawns_left=door.supply(layouts, states, 0, seat) if variant.is_duel else None,
        hand=None if hand is None or not variant.is_cards else tuple(card_text(card) for card in hand),
        hand_size=int(state.held[seat]),
    )
