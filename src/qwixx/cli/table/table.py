"""A game at one keyboard: people are asked one after another, bots decide for themselves."""

from __future__ import annotations

from rich.console import Console

from qwixx.cli import announcing
from qwixx.cli.asking import Asker, LeaveError, UndoError
from qwixx.cli.inviting import prepare_optimal
from qwixx.cli.keyboard import EndOfInputError
from qwixx.cli.participants import Participant
from qwixx.cli.saves import Saver
from qwixx.cli.screen import say, wipe
from qwixx.events import Event
from qwixx.game import Game
from qwixx.notation import Action
from qwixx.players import Player, PlayerFailed, QuestionThread, find, seconds_to_decide, take_seat
from qwixx.question import seed_of


class Table:
    """One game with everybody who plays it."""

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
        Sit down; the game may have begun already.

        Bots may be classes in files: whoever opens the table has made sure that the user named them.
        """
        self.console = console
        self.game = game
        self.players = players
        self.saver = saver
        self.real_dice = real_dice
        self.asker = Asker(console, game, players)
        self.bots = self._seat_bots(bot_seconds)
        self.silent: set[int] = set()
        """Seats of bots that once never answered; they are not asked again."""
        self.steps = 0
        self.decided: list[int] = []
        """How many steps lay before each decision made at the keyboard: where undoing goes back to."""

    def _seat_bots(self, bot_seconds: float | None) -> dict[int, Player]:
        game, thread = self.game, QuestionThread(seconds_to_decide(bot_seconds))
        seats = [seat for seat, player in enumerate(self.players) if player.bot]
        pads = [(sheet.lucky[0], sheet.lucky[1]) for sheet in game.view().sheets if sheet.seat in seats and sheet.lucky]
        prepare_optimal(game.variant, [player.bot for player in self.players], pads)
        return {
            seat: take_seat(
                find(self.players[seat].bot, files=True),
                game.variant,
                game.seats,
                seed=seed_of(game.question(seat).luck, seat),
                pads=pads,
                thread=thread,
            )
            for seat in seats
        }

    def play(self) -> bool:
        """Play to the end, or until somebody leaves; tell whether the game came to its end."""
        announcing.hello(self.console, self.game, self.players)
        self._say_where_it_stands()
        self._save()
        try:
            while not self.game.is_over:
                try:
                    self._go_on()
                except UndoError:
                    self._undo()
        except (LeaveError, EndOfInputError):
            self.say_goodbye()
            return False
        announcing.result(self.console, self.game, self.players, self.saver)
        return True

    def _say_where_it_stands(self) -> None:
        """Say whose turn it is where a game goes on, and what the one who is asked has missed."""
        if not self.steps or self.game.awaits_chance or self.asker.hides_hands:
            return
        announcing.turn(self.console, self.game, self.players)
        for sentence in self.asker.news.since(self.game.deciders()[0]):
            say(self.console, f"  {sentence}")

    def say_goodbye(self) -> None:
        """Say where the game lies and how to go on with it; a hand that others shall not see goes first."""
        if self.asker.hides_hands:
            wipe(self.console)
        announcing.goodbye(self.console, self.saver)

    def _go_on(self) -> None:
        """Make the next step, whoever's it is."""
        game = self.game
        if game.awaits_chance:
            if game.phase == "roll":
                announcing.turn(self.console, game, self.players)
            self._step(self.asker.ask_dice() if self.real_dice and game.phase == "roll" else game.roll())
            return
        seat = game.deciders()[0]
        legal = game.legal(seat)
        if game.phase == "draw":
            announcing.turn(self.console, game, self.players)
        if seat in self.bots:
            self._step(game.decide(seat, self._bot_choice(seat, legal)))
        elif len(legal) == 1:
            say(self.console, f"  {self.players[seat].name} can only {legal[0]}.", "dim")
            self._step(game.decide(seat, legal[0]))
        else:
            happened = game.decide(seat, self.asker.ask(seat, legal))
            self.decided.append(self.steps)
            self.asker.news.decided(seat)
            self._step(happened)

    def _bot_choice(self, seat: int, legal: list[Action]) -> Action:
        """Ask a bot; if it fails it is told so, and it passes or takes the first thing that is legal."""
        if seat not in self.silent:
            try:
                return self.bots[seat].answer(self.game.question(seat))
            except PlayerFailed as failed:
                if failed.is_late:
                    self.silent.add(seat)
                say(self.console, f"  {failed} {self.players[seat].name} is decided for.", "bold")
        return next((action for action in legal if action.text == "pass"), legal[0])

    def _step(self, happened: list[Event]) -> None:
        self.asker.news.add(self.steps, announcing.events(self.console, self.game, self.players, happened))
        self.steps += 1
        self._save()

    def _undo(self) -> None:
        """Go back to the last decision that somebody at the keyboard made."""
        if not self.decided:
            say(self.console, "Nobody at this keyboard has decided anything yet.")
            return
        goal = self.decided.pop()
        while self.steps > goal:
            self.game.undo()
            self.steps -= 1
        self.asker.news.take_back(goal)
        say(self.console, "Taken back.")
        self._save()

    def _save(self) -> None:
        problem = self.saver.save(self.game)
        if problem:
            say(self.console, problem, "bold")
