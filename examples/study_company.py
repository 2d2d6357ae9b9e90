"""
Print the tables of docs/study.md about multiplayer classic, from the network of `master`.

    python examples/study_company.py

Win probabilities are those of the network (`qwixx.players.built_in.master`), before the next seat rolls;
docs/strength.md says how well they are calibrated. It takes a few seconds.
"""

# ruff: noqa: T201 - a script that shows tables prints them

from __future__ import annotations

from qwixx import Game, advise
from qwixx.players.built_in.master import MASTER, MasterPlayer
from qwixx.variants import load

SEATS = (2, 3, 4, 5)
RED = tuple(range(2, 12))
MIDDLE = "y=2,3,4,7 g=12,11,9 b=12,10,9,8"
"""The other rows of a half-full sheet; none of them can be closed yet."""


def chance(sheet: str, others: str, seats: int) -> float:
    """Return the win probability in percent of a seat that has just finished its turn, against equal sheets."""
    game = Game.from_position(" | ".join(["classic active=1 phase=roll", sheet, *[others] * (seats - 1)]))
    master = MASTER.sit(load("classic"), seats)
    assert isinstance(master, MasterPlayer)
    return 100 * master.value(game.question(0)).win_probabilities[0]


def row(name: str, cells: list[float]) -> str:
    """Write a row of a table."""
    return f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |"


def openings() -> None:
    """Print the value of the first cross by the cells that it skips, and of no cross and of a miss."""
    print("chance after the first turn, by cells skipped:", ", ".join(str(red - 2) for red in RED), "; nothing; a miss")
    for seats in SEATS:
        sheets = [f"r={red}" for red in RED] + ["-", "misses=1"]
        print(row(f"{seats} seats", [chance(sheet, "-", seats) for sheet in sheets]))


def misses() -> None:
    """Print the cost of misses in the middle of the game, with equal sheets."""
    print("chance in the middle, with 0 to 3 misses where others have 1")
    sheet = f"r=2,3,4,5,6 {MIDDLE}"
    for seats in SEATS:
        others = f"{sheet} misses=1"
        print(row(f"{seats} seats", [chance(f"{sheet} misses={own}", others, seats) for own in range(4)]))


def closing() -> None:
    """Print whether to close red with a white 12, by its number of crosses; the others cannot close it yet."""
    print("chance with 5, 6 and 7 crosses in red: close it now, or the best of all else")
    for seats in SEATS:
        close, wait = [], []
        for red in ("2,4,5,7,8", "2,3,5,6,8,9", "2,3,4,6,7,9,10"):
            own, others = f"r={red} {MIDDLE}", f"r=2,3,4,7 {MIDDLE}"
            line = " | ".join(["classic active=0 phase=white roll=66/1111", own, *[others] * (seats - 1)])
            choices = advise(Game.from_position(line), 0, by="master").choices
            close.append(next(choice.value for choice in choices if choice.action.text == "r12"))
            wait.append(max(choice.value for choice in choices if choice.action.text != "r12"))
        print(row(f"{seats} seats, close", close))
        print(row(f"{seats} seats, wait", wait))


if __name__ == "__main__":
    openings()
    misses()
    closing()
