"""The optimal player in multiplayer: every decision compared with a plain calculation through the kernel's steps."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from qwixx import Game
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLOR, OVER, PASS, ROWS, WHITE, Records
from qwixx.solver import Solution, solve
from qwixx.solver.lookahead import leaves
from qwixx.solver.play import choose
from qwixx.variants import load
from support.games.compiled_helpers import compiled_version
from support.games.small_sheets import sheet_file

pytestmark = pytest.mark.slow

place_sheet, choose_optimal = compiled_version(leaves.place_sheet), compiled_version(choose.choose_optimal)


def plain_worth(layouts: Records, solution: Solution, states: Records, seat: int, action: int) -> float:
    """Compute the value of an action for a seat that expects to play solitaire afterwards, through the kernel's steps.

    All others pass. If the seat has a color sum left it takes the best one; then its points so far and the solved
    future points are added; rows that others closed count as closed.
    """
    after = states.copy()
    log = new_log()
    api.decide(layouts, after, 0, seat, action, log)
    for other in range(int(after[0].seats)):
        if after[0].phase == WHITE and after[0].waiting >> other & 1:
            api.decide(layouts, after, 0, other, PASS, log)
    score = float(api.score(layouts, after, 0, seat))
    if after[0].phase == OVER:
        return score
    if after[0].phase == COLOR and after[0].active == seat:
        choices = np.zeros(ACTIONS, np.int32)
        count = api.legal(layouts, after, 0, seat, choices)
        return max(plain_worth(layouts, solution, after, seat, int(choice)) for choice in choices[:count])
    sheet = after[0].sheets[seat]
    sheet.locks |= after[0].closed
    at = place_sheet(layouts[0], solution.folds[0], solution.firsts, sheet, np.zeros(ROWS, np.int32))
    return score + float(solution.values[at, sheet.misses])


@pytest.mark.parametrize("name", ["plain", "mixed", "lucky", "boxed", "paired"])
def test_decisions_among_others(tmp_path: Path, name: str) -> None:
    """At every decision of random games of three its choice is worth as much as the best by a plain calculation."""
    variant = load(sheet_file(tmp_path, name))
    solutions = {
        pad: solve(variant, pad, table=tmp_path / f"table{number}")
        for number, pad in enumerate(variant.lucky or (None,))
    }
    actions = np.zeros(ACTIONS, np.int32)
    chooser = random.Random(3)
    closed_by_others = passive = 0
    for number in range(60):
        game = Game(variant, 3, seed=1, number=number)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            layouts, states = game.raw()
            for seat in game.deciders():
                lucky = game.view(seat).sheets[seat].lucky
                solution = solutions[(lucky[0], lucky[1]) if lucky else None]
                worth = {a.id: plain_worth(layouts, solution, states, seat, a.id) for a in game.legal(seat)}
                count = api.legal(layouts, states, 0, seat, actions)
                tables = (layouts[0], solution.folds[0], solution.firsts, solution.policy)
                choice = choose_optimal(*tables, states[0], seat, actions, count)
                assert worth[choice] == pytest.approx(max(worth.values()), abs=1e-4)
                passive += game.phase == "white" and seat != game.active
                closed_by_others += bool(states[0].closed & ~states[0].sheets[seat].locks)
                cells = [action for action in game.legal(seat) if action.id != PASS]
                game.decide(seat, chooser.choice(cells) if cells and chooser.random() < 0.7 else "pass")
    assert passive > 500
    assert closed_by_others > 50
