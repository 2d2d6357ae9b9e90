"""The state of marked cells: every number represents one kind of sheet, and fits into its tables."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from qwixx import Game, QwixxError
from qwixx.kernel.state.records import PASS, SHEET, Records
from qwixx.solver import Plan, new_game, plan, solve
from qwixx.solver.encoding import marked_state
from qwixx.solver.encoding import sheet_index as folded
from qwixx.solver.encoding.sheet_index import CLASSES
from qwixx.solver.lookahead import marked_cells
from qwixx.variants import load
from support.games.compiled_helpers import compiled_version
from support.games.small_sheets import TINY, sheet_file, tiny_sheet

pytestmark = pytest.mark.slow

place_of, write_sheet = compiled_version(marked_cells.place_of), compiled_version(marked_state.write_sheet)
place, read_rows = compiled_version(folded.place), compiled_version(folded.read_rows)

MARKED = sorted(name for name, facts in TINY.items() if "pairs" in facts or "bar" in facts.get("more", ""))
ROWS_OF_15 = """
id = "wide"
like = "longo"
name = "Wide"
title = "Fifteen cells a row, and a pair that looks at closed rows."
lucky = []
sheet = \"\"\"
r  2a 3  4  5  6  7  8  9 10 11 12 13 14 15 | 16  L
y  2a 3  4  5  6  7  8  9 10 11 12 13 14 15 | 16  L
g 16 15 14 13 12 11 10  9  8  7  6  5  4  3 | 2  L
b 16 15 14 13 12 11 10  9  8  7  6  5  4  3 | 2  L
\"\"\"
[closing]
crosses = {need}
[score]
rows = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136]
[pairs]
a = "double-fewest"
"""


def positions_of(work: Plan) -> list[list[int]]:
    """List the classes of all positions."""
    counts = [range(int(count)) for count in work.folds[0].classes]
    return [[a, b, c, d] for a in counts[0] for b in counts[1] for c in counts[2] for d in counts[3]]


@pytest.mark.parametrize("name", MARKED)
def test_every_number_is_found_from_its_sheet(tmp_path: Path, name: str) -> None:
    """The sheet that represents a number has that number, for all numbers of a tiny sheet."""
    work = plan(load(tiny_sheet(tmp_path, name)))
    sheets: Records = np.zeros(1, SHEET)
    rows = np.zeros(4, np.int32)
    seen = 0
    for classes in positions_of(work):
        at = int(place(work.folds[0], *classes))
        first, last = int(work.firsts[at]), int(work.firsts[at + 1])
        for number in range(last - first):
            rows[:] = classes
            if write_sheet(work.layouts[0], work.folds[0], rows, number, sheets[0]):
                assert place_of(work.layouts[0], work.folds[0], work.firsts, sheets[0], rows) == first + number
                seen += 1
    assert seen > 0.5 * int(work.firsts[-1])


@pytest.mark.parametrize("name", ["boxed", "boxes", "paired"])
def test_sheets_of_real_games_keep_to_their_numbers(tmp_path: Path, name: str) -> None:
    """In random games of three, including rows closed by others, every sheet has a number of its own position."""
    variant = load(sheet_file(tmp_path, name))
    work = plan(variant)
    fold = work.folds[0]
    rows = np.zeros(4, np.int32)
    chooser = random.Random(5)
    closed_by_others = 0
    for number in range(150):
        game = Game(variant, 3, seed=2, number=number)
        while not game.is_over:
            if game.awaits_chance:
                _, states = game.raw()
                for seat in range(3):
                    sheet = states[0].sheets[seat].copy()
                    closed_by_others += bool(states[0].closed & ~sheet.locks)
                    sheet.locks |= states[0].closed
                    at = place_of(work.layouts[0], fold, work.firsts, sheet, rows)
                    read_rows(fold, sheet, rows)
                    here = int(place(fold, *(int(row) for row in rows)))
                    assert work.firsts[here] <= at < work.firsts[here + 1]
                game.roll()
                continue
            for seat in game.deciders():
                cells = [action for action in game.legal(seat) if action.id != PASS]
                game.decide(seat, chooser.choice(cells) if cells and chooser.random() < 0.8 else "pass")
    assert closed_by_others > 50


@pytest.mark.parametrize(("need", "classes"), [(5, 116), (0, 121)])
def test_the_widest_rows_fit(tmp_path: Path, need: int, classes: int) -> None:
    """
    Fifteen cells whose closed rows keep their crosses make the most classes there can be.

    Open: 1 + 14 * 15 / 2 = 106 spots. Closed: with 2 to 16 crosses, the lock included, or from 7 on where closing
    takes five before the last cell.
    """
    path = tmp_path / "wide.toml"
    path.write_text(ROWS_OF_15.format(need=need))
    work = plan(load(path))

    assert work.folds[0].classes.tolist() == [classes] * 4
    assert classes <= CLASSES


def test_a_bar_that_cannot_be_is_refused(tmp_path: Path) -> None:
    """A hand-made state whose bar has more crosses than its rows allow is refused (BA2)."""
    solution = solve(tiny_sheet(tmp_path, "bar"), table=tmp_path / "table")
    states = new_game(solution)
    states[0].sheets[0].used = 1
    with pytest.raises(QwixxError, match="BA2"):
        solution.expected(states)
