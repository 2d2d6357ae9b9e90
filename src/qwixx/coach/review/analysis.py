"""
`analyse`: go through a record once, ask a judge at every moment, and split what changed into luck, own and others'.

A moment is where chance is next, or where a window opens in which seats decide. From one moment to the next a seat's
value changes. Where chance was next all of it is luck. Where seats decided, a seat's own part is what its choice lost
against its best; the rest came from the others. A draw of cards (K3) does both: its seat chose, and chance showed
colors and a new number; what one's choice loses the others share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from qwixx.analysis.choosing import find_judge
from qwixx.analysis.hindsight import best_in_hindsight
from qwixx.analysis.judging import BY_LOT, POINTS, Judge, Numbers, Weighed, Weight, Worth, asked_of
from qwixx.analysis.review import Analysis, Choice, Decision, Swing
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.kernel.records import NO_CHOICE
from qwixx.record import Step, read_record
from qwixx.variants.model import Variant
from qwixx.wanted import whole_number

DEEP_GAMES: Final = 2000
"""Games that a rollout plays on after each choice, unless another number is asked for."""
MOST_DEEP_GAMES: Final = 1_000_000
_MARGIN: Final = 2.0
"""Choices within so many errors of the best are played on: one of them may be the best."""
Report = Callable[[int, int], None]
"""Is told how many moments are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """Where the game stood: its worth, and the choices if somebody was to decide."""

    turn: int
    phase: str
    values: Numbers
    points: Numbers
    weighed: Weighed | None
    position: str


def analyse(
    record: str | Game,
    *,
    variant: str | Path | Variant | None = None,
    by: Judge | None = None,
    deep: int = 0,
    hindsight: bool = False,
    progress: Report | None = None,
) -> Analysis:
    """
    Say of a game what every decision was worth and what luck did.

    `record` is the text of a record, or a game itself; one that is not over is analysed as far as it goes. `deep` plays
    so many games on after each choice of a close call. `progress` is told how many of the record's steps are done.
    `hindsight` also looks for the most points that the dice of a solitaire could have made.
    Raises `RecordError` where the record cannot be replayed.
    """
    text = record.record() if isinstance(record, Game) else record
    if isinstance(record, Game) and variant is None:
        variant = record.variant
    if not 0 <= whole_number(deep, "The number of games") <= MOST_DEEP_GAMES:
        raise QwixxError(f"The number of games is from 0 to {MOST_DEEP_GAMES}, not {deep}.")
    steps: list[Step] = []
    made: _Making | None = None
    for done, game in enumerate(Game.replay(text, variant=variant)):
        if made is None:
            steps = read_record(text).steps
            made = _Making(by or find_judge(game))
        if not _is_open_window(game):
            made.reach(_moment(game, made.judge, steps[done:], deep))
        if done < len(steps):
            made.note(done, steps[done])
        if progress is not None:
            progress(done, len(steps))
    assert made is not None
    found = made.finish(game)
    return replace(found, hindsight=best_in_hindsight(record)) if hindsight else found


def _is_open_window(game: Game) -> bool:
    """Whether somebody has decided in a window in which others still have to."""
    choices = game.raw()[1]["choices"][0, : game.seats]
    return not game.awaits_chance and not game.is_over and bool((choices != NO_CHOICE).any())


def _moment(game: Game, judge: Judge, following: Sequence[Step], deep: int) -> _Moment:
    """Ask the judge where a game stands."""
    facts = game.turn, game.phase
    if game.awaits_chance or game.is_over:
        worth = final_worth(game, judge) if game.is_over else judge.worth(game)
        return _Moment(*facts, worth.values, worth.points, None, "")
    weighed = judge.weigh(game)
    if deep:
        for seat, text in _chosen(game, following):
            actions = close_calls(weighed.choices[seat], seat, text, judge.error)
            if actions:
                weighed = judge.settle(game, seat, weighed, [weight.action for weight in actions], deep) or weighed
    return _Moment(*facts, weighed.values, weighed.points, weighed, game.position())


def final_worth(game: Game, judge: Judge) -> Worth:
    """Value a finished game: equal totals share the win (C12); alone its points count."""
    outcome = game.outcome()
    assert outcome is not None
    points = tuple(float(score) for score in outcome.scores)
    if judge.measure == POINTS:
        return Worth(points, points)
    share = 1 / len(outcome.winners)
    return Worth(tuple(share if seat in outcome.winners else 0.0 for seat in range(game.seats)), points)


def _chosen(game: Game, following: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """List what the seats of a window decide in it."""
    waiting = set(asked_of(game))
    for step in following:
        if step.seat is None or step.seat not in waiting:
            return
        waiting.remove(step.seat)
        yield step.seat, step.text


def close_calls(weights: Sequence[Weight], seat: int, chosen: str, error: float) -> list[Weight]:
    """List the choices that should be played on to be sure, the chosen one first; none if there is no doubt."""
    top = max(weight.values[seat] for weight in weights)
    near = [weight for weight in weights if top - weight.values[seat] < _MARGIN * error]
    own = [weight for weight in near if weight.action.text == chosen]
    return own + [weight for weight in near if weight not in own] if own and len(near) > 1 else []


class _Making:
    """An analysis in the making: moments are reached, steps are noted between them."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._start: _Moment | None = None
        self._before: _Moment | None = None
        self._chosen: dict[int, tuple[int, str]] = {}
        """What was decided since the last moment, by seat: the place of the step, and its text."""
        self._text = ""
        self._step = -1
        self._swings: list[Swing] = []
        self._decisions: list[Decision] = []

    def note(self, place: int, step: Step) -> None:
        """Write a step down."""
        self._step = place
        if step.seat is None:
            self._text = step.text
        else:
            self._chosen[step.seat] = place, step.text

    def reach(self, moment: _Moment) -> None:
        """Come to the next moment: what happened since the last one is judged."""
        before = self._before
        if before is None:
            self._start = moment
        elif before.weighed is None:
            luck = _difference(moment.values, before.values)
            nothing = (0.0,) * len(luck)
            self._add(before, moment, self._text, luck, nothing, nothing)
        else:
            self._judge(before, before.weighed, moment)
        self._before, self._chosen, self._text = moment, {}, ""

    def _judge(self, before: _Moment, weighed: Weighed, moment: _Moment) -> None:
        """Judge the decisions of a window, and split what they changed."""
        seats = range(len(moment.values))
        losses = [0.0 for _ in seats]
        for seat, (place, text) in self._chosen.items():
            decision = self._decision(before, weighed, place, seat, text)
            self._decisions.append(decision)
            losses[seat] = decision.loss
        rest = [after - value + loss for after, value, loss in zip(moment.values, before.values, losses, strict=True)]
        text = ""
        if weighed.shows_cards:
            shared = sum(losses) / max(len(losses) - 1, 1)
            others = [0.0 if seat in self._chosen else shared for seat in seats]
            text = next(iter(self._chosen.values()))[1]
        elif len(weighed.choices) == 1:
            # What is left to the one who decided alone is nobody's: judges that draw by lot do not repeat themselves.
            others = [0.0 if seat in self._chosen else rest[seat] for seat in seats]
        else:
            others = rest
        luck = tuple(left - part for left, part in zip(rest, others, strict=True))
        self._add(before, moment, text, luck, tuple(-loss for loss in losses), tuple(others))

    def _decision(self, before: _Moment, weighed: Weighed, place: int, seat: int, text: str) -> Decision:
        choices = ranked(weighed.choices[seat], seat)
        chosen = next(choice for choice in choices if choice.action.text == text)
        source = weighed.settled.get(seat, self.judge.source)
        # Where something was drawn by lot the interval of the loss is its error.
        error = chosen.interval if source in BY_LOT else self.judge.error
        facts = before.turn, seat, before.phase, before.position
        return Decision(place, *facts, choices, chosen, self.judge.measure, source, error)

    def _add(self, before: _Moment, after: _Moment, text: str, luck: Numbers, own: Numbers, others: Numbers) -> None:
        kind = before.phase
        self._swings.append(Swing(self._step, before.turn, kind, text, after.values, after.points, luck, own, others))

    def finish(self, game: Game) -> Analysis:
        """Sum up."""
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


def ranked(weights: Sequence[Weight], seat: int) -> tuple[Choice, ...]:
    """Give the choices of a seat, best first, with what each loses."""
    top = max(weight.values[seat] for weight in weights)
    choices = [
        Choice(weight.action, weight.values[seat], weight.points[seat], top - weight.values[seat], weight.interval)
        for weight in weights
    ]
    return tuple(sorted(choices, key=lambda choice: choice.loss))


def _difference(after: Numbers, before: Numbers) -> Numbers:
    return tuple(new - old for new, old in zip(after, before, strict=True))
