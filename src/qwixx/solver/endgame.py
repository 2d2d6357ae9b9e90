"""
Exact endgames of two seats: the share of the win at best play, by enumerating every roll and every pair of choices.

Both seats decide at the same time in a white window, so each roll is a matrix game, and the best play of a seat may
be a mixture of choices. All moves are the kernel's. What is merged is only what cannot matter: rolls that offer the
same cells to both seats, and positions with the same crossable cells, counts, locks and misses.

A position has as many successors as its sheets have cells left, so only late positions are small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.kernel import api
from qwixx.kernel.paper import position_of, row_of
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLORS, OVER, ROLL, ROWS, STATE, Ints, Records

MOST_POSITIONS = 20_000
Key = tuple[int, ...]
Cells = tuple[int, ...]
Report = Callable[[int], None]
"""Called with the number of positions so far."""
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Endgame:
    """The exact value of a position of two seats."""

    win_shares: tuple[float, float]
    """The share of the win of each seat with best play of both; a tie counts half."""
    positions: int
    """Positions that were enumerated."""

    def __str__(self) -> str:
        first, second = self.win_shares
        return f"{100 * first:.4f} % and {100 * second:.4f} %, from {self.positions:,} positions"


def solve_endgame(game: Game, most: int = MOST_POSITIONS, progress: Report | None = None) -> Endgame:
    """
    Return the exact value of a game of two seats before its roll.

    Raises `QwixxError` for other games, and where more than `most` positions can follow.
    """
    check_endgame(game)
    layouts, states = game.raw()
    table = _Endgames(layouts, most, progress)
    share = table.value(_start(states))
    shares = (share, 1.0 - share) if game.active == 0 else (1.0 - share, share)
    return Endgame(shares, len(table.values))


def check_endgame(game: Game) -> None:
    """Refuse a game that is no endgame of two seats."""
    variant = game.variant
    if game.seats != 2 or variant.is_cards or variant.is_duel or variant.bar or variant.pairs:
        raise QwixxError("Exact endgames are known for two seats, in the dice games without marked cells.")
    if int(game.raw()[1]["phase"][0]) != ROLL:
        raise QwixxError("An endgame is solved before a roll: the dice lie on the table, or the game is over.")


def _start(states: Records) -> Records:
    copy = np.frombuffer(bytearray(states.tobytes()), STATE)
    copy["dice"] = 0
    return copy


class _Endgames:
    """All positions of some endgames, by what matters of them."""

    def __init__(self, layouts: Records, most: int, progress: Report | None) -> None:
        self.values: dict[Key, float] = {}
        """The share of the win of the active seat."""
        self._layouts, self._most, self._progress = layouts, most, progress
        self._sides = int(layouts[0].sides)
        self._actions, self._log = np.zeros(ACTIONS, np.int32), new_log()

    def value(self, states: Records) -> float:
        """Return the share of the win of the active seat before its roll."""
        key = _key(states)
        if key not in self.values:
            self.values[key] = self._average(states)
            if len(self.values) > self._most:
                raise QwixxError(f"More than {self._most:,} positions can follow; this endgame is too early.")
            if self._progress is not None:
                self._progress(len(self.values))
        return self.values[key]

    def _result(self, states: Records, seat: int) -> float:
        """Return the share of the win of a seat in a finished game (C12)."""
        own, other = (int(api.score(self._layouts, states, 0, each)) for each in (seat, 1 - seat))
        return 1.0 if own > other else 0.5 if own == other else 0.0

    def _average(self, states: Records) -> float:
        """Return the mean of the values of all rolls; rolls that offer the same cells are computed once."""
        weights: dict[tuple[Cells, ...], float] = {}
        dice: dict[tuple[Cells, ...], Ints] = {}
        for weight, faces, offered in self._rolls(states):
            weights[offered] = weights.get(offered, 0.0) + weight
            dice.setdefault(offered, faces)
        return sum(weight * self._after_roll(states, dice[offered]) for offered, weight in weights.items())

    def _rolls(self, states: Records) -> Iterator[tuple[float, Ints, tuple[Cells, ...]]]:
        """Yield rolls with their probability and the cells they offer: white sums of both seats, and color sums."""
        sides = self._sides
        active = int(states["active"][0])
        colors = [color for color in range(COLORS) if not int(states["gone"][0]) >> color & 1]
        white: dict[int, tuple[Cells, Cells]] = {}
        for low in range(1, sides + 1):
            for high in range(low, sides + 1):
                faces = np.array([low, high, *(int(color in colors) for color in range(COLORS))], np.int32)
                if low + high not in white:
                    asked = self._with_dice(states, faces)
                    white[low + high] = self._legal(asked, 0), self._legal(asked, 1)
                chance = (1 if low == high else 2) / sides**2
                shown = [self._faces(states, active, color, low, high) for color in colors]
                for choice in product(*(cells.items() for cells in shown)):
                    rolled, weight, offered = faces.copy(), chance, list[int]()
                    for color, (cells, (face, count)) in zip(colors, choice, strict=True):
                        rolled[2 + color] = face
                        weight *= count / sides
                        offered += cells
                    yield weight, rolled, (*white[low + high], tuple(sorted(offered)))

    def _faces(self, states: Records, seat: int, color: int, low: int, high: int) -> dict[Cells, tuple[int, int]]:
        """Group the faces of a color die by the cells that they can still offer: a face of each, and how many."""
        spots, sheet = self._layouts[0].color_spots, states[0].sheets[seat]
        groups: dict[Cells, tuple[int, int]] = {}
        for face in range(1, self._sides + 1):
            reached = {int(spots[color, white + face]) for white in (low, high)}
            ahead = (cell for cell in reached if cell >= 0 and position_of(cell) >= sheet.next[row_of(cell)])
            open_ = tuple(sorted(cell for cell in ahead if not int(states[0].closed) >> row_of(cell) & 1))
            known, count = groups.get(open_, (face, 0))
            groups[open_] = known, count + 1
        return groups

    def _after_roll(self, states: Records, faces: Ints) -> float:
        """Return the value of the window: each seat chooses without knowing the choice of the other."""
        rolled = self._with_dice(states, faces)
        active, other = _order(states)
        payoffs = [
            [self._after_window(rolled, {active: own, other: reply}) for reply in self._legal(rolled, other)]
            for own in self._legal(rolled, active)
        ]
        return game_value(np.array(payoffs))

    def _after_window(self, rolled: Records, choices: dict[int, int]) -> float:
        """Return the value after both choices, with the best color sum."""
        after = _copy(rolled)
        for seat, action in choices.items():
            assert not api.decide(self._layouts, after, 0, seat, action, self._log)
        active, _ = _order(rolled)
        if after["phase"][0] == OVER:
            return self._result(after, active)
        best = 0.0
        for action in self._legal(after, active):
            ended = _copy(after)
            assert not api.decide(self._layouts, ended, 0, active, action, self._log)
            is_over = ended["phase"][0] == OVER
            # After the turn the other seat is active.
            best = max(best, self._result(ended, active) if is_over else 1.0 - self.value(ended))
        return best

    def _with_dice(self, states: Records, faces: Ints) -> Records:
        rolled = _copy(states)
        assert not api.set_dice(self._layouts, rolled, 0, faces, self._log)
        return rolled

    def _legal(self, states: Records, seat: int) -> Cells:
        count = api.legal(self._layouts, states, 0, seat, self._actions)
        return tuple(self._actions[:count].tolist())


def _copy(states: Records) -> Records:
    return np.frombuffer(bytearray(states.tobytes()), STATE)


def _order(states: Records) -> tuple[int, int]:
    """Return the active seat and the other one."""
    active = int(states["active"][0])
    return active, 1 - active


def _key(states: Records) -> Key:
    """Return what matters of a position before a roll, from the view of the active seat."""
    state = states[0]
    found = [int(state.closed), int(state.gone)]
    for seat in _order(states):
        sheet = state.sheets[seat]
        found += [int(sheet.misses), int(sheet.locks), *(int(number) for number in sheet.lucky)]
        found += [int(number) for row in range(ROWS) for number in (sheet.next[row], sheet.count[row])]
    return tuple(found)


# ---- matrix games


def game_value(payoffs: npt.NDArray[np.float64]) -> float:
    """Return the value of a matrix game: the row player gets the payoff, both choose at the same time."""
    lower, upper = float(payoffs.min(axis=1).max()), float(payoffs.max(axis=0).min())
    return lower if upper - lower < _TINY else _mixed_value(payoffs)


def _mixed_value(payoffs: npt.NDArray[np.float64]) -> float:
    """
    Return the value of a matrix game without a saddle point, by the simplex algorithm with Bland's rule.

    With positive payoffs the column player maximizes the sum of y >= 0 under payoffs @ y <= 1; the value is 1 / sum.
    """
    shift = 1.0 - float(payoffs.min())
    rows, columns = payoffs.shape
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = payoffs + shift
    table[:rows, columns:-1] = np.eye(rows)
    table[:rows, -1] = 1.0
    table[-1, :columns] = -1.0
    basis = list(range(columns, columns + rows))
    while (entering := np.flatnonzero(table[-1, :-1] < -_TINY)).size:
        column = int(entering[0])
        candidates = [row for row in range(rows) if table[row, column] > _TINY]
        row = min(candidates, key=lambda at: (table[at, -1] / table[at, column], basis[at]))
        table[row] /= table[row, column]
        for other in range(rows + 1):
            if other != row:
                table[other] -= table[other, column] * table[row]
        basis[row] = column
    return 1.0 / float(table[-1, -1]) - shift
