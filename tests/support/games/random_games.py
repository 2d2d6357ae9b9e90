"""Random games, for tests that need one in progress."""

from __future__ import annotations

from random import Random

from qwixx import Game
from support.games.engine_pair import SETTINGS, Setting, line_of
from support.games.random_positions import prepared

__all__ = ["SETTINGS", "Setting", "new_game", "play_on", "some_game", "some_line"]


def new_game(setting: Setting, seed: int = 1, first: int | None = None) -> Game:
    """Set up a game of this setting."""
    sheet = setting.sheet if setting.is_cards else None
    return Game(setting.variant, setting.seats, seed=seed, first=first, sheet=sheet)


def play_on(game: Game, rng: Random, steps: int = 10_000) -> Game:
    """Play some random steps, or to the end."""
    for _ in range(steps):
        if game.is_over:
            break
        if game.awaits_chance:
            game.roll()
        else:
            seat = rng.choice(game.deciders())
            game.decide(seat, choose(game, seat, rng))
    return game


def choose(game: Game, seat: int, rng: Random) -> str:
    """Pick a legal action at random, with few passes where something can be crossed."""
    actions = [str(action) for action in game.legal(seat)]
    crossing = [text for text in actions if text != "pass"]
    return rng.choice(crossing if crossing and rng.random() < 0.8 else actions)


def some_line(setting: Setting, rng: Random) -> str:
    """Write a position line from the middle of a game, with rows half full and one perhaps closed."""
    return line_of(prepared(setting, rng), setting.sheet)


def some_game(setting: Setting, seed: int, steps: int, *, from_middle: bool = False) -> Game:
    """Return a game after some steps, from empty sheets or from the middle."""
    rng = Random(f"{setting} {seed}")
    game = Game.from_position(some_line(setting, rng), seed=seed) if from_middle else new_game(setting, seed)
    return play_on(game, rng, steps)
