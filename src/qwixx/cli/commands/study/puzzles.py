"""`qwixx puzzles`: a quiz of puzzles, a list of them, or new ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import click
from msgspec import to_builtins

from qwixx.cli.app import VARIANT
from qwixx.cli.table.quiz import Quiz
from qwixx.cli.terminal.files import read_text, write_text
from qwixx.cli.terminal.language import LANG, suggested
from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_console, make_notes, say
from qwixx.cli.terminal.tables import show_table
from qwixx.errors import QwixxError
from qwixx.puzzles.generate import (
    COUNT,
    GAMES,
    MAGIC,
    Puzzle,
    make_puzzles,
    read_puzzles,
    shipped_puzzles,
    write_puzzles,
)
from qwixx.puzzles.themes import THEMES
from qwixx.text.catalogue import t
from qwixx.variants import variant_of
from qwixx.variants.model import Variant

_LONGEST_FILE = 16 * 1024 * 1024


@click.command("puzzles")
@click.argument("variant", type=VARIANT)
@click.option("-o", "--out", metavar="FILE", help="Generate puzzles and write them to FILE; a puzzle file is replaced.")
@click.option("--file", metavar="FILE", help="Use the puzzles of this file; with --out, keep those that hold.")
@click.option("--count", type=click.IntRange(1, 10_000), default=COUNT, show_default=True, help="How many to generate.")
@click.option("--seats", type=click.IntRange(2, 5), default=2, show_default=True, help="Seats of the games.")
@click.option("--sheet", metavar="SHEET", help="Card games: classic, gemixxt-a or gemixxt-b.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="S",
    help="Generate the same puzzles (1 if not given), or ask in the same order (another one each time if not given).",
)
@click.option(
    "--games",
    type=click.IntRange(2, 1_000_000),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Rollouts after each choice.",
)
@click.option("--theme", type=click.Choice(THEMES), metavar="THEME", help=f"Only this theme: {', '.join(THEMES)}.")
@click.option("--list", "as_list", is_flag=True, help="Count the puzzles; with --theme, show them with their answers.")
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def puzzles_command(
    variant: str,
    out: str | None,
    file: str | None,
    count: int,
    seats: int,
    sheet: str | None,
    seed: int | None,
    games: int,
    theme: str | None,
    as_list: bool,
    as_json: bool,
) -> None:
    """
    Solve puzzles of VARIANT: find the best choice, and read why it is best. Or generate new ones with --out.

    New puzzles come from games of good players: decisions with one clearly best choice, each verified by rollouts after
    the best choices. That takes one or two minutes for a hundred puzzles, about ten for card games.

    Example: qwixx puzzles classic --theme close

    Example: qwixx puzzles classic --list

    Example: qwixx puzzles longo --count 20 --seed 7 -o my-puzzles.json

    Example: qwixx puzzles longo --file my-puzzles.json --seed 8 -o renewed.json
    """
    chosen = variant_of(variant, sheet)
    text = None if file is None else read_text(file, _LONGEST_FILE)
    if out is not None:
        kept = [] if text is None else read_puzzles(text, chosen)
        _make(chosen, Path(out), count, seats, 1 if seed is None else seed, games, kept)
        return
    found = shipped_puzzles(chosen) if text is None else read_puzzles(text, chosen)
    if not found:
        command = suggested("puzzles", chosen.id, "-o", t("cli.help.file"))
        raise QwixxError(t("cli.puzzles.none", game=chosen.id, command=command))
    shown = [puzzle for puzzle in found if theme in (None, puzzle.theme)]
    if as_json:
        data = [
            to_builtins(each)
            | {"choices": [{"action": text, "value": value, "points": p} for text, value, p in each.choices]}
            for each in shown
        ]
        click.echo(json.dumps(data, indent=2))
        return
    console = make_console()
    if not as_list:
        Random(seed).shuffle(shown)  # noqa: S311 - the order of questions is no secret
        Quiz(console, chosen, shown).run()
        return
    counts = Counter(puzzle.theme for puzzle in found)
    rows = [(f"{name} ({t(f'train.theme.{name}')})", str(counts[name])) for name in THEMES if counts[name]]
    show_table(console, (t("cli.puzzles.theme"), t("cli.puzzles")), rows, numbers=True)
    if theme is not None:
        for each in shown:
            say(console, each.position, whole=True)
            seat, margin = t("cli.seat", place=each.seat), f"{100 * each.margin:.1f} %"
            better = t("cli.puzzles.best", seat=seat, best=each.best, margin=margin, other=each.choices[1][0])
            say(console, f"  {better}")


def _make(variant: Variant, path: Path, count: int, seats: int, seed: int, games: int, kept: list[Puzzle]) -> None:
    """Generate puzzles with a progress bar on stderr, and write them atomically."""
    _check_target(path)
    variant.check_seats(seats)
    notes = make_notes()
    with progress_bar(t("cli.puzzles"), notes) as progress:
        found = make_puzzles(
            variant, seats, count, seed=seed, games=games, kept=kept, progress=lambda done, _: progress(done, count)
        )
    write_text(path, write_puzzles(variant, seats, found, seed, games))
    say(notes, t("cli.puzzles.made", n=len(found), file=str(path)))


def _check_target(path: Path) -> None:
    """Refuse to replace a file that is something else."""
    if path.is_dir():
        raise QwixxError(t("cli.error.use", file=repr(str(path)), reason=t("cli.reason.folder")))
    if path.is_file() and MAGIC not in path.read_text("utf-8", errors="replace")[:200]:
        raise QwixxError(t("cli.puzzles.other", file=repr(str(path))))
