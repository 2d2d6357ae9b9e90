"""
`advise`: every legal action of a seat, best first, with its value and the judge that computed it.

The first judge that can evaluate the game is used:

1. In solitaire with dice: the exact solution, expected final points with best play.
2. A registered player that evaluates actions, if it plays the game: see `Values`. Strong players plug in here.
3. Otherwise rollouts: a heuristic player finishes the game many times, from positions that the seat considers possible.
   The value is the lead over the best other seat, in points.

A judge knows only what the seat knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.game.question import Question
from qwixx.jit.decorators import COMPILES, eager_entry
from qwixx.kernel import flow
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import MENU, SEATS, STATE, Ints, Records
from qwixx.players import Registered, all_players, check_plays, default_heuristic, find, seconds_to_decide
from qwixx.players.built_in.optimal import OPTIMAL
from qwixx.players.game_loop import play_game
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.players.supervise import PlayerTimeoutError, call_with_timeout, describe
from qwixx.sim.statistics import Z_95
from qwixx.solver import advise as solved_choices
from qwixx.solver import lucky_of, plan
from qwixx.solver.build.table_files import table_path
from qwixx.text.arguments import describe_value, require_int, with_noun
from qwixx.text.notation import Action
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Pad, Variant

__all__ = ["Advice", "Choice", "Values", "advise"]

GAMES = 400
"""Rollouts after each action: enough to see a difference of three points."""
MOST_GAMES = 1_000_000
_WORLDS = 50
"""Determinizations: positions that the seat considers possible. Each takes up to a millisecond; rollouts share them."""
_QUICK_SOLVE = 60.0
"""CPU seconds that solving a sheet may take when the user did not ask for it."""


@runtime_checkable
class Values(Protocol):
    """A player instance that evaluates actions, so that it can give advice."""

    measure: str
    """The unit of the values, in a few words: `chance to win`."""

    def values(self, question: Question) -> Sequence[float]:
        """Return the value of each of the question's legal actions, in their order; more is better."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action: its value, its loss against the best action, and the uncertainty of that loss."""

    action: Action
    value: float
    loss: float
    interval: float = 0.0
    """Half the width of the 95 % confidence interval of the loss; 0 if the value was not sampled."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The evaluation of a decision: all legal actions, best first."""

    seat: int
    by: str
    """The name of the judge."""
    measure: str
    """The unit of the values."""
    choices: tuple[Choice, ...]

    @property
    def best(self) -> Action:
        """The action with the highest value."""
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
    Evaluate every legal action of a seat; without a `seat`, of the only seat that has to decide.

    `by` names the judge: `optimal` (solitaire, exact; it solves the sheet first, which takes up to an hour on big
    sheets), a player that evaluates actions, or a heuristic player, which plays `games` rollouts after each action. By
    default the best judge is used that needs only seconds. The same seed gives the same advice.
    """
    if not isinstance(game, Game):
        raise QwixxError(f"Advice is given about a game, not about {describe_value(game)}.")
    seat = deciding_seat(game, seat)
    if not 1 <= require_int(games, "The number of games") <= MOST_GAMES:
        raise QwixxError(f"The number of games is from 1 to {MOST_GAMES}, not {games}.")
    judge = _judge(game) if by is None else find(by, files=True)
    check_plays(judge, game.variant, game.seats)
    if judge is OPTIMAL:
        return _exact(game)
    if isinstance(judge, HeuristicPlayer):
        return _by_rollouts(game, seat, judge, games, seed)
    advice = _by_values(game, seat, judge)
    if advice is None:
        raise QwixxError(f"The player {judge.name!r} decides, but does not evaluate actions.")
    return advice


def deciding_seat(game: Game, seat: int | None) -> int:
    """Return the given seat if it has to decide, or else the only seat that has to. Raises `QwixxError`."""
    if seat is None:
        asked = game.deciders()
        if len(asked) > 1:
            raise QwixxError(f"Name a seat: {', '.join(map(str, asked))} have to decide.")
        if not asked:
            raise QwixxError("There is no decision here: chance comes first, or the game is over.")
        (seat,) = asked
    if not game.legal(seat):
        raise QwixxError(f"Seat {seat} has nothing to decide here.")
    return int(seat)


def _judge(game: Game) -> Registered:
    """Choose the best judge that needs only seconds."""
    variant, seats = game.variant, game.seats
    if seats == 1 and OPTIMAL.plays(variant, 1) and is_quickly_solved(variant, lucky_of(game)):
        return OPTIMAL
    return next(_fast_value_players(variant, seats), None) or find(default_heuristic(variant))


def is_quickly_solved(variant: Variant, lucky: Pad | None) -> bool:
    """Whether solitaire on this sheet is solved already, or can be solved in seconds."""
    if table_path(layout_hash(compile_layout(variant)), lucky or (), variant.id).exists():
        return True
    if variant.bar or variant.pairs or not COMPILES:
        return False  # their state makes the tables big; computing the size alone takes a while
    return plan(variant, lucky).cpu_seconds < _QUICK_SOLVE


def _fast_value_players(variant: Variant, seats: int) -> Iterator[Registered]:
    """Yield the built-in players that evaluate actions and need no setup."""
    for _, player in all_players():
        if not isinstance(player, Registered) or isinstance(player, HeuristicPlayer) or not player.is_built_in:
            continue
        if player is OPTIMAL or not player.plays(variant, seats) or player.setup_needed(variant):
            continue
        if isinstance(player.sit(variant, seats), Values):
            yield player


def _ranked(seat: int, by: str, measure: str, choices: list[Choice]) -> Advice:
    return Advice(seat, by, measure, tuple(sorted(choices, key=lambda choice: choice.loss)))


# ---- the judges


def _exact(game: Game) -> Advice:
    """Read the values from the exact solution of solitaire."""
    actions = {action.text: action for action in game.legal(0)}
    choices = [Choice(actions[each.action], each.expected, each.loss) for each in solved_choices(game)]
    return _ranked(0, OPTIMAL.name, "expected final points with best play, exactly", choices)


def _by_values(game: Game, seat: int, judge: Registered) -> Advice | None:
    """Ask a player for values; None if it has none. A custom player has a time limit, as for decisions."""
    question = game.question(seat)
    if judge.is_built_in:
        answer = _values_of(judge, question, game.seats)
    else:
        seconds = seconds_to_decide()
        try:
            answer = call_with_timeout(seconds, _values_of, judge, question.for_custom_player(), game.seats)
        except PlayerTimeoutError:
            raise QwixxError(f"The player {judge.name!r} did not answer within {seconds:g} seconds.") from None
        except (Exception, SystemExit) as error:
            raise QwixxError(f"The player {judge.name!r} raised {describe(error)}.") from None
    if answer is None:
        return None
    measure, values = answer
    if len(values) != len(question.legal):
        raise QwixxError(f"The player {judge.name!r} returned {len(values)} values for {len(question.legal)} actions.")
    best = max(values)
    choices = [Choice(action, value, best - value) for action, value in zip(question.legal, values, strict=True)]
    return _ranked(seat, judge.name, measure, choices)


def _values_of(judge: Registered, question: Question, seats: int) -> tuple[str, list[float]] | None:
    player = judge.sit(question.variant, seats)
    if not isinstance(player, Values):
        return None
    return player.measure, [float(value) for value in player.values(question)]


def _by_rollouts(game: Game, seat: int, judge: HeuristicPlayer, games: int, seed: int) -> Advice:
    """Compare actions by rollouts with the same dice, from positions that the seat considers possible."""
    layouts, _ = game.raw()
    worlds: Records = np.zeros(min(_WORLDS, games), STATE)
    for number in range(len(worlds)):
        worlds[number : number + 1] = game.imagine(seat, (seed + number) % (1 << 64)).raw()[1]
    tables: Records = np.zeros(1, SEATING)
    tables["players"] = judge.record(game.variant)[0]
    actions = game.legal(seat)
    leads = np.zeros((len(actions), games), np.int32)
    for index, action in enumerate(actions):
        _roll_out(layouts, worlds, seat, action.id, tables, np.uint64(seed), leads[index])
    means: npt.NDArray[np.float64] = leads.mean(axis=1)
    best = int(means.argmax())
    choices = []
    for index, action in enumerate(actions):
        spread = float((leads[best] - leads[index]).std())
        loss = float(means[best] - means[index])
        choices.append(Choice(action, float(means[index]), loss, Z_95 * spread / sqrt(games)))
    ahead = "points ahead of the best other seat" if game.seats > 1 else "final points"
    return _ranked(seat, judge.name, f"{ahead}, over {with_noun(games, 'rollout')}", choices)


@eager_entry
def _roll_out(
    layouts: Records, worlds: Records, seat: int, action: int, tables: Records, seed: np.uint64, leads: Ints
) -> None:
    """Apply an action and play to the end, once for each element of `leads`; write the final lead of the seat there."""
    layout = layouts[0]
    states = np.zeros(1, STATE)
    menus = np.zeros(1, MENU)
    choices = np.zeros(SEATS, np.int32)
    for number in range(len(leads)):
        states[0] = worlds[number % len(worlds)]
        state = states[0]
        rng.seed_stream(state, seed, np.uint64(number))
        flow.decide(layout, state, seat, action, None)
        play_game(layout, state, tables[0], rng.player_stream_seed(seed, np.uint64(number)), menus[0], choices, None)
        best = 0
        for other in range(state.seats):
            if other != seat:
                score = flow.score(layout, state, other)
                best = score if other == int(seat == 0) else max(best, score)
        leads[number] = flow.score(layout, state, seat) - best
