"""A solved game: the value of every position and the best decision there. The rules come from the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qwixx.errors import QwixxError
from qwixx.jit.decorators import eager_entry
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, OVER, ROLL, ROWS, STATE, Records
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Policy, Values
from qwixx.solver.lookahead.leaves import place_sheet
from qwixx.variants.layout import layout_hash
from qwixx.variants.model import Pad, Variant

if TYPE_CHECKING:
    from qwixx.game.game import Game
    from qwixx.solver.build.induction import Report
    from qwixx.solver.policies.distribution import Distribution
    from qwixx.solver.policies.evaluate import PolicyLike
    from qwixx.solver.policies.regret import Regret


@eager_entry
def to_come(layouts: Records, folds: Records, firsts: Firsts, values: Values, states: Records, at: int) -> float:
    """Look up the points still to come at the beginning of a turn."""
    sheet = states[at].sheets[0]
    here = place_sheet(layouts[0], folds[0], firsts, sheet, np.empty(ROWS, np.int32))
    return float(values[here, sheet.misses])


@dataclass(frozen=True, repr=False)
class Solution:
    """
    The exact value of solitaire on one sheet, and with it the best decision everywhere.

    `value` is the expected score of a new game, `states` how many positions were computed, counted once for
    every number of misses; `seconds` and `cpu_seconds` are the time that this took.
    """

    variant: str
    sheet: Variant
    lucky: Pad | None
    value: float
    states: int
    seconds: float
    cpu_seconds: float
    layouts: Records
    folds: Records
    firsts: Firsts
    values: Values

    def __repr__(self) -> str:
        pad = "" if self.lucky is None else f" with lucky numbers {self.lucky[0]}/{self.lucky[1]}"
        return f"<Solution of {self.variant}{pad}: {self.value:.4f} points expected, {self.states:,} positions>"

    @cached_property
    def policy(self) -> Policy:
        """
        The table for `choose_optimal`, by misses and position, as single floats.

        It decides as the exact one does wherever two actions differ by more than a hundred-thousandth of a point.
        """
        return np.ascontiguousarray(self.values.T, dtype=np.float32)

    def expected(self, states: Records, at: int = 0) -> float:
        """
        Return the expected final score of a position with best play from here on.

        The position may be before a roll, at either decision after it, or at the end of the game.
        """
        self.check(states, at)
        return self._expected(states, at)

    def best(self, states: Records, at: int = 0) -> list[tuple[int, float, float]]:
        """Return every legal action with its expected final score and its loss against the best, best first."""
        self.check(states, at)
        if not api.asked(self.layouts, states, at):
            raise QwixxError("There is no decision here: roll the dice first, or the game is over.")
        worth = [(action, self._after(states, at, action)) for action in self._legal(states, at)]
        top = max(value for _, value in worth)
        return sorted(((a, value, top - value) for a, value in worth), key=lambda line: (line[2], line[0]))

    @cached_property
    def distribution(self) -> Distribution:
        """
        The probability of every final score with best play for the expected score; 20 CPU seconds for classic.

        Raises `QwixxError` for a sheet with marked cells.
        """
        from qwixx.solver.policies.distribution import distribution_of  # noqa: PLC0415 - needs plans of this sheet

        return distribution_of(self.sheet, self.lucky, self.values)

    def evaluate(self, policy: PolicyLike, start: Game | None = None, *, progress: Report | None = None) -> float:
        """
        Return the exact expected final score of a policy, from the empty sheet or from a game before its roll.

        `policy` is a function of a view and the legal actions, such as `Player.choose`; the name of a bot; or an array
        like `values`, for the policy that goes to the highest successor. See `docs/solving.md` for what each takes.
        """
        from qwixx.solver.policies.evaluate import evaluate  # noqa: PLC0415 - as above

        return evaluate(self, policy, start, progress=progress)

    def regret(self, game: Game) -> Regret:
        """Return the expected points that each decision of a solitaire cost against best play."""
        from qwixx.solver.policies.regret import regret  # noqa: PLC0415 - as above

        return regret(self, game)

    def score(self, states: Records, at: int = 0) -> int:
        """Return the current points of a position."""
        return int(api.score(self.layouts, states, at, 0))

    def check(self, states: Records, at: int = 0) -> None:
        """Refuse a position that this solution does not cover."""
        state = states[at]
        lucky = tuple(int(number) for number in state.sheets[0].lucky)
        if state.seats != 1:
            raise QwixxError(f"The solution is one of solitaire; this game has {state.seats} seats.")
        if self.lucky is not None and lucky != self.lucky:
            raise QwixxError(f"This table is for the lucky numbers {self.lucky[0]}/{self.lucky[1]} (L4).")
        if not api.bar_fits(self.layouts, states, at, 0):
            raise QwixxError("The bar cannot look like this beside these crosses (BA2).")

    def _legal(self, states: Records, at: int) -> list[int]:
        actions = np.zeros(ACTIONS, np.int32)
        return [int(action) for action in actions[: api.legal(self.layouts, states, at, 0, actions)]]

    def _after(self, states: Records, at: int, action: int) -> float:
        following = states[at : at + 1].copy()
        api.decide(self.layouts, following, 0, 0, action, new_log())
        return self._expected(following, 0)

    def _expected(self, states: Records, at: int) -> float:
        phase = states[at].phase
        if phase == OVER:
            return float(self.score(states, at))
        if phase == ROLL:
            return self.score(states, at) + float(
                to_come(self.layouts, self.folds, self.firsts, self.values, states, at)
            )
        return max(self._after(states, at, action) for action in self._legal(states, at))


def best_actions(solution: Solution, layouts: Records, states: Records, at: int = 0) -> list[tuple[int, float, float]]:
    """Return every legal action with its expected final score and its loss against the best, best first."""
    if layout_hash(layouts) != layout_hash(solution.layouts):
        raise QwixxError(f"This table was solved for another sheet than the position's: for {solution.variant!r}.")
    return solution.best(states, at)


def new_game(solution: Solution) -> Records:
    """Set up a new solitaire with the lucky numbers of a solution."""
    states: Records = np.zeros(1, STATE)
    api.begin(solution.layouts, states, 0, np.uint64(0), np.uint64(0), 1, 0)
    if solution.lucky is not None:
        states[0].sheets[0].lucky[:] = solution.lucky
    return states
