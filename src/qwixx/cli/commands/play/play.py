"""`qwixx play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from qwixx.base.interrupts import INTERRUPTED, raising_on_interrupt
from qwixx.cli.app import VARIANT
from qwixx.cli.table.event_sentences import sentences_of
from qwixx.cli.table.menu import choose_game
from qwixx.cli.table.participants import Participant, read_participants, restore_participants, seat_participants
from qwixx.cli.table.saves import Saver, new_file, resume_command, unfinished
from qwixx.cli.table.table import Table
from qwixx.cli.table.unseen_events import UnseenEvents
from qwixx.cli.terminal.bot_options import BOT_SECONDS
from qwixx.cli.terminal.files import read_text
from qwixx.cli.terminal.language import LANG, suggested
from qwixx.cli.terminal.screen import make_console
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.players import seconds_to_decide
from qwixx.text.catalogue import t
from qwixx.text.notation import read_lucky
from qwixx.text.record import MAX_RECORD_CHARS, read_record
from qwixx.variants import load
from qwixx.variants.model import Variant


@click.command("play")
@click.argument("variant", type=VARIANT, required=False)
@click.option("--seats", type=int, metavar="N", help="How many play, bots included.")
@click.option(
    "--bots",
    metavar="N|NAMES",
    help="How many bots, or which (qwixx players lists them). Defaults to one if you play alone.",
)
@click.option("--names", "people", metavar="A,B", help="The people at this keyboard, such as Anna,Max.")
@click.option("--seed", type=int, metavar="S", help="Roll the same dice again.")
@click.option("--sheet", metavar="SHEET", help="Card games: classic, gemixxt-a or gemixxt-b.")
@click.option("--lucky", metavar="PADS", help="Longo: the two lucky numbers of each seat, such as 6/11,5/10.")
@click.option("--pads", metavar="PADS", help="Connected A and B: the pad of each seat, such as CAB, or lot.")
@click.option("--real-dice", is_flag=True, help="Roll your own dice and type what they show.")
@BOT_SECONDS
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Save the game in this file.")
@click.option("--resume", is_flag=True, help="Resume the last unfinished game, or the one in --record.")
@LANG
def play_command(
    variant: str | None,
    seats: int | None,
    bots: str | None,
    people: str | None,
    seed: int | None,
    sheet: str | None,
    lucky: str | None,
    pads: str | None,
    real_dice: bool,
    bot_seconds: float | None,
    record: Path | None,
    resume: bool,
) -> None:
    """
    Play VARIANT here, with people at this keyboard and bots.

    Without VARIANT you choose from a menu. The game is saved after every step. A custom bot is a class in a file, such
    as my_bot.py:MyBot; to resume its game, name it again.

    Example: qwixx play classic

    Example: qwixx play cards --names Anna,Max --bots strong

    Example: qwixx play longo --seats 2 --lucky 6/11,5/10

    Example: qwixx play examples/sheets/connected-a.toml --seats 3 --pads CAB

    Example: qwixx play --resume
    """
    console = make_console()
    if resume:
        own_sheet = variant if variant and variant.endswith(".toml") else None
        if variant != own_sheet or any(option is not None for option in (seats, people, seed, sheet, lucky, pads)):
            raise QwixxError(t("cli.error.resumed"))
        table = _resumed(console, record, own_sheet, bots, real_dice=real_dice, bot_seconds=bot_seconds)
    else:
        if record is not None and record.is_file() and record.stat().st_size:
            raise QwixxError(t("cli.error.exists", file=repr(str(record)), option="--resume"))
        name = variant or choose_game(console)
        if name is None:
            return
        loaded = load(name, sheet)
        players = seat_participants(loaded, seats, bots, people)
        if real_dice and loaded.is_cards:
            raise QwixxError(t("cli.error.no-dice", game=loaded.id))
        pairs = _lucky(loaded, lucky, len(players))
        seconds_to_decide(bot_seconds)
        game = Game(loaded, len(players), seed=seed, lucky=pairs, pads=pads)
        saver = Saver(record or new_file(loaded.id), players)
        table = Table(console, game, players, saver, real_dice=real_dice, bot_seconds=bot_seconds)
    try:
        with raising_on_interrupt(table.say_goodbye):
            table.play()
    except KeyboardInterrupt:
        table.say_goodbye()
        raise SystemExit(INTERRUPTED) from None


def _lucky(variant: Variant, lucky: str | None, seats: int) -> list[str] | None:
    """Read the lucky numbers of all seats, if they were given."""
    if lucky is None:
        return None
    pairs = [pair.strip() for pair in lucky.split(",")]
    for pair in pairs:
        read_lucky(variant, pair)
    if len(pairs) != seats:
        raise QwixxError(t("cli.error.lucky-pairs", n=seats, example="6/11"))
    return pairs


def _resumed(
    console: Console,
    record: Path | None,
    own_sheet: str | None,
    bots: str | None,
    *,
    real_dice: bool,
    bot_seconds: float | None,
) -> Table:
    """Resume a game from its record; decisions made at the keyboard can still be undone."""
    path = record or unfinished()
    text = read_text(str(path), MAX_RECORD_CHARS)
    steps = read_record(text).steps
    seconds_to_decide(bot_seconds)
    game, players, decided, unseen, told = None, list[Participant](), list[int](), UnseenEvents(), 0
    for number, game in enumerate(Game.replay(text, variant=own_sheet, copies=False)):
        players = players or _participants_of(text, game, bots, path)
        unseen.add(number - 1, sentences_of(game.events[told:], [player.name for player in players]))
        told = len(game.events)
        seat = steps[number].seat if number < len(steps) else None
        if seat is not None and seat < game.seats and players[seat].is_person and len(game.legal(seat)) > 1:
            decided.append(number)
            unseen.decided(seat)
    assert game is not None
    if game.is_over:
        raise QwixxError(t("cli.error.over", file=repr(str(path)), command=suggested("replay", str(path))))
    if real_dice and game.variant.is_cards:
        raise QwixxError(t("cli.error.no-dice", game=game.variant.id))
    table = Table(console, game, players, Saver(path, players), real_dice=real_dice, bot_seconds=bot_seconds)
    table.steps, table.decided, table.prompter.unseen = len(steps), decided, unseen
    return table


def _participants_of(text: str, game: Game, bots: str | None, path: Path) -> list[Participant]:
    """Return the participants that the record names, or the default ones."""
    known = read_participants(text, game.seats)
    if known is None:
        if bots is not None:
            raise QwixxError(t("cli.error.no-names", option="--bots"))
        return seat_participants(game.variant, game.seats, None, None)
    return restore_participants(game.variant, known, bots, lambda own: resume_command(path, own))
