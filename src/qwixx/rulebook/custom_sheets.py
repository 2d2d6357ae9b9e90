"""
The rules of a custom sheet, selected by its features.

The rule book has every sentence. Sentences with numbers or about a printed sheet have a second form there (`own`), with
placeholders for the numbers of the custom sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from qwixx.kernel.effects import BOXES, find_effect, is_of_pairs
from qwixx.rulebook import rule_book
from qwixx.text.effect_texts import effect_text
from qwixx.variants.features import features_of
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import COLOR_NAMES, Variant
from qwixx.variants.serialize import drawing_text


@dataclass(frozen=True, slots=True)
class SheetRule:
    """One rule as it applies to a sheet: its id, if the rule book has it, and a sentence."""

    rule: str
    sentence: str


def custom_rules(variant: Variant) -> dict[str, list[SheetRule]]:
    """Return the rules that apply to a sheet, by heading."""
    has = features_of(compile_layout(variant))
    chapters = _CARDS if "cards" in has else _DUEL if "shared-board" in has else _DICE
    rules = {heading: [_rule_for(rule, variant) for rule in ids] for heading, ids in chapters.items()}
    if "mixed-colors" in has:
        mixed = ("K10",) if variant.is_cards else ("G2", "G3", "G4")
        rules["Mixed colors"] = [_rule_for(rule, variant) for rule in mixed]
    for feature, (heading, ids) in _EXTRAS.items():
        if feature in has:
            rules[heading] = [_rule_for(rule, variant) for rule in ids]
    if "paired" in has:
        rules["Pairs"] = list(_marked(variant, in_pairs=True))
    if others := list(_marked(variant, in_pairs=False)):
        rules["Marked cells"] = others
    return rules


def custom_page(variant: Variant) -> str:
    """Return the rules of a sheet as a Markdown page."""
    least, most = variant.fewest_seats, variant.most_seats
    players = f"{least}" if least == most else f"{least} to {most}"
    name, title = escape(variant.name, quote=False), escape(variant.title, quote=False)
    lines = [f"# {name}", "", f"*{title}*", "", f"For {players} players.", ""]
    lines += ["```text", *drawing_text(variant), "```", ""]
    for heading, rules in custom_rules(variant).items():
        lines += [
            f"## {heading}",
            "",
            *(f"- {each.sentence}{f' ({each.rule})' if each.rule else ''}" for each in rules),
            "",
        ]
    return "\n".join(lines)


# ---- which rules


_DICE = {
    "A turn": ("C1", "C2", "C3", "C4", "C5", "C6", "C13"),
    "Closing a row": ("C7", "C8", "C9", "C14", "R1"),
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
    BOXES.feature: ("Boxes and bar", BOXES.rules),
    "lucky": ("Lucky numbers", ("L4", "L5")),
    "jokers": ("Jokers", ("K9",)),
    "bonus-rows": ("Bonus rows", ("BP1", "BP2", "BP3", "BP4", "BP5", "BP6")),
    "stairs": ("Stairs", ("CA1", "CA2", "FR18", "FR19")),
    "chain": ("Linked cells", ("CB1", "CB2", "CB3")),
    "twice": ("Second boxes", ("DA1", "DA2", "DA3")),
    "exchange": ("The bar", ("XC1", "XC2", "XC3")),
    "track": ("The track", ("F1", "F2")),
    "small-fields": ("Small fields", ("F3", "F4", "F5")),
}


def _rule_for(rule: str, variant: Variant, **more: str) -> SheetRule:
    """Return a rule with the numbers of a sheet, or as in the rule book."""
    entry = rule_book()[rule]
    if "own" not in entry:
        return SheetRule(rule, entry["sentence"])
    return SheetRule(rule, entry["own"].format(**_numbers(variant), **more))


def _marked(variant: Variant, *, in_pairs: bool) -> Iterator[SheetRule]:
    """Yield the effect of each letter, of pairs or of other marked cells, and then the rules of these effects."""
    rules: set[str] = set()
    for letter, word in variant.pairs.items():
        if is_of_pairs(word) != in_pairs:
            continue
        rules |= set(find_effect(word)[0].rules)
        cells = [f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells if cell.pair == letter]
        if in_pairs:
            yield _rule_for("BB1", variant, letter=letter, cells=" and ".join(cells), gives=effect_text(word))
        else:
            yield SheetRule("", f"Marked {letter}, {', '.join(cells)}: {effect_text(word)}.")
    yield from (_rule_for(rule, variant) for rule in sorted(rules))


# ---- values of the placeholders


def _numbers(variant: Variant) -> dict[str, object]:
    """Return the values of all placeholders in sentences about a sheet."""
    counted = variant.points[: variant.most_counted]
    several = any(len(row.cells) - row.closes_from > 1 for row in variant.rows)
    values = {
        "sides": variant.sides,
        "closing_cells": _closing_cells(variant),
        "need": _need(variant),
        "need_pawns": _need(variant, "own pawns"),
        "with_crosses": f", only with {_need(variant)} already in the row" if variant.closing_crosses else "",
        "behind": " The cells after the one that closed a row are lost." if several else "",
        "end_misses": _times(variant.end_misses, "a miss stands", "misses stand"),
        "end_rows": _times(variant.end_rows, "a row is closed", "rows are closed"),
        "misses": variant.end_misses,
        "most": len(counted),
        "points": ", ".join(map(str, counted)),
        "miss_points": variant.miss_points,
        "lock_colors": ", ".join(f"{row.key} {COLOR_NAMES[row.lock_color]}" for row in variant.rows),
        "boxed": ", ".join(f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells if cell.boxed),
        "bar": " ".join(variant.bar),
        "pads": ", ".join(f"{small}/{large}" for small, large in variant.lucky),
        "pawns": variant.pawns,
        "bonus_rows": ", ".join(bonus.key for bonus in variant.bonus_rows),
        "pad_names": ", ".join(variant.pads),
        "fields": ", ".join(f"{one}/{other}" for one, other in variant.exchange),
        "track": ", ".join(map(str, variant.track)),
        "track_sum": variant.track_sum,
        "faces": "{} and {}".format(*variant.faces) if variant.faces else "",
    }
    return values | _card_numbers(variant)


def _card_numbers(variant: Variant) -> dict[str, object]:
    if variant.deck is None:
        return {}
    numbers, most = variant.deck.numbers, variant.deck.left_out
    free = variant.is_mixed or most < 0
    limit = f", leaving out at most {_times(most, 'one cell', 'cells')} between the first and the last"
    return {
        "cards": 4 * len(numbers),
        "smallest": numbers[0],
        "largest": numbers[-1],
        "jokers": len(numbers),
        "dealt": _times(variant.deck.dealt, "one card", "cards"),
        "leaving_out": "" if free else limit,
    }


def _need(variant: Variant, what: str = "crosses") -> str:
    count = variant.closing_crosses
    return f"{count} or more {what if count != 1 else what.removesuffix('es').removesuffix('s')}"


def _closing_cells(variant: Variant) -> str:
    cells = [[f"{row.key}{cell.value}" for cell in row.cells[row.closes_from :]] for row in variant.rows]
    return "; ".join(" or ".join(row) for row in cells)


def _times(count: int, one: str, many: str) -> str:
    return one if count == 1 else f"{count} {many}"


def rules_of(variant: Variant) -> list[dict[str, Any]]:
    """List the rules of a game as plain data: those of the rule book, or for a custom sheet those that apply to it."""
    book = rule_book()
    if variant.builtin:
        keys = ("title", "sentence", "games")
        return [
            {"id": id_, **{key: rule[key] for key in keys}} for id_, rule in book.items() if variant.id in rule["games"]
        ]
    applied = [each for rules in custom_rules(variant).values() for each in rules]
    return [
        {"id": each.rule, "title": book[each.rule]["title"] if each.rule else "", "sentence": each.sentence}
        for each in applied
    ]
