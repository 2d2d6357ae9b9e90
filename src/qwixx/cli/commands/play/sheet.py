"""`qwixx sheet`: a score sheet as text or as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from qwixx.cli.app import VARIANT
from qwixx.cli.table.drawing import draw_middle, draw_sheet
from qwixx.cli.terminal.files import write_text
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.render.svg import sheet_svg
from qwixx.text.catalogue import t
from qwixx.variants import load


@click.command("sheet")
@click.argument("variant", type=VARIANT)
@click.option("--svg", metavar="FILE", help="Write a picture to FILE, or to standard output for -.")
@click.option("--position", metavar="LINE", help="Show this position instead of an empty sheet.")
@click.option("--seat", type=int, default=0, metavar="K", help="Whose sheet, counted from 0.")
@click.option("--sheet", metavar="SHEET", help="Card games: classic, gemixxt-a or gemixxt-b.")
@LANG
def sheet_command(variant: str, svg: str | None, position: str | None, seat: int, sheet: str | None) -> None:
    """
    Draw the score sheet of VARIANT.

    Example: qwixx sheet bonus-a --svg bonus-a.svg

    Example: qwixx sheet classic --position "classic active=0 phase=roll | r=2,5,7 | -"
    """
    loaded = load(variant, sheet)
    if position is None:
        game = Game(loaded, loaded.fewest_seats, seed=0, first=0)
    else:
        game = Game.from_position(position, variant=loaded)
    if not 0 <= seat < game.seats:
        raise QwixxError(t("cli.error.no-seat", most=game.seats - 1, seat=seat))
    view, legal = game.view(seat), game.legal(seat)
    if svg is None:
        console = make_console()
        draw_sheet(console, game.variant, view, seat, legal)
        if position is not None:
            draw_middle(console, game.variant, view)
        return
    picture = sheet_svg(game.variant, view, seat, legal)
    if svg == "-":
        click.echo(picture.encode("ascii", "xmlcharrefreplace").decode())  # independent of the terminal's encoding
    else:
        write_text(Path(svg), picture)
