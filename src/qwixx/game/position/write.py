"""Write a position line: facts with their starting value are omitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qwixx.game.position.fields import (
    BOTH,
    SEAT_FIELDS,
    SMALL,
    TABLE_FIELDS,
    WORDS_OF_SHEET,
    WORDS_OF_TABLE,
    keys_of,
    write_word,
)
from qwixx.game.view import bits, dice_text
from qwixx.kernel.state.records import NO_CHOICE, PHASES, POSITIONS, Record, Records
from qwixx.text.notation import action_text, cell_text, deck_text, lucky_text
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant


def write_position(variant: Variant, states: Records) -> str:
    """Write a state as a position line."""
    state, (table_keys, seat_keys) = states[0], variant.derived(_keys)
    plain = {text.key: write_word(field, text, int(state[field.name])) for field, text in WORDS_OF_TABLE}
    words = [variant.id]
    # A line begins with the turn and phase; other words follow in the order of the fields.
    for key in dict.fromkeys(("active", "phase", "turn", "sheet", "roll", *table_keys)):
        words.append(plain[key] if key in plain else _keyed(key, _TABLE_BY_HAND[key](variant, state)))
    sections = [_joined(words), *(_write_seat(variant, seat_keys, state, seat) for seat in range(state.seats))]
    return " | ".join(sections)


def _keys(variant: Variant) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of the words that a game has, of the table and of a seat."""
    layout = compile_layout(variant)[0]
    return keys_of(TABLE_FIELDS, layout), keys_of(SEAT_FIELDS, layout)


def _write_seat(variant: Variant, keys: tuple[str, ...], state: Record, seat: int) -> str:
    """Write a seat's section: its rows, then the other words in the order of the fields."""
    sheet = state.sheets[seat]
    words = _rows(variant, state, seat)
    plain = {text.key: write_word(field, text, int(sheet[field.name])) for field, text in WORDS_OF_SHEET}
    for key in keys:
        words.append(plain[key] if key in plain else _keyed(key, _SEAT_BY_HAND[key](variant, state, seat)))
    return _joined(words) or "-"


def _keyed(key: str, text: str | None) -> str:
    return "" if text is None else f"{key}={text}"


def _joined(words: list[str]) -> str:
    return " ".join(word for word in words if word)


# ---- words that cover more than one field


def _rows(variant: Variant, state: Record, seat: int) -> list[str]:
    """Write the crosses, or pawns, of each row that has any."""
    sheet = state.sheets[seat]
    crossed, locks = sheet["marks"].tolist(), int(sheet["locks"])
    heights = state["board"][seat].tolist() if variant.is_duel else None
    words = []
    for r, row in enumerate(variant.rows):
        marks = []
        for place in bits(crossed[r], len(row.cells)):
            if row.cells[place].after:
                continue
            height = heights[r][place] if heights else 1
            marks.append(f"{row.cells[place].value}" + (f"x{height}" if height > 1 else ""))
        if locks >> r & 1:
            marks.append("L")
        words.append(_keyed(row.key, ",".join(marks) or None))
    for beside, bonus in enumerate(variant.bonus_rows):
        cells = variant.rows[bonus.above].cells
        places = bits(int(sheet["bonus"]) >> beside * POSITIONS, len(cells))
        words.append(_keyed(bonus.key, ",".join(cells[place].label for place in places) or None))
    if variant.faces:
        small = [
            crossed[r] & sum(1 << at for at, cell in enumerate(row.cells) if cell.after)
            for r, row in enumerate(variant.rows)
        ]
        words.append(_keyed(SMALL, (_cells(variant, small) or "").replace("+", "") or None))
    return words


def _cells(variant: Variant, marks: Sequence[int]) -> str | None:
    """Write cells of all rows: `r7,y2`."""
    found = [
        row.key + row.cells[place].label
        for row, crossed in zip(variant.rows, marks, strict=True)
        for place in bits(int(crossed), len(row.cells))
    ]
    return ",".join(found) or None


def _sheet(variant: Variant, _state: Record) -> str | None:
    return variant.sheet if variant.is_cards and variant.sheet != "classic" else None


def _first(variant: Variant, state: Record) -> str | None:
    return cell_text(variant, int(state.first_cell)) if state.first_cell >= 0 else None


def _choices(variant: Variant, state: Record) -> str | None:
    choices = [int(choice) for choice in state.choices[: state.seats]]
    if all(choice == NO_CHOICE for choice in choices):
        return None
    texts = ["-" if choice == NO_CHOICE else action_text(variant, (), choice) for choice in choices]
    return ",".join(text.replace(",", BOTH) for text in texts)


def _is_dealt(state: Record) -> bool:
    return bool(state.pile_size + state.discarded > 0)


def _display(_variant: Variant, state: Record) -> str | None:
    return deck_text(int(card) for card in state.display) if _is_dealt(state) else None


def _pile(_variant: Variant, state: Record) -> str | None:
    return deck_text(int(card) for card in state.pile[: state.pile_size][::-1]) if _is_dealt(state) else None


def _discards(_variant: Variant, state: Record) -> str | None:
    return deck_text(sorted(int(card) for card in state.discards[: state.discarded])) or None


def _hand(_variant: Variant, state: Record, seat: int) -> str | None:
    return deck_text(int(card) for card in state.hands[seat, : state.held[seat]]) or None


_TABLE_BY_HAND: dict[str, Callable[[Variant, Record], str | None]] = {
    "active": lambda _variant, state: str(state.active),
    "phase": lambda _variant, state: PHASES[state.phase],
    "sheet": _sheet,
    "roll": lambda _variant, state: dice_text(state),
    "crossed": lambda _variant, state: "yes" if state.crossed else None,
    "first": _first,
    "choices": _choices,
    "display": _display,
    "pile": _pile,
    "discards": _discards,
}
_SEAT_BY_HAND: dict[str, Callable[[Variant, Record, int], str | None]] = {
    "lucky": lambda _variant, state, seat: lucky_text(state.sheets[seat].lucky),
    "second": lambda variant, state, seat: _cells(variant, state.sheets[seat].twice),
    "pad": lambda variant, state, seat: variant.pads[state.sheets[seat].pad],
    "hand": _hand,
}
