"""Write a variant as a complete sheet file: every key is written out, so that it depends on no other file."""

from __future__ import annotations

import json

from qwixx.kernel.effects import is_of_pairs
from qwixx.variants.model import Cell, Row, Variant


def variant_text(variant: Variant) -> str:
    """
    Return a variant as the text of a sheet file; facts inherited through `like` are written out.

    >>> from qwixx.variants import load
    >>> print(variant_text(load("gemixxt-b")).splitlines()[6])
    y 9 12 4 6 7 2 5 8 11 3 | 10 L
    """
    return variant.derived(_written)


def _written(variant: Variant) -> str:
    lines = [
        f"id = {_quoted(variant.id)}",
        f"name = {_quoted(variant.name)}",
        f"title = {_quoted(variant.title)}",
        f'flow = "{variant.flow}"',
        'sheet = """',
        *drawing_text(variant),
        '"""',
        f'seats = "{variant.fewest_seats}-{variant.most_seats}"',
    ]
    if variant.provenance:
        lines.append(f"provenance = {_quoted(variant.provenance)}")
    if variant.printed:
        lines.append(f'printed = "{variant.printed[0]}-{variant.printed[1]}"')
    if variant.bar:
        lines.append(f'bar = "{" ".join(variant.bar)}"')
    if variant.lucky:
        lines.append("lucky = " + json.dumps([f"{small}/{large}" for small, large in variant.lucky]))
    if variant.twice:
        lines.append("twice = true")
    lines += [f'stairs.{pad} = "{" ".join(cells)}"' for pad, cells in variant.stairs.items()]
    lines += [f'chain.{pad} = "{" ".join("-".join(pair) for pair in pairs)}"' for pad, pairs in variant.chain.items()]
    if variant.exchange:
        lines.append(f'exchange = "{" ".join(f"{one}/{other}" for one, other in variant.exchange)}"')
    if variant.faces:
        lines.append(f'faces = "{variant.faces[0]}/{variant.faces[1]}"')
    if variant.track:
        lines += [f"track.points = {list(variant.track)}", f"track.sum = {variant.track_sum}"]
    lines += [
        f"dice.sides = {variant.sides}",
        f"closing.crosses = {variant.closing_crosses}",
        f"end.rows = {variant.end_rows}",
        f"end.misses = {variant.end_misses}",
        f"score.rows = {list(variant.points)}",
        f"score.most = {variant.most_counted}",
        f"score.miss = {variant.miss_points}",
        f"board.pawns = {variant.pawns}",
        *(
            f"{'pairs' if is_of_pairs(word) else 'effects'}.{letter} = {_quoted(word)}"
            for letter, word in variant.pairs.items()
        ),
    ]
    deck = variant.deck
    if deck is not None:
        lines += [
            "cards.sheets = [" + ", ".join(map(_quoted, deck.sheets)) + "]",
            f'cards.numbers = "{deck.numbers[0]}-{deck.numbers[-1]}"',
            f"cards.jokers = {str(deck.jokers).lower()}",
            f"cards.dealt = {deck.dealt}",
            f"cards.left_out = {deck.left_out}",
        ]
    return "\n".join(lines) + "\n"


def drawing_text(variant: Variant) -> list[str]:
    """Return the rows of a sheet as lines of a sheet file."""
    between = {each.above: each.key for each in variant.bonus_rows}
    lines = []
    for at, row in enumerate(variant.rows):
        lines.append(_row(row))
        if at in between:
            lines.append(" ".join([between[at], *(cell.label for cell in row.cells)]))
    return lines


def _row(row: Row) -> str:
    cells = [_cell(cell, row.key) for cell in row.cells]
    return " ".join([row.key, *cells[: row.closes_from], "|", *cells[row.closes_from :], "L"])


def _cell(cell: Cell, row_key: str) -> str:
    if cell.after:
        return "+"
    text = f"{'' if cell.color == row_key else cell.color}{cell.value}{cell.pair}"
    return f"[{text}]" if cell.boxed else text


def _quoted(text: str) -> str:
    """Quote a text for TOML, which escapes like JSON except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
