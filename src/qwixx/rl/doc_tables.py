"""
Tables of observations and actions for docs/environments.md, written from the spaces themselves.

`python -m qwixx.rl.doc_tables docs/environments.md` updates the tables of that page; a test compares them.
"""

from __future__ import annotations

import re

from qwixx.base.generator_arguments import parse_paths
from qwixx.kernel.state.records import CELLS, COLORS, DISPLAY, PASS, SUBSETS
from qwixx.rl.spaces import Space, describe
from qwixx.variants import names

_BLOCK = re.compile(r"(<!-- table (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def size_table() -> str:
    """Write the sizes of all spaces: actions, and entries of an observation by number of seats."""
    lines = ["| variant | actions | 1 seat | 2 | 3 | 4 | 5 |", "|---|---|---|---|---|---|---|"]
    for name in names():
        seats = describe(name, 2).variant.seats
        sizes = [str(describe(name, count).size) if count in seats else "-" for count in range(1, 6)]
        lines.append(f"| {name} | {describe(name, 2).actions} | {' | '.join(sizes)} |")
    return "\n".join(lines)


def observation_table(space: Space) -> str:
    """Write the fields of an observation; the sheets of the other seats, which repeat the first, in one line."""
    lines = ["| entries | field | values | meaning |", "|---|---|---|---|"]
    others = [field for field in space.fields if re.match(r"next\d", field.name)]
    for field in space.fields:
        if field in others:
            if field is others[0]:
                last = others[-1].start + others[-1].size - 1
                lines.append(f"| {field.start}-{last} | next1.* | as own.* | the same for the seat to the left |")
            continue
        last = field.start + field.size - 1
        where = str(field.start) if field.size == 1 else f"{field.start}-{last}"
        lines.append(f"| {where} | {field.name} | 0-{field.high} | {field.meaning} |")
    return "\n".join(lines)


def action_table(space: Space) -> str:
    """Write the blocks of the action space."""
    positions = CELLS // len(space.variant.rows)
    first = space.action_text(0)
    lines = ["| actions | meaning |", "|---|---|"]
    lines.append(f"| 0-{PASS - 1} | cross (duel: put a pawn on) the cell row * {positions} + position; 0 is {first} |")
    lines.append(f"| {PASS} | pass |")
    at = PASS + 1
    if space.variant.is_cards:
        lines.append(
            f"| {at}-{at + (1 << DISPLAY) - 1} | take: {at} + a bit for each place of the display, 1, 2, 4, 8 |"
        )
        at += 1 << DISPLAY
        lines.append(
            f"| {at}-{space.actions - 1} | play: {at} + (subset * {COLORS} + color) * 8 + a bit for each card crossed; "
            f"subsets of the hand's places in this order: {_subsets()} |"
        )
    elif space.actions > at:
        lines.append(
            f"| {at}-{space.actions - 1} | {at} + tie * {CELLS} + cell: cross it and take row `tie` in a tie |"
        )
    return "\n".join(lines)


def _subsets() -> str:
    return ", ".join("".join(str(place + 1) for place in range(5) if subset >> place & 1) for subset in SUBSETS)


def table(name: str) -> str:
    """Write a table by its name on the page: `sizes`, or a variant for its observation and actions at two seats."""
    if name == "sizes":
        return size_table()
    kind, variant = name.split(":")
    space = describe(variant, 2)
    return observation_table(space) if kind == "observation" else action_table(space)


def renewed(page: str) -> str:
    """Return a page with all its tables updated."""
    return _BLOCK.sub(lambda found: f"{found[1]}{table(found[2])}\n{found[3]}", page)


if __name__ == "__main__":
    for path in parse_paths(__doc__, "page", many=True):
        path.write_text(renewed(path.read_text("utf-8")), "utf-8")
