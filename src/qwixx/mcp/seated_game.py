"""One game of an assistant: seats of bots and of the assistant, and the exact regret of each solitaire decision."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from qwixx.coach import Analysis, Hint, analyse, find_judge, hint
from qwixx.coach.judges.judge import Judge
from qwixx.coach.reasons.sentences import joined, reasons_of, sentence
from qwixx.errors import QwixxError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.game.question import private_seed
from qwixx.players import Player, check_plays, find
from qwixx.players.built_in.optimal import OPTIMAL, is_solved
from qwixx.solver import advise, lucky_of
from qwixx.text.arguments import with_noun


class Measured(Struct, frozen=True):
    """A solitaire decision and its exact regret: the expected points lost against the best action."""

    turn: int
    phase: str
    action: str
    best: str
    regret: float


class Explained(Struct, frozen=True):
    """A legal action, and what speaks for and against it."""

    action: str
    why: str


class SeatedGame:
    """A game with bots on its last seats. Chance and bots never wait for the assistant."""

    def __init__(self, game: Game, bots: Sequence[str]) -> None:
        """Seat the bots, and play until a seat of the assistant has to decide. Raises `QwixxError`."""
        own = game.seats - len(bots)
        if own < 1:
            bots_named, seats_named = with_noun(len(bots), "bot"), with_noun(game.seats, "seat")
            raise QwixxError(f"{bots_named} and {seats_named} leave no seat to you: name more seats or fewer bots.")
        self.game = game
        self.bots = dict(enumerate(bots, own))
        """The names of the bots by their seats."""
        self.own = tuple(range(own))
        """The seats of the assistant."""
        self._players = {seat: _sit(game, seat, name) for seat, name in self.bots.items()}
        self.hints = 0
        """How often the coach was asked."""
        self.measured: list[Measured] = []
        self.is_measured = game.seats == 1 and OPTIMAL.plays(game.variant, 1) and _is_solved(game)
        """Whether decisions have an exact regret: solitaire on a sheet that is solved on this computer."""
        self.advance()

    def advance(self) -> list[Event]:
        """Roll and let the bots decide, until a seat of the assistant has to decide or the game is over."""
        before = len(self.game.events)
        while not self.game.is_over:
            if self.game.awaits_chance:
                self.game.roll()
                continue
            deciding = [seat for seat in self.game.deciders() if seat in self._players]
            if not deciding:
                break
            chosen = [(seat, self._players[seat].answer(self.game.question(seat))) for seat in deciding]
            for seat, action in chosen:
                self.game.decide(seat, action)
        self.game.make_final()
        return list(self.game.events[before:])

    def deciding_seat(self, seat: int | None) -> int:
        """Return the seat of the assistant that is meant. Raises `QwixxError` for a bot's seat."""
        if seat is not None:
            return self.own_seat(seat)
        deciding = [each for each in self.game.deciders() if each in self.own]
        if len(deciding) > 1:
            raise QwixxError(f"Seats {', '.join(map(str, deciding))} have to decide: say which one is meant by `seat`.")
        return self.next_seat()

    def next_seat(self) -> int:
        """Return the first seat of the assistant that has to decide; if there is none, its first seat."""
        return next((seat for seat in self.game.deciders() if seat in self.own), self.own[0])

    def own_seat(self, seat: int) -> int:
        """Return a seat of the assistant. Raises `QwixxError` for any other."""
        if seat in self.bots:
            raise QwixxError(f"Seat {seat} belongs to the bot {self.bots[seat]}.")
        if seat not in self.own:
            raise QwixxError(f"Seats are numbered from 0 to {self.game.seats - 1}; there is no seat {seat}.")
        return seat

    def decide(self, seat: int, action: str) -> list[Event]:
        """Decide for a seat, and measure the decision if that is possible. Raises `QwixxError` and changes nothing."""
        refusal = self.game.why_not(seat, action)
        if refusal is not None:
            raise refusal.error()
        choices = advise(self.game) if self.is_measured else []
        turn, phase = self.game.turn, self.game.phase
        events = self.game.decide(seat, action)
        step = self.game.last_step
        assert step is not None
        self.measured += [
            Measured(turn, phase, step.text, choices[0].action.text, choice.loss)
            for choice in choices
            if choice.action.text == step.text
        ]
        return events + self.advance()

    def legal(self, seat: int, language: str) -> list[Explained]:
        """Return the legal actions of a seat, each with its reasons as a text."""
        actions = self.game.legal(seat)
        variant = self.game.variant
        return [
            Explained(action.text, joined([sentence(variant, reason, language) for reason in reasons], language))
            for action, reasons in zip(actions, reasons_of(self.game, seat, actions), strict=True)
        ]

    def hint(self, seat: int) -> Hint:
        """Ask the coach. Raises `QwixxError` if the seat has nothing to decide."""
        found = hint(self.game, seat, by=self._judge())
        self.hints += 1
        return found

    def review(self) -> Analysis:
        """Review the finished game. Raises `QwixxError` while it is not over, because a record shows what is hidden."""
        if not self.game.is_over:
            raise QwixxError("A review is possible when the game is over.")
        return analyse(self.game, by=self._judge())

    def _judge(self) -> Judge:
        """Return the best judge that is at hand; nothing is solved here, which may take an hour."""
        return find_judge(self.game, at_hand=True)


def _is_solved(game: Game) -> bool:
    lucky = lucky_of(game)
    return is_solved(game.variant, lucky and (lucky,))


def _sit(game: Game, seat: int, name: str) -> Player:
    """Seat a built-in player that needs no preparation. Raises `QwixxError`."""
    player = find(name)
    if not player.is_built_in:
        raise QwixxError(f"Only built-in players are bots here, and {name!r} is none of them.")
    check_plays(player, game.variant, game.seats)
    if player is OPTIMAL:
        raise QwixxError(f"{name!r} has to solve the game first, which may take an hour; choose another bot.")
    return player.sit(game.variant, game.seats, seed=private_seed(game.question(seat).luck, seat))
