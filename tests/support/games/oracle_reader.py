"""Reads position lines of dice games with sheets into the oracle, so that it can play the scenarios too."""

from __future__ import annotations

from oracle import Oracle
from oracle.big_points import BonusRowPaper
from oracle.bonus import BarPaper
from oracle.connected import ChainPaper, StairsPaper
from oracle.double import SecondBoxPaper
from oracle.exchange import ExchangePaper
from oracle.fifteen import SmallFieldPaper, TrackPaper
from oracle.paper import Paper
from oracle.sheet_games import SheetTable


def oracle_of(line: str) -> Oracle:
    """Set up the oracle from a position line."""
    head, *seats = [dict(_facts(part)) for part in line.split(" | ")]
    variant = line.partition(" ")[0]
    lucky = [
        (int(small), int(large)) for small, large in (seat["lucky"].split("/") for seat in seats if "lucky" in seat)
    ]
    pads = "".join(seat.get("pad", "") for seat in seats)
    oracle = Oracle(variant, len(seats), int(head.get("active", 0)), lucky=lucky or None, pads=pads or "ABCDE")
    table = oracle.table
    assert isinstance(table, SheetTable)
    for paper, facts in zip(table.papers, seats, strict=True):
        for name, marks in facts.items():
            _mark(paper, name, marks.split(","))
    table.closed = [row for row in table.sheet.rows if table.shut(row)]
    table.phase = head.get("phase", "roll")
    table.turn = int(head.get("turn", 1))
    table.crossed = head.get("crossed") == "yes"
    table.roll = head.get("roll")
    table.ending = table.check() if table.phase == "over" else None
    return oracle


def _facts(part: str) -> list[tuple[str, str]]:
    return [(name, value) for name, equals, value in (word.partition("=") for word in part.split()) if equals]


def _mark(paper: Paper, name: str, marks: list[str]) -> None:
    """Make the marks that one word of a position line lists."""
    if name in paper.sheet.rows:
        paper.crosses[name] = [paper.sheet.find(f"{name}{mark}")[1] for mark in marks if mark != "L"]
        if "L" in marks:
            paper.locks.add(name)
    elif name == "misses":
        paper.misses = int(marks[0])
    elif isinstance(paper, BarPaper):
        (paper.used if name == "used" else paper.struck).update(map(int, marks))
    elif isinstance(paper, SecondBoxPaper):
        _places(paper, marks, paper.second)
    elif isinstance(paper, SmallFieldPaper):
        _places(paper, marks, paper.small)
    elif isinstance(paper, BonusRowPaper):
        paper.bonus[name] = [paper.sheet.find(name[0] + mark)[1] for mark in marks]
    elif isinstance(paper, ExchangePaper):
        paper.used = [int(mark) for mark in marks]
    elif isinstance(paper, TrackPaper):
        paper.fields = int(marks[0])
    else:
        assert name == "lucky" or isinstance(paper, StairsPaper | ChainPaper), name


def _places(paper: Paper, cells: list[str], places: dict[str, list[int]]) -> None:
    for cell in cells:
        row, place = paper.sheet.find(cell)
        places[row].append(place)
