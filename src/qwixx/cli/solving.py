"""What the commands about exact play share: a solution with a progress bar, lucky numbers from text, white dice."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from qwixx.cli.screen import say
from qwixx.cli.warm import warm_if_cold
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
    notes = Console(stderr=True)
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

        try:
            solution = solve(work, progress=report, workers=workers, table=table, trust=trust)
        except KeyboardInterrupt:
            if told:
                say(notes, "What is done is kept: the same command goes on from there.")
            raise
    return work, solution


def roll_facts(rolls: list[WhiteRoll]) -> list[dict[str, object]]:
    """Give the worth of white dice as plain data."""
    return [{"white": [r.low, r.high], "chance": r.chance, "expected": round(r.expected, 6)} for r in rolls]


def roll_table(title: str, rolls: list[WhiteRoll], average: float) -> Table:
    """Show the worth of white dice beside their average."""
    lines = Table("white dice", "sum", "chance", "expected", "against average", title=title)
    for roll in rolls:
        change = roll.expected - average
        lines.add_row(
            f"{roll.low} {roll.high}", str(roll.total), f"{roll.chance:.4f}", f"{roll.expected:.3f}", f"{change:+.3f}"
        )
    return lines
