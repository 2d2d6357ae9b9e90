"""The bots: they play every game to its end with what everybody sees, and gap beats chance."""

from __future__ import annotations

import pytest

from qwixx import Game, QwixxError, games
from qwixx.bots import Bot, check_name, make_bot, names


def play(variant: str, minds: list[str], seed: int) -> Game:
    """Play a game among bots."""
    game = Game(variant, len(minds), seed=seed)
    bots: list[Bot] = [make_bot(mind, game.variant, seed + seat) for seat, mind in enumerate(minds)]
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            legal = game.legal(seat)
            action = bots[seat].choose(game.view(seat), legal)
            assert action in legal
            game.decide(seat, action)
    return game


@pytest.mark.parametrize("variant", games())
def test_gap_beats_random(variant: str) -> None:
    """In every game the rule of thumb scores more than chance does, over ten games."""
    scores = [play(variant, ["gap", "random"], seed).scores() for seed in range(10)]
    assert sum(gap for gap, _ in scores) > sum(chance for _, chance in scores) + 100


@pytest.mark.parametrize("mind", names())
def test_the_same_seed_plays_the_same_game(mind: str) -> None:
    """A bot with a seed plays the same way again."""
    assert play("bonus-b", [mind] * 3, 7).record() == play("bonus-b", [mind] * 3, 7).record()


def test_unknown_bots_are_refused() -> None:
    """Nobody goes by such a name, but somebody by a similar one."""
    with pytest.raises(QwixxError, match="did you mean 'random'"):
        check_name("randon")
    with pytest.raises(QwixxError, match="there are gap, random"):
        make_bot("zzz", Game("classic").variant)
