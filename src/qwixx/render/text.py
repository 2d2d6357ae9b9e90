"""Sheets as text: for `print`, and with colors for the terminal. The plain text has the same information."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text

from qwixx.base.languages import ENGLISH, current_language
from qwixx.game.view import SheetView, View
from qwixx.kernel.effects import is_of_pairs
from qwixx.render.palette import TERMINAL
from qwixx.render.sheet_content import (
    BonusInk,
    CellInk,
    RowInk,
    bar_marks,
    dice_faces,
    exchange_marks,
    pair_words,
    read_bonus_rows,
    read_marked,
    read_rows,
    read_sum,
    seat_name,
    status,
    track_marks,
)
from qwixx.text.catalogue import listed, t
from qwixx.text.effect_texts import effect_sign
from qwixx.text.notation import Action
from qwixx.variants.model import Variant

_LOCK = 3
"""Columns of a lock: its stroke, its sign and a blank; in the duel, pawns below it."""
_PAWN = "#o"
"""The pawns of seat 0 and seat 1."""
_FRAMES = {"stairs": ("[", "]"), "down": ("(", ")"), "up": ("(", ")")}
"""The signs around the cells of a pad: framed ones (CA1), linked ones (CB1)."""
_LONGEST_NAME = 16
WIDE = 80
"""Columns with which every sheet has one line for each of its rows."""
_QUIET = Style(dim=True)
_STRONG = Style(bold=True)
_TAB = Style(bold=True, reverse=True)
_LEGAL = Style(color="color(231)", bgcolor="color(16)", bold=True)


def table_text(variant: Variant, view: View, names: Sequence[str] = ()) -> str:
    """Return the whole table as text: the state of the game, the middle of the table, and every sheet."""
    printable = [_named(seat, names) for seat in range(view.seats)]
    parts = [variant.name, status(view, printable)]
    middle = middle_rich(variant, view).plain
    if middle:
        parts.append(middle)
    for seat in range(1 if variant.is_duel else view.seats):
        parts += ["", *([] if variant.is_duel else [printable[seat]])]
        parts.append(sheet_rich(variant, view, seat, names=names).plain)
    return _trimmed("\n".join(parts))


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())


def sheet_text(variant: Variant, view: View, seat: int, legal: Iterable[str | Action] = ()) -> str:
    """Return the sheet of one seat as plain text."""
    return _trimmed(sheet_rich(variant, view, seat, legal).plain)


def sheet_rich(
    variant: Variant,
    view: View,
    seat: int,
    legal: Iterable[str | Action] = (),
    names: Sequence[str] = (),
    width: int = WIDE,
) -> Text:
    """
    Return the sheet of one seat as colored text; in the duel, the board.

    `X` is a cross, `.` a cell that is lost, `>7<` a cell that may be crossed now, `[7]` a boxed or framed cell, `(7)` a
    linked one, `+` a small field. After the stroke
    is the lock: `L` open, `X` crossed, `=` closed by another seat. Rows that are wider than `width` continue on the
    next line.
    """
    lines = _sheet_lines(variant, view, seat, legal, width)
    if variant.is_duel:
        lines += [_duellist(variant, each, names) for each in view.sheets]
    else:
        lines.append(_score(variant, view.sheets[seat]))
    return Text("\n").join(lines)


def brief_sheet_rich(
    variant: Variant, view: View, seat: int, legal: Iterable[str | Action] = (), width: int = WIDE
) -> Text:
    """Return the sheet for a small screen: without points, and in the duel with the pawns beside their numbers."""
    return Text("\n").join(_sheet_lines(variant, view, seat, legal, width, is_brief=True))


def _sheet_lines(
    variant: Variant, view: View, seat: int, legal: Iterable[str | Action], width: int, *, is_brief: bool = False
) -> list[Text]:
    """Write the rows and everything below them but the points."""
    sheet = view.sheets[seat]
    rows = read_rows(variant, view, seat, legal)
    bonus = {each.above: each for each in read_bonus_rows(variant, view, seat, legal)}
    lines = []
    for at, row in enumerate(rows):
        lines += _row(variant, row, width, is_brief=is_brief)
        lines += _bonus_row(variant, bonus[at], width) if at in bonus else []
    if variant.bar:
        lines += _bar(variant, sheet, width, t("cli.sheet.bar"))
    if variant.exchange:
        lines += _fields(exchange_marks(variant, sheet), width, t("cli.sheet.bar"))
    if variant.track:
        lines += _fields(track_marks(variant, sheet), width, t("cli.sheet.track"))
    if sheet.pad:
        lines.append(Text(t("cli.sheet.pad", pad=sheet.pad)))
    if variant.pairs:
        lines += _pairs(variant, rows, width)
    if sheet.lucky:
        lines.append(Text(t("cli.sheet.lucky", numbers=listed(sheet.lucky))))
    if variant.is_cards:
        lines.append(_hand(sheet))
    lines.append(_misses(variant, view, seat))
    return lines


def rows_rich(
    variant: Variant,
    view: View,
    seat: int,
    keys: Sequence[str],
    legal: Iterable[str | Action] = (),
    width: int = WIDE,
) -> Text:
    """Write some rows of a seat's sheet, as `sheet_rich` does for all of them."""
    rows = [row for row in read_rows(variant, view, seat, legal) if row.key in keys]
    return Text("\n").join([line for row in rows for line in _row(variant, row, width)])


def bar_rich(variant: Variant, sheet: SheetView, word: str, width: int = WIDE) -> Text:
    """Write a seat's bonus bar below a word for it, as `sheet_rich` does below the rows."""
    return Text("\n").join(_bar(variant, sheet, width, word))


def cards_rich(cards: Sequence[str]) -> Text:
    """Write cards beside each other; a plain number is a back."""
    line = Text()
    for card in cards:
        line.append(f" {card} ", _band(card[0] if card[0] in TERMINAL else "w", strong=True))
        line.append(" ")
    return line


def middle_rich(variant: Variant, view: View) -> Text:
    """Return the middle of the table: the dice, or the display and the number on top of the pile."""
    line = Text()
    for color, face in dice_faces(view):
        line.append(f" {'' if color == 'w' else color}{face} ", _band(color, strong=True))
        line.append(" ")
    if variant.is_cards:
        line.append(t("cli.sheet.display"))
        for number in view.display:
            line.append(" ")
            line.append(f" {'-' if number is None else number} ", _band("w", strong=True))
        line.append(f"   {t('cli.sheet.pile')} ")
        line.append(f" {'?' if view.number is None else view.number} ", _band("w", strong=True))
        line.append(f" ({t('cli.sheet.cards', n=view.pile_size)})")
    return line


def _band(color: str, *, strong: bool = False) -> Style:
    letters, ground, _ = TERMINAL[color]
    return Style(color=letters, bgcolor=ground, bold=strong)


def _cross(color: str) -> Style:
    return Style(color="color(16)", bgcolor=TERMINAL[color][2], bold=True)


# ---- rows


def _row(variant: Variant, row: RowInk, width: int, *, is_brief: bool = False) -> list[Text]:
    """Write a row, in as many equal parts as needed; in the duel a second line below each shows the pawns."""
    is_inline = variant.is_duel and is_brief
    wide = _wide(variant) + is_inline
    tab, lock = f"{row.key} ", "X" if row.lock_by and not variant.is_duel else "=" if row.closed else "L"
    most = max(1, (width - len(tab) - _LOCK) // wide)
    parts = -(-len(row.cells) // most)
    size = -(-len(row.cells) // parts)
    lines = []
    for start in range(0, len(row.cells), size):
        cells = row.cells[start : start + size]
        line = Text()
        line.append(" " * len(tab) if start else tab, _tab(row) if not start else Style())
        for cell in cells:
            text = _content(variant, cell, mixed=row.color is None)
            if is_inline and cell.owner is not None:
                text = f"{text[:-1]}{_pawns(cell)}"
            line.append(text.rjust(wide), _style(cell, is_duel=variant.is_duel))
        is_last = start + size >= len(row.cells)
        if is_last:
            style = _cross(row.lock_color) if row.lock_by else _band(row.lock_color, strong=not row.closed)
            pawns = "".join(_PAWN[each] for each in row.lock_by) if is_inline else ""
            line.append(f"|{pawns or f'{lock} '}", style)
        lines.append(line)
        if variant.is_duel and not is_inline:
            below = _pawns_below(cells, row.lock_by if is_last else (), wide)
            lines += [below] if parts == 1 or below.plain.strip() else []  # a narrow screen is also short
    return lines


def _wide(variant: Variant) -> int:
    """Return the columns of a cell."""
    return 4 + variant.is_mixed + (bool(variant.pairs) or variant.twice)


def _bonus_row(variant: Variant, row: BonusInk, width: int) -> list[Text]:
    """Write a bonus row, its cells below those of the row above (BP1)."""
    wide = _wide(variant)
    most = max(1, (width - len(row.key) - _LOCK) // wide)
    size = -(-len(row.cells) // -(-len(row.cells) // most))
    lines = []
    for start in range(0, len(row.cells), size):
        line = Text(" " * len(row.key) if start else row.key, _TAB if not start else Style())
        for cell in row.cells[start : start + size]:
            style = _LEGAL if cell.legal else _STRONG if cell.crossed else _QUIET if cell.lost else Style()
            line.append(_content(variant, cell, mixed=False).rjust(wide), style)
        lines.append(line)
    return lines


def _tab(row: RowInk) -> Style:
    return _band(row.color, strong=True) if row.color else _TAB


def _pawns_below(cells: Sequence[CellInk], lock_by: Sequence[int], wide: int) -> Text:
    """Write the line below a row of the duel's board: the pawns on its cells and on its lock."""
    below = Text("  ")
    for cell in cells:
        below.append(_pawns(cell).rjust(wide - 1) + " ", _STRONG)
    return below.append("".join(f" {_PAWN[seat]}" for seat in lock_by), _STRONG)


def _content(variant: Variant, cell: CellInk, *, mixed: bool) -> str:
    """Write a cell: its number or its cross, with color and pair letters, and the brackets for its state."""
    number = "." if cell.lost else "+" if cell.printed.after else str(cell.printed.value)
    if cell.crossed and not variant.is_duel:
        number = "X" * cell.height
    text = (cell.printed.color if mixed else "") + number + cell.printed.pair
    left, right = _FRAMES.get(cell.printed.frame, ("[", "]") if cell.printed.boxed else ("", ""))
    if cell.legal:
        return f">{text}{right or '<'}"
    return f"{left}{text}{right or ' '}"


def _style(cell: CellInk, *, is_duel: bool) -> Style:
    if cell.legal:
        return _LEGAL
    if cell.crossed and not is_duel:
        return _cross(cell.printed.color)
    return _band(cell.printed.color, strong=not cell.lost) + (_QUIET if cell.lost else Style())


def _pawns(cell: CellInk) -> str:
    if cell.owner is None:
        return ""
    return _PAWN[cell.owner] + (str(cell.height) if cell.height > 1 else "")


# ---- below the rows


def _bar(variant: Variant, sheet: SheetView, width: int, word: str) -> list[Text]:
    lines = [Text(f"{word} ")]
    for key, color, mark in bar_marks(variant, sheet):
        sign = {"used": "X", "struck": "-", "open": key}[mark]
        style = {"used": _cross(color), "struck": _QUIET, "open": _band(color, strong=True)}[mark]
        if len(lines[-1]) + 3 > width:
            lines.append(Text(" " * (len(word) + 1)))
        lines[-1].append(f" {sign} ", style)
        lines[-1].append(" ")
    return lines


def _fields(marks: Sequence[tuple[str, str]], width: int, word: str) -> list[Text]:
    """Write the fields of a bar or a track below a word for it: an `X` is used, a `-` is lost."""
    lines = [Text(word)]
    for text, mark in marks:
        sign = {"used": "X", "struck": "-", "open": text}[mark]
        if len(lines[-1]) + len(text) + 2 > width:
            lines.append(Text(" " * len(word)))
        lines[-1].append(f"  {sign:>{len(text)}}", _QUIET if mark == "struck" else _STRONG)
    return lines


def _pairs(variant: Variant, rows: Sequence[RowInk], width: int) -> list[Text]:
    """List the pairs and other marked cells, as many on a line as fit; an `X` for each cell that is crossed."""
    title = t("cli.sheet.pairs") if any(map(is_of_pairs, variant.pairs.values())) else ""
    lines = [Text(title)]
    for letter, word, cells, crossed in read_marked(variant, rows):
        named = pair_words(word) if current_language() == ENGLISH else effect_sign(word)
        item = f" {letter} {named} [{'X' * crossed:<{cells}}]"
        if len(lines[-1]) + len(item) > width - 2:
            lines.append(Text(" " * len(title)))
        lines[-1].append(item, _STRONG if crossed == cells else Style())
    return lines


def _hand(sheet: SheetView) -> Text:
    """Write a hand: its cards if they are visible, else their backs (K11)."""
    cards = sheet.hand if sheet.hand is not None else tuple(map(str, sheet.backs))
    return Text(f"{t('cli.sheet.hand')} ").append_text(cards_rich(cards))


def _misses(variant: Variant, view: View, seat: int) -> Text:
    """Write the miss boxes; the duel's are shared and hold pawns."""
    marks = "X" * view.sheets[seat].misses
    if variant.is_duel:
        marks = "".join(_PAWN[sheet.seat] * sheet.misses for sheet in view.sheets)
    boxes = "".join(f"[{mark}]" for mark in marks.ljust(variant.end_misses))
    return Text(f"{t('cli.sheet.misses')} {boxes}")


def _score(variant: Variant, sheet: SheetView) -> Text:
    """Write the score as a sum, as on paper."""
    added = read_sum(variant, sheet)
    line = Text()
    for at, (key, color, points) in enumerate(added.rows):
        line.append(" + " if at else "")
        line.append(key, _band(color, strong=True) if color else _TAB)
        line.append(f" {points}")
    line.append(f" - {t('cli.sheet.for-misses', points=added.misses)}")
    if variant.pays_for:
        line.append(f" + {t(f'cli.sheet.for-{variant.pays_for}', points=added.extra)}")
    line.append(" = ")
    return line.append(str(added.total), _STRONG)


def _duellist(variant: Variant, sheet: SheetView, names: Sequence[str]) -> Text:
    """Write the score of one player of the duel, with the pawn that is theirs."""
    line = Text(f"{_PAWN[sheet.seat]} {_named(sheet.seat, names)}: ")
    return line.append_text(_score(variant, sheet)).append(f", {t('cli.sheet.pawns', n=sheet.pawns_left or 0)}")


def _named(seat: int, names: Sequence[str]) -> str:
    """Return the name of a seat, without characters that break the line or the terminal."""
    name = "".join(letter if letter.isprintable() else "?" for letter in seat_name(seat, names))
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "~"
