"""Read a sheet file: parse the TOML and the rows, and report all problems together, each with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from qwixx.errors import Problem, SheetError
from qwixx.variants.model import COLORS, BonusRow, Cell, Deck, Pad, Row, Variant
from qwixx.variants.validate import check

MAX_FILE_CHARS = 64 * 1024
_MAX_MESSAGE_CHARS = 500
_CELL = re.compile(r"(?P<open>\[)?(?P<color>[rygb])?(?P<value>[0-9]{1,2})(?P<pair>[a-z])?(?P<close>\])?")
_RANGE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_LUCKY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")

_KEYS: dict[str, type] = {
    "id": str,
    "like": str,
    "name": str,
    "title": str,
    "flow": str,
    "seats": str,
    "printed": str,
    "provenance": str,
    "sheet": str,
    "bar": str,
    "lucky": list,
    "pairs": dict,
    "effects": dict,
    "twice": bool,
    "stairs": dict,
    "chain": dict,
    "exchange": str,
    "faces": str,
    "track.points": list,
    "track.sum": int,
    "dice.sides": int,
    "closing.crosses": int,
    "end.rows": int,
    "end.misses": int,
    "score.rows": list,
    "score.most": int,
    "score.miss": int,
    "board.pawns": int,
    "cards.sheets": list,
    "cards.numbers": str,
    "cards.jokers": bool,
    "cards.dealt": int,
    "cards.left_out": int,
}
_TABLES = {key.split(".")[0] for key in _KEYS if "." in key}
_NEEDED = [
    "id", "name", "title", "flow", "seats", "sheet", "dice.sides", "closing.crosses", "end.rows", "end.misses",
    "score.rows", "score.miss",
]  # fmt: skip
_WORDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}

Facts = dict[str, Any]
"""Values by key; the key of a nested table has the table's name and a dot before it."""


class _File:
    """One sheet file: its facts, their lines, and the problems found."""

    def __init__(self, source: str, text: str) -> None:
        self.source = source
        self.lines = text.splitlines()
        self.problems: list[Problem] = []
        self.facts: Facts = {}

    def report(self, key: str, message: str, below: int = 0) -> None:
        """Add a problem at the line of a key, or `below` lines after it."""
        line = self.line_of(key)
        shown = message if len(message) <= _MAX_MESSAGE_CHARS else message[:_MAX_MESSAGE_CHARS] + "..."
        self.problems.append(Problem(line + below if line else 0, shown))

    def line_of(self, key: str) -> int:
        """Return the line of a key, counted from 1; 0 if the file does not have it."""
        table, _, name = key.rpartition(".")
        current = ""
        for number, line in enumerate(self.lines, 1):
            if heading := re.match(r"\s*\[\s*([\w-]+)\s*\]\s*(#.*)?$", line):
                current = heading[1]
                if not table and current == name:
                    return number
            elif (current == table and re.match(rf"\s*{re.escape(name)}\s*=", line)) or (
                not current and table and re.match(rf"\s*{re.escape(key)}\s*=", line)
            ):
                return number
        return 0


def read_facts(source: str, text: str) -> _File:
    """Parse the TOML and check the names and types of its keys."""
    file = _File(source, text)
    if len(text) > MAX_FILE_CHARS:
        raise SheetError(source, [Problem(0, f"a sheet file has at most {MAX_FILE_CHARS} characters")])
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        message = f"this is not TOML: {str(error).split(' (at')[0]}"
        raise SheetError(source, [Problem(int(line[1]) if line else 0, message)]) from None
    except RecursionError:
        raise SheetError(source, [Problem(0, "this is not TOML: nested too deeply")]) from None
    except ValueError:  # Python refuses numbers with thousands of digits
        raise SheetError(source, [Problem(0, "a number is far too long")]) from None
    for key, value in document.items():
        if key in _TABLES and isinstance(value, dict):
            file.facts.update({f"{key}.{name}": inner for name, inner in value.items()})
        else:
            file.facts[key] = value
    for key in list(file.facts):
        expected = _KEYS.get(key)
        if expected is None:
            file.report(key, f"nothing is called {key!r}; expected one of {', '.join(_KEYS)}")
        elif type(file.facts[key]) is not expected:
            file.report(key, f"{key!r} should be {_WORDS[expected]}")
        else:
            continue
        del file.facts[key]
    return file


def parse_variant(source: str, text: str, inherited: Callable[[str], Facts], *, builtin: bool) -> Variant:
    """
    Read a sheet file.

    `inherited` returns the facts of the variant that the file is `like`. Raises `SheetError` with all problems.
    """
    file = read_facts(source, text)
    facts = file.facts
    if "like" in facts:
        try:
            # A custom sheet is not printed, whatever it is like.
            own = {"id"} if builtin else {"id", "printed"}
            facts = {key: value for key, value in inherited(facts["like"]).items() if key not in own} | facts
        except LookupError as error:
            file.report("like", str(error.args[0]))
    for key in _NEEDED:
        if key not in facts and not any(p.message.startswith(repr(key)) for p in file.problems):
            file.problems.append(Problem(0, f"{key!r} is missing"))
    rows = _rows(file, facts.get("sheet", ""))
    bonus_rows = _bonus_rows(file, facts.get("sheet", ""), list(rows.values()))
    fewest, most = _range(file, "seats", facts.get("seats", "1-1"), "2-5")
    printed = _range(file, "printed", facts["printed"], "2-5") if "printed" in facts else None
    numbers = _range(file, "cards.numbers", facts.get("cards.numbers", "2-12"), "2-12")
    deck = None
    if facts.get("flow") == "cards":
        deck = Deck(
            sheets=tuple(s for s in facts.get("cards.sheets", []) if isinstance(s, str)),
            numbers=tuple(range(numbers[0], numbers[1] + 1)),
            jokers=facts.get("cards.jokers", False),
            dealt=facts.get("cards.dealt", 4),
            left_out=facts.get("cards.left_out", 1),
        )
    if twice := set(facts.get("pairs", {})) & set(facts.get("effects", {})):
        file.report("effects", f"{min(twice)!r} has an effect in [pairs] already")
    points = facts.get("score.rows", [])
    if not all(type(p) is int for p in points):
        file.report("score.rows", "'score.rows' should be a list of whole numbers, the points for 1, 2, 3, ... crosses")
        points = []
    variant = Variant(
        id=facts.get("id", ""),
        name=facts.get("name", ""),
        title=facts.get("title", ""),
        flow=facts.get("flow", "dice"),
        fewest_seats=fewest,
        most_seats=most,
        provenance=facts.get("provenance", "").strip(),
        rows=tuple(rows.values()),
        sides=facts.get("dice.sides", 6),
        closing_crosses=facts.get("closing.crosses", 5),
        end_rows=facts.get("end.rows", 2),
        end_misses=facts.get("end.misses", 4),
        points=tuple(points),
        most_counted=facts.get("score.most", len(points)),
        miss_points=facts.get("score.miss", 5),
        bar=tuple(facts.get("bar", "").split()),
        pairs={str(k): str(v) for key in ("pairs", "effects") for k, v in facts.get(key, {}).items()},
        lucky=_lucky(file, facts.get("lucky", [])),
        twice=facts.get("twice", False),
        stairs={str(pad): tuple(str(cells).split()) for pad, cells in facts.get("stairs", {}).items()},
        chain={str(pad): _links(file, str(pad), str(links)) for pad, links in facts.get("chain", {}).items()},
        exchange=_numbers(file, "exchange", facts.get("exchange", "").split()),
        track=tuple(points for points in facts.get("track.points", []) if type(points) is int),
        track_sum=facts.get("track.sum", 0),
        faces=next(iter(_numbers(file, "faces", facts.get("faces", "").split())), None),
        bonus_rows=bonus_rows,
        pawns=facts.get("board.pawns", 0),
        deck=deck,
        printed=printed,
        builtin=builtin,
        sheet="classic" if deck else "",
    )
    if "score.most" not in facts:
        needed = max(map(variant.most_crosses, variant.rows), default=0)
        variant = replace(variant, most_counted=max(len(points), needed))
    drawn = sum(1 for line in facts.get("sheet", "").splitlines() if line.strip() and not _is_bonus(line))
    check(variant, file.report, drawn, list(rows))
    if file.problems:
        raise SheetError(source, sorted(file.problems, key=lambda p: p.line))
    return variant


def _range(file: _File, key: str, text: str, example: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(text)
    if not found or int(found[1]) > int(found[2]):
        file.report(key, f"{key!r} should be a range like {example!r}")
        return 1, 1
    return int(found[1]), int(found[2])


def _numbers(file: _File, key: str, words: list[str]) -> tuple[Pad, ...]:
    """Read pairs of numbers such as `8/5`."""
    found = [_LUCKY.fullmatch(word) for word in words]
    if not all(found):
        file.report(key, f"{key!r} has pairs of numbers, such as 8/5")
    return tuple((int(each[1]), int(each[2])) for each in found if each)


def _links(file: _File, pad: str, text: str) -> tuple[tuple[str, str], ...]:
    """Read the linked cells of a pad, such as `r6-y6`."""
    pairs = [word.split("-") for word in text.split()]
    if any(len(pair) != 2 for pair in pairs):
        file.report("chain", f"pad {pad!r} has pairs of cells, such as r6-y6")
    return tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2)


def _lucky(file: _File, pads: list[Any]) -> tuple[Pad, ...]:
    pairs = []
    for pad in pads:
        found = _LUCKY.fullmatch(pad) if isinstance(pad, str) else None
        if found:
            pairs.append((int(found[1]), int(found[2])))
        else:
            file.report("lucky", f"a pad of lucky numbers looks like '6/11', not {pad!r}")
    return tuple(pairs)


def _rows(file: _File, drawing: str) -> dict[int, Row]:
    """
    Read the drawing of the sheet, one line per row: its key, its cells, a stroke before those that close it, L.

    Return the valid rows by their line, counted from the line of the key.
    """
    rows: dict[int, Row] = {}
    # TOML drops a line break right after the opening quotes, so the first row is one line below the key.
    for below, line in enumerate(drawing.splitlines(), 1):
        if line.strip() and not _is_bonus(line):
            row = _row(file, line.split(), below)
            if row is not None:
                rows[below] = row
    return rows


def _is_bonus(line: str) -> bool:
    """Return whether a line of the drawing is a bonus row: the keys of two rows, then numbers (BP1)."""
    return bool(re.fullmatch(r"[A-Za-z]{2}", line.split(maxsplit=1)[0]))


def _bonus_rows(file: _File, drawing: str, rows: list[Row]) -> tuple[BonusRow, ...]:
    """Read the bonus rows of the drawing; each repeats the numbers of the rows above and below it (BP1)."""
    found = []
    between = ["".join(row.key for row in rows[at : at + 2]) for at in range(len(rows) - 1)]
    for below, line in enumerate(drawing.splitlines(), 1):
        if not line.strip() or not _is_bonus(line):
            continue
        key, *numbers = line.split()
        if key not in between:
            file.report("sheet", f"a bonus row has the keys of two neighboring rows, such as ry, not {key!r}", below)
        elif any([cell.label for cell in row.cells] != numbers for row in rows[between.index(key) :][:2]):
            file.report("sheet", f"bonus row {key!r} has the same numbers as the rows above and below it", below)
        else:
            found.append(BonusRow(key, between.index(key)))
    return tuple(found)


def _row(file: _File, words: list[str], below: int) -> Row | None:
    key, closes_from = words[0], -1
    cells: list[Cell] = []
    problems_before = len(file.problems)
    if not re.fullmatch(r"[A-Za-z]", key):
        file.report("sheet", f"a row starts with its key, one letter, not {key!r}", below)
    if words[-1] != "L":
        file.report("sheet", "a row ends with its lock, L", below)
    for word in words[1:-1] if words[-1] == "L" else words[1:]:
        if word == "|":
            if closes_from >= 0:
                file.report("sheet", "a row has one stroke '|', before the cells that close it", below)
            closes_from = len(cells)
            continue
        if word == "+" and cells and not cells[-1].after:
            cells.append(Cell(0, key if key in COLORS else cells[-1].color, after=cells[-1].value))
            continue
        cell = _cell(word, key)
        if cell is None:
            file.report("sheet", f"{word!r} is no cell; cells look like 7, r7, [7] or 7a", below)
        elif not cell.color:
            file.report("sheet", f"cell {word!r} needs a color before its number, since {key!r} is none", below)
        else:
            cells.append(cell)
    if len(file.problems) == problems_before and not 0 <= closes_from < len(cells):
        file.report("sheet", "a row needs a stroke '|' before the cells that close it", below)
    return Row(key, tuple(cells), closes_from) if len(file.problems) == problems_before else None


def _cell(word: str, row_key: str) -> Cell | None:
    found = _CELL.fullmatch(word)
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    color = found["color"] or (row_key if row_key in COLORS else "")
    return Cell(int(found["value"]), color, boxed=bool(found["open"]), pair=found["pair"] or "")
