"""
Whole games of any players at all: many games side by side, and each player is asked for all that wait for it at once.

Players get redacted copies, and all choices of a window are made before any is stored. The games are those of
`players.loops`, number by number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel import flow, observe, rng
from qwixx.kernel.jit import bulk
from qwixx.kernel.records import OVER, STATE, Ints, Records
from qwixx.kernel.refusals import ALLOWED
from qwixx.kernel.results import write_result
from qwixx.players.base import Pads, Registered, Words
from qwixx.players.crew import Crew
from qwixx.players.guard import PlayerFailed
from qwixx.players.loops import begin
from qwixx.players.seating import seat_of
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

_AT_ONCE = 1024
"""Games side by side: enough that handing them over costs little for each, few enough to stay in fast memory."""


@bulk
def _begin_all(layouts: Records, states: Records, seats: int, seed: np.uint64, first_game: int) -> None:
    for at in range(len(states)):
        begin(layouts[0], states[at], seats, seed, np.uint64(first_game + at))


@bulk
def _go_on(layouts: Records, states: Records) -> int:
    """Let chance have its turns until somebody has to decide; give how many games are not over."""
    count = 0
    for at in range(len(states)):
        state = states[at]
        while state.waiting == 0 and state.phase != OVER:
            flow.roll(layouts[0], state, None)
        count += int(state.phase != OVER)
    return count


@bulk
def _gather(
    layouts: Records,
    states: Records,
    seed: np.uint64,
    first_game: int,
    tables: int,
    player: int,
    copies: Records,
    slots: Ints,
    asked: Ints,
    lucks: Words,
) -> int:
    """Collect all questions for one player of the line-up, which moves on one seat from table to table."""
    count = 0
    for at in range(len(states)):
        waiting = states[at].waiting
        if waiting == 0:
            continue
        seats = int(states[at].seats)
        table = (first_game + at) % tables
        seat = seat_of(player, table, seats)
        if waiting >> seat & 1:
            observe.redact(layouts[0], states, at, copies, count, seat)
            slots[count] = at
            asked[count] = seat
            lucks[count] = rng.luck_of(seed, np.uint64(first_game + at))
            count += 1
    return count


@bulk
def _decide_all(layouts: Records, states: Records, slots: Ints, asked: Ints, actions: Ints) -> int:
    """Store all choices; give the place of the first that is refused, or -1."""
    for at in range(len(slots)):
        if flow.decide(layouts[0], states[slots[at]], asked[at], actions[at], None) != ALLOWED:
            return at
    return -1


@bulk
def _write_all(layouts: Records, states: Records, results: Records) -> None:
    for at in range(len(states)):
        write_result(layouts[0], states[at], results[at])


class SideBySide:
    """Games of one line-up."""

    def __init__(
        self,
        variant: Variant,
        players: Sequence[Registered],
        *,
        rotate: bool = True,
        pads: Pads | None = None,
        seconds: float | None = None,
    ) -> None:
        """Seat the players; with `rotate` everybody moves on one seat from game to game."""
        self._variant = variant
        self._layouts = compile_layout(variant)
        self._players = tuple(players)
        self._tables = len(players) if rotate else 1
        self._crew = Crew(variant, players, len(players), pads, seconds)
        self._copies: Records = np.zeros(_AT_ONCE, STATE)

    def play(self, seed: np.uint64, first_game: int, results: Records) -> None:
        """Play as many games as there is room for results. Raises `PlayerFailed` with the number of the game."""
        try:
            for start in range(0, len(results), _AT_ONCE):
                self._play_some(seed, first_game + start, results[start : start + _AT_ONCE])
        finally:
            self._crew.close()

    def _play_some(self, seed: np.uint64, first_game: int, results: Records) -> None:
        states: Records = np.zeros(len(results), STATE)
        _begin_all(self._layouts, states, len(self._players), seed, first_game)
        while _go_on(self._layouts, states):
            for slots, asked, actions in [self._ask(seed, first_game, states, p) for p in range(len(self._players))]:
                refused = _decide_all(self._layouts, states, slots, asked, actions)
                if refused >= 0:
                    raise QwixxError(f"Game {first_game + slots[refused]}: {actions[refused]} is refused.")
        _write_all(self._layouts, states, results)

    def _ask(self, seed: np.uint64, first_game: int, states: Records, player: int) -> tuple[Ints, Ints, Ints]:
        """Ask one player of the line-up in all games that wait for it; give slots, seats and actions."""
        slots, asked = np.zeros(len(states), np.int32), np.zeros(len(states), np.int32)
        lucks = np.zeros(len(states), np.uint64)
        count = _gather(
            self._layouts, states, seed, first_game, self._tables, player, self._copies, slots, asked, lucks
        )
        slots, asked = slots[:count], asked[:count]
        if not count:
            return slots, asked, np.zeros(0, np.int32)
        try:
            actions = self._crew.answer(player, self._layouts, self._copies[:count], slots, asked, lucks[:count])
        except PlayerFailed as failed:
            failed.game = first_game + failed.slot
            raise
        return slots, asked, actions
