"""`qwixx train`: train a net for a game by self-play."""

from __future__ import annotations

import json
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.screen import make_console, say

if TYPE_CHECKING:
    from qwixx.nets.training import Progress

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class SeatCounts(click.ParamType[tuple[int, ...]]):
    """Numbers of seats, such as `2` or `3,4,5`."""

    name = "seats"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read them."""
        words = str(value).split(",")
        if not all(word.isdecimal() and word.isascii() and len(word) < 3 for word in words):
            self.fail(f"{str(value)!r} is not a number of seats; write one, or several like 3,4,5.", param, ctx)
        return tuple(int(word) for word in words)


@click.command("train")
@click.argument("variant", type=VARIANT)
@click.option(
    "--seats",
    type=SeatCounts(),
    default="2",
    show_default=True,
    metavar="N[,N...]",
    help="Seats; several numbers are trained together.",
)
@click.option("--sheet", metavar="SHEET", help="Card games: the sheet to play on.")
@click.option("--games", type=int, metavar="N", help="Games to learn from; 2,000,000 if not given.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The same seed, the same weights.")
@click.option("--workers", type=int, metavar="W", help="Threads that play; all cores if not given.")
@click.option("--dask", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://host:8786.")
@click.option(
    "--from", "start", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Start from these weights."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the weights here; where `master` finds them if not given.",
)
@click.option("--alone", is_flag=True, help="One seat: learn from own games, not from the exact solution.")
@click.option("--fresh", is_flag=True, help="Start again, even if a training was interrupted.")
@click.option("--json", "as_json", is_flag=True, help="A line of JSON for each check.")
def train_command(
    variant: str,
    seats: tuple[int, ...],
    sheet: str | None,
    games: int | None,
    seed: int,
    workers: int | None,
    dask: str | None,
    start: Path | None,
    out: Path | None,
    alone: bool,
    fresh: bool,
    as_json: bool,
) -> None:
    """
    Train the player `master` for a game and its numbers of seats, by games against itself.

    For one seat (solitaire) the exact solution teaches it; it is computed first if `qwixx solve` has not done that.
    With --alone it learns from its own games instead.
    From time to time it plays against the baselines, and a checkpoint is saved: after Ctrl-C or a crash, the same
    command resumes. For a custom sheet, name its file. Training for more seats is fastest from weights for two.

    Example: qwixx train classic --seats 2

    Example: qwixx train classic --seats 2,3,4,5 --from classic-2.net --games 500000

    Example: qwixx train classic --seats 1 --games 400000

    Example: qwixx train longo --seats 1 --alone --games 300000
    """
    # Training loads the compiler and half of the package, which no other command should wait for.
    from qwixx.nets.training.run import GAMES, Settings, check_settings, train  # noqa: PLC0415
    from qwixx.sim.dask_cluster import dask_cluster  # noqa: PLC0415
    from qwixx.variants import variant_of  # noqa: PLC0415

    words = ["qwixx", "train", variant, "--seats", ",".join(map(str, seats))]
    words += ["--sheet", sheet] if sheet else []
    words += ["--games", str(games or GAMES), "--seed", str(seed)]
    words += ["--from", start.name] if start else []
    words += ["--alone"] if alone else []
    settings = Settings(
        variant_of(variant, sheet),
        seats,
        GAMES if games is None else games,
        seed=seed,
        workers=workers,
        out=out,
        start=start,
        alone=alone,
        fresh=fresh,
        made_by=shlex.join(words),
    )
    check_settings(settings)
    console = make_console()

    def report(progress: Progress) -> None:
        if progress.shares or progress.points is not None:
            _show(console, progress, as_json)

    with dask_cluster(dask) if dask is not None else nullcontext((None, 0)) as (executor, _):
        try:
            path = train(settings, report, executor)
        except KeyboardInterrupt:
            say(Console(stderr=True), "Stopped; the same command resumes from the last checkpoint.")
            raise SystemExit(INTERRUPTED) from None
    say(Console(stderr=True), f"The weights are in {path}.")


def _show(console: Console, progress: Progress, as_json: bool) -> None:
    if as_json:
        facts = {
            "games": progress.games,
            "seconds": round(progress.seconds, 1),
            "error": round(progress.error, 5),
            "win_shares": {
                seats: {name: round(share.wins, 4) for name, share in shares.items()}
                for seats, shares in progress.shares.items()
            },
        }
        if progress.points is not None:
            facts["points"] = round(progress.points, 2)
        click.echo(json.dumps(facts))
        return
    done = f"{progress.games:>10,} of {progress.wanted:,} games, {progress.seconds:,.0f} s"
    if progress.points is not None:
        say(console, f"{done}: {progress.points:.1f} points alone")
    for seats, shares in progress.shares.items():
        words = ", ".join(f"{100 * share.wins:.1f} % against {name}" for name, share in shares.items())
        say(console, f"{done}: {words}" if len(progress.shares) == 1 else f"{done}, {seats} seats: {words}")
