"""
`analyse`: replay a record, evaluate every moment, and split each change of value into luck, own and others' decisions.

A moment is a position where chance is next, or where a decision window opens. A seat's value changes from one moment to
the next. If chance was next, the whole change is luck. If seats decided, a seat's own part is the loss of its choice
against its best choice; the rest comes from the other seats. A draw of cards (K3) is both: the seat chose, and chance
revealed colors and a new number; the other seats share the loss of the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from qwixx.coach.grades import GRADES, accuracy, grade, is_close
from qwixx.coach.judges.judge import (
    POINTS,
    SAMPLED,
    ActionValues,
    Judge,
    Numbers,
    StateValue,
    check_games,
    deciding_seats,
    ranked,
    settled,
)
from qwixx.coach.judges.select import find_judge
from qwixx.coach.review.report import Analysis, Decision, ValueBreakdown, ValueChange
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.kernel.state.records import NO_CHOICE
from qwixx.text.record import Step, read_record
from qwixx.variants.model import Variant

DEEP_GAMES: Final = 2000
"""The default number of rollouts after each choice."""
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
    number of all steps. Raises `RecordError` if the record cannot be replayed. `hindsight` was removed
    and is refused.
    """
    if hindsight:
        raise QwixxError("Hindsight, the most points possible with known dice, is no longer part of a review.")
    text = record.record() if isinstance(record, Game) else record
    if isinstance(record, Game) and variant is None:
        variant = record.variant
    check_games(deep)
    steps: list[Step] = []
    builder: _AnalysisBuilder | None = None
    for done, game in enumerate(Game.replay(text, variant=variant, copies=False)):
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
    return builder.build(game)


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
            evaluated = settled(judge, game, seat, evaluated, text, deep)
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
        return Decision(
            step=place,
            turn=before.turn,
            seat=seat,
            phase=before.phase,
            position=before.position,
            chosen_action=chosen.action,
            best_action=choices[0].action,
            loss=chosen.loss,
            grade=grade(self.judge.measure, chosen.loss, error),
            is_close=is_close(self.judge.measure, chosen.loss, error),
            source=source,
            choices=choices,
        )

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
            tuple(int(score) for score in game.scores()) if game.is_over else None,
            tuple(self._account(seat, start) for seat, start in enumerate(self._start.values)),
            tuple(self._swings),
            tuple(self._decisions),
        )

    def _account(self, seat: int, start: float) -> ValueBreakdown:
        decisions = [each for each in self._decisions if each.seat == seat and each.had_choice]
        return ValueBreakdown(
            seat,
            start,
            sum(swing.luck[seat] for swing in self._swings),
            sum(swing.own[seat] for swing in self._swings),
            sum(swing.others[seat] for swing in self._swings),
            self._swings[-1].values[seat] if self._swings else start,
            accuracy(self.judge.measure, [each.loss for each in decisions]),
            {name: sum(each.grade == name for each in decisions) for name in GRADES},
        )


def _difference(after: Numbers, before: Numbers) -> Numbers:
    return tuple(new - old for new, old in zip(after, before, strict=True))
