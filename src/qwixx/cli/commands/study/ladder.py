"""`qwixx ladder`: a round robin between players, with Elo ratings."""

from __future__ import annotations

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.screen import make_console, say
from qwixx.text.arguments import with_noun


@click.command("ladder")
@click.argument("variant", type=VARIANT)
@click.option("--seats", type=int, default=2, show_default=True, metavar="N", help="Seats.")
@click.option("--players", metavar="A,B,...", help="The players; all suitable built-in ones but optimal if not given.")
@click.option("--games", type=int, default=10_000, show_default=True, metavar="N", help="Games per match.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The same seed, the same games.")
@click.option("--workers", type=int, metavar="W", help="Threads; all cores if not given.")
@click.option("--sheet", metavar="SHEET", help="Card games: the sheet to play on.")
@click.option("--plot", "picture", metavar="FILE", help="Draw the ladder (.svg, .png or .pdf).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ladder_command(
    variant: str,
    seats: int,
    players: str | None,
    games: int,
    seed: int,
    workers: int | None,
    sheet: str | None,
    picture: str | None,
    as_json: bool,
) -> None:
    """
    Let players play a round robin with the same dice, and rate the strength of each.

    With more than two seats, one player plays against several copies of the other, and then the other way round.

    Example: qwixx ladder classic --players master,gap:1,gap:2,random
    """
    # The simulator loads the compiler, which no other command should wait for.
    from qwixx.sim.ladder import ladder as play_ladder  # noqa: PLC0415
    from qwixx.sim.lineup import read_bots  # noqa: PLC0415
    from qwixx.sim.plot import check_picture, plot_ladder  # noqa: PLC0415
    from qwixx.variants import variant_of  # noqa: PLC0415

    chosen = variant_of(variant, sheet)
    if picture is not None:
        check_picture(picture)
    notes = Console(stderr=True)
    with Progress(console=notes, transient=True, disable=not notes.is_terminal) as bar:
        task = bar.add_task("playing", total=None)
        ladder = play_ladder(
            chosen,
            seats,
            None if players is None else read_bots(players),
            games,
            seed=seed,
            workers=workers,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if picture is not None:
        plot_ladder(ladder, picture)
    if as_json:
        click.echo(ladder.to_json())
        return
    console = make_console()
    say(console, f"{chosen.name}, {with_noun(seats, 'seat')}: {with_noun(games, 'game')} a match, seed {seed}", "bold")
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    names = [rating.player for rating in ladder.rungs]
    for column in ("", "Elo", "± 95 %", "mean", *names):
        table.add_column(column, justify="left" if not column else "right")
    for rating in ladder.rungs:
        shares = []
        for other in names:
            match, back = ladder.share(rating.player, other), ladder.share(other, rating.player)
            share = match.win_share if match else 1 - back.win_share if back and seats == 2 else None
            shares.append("" if share is None else f"{share:.1%}")
        table.add_row(rating.player, f"{rating.elo:+.0f}", f"{rating.interval:.0f}", f"{rating.mean:.1f}", *shares)
    console.print(table)
    say(
        console,
        f"A row's share of the wins among players of the column; {1 / seats:.0%} is fair. A shared win counts in part.",
    )
