"""Asks a person for a decision: shows the sheet and the choices, and runs commands such as `undo` and `?`."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from qwixx.cli.table import announcements
from qwixx.cli.table.drawing import choices_text, decision_parts, draw_sheets
from qwixx.cli.table.help import EXAMPLE_ROLL, explain, explain_rule
from qwixx.cli.table.input_parser import read_choice, read_why
from qwixx.cli.table.participants import Participant
from qwixx.cli.table.saves import write_game
from qwixx.cli.table.unseen_events import UnseenEvents
from qwixx.cli.terminal.keyboard import Keyboard
from qwixx.cli.terminal.pages import News, is_screen, lines_of, pages
from qwixx.cli.terminal.screen import keeps_what_scrolled, say, wipe
from qwixx.errors import QwixxError, RefusedError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.game.view import View
from qwixx.text.catalogue import t
from qwixx.text.labels import error_text
from qwixx.text.notation import Action

_PROMPT_LINES = 1
_HINTED = 3
"""Choices that a hint shows."""


class LeaveError(Exception):
    """A person leaves the game; it is saved."""


class UndoError(Exception):
    """A person takes back the last decision."""


class Prompter:
    """Asks people for decisions and dice; after a line that it does not understand it asks again."""

    def __init__(self, console: Console, game: Game, players: list[Participant]) -> None:
        """Prepare the keyboard for these players."""
        self.console = console
        self.keyboard = Keyboard(console)
        self.news = News(console, self.keyboard)
        self.game = game
        self.players = players
        self.names = [player.name for player in players]
        self.shares = sum(player.is_person for player in players) > 1
        self.hides_hands = game.variant.is_cards and self.shares
        self.at_keyboard: int | None = None
        self.unseen = UnseenEvents()

    def ask(self, seat: int, legal: list[Action]) -> str:
        """Ask a seat until it chooses a legal action."""
        self._show(seat, comes=self._hand_over(seat))
        while True:
            line = self._line(f"{self.names[seat]}> ", seat)
            try:
                return read_choice(self.game, seat, legal, line)
            except QwixxError as error:
                say(self.console, t("cli.again", reason=str(error)))

    def ask_dice(self) -> list[Event]:
        """Ask for the faces of real dice, until they can be parsed."""
        gone = self.game.gone
        order = " ".join("-" if color in gone else color for color in "rygb")
        question = Text(t("cli.ask.dice", order=order, example=EXAMPLE_ROLL))
        self.news.show(self._room(question))
        say(self.console, question)
        while True:
            line = self._line(f"{t('cli.dice')}> ", None)
            faces = [letter for letter in line if letter.isdecimal()]
            if len(faces) == 6 - len(gone):  # people omit the dice that left the game
                colors = iter(faces[2:])
                line = "".join(faces[:2]) + "/" + "".join("-" if color in gone else next(colors) for color in "rygb")
            try:
                return self.game.roll() if line.lower() == "roll" else self.game.set_roll(line)
            except RefusedError as error:
                say(self.console, t("cli.again", reason=error_text(error)))
            except QwixxError:
                say(self.console, t("cli.again", reason=t("cli.unreadable.dice", text=line[:40])))

    def _hand_over(self, seat: int) -> bool:
        """
        Hand the keyboard to another person if necessary; return whether the person changed.

        In a card game the screen is cleared, so that no hand stays visible.
        """
        if not self.shares or self.at_keyboard == seat:
            return False
        if self.hides_hands:
            self.news.drop()
            wipe(self.console)
            self.keyboard.clear_history()
            if self.console.is_terminal and keeps_what_scrolled():
                say(self.console, t("cli.scrollback"), "dim")
            if self.keyboard.ask(f"{t('cli.hand-over', name=self.names[seat])} ").lower() == "quit":
                raise LeaveError
        self.at_keyboard = seat
        return True

    def _show(self, seat: int, *, comes: bool) -> None:
        """Show the news and what a person needs to decide; on a screen both together fit."""
        question = Text(self._question(self.game.view(seat), self.names[seat]))
        question.stylize("bold", 0, len(self.names[seat]))
        below = [*(self._whose_turn(seat) if comes else ()), question]
        parts = decision_parts(self.console, self.game, seat, self.names, below, self._room(Text()))
        if comes and self.hides_hands and self.console.is_terminal:
            for sentence in self.unseen.since(seat):
                self.news.say(f"  {sentence}")
        self.news.show(self._room(Text(), *parts))
        self.console.print()
        for part in parts:
            say(self.console, part)

    def _room(self, *parts: Text) -> int | None:
        """Return how many lines of the screen are left beside some parts and the prompt; None without a screen."""
        if not is_screen(self.console, self.keyboard):
            return None
        return self.console.height - _PROMPT_LINES - lines_of(self.console, *parts)

    def _whose_turn(self, seat: int) -> list[Text]:
        """Return whose turn it is, for a person who comes to the keyboard."""
        key = "cli.turn.yours" if seat == self.game.active else "cli.turn.of"
        return [Text(t(key, turn=self.game.turn, name=self.names[self.game.active]), "dim")]

    def _question(self, view: View, name: str) -> str:
        """Return the question of the phase to a player."""
        white_sum = sum(int(die) for die in (view.dice or "")[:2])
        key = f"cli.ask.{view.phase}{'.duel' if self.game.variant.is_duel else ''}"
        return t(key, name=name, sum=white_sum, number=view.number or 0)

    def _line(self, prompt: str, seat: int | None) -> str:
        """Run commands until a line is not a command, and return that line."""
        while True:
            line = self.keyboard.ask(prompt)
            word, _, rest = line.partition(" ")
            if not line:
                say(self.console, t("cli.type"))
            elif not self._run_command(word.lower(), rest.strip(), seat):
                return line

    def _run_command(self, word: str, rest: str, seat: int | None) -> bool:
        """Run a command; return whether it was one."""
        match word:
            case "?" | "help":
                with pages(self.console, self.keyboard):
                    if rest:
                        explain_rule(self.console, rest, self.game.variant)
                    else:
                        explain(self.console, self.game)
            case "why":
                say(self.console, read_why(self.game, self.game.active if seat is None else seat, rest))
            case "hint" if seat is not None:
                self._hint(seat)
            case "review":
                say(self.console, t("cli.review.later"))
            case "list" if seat is not None:
                legal = self.game.legal(seat)
                with pages(self.console, self.keyboard):
                    say(self.console, choices_text(legal, range(len(legal)), self.console.width))
            case "sheet":
                with pages(self.console, self.keyboard):
                    draw_sheets(self.console, self.game.variant, self.game.view(seat), self.names)
            case "score":
                say(self.console, t("cli.score", points=announcements.points(self.game, self.players)))
            case "undo":
                raise UndoError
            case "save":
                self._save(rest)
            case "quit" | "exit":
                self._quit()
            case _:
                return False
        return True

    def _hint(self, seat: int) -> None:
        """Show the coach's best choices with reasons, from what the seat may see."""
        say(self.console, t("hint.waits"), "dim")
        from qwixx.cli.table.coach import show_hint  # noqa: PLC0415 - a game need not wait for the coach
        from qwixx.coach.hints import hint  # noqa: PLC0415 - as above

        try:
            found = hint(self.game, seat)
        except QwixxError as error:
            say(self.console, error_text(error))
            return
        with pages(self.console, self.keyboard, above=1):
            show_hint(self.console, found, _HINTED)

    def _save(self, name: str) -> None:
        if not name:
            say(self.console, t("cli.save.name", example=f"save {self.game.variant.id}.qwixx"))
            return
        try:
            write_game(Path(name), self.game, self.players)
            say(self.console, t("cli.save", file=name))
        except QwixxError as error:
            say(self.console, str(error))

    def _quit(self) -> None:
        yes = ("yes", t("cli.yes"))
        if self.keyboard.ask(f"{t('cli.leave')} ").lower() in (*yes, *(word[0] for word in yes)):
            raise LeaveError
