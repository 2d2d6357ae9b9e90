"""
Generates puzzles: decisions from self-play with one clearly best choice, each verified by rollouts.

A puzzle file is JSON with a line for each puzzle, so that diffs are readable. `read_puzzles` refuses a file for another
version of a sheet: a position may mean something else there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from qwixx.coach.judges.judge import ActionValues, deciding_seats, ranked
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.coach.judges.rollouts import RolloutResult, interval
from qwixx.coach.reasons.decision_effects import effects_of
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.jit.decorators import make_eager
from qwixx.nets.evaluate import action_values
from qwixx.players import default_heuristic, find
from qwixx.puzzles.themes import Theme, answer_of, theme_of
from qwixx.sim import replay_game
from qwixx.text.notation import Action
from qwixx.variants import variant_of
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Variant

FORMAT: Final = 1
MAGIC: Final = "qwixx-puzzles"
SHIPPED: Final = Path(__file__).parent / "positions"
"""The folder of the puzzles that come with the package."""
COUNT: Final = 100
GAMES: Final = 1200
"""Rollouts after each choice."""
_RIVALS: Final = 3
"""How many of the next best choices say what the decision is about."""
_SHARE_OF_OTHERS: Final = 3
"""The third choice and those behind it get this share of the rollouts: they hardly ever come near the best."""
_FIRST_TURN: Final = 4
"""Before this turn all games look alike."""
_MIN_NET_LOSS: Final = 0.04
"""The smallest loss of the second best choice by the net, in win probability."""
_MIN_ROLLOUT_LOSS: Final = 0.03
"""The smallest loss of the second best choice by rollouts; it also has to exceed its confidence interval."""
_UNDECIDED: Final = (0.08, 0.92)
"""Win probabilities between which a game is not decided yet."""
_MIN_CHOICES: Final = 3
_LOPSIDED: Final = 2
"""Where a theme has two answers, one has at most this many times as many puzzles as the other, and two more."""
_PLAYERS: Final = ("strong", "normal", "master")
"""The players of the games: good ones, who still reach different positions."""
_MOST_GAMES: Final = 20_000


Shown = tuple[tuple[str, float, float], ...]
"""All legal actions of a decision, best first: text, win probability and expected points."""


class Puzzle(Struct, frozen=True, rename={"is_tricky": "tricky"}):
    """A position in which the solver has to find the best choice."""

    position: str
    seat: int
    theme: Theme
    is_tricky: bool
    """Whether the heuristic player does not find it."""
    choices: Annotated[Shown, Meta(min_length=2)]
    interval: float
    """Half the width of the 95 % confidence interval of the loss of the second best choice."""

    @property
    def best(self) -> str:
        """The answer."""
        return self.choices[0][0]

    @property
    def margin(self) -> float:
        """The loss of the second best choice."""
        return self.choices[0][1] - self.choices[1][1]


Progress = Callable[[int, int], None]
"""Called with the number of puzzles found and the number of games searched."""


def make_puzzles(
    source: str | Variant,
    seats: int = 2,
    count: int = COUNT,
    *,
    seed: int = 0,
    games: int = GAMES,
    kept: Sequence[Puzzle] = (),
    progress: Progress | None = None,
) -> list[Puzzle]:
    """
    Find positions with a clearly best choice in games of good players, and verify each by rollouts.

    The same seed gives the same puzzles. The share of each theme is limited, and where a theme has two answers both
    occur. Those of `kept` come first, if rollouts confirm them and they do not follow from one before: a file can be
    renewed for less than a new one costs. Raises `QwixxError` if there is no net for the game.
    """
    if count < 1 or games < 2:
        raise QwixxError("Make at least one puzzle, with at least two rollouts for each choice.")
    variant = variant_of(source)
    search = _Search(variant, seats, count, games)
    make_eager(action_values)
    for puzzle in kept:
        search.keep(puzzle)
        if progress is not None:
            progress(len(search.found), 0)
    for number in range(_MOST_GAMES):
        record = replay_game(variant, seats, (_PLAYERS[number % len(_PLAYERS)],), seed, number).record()
        _search_game(search, Game.replay(record, variant=variant, copies=False))
        if len(search.found) == count:
            return search.found
        if progress is not None:
            progress(len(search.found), number + 1)
    raise QwixxError(f"Only {len(search.found)} puzzles were found in {_MOST_GAMES} games of {variant.id}.")


def follows(before: Game, after: Game) -> bool:
    """Return whether a position can be of the same game as another, in the same turn or the next one."""
    is_next = before.turn <= after.turn <= before.turn + 1
    rows = ([row for sheet in game.view().sheets for row in sheet.rows] for game in (before, after))
    return is_next and all(set(was.crosses) <= set(now.crosses) for was, now in zip(*rows, strict=True))


def _search_game(search: _Search, moments: Iterator[Game]) -> None:
    """Look for a puzzle in a game, one at most: positions of the same game are alike."""
    for game in moments:
        if game.turn < _FIRST_TURN or not game.deciders() or game.deciders() != deciding_seats(game):
            continue
        evaluated = search.judge.action_values(game)
        if any(search.add(game, seat, evaluated) for seat in game.deciders()):
            return


class _Search:
    """The search for puzzles of one game: what was found, and what is still wanted."""

    def __init__(self, variant: Variant, seats: int, count: int, games: int) -> None:
        """Load the net."""
        self.judge = NetJudge(variant, seats)
        self.found: list[Puzzle] = []
        self._count = count
        self._games = games
        self._themes: Counter[Theme] = Counter()
        self._answers: Counter[tuple[Theme, bool | None]] = Counter()
        self._last: Game | None = None

    def keep(self, puzzle: Puzzle) -> None:
        """Add a puzzle that was found before, if it is still a good one; its values are computed again."""
        game = Game.from_position(puzzle.position)
        if len(self.found) == self._count or (self._last is not None and follows(self._last, game)):
            return
        actions = {action.text: action for action in game.legal(puzzle.seat)}
        self._add(game, puzzle.seat, [actions[text] for text, _, _ in puzzle.choices], is_tricky=puzzle.is_tricky)

    def add(self, game: Game, seat: int, evaluated: ActionValues) -> bool:
        """Add a decision as a puzzle, if it is a good one; return whether it is."""
        choices = ranked(evaluated.choices[seat], seat)
        least, most = _UNDECIDED
        if len(choices) < _MIN_CHOICES or choices[1].loss < _MIN_NET_LOSS or not least < choices[0].value < most:
            return False
        heuristic = find(default_heuristic(game.variant)).sit(game.variant, game.seats).answer(game.question(seat))
        is_tricky = heuristic.id != choices[0].action.id
        if not is_tricky and sum(not puzzle.is_tricky for puzzle in self.found) * 2 >= self._count:
            return False
        return self._add(game, seat, [choice.action for choice in choices], is_tricky=is_tricky)

    def _add(self, game: Game, seat: int, actions: Sequence[Action], *, is_tricky: bool) -> bool:
        """Add a decision, if there is room for its theme and rollouts confirm that the first action is the best."""
        best, *rivals = (effects_of(game, seat, action) for action in actions[: 1 + _RIVALS])
        theme = theme_of(best, rivals)
        answer = answer_of(theme, best)
        settled = self._settled(game, seat, actions) if self._wants(theme, answer) else None
        if settled is None:
            return False
        self._last = game.copy()
        self.found.append(Puzzle(game.position(), seat, theme, is_tricky, *settled))
        self._themes[theme] += 1
        self._answers[theme, answer] += 1
        return True

    def _wants(self, theme: Theme, answer: bool | None) -> bool:
        """Return whether there is room for a theme, and for an answer: neither of two may tell itself by its theme."""
        if self._themes[theme] >= _theme_limit(self._themes, self._count):
            return False
        return answer is None or self._answers[theme, answer] <= _LOPSIDED * self._answers[theme, not answer] + 1

    def _settled(self, game: Game, seat: int, actions: Sequence[Action]) -> tuple[Shown, float] | None:
        """Return all choices, best first, by rollouts after each, and the interval of the second; None if unclear."""
        rollouts = self.judge.rollouts
        assert rollouts is not None
        starts = rollouts.starts(game, seat, self._games)
        played: list[RolloutResult] = []
        values: list[float] = []
        for place, action in enumerate(actions):
            share = 1 if place <= 1 else _SHARE_OF_OTHERS
            played.append(rollouts.play(starts, max(self._games // share, 2), seat, action))
            values.append(played[-1].win_probabilities[seat])
            if len(values) > 1 and values[0] - values[-1] < _MIN_ROLLOUT_LOSS:
                return None
        second = max(range(1, len(values)), key=values.__getitem__)
        shares = played[second].shares[:, seat]
        half = interval(shares, played[0].shares[: len(shares), seat])
        if values[0] - values[second] <= half:
            return None
        order = sorted(range(len(values)), key=lambda at: -values[at])
        shown = [(actions[at].text, round(values[at], 4), round(played[at].mean_points[seat], 1)) for at in order]
        return tuple(shown), round(half, 4)


def _theme_limit(themes: Counter[Theme], count: int) -> int:
    """Return the most puzzles of one theme, so that there is room for the others."""
    return max(count * 2 // 5, 1) if len(themes) > 1 else max(count // 2, 1)


# ---- files


def write_puzzles(variant: Variant, seats: int, puzzles: Sequence[Puzzle], seed: int, games: int) -> str:
    """Return the text of a puzzle file."""
    heading = {
        "format": MAGIC,
        "version": FORMAT,
        "variant": variant.id,
        **({"sheet": variant.sheet} if variant.is_cards and variant.sheet != "classic" else {}),
        "layout": layout_hash(compile_layout(variant)),
        "seats": seats,
        "seed": seed,
        "games": games,
    }
    lines = [msgspec.json.encode(puzzle).decode() for puzzle in puzzles]
    return json.dumps(heading)[:-1] + ', "puzzles": [\n' + ",\n".join(lines) + "\n]}\n"


class _File(Struct):
    format: str
    version: int
    variant: str
    layout: str
    puzzles: list[Puzzle]


def read_puzzles(text: str, variant: Variant) -> list[Puzzle]:
    """Read a puzzle file of a game. Raises `QwixxError` if it is not one, or is for another sheet."""
    try:
        found = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, ValueError):
        raise QwixxError("This is not a puzzle file.") from None
    if (found.format, found.version) != (MAGIC, FORMAT):
        raise QwixxError(f"This is not a puzzle file of version {FORMAT}.")
    if (found.variant, found.layout) != (variant.id, layout_hash(compile_layout(variant))):
        raise QwixxError(f"These puzzles are not for {variant.id}, or for another version of its sheet.")
    return found.puzzles


def shipped_puzzles(source: str | Variant) -> list[Puzzle]:
    """
    Return the puzzles of a game that come with the package; empty if there are none for this sheet.

    >>> puzzle = shipped_puzzles("classic")[0]
    >>> puzzle.margin > 0.03  # the second best choice loses three percent or more
    True
    """
    variant = variant_of(source)
    path = SHIPPED / f"{variant.id}.json"
    if not path.is_file() or (variant.is_cards and variant.sheet != "classic"):
        return []
    return read_puzzles(path.read_text("utf-8"), variant)


def shipped_games() -> Iterator[str]:
    """Yield the ids of the games that have puzzles."""
    yield from sorted(path.stem for path in SHIPPED.glob("*.json"))
