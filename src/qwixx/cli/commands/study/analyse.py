"""`qwixx analyse`: what every decision of a game was worth, and what luck did."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from qwixx.analysis import Analysis, Decision, Swing, analyse
from qwixx.analysis.analyse import DEEP_GAMES
from qwixx.analysis.grades import GRADES
from qwixx.analysis.graph import graph_svg
from qwixx.analysis.judging import PLAYED_ON
from qwixx.cli.desk import VARIANT
from qwixx.cli.files import read_text, write_text
from qwixx.cli.listing import show_table
from qwixx.cli.participants import read_participants
from qwixx.cli.screen import make_console, make_notes, say
from qwixx.record import LONGEST_RECORD
from qwixx.warm import RULES, compile_now


@click.command("analyse")
@click.argument("file")
@click.option("--variant", type=VARIANT, metavar="GAME", help="The sheet file of the record, if it needs one.")
@click.option("--all", "show_all", is_flag=True, help="List every decision, not only those that cost most.")
@click.option("--deep", is_flag=True, help="Settle close calls by playing many games on after each choice.")
@click.option(
    "--games", type=click.IntRange(2, 1_000_000), default=DEEP_GAMES, metavar="N", help="With --deep: games a choice."
)
@click.option("--hindsight", is_flag=True, help="Alone: also find the most points that these dice could have made.")
@click.option("--svg", metavar="FILE", help="Draw chances and luck into FILE, or to standard output for -.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON: every value of every choice.")
def analyse_command(
    file: str,
    variant: str | None,
    show_all: bool,
    deep: bool,
    games: int,
    hindsight: bool,
    svg: str | None,
    as_json: bool,
) -> None:
    """
    Say what every decision of the game record FILE (- for standard input) was worth, and what luck did.

    In company a loss is one of the chance of winning, alone one of expected points. What each seat began with, its
    luck, what its own decisions lost and what the others' decisions gave it add up to the result.

    Example: qwixx analyse my-game.qwixx

    Example: qwixx analyse my-game.qwixx --deep --svg my-game.svg
    """
    text = read_text(file, LONGEST_RECORD)
    found = _with_progress(text, variant, games if deep else 0, hindsight)
    participants = read_participants(text, found.seats)
    names = [each.name for each in participants] if participants else [f"seat {seat}" for seat in range(found.seats)]
    if svg is not None:
        picture = graph_svg(found, names)
        if svg == "-":
            click.echo(picture.encode("ascii", "xmlcharrefreplace").decode())
            return
        write_text(Path(svg), picture)
    if as_json:
        click.echo(json.dumps({**found.to_dict(), "names": names}, indent=2))
        return
    _show(make_console(), found, names, show_all)


def _with_progress(text: str, variant: str | None, deep: int, hindsight: bool) -> Analysis:
    """Analyse; if that takes a while a bar shows how far it is, on stderr."""
    if not RULES.is_cold:
        compile_now()
    notes = make_notes()
    bar = Progress(
        TextColumn("analysing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
        disable=not notes.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=None)
        return analyse(
            text,
            variant=variant,
            deep=deep,
            hindsight=hindsight,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _show(console: Console, found: Analysis, names: list[str], show_all: bool) -> None:
    what = "chance to win" if found.is_win else "expected points with best play"
    say(console, f"{found.variant}, {found.seats} seat{'s' if found.seats > 1 else ''}: {what}", "bold")
    say(console, _source(found))
    console.print()
    headings = ("", "start", "luck", "own losses", "others", "end", "points", "accuracy")
    rows = [
        (
            names[each.seat],
            _value(found, each.start),
            _change(found, each.luck),
            _change(found, each.own),
            _change(found, each.others),
            _value(found, each.final),
            "" if found.scores is None else f"{found.scores[each.seat]:.0f}",
            "" if each.accuracy is None else f"{each.accuracy:.0f}",
        )
        for each in found.accounts
    ]
    show_table(console, headings, rows, box=SIMPLE_HEAD, right=True)
    counted = [(names[each.seat], *(str(each.grades[grade]) for grade in GRADES)) for each in found.accounts]
    show_table(console, ("decisions", *GRADES), counted, box=SIMPLE_HEAD, right=True)
    for each in found.accounts:
        _show_luck(console, found, each.seat, names[each.seat])
    if found.hindsight is not None:
        best = found.hindsight
        more = "" if best.is_exact else f", and nobody could have made more than {best.at_most}"
        say(console, f"With these dice known beforehand {best.points} points could have been made{more}.")
    chosen = list(found.decisions) if show_all else found.costliest(most=3)
    console.print()
    if not chosen:
        say(console, "No decision cost anything that could be told.")
        return
    say(console, "All decisions" if show_all else "What cost most", "bold")
    for decision in chosen:
        say(console, _sentence(found, decision, names[decision.seat]))
        if not show_all:
            say(console, f"  {decision.position}", whole=True)


def _source(found: Analysis) -> str:
    if found.source == PLAYED_ON:
        return f"Nobody has learned this: games were played on by {found.by!r}, so all values are rough."
    sure = "exactly" if found.source == "exact" else f"learned; losses are off by about {100 * found.error:g} %"
    return f"Judged by {found.by!r}, {sure}."


def _value(found: Analysis, value: float) -> str:
    return f"{100 * value:.1f} %" if found.is_win else f"{value:.2f}"


def _change(found: Analysis, value: float) -> str:
    return f"{100 * value:+.1f} %" if found.is_win else f"{value:+.2f}"


def _show_luck(console: Console, found: Analysis, seat: int, name: str) -> None:
    best, worst = found.luckiest(seat), found.unluckiest(seat)
    if best is not None and worst is not None:
        lucky, unlucky = _chance(found, best, seat), _chance(found, worst, seat)
        say(console, f"{name}: luckiest {lucky}; unluckiest {unlucky}.")


def _chance(found: Analysis, swing: Swing, seat: int) -> str:
    shown = swing.text if len(swing.text) < 20 else f"{swing.text[:17]}..."
    return f"{swing.kind} {shown} in turn {swing.turn} ({_change(found, swing.luck[seat])})"


def _sentence(found: Analysis, decision: Decision, name: str) -> str:
    start = f"Turn {decision.turn}, {decision.phase}, {name}: {decision.chosen.action.text}"
    if decision.loss == 0 or not decision.is_free:
        return f"{start}, {decision.grade if decision.is_free else 'the only choice'}."
    lost = _change(found, -decision.loss)
    sure = f" ± {100 * decision.error:.1f} %" if decision.source == "rollouts" else ""
    close = ", a close call" if decision.is_close else ""
    return f"{start}, a {decision.grade}{close}: {decision.best.action.text} was better ({lost}{sure})."
