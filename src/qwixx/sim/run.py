"""Running a simulation: cut it into blocks, hand them out, and put the pieces together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from qwixx.errors import QwixxError
from qwixx.kernel.jit import compile_now
from qwixx.players import PlayerFailed, seconds_to_decide
from qwixx.players.house.master import MASTER
from qwixx.players.house.optimal import OPTIMAL, optimal_tables
from qwixx.sim.block import Block, play
from qwixx.sim.lineup import AsItIs, B, Bot, lineup, listed, player_named, table_of
from qwixx.sim.pads import pads_of
from qwixx.sim.results import Results
from qwixx.sim.tally import Tally
from qwixx.variants import variant_of
from qwixx.variants.model import Pad, Variant
from qwixx.wanted import whole_number

BLOCK = 50_000
"""Games in a block: long beside what handing it out costs, short beside a person's patience."""
_TRAVELLING = 6
"""How many times as long blocks may get that go to another process or machine, where handing one out costs more."""
_BLOCKS_EACH = 16
"""But cut so that every worker gets as many, or the last ones would keep the others waiting."""
_SLOWNESS = {(False, False): 1, (True, False): 4, (False, True): 25}
"""How many times as long a game of the duel, or of cards, takes to play."""
_OPTIMAL_SLOWNESS = {False: 10, True: 60}
"""The same for games of the optimal player, without marked cells and with."""
_MASTER_SLOWNESS = 50
"""The same for games of the learned player."""
_YOURS_SLOWNESS = 1000
"""The same for games in which a player is written in plain Python."""
MOST_GAMES = 10**11
MOST_WORKERS = 4096

Report = Callable[[int, int], None]
"""Called with the games done and the games wanted."""


def simulate(
    variant: str | Path | Variant = "classic",
    seats: int | None = None,
    bots: str | Sequence[Bot] | Bot | None = None,
    games: int = 100_000,
    *,
    seed: int = 0,
    workers: int | None = None,
    rotate: bool = True,
    sheet: str | Path | None = None,
    lucky: Pad | None = None,
    progress: Report | None = None,
    executor: Executor | None = None,
    bot_seconds: float | None = None,
) -> Results:
    """
    Play many games and say what came out.

    `bots` is a name for each player, or one for all; `my_bot.py:MyBot` is a class of your own, and the class itself
    will do as well. An object that can choose plays all its games and seats itself, one after the other. Without
    bots everybody is the rule of thumb that suits the game; without `seats` there are as many as bots. Players change
    seats from game to game unless `rotate` is off, so that a strong bot and a good seat can be told apart. With `lucky`
    everybody has these numbers in Longo, else the pads are dealt by lot in every game (L5). For the bot `optimal` the
    game is solved first, unless its table is in the store; in solitaire it plays exactly, among others as if it were
    alone.

    A player of your own that raises something, takes longer than `bot_seconds` (10, or what QWIXX_BOT_SECONDS says) or
    answers nonsense ends the run with `PlayerFailed`.

    The same seed gives the same result for any number of workers. Blocks go to threads, or to any `executor` whose
    workers have this package. Ctrl-C ends the run early: the result then says so and counts what was played.
    """
    compile_now()
    chosen = variant_of(variant, sheet)
    seats, named = table_of(chosen, seats, listed(bots))
    seated = check_settings(chosen, seats, named, games, seed=seed, workers=workers, lucky=lucky)
    players = [player_named(bot) for bot in seated]
    seconds = seconds_to_decide(bot_seconds)
    slowness = _SLOWNESS[chosen.is_duel, chosen.is_cards]
    if OPTIMAL in players:
        slowness = _OPTIMAL_SLOWNESS[bool(chosen.bar or chosen.pairs)]
        optimal_tables(chosen, pads_of(chosen, lucky))  # in the store before any worker looks there
    if MASTER in players:
        slowness = max(slowness, _MASTER_SLOWNESS)
    if not all(player.is_house for player in players):
        slowness = _YOURS_SLOWNESS
    crew = workers or os.cpu_count() or 1
    if any(isinstance(player, AsItIs) for player in players):
        crew = 1  # nobody can be asked two things at once
    size = max(1, BLOCK // slowness)
    if executor is not None:
        size = max(size, min(_TRAVELLING * size, games // (_BLOCKS_EACH * crew)))
    blocks = (
        Block(chosen, seated, rotate, seed, first, min(size, games - first), lucky, seconds)
        for first in range(0, games, size)
    )
    if executor is None and all(player.is_house for player in players):
        play(Block(chosen, seated, rotate, seed, 0, 1, lucky, seconds))  # loads what is compiled: that is no playing
    started = perf_counter()
    books = _Books(Tally.empty(seats), games, progress)
    stopped = False
    try:
        if executor is not None:
            _hand_out(blocks, executor, crew, books)
        else:
            with _threads(crew) as threads:
                _hand_out(blocks, threads, crew, books)
    except KeyboardInterrupt:
        stopped = True
    names = tuple(player.name for player in players)
    return Results(chosen, names, seed, rotate, books.tally, perf_counter() - started, stopped, lucky)


@contextmanager
def _threads(crew: int) -> Iterator[ThreadPoolExecutor]:
    """Hire so many threads. After Ctrl-C nobody waits for what they are at: it counts for nothing."""
    threads = ThreadPoolExecutor(crew)
    patient = True
    try:
        yield threads
    except KeyboardInterrupt:
        patient = False
        raise
    finally:
        threads.shutdown(wait=patient, cancel_futures=True)


def check_settings(
    variant: Variant,
    seats: int,
    bots: Sequence[B],
    games: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    lucky: Pad | None = None,
) -> tuple[B, ...]:
    """Refuse settings that make no sense, before anything is solved or played; give the bot of each player."""
    variant.check_seats(whole_number(seats, "The number of seats"))
    names = lineup(variant, seats, bots)
    variant.check_lucky(lucky)
    if not 1 <= whole_number(games, "The number of games") <= MOST_GAMES:
        raise QwixxError(f"The number of games is from 1 to {MOST_GAMES}, not {games}.")
    if not 0 <= whole_number(seed, "A seed") < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    if workers is not None and not 1 <= whole_number(workers, "The number of workers") <= MOST_WORKERS:
        raise QwixxError(f"The number of workers is from 1 to {MOST_WORKERS}, not {workers}.")
    return names


@dataclass(slots=True)
class _Books:
    """What has been counted so far."""

    tally: Tally
    wanted: int
    progress: Report | None

    def enter(self, tally: Tally) -> None:
        """Count a block, wholly or, if Ctrl-C comes in between, not at all."""
        both = deepcopy(self.tally)
        both.add(tally)
        self.tally = both
        if self.progress is not None:
            self.progress(both.games, self.wanted)


def _hand_out(blocks: Iterator[Block], executor: Executor, crew: int, books: _Books) -> None:
    """Keep every worker busy with two blocks and count what comes back, until all are played."""
    open_: dict[Future[Tally], Block] = {}
    try:
        while True:
            while len(open_) < 2 * crew and (block := next(blocks, None)) is not None:
                open_[_submit(executor, block)] = block
            if not open_:
                return
            done, _ = wait(open_, return_when=FIRST_COMPLETED)
            for future in done:
                books.enter(_result(future, open_.pop(future)))
    finally:
        for future in open_:
            future.cancel()


def _submit(executor: Executor, block: Block) -> Future[Tally]:
    """Give a block to a worker; if nobody takes it any more, the block counts as lost."""
    try:
        return executor.submit(play, block)
    except RuntimeError as broken:  # a process of a pool died, and the pool with it, or it was shut down
        lost: Future[Tally] = Future()
        lost.set_exception(broken)
        return lost


def _result(future: Future[Tally], block: Block) -> Tally:
    """Take what a worker played; if it died on the way, play its block here: a death costs a block, never the run."""
    if future.cancelled() or future.exception() is not None:
        if not future.cancelled() and isinstance(future.exception(), PlayerFailed):
            return future.result()  # whoever plays it again would find the same
        return play(block)
    return future.result()
