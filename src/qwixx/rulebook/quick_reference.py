"""The quick reference of a game: the rules that players look up during a game, on one screen or one printed page."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from qwixx.kernel.state.records import HAND, MOST_PLAYED
from qwixx.rulebook.page_files import words
from qwixx.variants.model import Row, Variant

SECTIONS = ("turn", "cross", "place", "special", "close", "miss", "end", "count")


class _Count(int):
    """A number that formats its noun: `{n:row|rows}` gives "1 row" or "2 rows"."""

    def __format__(self, nouns: str) -> str:
        one, _, many = nouns.partition("|")
        return f"{int(self)} {one if self == 1 else many}" if nouns else str(int(self))


class Section(Struct, frozen=True):
    """A heading and its lines; the points of a row are drawn below the last section."""

    key: str
    title: str
    lines: tuple[str, ...]


def quick_card(variant: Variant, language: str = "en") -> tuple[Section, ...]:
    """Return the quick reference of a game or a custom sheet, selected by its features."""
    has = set(_features(variant))
    facts = _facts(variant, language)
    found: dict[str, list[str]] = {}
    for line in words()["line"]:
        if all((word[1:] not in has) if word.startswith("!") else word in has for word in line["when"]):
            found.setdefault(line["section"], []).append(line[language].format(**facts))
            found[line["section"]] += _pairs(variant, language) if line.get("then") == "pairs" else ()
    titles = words()["words"][language]
    return tuple(Section(key, titles[key], tuple(found[key])) for key in SECTIONS if key in found)


def cell_name(key: str, value: str, language: str) -> str:
    """Return the name of a cell, or of several separated by slashes, by the color or else the key of its row."""
    labels = words()["words"][language]
    return str(labels["cell"].format(color=labels.get(key, key), value=value))


def _features(variant: Variant) -> Iterator[str]:
    """Yield the features of a game that lines of the quick reference depend on."""
    yield "cards" if variant.is_cards else "dice"
    if variant.is_duel:
        yield "duel"
    if variant.is_mixed:
        yield "mixed"
    if any(not _in_order(row) for row in variant.rows):
        yield "shuffled"
    if any(cell.boxed for row in variant.rows for cell in row.cells):
        yield "boxed"
    if variant.pairs:
        yield "paired"
    if variant.lucky:
        yield "lucky"
    if variant.deck is not None and variant.deck.jokers:
        yield "jokers"


def _in_order(row: Row) -> bool:
    values = [cell.value for cell in row.cells]
    return values in (sorted(values), sorted(values, reverse=True))


def _facts(variant: Variant, language: str) -> dict[str, object]:
    """Return the values of all placeholders in lines."""
    return {
        "last": ", ".join(_last(row, language) for row in variant.rows),
        "need": _Count(variant.closing_crosses),
        "miss": _Count(variant.miss_points),
        "end_misses": _Count(variant.end_misses),
        "end_rows": _Count(variant.end_rows),
        "most": variant.most_counted,
        "pawns": variant.pawns,
        "hand": HAND,
        "play": MOST_PLAYED,
        "left_out": variant.deck.left_out if variant.deck else 0,
    }


def _last(row: Row, language: str) -> str:
    """Return the name of the cells that close a row: "red 12", "green 3/2"."""
    values = "/".join(str(cell.value) for cell in row.cells[row.closes_from :])
    key = row.lock_color if len({cell.color for cell in row.cells}) > 1 else row.key
    return cell_name(key, values, language)


def _pairs(variant: Variant, language: str) -> Iterator[str]:
    """Yield a line for each pair: its sign, its cells and its effect."""
    for letter, kind in variant.pairs.items():
        points = kind.removeprefix("plus-")
        texts = words()["pairs"]["plus" if points.isdecimal() else kind]
        cells = [
            cell_name(row.key, str(cell.value), language)
            for row in variant.rows
            for cell in row.cells
            if cell.pair == letter
        ]
        sign, gives = texts["sign"].format(n=points), texts[language].format(n=points)
        yield words()["words"][language]["pair"].format(sign=sign, cells=", ".join(cells), gives=gives)
