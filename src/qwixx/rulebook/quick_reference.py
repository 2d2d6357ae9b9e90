"""The quick reference of a game: the rules that players look up during a game, on one screen or one printed page."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from qwixx.kernel.effects import is_of_pairs
from qwixx.kernel.state.records import HAND, MOST_PLAYED
from qwixx.rulebook.page_files import words
from qwixx.text.effect_texts import effect_sign, effect_text
from qwixx.variants.features import features_of
from qwixx.variants.layout import compile_layout
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
            found[line["section"]] += _marked(variant, language, in_pairs=True) if line.get("then") == "pairs" else ()
    if others := [*_marked(variant, language, in_pairs=False)]:
        found.setdefault("special", []).extend(others)
    titles = words()["words"][language]
    return tuple(Section(key, titles[key], tuple(found[key])) for key in SECTIONS if key in found)


def cell_name(key: str, value: str, language: str) -> str:
    """Return the name of a cell, or of several separated by slashes, by the color or else the key of its row."""
    labels = words()["words"][language]
    return str(labels["cell"].format(color=labels.get(key, key), value=value))


def _features(variant: Variant) -> Iterator[str]:
    """Yield the features of a game that lines of the quick reference depend on."""
    yield from features_of(compile_layout(variant))
    if variant.is_mixed:
        yield "mixed"
    if any(not _in_order(row) for row in variant.rows):
        yield "shuffled"


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
        "track_sum": variant.track_sum,
        "one": variant.faces[0] if variant.faces else 0,
        "other": variant.faces[1] if variant.faces else 0,
        "left_out": variant.deck.left_out if variant.deck else 0,
    }


def _last(row: Row, language: str) -> str:
    """Return the name of the cells that close a row: "red 12", "green 3/2"."""
    values = "/".join(str(cell.value) for cell in row.cells[row.closes_from :])
    key = row.lock_color if len({cell.color for cell in row.cells}) > 1 else row.key
    return cell_name(key, values, language)


def _marked(variant: Variant, language: str, *, in_pairs: bool) -> Iterator[str]:
    """Yield a line for each letter, of pairs or of other marked cells: its sign, its cells and its effect."""
    for letter, kind in variant.pairs.items():
        if is_of_pairs(kind) != in_pairs:
            continue
        cells = [
            cell_name(row.key, str(cell.value), language)
            for row in variant.rows
            for cell in row.cells
            if cell.pair == letter
        ]
        yield words()["words"][language]["pair"].format(
            sign=effect_sign(kind), cells=", ".join(cells), gives=effect_text(kind, language)
        )
