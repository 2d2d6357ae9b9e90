"""Replay: play one game of a simulation again, as a `Game` with its record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qwixx.game.game import Game
from qwixx.game.question import private_seed
from qwixx.players import PlayerFailed, PlayerThread, instantiate_supervised, seconds_to_decide
from qwixx.players.rotation import player_of
from qwixx.sim.lineup import Bot, lineup, player_named
from qwixx.sim.lucky_pads import pads_of
from qwixx.variants import variant_of
from qwixx.variants.model import Pad, Variant


def replay_game(
    variant: str | Path | Variant,
    seats: int,
    bots: Sequence[Bot],
    seed: int,
    number: int,
    *,
    rotate: bool = True,
    sheet: str | Path | None = None,
    lucky: Pad | None = None,
    bot_seconds: float | None = None,
) -> Game:
    """
    Play game `number` of the simulation with these settings again; its `record()` shows every step.

    Raises `PlayerFailed`, with the record up to that point, if a custom player fails.
    """
    chosen = variant_of(variant, sheet)
    chosen.check_lucky(lucky)
    pads = None if lucky is None else [f"{lucky[0]}/{lucky[1]}"] * seats
    game = Game(chosen, seats, seed=seed, first=0, number=number, lucky=pads)
    names = lineup(chosen, seats, bots)
    thread = PlayerThread(seconds_to_decide(bot_seconds))
    table = number % seats if rotate else 0
    players = []
    for seat in range(seats):
        player = player_named(names[player_of(seat, table, seats)])
        luck = game.question(seat).luck
        players.append(
            instantiate_supervised(
                player, chosen, seats, seed=private_seed(luck, seat), pads=pads_of(chosen, lucky), thread=thread
            )
        )
    try:
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            answers = []
            for seat in game.deciders():  # all seats of a window are asked before the first choice is stored
                try:
                    answers.append((seat, players[seat].answer(game.question(seat))))
                except PlayerFailed as failed:
                    failed.game, failed.seat, failed.record = number, seat, game.record()
                    raise
            for seat, action in answers:
                game.decide(seat, action)
    finally:
        thread.close()
    return game
