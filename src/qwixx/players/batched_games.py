"""
Whole games of any players, in batches: each player decides for all games of a batch that wait for it in one call.

Players get redacted copies, and all choices of a window are made before any is stored. The games are the same as in
`game_loop`, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.errors import QwixxError
from qwixx.jit.decorators import eager_entry
from qwixx.kernel import flow, observe
from qwixx.kernel.results import write_result
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import OVER, STATE, Ints, Records
from qwixx.kernel.state.refusals import ALLOWED
from qwixx.players.game_loop import begin
from qwixx.players.player import Pads, Registered, Words
from qwixx.players.rotation import seat_of
from qwixx.players.seated_players import SeatedPlayers
from qwixx.players.supervise import PlayerFailed
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

_BATCH = 1024
"""Games of a batch: enough that a call costs little for each, few enough to stay in the processor's cache."""


@eager_entry
def _begin_all(layouts: Records, states: Records, seats: int, seed: np.uint64, first_game: int) -> None:
    for at in range(len(states)):
        begin(layouts[0], states[at], seats, seed, np.uint64(first_game + at))


@eager_entry
def _advance(layouts: Records, states: Records) -> int:
    """Roll in all games until a seat has to decide; return the number of games that are not over."""
    count = 0
    for at in range(len(states)):
        state = states[at]
        while state.waiting == 0 and state.phase != OVER:
            flow.roll(layouts[0], state, None)
        count += int(state.phase != OVER)
    return count


@eager_entry
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
    """Collect the redacted states that wait for one player of the line-up; return how many there are."""
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
            lucks[count] = rng.player_stream_seed(seed, np.uint64(first_game + at))
            count += 1
    return count


@eager_entry
def _decide_all(layouts: Records, states: Records, slots: Ints, asked: Ints, actions: Ints) -> int:
    """Store all choices; return the index of the first that is refused, or -1."""
    for at in range(len(slots)):
        if flow.decide(layouts[0], states[slots[at]], asked[at], actions[at], None) != ALLOWED:
            return at
    return -1


@eager_entry
def _write_all(layouts: Records, states: Records, results: Records) -> None:
    for at in range(len(states)):
        write_result(layouts[0], states[at], results[at])


class BatchedGames:
    """Batches of games of one line-up."""

    def __init__(
        self,
        variant: Variant,
        players: Sequence[Registered],
        *,
        rotate: bool = True,
        pads: Pads | None = None,
        seconds: float | None = None,
    ) -> None:
        """Seat the players; with `rotate` each player moves on one seat from game to game."""
        self._variant = variant
        self._layouts = compile_layout(variant)
        self._players = tuple(players)
        self._tables = len(players) if rotate else 1
        self._seated = SeatedPlayers(variant, players, len(players), pads, seconds)
        self._copies: Records = np.zeros(_BATCH, STATE)

    def play(self, seed: np.uint64, first_game: int, results: Records) -> None:
        """Fill `results` with one game each. Raises `PlayerFailed` with the number of the game."""
        try:
            for start in range(0, len(results), _BATCH):
                self._play_batch(seed, first_game + start, results[start : start + _BATCH])
        finally:
            self._seated.close()

    def _play_batch(self, seed: np.uint64, first_game: int, results: Records) -> None:
        states: Records = np.zeros(len(results), STATE)
        _begin_all(self._layouts, states, len(self._players), seed, first_game)
        while _advance(self._layouts, states):
            for slots, asked, actions in [self._ask(seed, first_game, states, p) for p in range(len(self._players))]:
                refused = _decide_all(self._layouts, states, slots, asked, actions)
                if refused >= 0:
                    raise QwixxError(f"Game {first_game + slots[refused]}: {actions[refused]} is refused.")
        _write_all(self._layouts, states, results)

    def _ask(self, seed: np.uint64, first_game: int, states: Records, player: int) -> tuple[Ints, Ints, Ints]:
        """Ask one player of the line-up in all games that wait for it; return slots, seats and actions."""
        slots, asked = np.zeros(len(states), np.int32), np.zeros(len(states), np.int32)
        lucks = np.zeros(len(states), np.uint64)
        count = _gather(
            self._layouts, states, seed, first_game, self._tables, player, self._copies, slots, asked, lucks
        )
        slots, asked = slots[:count], asked[:count]
        if not count:
            return slots, asked, np.zeros(0, np.int32)
        try:
            actions = self._seated.answer(player, self._layouts, self._copies[:count], slots, asked, lucks[:count])
        except PlayerFailed as failed:
            failed.game = first_game + failed.slot
            raise
        return slots, asked, actions
