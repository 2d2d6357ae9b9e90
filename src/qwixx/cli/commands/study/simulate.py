"""`qwixx simulate`: play many games between bots, and print statistics."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from math import isfinite
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from qwixx.base.interrupts import exit_now, raising_on_interrupt
from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.bot_options import BOT_SECONDS, prepare_optimal
from qwixx.cli.terminal.compile_progress import compile_what_runs
from qwixx.cli.terminal.screen import make_console, make_notes, say, writes_everything
from qwixx.cli.terminal.solve_progress import lucky_option
from qwixx.cli.terminal.tables import show_table
from qwixx.errors import QwixxError
from qwixx.players import PlayerFailed, built_in_names, parameterized_names, seconds_to_decide
from qwixx.precompile import why_not_cached
from qwixx.sim import Line, Results, simulate
from qwixx.sim.dask_cluster import dask_cluster
from qwixx.sim.lineup import read_bots, seats_and_bots
from qwixx.sim.lucky_pads import pads_of
from qwixx.sim.plot import check_picture, plot
from qwixx.sim.results import with_interval
from qwixx.sim.run import check_settings
from qwixx.text.arguments import with_noun
from qwixx.variants import variant_of

_PERCENTS = (5, 50, 95)
"""The quantiles that fit into eighty columns."""


_NAMES = ", ".join([*built_in_names(), *parameterized_names()])


@click.command("simulate")
@click.argument("variant", type=VARIANT)
@click.option(
    "--seats", type=int, metavar="N", help="Seats; as many as bots are named, else 2 (or the fewest possible)."
)
@click.option(
    "--bots",
    metavar="A,B,...",
    help=f"A bot for each seat, or one for all: {_NAMES}, my_bot.py:MyBot.",
)
@click.option("--games", type=int, default=100_000, show_default=True, metavar="N", help="Games to play.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The same seed, the same games.")
@click.option("--workers", type=int, metavar="W", help="Threads; all cores if not given.")
@click.option("--fixed", is_flag=True, help="Keep bots on their seats instead of rotating them.")
@click.option("--sheet", metavar="SHEET", help="Card games: the sheet to play on.")
@click.option("--lucky", metavar="A/B", help="Longo: the lucky numbers of all seats; random if not given.")
@BOT_SECONDS
@click.option("--plot", "picture", metavar="FILE", help="Draw the distribution of scores (.svg, .png or .pdf).")
@click.option("--dask", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://host:8786.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def simulate_command(
    variant: str,
    seats: int | None,
    bots: str | None,
    games: int,
    seed: int,
    workers: int | None,
    fixed: bool,
    sheet: str | None,
    lucky: str | None,
    bot_seconds: float | None,
    picture: str | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """
    Play many games between bots and print the results. Ctrl-C stops early and prints the results so far.

    The bot `optimal` plays by the exact solution of solitaire, which is computed first if necessary. In solitaire it is
    the best possible player; in multiplayer games it decides as if it were alone. A custom bot is a class in a file,
    such as my_bot.py:MyBot (docs/players.md).

    Example: qwixx simulate classic --bots gap,random --games 1000000

    Example: qwixx simulate classic --seats 1 --bots optimal --games 1000000
    """
    chosen = variant_of(variant, sheet)
    count, named = seats_and_bots(chosen, seats, None if bots is None else read_bots(bots))
    pair = lucky_option(chosen, lucky)
    names = check_settings(chosen, count, named, games, seed=seed, workers=workers, lucky=pair)
    if picture is not None:
        check_picture(picture)  # before the games, which would be played in vain
        if not Path(picture).parent.is_dir():
            raise QwixxError(f"{picture!r} cannot be written: there is no folder {str(Path(picture).parent)!r}.")
    seconds_to_decide(bot_seconds)
    notes = make_notes()
    if compile_what_runs(notes) and why_not_cached():
        say(notes, why_not_cached())
    prepare_optimal(chosen, names, pads_of(chosen, pair))
    with Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        console=notes,
        redirect_stdout=False,  # the package handles the output of bots, in several threads
        transient=True,
        disable=not notes.is_terminal,
    ) as bar:
        task = bar.add_task("playing", total=max(games, 1), speed="")

        def report(done: int, total: int) -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            bar.update(task, completed=done, total=total, speed=f"{done / elapsed:,.0f} games/s" if elapsed else "")

        with dask_cluster(dask) if dask is not None else nullcontext((None, workers)) as (executor, crew):
            try:
                with raising_on_interrupt():
                    results = simulate(
                        chosen,
                        count,
                        names,
                        games,
                        seed=seed,
                        workers=crew,
                        rotate=not fixed,
                        lucky=pair,
                        progress=report,
                        executor=executor,
                        bot_seconds=bot_seconds,
                    )
            except PlayerFailed as failed:
                words = ["--variant", variant, "--seats", str(count), "--bots", ",".join(named), "--seed", str(seed)]
                words += ["--fixed"] * fixed + (["--sheet", sheet] if sheet else [])
                words += ["--lucky", lucky] if lucky else []
                words += ["--bot-seconds", str(bot_seconds)] if bot_seconds is not None else []
                words += ["--game", str(failed.game)]
                raise QwixxError(
                    f"{failed} That was game {failed.game}, seat {failed.seat}."
                    f" See it with: qwixx replay {shlex.join(words)}"
                ) from None
    if picture is not None and results.games:
        plot(results, picture)
    if as_json:
        click.echo(results.to_json())
    else:
        _show(make_console(), results)
    if results.stopped:
        exit_now("")  # threads may still play a block whose results are not needed


def _show(console: Console, results: Results) -> None:
    if not results.games:
        say(console, "No game was played.", "bold")
        return
    heading = f"{results.variant.name}: {with_noun(results.games, 'game')}, seed {results.seed}"
    say(console, heading + (", stopped early" if results.stopped else ""), "bold")
    speed = results.games / results.seconds if results.seconds else 0
    endings = ", ".join(f"{name} {share:.1%}" for name, share in results.endings.items())
    turns = results.turns
    say(console, f"ended by {endings or 'nothing'}; {speed:,.0f} games a second")
    say(
        console,
        f"{turns.mean:.1f} turns a game, spread {turns.deviation:.1f}, from {turns.shortest} to {turns.longest}",
    )
    for title, lines in (("By player", results.by_player()), ("By seat, seat 0 begins", results.by_seat())):
        if len(lines) > 1 or title == "By player":
            _show_lines(console, title, lines, alone=results.seats == 1)
    first = results.first_seat_advantage()
    if first is not None and results.games > 1 and (results.rotated or len(set(results.bots)) == 1):
        say(
            console,
            f"The first seat makes {with_interval(first.points, first.points_interval, '+')} points against the others"
            f" and gets {100 * first.win_share:.2f} % of the wins"
            f" ({100 * first.win_share_range[0]:.2f} to {100 * first.win_share_range[1]:.2f} %);"
            f" {100 * first.fair_share:.2f} % would be fair.",
        )
        say(console, "A win of several counts in equal shares; ± and the range are 95 % confidence intervals.")


def _show_lines(console: Console, title: str, lines: list[Line], *, alone: bool) -> None:
    quantiles = [f"{percent} %" for percent in _PERCENTS]
    interval = "± 95 %" if writes_everything() else "+- 95 %"
    headings = ["", "mean", interval, "spread", *quantiles, *(() if alone else ("wins", "ties")), "misses", "locks"]
    rows = [
        [
            line.name,
            f"{line.mean:.2f}",
            f"{line.interval:.2f}" if isfinite(line.interval) else "-",
            f"{line.deviation:.1f}",
            *(str(line.quantiles[percent]) if line.games else "" for percent in _PERCENTS),
            *(() if alone else (f"{line.wins:.2%}", f"{line.ties:.2%}")),
            f"{line.misses:.2f}",
            f"{line.locks:.2f}",
        ]
        for line in lines
    ]
    show_table(console, headings, rows, title=title, numbers=True)
