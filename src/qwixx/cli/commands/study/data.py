"""`qwixx data`: write a dataset of graded decisions."""

from __future__ import annotations

from pathlib import Path

import click

from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.compile_progress import compile_what_runs
from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_console, make_notes, say
from qwixx.text.arguments import with_noun


@click.command("data")
@click.argument("variant", type=VARIANT)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The Parquet file to write; it is replaced when the new one is complete.",
)
@click.option(
    "--seats", type=int, metavar="N", help="Seats; as many as bots are named, else 2 (or the fewest possible)."
)
@click.option(
    "--bots", default="normal", show_default=True, metavar="A,B,...", help="A bot for each seat, or one for all."
)
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="Games, up to 1,000,000.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The same seed, the same rows.")
@click.option("--sheet", metavar="SHEET", help="Card games: the sheet to play on.")
@click.option(
    "--deep",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="Rollouts after each choice of a close call.",
)
def data_command(
    variant: str,
    out: Path,
    seats: int | None,
    bots: str,
    games: int,
    seed: int,
    sheet: str | None,
    deep: int,
) -> None:
    """
    Write the decisions of bots in VARIANT as a Parquet file: position, choice, the value of each choice, grade, result.

    A row is a decision with at least two choices. docs/model-cards.md lists the columns. The values are those of a
    review: exact in solved solitaire, else by the net. It needs pyarrow: pip install 'qwixx[data]'.

    Example: qwixx data classic --bots normal,gap --games 1000 -o decisions.parquet
    """
    # Reviews load nets and the simulator, which no other command should wait for.
    from qwixx.coach.review.dataset import Dataset  # noqa: PLC0415
    from qwixx.sim.lineup import read_bots, seats_and_bots  # noqa: PLC0415
    from qwixx.variants import variant_of  # noqa: PLC0415

    chosen = variant_of(variant, sheet)
    count, named = seats_and_bots(chosen, seats, read_bots(bots))
    wanted = Dataset(chosen, count, tuple(map(str, named)), games, seed, deep)
    wanted.check()
    notes = make_notes()
    compile_what_runs(notes)
    with progress_bar("games", notes) as progress:
        rows = wanted.write(out, progress)
    say(make_console(), f"{with_noun(rows, 'decision')} written to {str(out)!r}.")
