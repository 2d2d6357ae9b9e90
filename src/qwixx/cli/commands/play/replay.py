"""`qwixx replay`: show a game from its record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click
from msgspec import structs
from rich.console import Console

from qwixx.cli.app import VARIANT
from qwixx.cli.table.drawing import draw_sheet, draw_sheets
from qwixx.cli.table.event_sentences import outcome_sentences, sentences_of
from qwixx.cli.table.participants import read_participants
from qwixx.cli.terminal.bot_options import BOT_SECONDS, prepare_optimal
from qwixx.cli.terminal.files import read_text
from qwixx.cli.terminal.keyboard import EndOfInputError, Keyboard
from qwixx.cli.terminal.language import LANG
from qwixx.cli.terminal.screen import make_console, say
from qwixx.cli.terminal.solve_progress import lucky_option
from qwixx.errors import QwixxError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.players import PlayerFailed, default_heuristic
from qwixx.players.rotation import player_of
from qwixx.sim import replay_game
from qwixx.sim.lineup import lineup, read_bots
from qwixx.sim.lucky_pads import pads_of
from qwixx.text.catalogue import t
from qwixx.text.labels import game_name
from qwixx.text.record import MAX_RECORD_CHARS, Step, read_record
from qwixx.variants import variant_of


@click.command("replay")
@click.argument("file", required=False)
@click.option("--step", "by_step", is_flag=True, help="Wait for Enter after every step.")
@click.option("--seat", type=int, metavar="K", help="Show only the sheet of seat K, counted from 0.")
@click.option("--variant", type=VARIANT, metavar="GAME", help="The sheet file of the record, or the simulated game.")
@click.option("--seed", type=int, default=0, metavar="S", help="The seed of a simulation, with --game.")
@click.option("--game", "number", type=int, metavar="N", help="Show game N of a simulation instead of a file.")
@click.option("--bots", metavar="A,B,...", help="The bots of the simulation; if it named any.")
@click.option("--seats", type=int, default=2, metavar="N", help="The seats of the simulation.")
@click.option("--fixed", is_flag=True, help="The bots of the simulation kept their seats.")
@click.option("--sheet", metavar="SHEET", help="Card games: the sheet of the simulation.")
@click.option("--lucky", metavar="A/B", help="Longo: the lucky numbers of the simulation, if it was given any.")
@BOT_SECONDS
@LANG
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every step with its events, scores, outcome.")
def replay_command(
    file: str | None,
    by_step: bool,
    seat: int | None,
    variant: str | None,
    seed: int,
    number: int | None,
    bots: str | None,
    seats: int,
    fixed: bool,
    sheet: str | None,
    lucky: str | None,
    bot_seconds: float | None,
    as_json: bool,
) -> None:
    """
    Replay the game record FILE (- for standard input), step by step, and check its scores.

    With --game it shows one game of a simulation: give the same --variant, --seats, --bots, --seed and,
    if the simulation had them, --fixed, --sheet and --lucky. A game in which a bot failed is shown up to there.

    Example: qwixx replay my-game.qwixx --seat 0

    Example: qwixx replay --variant classic --bots gap --seed 7 --game 1234
    """
    console = make_console()
    if (file is None) == (number is None):
        raise click.UsageError(t("cli.error.record-or-game", option="--game"))
    sitting: list[str] | None = None
    failed: PlayerFailed | None = None
    if file is not None:
        text = read_text(file, MAX_RECORD_CHARS)
    else:
        chosen = variant_of(variant or "classic", sheet)
        pair = lucky_option(chosen, lucky)
        named = (default_heuristic(chosen),) if bots is None else read_bots(bots)
        chosen.check_seats(seats)
        players = lineup(chosen, seats, named)
        prepare_optimal(chosen, players, pads_of(chosen, pair))
        try:
            text = replay_game(
                chosen, seats, named, seed, number or 0, rotate=not fixed, lucky=pair, bot_seconds=bot_seconds
            ).record()
        except PlayerFailed as stopped:
            failed, text = stopped, stopped.record
        variant = None  # the record names its game
        table = 0 if fixed else (number or 0) % seats
        sitting = [f"{t('cli.seat', place=at)} ({players[player_of(at, table, seats)]})" for at in range(seats)]
    seats = _seats(text, variant)
    if seat is not None and not 0 <= seat < seats:
        raise QwixxError(t("cli.error.no-seat", most=seats - 1, seat=seat))
    if as_json:
        click.echo(json.dumps(_as_data(text, variant), indent=2))
    else:
        _show(console, text, variant, seat, by_step, sitting)
    if failed is not None:
        raise QwixxError(t("cli.error.shown-up-to", reason=str(failed), game=failed.game or 0, seat=failed.seat or 0))


def _seats(text: str, variant: str | None) -> int:
    return next(Game.replay(text, variant=variant)).seats


def _steps(text: str, variant: str | None) -> Iterator[tuple[Game, Step | None, list[Event]]]:
    """Replay a record: yield the game, the step that led to it and its events; the first has no step."""
    told = 0
    for game, step in zip(
        Game.replay(text, variant=variant, copies=False), [None, *read_record(text).steps], strict=True
    ):
        yield game, step, list(game.events[told:])
        told = len(game.events)


def _as_data(text: str, variant: str | None) -> dict[str, Any]:
    steps = []
    for game, step, happened in _steps(text, variant):  # noqa: B007 - the last one is wanted below
        if step is not None:
            events = [{"event": event.word, **structs.asdict(event)} for event in happened]
            steps.append({"seat": step.seat, "text": step.text, "chance": step.word or None, "events": events})
    outcome = game.outcome()
    return {
        "variant": game.variant.id,
        "seats": game.seats,
        "steps": steps,
        "scores": list(game.scores()),
        "outcome": None if outcome is None else asdict(outcome),
        "position": game.position(),
    }


def _show(
    console: Console, text: str, variant: str | None, seat: int | None, by_step: bool, sitting: list[str] | None
) -> None:
    keyboard = Keyboard(console)
    for game, step, happened in _steps(text, variant):
        players = read_participants(text, game.seats)
        seats = sitting or [t("cli.seat", place=number) for number in range(game.seats)]
        names = [player.name for player in players] if players else seats
        if step is None:
            say(console, t("cli.replay.head", game=game_name(game.variant), names=", ".join(names)), "bold")
            continue
        decided = f"{names[step.seat]}: {step.text}" if step.seat is not None else ""
        for sentence in [decided, *(f"  {sentence}" for sentence in sentences_of(happened, names))]:
            if sentence:
                say(console, sentence)
        if by_step:
            try:
                keyboard.ask(f"{t('cli.replay.enter')} ")
            except EndOfInputError:
                by_step = False
    console.print()
    if seat is None:
        draw_sheets(console, game.variant, game.reveal(), names)
    else:
        draw_sheet(console, game.variant, game.view(seat), seat, (), names)
    outcome = game.outcome()
    points = ", ".join(f"{name} {score}" for name, score in zip(names, game.scores(), strict=True))
    if outcome is None:
        say(console, t("cli.replay.open"), "bold")
    else:
        for sentence in outcome_sentences(outcome, game.variant, names):
            say(console, sentence, "bold")
    checked = f" {t('cli.replay.match')}" if read_record(text).scores else ""
    say(console, t("cli.points", points=points) + checked)
