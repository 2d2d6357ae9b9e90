"""The coach in the terminal: a hint with reasons, and the review of a game."""

from __future__ import annotations

from rich.console import Console

from qwixx.base.languages import current_language
from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_notes, say
from qwixx.cli.terminal.tables import show_table
from qwixx.coach import Analysis, Decision, ValueChange
from qwixx.coach.grades import BEST, GRADES, Grade
from qwixx.coach.hints import Hint
from qwixx.coach.judges.judge import LEARNED, ROLLOUTS, WIN
from qwixx.coach.review.analysis import analyse
from qwixx.precompile import RULES, compile_now
from qwixx.text.catalogue import t
from qwixx.text.labels import sentence
from qwixx.variants.model import Variant


def show_hint(console: Console, found: Hint, most: int, option: str = "") -> None:
    """Show the best choices with values and reasons; `option` is the one of a command that shows all."""
    for place, choice in enumerate(found.choices[:most]):
        value = f"{100 * choice.value:.1f} %" if found.measure == WIN else f"{choice.value:.2f}"
        loss = f"{100 * choice.loss:.1f} %" if found.measure == WIN else f"{choice.loss:.2f}"
        points = t("cli.hint.points", value=f"{choice.points:.1f}" if found.measure == WIN else value)
        gain = f"{value}, {points}" if found.measure == WIN else points
        lost = f", -{loss}" if choice.loss else ""
        say(console, f"{place + 1}. {choice.action.text}  {gain}{lost}", "bold" if place == 0 else "")
        say(console, f"   {found.words(place, current_language())}")
    left = len(found.choices) - most
    if left > 0 and option:
        say(console, f"   {t('cli.hint.more', n=left, option=option)}")
    source = t("cli.hint.rollouts" if found.source == ROLLOUTS else f"hint.source.{found.source}")
    say(console, f"{t('cli.seat', place=found.seat)} ({found.by}). {source}", "dim")


def review_with_progress(
    text: str, variant: Variant | str | None = None, deep: int = 0, *, hindsight: bool = False
) -> Analysis:
    """Analyse with a progress bar on stderr."""
    if not RULES.is_uncached:
        compile_now()
    with progress_bar(t("review.thinking"), make_notes()) as progress:
        return analyse(text, variant=variant, deep=deep, hindsight=hindsight, progress=progress)


def show_review(console: Console, found: Analysis, names: list[str], *, everything: bool, positions: bool) -> None:
    """Show luck, skill and the most expensive decisions, or all; after each its position if `positions` is set."""
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
    chosen = list(found.decisions) if everything else found.costliest(most=3)
    console.print()
    if not chosen:
        say(console, t("cli.analyse.none"))
        return
    say(console, t("cli.analyse.all" if everything else "cli.analyse.costliest"), "bold")
    for decision in chosen:
        say(console, _sentence(found, decision, names[decision.seat]))
        if positions:
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
