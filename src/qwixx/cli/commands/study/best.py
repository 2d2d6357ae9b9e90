"""`qwixx best`: the exact value of every choice after a roll in solitaire, or of the position itself."""

from __future__ import annotations

import json

import click

from qwixx.cli.app import VARIANT
from qwixx.cli.terminal.screen import make_console, say
from qwixx.cli.terminal.solve_progress import (
    roll_facts,
    show_rolls,
    solve_target_with_progress,
    solve_with_progress,
)
from qwixx.cli.terminal.tables import show_table
from qwixx.coach.judges.exact import ExactJudge
from qwixx.coach.judges.judge import ranked
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.solver import Solution, check_solitaire, lucky_of, white_rolls
from qwixx.solver.build.plan import refuse
from qwixx.variants import load


@click.command("best")
@click.argument("variant", type=VARIANT)
@click.argument("position")
@click.argument("roll", required=False)
@click.option("--target", type=int, metavar="T", help="Play for the chance of T points or more instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def best_command(variant: str, position: str, roll: str | None, target: int | None, as_json: bool) -> None:
    """
    Rate every legal move in solitaire: its expected final score, and what it loses against the best.

    POSITION is a position line with one seat, or only the seat's part of it, such as "r=2,5 misses=1". Without a
    ROLL the position itself is rated: its expected final score, and that for each roll of the white dice.
    With --target moves are rated by the highest chance of that score; each target has its own table.

    The table of the sheet is verified once; `qwixx solve` verifies it again.

    Example: qwixx best classic "r=2,5,7 g=12" 34/2615
    """
    chosen = load(variant)
    refuse(chosen)
    if chosen.lucky and "lucky=" not in position:
        raise QwixxError("Add the lucky numbers to the position, such as lucky=6/11.")
    # A single section is the sheet of a game before its roll.
    line = position if "|" in position else f"{chosen.id} active=0 phase=roll | {position.strip() or '-'}"
    game = Game.from_position(line, variant=variant)
    if roll is not None:
        game.set_roll(roll)
    check_solitaire(game)
    if game.is_over:
        raise QwixxError("There is no decision here: the game is over.")
    if target is not None:
        _judge_target(game, target, as_json=as_json)
        return
    _, solution = solve_with_progress(chosen, lucky_of(game), trust=True)
    if game.awaits_chance:
        _judge_position(game, solution, as_json=as_json)
    else:
        _judge_choices(game, solution, as_json=as_json)


def _judge_target(game: Game, target: int, *, as_json: bool) -> None:
    solution = solve_target_with_progress(game.variant, target, lucky_of(game))
    _, states = game.raw()
    chance = solution.expected(states)
    texts = {} if game.awaits_chance else {action.id: action.text for action in game.legal(0)}
    found = [] if game.awaits_chance else solution.best(states)
    if as_json:
        choices = [{"action": texts[a], "chance": round(c, 9), "loss": round(loss, 9)} for a, c, loss in found]
        answer = {"position": game.position(), "target": target, "chance": round(chance, 9), "choices": choices}
        click.echo(json.dumps(answer, indent=2))
        return
    console = make_console()
    say(console, game.position(), "bold")
    say(console, f"{100 * chance:.4f} % chance of {target} points or more with best play for it")
    if found:
        rows = [(texts[a], f"{100 * c:.4f} %", f"{100 * loss:.4f} %" if loss else "best") for a, c, loss in found]
        show_table(console, ("choice", f"chance of {target}", "loses"), rows, numbers=True)


def _judge_choices(game: Game, solution: Solution, *, as_json: bool) -> None:
    choices = ranked(ExactJudge(solution).options(game, 0), 0)
    if as_json:
        found = [{"action": c.action.text, "expected": round(c.value, 6), "loss": round(c.loss, 6)} for c in choices]
        click.echo(json.dumps({"position": game.position(), "choices": found}, indent=2))
        return
    console = make_console()
    say(console, game.position(), "bold")
    rows = [(c.action.text, f"{c.value:.4f}", f"{c.loss:.4f}" if c.loss else "best") for c in choices]
    show_table(console, ("choice", "expected score", "loses"), rows, numbers=True)


def _judge_position(game: Game, solution: Solution, *, as_json: bool) -> None:
    _, states = game.raw()
    expected = solution.expected(states)
    rolls = white_rolls(solution, states)
    if as_json:
        answer = {"position": game.position(), "expected": round(expected, 6), "white_rolls": roll_facts(rolls)}
        click.echo(json.dumps(answer, indent=2))
        return
    console = make_console()
    say(console, game.position(), "bold")
    say(console, f"{expected:.4f} points expected with best play")
    show_rolls(console, "The next roll", rolls, expected)
