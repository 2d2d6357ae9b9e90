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
from qwixx.coach.reasons.decision_effects import effects_of
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.jit.decorators import make_eager
from qwixx.nets.evaluate import action_values
from qwixx.players import default_heuristic, find
from qwixx.puzzles.themes import Theme, theme_of
from qwixx.sim import replay_game
from qwixx.variants import variant_of
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Variant

FORMAT: Final = 1
MAGIC: Final = "qwixx-puzzles"
SHIPPED: Final = Path(__file__).parent / "positions"
"""The folder of the puzzles that come with the package."""
COUNT: Final = 100
GAMES: Final = 1200
"""Rollouts after each of the compared choices."""
_RIVALS: Final = 3
"""How many of the next best choices get rollouts beside the best one."""
_FIRST_TURN: Final = 4
"""Before this turn all games look alike."""
_MIN_NET_LOSS: Final = 0.04
"""The smallest loss of the second best choice by the net, in win probability."""
_MIN_ROLLOUT_LOSS: Final = 0.03
"""The smallest loss of the second best choice by rollouts; it also has to exceed its confidence interval."""
_UNDECIDED: Final = (0.08, 0.92)
"""Win probabilities between which a game is not decided yet."""
_MIN_CHOICES: Final = 3
_MAX_PER_GAME: Final = 2
"""Most puzzles from one game, for variety."""
_PLAYERS: Final = ("strong", "normal", "master")
"""The players of the games: good ones, who still reach different positions."""
_MOST_GAMES: Final = 20_000


class Puzzle(Struct, frozen=True, rename={"is_tricky": "tricky"}):
    """A position in which the solver has to find the best choice."""

    position: str
    seat: int
    theme: Theme
    is_tricky: bool
    """Whether the heuristic player does not find it."""
    choices: Annotated[tuple[tuple[str, float, float], ...], Meta(min_length=2)]
    """All legal actions, best first: text, win probability and expected points."""
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
    progress: Progress | None = None,
) -> list[Puzzle]:
    """
    Find positions with a clearly best choice in games of good players, and verify each by rollouts.

    The same seed gives the same puzzles. The share of each theme is limited. Raises `QwixxError` if there is no net for
    the game.
    """
    if count < 1 or games < 2:
        raise QwixxError("Make at least one puzzle, with at least two rollouts for each choice.")
    variant = variant_of(source)
    judge = NetJudge(variant, seats)
    make_eager(action_values)
    themes: Counter[str] = Counter()
    found: list[Puzzle] = []
    for number in range(_MOST_GAMES):
        from_game = 0
        bot = _PLAYERS[number % len(_PLAYERS)]
        for game in Game.replay(
            replay_game(variant, seats, (bot,), seed, number).record(), variant=variant, copies=False
        ):
            if game.turn < _FIRST_TURN or not game.deciders() or game.deciders() != deciding_seats(game):
                continue
            evaluated = judge.action_values(game)
            for seat in game.deciders():
                if from_game == _MAX_PER_GAME:
                    break
                puzzle = _puzzle_of(game, seat, evaluated, judge, games, themes, found, count)
                if puzzle is not None:
                    found.append(puzzle)
                    themes[puzzle.theme] += 1
                    from_game += 1
                if len(found) == count:
                    return found
            if from_game == _MAX_PER_GAME:
                break
        if progress is not None:
            progress(len(found), number + 1)
    raise QwixxError(f"Only {len(found)} puzzles were found in {_MOST_GAMES} games of {variant.id}.")


def _puzzle_of(
    game: Game,
    seat: int,
    evaluated: ActionValues,
    judge: NetJudge,
    games: int,
    themes: Counter[str],
    found: Sequence[Puzzle],
    count: int,
) -> Puzzle | None:
    """Return the decision as a puzzle, or None if it is not suitable."""
    choices = ranked(evaluated.choices[seat], seat)
    least, most = _UNDECIDED
    if len(choices) < _MIN_CHOICES or choices[1].loss < _MIN_NET_LOSS or not least < choices[0].value < most:
        return None
    best, rival = choices[0].action, choices[1].action
    theme = theme_of(effects_of(game, seat, best), effects_of(game, seat, rival))
    if themes[theme] >= _theme_limit(themes, count):
        return None
    heuristic = find(default_heuristic(game.variant)).sit(game.variant, game.seats).answer(game.question(seat))
    is_tricky = heuristic.id != best.id
    if not is_tricky and sum(not puzzle.is_tricky for puzzle in found) * 2 >= count:
        return None
    compared = [choice.action for choice in choices[: 1 + _RIVALS]]
    refined = judge.refine(game, seat, evaluated, compared, games)
    assert refined is not None
    after = ranked(refined.choices[seat], seat)
    second = after[1]
    if after[0].action.id != best.id or second.action not in compared:
        return None
    if second.loss < _MIN_ROLLOUT_LOSS or second.loss <= second.interval:
        return None
    shown = tuple((each.action.text, round(each.value, 4), round(each.points, 1)) for each in after)
    return Puzzle(game.position(), seat, theme, is_tricky, shown, round(second.interval, 4))


def _theme_limit(themes: Counter[str], count: int) -> int:
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
