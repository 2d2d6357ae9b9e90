"""`qwixx analyse`: review a game, with the value of every decision and the effect of luck."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from qwixx.cli.app import VARIANT
from qwixx.cli.table.participants import read_participants
from qwixx.cli.terminal.coach_options import DEEP, DEEP_ROLLOUTS
from qwixx.cli.terminal.files import read_text, write_text
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_console, make_notes, say
from qwixx.cli.terminal.tables import show_table
from qwixx.coach import Analysis, Decision, ValueChange
from qwixx.coach.grades import BEST, GRADES, Grade
from qwixx.coach.judges.judge import LEARNED
from qwixx.coach.review.analysis import analyse
from qwixx.coach.review.chart import graph_svg
from qwixx.precompile import RULES, compile_now
from qwixx.text.catalogue import t
from qwixx.text.labels import sentence
from qwixx.text.record import MAX_RECORD_CHARS


@click.command("analyse")
@click.argument("file")
@click.option("--variant", type=VARIANT, metavar="GAME", help="The sheet file of the record, if it needs one.")
@click.option("--all", "show_all", is_flag=True, help="List every decision, not only the most expensive ones.")
@DEEP
@DEEP_ROLLOUTS
@click.option("--hindsight", is_flag=True, hidden=True)
@click.option("--svg", metavar="FILE", help="Draw win probability and luck to FILE, or to standard output for -.")
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every value of every choice.")
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
    Review the game record FILE (- for standard input): the value of every decision, and the effect of luck.

    Losses are in win probability, in solitaire in expected points. For each seat the start value, its luck, the losses
    of its own decisions and the effect of the others' decisions add up to the result.

    Example: qwixx analyse my-game.qwixx

    Example: qwixx analyse my-game.qwixx --deep --svg my-game.svg
    """
    text = read_text(file, MAX_RECORD_CHARS)
    found = _with_progress(text, variant, games if deep else 0, hindsight)
    participants = read_participants(text, found.seats)
    people = [each.name for each in participants or ()]
    names = people or [f"seat {seat}" for seat in range(found.seats)]  # in files and formats
    if svg is not None:
        picture = graph_svg(found, names)
        if svg == "-":
            click.echo(picture.encode("ascii", "xmlcharrefreplace").decode())
            return
        write_text(Path(svg), picture)
    if as_json:
        click.echo(json.dumps({**found.to_dict(), "names": names}, indent=2))
        return
    _show(make_console(), found, people or [t("cli.seat", place=seat) for seat in range(found.seats)], show_all)


def _with_progress(text: str, variant: str | None, deep: int, hindsight: bool) -> Analysis:
    """Analyse with a progress bar on stderr."""
    if not RULES.is_uncached:
        compile_now()
    with progress_bar(t("review.thinking"), make_notes()) as progress:
        return analyse(text, variant=variant, deep=deep, hindsight=hindsight, progress=progress)


def _show(console: Console, found: Analysis, names: list[str], show_all: bool) -> None:
    say(console, t("cli.analyse.win" if found.is_win else "cli.analyse.points", game=found.variant), "bold")
    say(console, _source(found))
    console.print()
    own = [t(f"cli.analyse.{name}") for name in ("own", "others", "end")]
    headings = ["", t("cli.analyse.start"), t("review.luck.short"), *own, t("learn.points"), t("cli.analyse.accuracy")]
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
    show_table(console, headings, rows, numbers=True)
    counted = [(names[each.seat], *(str(each.grades[grade]) for grade in GRADES)) for each in found.accounts]
    show_table(console, (t("cli.analyse.decisions"), *map(_grade, GRADES)), counted, numbers=True)
    for each in found.accounts:
        _show_luck(console, found, each.seat, names[each.seat])
    chosen = list(found.decisions) if show_all else found.costliest(most=3)
    console.print()
    if not chosen:
        say(console, t("cli.analyse.none"))
        return
    say(console, t("cli.analyse.all" if show_all else "cli.analyse.costliest"), "bold")
    for decision in chosen:
        say(console, _sentence(found, decision, names[decision.seat]))
        if not show_all:
            say(console, f"  {decision.position}", whole=True)


def _source(found: Analysis) -> str:
    if found.source == LEARNED:
        return t("review.source.learned", error=f"{100 * found.error:g} %" if found.is_win else f"{found.error:g}")
    return t(f"hint.source.{found.source}")


def _grade(grade: Grade) -> str:
    return t("advice.best" if grade == BEST else f"review.grade.{grade}")


def _value(found: Analysis, value: float) -> str:
    return f"{100 * value:.1f} %" if found.is_win else f"{value:.2f}"


def _change(found: Analysis, value: float) -> str:
    return f"{100 * value:+.1f} %" if found.is_win else f"{value:+.2f}"


def _show_luck(console: Console, found: Analysis, seat: int, name: str) -> None:
    best, worst = found.luckiest(seat), found.unluckiest(seat)
    if best is not None and worst is not None:
        lucky, unlucky = _chance(found, best, seat), _chance(found, worst, seat)
        say(console, t("cli.analyse.luck", name=name, lucky=lucky, unlucky=unlucky))


def _chance(found: Analysis, swing: ValueChange, seat: int) -> str:
    shown = swing.text if len(swing.text) < 20 else f"{swing.text[:17]}..."
    return t("cli.analyse.moment", what=shown, turn=swing.turn, change=_change(found, swing.luck[seat]))


def _sentence(found: Analysis, decision: Decision, name: str) -> str:
    start = f"{t('story.turn.of', n=decision.turn, name=name)}: {decision.chosen.action.text}."
    if not decision.had_choice:
        return f"{start} {t('cli.analyse.only')}"
    start += f" {sentence(_grade(decision.grade))}."
    if decision.loss == 0:
        return start
    sure = f" ± {100 * decision.chosen.interval:.1f} %" if decision.source == "rollouts" else ""
    loss = f"{_change(found, -decision.loss)}{sure}"
    close = f" {t('cli.analyse.close')}" if decision.is_close else ""
    return f"{start}{close} {t('cli.analyse.better', choice=decision.best.action.text, loss=loss)}"
