"""`qwixx solve`: the exact value of solitaire, and of each first roll."""

from __future__ import annotations

import json
from pathlib import Path

import click

from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.screen import make_console, say
from qwixx.cli.terminal.solve_progress import lucky_option, roll_facts, show_rolls, solve_with_progress
from qwixx.solver import opening_values
from qwixx.variants import load


@click.command("solve")
@click.argument("variant", type=VARIANT)
@click.option("--lucky", metavar="A/B", help="Longo: the lucky numbers (the first pad if not given).")
@click.option("--workers", type=click.IntRange(1, 256), metavar="W", help="Threads; all cores if not given.")
@click.option("--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Where to save it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def solve_command(variant: str, lucky: str | None, workers: int | None, table: Path | None, as_json: bool) -> None:
    """
    Solve solitaire exactly: the expected score of best play, and the value of each first roll of the white dice.

    Classic takes seconds, Longo minutes of one core; Bonus B half an hour and 3.5 GB of disk. Solved tables are in the
    cache directory; an interrupted solve continues where it stopped. An existing table is verified completely, and
    computed again if it is damaged.

    Example: qwixx solve classic
    """
    chosen = load(variant)
    work, solution = solve_with_progress(chosen, lucky_option(chosen, lucky), workers, table)
    rolls = opening_values(solution)
    if as_json:
        answer = {
            "variant": solution.variant,
            "lucky": solution.lucky,
            "value": solution.value,
            "states": solution.states,
            "bytes": work.bytes,
            "seconds": round(solution.seconds, 2),
            "cpu_seconds": round(solution.cpu_seconds, 2),
            "first_rolls": roll_facts(rolls),
        }
        click.echo(json.dumps(answer, indent=2))
        return
    console = make_console()
    pair = f" with lucky numbers {solution.lucky[0]}/{solution.lucky[1]}" if solution.lucky else ""
    say(console, f"{solution.variant}{pair}: {solution.value:.6f} points with best play", "bold")
    say(console, f"{solution.states:,} states, computed in {solution.cpu_seconds:.1f} CPU seconds")
    show_rolls(console, "The first roll", rolls, solution.value)
