"""
Games that advance automatically until a seat has to decide.

Chance acts immediately, the seats of a window are asked one by one (the lowest seat that still owes a decision first),
and a finished game pays rewards. `begin_one` and `step_one` serve the adapters that play one game, `begin_all` and
`step_all` play any number of them in one call (`Batch`); `resume_one` begins from a given state.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from qwixx.jit.decorators import borrowed, eager_entry, entry, inlined, kernel
from qwixx.kernel import flow, game_end
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import OVER, PASS, Ints, Record, Records
from qwixx.kernel.state.refusals import ALLOWED
from qwixx.rl.encode import Bytes, legal_mask, observe, observe_all, to_kernel, write_mask

Floats = npt.NDArray[np.floating]
"""Rewards: 32 bits wide where there are many games, 64 where there is one."""
Bools = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]

MARGIN, WIN, SCORE, GAIN = range(4)
"""Kinds of rewards, in the order of `qwixx.rl.spaces.REWARDS`."""

NOBODY: Final = -1
"""In place of a seat: the game is over."""
REFUSED: Final = -2
"""`step_one` returns REFUSED - reason for an action that the kernel refuses."""

BY_ACTION, BY_RANK = range(2)
"""The input of `step_all`: compact actions, or indices into the list of legal ones."""
RAISE, AS_PASS = range(2)
"""An illegal action in `step_all`: impossible, because `find_illegal` was called before, or a pass."""


class Batch(NamedTuple):
    """The arrays of many games, one row for each; `rl.batch.Env` explains those that users see."""

    layouts: Records
    states: Records
    games: Words
    asked: Ints
    rewards: Floats
    terminations: Bools
    scores: Ints
    illegal: Bools
    menus: Records
    """One record: memory for lists of actions."""
    observations: Bytes
    masks: Bytes
    final: Bytes
    """The last observation of seat 0 in a finished game. It, the observations and the masks may have no columns."""


@inlined
def next_seat(state: Record) -> int:
    """Return the lowest seat that owes a decision, or NOBODY."""
    waiting = state.waiting
    if waiting == 0:
        return NOBODY
    seat = 0
    while not waiting >> seat & 1:
        seat += 1
    return seat


@inlined
def begin_game(layout: Record, state: Record, seed: np.uint64, game: np.uint64, seats: int) -> None:
    """Set up game number `game` of a seed; the first seat is drawn at random (C2)."""
    rng.seed_stream(state, seed, game)
    flow.begin(layout, state, seats, -1)


@inlined
def advance_to_decision(layout: Record, state: Record) -> int:
    """Roll or deal until a seat has to decide; return that seat, or NOBODY when the game is over."""
    while state.waiting == 0 and state.phase != OVER:
        flow.roll(layout, state, None)  # no log: the events are not used
    return next_seat(state)


# ---- rewards


@kernel
def pay(layout: Record, state: Record, kind: int, scores: Ints, rewards: Floats, at: int) -> None:
    """
    Score a finished game and pay every seat.

    By margin: own score less the mean of the others. By win: 1 for the only winner, equal totals share (C12), and
    what the winners get the others lose in equal parts. Both sum to zero at two seats and more. By score: the score.
    """
    seats = int(state.seats)
    total = 0
    for seat in range(seats):
        scores[at, seat] = flow.score(layout, state, seat)
        total += scores[at, seat]
    winners = game_end.winners(scores[at], seats)
    shared_by = 0
    for seat in range(seats):
        shared_by += winners >> seat & 1
    for seat in range(seats):
        score = scores[at, seat]
        if kind == SCORE or seats == 1:
            rewards[at, seat] = score
        elif kind == MARGIN:
            rewards[at, seat] = score - (total - score) / (seats - 1)
        else:
            share = seats / shared_by if winners >> seat & 1 else 0.0
            rewards[at, seat] = (share - 1.0) / (seats - 1)


@kernel
def pay_gain(layout: Record, state: Record, scores: Ints, rewards: Floats, at: int) -> None:
    """Pay every seat the gain of its current score since the last call; `scores` keeps the current score."""
    for seat in range(state.seats):
        score = flow.score(layout, state, seat)
        rewards[at, seat] = score - scores[at, seat]
        scores[at, seat] = score


# ---- one game


@entry
def observe_into(  # noqa: PLR0913 - Python calls it at every step, and a named tuple would cost half a step
    layouts: Records, states: Records, seat: int, asked: int, menus: Records, seen: Bytes, mask: Bytes
) -> None:
    """Write the observation and the mask of a seat; a seat that is not asked has no legal actions."""
    observe(layouts[0], states[0], seat, seen, 0)
    if asked == seat:
        legal_mask(layouts[0], states[0], seat, menus[0], mask, 0)
    else:
        write_mask(layouts[0], menus[0], 0, mask, 0)


@entry
def observe_everything(layouts: Records, states: Records, out: Bytes) -> None:
    """Write the full state, including hidden information."""
    observe_all(layouts[0], states[0], out, 0)


@entry
def begin_one(layouts: Records, states: Records, seed: np.uint64, game: np.uint64, seats: int) -> int:
    """Set up a game and advance it; return the seat that decides first."""
    begin_game(layouts[0], states[0], seed, game, seats)
    return advance_to_decision(layouts[0], states[0])


@entry
def resume_one(layouts: Records, states: Records, seed: np.uint64, game: np.uint64) -> int:
    """Continue from a given state, with its own random stream; return the seat that decides first."""
    rng.seed_stream(states[0], seed, game)
    return advance_to_decision(layouts[0], states[0])


@entry
def step_one(  # noqa: PLR0913 - as above
    layouts: Records, states: Records, seat: int, action: int, menus: Records, seen: Bytes, mask: Bytes
) -> int:
    """
    Decide for a seat, advance, and write the observation of the next seat, or of the last one if the game is over.

    Returns the seat that decides next, NOBODY, or REFUSED less the reason; then nothing has changed.
    """
    reason = flow.decide(layouts[0], states[0], seat, to_kernel(layouts[0], action), None)
    if reason != ALLOWED:
        return REFUSED - reason
    asked = advance_to_decision(layouts[0], states[0])
    observe_into(layouts, states, seat if asked == NOBODY else asked, asked, menus, seen, mask)
    return asked


@entry
def pay_one(layouts: Records, states: Records, kind: int, scores: Ints, rewards: Floats) -> None:
    """Pay the seats of one game."""
    if kind == GAIN:
        pay_gain(layouts[0], states[0], scores, rewards, 0)
    else:
        pay(layouts[0], states[0], kind, scores, rewards, 0)


# ---- many games


@eager_entry
def begin_all(batch: Batch, seed: np.uint64, seats: int) -> None:
    """Begin all games, each with its own random stream; without `seats` they continue from the states they are in."""
    batch = borrowed(batch)
    layout = batch.layouts[0]
    for at in range(len(batch.states)):
        state = batch.states[at]
        batch.games[at] = np.uint64(at)
        if seats:
            begin_game(layout, state, seed, batch.games[at], seats)
        else:
            rng.seed_stream(state, seed, batch.games[at])
        batch.asked[at] = advance_to_decision(layout, state)
        show(batch, at)


@eager_entry
def count_all(batch: Batch) -> None:
    """Write the current score of every seat of every game."""
    for at in range(len(batch.states)):
        state = batch.states[at]
        for seat in range(state.seats):
            batch.scores[at, seat] = flow.score(batch.layouts[0], state, seat)


@inlined
def show(batch: Batch, at: int) -> None:
    """Write the observation and the mask of the seat that is asked, each if its array has columns."""
    if batch.observations.shape[1] > 0:
        observe(batch.layouts[0], batch.states[at], batch.asked[at], batch.observations, at)
    if batch.masks.shape[1] > 0:
        legal_mask(batch.layouts[0], batch.states[at], batch.asked[at], batch.menus[0], batch.masks, at)


@eager_entry
def find_illegal(batch: Batch, actions: Ints) -> int:
    """Return the first game whose action is illegal, or -1; uses the masks if there are any."""
    batch = borrowed(batch)
    layout = batch.layouts[0]
    for at in range(len(batch.states)):
        if batch.masks.shape[1] > 0:
            if batch.masks[at, actions[at]] == 0:
                return at
        elif flow.refusal(layout, batch.states[at], batch.asked[at], to_kernel(layout, actions[at])) != ALLOWED:
            return at
    return -1


@inlined
def _ranked(layout: Record, state: Record, seat: int, rank: int, menu: Record) -> int:
    """Return the legal action with this index in their list; indices beyond its end wrap around."""
    count = flow.fill_menu(layout, state, seat, menu)
    return int(menu.actions[int(np.uint32(rank) % np.uint32(count))])  # unsigned and narrow: division is slow


@inlined
def finish(batch: Batch, at: int, kind: int, seed: np.uint64) -> None:
    """Pay a game that is over, keep the last observation of seat 0 if wanted, and begin the next game in its slot."""
    layout, state = batch.layouts[0], batch.states[at]
    batch.terminations[at] = True
    if kind != GAIN:
        pay(layout, state, kind, batch.scores, batch.rewards, at)
    if batch.final.shape[1] > 0:
        observe(layout, state, 0, batch.final, at)
    batch.games[at] += np.uint64(len(batch.states))
    begin_game(layout, state, seed, batch.games[at], state.seats)


@eager_entry
def step_all(batch: Batch, actions: Ints, form: int, on_illegal: int, kind: int, seed: np.uint64) -> None:
    """
    Carry out one decision in every game; a game that ends pays and the next one begins in its slot.

    Actions have to be legal (`find_illegal`), or with AS_PASS the masks show where they are not.
    """
    batch = borrowed(batch)
    layout = batch.layouts[0]
    menu = batch.menus[0]
    for at in range(len(batch.states)):
        state = batch.states[at]
        if batch.terminations[at]:  # the rewards of the last step for the previous game
            batch.terminations[at] = False
            for paid in range(batch.rewards.shape[1]):
                batch.rewards[at, paid] = 0.0
                batch.scores[at, paid] = 0
        seat = batch.asked[at]
        action = actions[at]
        if form == BY_RANK:
            action = _ranked(layout, state, seat, action, menu)
        elif on_illegal == AS_PASS:
            batch.illegal[at] = batch.masks[at, action] == 0
            action = PASS if batch.illegal[at] else to_kernel(layout, action)
        else:
            action = to_kernel(layout, action)
        flow.decide(layout, state, seat, action, None)
        if kind == GAIN:
            pay_gain(layout, state, batch.scores, batch.rewards, at)
        if state.phase == OVER:
            finish(batch, at, kind, seed)
        batch.asked[at] = advance_to_decision(layout, state)
        show(batch, at)
