"""
Whole games of any players, in batches: each player decides for all games of a batch that wait for it in one call.

Players get redacted copies, and all choices of a window are made before any is stored. The games are the same as in
`game_loop`, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class _Batch(NamedTuple):
    """Consecutive games of a run, and the number of tables that they take turns at."""

    layouts: Records
    states: Records
    seed: np.uint64
    first_game: int
    tables: int


class _Questions(NamedTuple):
    """The games that wait for a player: their redacted states, their indices, the seats, and the random words."""

    copies: Records
    slots: Ints
    seats: Ints
    lucks: Words


@eager_entry
def _begin_all(batch: _Batch, seats: int) -> None:
    for at in range(len(batch.states)):
        begin(batch.layouts[0], batch.states[at], seats, batch.seed, np.uint64(batch.first_game + at))


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
def _gather(batch: _Batch, player: int, found: _Questions) -> int:
    """Collect the redacted states that wait for one player of the line-up; return how many there are."""
    count = 0
    states = batch.states
    for at in range(len(states)):
        waiting = states[at].waiting
        if waiting == 0:
            continue
        game = batch.first_game + at
        seat = seat_of(player, game % batch.tables, int(states[at].seats))
        if waiting >> seat & 1:
            observe.redact(batch.layouts[0], states, at, found.copies, count, seat)
            found.slots[count] = at
            found.seats[count] = seat
            found.lucks[count] = rng.player_stream_seed(batch.seed, np.uint64(game))
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
        batch = _Batch(self._layouts, states, seed, first_game, self._tables)
        _begin_all(batch, len(self._players))
        while _advance(self._layouts, states):
            for slots, asked, actions in [self._ask(batch, player) for player in range(len(self._players))]:
                refused = _decide_all(self._layouts, states, slots, asked, actions)
                if refused >= 0:
                    raise QwixxError(f"Game {first_game + slots[refused]}: {actions[refused]} is refused.")
        _write_all(self._layouts, states, results)

    def _ask(self, batch: _Batch, player: int) -> tuple[Ints, Ints, Ints]:
        """Ask one player of the line-up in all games that wait for it; return slots, seats and actions."""
        size = len(batch.states)
        found = _Questions(self._copies, np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.uint64))
        count = _gather(batch, player, found)
        slots, seats = found.slots[:count], found.seats[:count]
        if not count:
            return slots, seats, np.zeros(0, np.int32)
        try:
            actions = self._seated.answer(
                player, self._layouts, self._copies[:count], slots, seats, found.lucks[:count]
            )
        except PlayerFailed as failed:
            failed.game = batch.first_game + failed.slot
            raise
        return slots, seats, actions
