"""Plays a game at one keyboard: asks people in turn, and lets bots decide."""

from __future__ import annotations

from rich.console import Console

from qwixx.cli.table import announcements
from qwixx.cli.table.drawing import draw_sheets
from qwixx.cli.table.participants import Participant
from qwixx.cli.table.prompt import LeaveError, Prompter, UndoError
from qwixx.cli.table.saves import Saver
from qwixx.cli.terminal.bot_options import prepare_optimal
from qwixx.cli.terminal.keyboard import EndOfInputError
from qwixx.cli.terminal.pages import pages
from qwixx.cli.terminal.screen import say, wipe
from qwixx.errors import QwixxError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.game.question import private_seed
from qwixx.players import Player, PlayerFailed, PlayerThread, find, instantiate_supervised, seconds_to_decide
from qwixx.text.catalogue import listed, t
from qwixx.text.labels import error_text, row_name
from qwixx.text.notation import Action


class Table:
    """One game with its players."""

    def __init__(
        self,
        console: Console,
        game: Game,
        players: list[Participant],
        saver: Saver,
        *,
        real_dice: bool,
        bot_seconds: float | None = None,
    ) -> None:
        """
        Set up the table; the game may have begun already.

        Bots may be classes in files: the caller has made sure that the user named these files.
        """
        self.console = console
        self.game = game
        self.players = players
        self.saver = saver
        self.real_dice = real_dice
        self.prompter = Prompter(console, game, players)
        self.news = self.prompter.news
        self.bots = self._seat_bots(bot_seconds)
        self.silent: set[int] = set()
        """Seats of bots that missed their time limit; they are not asked again."""
        self.steps = 0
        self.decided: list[int] = []
        """The number of steps before each decision made at the keyboard: the targets of `undo`."""

    def _seat_bots(self, bot_seconds: float | None) -> dict[int, Player]:
        game, thread = self.game, PlayerThread(seconds_to_decide(bot_seconds))
        seats = [seat for seat, player in enumerate(self.players) if player.bot]
        pads = [(sheet.lucky[0], sheet.lucky[1]) for sheet in game.view().sheets if sheet.seat in seats and sheet.lucky]
        prepare_optimal(game.variant, [player.bot for player in self.players], pads)
        return {
            seat: instantiate_supervised(
                find(self.players[seat].bot, files=True),
                game.variant,
                game.seats,
                seed=private_seed(game.question(seat).luck, seat),
                pads=pads,
                thread=thread,
            )
            for seat in seats
        }

    def play(self) -> bool:
        """Play to the end, or until a person leaves; return whether the game ended."""
        announcements.hello(self.news, self.game, self.players)
        self._announce_position()
        self._save()
        try:
            while not self.game.is_over:
                try:
                    self._next_step()
                except UndoError:
                    self._undo()
        except (LeaveError, EndOfInputError):
            self.say_goodbye()
            return False
        with pages(self.console, self.prompter.keyboard):
            self.news.show()
            announcements.result(self.console, self.game, self.players, self.saver)
        self._look_back()
        return True

    def _look_back(self) -> None:
        """After the game: show its review or its sheets, until a person leaves."""
        if not any(player.is_person for player in self.players):
            return
        keyboard = self.prompter.keyboard
        while True:
            try:
                word = keyboard.ask(f"{t('cli.after')} ").lower()
            except EndOfInputError:
                return
            match word:
                case "review":
                    self._review()
                case "sheet":
                    with pages(self.console, keyboard):
                        draw_sheets(self.console, self.game.variant, self.game.reveal(), self.prompter.names)
                case "" | "quit" | "exit" | "q":
                    return
                case _ if not keyboard.is_terminal:  # the lines of a pipe were for the game
                    return

    def _review(self) -> None:
        """Show the review of the game, as `qwixx analyse` does."""
        from qwixx.cli.table.coach import (  # noqa: PLC0415 - a game need not wait for the coach
            review_with_progress,
            show_review,
        )

        try:
            found = review_with_progress(self.game.record(), self.game.variant)
        except QwixxError as error:
            say(self.console, error_text(error))
            return
        with pages(self.console, self.prompter.keyboard, above=1):  # below the progress bar
            show_review(self.console, found, self.prompter.names, everything=False, positions=False)

    def _announce_position(self) -> None:
        """After a resume, print whose turn it is, and the events since the last decision of the next person."""
        if not self.steps or self.game.awaits_chance or self.prompter.hides_hands:
            return
        announcements.turn(self.news, self.game, self.players)
        for sentence in self.prompter.unseen.since(self.game.deciders()[0]):
            self.news.say(f"  {sentence}")

    def say_goodbye(self) -> None:
        """Print where the game is saved and how to continue it; clear the screen first if it may show a hand."""
        if self.prompter.hides_hands:
            self.news.drop()
            wipe(self.console)
        self.news.show()
        announcements.goodbye(self.console, self.saver)

    def _next_step(self) -> None:
        """Play the next step: of chance, a bot or a person."""
        game = self.game
        if game.awaits_chance:
            if game.phase == "roll":
                announcements.turn(self.news, game, self.players)
            self._step(self.prompter.ask_dice() if self.real_dice and game.phase == "roll" else game.roll())
            return
        seat = game.deciders()[0]
        legal = game.legal(seat)
        if game.phase == "draw":
            announcements.turn(self.news, game, self.players)
        if seat in self.bots:
            self._decide(seat, self._bot_choice(seat, legal).text)
        elif len(legal) == 1:
            only = t("cli.only", name=self.players[seat].name, action=str(legal[0]))
            self.news.say(f"  {only}", "dim")
            self._step(game.decide(seat, legal[0]))
        else:
            self._ask(seat, legal)

    def _ask(self, seat: int, legal: list[Action]) -> None:
        """Ask a person, and decide as they say; the same choice again changes nothing."""
        action = self.prompter.ask(seat, legal)
        if self.game.view(seat).choice != action:
            self.decided.append(self.steps)
            self.prompter.unseen.decided(seat)
            self._decide(seat, action)

    def _decide(self, seat: int, action: str) -> None:
        """Decide for a seat. Among people, announce a closing while the window is open (C14)."""
        game = self.game
        is_announced = self.prompter.shares and not game.variant.is_cards
        rows = game.preview(seat, action).closes if is_announced else ()
        self._step(game.decide(seat, action))
        if not rows or game.view(seat).choice is None:
            return
        told = t("announced.by", n=1, names=self.players[seat].name, rows=listed(map(row_name, rows)))
        self.news.say(f"  {told}", "bold")
        for other, player in enumerate(self.players):
            if player.is_person and self._may_join(other, rows):
                self.news.say(f"  {player.name}: {t('announced.join', n=len(rows))}")
                self._ask(other, game.legal(other))

    def _may_join(self, seat: int, rows: tuple[str, ...]) -> bool:
        """Return whether a seat has decided, is not bound by a closing of its own, and can close one of these rows."""
        game = self.game
        choice = game.view(seat).choice
        if choice is None or game.preview(seat, choice).closes:
            return False
        return any(set(rows) & set(game.preview(seat, action).closes) for action in game.legal(seat))

    def _bot_choice(self, seat: int, legal: list[Action]) -> Action:
        """Ask a bot; if it fails, report that, and pass or take the first legal action."""
        if seat not in self.silent:
            try:
                return self.bots[seat].answer(self.game.question(seat))
            except PlayerFailed as failed:
                if failed.is_late:
                    self.silent.add(seat)
                stands_in = t("cli.stands-in", reason=str(failed), name=self.players[seat].name)
                self.news.say(f"  {stands_in}", "bold")
        return next((action for action in legal if action.text == "pass"), legal[0])

    def _step(self, happened: list[Event]) -> None:
        self.prompter.unseen.add(self.steps, announcements.events(self.news, self.players, happened))
        self.steps += 1
        self._save()

    def _undo(self) -> None:
        """Go back to the last decision made at the keyboard."""
        if not self.decided:
            self.news.say(t("cli.undo.none"))
            return
        goal = self.decided.pop()
        while self.steps > goal:
            self.game.undo()
            self.steps -= 1
        self.prompter.unseen.take_back(goal)
        self.news.say(t("cli.undo"))
        self._save()

    def _save(self) -> None:
        problem = self.saver.save(self.game)
        if problem:
            self.news.say(problem, "bold", must_show=True)
