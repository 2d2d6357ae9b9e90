"""Does this sheet make a game? Each question here has a sentence for whoever drew the sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from qwixx.kernel import records
from qwixx.variants.model import Variant

Slip = Callable[..., None]
"""slip(key, message, lines_below): note a slip at the line of a key."""

LONGEST_NAME = 100
LONGEST_TITLE = 500
"""Both are shown to people, also to those who were sent a record."""
_PLUS = re.compile(r"plus-([0-9]{1,3})")


def pair_effect(kind: str) -> tuple[int, int] | None:
    """Give the kernel's number and the points for a kind of pair, such as 'plus-13'; None if there is none."""
    if found := _PLUS.fullmatch(kind):
        return records.PLUS_POINTS, int(found[1])
    if kind in records.PAIR_EFFECTS and kind != "plus-points":
        return records.PAIR_EFFECTS.index(kind), 0
    return None


def check(variant: Variant, slip: Slip, drawn: int, below: list[int]) -> None:
    """
    Report everything that keeps a variant from being played.

    `drawn` is how many rows its drawing has, `below` where those stand that could be read.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", variant.id):
        slip("id", "'id' should be up to 40 small letters, digits and dashes")
    for key, text, most in (("name", variant.name, LONGEST_NAME), ("title", variant.title, LONGEST_TITLE)):
        if len(text) > most or not text.isprintable():
            slip(key, f"{key!r} should be one line of up to {most} characters")
    if variant.flow not in ("dice", "cards"):
        slip("flow", "'flow' should be 'dice' or 'cards'")
    _check_seats(variant, slip)
    for key, value, least, most in (
        ("dice.sides", variant.sides, 2, (records.TOTALS - 1) // 2),
        ("closing.crosses", variant.closing_crosses, 0, records.POSITIONS),
        ("end.rows", variant.end_rows, 1, records.ROWS),
        ("end.misses", variant.end_misses, 1, 20),
        ("score.miss", variant.miss_points, 0, 100),
        ("board.pawns", variant.pawns, 0, 100),
    ):
        if not least <= value <= most:
            slip(key, f"{key!r} should be from {least} to {most}, not {value}")
    if drawn:
        _check_rows(variant, slip, drawn, below)
        _check_points(variant, slip)
    if drawn and drawn == len(variant.rows):  # with rows that could not be read nothing is sure about these
        _check_bar(variant, slip)
        _check_pairs(variant, slip)
    _check_lucky(variant, slip)
    _check_cards(variant, slip)
    if variant.is_duel and (variant.is_cards or variant.bar or variant.pairs or variant.lucky):
        slip("board.pawns", "a shared board goes with dice alone: no cards, bar, pairs or lucky numbers")


def _check_seats(variant: Variant, slip: Slip) -> None:
    most = 2 if variant.is_duel else records.SEATS
    least = 2 if variant.is_duel or variant.is_cards else 1
    if variant.fewest_seats < least or variant.most_seats > most:
        slip("seats", f"'seats' should lie within '{least}-{most}' here")


def _check_rows(variant: Variant, slip: Slip, drawn: int, lines: list[int]) -> None:
    if drawn != records.ROWS:
        slip("sheet", f"a sheet has {records.ROWS} rows, not {drawn}")
    largest = max(variant.deck.numbers) if variant.deck else 2 * variant.sides
    named: Counter[tuple[str, int]] = Counter()
    keys: Counter[str] = Counter()
    for below, row in zip(lines, variant.rows, strict=True):
        keys[row.key] += 1
        if keys[row.key] == 2:
            slip("sheet", f"row key {row.key!r} is used twice", below)
        if not 2 <= len(row.cells) <= records.POSITIONS:
            slip("sheet", f"a row has 2 to {records.POSITIONS} cells, not {len(row.cells)}", below)
        if variant.closing_crosses > row.closes_from:
            slip("sheet", f"row {row.key!r} has too few cells before its stroke to ever be closed", below)
        values = Counter(cell.value for cell in row.cells)
        for value, times in values.items():
            if times > 1:
                slip("sheet", f"row {row.key!r} has the number {value} {times} times", below)
            if not 2 <= value <= largest:
                slip("sheet", f"no sum reaches {row.key}{value}; numbers run from 2 to {largest} here", below)
        for cell in row.cells:
            named[cell.color, cell.value] += 1
            if named[cell.color, cell.value] == 2:
                slip("sheet", f"{cell.color}{cell.value} is on the sheet twice; a color sum must name one cell", below)
    locks = Counter(row.lock_color for row in variant.rows)
    for color, times in locks.items():
        if times > 1:
            slip("sheet", f"{times} rows close with the color {color!r}; each row needs a die of its own")


def _check_points(variant: Variant, slip: Slip) -> None:
    most = min(variant.most_counted, max((row.closes_from + 2 for row in variant.rows), default=0))
    if not 1 <= len(variant.points) < records.POINTS:
        slip("score.rows", f"'score.rows' should have 1 to {records.POINTS - 1} numbers")
    elif variant.most_counted < 1:
        slip("score.most", f"'score.most' should be from 1 to {len(variant.points)}, not {variant.most_counted}")
    elif len(variant.points) < most or variant.most_counted > len(variant.points):
        slip("score.rows", f"'score.rows' needs points for up to {max(most, variant.most_counted)} crosses")
    if any(not 0 <= points <= 1000 for points in variant.points):
        slip("score.rows", "points should be from 0 to 1000")


def _check_bar(variant: Variant, slip: Slip) -> None:
    boxed = any(cell.boxed for row in variant.rows for cell in row.cells)
    keys = [row.key for row in variant.rows]
    if boxed and not variant.bar:
        slip("sheet", "boxed cells need a 'bar' to work through")
    if variant.bar and not boxed:
        slip("bar", "a bar needs boxed cells, such as [7], to work")
    if len(variant.bar) > records.BAR:
        slip("bar", f"'bar' has at most {records.BAR} cells")
    for key in variant.bar:
        if key not in keys:
            slip("bar", f"'bar' names row {key!r}; the rows are {' '.join(keys)}")


def _check_pairs(variant: Variant, slip: Slip) -> None:
    used = Counter(cell.pair for row in variant.rows for cell in row.cells if cell.pair)
    for letter in sorted(set(used) | set(variant.pairs)):
        if letter not in variant.pairs:
            slip("sheet", f"cells are marked {letter!r}, but [pairs] does not say what that does")
        elif used[letter] != 2:
            slip("pairs", f"pair {letter!r} marks {used[letter]} cells; a pair has two")
    if any(cell.boxed and cell.pair for row in variant.rows for cell in row.cells):
        slip("sheet", "a cell can be boxed or half of a pair, not both")
    if len(variant.pairs) > records.PAIRS:
        slip("pairs", f"there are at most {records.PAIRS} pairs")
    for letter, kind in variant.pairs.items():
        if pair_effect(kind) is None:
            kinds = ", ".join("plus-13" if k == "plus-points" else k for k in records.PAIR_EFFECTS)
            slip("pairs", f"pair {letter!r} does {kind!r}; known are {kinds}")
    if list(variant.pairs.values()).count("two-in-fewest") > 1:
        slip("pairs", "only one pair can be 'two-in-fewest', since an action names one row for a tie")


def _check_lucky(variant: Variant, slip: Slip) -> None:
    if not variant.lucky:
        return
    if not variant.most_seats <= len(variant.lucky) <= records.LUCKY:
        slip("lucky", f"'lucky' needs {variant.most_seats} to {records.LUCKY} pads, one for each seat")
    for small, large in variant.lucky:
        if not variant.can_be_lucky(small, large):
            slip("lucky", f"{small}/{large} should be two different sums from 2 to {2 * variant.sides}, small first")


def _check_cards(variant: Variant, slip: Slip) -> None:
    deck = variant.deck
    if deck is None:
        return
    if variant.bar or variant.pairs or variant.lucky:
        slip("flow", "the card game is played on sheets without bar, pairs and lucky numbers")
    if not deck.sheets:
        slip("cards.sheets", "'cards.sheets' should name at least one sheet")
    if not 1 <= deck.dealt < records.HAND:
        slip("cards.dealt", f"'cards.dealt' should be from 1 to {records.HAND - 1}")
    if not -1 <= deck.left_out <= records.POSITIONS:
        slip("cards.left_out", f"'cards.left_out' should be from 0 to {records.POSITIONS}, or -1 for no limit")
    if deck.numbers[0] < 2 or deck.numbers[-1] >= records.TOTALS:
        slip("cards.numbers", f"'cards.numbers' should lie within '2-{records.TOTALS - 1}'")
    size = len(deck.numbers) * (records.COLORS + int(deck.jokers))
    others = (variant.most_seats - 1) * (records.HAND - 1)
    # Ruling 7: the largest hands and the display must leave a top card for the pile.
    if size < others + records.HAND + records.DISPLAY + 1:
        slip("cards.numbers", f"{size} cards are too few for {variant.most_seats} seats")
