"""`regret`: what each decision of a solitaire cost, in exact expected points."""

from __future__ import annotations

from dataclasses import dataclass

from qwixx.game.choice import Choice
from qwixx.game.game import Game
from qwixx.solver.build.solution import Solution
from qwixx.solver.play.choice_values import advise
from qwixx.text.record import read_record


@dataclass(frozen=True, slots=True)
class Loss:
    """One decision: the position with its roll, the choice, and the best choice there."""

    turn: int
    position: str
    choice: Choice
    best: Choice

    @property
    def points(self) -> float:
        """The expected points that the choice cost."""
        return self.choice.loss

    def __str__(self) -> str:
        better = f", best {self.best.action.text}" if self.points else ""
        return f"turn {self.turn}: {self.choice.action.text} costs {self.points:.4f}{better}"


@dataclass(frozen=True, slots=True)
class Regret:
    """All decisions of a game with their losses."""

    decisions: tuple[Loss, ...]

    @property
    def points(self) -> float:
        """The expected points that all decisions cost together."""
        return sum(decision.points for decision in self.decisions)

    def __str__(self) -> str:
        return f"{self.points:.4f} points lost in {len(self.decisions)} decisions"


def regret(solution: Solution, game: Game) -> Regret:
    """Return the loss of every decision of a solitaire, finished or not."""
    text = game.record()
    steps = read_record(text).steps
    found = []
    for done, now in enumerate(Game.replay(text, variant=game.variant, copies=False)):
        if done < len(steps) and steps[done].seat is not None:
            choices = advise(now, solution)
            chosen = next(choice for choice in choices if choice.action.text == steps[done].text)
            found.append(Loss(now.turn, now.position(), chosen, choices[0]))
    return Regret(tuple(found))
