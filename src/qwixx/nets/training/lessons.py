"""
Lessons for a net of one seat: positions of solitaire games, and the points that best play still makes there.

The teacher is the exact solution of the sheet (`qwixx.solver`). The games follow it, with random decisions in between,
so that the net also learns what bad choices lead to. A sheet that takes too long to solve has no teacher: then the
games follow the net, and the lessons are TD(lambda) targets from what happened in them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from qwixx.jit.decorators import borrowed, eager_entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.crossing import score
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import (
    ACTIONS,
    COLOR,
    OVER,
    ROLL,
    ROWS,
    SEATS,
    SHEET,
    STATE,
    Ints,
    Record,
    Records,
    record_type,
)
from qwixx.nets.dice_policy import evaluate_alone
from qwixx.nets.network import OWN_POINTS, POINTS_SCALE, Floats, LoadedNet, NetArrays, backward, type_float
from qwixx.nets.policy import decide
from qwixx.nets.scratch import is_as_planned
from qwixx.nets.training.self_play import PER_MILLE
from qwixx.players.built_in.optimal import Tables, optimal_tables
from qwixx.solver.lookahead.leaves import place_sheet
from qwixx.solver.play.choose import choose_optimal
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

RANDOM_PER_MILLE: Final = 350
"""How many of a thousand decisions in the games of the lessons are random."""
STRAY_PER_MILLE: Final = 50
"""The same without a teacher: nothing is learned from what follows a random decision."""
_TURNS: Final = 60
"""Turns for which there is memory, for each game on average."""

LESSON: Final = record_type([("sheet", SHEET), ("to_come", type_float)])
"""A sheet before a roll, and the points still to come with best play, in units of `POINTS_SCALE`."""


class _Games(NamedTuple):
    """The games that compiled code plays."""

    seed: np.uint64
    first: int
    games: int


@eager_entry
def _play(layouts: Records, known: Tables, played: _Games, states: Records, lessons: Records) -> int:
    """Play games and fill `lessons` with their positions before a roll; return how many there are."""
    layout, state = layouts[0], states[0]
    room = np.zeros(ACTIONS, np.int32)
    rows = np.zeros(ROWS, np.int32)
    stored = 0
    for game in range(played.first, played.first + played.games):
        rng.seed_stream(state, played.seed, np.uint64(game))
        luck = rng.player_stream_seed(played.seed, np.uint64(game))
        flow.begin(layout, state, 1, 0)
        pad = game % len(known.pads)  # L5: each printed pad has its share of the games
        sheet = state.sheets[0]
        sheet.lucky[:] = known.pads[pad]
        fold, policy = known.folds[pad], known.policies[pad]
        drawn = 0
        while state.phase != OVER:
            if state.waiting == 0:
                if state.phase == ROLL and stored < len(lessons):
                    place = place_sheet(layout, fold, known.firsts, sheet, rows)
                    lessons[stored].sheet = sheet
                    lessons[stored].to_come = policy[sheet.misses, place] / POINTS_SCALE
                    stored += 1
                flow.roll(layout, state, None)
                continue
            count = flow.legal(layout, state, 0, room)
            if rng.randbelow_at(luck, drawn, PER_MILLE) < RANDOM_PER_MILLE:
                action = room[rng.randbelow_at(luck, drawn + 1, count)]
            else:
                action = choose_optimal(layout, fold, known.firsts, policy, state, 0, room, count)
            drawn += 2
            flow.decide(layout, state, 0, action, None)
    return stored


def play_lessons(variant: Variant, games: int, *, seed: int, first: int) -> Records:
    """Return the lessons of some games. If the sheet was not solved before, it is solved now."""
    lessons: Records = np.zeros(games * _TURNS, LESSON)
    played, states = _Games(np.uint64(seed), first, games), np.zeros(1, STATE)
    return lessons[: _play(compile_layout(variant), optimal_tables(variant), played, states, lessons)]


@kernel
def _own_targets(net: LoadedNet, lessons: Records, strayed: Ints, last: float, share: float) -> None:
    """
    Write the targets of a game from its end back: a mixture of the later target and of the net's own value.

    `last` are its final points, and `share` is the share of the later target (lambda). Before a random decision the
    net's own value takes the place of what followed.
    """
    outputs = net.scratch.buffers.outputs
    later = last
    for at in range(len(lessons) - 1, -1, -1):
        sheet = lessons[at].sheet
        now = float(score(net.layout, sheet)) / float(POINTS_SCALE)
        evaluate_alone(net, sheet)
        value = now + float(outputs[OWN_POINTS])
        if strayed[at]:
            later = value
        lessons[at].to_come = later - now
        later = share * later + (1 - share) * value


@kernel
def _decide_alone(net: LoadedNet, state: Record, choices: Ints) -> None:
    if state.phase == COLOR and is_as_planned(1, net.scratch, choices):
        choices[0] = net.scratch.plan[1]
    else:
        decide(net, state, 1, choices)


@eager_entry
def _play_own(arrays: NetArrays, played: _Games, share: float, states: Records, lessons: Records, strayed: Ints) -> int:
    """Play games that follow the net and fill `lessons`; return how many there are."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    layout, state = net.layout, states[0]
    menu = net.scratch.option_menu.actions
    choices = np.zeros(SEATS, np.int32)
    stored = 0
    for game in range(played.first, played.first + played.games):
        rng.seed_stream(state, played.seed, np.uint64(game))
        luck = rng.player_stream_seed(played.seed, np.uint64(game))
        flow.begin(layout, state, 1, 0)
        begin, drawn = stored, 0
        while state.phase != OVER:
            if state.waiting == 0:
                if state.phase == ROLL and stored < len(lessons):
                    lessons[stored].sheet = state.sheets[0]
                    stored += 1
                flow.roll(layout, state, None)
                continue
            _decide_alone(net, state, choices)
            if rng.randbelow_at(luck, drawn, PER_MILLE) < STRAY_PER_MILLE:
                count = flow.legal(layout, state, 0, menu)
                choices[0] = menu[rng.randbelow_at(luck, drawn + 1, count)]
                strayed[stored - 1] = 1
            drawn += 2
            flow.decide(layout, state, 0, choices[0], None)
        last = float(flow.score(layout, state, 0)) / float(POINTS_SCALE)
        _own_targets(net, lessons[begin:stored], strayed[begin:stored], last, share)
    return stored


def play_own_lessons(arrays: NetArrays, games: int, share: float, *, seed: int, first: int) -> Records:
    """Return the lessons of some games of a net for one seat; `share` is lambda."""
    lessons: Records = np.zeros(games * _TURNS, LESSON)
    played, states = _Games(np.uint64(seed), first, games), np.zeros(1, STATE)
    return lessons[: _play_own(arrays, played, share, states, lessons, np.zeros(len(lessons), np.int32))]


@eager_entry
def learn_lessons(arrays: NetArrays, updates: Floats, lessons: Records, order: Ints, rate: float) -> float:
    """Update the net once with each lesson, in the given order; return the mean squared error in points."""
    net = LoadedNet(arrays.layouts[0], arrays.inputs[0], borrowed(arrays.tables), arrays.layers[0], arrays.scratches[0])
    buffers = net.scratch.buffers
    buffers.errors[:] = 0
    total = 0.0
    for at in order:
        lesson = lessons[at]
        evaluate_alone(net, lesson.sheet)
        error = buffers.outputs[OWN_POINTS] - lesson.to_come
        buffers.errors[OWN_POINTS] = error
        total += float(error) * float(error)
        backward(net.tables, net.layers, updates, buffers, 1, np.float32(rate))
    return total / max(1, len(order)) * float(POINTS_SCALE) ** 2
