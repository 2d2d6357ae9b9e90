"""
The judge of games in company: a net that was trained for the game says what positions are worth.

Weighing is compiled, since pages do it too (`qwixx.learn.weighing`); here its answers are put into words, and games are
played on where somebody wants to know better. Alone a net for two seats says how many points it expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from qwixx.analysis.judging import (
    LEARNED,
    POINTS,
    ROLLOUTS,
    WIN,
    Numbers,
    Weighed,
    Weight,
    Worth,
    asked_of,
    best_of,
    carry_out,
    choices_of,
    fresh,
    repeated,
)
from qwixx.analysis.rollouts import Rollouts, interval
from qwixx.game import Game
from qwixx.kernel.records import DRAW, STATE, Record, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.net import Floats, Net
from qwixx.learn.tables import lay_out
from qwixx.learn.weighing import CHOICE, MOST_CHOICES, ROOM, weigh, worth
from qwixx.notation import Action
from qwixx.players.house.master import MASTER, net_of
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

FEWEST: Final = 2
"""Seats that a net knows at least."""
_DEEP_WORLDS: Final = 100
"""How many imagined tables the games of a rollout are shared out among."""
_SEED: Final = 0x71A9

ERRORS: Final = {WIN: 0.025, POINTS: 5.0}
"""What the difference of two choices is off by, as a chance, alone in points; docs/analysis.md says how measured."""


class Learned:
    """Knows what a net says."""

    by = MASTER.name
    source = LEARNED

    def __init__(self, variant: Variant, seats: int) -> None:
        """Get the net; alone that for two seats. Raises `QwixxError` if there is none."""
        self.measure = WIN if seats > 1 else POINTS
        self.error = ERRORS[self.measure]
        self._seats = seats
        self._is_cards = variant.is_cards
        self._layouts = compile_layout(variant)
        net = net_of(variant, max(seats, FEWEST))
        # Copies can be written to, as those that learn can: so both use the same compiled code.
        self._net = Net(net.tables.copy(), net.layers.copy())
        self._inputs = lay_out(self._layouts)
        self._rollouts = Rollouts(variant, seats, net) if seats > 1 else None

    # ---- positions and choices

    def worth(self, game: Game) -> Worth:
        """Ask the net; before the deal, after many deals."""
        rooms: Records = np.zeros(1, ROOM)
        worth(*self._desk(), rooms, repeated(game.raw()[1], 1))
        return Worth(*self._told(rooms[0]))

    def weigh(self, game: Game) -> Weighed:
        """Value all choices of all who decide."""
        rooms: Records = np.zeros(1, ROOM)
        found: Records = np.zeros(MOST_CHOICES, CHOICE)
        states = game.raw()[1]
        count = weigh(*self._desk(), rooms, repeated(states, 1), found)
        actions = {(seat, action.id): action for seat in asked_of(game) for action in choices_of(game, seat)}
        choices: dict[int, list[Weight]] = {}
        for each in found[:count]:
            weight = Weight(actions[int(each.seat), int(each.action)], *self._told(each))
            choices.setdefault(int(each.seat), []).append(weight)
        values, points = self._told(rooms[0])
        return Weighed(values, points, choices, shows_cards=bool(states["phase"][0] == DRAW))

    def _desk(self) -> tuple[Records, Records, Floats, Records, Records]:
        """Give the net, and room of its own for each call: threads may share a judge."""
        return self._layouts, self._inputs, self._net.tables, self._net.layers, np.zeros(1, BENCH)

    def _told(self, record: Record) -> tuple[Numbers, Numbers]:
        return tuple(record.values[: self._seats].tolist()), tuple(record.points[: self._seats].tolist())

    # ---- playing on

    def settle(self, game: Game, seat: int, weighed: Weighed, actions: Sequence[Action], games: int) -> Weighed | None:
        """
        Play on after some choices of a seat: the first keeps its value, and the others stand as far from it as they do.

        Among them is the one that the net likes best; what is not played on stays as far behind it as it was.
        """
        if self._rollouts is None:
            return None
        worlds = self._worlds_for(game, seat, games)
        played = []
        for action in actions:
            states = repeated(worlds, 1)
            for at in range(len(states)):
                carry_out(self._layouts, states, at, {seat: action.id})
            played.append(self._rollouts.play(states, _SEED))
        before = {weight.action.id: weight for weight in weighed.choices[seat]}
        anchor = before[actions[0].id]
        top = max(played, key=lambda each: float(each.shares[:, seat].mean()))
        after = {}
        for action, each in zip(actions, played, strict=True):
            values = _moved(anchor.values, each.chances, played[0].chances)
            points = _moved(anchor.points, each.means, played[0].means)
            after[action.id] = Weight(action, values, points, interval(each.shares[:, seat], top.shares[:, seat]))
        liked = best_of(weighed.choices[seat], seat).action.id
        for weight in weighed.choices[seat]:
            if weight.action.id not in after:
                values = _moved(weight.values, after[liked].values, before[liked].values)
                after[weight.action.id] = Weight(weight.action, values, weight.points)
        if weighed.shows_cards:  # what a draw is worth to others is not told (`_weigh_draw`)
            after = {number: _only_own(weight, before[number], seat) for number, weight in after.items()}
        return _with_choices(weighed, seat, list(after.values()))

    def _worlds_for(self, game: Game, seat: int, games: int) -> Records:
        """Give a table for each game to be played on: the real one, or with cards such as the seat can imagine."""
        if not self._is_cards:
            return repeated(fresh(*game.raw()), games)
        drawn = [
            fresh(self._layouts, game.imagine(seat, _SEED + n).raw()[1]).tobytes()
            for n in range(min(games, _DEEP_WORLDS))
        ]
        return np.frombuffer(bytearray(b"".join(drawn[n % len(drawn)] for n in range(games))), STATE)


def _only_own(weight: Weight, before: Weight, seat: int) -> Weight:
    """Change a weight for one seat only."""
    values = tuple(
        new if at == seat else old for at, (new, old) in enumerate(zip(weight.values, before.values, strict=True))
    )
    return Weight(weight.action, values, before.points, weight.interval)


def _with_choices(weighed: Weighed, seat: int, found: list[Weight]) -> Weighed:
    """Put other choices of a seat in place; the position is worth as much to the seat as the best of them."""
    best = best_of(found, seat)
    values = weighed.values
    if not weighed.shows_cards:
        is_alone = len(weighed.choices) == 1
        values = tuple(best.values[at] if at == seat or is_alone else value for at, value in enumerate(values))
    choices, settled = {**weighed.choices, seat: found}, {**weighed.settled, seat: ROLLOUTS}
    return Weighed(values, weighed.points, choices, weighed.shows_cards, settled)


def _moved(start: Numbers, here: Numbers, there: Numbers) -> Numbers:
    """Move values by how far two others differ."""
    return tuple(value + a - b for value, a, b in zip(start, here, there, strict=True))
