"""Opponents in environments: named players, who decide automatically until another seat is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.jit.decorators import borrowed, eager_entry, entry
from qwixx.kernel import flow, observe
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import OVER, STATE, Ints, Records
from qwixx.players import Registered, check_plays, default_heuristic, find
from qwixx.players.seated_players import SeatedPlayers
from qwixx.rl.spaces import Space
from qwixx.rl.stepping import GAIN, Batch, Words, advance_to_decision, finish, show

Named = Mapping[int, str] | Sequence[str] | str | None
"""Names of opponents: by seat, in their order, one for all, or None for the default."""
ROTATING: Final = "rotate"
DRAWN: Final = "random"
"""Values of `seat` that change it from game to game."""


@entry
def _redact_some(  # noqa: PLR0913 - Python calls it at every step, as `stepping.observe_into`
    layouts: Records, states: Records, slots: Ints, seats: Ints, copies: Records, seed: np.uint64, lucks: Words
) -> None:
    """Copy the games in some slots as the seats that are asked there see them; turn game numbers into `lucks`."""
    for at in range(len(slots)):
        lucks[at] = rng.player_stream_seed(seed, lucks[at])
        observe.redact(layouts[0], states, slots[at], copies, at, seats[at])


@entry
def decide_one(layouts: Records, states: Records, seat: int, action: int) -> int:
    """Decide for a seat and advance; return the seat that decides next, or NOBODY."""
    flow.decide(layouts[0], states[0], seat, action, None)
    return advance_to_decision(layouts[0], states[0])


@eager_entry
def step_some(batch: Batch, slots: Ints, actions: Ints, kind: int, seed: np.uint64) -> None:
    """
    Carry out the decisions of opponents in some games, within one step of the environment.

    Rewards are added to those of the step so far. Gains in a game that began in this step are paid in the next step:
    the rewards of this one belong to the previous game.
    """
    batch = borrowed(batch)
    layout = batch.layouts[0]
    for index in range(len(slots)):
        at = slots[index]
        state = batch.states[at]
        flow.decide(layout, state, batch.asked[at], actions[index], None)
        if kind == GAIN and not batch.terminations[at]:
            for seat in range(state.seats):
                before = batch.rewards[at, seat]
                standing = batch.scores[at, seat]
                batch.scores[at, seat] = flow.score(layout, state, seat)
                batch.rewards[at, seat] = before + batch.scores[at, seat] - standing
        if state.phase == OVER:
            finish(batch, at, kind, seed)
        batch.asked[at] = advance_to_decision(layout, state)
        show(batch, at)


class Opponents:
    """Players on some seats of one game or of many."""

    def __init__(self, space: Space, named: Mapping[int, str]) -> None:
        """Seat players by name. Raises `QwixxError` if one cannot play, or if no seat is left to decide for."""
        self._space = space
        self._places = np.full(space.seats, -1, np.int32)
        players: list[Registered] = []
        for seat, name in named.items():
            if not 0 <= seat < space.seats:
                raise QwixxError(f"Seats are numbered from 0 to {space.seats - 1}; there is no seat {seat}.")
            if not isinstance(name, str):
                raise QwixxError(f"An opponent is the name of a player, such as 'gap', not {name!r}.")
            player = find(name, files=True)
            check_plays(player, space.variant, space.seats)
            self._places[seat] = len(players)
            players.append(player)
        if len(players) == space.seats:
            raise QwixxError("Leave a seat without an opponent: somebody has to be asked.")
        self._seated = SeatedPlayers(space.variant, players, space.seats, None, None)

    def forget(self) -> None:
        """Begin new games: the players forget the previous ones."""
        self._seated.forget()

    def slots(self, asked: Ints) -> Ints:
        """Return the slots in which an opponent is asked."""
        return np.flatnonzero(self._places[asked] >= 0).astype(np.int32)

    def answer(self, states: Records, slots: Ints, asked: Ints, seed: np.uint64, games: Words) -> Ints:
        """Ask the opponents in some slots; return the kernel's numbers of their actions."""
        layouts, count = self._space.layouts, len(slots)
        copies: Records = np.zeros(count, STATE)
        seats, lucks = asked[slots], games[slots]
        _redact_some(layouts, states, slots, seats, copies, seed, lucks)
        actions = np.zeros(count, np.int32)
        places = self._places[seats]
        for place in np.unique(places).tolist():
            of = np.flatnonzero(places == place)
            actions[of] = self._seated.answer(place, layouts, copies[of], slots[of], seats[of], lucks[of])
        return actions


def parties(space: Space, named: Named, seat: int | str | None) -> dict[int, Mapping[int, str]]:
    """
    List the possible seats of the agent, in order, and for each the opponents on the other seats.

    Raises `QwixxError` for names that do not fill all seats but one, or a seat that does not exist.
    """
    seats = space.seats
    if seats == 1:
        raise QwixxError("With one seat there is nobody to play against; make a solitaire instead.")
    if isinstance(named, Mapping):
        return _party(named, seats, seat)
    if named is None or isinstance(named, str):
        named = [named or default_heuristic(space.variant)] * (seats - 1)
    if not isinstance(named, Sequence) or len(named) != seats - 1:
        raise QwixxError(f"Name one opponent for all other seats, or {seats - 1} in their order, not {named!r}.")
    if seat not in (None, ROTATING, DRAWN) and (type(seat) is not int or not 0 <= seat < seats):
        raise QwixxError(f"Your seat is from 0 to {seats - 1}, {ROTATING!r} or {DRAWN!r}, not {seat!r}.")
    places = range(seats) if isinstance(seat, str) else [seat or 0]
    return {own: {(own + 1 + step) % seats: name for step, name in enumerate(named)} for own in places}


def _party(named: Mapping[int, str], seats: int, seat: int | str | None) -> dict[int, Mapping[int, str]]:
    """Return the one seat that the opponents leave free."""
    own = [place for place in range(seats) if place not in named]
    if len(own) != 1:
        raise QwixxError(f"Name an opponent for every seat but one, not for {len(named)} of {seats}.")
    if seat not in (None, own[0]):
        raise QwixxError(f"These opponents leave you seat {own[0]}, not {seat!r}; name them in order to sit elsewhere.")
    return {own[0]: named}
