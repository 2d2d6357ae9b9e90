"""Best result in hindsight: equal to a naive search of every use of the dice on small sheets, and never less."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from qwixx import Game
from qwixx.coach.review.hindsight import best_in_hindsight
from qwixx.errors import QwixxError
from qwixx.text.record import read_record
from qwixx.variants import load
from support.games.random_games import play_on
from support.games.small_sheets import tiny_sheet


def naive(game: Game, rolls: list[str]) -> int:
    """Use the dice in every possible way; a die that is not shown cannot be used (C8)."""
    known: dict[tuple[int, str], int] = {}

    def best(at: Game, turn: int) -> int:
        if at.is_over or turn == len(rolls):
            return at.scores()[0]
        key = turn, at.position().partition("|")[2]
        if key not in known:
            known[key] = max(best(after, turn + 1) for after in turns(at, rolls[turn]))
        return known[key]

    def turns(at: Game, roll: str) -> list[Game]:
        white, _, color = roll.partition("/")
        hidden = {c for c, face in zip("rygb", color, strict=True) if face == "-" and c not in at.gone}
        faces = "".join("-" if c in at.gone else "1" if c in hidden else f for c, f in zip("rygb", color, strict=True))
        start = at.copy()
        start.set_roll(f"{white}/{faces}")
        found, waiting = [], [start]
        while waiting:
            here = waiting.pop()
            if not here.deciders():
                found.append(here)
                continue
            for action in here.legal(0):
                if here.phase == "color" and _color(here, action.text) in hidden:
                    continue
                twin = here.copy()
                twin.decide(0, action)
                waiting.append(twin)
        return found

    return best(game, 0)


def _color(game: Game, text: str) -> str:
    """Return the color of the cell that an action crosses."""
    cells = {f"{row.key}{cell.value}": cell.color for row in game.variant.rows for cell in row.cells}
    return cells.get(text, "")


@pytest.mark.parametrize("sheet", ["plain", "mixed", "shuffled", "lucky"])
def test_small_sheets_are_searched_to_the_end(sheet: str, tmp_path: Path) -> None:
    """On sheets with few cells the search agrees with a naive one, whatever was really played."""
    variant = load(str(tiny_sheet(tmp_path, sheet)))
    lucky = ["2/3"] if variant.lucky else None
    for seed in range(4):
        begun = Game(variant, 1, seed=seed, lucky=lucky)
        game = play_on(begun.copy(), Random(seed))
        rolls = [step.text for step in read_record(game.record()).steps if step.seat is None]
        found = best_in_hindsight(game)
        assert found.is_exact
        assert found.points == naive(begun, rolls)
        assert found.points >= game.scores()[0]


def test_unsupported_games_are_refused() -> None:
    """Multiplayer, cards and bonus crosses are not supported; the error gives the reason."""
    for name, seats in (("classic", 2), ("cards", 2), ("bonus-a", 1)):
        with pytest.raises(QwixxError):
            best_in_hindsight(Game(name, seats, first=0))
