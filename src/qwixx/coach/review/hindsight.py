"""
The most points that could have been made alone if all dice had been known beforehand.

Every way to use the dice is searched, by the kernel's own decisions; positions that cannot reach more than the best
game found so far are given up. What a position can reach at most is asked row by row: each row takes what it likes
best from the rolls to come, at a price for each white and each color sum. Prices are raised where several rows want the
same sum and lowered where none does, until the rows together want little more than one player can take. What they reach
then less the prices they pay, with the prices of all sums added, no game can better.

Some games have too many ways: then the best one found is told, and what none can better.

When the dice have run out the points on the sheet count. A die that the record does not show, since its row was closed
when it was played, cannot be used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.kernel import door
from qwixx.kernel.jit import compile_now
from qwixx.kernel.records import (
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
from qwixx.kernel.trail import new_trail
from qwixx.notation import read_roll
from qwixx.record import read_record
from qwixx.solver import check_solitaire, lucky_of
from qwixx.variants.model import COLORS as COLOR_LETTERS
from qwixx.variants.model import Variant

_ROUNDS: Final = 120
"""How often prices are changed."""
_STEP: Final = 3.0
"""Points by which a price changes at first."""
_WIDE: Final = 60
"""Positions that are looked at in each turn when a good game is looked for first."""
_MOST: Final = 12_000
"""Positions of one turn that are looked at before the search is given up."""
_NEVER: Final = -1e9
_SURE: Final = 1e-6
Doubles = npt.NDArray[np.float64]
_SHEET = word_of(STATE, "sheets")
_NEXT, _COUNT, _LOCKS, _MISSES = (word_of(SHEET, name) for name in ("next", "count", "locks", "misses"))
_PHASE, _GONE = (word_of(STATE, name) for name in ("phase", "gone"))


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The most points that the dice of a solitaire could have made."""

    points: int
    """What can be made for sure."""
    at_most: int
    """What cannot be bettered by anybody; the same, if the search came to its end."""

    @property
    def is_exact(self) -> bool:
        """Whether every other game was ruled out."""
        return self.points == self.at_most


def best_in_hindsight(record: str | Game) -> Hindsight:
    """
    Give the most points that the dice of a solitaire could have made.

    Raises `QwixxError` for games in company, and for sheets whose rows give one another bonus crosses.
    """
    text = record.record() if isinstance(record, Game) else record
    variant = record.variant if isinstance(record, Game) else None
    for _ in Game.replay(text, variant=variant):  # the record is checked to its end
        pass
    game = next(Game.replay(text, variant=variant))
    check_solitaire(game)
    if game.variant.is_cards or game.variant.bar or game.variant.pairs or not game.awaits_chance:
        raise QwixxError("The best in hindsight is known for dice and sheets without bonus crosses, from a roll on.")
    rolls = [read_roll(step.text) for step in read_record(text).steps if step.seat is None]
    return _Search(game, rolls).run()


class _Rows:
    """What can become of each row: its states, where a cross leads from each, and what each is worth."""

    def __init__(self, game: Game) -> None:
        self.layouts, states = game.raw()
        self.count = len(game.variant.rows)
        self.places: list[dict[tuple[int, int, int], int]] = []
        """For each row: its states by next cell, crosses and lock, and their numbers."""
        self.moves: list[Ints] = []
        """For each row, state and cell: the state that a cross there leads to, or the last number if it cannot."""
        self.points: list[Doubles] = []
        self.is_locked: list[npt.NDArray[np.bool_]] = []
        for row in range(self.count):
            self._explore(states, row, len(game.variant.rows[row].cells))

    def state_of(self, states: Records, row: int) -> tuple[int, int, int]:
        """Say where a row stands."""
        return self.states_of(_sheet(states))[row]

    def states_of(self, sheet: list[int]) -> list[tuple[int, int, int]]:
        """Say where all rows of a sheet stand."""
        locks = sheet[_LOCKS]
        return [(sheet[_NEXT + row], sheet[_COUNT + row], locks >> row & 1) for row in range(self.count)]

    def _explore(self, start: Records, row: int, length: int) -> None:
        """Lay crosses in every way there is (C1, C7)."""
        known = {self.state_of(start, row): 0}
        waiting, moves = [start.tobytes()], []
        for data in waiting:
            line = []
            for cell in range(length):
                states = np.frombuffer(bytearray(data), STATE)
                here = self.state_of(states, row)
                if here[2] or door.lay(self.layouts, states, 0, 0, row * POSITIONS + cell):
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
        worth = [float(door.row_points(self.layouts, crosses)) for _, crosses, _ in known]
        self.places.append(known)
        self.moves.append(table)
        self.points.append(np.array([*worth, _NEVER]))
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
        self._trail = new_trail()
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

    # ---- what can be reached at most

    def _reach(self, row: int, may_close: bool) -> list[Doubles]:
        """Work out, for each turn and state of a row, the most points less prices, with how each was reached."""
        moves, points = self._rows.moves[row], self._rows.points[row]
        value = points.copy()
        if not may_close:
            value[self._rows.is_locked[row]] = _NEVER
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
        best[none] = _NEVER
        return best

    def _bounds(self) -> None:
        """Find prices, then keep what each row can reach under them."""
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
        """Choose the rows that gain most by being closed: no more than end the game (C11)."""
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
        """Do what a row likes best in a turn; give its state afterwards, and which sums it used."""
        whites, colors, is_lucky = self._uses[row][turn]
        options = [state, *(int(moves[state, place]) for place in whites)]
        if is_lucky:
            options.append(int(_next_states(moves, none)[state]))
        found = (-np.inf, state, 0, 0)
        for index, after_white in enumerate(options):
            by_white = int(index > 0)
            for place in (None, *colors):
                there = after_white if place is None else int(moves[after_white, place])
                by_color = int(place is not None)
                price = by_white * self._white[turn] + by_color * self._color[turn]
                price -= (by_white + by_color) * self._miss[turn]
                found = max(found, (float(table[turn + 1][there] - price), there, by_white, by_color))
        return found[1], found[2], found[3]

    def _bound(self, states: Records, turn: int) -> float:
        """Say what a position before a turn can reach at most."""
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
        """Find a good game first, then look whether any other is better."""
        compile_now()
        self._bounds()
        return self._sweep(self._sweep(_NEVER, _WIDE).points, None)

    def _sweep(self, known: float, wide: int | None) -> Hindsight:
        """Go through all turns with all positions that can still better what is known, or with the best of them."""
        best = known
        layer = {self._key(self._start): self._start}
        for turn, roll in enumerate(self._rolls):
            following: dict[bytes, tuple[float, Records]] = {}
            for states in layer.values():
                for after in self._turn(states, roll):
                    is_over = _word(after, _PHASE) == OVER
                    if is_over or turn + 1 == len(self._rolls):
                        best = max(best, float(door.score(self._layouts, after, 0, 0)))
                    key = self._key(after)
                    if not is_over and key not in following:
                        following[key] = self._bound(after, turn + 1), after
            hopeful = sorted(
                ((bound, key) for key, (bound, _) in following.items() if bound > best + _SURE), reverse=True
            )
            if wide is None and len(hopeful) > _MOST:
                return Hindsight(int(best), int(hopeful[0][0] + _SURE))
            layer = {key: following[key][1] for _, key in hopeful[:wide]}
        return Hindsight(int(best), int(best))

    def _key(self, states: Records) -> bytes:
        """Tell positions apart: the sheet is all that matters, not how long it took."""
        return states.tobytes()[_SHEET * WORD : (_SHEET + SHEET_WORDS) * WORD]

    def _turn(self, states: Records, roll: Ints) -> list[Records]:
        """Use a roll in every way there is."""
        copies = _copy(states)
        gone = _word(copies, _GONE)
        faces = roll.copy()
        unknown = [color for color in range(len(COLOR_LETTERS)) if not faces[2 + color] and not gone >> color & 1]
        for color in range(len(COLOR_LETTERS)):
            faces[2 + color] = 0 if gone >> color & 1 else max(int(faces[2 + color]), 1)
        refused = door.set_dice(self._layouts, copies, 0, faces, self._trail)
        assert not refused, "the dice of a record can be rolled"
        found, waiting = [], [copies]
        while waiting:
            here = waiting.pop()
            if not door.asked(self._layouts, here, 0):
                found.append(here)
                continue
            is_color = _word(here, _PHASE) == COLOR
            count = door.legal(self._layouts, here, 0, 0, self._room)
            for action in self._room[:count].tolist():
                if is_color and action != PASS and self._color_of(action) in unknown:
                    continue
                twin = _copy(here)
                door.decide(self._layouts, twin, 0, 0, action, self._trail)
                waiting.append(twin)
        return found

    def _color_of(self, action: int) -> int:
        """Tell which die a cross of a color sum uses."""
        return COLOR_LETTERS.index(self._variant.rows[action // POSITIONS].cells[action % POSITIONS].color)


def _next_states(moves: Ints, none: int) -> Ints:
    """Give for each state of a row the one that a cross in its next cell leads to (L4)."""
    found = np.full(len(moves), none, np.int32)
    for state in range(len(moves) - 1):
        legal = [int(to) for to in moves[state] if to != none]
        if legal:
            found[state] = legal[0]
    return found


def _word(states: Records, place: int) -> int:
    return states.view(np.int32).item(place)


def _sheet(states: Records) -> list[int]:
    """Read the sheet of the only seat as a list of numbers: one reading takes less time than two fields of a record."""
    words: list[int] = states.view(np.int32)[_SHEET : _SHEET + SHEET_WORDS].tolist()
    return words


def _copy(states: Records) -> Records:
    return np.frombuffer(bytearray(states.tobytes()), STATE)


def can_tell(variant: Variant, seats: int) -> bool:
    """Whether the best in hindsight is known for a game."""
    return seats == 1 and not (variant.is_cards or variant.bar or variant.pairs)
