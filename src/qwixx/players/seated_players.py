"""The players of a line-up, asked for many games at once: those who remember a game have a mind for each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.kernel.records import Ints, Records
from qwixx.players.base import Pads, Player, Registered, Words
from qwixx.players.guard import PlayerFailed, QuestionThread, seconds_to_decide, take_seat
from qwixx.question import Question, seed_of
from qwixx.variants.model import Variant


class Crew:
    """The players of a line-up."""

    def __init__(
        self, variant: Variant, players: Sequence[Registered], seats: int, pads: Pads | None, seconds: float | None
    ) -> None:
        """Invite the players. Those who remember nothing sit down now, the others when a game asks for them."""
        self._variant = variant
        self._players = players
        self._seats = seats
        self._pads = pads
        self._thread = QuestionThread(seconds_to_decide(seconds))
        self._shared: dict[int, Player] = {}
        self._own: dict[tuple[int, int, int], tuple[int, Player]] = {}
        """By player, slot and seat: the luck of the game that is played there, and who plays it."""
        for place, player in enumerate(players):
            if not player.remembers:
                self._shared[place] = take_seat(player, variant, seats, pads=pads, thread=self._thread)

    def answer(self, place: int, layouts: Records, states: Records, slots: Ints, seats: Ints, lucks: Words) -> Ints:
        """
        Ask one player of the line-up about redacted states, each in its slot and for its seat.

        Raises `PlayerFailed` with the slot and the seat.
        """
        if place in self._shared:
            try:
                return self._shared[place].answer_many(layouts, states, seats, lucks)
            except PlayerFailed as failed:
                failed.slot, failed.seat = int(slots[failed.slot]), int(seats[failed.slot])
                raise
        actions = np.zeros(len(states), np.int32)
        for at in range(len(states)):
            slot, seat, luck = int(slots[at]), int(seats[at]), int(lucks[at])
            player = self._mind(place, slot, seat, luck)
            question = Question(self._variant, layouts, states[at : at + 1], seat, luck)
            try:
                actions[at] = player.answer(question).id
            except PlayerFailed as failed:
                failed.slot, failed.seat = slot, seat
                raise
        return actions

    def _mind(self, place: int, slot: int, seat: int, luck: int) -> Player:
        """Give the one who plays this game in this slot; a new one for a new game."""
        key = place, slot, seat
        if key not in self._own or self._own[key][0] != luck:
            player = take_seat(
                self._players[place],
                self._variant,
                self._seats,
                seed=seed_of(luck, seat),
                pads=self._pads,
                thread=self._thread,
            )
            self._own[key] = luck, player
        return self._own[key][1]

    def forget(self) -> None:
        """Let those go who remember a game: all games begin anew, even if they are the same once more."""
        self._own.clear()

    def close(self) -> None:
        """Let everybody go."""
        self.forget()
        self._thread.close()
