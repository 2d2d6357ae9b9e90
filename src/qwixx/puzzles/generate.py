"""
Positions to train with: decisions of self-play with one clearly best choice, each of them played on to be sure.

A file of puzzles is JSON with a line for each puzzle, so that its changes can be read. `read_puzzles` refuses one of
another version of a sheet: a position may mean something else there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from qwixx.analysis.analyse import ranked
from qwixx.analysis.facts import facts_of
from qwixx.analysis.judging import Weighed, asked_of
from qwixx.analysis.learned import Learned
from qwixx.analysis.themes import THEMES, theme_of
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.players import find, rule_of_thumb
from qwixx.sim import replay_game
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Variant

FORMAT: Final = 1
MAGIC: Final = "qwixx-puzzles"
SHIPPED: Final = Path(__file__).parent / "training"
"""Where the puzzles of the package are."""
COUNT: Final = 100
GAMES: Final = 1200
"""Games that are played on after each of the choices that are compared."""
_RIVALS: Final = 3
"""So many of the next best choices are played on beside the best one."""
_FIRST_TURN: Final = 4
"""Before this turn all games look alike."""
_CLEAR: Final = 0.04
"""What the second best choice loses at least by the net's word, of the chance of winning."""
_SURE: Final = 0.03
"""What it loses at least when the games were played on; less the error of that it still has to lose something."""
_OPEN: Final = (0.08, 0.92)
"""Chances of winning between which a game is not decided yet."""
_CHOICES: Final = 3
"""Fewer choices make no puzzle."""
_A_GAME: Final = 2
"""So many puzzles of one game at most: others show something else."""
_PLAYERS: Final = ("strong", "normal", "master")
"""Who plays the games: good players, who still get into different positions."""
_MOST_GAMES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One decision to be found."""

    position: str
    seat: int
    theme: str
    is_tricky: bool
    """Whether the rule of thumb does not find it."""
    choices: tuple[tuple[str, float, float], ...]
    """All legal actions, best first: their text, the chance of winning, and the points expected."""
    interval: float
    """Half the width of the 95 % interval of what the second best of them loses."""

    @property
    def best(self) -> str:
        """The answer."""
        return self.choices[0][0]

    @property
    def margin(self) -> float:
        """What the second best choice loses."""
        return self.choices[0][1] - self.choices[1][1]


Progress = Callable[[int, int], None]
"""Is told how many puzzles were found, and how many games were looked at."""


def make_puzzles(
    variant: Variant,
    seats: int = 2,
    count: int = COUNT,
    *,
    seed: int = 0,
    games: int = GAMES,
    progress: Progress | None = None,
) -> list[Puzzle]:
    """
    Find positions with a clearly best choice in games of good players, and play each on to be sure.

    The same seed gives the same puzzles. No theme has more than its share as long as others come up. Raises
    `QwixxError` if nobody has learned the game.
    """
    if count < 1 or games < 2:
        raise QwixxError("At least one puzzle is made, and two games are played on for each.")
    judge = Learned(variant, seats)
    themes: Counter[str] = Counter()
    found: list[Puzzle] = []
    for number in range(_MOST_GAMES):
        kept = 0
        bot = _PLAYERS[number % len(_PLAYERS)]
        for game in Game.replay(replay_game(variant, seats, (bot,), seed, number).record(), variant=variant):
            if game.turn < _FIRST_TURN or not game.deciders() or game.deciders() != asked_of(game):
                continue
            weighed = judge.weigh(game)
            for seat in game.deciders():
                puzzle = _try(game, seat, weighed, judge, games, themes, found, count) if kept < _A_GAME else None
                if puzzle is not None:
                    found.append(puzzle)
                    themes[puzzle.theme] += 1
                    kept += 1
                if len(found) == count:
                    return found
            if kept == _A_GAME:
                break
        if progress is not None:
            progress(len(found), number + 1)
    raise QwixxError(f"Only {len(found)} puzzles were found in {_MOST_GAMES} games of {variant.id}.")


def _try(
    game: Game,
    seat: int,
    weighed: Weighed,
    judge: Learned,
    games: int,
    themes: Counter[str],
    found: Sequence[Puzzle],
    count: int,
) -> Puzzle | None:
    """Make a puzzle of a decision, if it is one."""
    choices = ranked(weighed.choices[seat], seat)
    least, most = _OPEN
    if len(choices) < _CHOICES or choices[1].loss < _CLEAR or not least < choices[0].value < most:
        return None
    best, rival = choices[0].action, choices[1].action
    theme = theme_of(facts_of(game, seat, best), facts_of(game, seat, rival))
    if themes[theme] >= _share(themes, count):
        return None
    thumb = find(rule_of_thumb(game.variant)).sit(game.variant, game.seats).answer(game.question(seat))
    is_tricky = thumb.id != best.id
    if not is_tricky and sum(not puzzle.is_tricky for puzzle in found) * 2 >= count:
        return None
    compared = [choice.action for choice in choices[: 1 + _RIVALS]]
    settled = judge.settle(game, seat, weighed, compared, games)
    assert settled is not None
    after = ranked(settled.choices[seat], seat)
    second = after[1]
    if after[0].action.id != best.id or second.action not in compared:
        return None
    if second.loss < _SURE or second.loss <= second.interval:
        return None
    shown = tuple((each.action.text, round(each.value, 4), round(each.points, 1)) for each in after)
    return Puzzle(game.position(), seat, theme, is_tricky, shown, round(second.interval, 4))


def _share(themes: Counter[str], count: int) -> int:
    """Say how many puzzles of one theme there are at most, so that none drives out the others."""
    return max(count * 2 // 5, 1) if len(themes) > 1 else max(count // 2, 1)


# ---- files


def write_puzzles(variant: Variant, seats: int, puzzles: Sequence[Puzzle], seed: int, games: int) -> str:
    """Write puzzles as a text."""
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
    lines = [json.dumps(_as_data(puzzle), ensure_ascii=False, separators=(",", ":")) for puzzle in puzzles]
    return json.dumps(heading)[:-1] + ', "puzzles": [\n' + ",\n".join(lines) + "\n]}\n"


def _as_data(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "position": puzzle.position,
        "seat": puzzle.seat,
        "theme": puzzle.theme,
        "tricky": puzzle.is_tricky,
        "choices": [list(choice) for choice in puzzle.choices],
        "interval": puzzle.interval,
    }


def read_puzzles(text: str, variant: Variant) -> list[Puzzle]:
    """Read puzzles of a game. Raises `QwixxError` if they are none, or of another sheet."""
    try:
        data = json.loads(text)
        kind = data["format"], data["version"]
        sheet = data["variant"], data["layout"]
        puzzles = [_read(each) for each in data["puzzles"]]
    except (ValueError, KeyError, TypeError):
        raise QwixxError("That is no file of puzzles.") from None
    if kind != (MAGIC, FORMAT):
        raise QwixxError(f"That is no file of puzzles of version {FORMAT}.")
    if sheet != (variant.id, layout_hash(compile_layout(variant))):
        raise QwixxError(f"These puzzles are not of {variant.id}, or of another version of its sheet.")
    return puzzles


def _read(data: dict[str, Any]) -> Puzzle:
    choices = tuple((str(text), float(value), float(points)) for text, value, points in data["choices"])
    if len(choices) < 2 or data["theme"] not in THEMES:
        raise ValueError
    position, seat, interval = str(data["position"]), int(data["seat"]), float(data["interval"])
    return Puzzle(position, seat, data["theme"], bool(data["tricky"]), choices, interval)


def shipped_puzzles(variant: Variant) -> list[Puzzle]:
    """Give the puzzles that come with the package; none if there are none for this sheet."""
    path = SHIPPED / f"{variant.id}.json"
    if not path.is_file() or (variant.is_cards and variant.sheet != "classic"):
        return []
    return read_puzzles(path.read_text("utf-8"), variant)


def shipped_games() -> Iterator[str]:
    """Name the games that have puzzles."""
    yield from sorted(path.stem for path in SHIPPED.glob("*.json"))
