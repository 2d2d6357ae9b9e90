"""Shared by the commands about exact play: solving with a progress bar, the option --lucky, tables of white rolls."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from qwixx.base.interrupts import raising_on_interrupt
from qwixx.cli.terminal.compile_progress import warm_if_cold
from qwixx.cli.terminal.progress_bar import progress_bar
from qwixx.cli.terminal.screen import make_notes, say
from qwixx.cli.terminal.tables import show_table
from qwixx.precompile import SOLVER
from qwixx.solver import Plan, Solution, TargetSolution, WhiteRoll, plan, solve, solve_target
from qwixx.solver.build.induction import Progress
from qwixx.solver.build.plan import refuse
from qwixx.text.notation import read_lucky
from qwixx.variants import load
from qwixx.variants.model import Pad, Variant


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
    Solve a sheet, or load its table; progress goes to stderr, so that output can be piped.

    With `trust` a table that was verified before and has not changed is not verified again.
    """
    chosen = variant if isinstance(variant, Variant) else load(variant)
    refuse(chosen)
    notes = make_notes()
    warm_if_cold(notes, SOLVER)
    work = plan(chosen, lucky)
    with progress_bar("solving", notes) as progress:
        announced = False

        def report(step: Progress) -> None:
            nonlocal announced
            if not announced:
                announced = True
                say(notes, f"Solving {work.variant.id}: {work}. Ctrl-C stops and saves the progress.")
            progress(step.done, step.total)

        def stopped() -> None:
            if announced:
                say(notes, "The progress is saved: the same command continues from there.")

        try:
            with raising_on_interrupt(stopped):
                solution = solve(work, progress=report, workers=workers, table=table, trust=trust)
        except KeyboardInterrupt:
            stopped()
            raise
    return work, solution


def solve_target_with_progress(variant: Variant, target: int, lucky: Pad | None) -> TargetSolution:
    """Solve a sheet for a target score, or load its table; progress goes to stderr."""
    notes = make_notes()
    warm_if_cold(notes, SOLVER)
    with progress_bar(f"solving for {target} points", notes) as progress, raising_on_interrupt(lambda: None):
        return solve_target(variant, target, lucky, lambda step: progress(step.done, step.total))


def roll_facts(rolls: list[WhiteRoll]) -> list[dict[str, object]]:
    """Return the values of white rolls as plain data."""
    return [{"white": [r.low, r.high], "chance": r.chance, "expected": round(r.expected, 6)} for r in rolls]


def show_rolls(console: Console, title: str, rolls: list[WhiteRoll], average: float) -> None:
    """Show the values of white rolls and their difference to the average."""
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
    show_table(console, headings, rows, title=title, numbers=True)
