"""
The rules of a sheet of one's own, by what is on it.

Rules that hold as they stand are quoted from the rule book. Those that speak of numbers or of a printed sheet are said
again with the numbers of this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from qwixx.cli.rulebook import rule_book
from qwixx.variants.compile import compile_layout
from qwixx.variants.features import features_of
from qwixx.variants.model import COLOR_NAMES, Variant
from qwixx.variants.write import drawing_text


@dataclass(frozen=True, slots=True)
class Said:
    """One rule as it holds on a sheet: its id and a sentence."""

    rule: str
    sentence: str


def own_rules(variant: Variant) -> dict[str, list[Said]]:
    """Give the rules that hold on a sheet, by the heading they belong under."""
    has = features_of(compile_layout(variant))
    chapters = _CARDS if "cards" in has else _DUEL if "shared-board" in has else _DICE
    rules = {heading: [_said(rule, variant) for rule in found] for heading, found in chapters.items()}
    if "mixed-colors" in has:
        rules["Mixed colors"] = list(_mixed(variant))
    for feature, (heading, found) in _EXTRAS.items():
        if feature in has:
            rules[heading] = [_said(rule, variant) for rule in found]
    if "paired" in has:
        rules["Pairs"] = list(_pairs(variant, has))
    return rules


def own_page(variant: Variant) -> str:
    """Write the rules of a sheet as a page."""
    least, most = variant.fewest_seats, variant.most_seats
    players = f"{least}" if least == most else f"{least} to {most}"
    lines = [f"# {variant.name}", "", f"*{variant.title}*", "", f"For {players} players.", ""]
    lines += ["```text", *drawing_text(variant), "```", ""]
    for heading, rules in own_rules(variant).items():
        lines += [f"## {heading}", "", *(f"- {said.sentence} ({said.rule})" for said in rules), ""]
    return "\n".join(lines)


# ---- which rules


_DICE = {
    "A turn": ("C1", "C2", "C3", "C4", "C5", "C6", "C13"),
    "Closing a row": ("C7", "C8", "C9", "R1"),
    "The end and the score": ("C11", "C12"),
}
_CARDS = {
    "The cards": ("K1", "K2"),
    "A turn": ("C1", "K3", "K4", "K5", "K6", "C13"),
    "Closing a row": ("K7",),
    "The end and the score": ("K8", "C12"),
}
_DUEL = {
    "A turn": ("D1", "C2", "D2", "D3", "D4", "D5", "D6", "C13"),
    "Closing a row": ("D7",),
    "The end and the score": ("D8", "D9"),
}
_EXTRAS = {
    "boxed": ("Boxes and bar", ("BA1", "BA2", "BA3", "BA4", "BA5")),
    "lucky": ("Lucky numbers", ("L4", "L5")),
    "jokers": ("Jokers", ("K9",)),
}
_PAIR_RULES = {"pair-two-in-fewest": "BB2", "pair-one-in-each": "BB3", "pair-double-fewest": "BB7"}


def _said(rule: str, variant: Variant) -> Said:
    """Say a rule with the numbers of a sheet, or as the book says it."""
    sentence = _NUMBERED[rule](variant) if rule in _NUMBERED else str(rule_book()[rule]["sentence"])
    return Said(rule, sentence)


def _mixed(variant: Variant) -> Iterator[Said]:
    if variant.is_cards:
        yield Said(
            "K10",
            "Cards played together share a color, but their crosses may fall in different rows, "
            "without a limit on cells left out.",
        )
        return
    yield Said("G2", "A color sum is crossed in the one row that shows this number in this color, if there is one.")
    locks = ", ".join(f"{row.key} {COLOR_NAMES[row.lock_color]}" for row in variant.rows)
    yield Said(
        "G3",
        f"With a row the die of its last cell's color leaves ({locks}); cells of that color in other rows stay open to "
        "the white sum.",
    )
    yield Said("G4", "Points are counted along the rows and never by color.")


def _pairs(variant: Variant, has: frozenset[str]) -> Iterator[Said]:
    """Say what each pair does, and the rules of those that need one."""
    for letter, kind in variant.pairs.items():
        cells = [f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells if cell.pair == letter]
        yield Said("BB1", f"Pair {letter}, {' and '.join(cells)}: when both are crossed, {_pair_words(kind)}.")
    for feature, rule in _PAIR_RULES.items():
        if feature in has:
            yield _said(rule, variant)
    yield _said("BB4", variant)
    if has & {"pair-two-in-fewest", "pair-one-in-each"}:
        yield _said("BB5", variant)
    if "pair-free-misses" in has:
        yield _said("BB6", variant)


def _pair_words(kind: str) -> str:
    points = kind.removeprefix("plus-")
    if points.isdecimal():
        return f"{points} more points"
    return {
        "two-in-fewest": "two crosses in the row with the fewest",
        "one-in-each": "one cross in each row",
        "double-fewest": "the row with the fewest crosses scores double at the end",
        "free-misses": "misses cost nothing",
    }[kind]


# ---- rules with numbers in them


def _need(variant: Variant, what: str = "crosses") -> str:
    count = variant.closing_crosses
    return f"{count} or more {what if count != 1 else what.removesuffix('es').removesuffix('s')}"


def _closing_cells(variant: Variant) -> str:
    cells = [[f"{row.key}{cell.value}" for cell in row.cells[row.closes_from :]] for row in variant.rows]
    return "; ".join(" or ".join(row) for row in cells)


def _closing(variant: Variant) -> str:
    """Say how a row is closed (C7, L2)."""
    only = f", only with {_need(variant)} already in the row" if variant.closing_crosses else ""
    several = any(len(row.cells) - row.closes_from > 1 for row in variant.rows)
    rest = " What lies behind the cell that closed a row is lost." if several else ""
    return (
        f"These cells close their row: {_closing_cells(variant)}{only}; the lock is crossed with them as one more "
        f"cross that never counts toward what closing needs.{rest}"
    )


def _points(variant: Variant) -> str:
    """Say what rows and misses are worth (C12)."""
    counted = variant.points[: variant.most_counted]
    return (
        f"A row with 1 to {len(counted)} crosses, lock included, scores {', '.join(map(str, counted))} points, "
        f"a miss costs {variant.miss_points}, and the highest total wins, shared if equal."
    )


def _times(count: int, one: str, many: str) -> str:
    return one if count == 1 else f"{count} {many}"


def _ending(variant: Variant, where: str) -> str:
    rows = _times(variant.end_rows, "a row is closed", "rows are closed")
    misses = _times(variant.end_misses, "a miss stands", "misses stand")
    return f"The game is over at once when {misses} {where} or {rows}"


def _bar(variant: Variant) -> str:
    boxed = [f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells if cell.boxed]
    return f"Boxed are {', '.join(boxed)}; the bar goes through the rows {' '.join(variant.bar)}."


def _by_bonus(variant: Variant) -> str:
    """Say when a bonus closes a row and when it is lost (BA5, BB5)."""
    return (
        f"A bonus cross may close a row that has {_need(variant)} and may end the game; one that points to a cell that "
        "closes without them, or to a closed row, is lost."
    )


def _deck(variant: Variant) -> str:
    assert variant.deck is not None
    numbers = variant.deck.numbers
    return (
        f"The deck has {4 * len(numbers)} cards, {numbers[0]} to {numbers[-1]} in each color, with color and number on "
        "the front and the number alone on the back."
    )


def _dealt(variant: Variant) -> str:
    assert variant.deck is not None
    held = _times(variant.deck.dealt, "one card", "cards")
    return (
        f"Each player holds {held}, the rest is a draw pile with its backs up, and the top four cards of it lie beside "
        "it as the display, backs up."
    )


def _play(variant: Variant) -> str:
    assert variant.deck is not None
    most = variant.deck.left_out
    free = variant.is_mixed or most < 0
    limit = "" if free else f", leaving out at most {_times(most, 'one cell', 'cells')} between the first and the last"
    return (
        "In action 3 the active player has to play one, two or three cards of one color and may cross any of their "
        f"numbers in that color from left to right{limit}; these crosses count toward what closing needs."
    )


def _jokers(variant: Variant) -> str:
    assert variant.deck is not None
    numbers = variant.deck.numbers
    return (
        f"{len(numbers)} jokers, {numbers[0]} to {numbers[-1]} with ordinary backs, take the color their player names "
        "when playing them, and a joker played with a card of its own number crosses the cell once."
    )


_NUMBERED: dict[str, Callable[[Variant], str]] = {
    "C2": lambda variant: (
        "Lots decide who is active first, and the active player rolls two white dice and all color dice still in the "
        f"game in one throw; they have {variant.sides} sides."
    ),
    "C7": _closing,
    "C11": lambda variant: (
        f"{_ending(variant, 'on one sheet')}, whoever closed them; an end in action 1 leaves no action 2 and no miss."
    ),
    "C12": _points,
    "BA1": _bar,
    "BA5": _by_bonus,
    "BB5": _by_bonus,
    "BB6": lambda variant: f"Also misses that cost nothing end the game when there are {variant.end_misses}.",
    "L5": lambda variant: (
        f"The pads {', '.join(f'{small}/{large}' for small, large in variant.lucky)} are dealt by lot, and any other "
        "pair can be set by hand."
    ),
    "K1": _deck,
    "K2": _dealt,
    "K5": _play,
    "K7": lambda variant: (
        f"{_closing(variant)} This shuts the row only for the player who closed it, and all cards stay in the game."
    ),
    "K8": lambda variant: f"{_ending(variant, 'on one sheet')} on one sheet.",
    "K9": _jokers,
    "D1": lambda variant: (
        f"Two players with {variant.pawns} pawns each share one board with a lock per row and {variant.end_misses} "
        "miss boxes, and only the active player acts."
    ),
    "D7": lambda variant: (
        f"These cells close their row: {_closing_cells(variant)}, with {_need(variant, 'own pawns')} in the row, "
        "stacked ones included; a pawn goes on the lock unless none is left, and the row is closed for both with its "
        "die gone at once."
    ),
    "D8": lambda variant: (
        f"{_ending(variant, 'on the board')}, or when a player has placed the last pawn; an end in action 1 leaves no "
        "action 2 and no miss."
    ),
    "D9": lambda variant: (
        f"Each row scores by a player's own pawns, the one on the lock included: "
        f"{', '.join(map(str, variant.points[: variant.most_counted]))} points for 1 to {variant.most_counted}, and "
        f"each own miss costs {variant.miss_points}."
    ),
}
