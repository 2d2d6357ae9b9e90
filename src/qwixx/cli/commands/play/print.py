"""`qwixx print`: sheets, cards and a board as PDF."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from qwixx.base.languages import LANGUAGES, current_language
from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.files import reason_of, write_bytes
from qwixx.errors import QwixxError
from qwixx.text.catalogue import t

_LARGEST = 50_000_000


@click.command("print")
@click.argument("variant", type=VARIANT)
@click.option("-o", "--output", "file", required=True, metavar="FILE", help="PDF to write; - for standard output.")
@click.option("--paper", default="a4", help="a4 (default), letter or a5.")
@click.option("--per-page", type=int, metavar="N", help="Sheets on a page: 1, 2 (default) or 4.")
@click.option("--sheets", type=int, metavar="N", help="How many sheets; 20 by default, 1 for a board.")
@click.option(
    "--lang",
    "--langs",
    "languages",
    default=current_language,
    help=f"Language of the text: {', '.join(LANGUAGES)}; several in turn: de,fr. That of the environment if not given.",
)
@click.option("--ink", default="color", help="color (default), or gray: patterns instead of colors, little ink.")
@click.option("--large", is_flag=True, help="Large type, one sheet on a page.")
@click.option("--qr", "link", default="", metavar="URL", help="Print a QR code with this address on every sheet.")
@click.option("--lucky", multiple=True, metavar="A/B", help="Longo: lucky numbers of the sheets, in turn; repeatable.")
@click.option("--pads", default="", metavar="PADS", help="Connected A and B: the pads of the sheets, in turn: CAB.")
@click.option("--sheet", metavar="SHEET", help="Card games: classic, gemixxt-a or gemixxt-b.")
@click.option("--only", default="", help="sheets, or pieces: the cards or the pawns without the sheets.")
@click.option("--backs", default="duplex", help="Backs of cards: duplex (default), fold (beside the front), none.")
def print_command(
    variant: str,
    file: str,
    paper: str,
    per_page: int | None,
    sheets: int | None,
    languages: str,
    ink: str,
    large: bool,
    link: str,
    lucky: tuple[str, ...],
    pads: str,
    sheet: str | None,
    only: str,
    backs: str,
) -> None:
    """
    Print sheets of VARIANT, and the cards or the board that it is played with, as PDF.

    VARIANT is a game, or the file of a custom sheet. Sheets of Longo have different lucky numbers, five in turn, and
    those of Connected A and B different pads. Cards come with their backs: print on both sides, flipped along the long
    edge, or fold them. A file that this command wrote before is replaced; any other file is not overwritten.

    Example: qwixx print classic -o pad.pdf

    Example: qwixx print longo --paper letter --per-page 4 --ink gray --lang fr -o pad.pdf

    Example: qwixx print classic --langs de,it --sheets 4 -o pad.pdf

    Example: qwixx print cards-joker --only pieces --backs fold -o deck.pdf
    """
    from qwixx.printing.document import make_pad  # noqa: PLC0415
    from qwixx.printing.print_request import PrintRequest  # noqa: PLC0415
    from qwixx.text.notation import read_lucky  # noqa: PLC0415 - `qwixx --help` need not wait for any of these
    from qwixx.variants import load  # noqa: PLC0415

    chosen = load(variant, sheet)
    pairs = tuple(read_lucky(chosen, text) for text in lucky)
    request = PrintRequest(
        paper.lower(), per_page, sheets, tuple(languages.split(",")), ink, large, link, pairs, pads, only, backs
    )
    if file == "-":
        sys.stdout.buffer.write(make_pad(chosen, request))
        return
    path = Path(file)
    _check_free(path)
    write_bytes(path, make_pad(chosen, request))
    click.echo(t("cli.print", file=file))


def _check_free(path: Path) -> None:
    """Refuse to overwrite a file that this command did not write."""
    from qwixx.printing.pdf_writer import is_ours  # noqa: PLC0415 - the PDF library is needed only here

    try:
        if path.is_file():
            with path.open("rb") as there:
                if not is_ours(there.read(_LARGEST)):
                    raise QwixxError(t("cli.error.not-ours", file=repr(str(path))))
    except OSError as error:
        raise QwixxError(t("cli.error.read", file=repr(str(path)), reason=reason_of(error))) from None
