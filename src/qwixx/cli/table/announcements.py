"""Announcements of a game in the terminal: the start, each turn, events, the result."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from qwixx.cli.table.drawing import draw_sheets
from qwixx.cli.table.event_sentences import outcome_sentences, sentences_of
from qwixx.cli.table.participants import Participant
from qwixx.cli.table.saves import Saver, resume_command
from qwixx.cli.terminal.language import suggested
from qwixx.cli.terminal.pages import News, heading
from qwixx.cli.terminal.screen import say
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.players import is_file
from qwixx.text.catalogue import t
from qwixx.text.labels import game_name


def hello(news: News, game: Game, players: list[Participant]) -> None:
    """Tell the game and its players, with the levels of bots."""
    variant = game.variant
    about = t(f"game.{variant.id}.about") if variant.builtin else variant.title
    news.say(f"{game_name(variant)}: {about}", "bold", must_show=True)
    news.say(t("cli.hello", names=", ".join(player.title for player in players)), must_show=True)
    lucky = ["/".join(map(str, sheet.lucky)) for sheet in game.view().sheets if sheet.lucky]
    if lucky:
        pairs = [f"{name} {pair}" for name, pair in zip(_names(players), lucky, strict=True)]
        news.say(t("cli.lucky", pairs=", ".join(pairs)), must_show=True)


def turn(news: News, game: Game, players: list[Participant]) -> None:
    """Tell whose turn begins, and the points of all players."""
    news.head(t("cli.turn", turn=game.turn, name=players[game.active].name, points=points(game, players)))


def points(game: Game, players: list[Participant]) -> str:
    """Return the points of all players as text."""
    return ", ".join(f"{name} {score}" for name, score in zip(_names(players), game.scores(), strict=True))


def events(news: News, players: list[Participant], happened: Iterable[Event]) -> list[str]:
    """Tell events as sentences, and return the sentences."""
    sentences = sentences_of(happened, _names(players))
    for sentence in sentences:
        news.say(f"  {sentence}")
    return sentences


def goodbye(console: Console, saver: Saver) -> None:
    """Print where the game is saved and how to continue it."""
    console.print()
    say(console, saver.where(), whole=True)
    if not saver.problem:
        own = [player.bot for player in saver.players if is_file(player.bot)]
        say(console, t("cli.continue", command=resume_command(saver.path, own)), whole=True)


def result(console: Console, game: Game, players: list[Participant], saver: Saver) -> None:
    """Print the result, with all sheets."""
    outcome = game.outcome()
    assert outcome is not None
    console.print()
    console.print(heading(console, t("cli.end")))
    draw_sheets(console, game.variant, game.reveal(), _names(players))
    for sentence in outcome_sentences(outcome, game.variant, _names(players)):
        say(console, sentence, "bold")
    say(console, t("cli.points", points=points(game, players)))
    say(console, saver.where(), whole=True)
    if not saver.problem:
        say(console, t("cli.replay", command=suggested("replay", str(saver.path))), whole=True)


def _names(players: list[Participant]) -> list[str]:
    return [player.name for player in players]
