"""The position line: a whole state as one line of text. Writing is here, reading in `setup`."""

from __future__ import annotations

from qwixx.kernel.records import NO_CHOICE, PHASES, SEATS, Record, Records
from qwixx.notation import action_text, cell_text, deck_text
from qwixx.variants.model import Variant
from qwixx.view import bits, dice_text


def write_position(variant: Variant, states: Records) -> str:
    """Write a state as a position line; facts with their starting value are left out."""
    state = states[0]
    words = [variant.id, f"active={state.active}", f"phase={PHASES[state.phase]}"]
    if state.turn != 1:
        words.append(f"turn={state.turn}")
    if variant.is_cards and variant.sheet != "classic":
        words.append(f"sheet={variant.sheet}")
    dice = dice_text(state)
    if dice:
        words.append(f"roll={dice}")
    if state.crossed:
        words.append("crossed=yes")
    if state.first_cell >= 0:
        words.append(f"first={cell_text(variant, int(state.first_cell))}")
    if any(state.choices[seat] != NO_CHOICE for seat in range(state.seats)):
        words.append("choices=" + ",".join(_choice(variant, state, seat) for seat in range(state.seats)))
    if variant.is_cards and state.pile_size + state.discarded > 0:
        words.append("display=" + deck_text(int(card) for card in state.display))
        words.append("pile=" + deck_text(int(card) for card in state.pile[: state.pile_size][::-1]))
        if state.discarded:
            words.append("discards=" + deck_text(sorted(int(card) for card in state.discards[: state.discarded])))
    sections = [" ".join(words), *(write_seat(variant, state, seat) for seat in range(state.seats))]
    return " | ".join(sections)


def _choice(variant: Variant, state: Record, seat: int) -> str:
    choice = int(state.choices[seat])
    return "-" if choice == NO_CHOICE else action_text(variant, (), choice)


def write_seat(variant: Variant, state: Record, seat: int) -> str:
    """Write a seat's section of the position line."""
    sheet = state.sheets[seat]
    words = []
    for r, row in enumerate(variant.rows):
        marks = []
        for place in bits(int(sheet.marks[r]), len(row.cells)):
            height = int(state.board[seat, r, place]) if variant.is_duel else 1
            marks.append(f"{row.cells[place].value}" + (f"x{height}" if height > 1 else ""))
        if sheet.locks >> r & 1:
            marks.append("L")
        if marks:
            words.append(f"{row.key}=" + ",".join(marks))
    if sheet.misses:
        words.append(f"misses={sheet.misses}")
    for name, mask in (("used", sheet.used), ("struck", sheet.struck)):
        if mask:
            words.append(f"{name}=" + ",".join(str(i + 1) for i in bits(int(mask), len(variant.bar))))
    if variant.lucky:
        words.append(f"lucky={sheet.lucky[0]}/{sheet.lucky[1]}")
    if state.held[seat]:
        words.append("hand=" + deck_text(int(card) for card in state.hands[seat, : state.held[seat]]))
    return " ".join(words) or "-"


LONGEST_LINE = 8192
MOST_SECTIONS = 1 + SEATS
