"""What the commands about exact play share: a solution with a progress bar, lucky numbers from text, white dice."""

from __future__ import annotations

from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from qwixx.cli.listing import show_table
from qwixx.cli.screen import make_notes, say
from qwixx.cli.warm import warm_if_cold
from qwixx.interrupts import gently
from qwixx.notation import read_lucky
from qwixx.solver import Plan, Solution, WhiteRoll, plan, solve
from qwixx.solver.work.induction import Progress as Step
from qwixx.solver.work.plan import refuse
from qwixx.variants import load
from qwixx.variants.model import Pad, Variant
from qwixx.warm import SOLVER


def lucky_option(variant: Variant, text: str | None) -> Pad | None:
    """Read the option --lucky, if it was given."""
    return None if text is None else read_lucky(variant, text.strip())


def solve_with_progress(
    variant: str | Variant,
    lucky: Pad | None,
    workers: int | None = None,
    table: Path | None = None,
    *,
    trust: bool = False,
) -> tuple[Plan, Solution]:
    """
    Solve a sheet, or take its table; the progress goes to stderr, so that answers can be piped.

    With `trust` a table that was checked before and has not changed since is not checked again.
    """
    chosen = variant if isinstance(variant, Variant) else load(variant)
    refuse(chosen)
    notes = make_notes()
    warm_if_cold(notes, SOLVER)
    work = plan(chosen, lucky)
    bar = Progress(
        TextColumn("solving"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
        disable=not notes.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=None)
        told = False

        def report(step: Step) -> None:
            nonlocal told
            if not told:
                told = True
                say(notes, f"Solving {work.variant.id}: {work}. Ctrl-C keeps what is done.")
            bar.update(task, completed=step.done, total=step.total)

        def kept() -> None:
            if told:
                say(notes, "What is done is kept: the same command goes on from there.")

        try:
            with gently(kept):
                solution = solve(work, progress=report, workers=workers, table=table, trust=trust)
        except KeyboardInterrupt:
            kept()
            raise
    return work, solution


def roll_facts(rolls: list[WhiteRoll]) -> list[dict[str, object]]:
    """Give the worth of white dice as plain data."""
    return [{"white": [r.low, r.high], "chance": r.chance, "expected": round(r.expected, 6)} for r in rolls]


def show_rolls(console: Console, title: str, rolls: list[WhiteRoll], average: float) -> None:
    """Show the worth of white dice beside their average."""
    rows = [
        (
            f"{roll.low} {roll.high}",
            str(roll.total),
            f"{roll.chance:.4f}",
            f"{roll.expected:.3f}",
            f"{roll.expected - average:+.3f}",
        )
        for roll in rolls
    ]
    headings = ("white dice", "sum", "chance", "expected", "against average")
    show_table(console, headings, rows, title=title, box=SIMPLE_HEAD, right=True)
