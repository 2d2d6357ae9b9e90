"""`qwixx learn`: a guided first game, one idea at a time."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from qwixx.base.languages import current_language
from qwixx.cli.app import VARIANT
from qwixx.cli.table.drawing import choices_text, draw_middle, draw_sheet
from qwixx.cli.table.input_parser import read_choice
from qwixx.cli.terminal.keyboard import EndOfInputError, Keyboard
from qwixx.cli.terminal.language import LANG, suggested
from qwixx.cli.terminal.screen import make_console, say
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.text.catalogue import t
from qwixx.text.labels import refusal_text
from qwixx.tutorial import READER, lesson, play_line
from qwixx.variants import load

_MOST_LISTED = 12


@click.command("learn")
@click.argument("variant", type=VARIANT, default="classic")
@LANG
@click.option("--from", "first", type=click.IntRange(1), default=1, metavar="N", help="Begin at step N.")
def learn_command(variant: str, first: int) -> None:
    """
    Learn VARIANT by playing: classic in ninety seconds, what differs in the others in a minute.

    Example: qwixx learn

    Example: qwixx learn longo --lang de
    """
    chosen = load(variant)
    if not chosen.builtin:
        raise QwixxError(t("cli.learn.sheet", command=suggested("rules", variant)))
    steps = lesson(chosen.id)
    if first > len(steps):
        raise QwixxError(t("cli.learn.no-step", n=len(steps), step=first))
    console = make_console()
    say(console, t("cli.learn"), "dim")
    _Lesson(console, chosen.id).take(first - 1)


class _Lesson:
    """One reader going through the steps."""

    def __init__(self, console: Console, name: str) -> None:
        """Open the lesson of a game, in the language of the terminal."""
        self.console = console
        self.keyboard = Keyboard(console)
        self.name = name
        self.language = current_language()
        self.people = (t("today.row.you"), t("train.other"))
        self.steps = lesson(name)
        self.answers = [step.asks[0] if step.asks else "" for step in self.steps]

    def take(self, at: int) -> None:
        """Play step by step, until the last is done or the reader leaves."""
        while at < len(self.steps):
            try:
                at += self._step(at)
            except EndOfInputError:
                again = suggested("learn", self.name, "--from", str(at + 1))
                say(self.console, t("cli.learn.later", command=again), whole=True)
                return
        say(self.console, t("cli.learn.play", command=suggested("play", self.name)), whole=True)

    def _step(self, at: int) -> int:
        """Show a step until it is done; return by how many steps to move."""
        step, game = self.steps[at], self._game_at(at)
        self.console.print()
        draw_sheet(self.console, game.variant, game.view(READER), READER, game.legal(READER), self.people)
        draw_middle(self.console, game.variant, game.view(READER))
        say(self.console, Text.assemble((f"{at + 1}/{len(self.steps)} ", "dim"), (step.says[self.language], "bold")))
        if step.shows == "points":
            say(self.console, _points(game))
        elif step.asks and len(game.legal(READER)) <= _MOST_LISTED:
            legal = game.legal(READER)
            say(self.console, choices_text(legal, range(len(legal)), self.console.width))
        while True:
            line = self.keyboard.ask(f"{self.people[READER]}> ")
            match line.lower():
                case "back":
                    return -1 if at else 0
                case "quit" | "exit" | "q":
                    raise EndOfInputError
                case "?" | "help" | "h":
                    say(self.console, t("cli.learn"), "dim")
                    say(self.console, step.says[self.language])
                    continue
                case "":
                    self._skip(at, game)
                    break
            if self._is_done(at, game, line):
                break
        self._show_done(at)
        return 1

    def _game_at(self, at: int) -> Game:
        """Return the game at the task of a step."""
        first = max(place for place in range(at + 1) if self.steps[place].start)
        game = Game.from_position(self.steps[first].start)
        for place in range(first, at):
            self._play_step(game, place)
        for line in self.steps[at].plays:
            play_line(game, line)
        return game

    def _play_step(self, game: Game, place: int) -> None:
        """Play a whole step, with the reader's answer."""
        step, answer = self.steps[place], self.answers[place]
        for line in (*step.plays, *([f"{READER} {answer}"] if answer else []), *step.then):
            play_line(game, line)

    def _skip(self, at: int, game: Game) -> None:
        """Do the step for a reader who skips it."""
        step = self.steps[at]
        for action in step.tries:
            refusal = game.why_not(READER, action)
            say(self.console, refusal_text(refusal) if refusal else "")
        legal = {action.text for action in game.legal(READER)}
        self.answers[at] = next((each for each in step.asks if each in legal), "")

    def _is_done(self, at: int, game: Game, line: str) -> bool:
        """Check a typed line; print what is wrong if it is not the task of the step."""
        step = self.steps[at]
        if step.picks:
            if line == str(step.right):
                return True
            crosses = game.variant.points.index(step.right or 0) + 1
            say(self.console, t("learn.not-right", n=crosses))
            return False
        try:
            choice = read_choice(game, READER, game.legal(READER), line)
        except QwixxError as error:
            say(self.console, str(error))
            return "".join(line.split()).lower() in {each.lower() for each in step.tries}
        if choice in step.asks:
            self.answers[at] = choice
            return True
        say(self.console, t("error.lesson-other"))
        return False

    def _show_done(self, at: int) -> None:
        """Show the result of the step, and its closing text."""
        game = self._game_at(at)
        step, answer = self.steps[at], self.answers[at]
        for line in (*([f"{READER} {answer}"] if answer else []), *step.then):
            play_line(game, line)
        if answer:
            draw_sheet(self.console, game.variant, game.view(READER), READER, (), self.people)
        say(self.console, step.done[self.language])


def _points(game: Game) -> str:
    """Return the table of points for a row."""
    return "  ".join(f"{count}={worth}" for count, worth in enumerate(game.variant.points, 1))
