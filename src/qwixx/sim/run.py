"""Run a simulation: cut it into blocks, submit them to workers, and add up the counts."""

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
from qwixx.jit.decorators import compile_now
from qwixx.players import PlayerFailed, seconds_to_decide
from qwixx.players.built_in.levels import seat_kind
from qwixx.players.built_in.optimal import OPTIMAL, optimal_tables
from qwixx.players.net_games import NetFollower
from qwixx.sim.block import Block, play
from qwixx.sim.lineup import B, Bot, SharedInstance, as_list, lineup, player_named, seats_and_bots
from qwixx.sim.lucky_pads import pads_of
from qwixx.sim.results import Results
from qwixx.sim.tally import Tally
from qwixx.text.arguments import require_int
from qwixx.variants import variant_of
from qwixx.variants.model import Pad, Variant

BLOCK = 50_000
"""Games in a block: long compared with the cost of submitting it, short enough for frequent progress reports."""
_REMOTE_FACTOR = 6
"""Blocks for another process or machine may be this many times as long, because submitting one costs more."""
_BLOCKS_EACH = 16
"""Blocks for each worker, at least: with fewer, the others would wait for the last one."""
_SLOWNESS = {(False, False): 1, (True, False): 4, (False, True): 25}
"""How many times as long a game of the duel, or of cards, takes."""
_OPTIMAL_SLOWNESS = {False: 10, True: 60}
"""The same for games of the optimal player, without marked cells and with."""
_MASTER_SLOWNESS = 50
"""The same for games of the learned player."""
_CUSTOM_SLOWNESS = 1000
"""The same for games with a custom player, written in plain Python."""
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
    Play many games and return the results.

    `bots` is a name for each player, or one for all; `my_bot.py:MyBot` is a custom class, and the class itself is
    accepted too. An object with `choose` plays all its games and seats itself, one after the other. Without bots all
    players are the default heuristic of the game; without `seats` there are as many as bots. Players change seats from
    game to game unless `rotate` is off, to separate a strong bot from a good seat. With `lucky` all seats have these
    numbers in Longo, else the pads are drawn at random in every game (L5). For the bot `optimal` the game is solved
    first, unless its table is cached; in solitaire it plays exactly, in multiplayer as if it were alone.

    A custom player that raises an exception, takes longer than `bot_seconds` (10, or QWIXX_BOT_SECONDS) or gives an
    invalid answer ends the run with `PlayerFailed`.

    The same seed gives the same result for any number of workers. Blocks go to threads, or to any `executor` whose
    workers have this package. Ctrl-C ends the run early: the result is then marked `stopped` and counts the games
    that were played.
    """
    compile_now()
    chosen = variant_of(variant, sheet)
    seats, named = seats_and_bots(chosen, seats, as_list(bots))
    seated = check_settings(chosen, seats, named, games, seed=seed, workers=workers, lucky=lucky)
    players = [player_named(bot) for bot in seated]
    seconds = seconds_to_decide(bot_seconds)
    slowness = _SLOWNESS[chosen.is_duel, chosen.is_cards]
    if OPTIMAL in players:
        slowness = _OPTIMAL_SLOWNESS[bool(chosen.bar or chosen.pairs)]
        optimal_tables(chosen, pads_of(chosen, lucky))  # on disk before any worker reads them
    if any(isinstance(seat_kind(player, chosen, seats), NetFollower) for player in players):
        slowness = max(slowness, _MASTER_SLOWNESS)
    if not all(player.is_built_in for player in players):
        slowness = _CUSTOM_SLOWNESS
    worker_count = workers or os.cpu_count() or 1
    if any(isinstance(player, SharedInstance) for player in players):
        worker_count = 1  # one object cannot be called by two threads at the same time
    size = max(1, BLOCK // slowness)
    if executor is not None:
        size = max(size, min(_REMOTE_FACTOR * size, games // (_BLOCKS_EACH * worker_count)))
    blocks = (
        Block(chosen, seated, rotate, seed, first, min(size, games - first), lucky, seconds)
        for first in range(0, games, size)
    )
    if executor is None and all(player.is_built_in for player in players):
        play(
            Block(chosen, seated, rotate, seed, 0, 1, lucky, seconds)
        )  # load the compiled code before the clock starts
    started = perf_counter()
    total = _RunningTotal(Tally.empty(seats), games, progress)
    stopped = False
    try:
        if executor is not None:
            _run_blocks(blocks, executor, worker_count, total)
        else:
            with _threads(worker_count) as threads:
                _run_blocks(blocks, threads, worker_count, total)
    except KeyboardInterrupt:
        stopped = True
    names = tuple(player.name for player in players)
    return Results(chosen, names, seed, rotate, total.tally, perf_counter() - started, stopped, lucky)


@contextmanager
def _threads(worker_count: int) -> Iterator[ThreadPoolExecutor]:
    """Open a pool of threads. After Ctrl-C do not wait for running blocks: they are not counted."""
    threads = ThreadPoolExecutor(worker_count)
    waits = True
    try:
        yield threads
    except KeyboardInterrupt:
        waits = False
        raise
    finally:
        threads.shutdown(wait=waits, cancel_futures=True)


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
    """Check the settings before anything is solved or played; return the bot of each player."""
    variant.check_seats(require_int(seats, "The number of seats"))
    names = lineup(variant, seats, bots)
    variant.check_lucky(lucky)
    if not 1 <= require_int(games, "The number of games") <= MOST_GAMES:
        raise QwixxError(f"The number of games must be from 1 to {MOST_GAMES}, not {games}.")
    if not 0 <= require_int(seed, "A seed") < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    if workers is not None and not 1 <= require_int(workers, "The number of workers") <= MOST_WORKERS:
        raise QwixxError(f"The number of workers is from 1 to {MOST_WORKERS}, not {workers}.")
    return names


@dataclass(slots=True)
class _RunningTotal:
    """The counts so far."""

    tally: Tally
    wanted: int
    progress: Report | None

    def add(self, tally: Tally) -> None:
        """Count a block: completely or, if Ctrl-C interrupts, not at all."""
        both = deepcopy(self.tally)
        both.add(tally)
        self.tally = both
        if self.progress is not None:
            self.progress(both.games, self.wanted)


def _run_blocks(blocks: Iterator[Block], executor: Executor, worker_count: int, total: _RunningTotal) -> None:
    """Keep two blocks submitted for each worker and count their results, until all are played."""
    open_: dict[Future[Tally], Block] = {}
    try:
        while True:
            while len(open_) < 2 * worker_count and (block := next(blocks, None)) is not None:
                open_[_submit(executor, block)] = block
            if not open_:
                return
            done, _ = wait(open_, return_when=FIRST_COMPLETED)
            for future in done:
                total.add(_result(future, open_.pop(future)))
    finally:
        for future in open_:
            future.cancel()


def _submit(executor: Executor, block: Block) -> Future[Tally]:
    """Submit a block; if the executor accepts no more work, the block counts as lost."""
    try:
        return executor.submit(play, block)
    except RuntimeError as broken:  # a process died and broke its pool, or the pool was shut down
        lost: Future[Tally] = Future()
        lost.set_exception(broken)
        return lost


def _result(future: Future[Tally], block: Block) -> Tally:
    """Return the result of a worker; if it died, play its block here: a dead worker never ends the run."""
    if future.cancelled() or future.exception() is not None:
        if not future.cancelled() and isinstance(future.exception(), PlayerFailed):
            return future.result()  # playing it again would fail in the same way
        return play(block)
    return future.result()
