"""
Conformance check of a variant, for authors of sheets and of kernel code: whether it keeps every promise of the library.

>>> from qwixx.testing import conformance
>>> conformance("classic", seats=2, games=3)
classic with 2 seats: 3 games, 196 steps, every promise kept
3
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from qwixx.errors import NotYourTurn, QwixxError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.kernel.state.records import ACTIONS, MORE, TAKES
from qwixx.text.arguments import with_noun
from qwixx.variants import variant_of
from qwixx.variants.model import Variant

MAX_STEPS = 20_000
"""A game of random decisions is always much shorter; a game that gets there does not end."""
_SAMPLED = 0.04
"""The share of steps with the slow checks: texts, copies, undo, refusals."""
_SAMPLED_OTHERS = 40
"""How many actions of other kinds of games are tried."""
_VIEWED = 0.2
"""The share of states in which scores and views are checked."""


def conformance(
    variant: str | Path | Variant,
    *,
    seats: int | Iterable[int] | None = None,
    games: int = 5,
    seed: int = 0,
    quiet: bool = False,
) -> int:
    """
    Play random games and check every promise of the library at every step; return the number of games played.

    `variant` is an id, a sheet file or a loaded variant, `seats` a count or several (all of the variant's if not
    given), `games` how many per count. Print a line for each count, unless `quiet`. Raises `AssertionError` with the
    broken promise, where it happened, and the record of the game up to there.
    """
    chosen = variant_of(variant)
    counts = chosen.seats if seats is None else [seats] if isinstance(seats, int) else list(seats)
    played = 0
    for count in counts:
        trials = [_Trial(chosen, count, seed + number) for number in range(games)]
        for trial in trials:
            trial.play()
        played += games
        steps = sum(trial.steps for trial in trials)
        if not quiet:
            done = f"{with_noun(games, 'game')}, {with_noun(steps, 'step')}"
            print(f"{chosen.id} with {with_noun(count, 'seat')}: {done}, every promise kept")  # noqa: T201 - the progress of a long check
    _check_seed(chosen, counts[-1], seed)
    return played


def _check_seed(variant: Variant, seats: int, seed: int) -> None:
    """Check that a seed always gives the same game."""
    one, other = Game(variant, seats, seed=seed), Game(variant, seats, seed=seed)
    for game in (one, other):
        game.roll()
    if one.record() != other.record():
        raise AssertionError(f"{variant.id}: seed {seed} gives two different games")


@dataclass
class _Trial:
    """One random game and its checks."""

    variant: Variant
    seats: int
    seed: int
    steps: int = 0
    heard: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)  # noqa: S311 - for play, not for secrets
        self.game = Game(self.variant, self.seats, seed=self.seed)

    def expect(self, holds: object, promise: str) -> None:
        """Raise an error with all that is needed to reproduce it, unless a promise holds."""
        if not holds:
            where = f"{self.variant.id}, {with_noun(self.seats, 'seat')}, seed {self.seed}, step {self.steps}"
            raise AssertionError(f"{where}: {promise}\n{self.game.position()}\n{self.game.record()}")

    def play(self) -> None:
        """Play to the end."""
        game = self.game
        self.check_state()
        while not game.is_over:
            self.expect(self.steps < MAX_STEPS, f"the game has not ended after {MAX_STEPS} steps")
            is_sampled = self.steps == 0 or self.rng.random() < _SAMPLED
            if is_sampled:
                self.check_texts()
                self.check_copy()
            self.step(undo=is_sampled)
            self.check_state()
            if is_sampled:
                self.check_refusals()
        self.check_end()
        self.check_texts()

    def step(self, *, undo: bool) -> None:
        """Let chance or a seat have its turn, perhaps taking it back once."""
        game = self.game
        before = (game.position(), game.record(), game.events)
        events = self._step()
        if undo:
            after = (game.position(), game.events)
            game.undo()
            self.expect((game.position(), game.record(), game.events) == before, "undo does not restore the game")
            events = self._again(after)
        self.steps += 1
        self.heard += events
        self.expect(tuple(self.heard) == game.events, "the events given are not the events kept")
        for event in events:
            self.expect(event.word and str(event).split(" ")[0] == event.word, f"{event!r} has no word")

    def _step(self) -> list[Event]:
        if self.game.awaits_chance:
            return self.game.roll()
        seat = self.rng.choice(self.game.deciders())
        actions = self.game.legal(seat)
        crossing = [action for action in actions if action.text != "pass"]
        self._chosen = (seat, self.rng.choice(crossing if crossing and self.rng.random() < 0.8 else actions))
        return self.game.decide(*self._chosen)

    def _again(self, after: tuple[str, tuple[Event, ...]]) -> list[Event]:
        """Do what was taken back: by the action's text this time, and chance from the same stream."""
        if self.game.awaits_chance:
            events = self.game.roll()
        else:
            events = self.game.decide(self._chosen[0], self._chosen[1].text)
        self.expect((self.game.position(), self.game.events) == after, "the same step again does something else")
        return events

    # ---- promises about one state

    def check_state(self) -> None:
        """Check who is asked, what is legal, what is scored, and what is seen."""
        game = self.game
        self.expect(game.is_over + game.awaits_chance + bool(game.deciders()) == 1, "not exactly one thing comes next")
        for seat in range(self.seats):
            actions = game.legal(seat)
            numbers, texts = [action.id for action in actions], [action.text for action in actions]
            self.expect(numbers == sorted(set(numbers)), f"legal actions of seat {seat} are not ascending: {actions}")
            self.expect(len(texts) == len(set(texts)), f"two legal actions of seat {seat} have one text: {texts}")
            self.expect(actions or seat not in game.deciders(), f"seat {seat} is asked and has nothing to decide")
        if self.game.is_over or self.steps == 0 or self.rng.random() < _VIEWED:
            self.check_scores()
            self.check_views()

    def check_scores(self) -> None:
        """Check scores against the variant's table of points, except the points of pairs."""
        variant, everything = self.variant, self.game.reveal()
        points = (0, *variant.points)
        for sheet, score in zip(everything.sheets, self.game.scores(), strict=True):
            self.expect(sheet.score == score, f"seat {sheet.seat} is shown another score than it has")
            total = 0
            for at, row in enumerate(sheet.rows):
                self.expect(row.count == sum(row.heights) + row.locked, f"row {row.key} counts its crosses wrongly")
                beside = zip(variant.bonus_rows, sheet.bonus_rows, strict=True)
                more = sum(len(crosses) for bonus, crosses in beside if at - bonus.above in (0, 1))
                counted = min(row.count + len(row.small) + more, variant.most_counted)
                self.expect(row.points == points[counted], f"row {row.key} scores wrongly")
                total += row.points
            crossed = {f"{row.key}{number}" for row in sheet.rows for number in row.crosses}
            stairs = len(crossed.intersection(variant.stairs.get(sheet.pad, ())))
            total += points[min(stairs, variant.most_counted)] + (0, *variant.track)[sheet.track]
            if not variant.pairs:
                expected = total - variant.miss_points * sheet.misses
                self.expect(score == expected, f"seat {sheet.seat} has {score} points, its sheet {expected}")

    def check_views(self) -> None:
        """Check that a seat sees its own hand and choice only, and everybody the numbers of all hands."""
        game, variant = self.game, self.variant
        hands = [sheet.hand or () for sheet in game.reveal().sheets]
        for seat in (None, *range(self.seats)):
            view = game.view(seat)
            for sheet in view.sheets:
                numbers = tuple(sorted(int(card[1:]) for card in hands[sheet.seat]))
                self.expect(sheet.backs == numbers, f"a hand of seat {sheet.seat} shows other numbers than it has")
                is_open = game.is_over or sheet.seat == seat
                visible = sheet.hand is not None
                self.expect(visible == (variant.is_cards and (is_open or sheet.hand_size == 0)), "a hand is misplaced")
            has_chosen = seat is not None and seat not in game.deciders() and bool(game.legal(seat))
            self.expect((view.choice is not None) == has_chosen, f"seat {seat} sees a choice it should not")
            self.expect(all(isinstance(number, int | None) for number in view.display), "the display shows colors")

    def check_refusals(self) -> None:
        """Check that every action is refused exactly when it is not legal, and that a refused one changes nothing."""
        game = self.game
        before = game.position()
        seat = self.rng.choice(game.deciders() or range(self.seats))
        legal = {action.id for action in game.legal(seat)}
        for action in self._asked_about():
            refusal = game.why_not(seat, action)
            self.expect((refusal is None) == (action in legal), f"seat {seat}, action {action}: {refusal}")
            self.expect(refusal is None or (refusal.rule and refusal.sentence), f"action {action} without a reason")
        for action in (-1, ACTIONS, *self.rng.sample(sorted({*range(ACTIONS)} - legal), 3)):
            try:
                game.decide(seat, action)
            except QwixxError:
                self.expect(game.position() == before, f"seat {seat}, refused action {action} changed the game")
            else:
                self.expect(False, f"seat {seat}, action {action} is accepted though it is not legal")

    def _asked_about(self) -> list[int]:
        """Return all actions that this kind of game has, and some of the others."""
        others = [
            *(() if self.variant.is_cards else range(TAKES, MORE)),
            *(() if self.variant.extras else range(MORE, ACTIONS)),
        ]
        return sorted({*range(ACTIONS)} - {*others} | {*self.rng.sample(others, _SAMPLED_OTHERS)})

    # ---- promises about texts and copies

    def check_texts(self) -> None:
        """Check that the position line and the record come back as they are."""
        game = self.game
        line, record = game.position(), game.record()
        again = Game.from_position(line, variant=self.variant)
        self.expect(again.position() == line, f"the position comes back as {again.position()}")
        self.expect(again.scores() == game.scores(), "the position comes back with other scores")
        for seat in range(self.seats):
            self.expect(again.legal(seat) == game.legal(seat), "the position comes back with other legal actions")
        replayed = Game.from_record(record, variant=self.variant)
        self.expect(replayed.record() == record, f"the record comes back as\n{replayed.record()}")
        self.expect(replayed.position() == line, f"replaying the record leads to {replayed.position()}")
        self.expect(replayed.events == game.events, "replaying the record brings other events")
        if not self.variant.builtin:  # the record has the whole sheet, so it needs no file
            replayed = Game.from_record(record)
        self.expect(replayed == game, "the game that comes back from its record is not equal")

    def check_copy(self) -> None:
        """Check that a copy is equal and independent."""
        game = self.game
        before = (game.position(), game.record(), game.events, game.deciders())
        copy = game.copy()
        self.expect((copy.position(), copy.record(), copy.events, copy.deciders()) == before, "a copy is not equal")
        while not copy.is_over:
            if copy.awaits_chance:
                copy.roll()
            else:
                seat = copy.deciders()[0]
                copy.decide(seat, copy.legal(seat)[-1])
        same = (game.position(), game.record(), game.events, game.deciders()) == before
        self.expect(same, "playing on in a copy changed the game")

    def check_end(self) -> None:
        """Check the outcome, and that nothing can happen after the end."""
        game = self.game
        outcome = game.outcome()
        assert outcome is not None
        best = max(game.scores())
        winners = tuple(seat for seat in range(self.seats) if game.scores()[seat] == best)
        self.expect((outcome.scores, outcome.winners) == (game.scores(), winners), f"the outcome is {outcome}")
        self.expect(outcome.ending in ("rows", "misses", "pawns"), f"the game ended by {outcome.ending!r}")
        for seat in range(self.seats):
            self.expect(not game.legal(seat), f"seat {seat} is asked after the end")
        try:
            game.roll()
        except NotYourTurn:
            return
        self.expect(False, "dice are rolled after the end")
