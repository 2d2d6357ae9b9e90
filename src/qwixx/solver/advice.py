"""What a decision was worth: every choice of a solitaire, in words, with what it loses against the best."""

from __future__ import annotations

from dataclasses import dataclass

from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.solver.run import solve
from qwixx.solver.solution import Solution, best_actions


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal choice: its text, the expected final score after it, and what it loses against the best."""

    action: str
    expected: float
    loss: float


def lucky_of(game: Game) -> tuple[int, int] | None:
    """Give the lucky numbers of a solitaire, None where the sheet has none."""
    lucky = game.view(0).sheets[0].lucky
    return (lucky[0], lucky[1]) if lucky else None


def check_solitaire(game: Game) -> None:
    """Refuse a game of several seats: nobody knows what they will do."""
    if game.seats != 1:
        raise QwixxError(f"Exact values are known for solitaire only; this game has {game.seats} seats.")


def advise(game: Game, solution: Solution | None = None) -> list[Advice]:
    """
    Judge every legal choice of a solitaire exactly, best first.

    Without a `solution` the sheet is solved, or read from the store if that was done before.
    """
    check_solitaire(game)
    if game.awaits_chance or game.is_over:
        raise QwixxError("Nothing is to be decided here: a roll is needed first, or the game is over.")
    if solution is None:
        solution = solve(game.variant, lucky_of(game))
    texts = {action.id: action.text for action in game.legal(0)}
    layouts, states = game.raw()
    return [Advice(texts[action], value, loss) for action, value, loss in best_actions(solution, layouts, states)]
