"""
The most points possible in a solitaire with all dice known in advance.

A branch-and-bound search over all ways to use the dice, with the kernel's own decisions: positions whose upper bound is
not above the best game found so far are cut off. The upper bound is a Lagrangian relaxation by rows: each row takes the
best sums for itself from the coming rolls, at a price for each white and each color sum. A price rises if several rows
want the same sum, and falls if none does, until the rows together want little more than one player can take. The points
of the rows minus the prices they pay, plus the prices of all sums, are an upper bound for every game.

If there are too many positions, the search stops and returns the best game found and the upper bound.

When the dice have run out, the points on the sheet count. A die that the record does not show, because its row was
closed in the real game, cannot be used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.jit.decorators import compile_now
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import (
    ACTIONS,
    COLOR,
    OVER,
    PASS,
    POSITIONS,
    SHEET,
    SHEET_WORDS,
    STATE,
    WORD,
    Ints,
    Records,
    word_of,
)
from qwixx.solver import check_solitaire, lucky_of
from qwixx.text.notation import read_roll
from qwixx.text.record import read_record
from qwixx.variants.model import COLORS as COLOR_LETTERS

_ROUNDS: Final = 120
"""How often the prices are adjusted."""
_STEP: Final = 3.0
"""The first step size of a price, in points."""
_BEAM_WIDTH: Final = 60
"""Positions per turn in the beam search that finds a good game first."""
_MAX_POSITIONS: Final = 12_000
"""Positions per turn at which the full search stops."""
_IMPOSSIBLE: Final = -1e9
_EPSILON: Final = 1e-6
Doubles = npt.NDArray[np.float64]
_SHEET = word_of(STATE, "sheets")
_NEXT, _COUNT, _LOCKS, _MISSES = (word_of(SHEET, name) for name in ("next", "count", "locks", "misses"))
_PHASE, _GONE = (word_of(STATE, name) for name in ("phase", "gone"))


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The most points possible with the dice of a solitaire."""

    points: int
    """The points of the best game found."""
    at_most: int
    """An upper bound; equal to `points` if the search was complete."""

    @property
    def is_exact(self) -> bool:
        """Whether the search was complete."""
        return self.points == self.at_most


def best_in_hindsight(record: str | Game) -> Hindsight:
    """
    Return the most points possible with the dice of a solitaire.

    Raises `QwixxError` for multiplayer games, and for sheets whose rows give one another bonus crosses.
    """
    text = record.record() if isinstance(record, Game) else record
    variant = record.variant if isinstance(record, Game) else None
    for _ in Game.replay(text, variant=variant):  # the record is checked to its end
        pass
    game = next(Game.replay(text, variant=variant))
    check_solitaire(game)
    if game.variant.is_cards or game.variant.bar or game.variant.pairs or not game.awaits_chance:
        raise QwixxError("Hindsight works for games with dice, without bonus crosses, that begin with a roll.")
    rolls = [read_roll(step.text) for step in read_record(text).steps if step.seat is None]
    return _Search(game, rolls).run()


class _Rows:
    """The reachable states of each row: the state after each cross, and the points of each state."""

    def __init__(self, game: Game) -> None:
        self.layouts, states = game.raw()
        self.count = len(game.variant.rows)
        self.places: list[dict[tuple[int, int, int], int]] = []
        """For each row: the index of each state (next cell, crosses, lock)."""
        self.moves: list[Ints] = []
        """For each row, state and cell: the state after a cross there, or the last index if it is not legal."""
        self.points: list[Doubles] = []
        self.is_locked: list[npt.NDArray[np.bool_]] = []
        for row in range(self.count):
            self._explore(states, row, len(game.variant.rows[row].cells))

    def state_of(self, states: Records, row: int) -> tuple[int, int, int]:
        """Return the state of a row."""
        return self.states_of(_sheet(states))[row]

    def states_of(self, sheet: list[int]) -> list[tuple[int, int, int]]:
        """Return the states of all rows of a sheet."""
        locks = sheet[_LOCKS]
        return [(sheet[_NEXT + row], sheet[_COUNT + row], locks >> row & 1) for row in range(self.count)]

    def _explore(self, start: Records, row: int, length: int) -> None:
        """Find all states of a row by trying every cross (C1, C7)."""
        known = {self.state_of(start, row): 0}
        waiting, moves = [start.tobytes()], []
        for data in waiting:
            line = []
            for cell in range(length):
                states = np.frombuffer(bytearray(data), STATE)
                here = self.state_of(states, row)
                if here[2] or api.cross_in_setup(self.layouts, states, 0, 0, row * POSITIONS + cell):
                    line.append(-1)
                    continue
                there = self.state_of(states, row)
                if there not in known:
                    known[there] = len(known)
                    waiting.append(states.tobytes())
                line.append(known[there])
            moves.append(line)
        size = len(known)
        table = np.full((size + 1, length), size, np.int32)
        table[:size] = [[size if to < 0 else to for to in line] for line in moves]
        points = [float(api.row_points(self.layouts, crosses)) for _, crosses, _ in known]
        self.places.append(known)
        self.moves.append(table)
        self.points.append(np.array([*points, _IMPOSSIBLE]))
        self.is_locked.append(np.array([*(lock == 1 for _, _, lock in known), False]))


class _Search:
    """The search for one game."""

    def __init__(self, game: Game, rolls: list[Ints]) -> None:
        self._variant = game.variant
        self._rolls = rolls
        self._rows = _Rows(game)
        self._layouts, self._start = game.raw()
        self._end_rows = int(self._layouts["end_rows"][0])
        self._miss_points = float(self._layouts["miss_points"][0])
        self._lucky = lucky_of(game) or ()
        self._room = np.zeros(ACTIONS, np.int32)
        self._log = new_log()
        turns = len(rolls)
        self._white, self._color, self._miss = np.zeros(turns), np.zeros(turns), np.zeros(turns)
        self._uses = [[self._uses_of(row, roll) for roll in rolls] for row in range(self._rows.count)]

    def _uses_of(self, row: int, roll: Ints) -> tuple[list[int], list[int], bool]:
        """List the cells of a row that the white sum and color sums of a roll can cross, and whether it is lucky."""
        cells = self._variant.rows[row].cells
        total = int(roll[0] + roll[1])
        white = [place for place, cell in enumerate(cells) if cell.value == total]
        color = [
            place
            for place, cell in enumerate(cells)
            if (die := int(roll[2 + COLOR_LETTERS.index(cell.color)])) and cell.value in (roll[0] + die, roll[1] + die)
        ]
        return white, color, total in self._lucky

    # ---- upper bounds

    def _reach(self, row: int, may_close: bool) -> list[Doubles]:
        """Return, for each turn and state of a row, the most points minus prices (dynamic programming)."""
        moves, points = self._rows.moves[row], self._rows.points[row]
        value = points.copy()
        if not may_close:
            value[self._rows.is_locked[row]] = _IMPOSSIBLE
        table = [value]
        none = len(points) - 1
        for turn in range(len(self._rolls) - 1, -1, -1):
            table.append(self._before(table[-1], moves, none, self._uses[row][turn], turn))
        return table[::-1]

    def _before(
        self, after: Doubles, moves: Ints, none: int, uses: tuple[list[int], list[int], bool], turn: int
    ) -> Doubles:
        white, color, is_lucky = uses
        color_price = self._color[turn] - self._miss[turn]
        with_color = after.copy()
        for place in color:
            with_color = np.maximum(with_color, after[moves[:, place]] - color_price)
        best = with_color
        white_price = self._white[turn] - self._miss[turn]
        ways = [moves[:, place] for place in white]
        if is_lucky:
            ways.append(_next_states(moves, none))
        for way in ways:
            best = np.maximum(best, with_color[way] - white_price)
        best[none] = _IMPOSSIBLE
        return best

    def _bounds(self) -> None:
        """Find prices, then store the most points of each row at these prices."""
        step = _STEP
        for number in range(_ROUNDS):
            tables = [[self._reach(row, may_close) for may_close in (False, True)] for row in range(self._rows.count)]
            closing = self._closing([[t[0][0] for t in pair] for pair in tables])
            white, color = self._wanted(tables, closing)
            for price, wanted in ((self._white, white), (self._color, color)):
                np.maximum(price + step * (wanted - 1), 0, out=price)
            self._miss += step * (1 - white - color)
            np.clip(self._miss, 0, self._miss_points, out=self._miss)
            step *= 0.97 if number > _ROUNDS // 4 else 1.0
        self._reached: list[list[list[list[float]]]] = [
            [[table.tolist() for table in self._reach(row, may)] for may in (False, True)]
            for row in range(self._rows.count)
        ]
        prices = self._white + self._color - self._miss
        self._to_come: list[float] = [*np.cumsum(prices[::-1])[::-1].tolist(), 0.0]

    def _closing(self, values: list[list[float]]) -> set[int]:
        """Choose the rows that gain most by closing: at most as many as end the game (C11)."""
        gains = sorted(range(len(values)), key=lambda row: values[row][0] - values[row][1])
        return set(gains[: self._end_rows])

    def _wanted(self, tables: list[list[list[Doubles]]], closing: set[int]) -> tuple[Doubles, Doubles]:
        """Count for each turn how many rows would use the white sum, and how many a color sum."""
        turns = len(self._rolls)
        white, color = np.zeros(turns), np.zeros(turns)
        for row in range(self._rows.count):
            table = tables[row][int(row in closing)]
            moves = self._rows.moves[row]
            none = len(self._rows.points[row]) - 1
            state = 0
            for turn in range(turns):
                state, by_white, by_color = self._follow(table, moves, none, row, turn, state)
                white[turn] += by_white
                color[turn] += by_color
        return white, color

    def _follow(
        self, table: list[Doubles], moves: Ints, none: int, row: int, turn: int, state: int
    ) -> tuple[int, int, int]:
        """Return the best state of a row after a turn, and whether it used the white sum and a color sum."""
        whites, colors, is_lucky = self._uses[row][turn]
        options = [state, *(int(moves[state, place]) for place in whites)]
        if is_lucky:
            options.append(int(_next_states(moves, none)[state]))
        best = (-np.inf, state, 0, 0)
        for index, after_white in enumerate(options):
            by_white = int(index > 0)
            for place in (None, *colors):
                there = after_white if place is None else int(moves[after_white, place])
                by_color = int(place is not None)
                price = by_white * self._white[turn] + by_color * self._color[turn]
                price -= (by_white + by_color) * self._miss[turn]
                best = max(best, (float(table[turn + 1][there] - price), there, by_white, by_color))
        return best[1], best[2], best[3]

    def _bound(self, states: Records, turn: int) -> float:
        """Return an upper bound of the final points from a position before a turn."""
        sheet = _sheet(states)
        total = self._to_come[turn] - self._miss_points * sheet[_MISSES]
        gains, closed = [], 0
        for row, state in enumerate(self._rows.states_of(sheet)):
            where = self._rows.places[row][state]
            without, with_ = self._reached[row][0][turn][where], self._reached[row][1][turn][where]
            if state[2]:
                closed += 1
                total += with_
            else:
                total += without
                gains.append(with_ - without)
        gains = sorted((gain for gain in gains if gain > 0), reverse=True)[: max(self._end_rows - closed, 0)]
        return total + sum(gains)

    # ---- the search

    def run(self) -> Hindsight:
        """Find a good game by beam search first, then search for a better one."""
        compile_now()
        self._bounds()
        return self._sweep(self._sweep(_IMPOSSIBLE, _BEAM_WIDTH).points, None)

    def _sweep(self, known: float, width: int | None) -> Hindsight:
        """Search turn by turn, with the `width` most promising positions or all that can beat `known`."""
        best = known
        layer = {self._key(self._start): self._start}
        for turn, roll in enumerate(self._rolls):
            following: dict[bytes, tuple[float, Records]] = {}
            for states in layer.values():
                for after in self._turn(states, roll):
                    is_over = _word(after, _PHASE) == OVER
                    if is_over or turn + 1 == len(self._rolls):
                        best = max(best, float(api.score(self._layouts, after, 0, 0)))
                    key = self._key(after)
                    if not is_over and key not in following:
                        following[key] = self._bound(after, turn + 1), after
            hopeful = sorted(
                ((bound, key) for key, (bound, _) in following.items() if bound > best + _EPSILON), reverse=True
            )
            if width is None and len(hopeful) > _MAX_POSITIONS:
                return Hindsight(int(best), int(hopeful[0][0] + _EPSILON))
            layer = {key: following[key][1] for _, key in hopeful[:width]}
        return Hindsight(int(best), int(best))

    def _key(self, states: Records) -> bytes:
        """Return the key of a position: only the sheet counts, not the number of turns."""
        return states.tobytes()[_SHEET * WORD : (_SHEET + SHEET_WORDS) * WORD]

    def _turn(self, states: Records, roll: Ints) -> list[Records]:
        """Return the positions after every way to use a roll."""
        copies = _copy(states)
        gone = _word(copies, _GONE)
        faces = roll.copy()
        unknown = [color for color in range(len(COLOR_LETTERS)) if not faces[2 + color] and not gone >> color & 1]
        for color in range(len(COLOR_LETTERS)):
            faces[2 + color] = 0 if gone >> color & 1 else max(int(faces[2 + color]), 1)
        refused = api.set_dice(self._layouts, copies, 0, faces, self._log)
        assert not refused, "the dice of a record can be rolled"
        results, waiting = [], [copies]
        while waiting:
            here = waiting.pop()
            if not api.asked(self._layouts, here, 0):
                results.append(here)
                continue
            is_color = _word(here, _PHASE) == COLOR
            count = api.legal(self._layouts, here, 0, 0, self._room)
            for action in self._room[:count].tolist():
                if is_color and action != PASS and self._color_of(action) in unknown:
                    continue
                after = _copy(here)
                api.decide(self._layouts, after, 0, 0, action, self._log)
                waiting.append(after)
        return results

    def _color_of(self, action: int) -> int:
        """Return the color of the die that a cross of a color sum uses."""
        return COLOR_LETTERS.index(self._variant.rows[action // POSITIONS].cells[action % POSITIONS].color)


def _next_states(moves: Ints, none: int) -> Ints:
    """Return, for each state of a row, the state after a cross in its next cell (L4)."""
    after = np.full(len(moves), none, np.int32)
    for state in range(len(moves) - 1):
        legal = [int(to) for to in moves[state] if to != none]
        if legal:
            after[state] = legal[0]
    return after


def _word(states: Records, place: int) -> int:
    return states.view(np.int32).item(place)


def _sheet(states: Records) -> list[int]:
    """Return the sheet of the only seat as a list of integers: this is faster than reading two fields of a record."""
    words: list[int] = states.view(np.int32)[_SHEET : _SHEET + SHEET_WORDS].tolist()
    return words


def _copy(states: Records) -> Records:
    return np.frombuffer(bytearray(states.tobytes()), STATE)
