"""Checks that a sheet can be played. Each problem is a sentence for the author of the sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from qwixx.kernel.effects import EFFECTS, find_effect
from qwixx.kernel.state import records
from qwixx.variants.model import Variant

Report = Callable[..., None]
"""report(key, message, lines_below): add a problem at the line of a key."""

MAX_NAME_CHARS = 100
MAX_TITLE_CHARS = 500
"""Both are shown to users, also to those who only received a record."""


def check(variant: Variant, report: Report, drawn: int, below: list[int]) -> None:
    """
    Report all problems that make a variant unplayable.

    `drawn` is the number of rows in the drawing, `below` the lines of the valid ones.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", variant.id):
        report("id", "'id' should be up to 40 small letters, digits and dashes")
    for key, text, most in (("name", variant.name, MAX_NAME_CHARS), ("title", variant.title, MAX_TITLE_CHARS)):
        if len(text) > most or not text.isprintable():
            report(key, f"{key!r} should be one line of up to {most} characters")
    if variant.flow not in ("dice", "cards"):
        report("flow", "'flow' should be 'dice' or 'cards'")
    _check_seats(variant, report)
    for key, value, least, most in (
        ("dice.sides", variant.sides, 2, (records.TOTALS - 1) // 2),
        ("closing.crosses", variant.closing_crosses, 0, records.POSITIONS),
        ("end.rows", variant.end_rows, 1, records.ROWS),
        ("end.misses", variant.end_misses, 1, 20),
        ("score.miss", variant.miss_points, 0, 100),
        ("board.pawns", variant.pawns, 0, 100),
    ):
        if not least <= value <= most:
            report(key, f"{key!r} should be from {least} to {most}, not {value}")
    if drawn:
        _check_rows(variant, report, drawn, below)
        _check_points(variant, report)
    if drawn and drawn == len(variant.rows):  # the checks need all rows
        _check_bar(variant, report)
        _check_marks(variant, report, below)
        _check_extras(variant, report, below)
    _check_lucky(variant, report)
    _check_cards(variant, report)
    if variant.is_duel and (variant.is_cards or variant.bar or variant.pairs or variant.lucky):
        report("board.pawns", "a shared board goes with dice alone: no cards, bar, pairs or lucky numbers")


def _check_seats(variant: Variant, report: Report) -> None:
    most = 2 if variant.is_duel else records.SEATS
    least = 2 if variant.is_duel or variant.is_cards else 1
    if variant.fewest_seats < least or variant.most_seats > most:
        report("seats", f"'seats' should lie within '{least}-{most}' here")


def _check_rows(variant: Variant, report: Report, drawn: int, lines: list[int]) -> None:
    if drawn != records.ROWS:
        report("sheet", f"a sheet has {records.ROWS} rows, not {drawn}")
    largest = max(variant.deck.numbers) if variant.deck else 2 * variant.sides
    named: Counter[tuple[str, int]] = Counter()
    keys: Counter[str] = Counter()
    for below, row in zip(lines, variant.rows, strict=True):
        keys[row.key] += 1
        if keys[row.key] == 2:
            report("sheet", f"row key {row.key!r} is used twice", below)
        if not 2 <= len(row.cells) <= records.POSITIONS:
            report("sheet", f"a row has 2 to {records.POSITIONS} cells, not {len(row.cells)}", below)
        if variant.closing_crosses > sum(map(variant.weight, row.cells[: row.closes_from])):
            report("sheet", f"row {row.key!r} has too few cells before its stroke to ever be closed", below)
        values = Counter(cell.value for cell in row.cells if not cell.after)
        for value, times in values.items():
            if times > 1:
                report("sheet", f"row {row.key!r} has the number {value} {times} times", below)
            if not 2 <= value <= largest:
                report("sheet", f"no sum reaches {row.key}{value}; numbers run from 2 to {largest} here", below)
        for cell in row.cells:
            if cell.after:
                continue
            named[cell.color, cell.value] += 1
            if named[cell.color, cell.value] == 2:
                report(
                    "sheet", f"{cell.color}{cell.value} is on the sheet twice; a color sum must name one cell", below
                )
    locks = Counter(row.lock_color for row in variant.rows)
    for color, times in locks.items():
        if times > 1:
            report("sheet", f"{times} rows close with the color {color!r}; each row needs a die of its own")


def _check_points(variant: Variant, report: Report) -> None:
    most = min(variant.most_counted, max(map(variant.most_crosses, variant.rows), default=0))
    if not 1 <= len(variant.points) < records.POINTS:
        report("score.rows", f"'score.rows' should have 1 to {records.POINTS - 1} numbers")
    elif variant.most_counted < 1:
        report("score.most", f"'score.most' should be from 1 to {len(variant.points)}, not {variant.most_counted}")
    elif len(variant.points) < most or variant.most_counted > len(variant.points):
        report("score.rows", f"'score.rows' needs points for up to {max(most, variant.most_counted)} crosses")
    if any(not 0 <= points <= 1000 for points in variant.points):
        report("score.rows", "points should be from 0 to 1000")


def _check_bar(variant: Variant, report: Report) -> None:
    boxed = any(cell.boxed for row in variant.rows for cell in row.cells)
    keys = [row.key for row in variant.rows]
    if boxed and not variant.bar:
        report("sheet", "boxed cells need a 'bar' to work through")
    if variant.bar and not boxed:
        report("bar", "a bar needs boxed cells, such as [7], to work")
    if len(variant.bar) > records.BAR:
        report("bar", f"'bar' has at most {records.BAR} cells")
    for key in variant.bar:
        if key not in keys:
            report("bar", f"'bar' names row {key!r}; the rows are {' '.join(keys)}")


def _check_marks(variant: Variant, report: Report, below: list[int]) -> None:
    used = Counter(cell.pair for row in variant.rows for cell in row.cells if cell.pair)
    for letter in sorted(set(used) - set(variant.pairs)):
        report("sheet", f"cells are marked {letter!r}, but [pairs] does not say what that does")
    for line, row in zip(below, variant.rows, strict=True):
        for cell in row.cells:
            if cell.boxed and cell.pair:
                report(
                    "sheet",
                    f"{row.key}{cell.value} is boxed and marked {cell.pair!r}; a cell can be only one of them",
                    line,
                )
    if len(variant.pairs) > records.PAIRS:
        report("pairs", f"there are at most {records.PAIRS} pairs")
    ties = []
    for letter, word in variant.pairs.items():
        try:
            effect, _ = find_effect(word)
        except LookupError:
            known = ", ".join(f"{effect.name}-13" if effect.has_number else effect.name for effect in EFFECTS)
            report("pairs", f"pair {letter!r} does {word!r}; known are {known}")
            continue
        if effect.when == records.PAIRED and used[letter] != 2:
            report("pairs", f"pair {letter!r} marks {used[letter]} cells; a pair has two")
        elif not used[letter]:
            report("effects", f"no cell is marked {letter!r}")
        ties += [word] if effect.has_ties else []
    if len(ties) > 1:
        report("pairs", f"only one pair can be {ties[0]!r}, since an action names one row for a tie")


def _check_lucky(variant: Variant, report: Report) -> None:
    if not variant.lucky:
        return
    if not variant.most_seats <= len(variant.lucky) <= records.LUCKY:
        report("lucky", f"'lucky' needs {variant.most_seats} to {records.LUCKY} pads, one for each seat")
    for small, large in variant.lucky:
        if not variant.can_be_lucky(small, large):
            report("lucky", f"{small}/{large} should be two different sums from 2 to {2 * variant.sides}, small first")


def _check_cards(variant: Variant, report: Report) -> None:
    deck = variant.deck
    if deck is None:
        return
    if variant.bar or variant.pairs or variant.lucky:
        report("flow", "the card game is played on sheets without bar, pairs and lucky numbers")
    if not deck.sheets:
        report("cards.sheets", "'cards.sheets' should name at least one sheet")
    if not 1 <= deck.dealt < records.HAND:
        report("cards.dealt", f"'cards.dealt' should be from 1 to {records.HAND - 1}")
    if not -1 <= deck.left_out <= records.POSITIONS:
        report("cards.left_out", f"'cards.left_out' should be from 0 to {records.POSITIONS}, or -1 for no limit")
    if deck.numbers[0] < 2 or deck.numbers[-1] >= records.TOTALS:
        report("cards.numbers", f"'cards.numbers' should lie within '2-{records.TOTALS - 1}'")
    size = len(deck.numbers) * (records.COLORS + int(deck.jokers))
    others = (variant.most_seats - 1) * (records.HAND - 1)
    # Ruling 7: the largest hands and the display must leave a top card for the pile.
    if size < others + records.HAND + records.DISPLAY + 1:
        report("cards.numbers", f"{size} cards are too few for {variant.most_seats} seats")


# ---- extras


def _check_extras(variant: Variant, report: Report, below: list[int]) -> None:
    """Check what the sheet has beside rows of numbers, and that it is one thing only."""
    _check_track(variant, report)
    if not variant.extras:
        if any(cell.after for row in variant.rows for cell in row.cells):
            report("sheet", "small fields, +, need 'faces', the two faces that offer them")
        return
    first = variant.extras[0]
    if len(variant.extras) > 1 or variant.bar or variant.pairs or variant.lucky or variant.is_cards or variant.is_duel:
        with_it = variant.extras[1] if len(variant.extras) > 1 else "cards, a shared board, bar, pairs or lucky numbers"
        report(_KEY_OF.get(first, first), f"{_KEY_OF.get(first, first)!r} goes with plain numbers, not with {with_it}")
    _check_pads(variant, report)
    _check_exchange(variant, report)
    _check_small_fields(variant, report, below)
    if len(variant.bonus_rows) > records.BONUS_ROWS:
        report("sheet", f"a sheet has at most {records.BONUS_ROWS} bonus rows")


_KEY_OF = {"track": "track.points", "bonus_rows": "sheet"}
"""The keys of extras in a sheet file, where they differ from the names."""


def _check_pads(variant: Variant, report: Report) -> None:
    """Check the pads of stairs (CA1) and of linked cells (CB1)."""
    if not variant.pads:
        return
    key = "stairs" if variant.stairs else "chain"
    if not variant.most_seats <= len(variant.pads) <= records.PADS:
        report(key, f"{key!r} needs {variant.most_seats} to {records.PADS} pads, one for each seat")
    columns = {row.key + cell.label: (r, at) for r, row in enumerate(variant.rows) for at, cell in enumerate(row.cells)}
    most = 2 * records.LINKS if variant.chain else records.CELLS
    for pad in variant.pads:
        cells = [*variant.stairs.get(pad, ()), *(cell for pair in variant.chain.get(pad, ()) for cell in pair)]
        if not re.fullmatch("[A-Z]", pad):
            report(key, f"the name of a pad is one capital letter, not {pad[:20]!r}")
        if unknown := [cell for cell in cells if cell not in columns]:
            report(key, f"pad {pad!r} names {unknown[0][:20]!r}, which is no cell of the sheet")
            continue
        if not cells or len(set(cells)) < len(cells):
            report(key, f"pad {pad!r} names each of its cells once")
        if len(variant.chain.get(pad, ())) != len(next(iter(variant.chain.values()), ())) or len(cells) > most:
            report(key, f"each pad links the same number of pairs, at most {records.LINKS}")
        for one, other in variant.chain.get(pad, ()):
            (row, at), (next_row, next_at) = columns[one], columns[other]
            if next_row != row + 1 or at != next_at:
                report(key, f"pad {pad!r} links {one} and {other}, which do not lie below one another")
            elif at >= min(variant.rows[row].closes_from, variant.rows[next_row].closes_from):
                report(key, f"pad {pad!r} links {one} and {other}, but a linked cell closes no row")


def _check_exchange(variant: Variant, report: Report) -> None:
    if len(variant.exchange) > records.BAR:
        report("exchange", f"'exchange' has at most {records.BAR} fields")
    for one, other in variant.exchange:
        if one == other or not all(2 <= number <= 2 * variant.sides for number in (one, other)):
            report("exchange", f"{one}/{other} should be two different sums from 2 to {2 * variant.sides}")
    if len({frozenset(pair) for pair in variant.exchange}) < len(variant.exchange):
        report("exchange", "each field of 'exchange' has another pair of numbers")


def _check_track(variant: Variant, report: Report) -> None:
    if (variant.track or variant.track_sum) and not 3 <= variant.track_sum <= 3 * variant.sides:
        report("track.sum", f"'track.sum' should be from 3 to {3 * variant.sides}, a sum of three dice")
    if len(variant.track) > records.TRACK_FIELDS or list(variant.track) != sorted({*variant.track}):
        report("track.points", f"'track.points' should be up to {records.TRACK_FIELDS} numbers that rise")
    if any(not 0 <= points <= 1000 for points in variant.track):
        report("track.points", "points should be from 0 to 1000")


def _check_small_fields(variant: Variant, report: Report, below: list[int]) -> None:
    if variant.faces is None:
        return
    one, other = variant.faces
    if one == other or not all(1 <= face <= variant.sides for face in variant.faces):
        report("faces", f"'faces' should be two different faces from 1 to {variant.sides}")
    if not 1 <= sum(1 for row in variant.rows for cell in row.cells if cell.after) <= records.SMALLS:
        report("faces", f"'faces' needs 1 to {records.SMALLS} small fields, +, in the sheet")
    for line, row in zip(below, variant.rows, strict=False):
        if any(cell.after for cell in row.cells[row.closes_from :]):
            report("sheet", f"row {row.key!r} has a small field, +, among the cells that close it", line)
