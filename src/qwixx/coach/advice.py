"""
What to do here: every legal action of a seat, best first, with what it is worth and who says so.

Judges are asked in turn, and the first who knows the game speaks:

1. Alone, with dice, the exact solution: expected final points with best play.
2. A player of the registry that thinks in values, if it plays the game: see `Values`. Strong players plug in here.
3. Everywhere else the game is played on many times, by the rule of thumb that suits it, from positions as the seat can
   imagine them: points ahead of the best other seat.

Whoever judges knows what the seat knows, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.kernel import flow, rng
from qwixx.kernel.jit import COMPILES, bulk
from qwixx.kernel.records import MENU, SEATS, STATE, Ints, Records
from qwixx.notation import Action
from qwixx.players import Registered, all_players, check_plays, find, rule_of_thumb, seconds_to_decide
from qwixx.players.guard import LateError, describe, within
from qwixx.players.house.optimal import OPTIMAL
from qwixx.players.loops import play_game
from qwixx.players.weights import SEATING, Weigher
from qwixx.question import Question
from qwixx.solver import advise as solved_choices
from qwixx.solver import lucky_of, plan
from qwixx.solver.work.store import table_path
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant
from qwixx.wanted import counted, described, whole_number

__all__ = ["Advice", "Choice", "Values", "advise"]

GAMES = 400
"""Games that are played on after each action: a difference of three points shows."""
MOST_GAMES = 1_000_000
_WORLDS = 50
"""Positions that the seat imagines, each of which takes up to a millisecond; the games are shared out among them."""
_SOON = 60.0
"""Seconds of one core that solving a sheet may take without being asked for."""
_Z = 1.959964
"""A normal variable lies within so many deviations with a chance of 95 %."""


@runtime_checkable
class Values(Protocol):
    """A seated player who thinks in values, and so can be asked for advice."""

    measure: str
    """What the values are, in a few words: `chance to win`."""

    def values(self, question: Question) -> Sequence[float]:
        """Give what each of the question's legal actions is worth, in their order; more is better."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action: what it is worth, what it loses against the best, and how sure that is."""

    action: Action
    value: float
    loss: float
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the loss; 0 where nothing was drawn by lot."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What somebody says about a decision: all legal actions, best first."""

    seat: int
    by: str
    """Who says so."""
    measure: str
    """What the values are."""
    choices: tuple[Choice, ...]

    @property
    def best(self) -> Action:
        """The action that is worth most."""
        return self.choices[0].action

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, place: int) -> Choice:
        return self.choices[place]

    def __str__(self) -> str:
        width = max(len(choice.action.text) for choice in self.choices)
        lines = [f"seat {self.seat}, judged by {self.by}: {self.measure}"]
        for choice in self.choices:
            sure = f" ± {choice.interval:.2f}" if choice.interval else ""
            loses = f"loses {choice.loss:.2f}{sure}" if choice.loss else "best"
            lines.append(f"  {choice.action.text:{width}}  {choice.value:8.2f}  {loses}")
        return "\n".join(lines)


def advise(game: Game, seat: int | None = None, *, by: str | None = None, games: int = GAMES, seed: int = 0) -> Advice:
    """
    Judge every legal action of a seat; without a `seat`, of the only one that has to decide.

    `by` names the judge: `optimal` (alone, exact; it solves the sheet first, which takes up to an hour on the big
    ones), a player that thinks in values, or a rule of thumb, which plays `games` games on after each action. Without
    it the best judge speaks who needs no more than seconds. The same seed gives the same advice.
    """
    if not isinstance(game, Game):
        raise QwixxError(f"Advice is given about a game, not about {described(game)}.")
    seat = who_decides(game, seat)
    if not 1 <= whole_number(games, "The number of games") <= MOST_GAMES:
        raise QwixxError(f"The number of games is from 1 to {MOST_GAMES}, not {games}.")
    judge = _judge(game) if by is None else find(by, files=True)
    check_plays(judge, game.variant, game.seats)
    if judge is OPTIMAL:
        return _exact(game)
    if isinstance(judge, Weigher):
        return _by_playing_on(game, seat, judge, games, seed)
    found = _by_values(game, seat, judge)
    if found is None:
        raise QwixxError(f"The player {judge.name!r} decides, but does not say what actions are worth.")
    return found


def who_decides(game: Game, seat: int | None) -> int:
    """Give the seat that is meant: the one named, or the only one that has to decide. Raises `QwixxError`."""
    if seat is None:
        asked = game.deciders()
        if len(asked) > 1:
            raise QwixxError(f"Say for which seat: {', '.join(map(str, asked))} have to decide.")
        if not asked:
            raise QwixxError("Nothing is to be decided here: chance comes first, or the game is over.")
        (seat,) = asked
    if not game.legal(seat):
        raise QwixxError(f"Seat {seat} has nothing to decide here.")
    return int(seat)


def _judge(game: Game) -> Registered:
    """Choose who judges best without taking long."""
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1) and is_soon_solved(variant, lucky_of(game)):
        return OPTIMAL
    return next(_quick_thinkers(variant, seats), None) or find(rule_of_thumb(variant))


def is_soon_solved(variant: Variant, lucky: Pad | None) -> bool:
    """Whether there is a table of solitaire, or one can be made in seconds."""
    if table_path(layout_hash(compile_layout(variant)), lucky or (), variant.id).exists():
        return True
    if variant.bar or variant.pairs or not COMPILES:
        return False  # what their cells remember makes tables big; even finding out how big takes a while
    return plan(variant, lucky).cpu_seconds < _SOON


def _quick_thinkers(variant: Variant, seats: int) -> Iterator[Registered]:
    """List the players of the house that think in values and need not work anything out first."""
    for _, player in all_players():
        if not isinstance(player, Registered) or isinstance(player, Weigher) or not player.is_house:
            continue
        if player is OPTIMAL or not player.plays(variant, seats) or player.takes(variant):
            continue
        if isinstance(player.sit(variant, seats), Values):
            yield player


def _ranked(seat: int, by: str, measure: str, choices: list[Choice]) -> Advice:
    return Advice(seat, by, measure, tuple(sorted(choices, key=lambda choice: choice.loss)))


# ---- the judges


def _exact(game: Game) -> Advice:
    """Ask the exact solution of solitaire."""
    actions = {action.text: action for action in game.legal(0)}
    choices = [Choice(actions[each.action], each.expected, each.loss) for each in solved_choices(game)]
    return _ranked(0, OPTIMAL.name, "expected final points with best play, exactly", choices)


def _by_values(game: Game, seat: int, judge: Registered) -> Advice | None:
    """Ask a player that thinks in values, None if it does not; one from elsewhere as carefully as about decisions."""
    question = game.question(seat)
    if judge.is_house:
        told = _values_of(judge, question, game.seats)
    else:
        seconds = seconds_to_decide()
        try:
            told = within(seconds, _values_of, judge, question.for_a_guest(), game.seats)
        except LateError:
            raise QwixxError(f"The player {judge.name!r} did not say within {seconds:g} seconds.") from None
        except (Exception, SystemExit) as error:
            raise QwixxError(f"The player {judge.name!r} raised {describe(error)}.") from None
    if told is None:
        return None
    measure, values = told
    if len(values) != len(question.legal):
        raise QwixxError(f"The player {judge.name!r} gave {len(values)} values for {len(question.legal)} actions.")
    best = max(values)
    choices = [Choice(action, value, best - value) for action, value in zip(question.legal, values, strict=True)]
    return _ranked(seat, judge.name, measure, choices)


def _values_of(judge: Registered, question: Question, seats: int) -> tuple[str, list[float]] | None:
    player = judge.sit(question.variant, seats)
    if not isinstance(player, Values):
        return None
    return player.measure, [float(value) for value in player.values(question)]


def _by_playing_on(game: Game, seat: int, judge: Weigher, games: int, seed: int) -> Advice:
    """Play on after each action with the same dice, and compare; positions are those that the seat can imagine."""
    layouts, _ = game.raw()
    worlds: Records = np.zeros(min(_WORLDS, games), STATE)
    for number in range(len(worlds)):
        worlds[number : number + 1] = game.imagine(seat, (seed + number) % (1 << 64)).raw()[1]
    tables: Records = np.zeros(1, SEATING)
    tables["players"] = judge.record(game.variant)[0]
    actions = game.legal(seat)
    leads = np.zeros((len(actions), games), np.int32)
    for index, action in enumerate(actions):
        _play_on(layouts, worlds, seat, action.id, tables, np.uint64(seed), leads[index])
    means: npt.NDArray[np.float64] = leads.mean(axis=1)
    best = int(means.argmax())
    choices = []
    for index, action in enumerate(actions):
        spread = float((leads[best] - leads[index]).std())
        loss = float(means[best] - means[index])
        choices.append(Choice(action, float(means[index]), loss, _Z * spread / sqrt(games)))
    ahead = "points ahead of the best other seat" if game.seats > 1 else "final points"
    return _ranked(seat, judge.name, f"{ahead}, over {counted(games, 'game')} played on", choices)


@bulk
def _play_on(
    layouts: Records, worlds: Records, seat: int, action: int, tables: Records, seed: np.uint64, leads: Ints
) -> None:
    """Carry out an action and play to the end, once for each place in `leads`; tell how far ahead the seat ends."""
    layout = layouts[0]
    states = np.zeros(1, STATE)
    menus = np.zeros(1, MENU)
    choices = np.zeros(SEATS, np.int32)
    for number in range(len(leads)):
        states[0] = worlds[number % len(worlds)]
        state = states[0]
        rng.seed_stream(state, seed, np.uint64(number))
        flow.decide(layout, state, seat, action, None)
        play_game(layout, state, tables[0], rng.luck_of(seed, np.uint64(number)), menus[0], choices, None)
        best = 0
        for other in range(state.seats):
            if other != seat:
                score = flow.score(layout, state, other)
                best = score if other == int(seat == 0) else max(best, score)
        leads[number] = flow.score(layout, state, seat) - best
