"""
`analyse`: replay a record, evaluate every moment, and split each change of value into luck, own and others' decisions.

A moment is a position where chance is next, or where a decision window opens. A seat's value changes from one moment to
the next. If chance was next, the whole change is luck. If seats decided, a seat's own part is the loss of its choice
against its best choice; the rest comes from the other seats. A draw of cards (K3) is both: the seat chose, and chance
revealed colors and a new number; the other seats share the loss of the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qwixx.coach.judges.judge import (
    POINTS,
    SAMPLED,
    ActionValue,
    ActionValues,
    Judge,
    Numbers,
    StateValue,
    deciding_seats,
)
from qwixx.coach.judges.select import find_judge
from qwixx.coach.review.hindsight import best_in_hindsight
from qwixx.coach.review.report import Analysis, Choice, Decision, ValueChange
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.kernel.state.records import NO_CHOICE
from qwixx.text.arguments import require_int
from qwixx.text.record import Step, read_record
from qwixx.variants.model import Variant

DEEP_GAMES: Final = 2000
"""The default number of rollouts after each choice."""
MOST_DEEP_GAMES: Final = 1_000_000
_MARGIN: Final = 2.0
"""Choices within this many errors of the best get rollouts: one of them may be the best."""
Progress = Callable[[int, int], None]
"""Called with the number of steps done and the number of all steps."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position of the game with its value, and the choices if seats had to decide."""

    turn: int
    phase: str
    values: Numbers
    points: Numbers
    evaluated: ActionValues | None
    position: str


def analyse(
    record: str | Game,
    *,
    variant: str | Path | Variant | None = None,
    by: Judge | None = None,
    deep: int = 0,
    hindsight: bool = False,
    progress: Progress | None = None,
) -> Analysis:
    """
    Analyse a game: the value of every decision, and the effect of luck.

    `record` is the text of a record, or a game itself; an unfinished game is analysed to its last step. `deep` is the
    number of rollouts after each choice of a close call. `progress` is called with the number of steps done and the
    number of all steps. `hindsight` also searches for the most points possible with the dice of a solitaire.
    Raises `RecordError` if the record cannot be replayed.
    """
    text = record.record() if isinstance(record, Game) else record
    if isinstance(record, Game) and variant is None:
        variant = record.variant
    if not 0 <= require_int(deep, "The number of games") <= MOST_DEEP_GAMES:
        raise QwixxError(f"The number of games is from 0 to {MOST_DEEP_GAMES}, not {deep}.")
    steps: list[Step] = []
    builder: _AnalysisBuilder | None = None
    for done, game in enumerate(Game.replay(text, variant=variant)):
        if builder is None:
            steps = read_record(text).steps
            builder = _AnalysisBuilder(by or find_judge(game))
        if not _is_open_window(game):
            builder.add_moment(_moment(game, builder.judge, steps[done:], deep))
        if done < len(steps):
            builder.add_step(done, steps[done])
        if progress is not None:
            progress(done, len(steps))
    assert builder is not None
    analysis = builder.build(game)
    return replace(analysis, hindsight=best_in_hindsight(record)) if hindsight else analysis


def _is_open_window(game: Game) -> bool:
    """Whether a seat has decided in a window in which other seats still have to."""
    choices = game.raw()[1]["choices"][0, : game.seats]
    return not game.awaits_chance and not game.is_over and bool((choices != NO_CHOICE).any())


def _moment(game: Game, judge: Judge, following: Sequence[Step], deep: int) -> _Moment:
    """Let the judge evaluate the current position."""
    when = game.turn, game.phase
    if game.awaits_chance or game.is_over:
        value = final_value(game, judge) if game.is_over else judge.state_value(game)
        return _Moment(*when, value.values, value.points, None, "")
    evaluated = judge.action_values(game)
    if deep:
        for seat, text in _chosen(game, following):
            near = close_calls(evaluated.choices[seat], seat, text, judge.error)
            if near:
                evaluated = judge.refine(game, seat, evaluated, [option.action for option in near], deep) or evaluated
    return _Moment(*when, evaluated.values, evaluated.points, evaluated, game.position())


def final_value(game: Game, judge: Judge) -> StateValue:
    """Return the value of a finished game: equal totals share the win (C12); in solitaire the points count."""
    outcome = game.outcome()
    assert outcome is not None
    points = tuple(float(score) for score in outcome.scores)
    if judge.measure == POINTS:
        return StateValue(points, points)
    share = 1 / len(outcome.winners)
    return StateValue(tuple(share if seat in outcome.winners else 0.0 for seat in range(game.seats)), points)


def _chosen(game: Game, following: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """Yield the decisions of the open window: each seat and the text of its choice."""
    waiting = set(deciding_seats(game))
    for step in following:
        if step.seat is None or step.seat not in waiting:
            return
        waiting.remove(step.seat)
        yield step.seat, step.text


def close_calls(options: Sequence[ActionValue], seat: int, chosen: str, error: float) -> list[ActionValue]:
    """List the choices that need rollouts, the chosen one first; empty if the chosen one is not close to the best."""
    top = max(option.values[seat] for option in options)
    near = [option for option in options if top - option.values[seat] < _MARGIN * error]
    own = [option for option in near if option.action.text == chosen]
    return own + [option for option in near if option not in own] if own and len(near) > 1 else []


class _AnalysisBuilder:
    """Builds an analysis from the moments of a game and the steps between them."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._start: _Moment | None = None
        self._before: _Moment | None = None
        self._chosen: dict[int, tuple[int, str]] = {}
        """The decisions since the last moment, by seat: the index of the step and its text."""
        self._text = ""
        self._step = -1
        self._swings: list[ValueChange] = []
        self._decisions: list[Decision] = []

    def add_step(self, place: int, step: Step) -> None:
        """Add a step of the record."""
        self._step = place
        if step.seat is None:
            self._text = step.text
        else:
            self._chosen[step.seat] = place, step.text

    def add_moment(self, moment: _Moment) -> None:
        """Add the next moment, and evaluate the steps since the last one."""
        before = self._before
        if before is None:
            self._start = moment
        elif before.evaluated is None:
            luck = _difference(moment.values, before.values)
            nothing = (0.0,) * len(luck)
            self._add(before, moment, self._text, luck, nothing, nothing)
        else:
            self._judge(before, before.evaluated, moment)
        self._before, self._chosen, self._text = moment, {}, ""

    def _judge(self, before: _Moment, evaluated: ActionValues, moment: _Moment) -> None:
        """Evaluate the decisions of a window, and split the change of value among the seats."""
        seats = range(len(moment.values))
        losses = [0.0 for _ in seats]
        for seat, (place, text) in self._chosen.items():
            decision = self._decision(before, evaluated, place, seat, text)
            self._decisions.append(decision)
            losses[seat] = decision.loss
        rest = [after - value + loss for after, value, loss in zip(moment.values, before.values, losses, strict=True)]
        text = ""
        if evaluated.shows_cards:
            shared = sum(losses) / max(len(losses) - 1, 1)
            others = [0.0 if seat in self._chosen else shared for seat in seats]
            text = next(iter(self._chosen.values()))[1]
        elif len(evaluated.choices) == 1:
            # The rest of the only deciding seat belongs to no one: sampled values differ from one call to the next.
            others = [0.0 if seat in self._chosen else rest[seat] for seat in seats]
        else:
            others = rest
        luck = tuple(left - part for left, part in zip(rest, others, strict=True))
        self._add(before, moment, text, luck, tuple(-loss for loss in losses), tuple(others))

    def _decision(self, before: _Moment, evaluated: ActionValues, place: int, seat: int, text: str) -> Decision:
        choices = ranked(evaluated.choices[seat], seat)
        chosen = next(choice for choice in choices if choice.action.text == text)
        source = evaluated.sources.get(seat, self.judge.source)
        # If values were sampled, the error is the confidence interval of the loss.
        error = chosen.interval if source in SAMPLED else self.judge.error
        when = before.turn, seat, before.phase, before.position
        return Decision(place, *when, choices, chosen, self.judge.measure, source, error)

    def _add(self, before: _Moment, after: _Moment, text: str, luck: Numbers, own: Numbers, others: Numbers) -> None:
        kind = before.phase
        self._swings.append(
            ValueChange(self._step, before.turn, kind, text, after.values, after.points, luck, own, others)
        )

    def build(self, game: Game) -> Analysis:
        """Return the finished analysis."""
        assert self._start is not None
        judge = self.judge
        return Analysis(
            game.variant.id,
            game.seats,
            judge.measure,
            judge.by,
            judge.source,
            judge.error,
            self._start.values,
            self._start.points,
            tuple(self._swings),
            tuple(self._decisions),
            tuple(float(score) for score in game.scores()) if game.is_over else None,
        )


def ranked(options: Sequence[ActionValue], seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat, best first, each with its loss."""
    top = max(option.values[seat] for option in options)
    choices = [
        Choice(option.action, option.values[seat], option.points[seat], top - option.values[seat], option.interval)
        for option in options
    ]
    return tuple(sorted(choices, key=lambda choice: choice.loss))


def _difference(after: Numbers, before: Numbers) -> Numbers:
    return tuple(new - old for new, old in zip(after, before, strict=True))
