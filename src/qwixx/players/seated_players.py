"""The players of a line-up in many games at once: players with memory have an instance per game and seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.game.question import Question, private_seed
from qwixx.kernel.state.records import Ints, Records
from qwixx.players.player import Pads, Player, Registered, Words
from qwixx.players.supervise import PlayerFailed, PlayerThread, instantiate_supervised, seconds_to_decide
from qwixx.variants.model import Variant


class SeatedPlayers:
    """The players of a line-up."""

    def __init__(
        self, variant: Variant, players: Sequence[Registered], seats: int, pads: Pads | None, seconds: float | None
    ) -> None:
        """Store the players. Those without memory are instantiated now, the others when a game needs them."""
        self._variant = variant
        self._players = players
        self._seats = seats
        self._pads = pads
        self._thread = PlayerThread(seconds_to_decide(seconds))
        self._shared: dict[int, Player] = {}
        self._own: dict[tuple[int, int, int], tuple[int, Player]] = {}
        """By player, slot and seat: the random word of the game there, and its instance."""
        for place, player in enumerate(players):
            if not player.remembers:
                self._shared[place] = instantiate_supervised(player, variant, seats, pads=pads, thread=self._thread)

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
            player = self._instance(place, slot, seat, luck)
            question = Question(self._variant, layouts, states[at : at + 1], seat, luck)
            try:
                actions[at] = player.answer(question).id
            except PlayerFailed as failed:
                failed.slot, failed.seat = slot, seat
                raise
        return actions

    def _instance(self, place: int, slot: int, seat: int, luck: int) -> Player:
        """Return the instance for the game in this slot; a new one for a new game."""
        key = place, slot, seat
        if key not in self._own or self._own[key][0] != luck:
            player = instantiate_supervised(
                self._players[place],
                self._variant,
                self._seats,
                seed=private_seed(luck, seat),
                pads=self._pads,
                thread=self._thread,
            )
            self._own[key] = luck, player
        return self._own[key][1]

    def forget(self) -> None:
        """Drop the instances with memory: all games start again, even if the same games are repeated."""
        self._own.clear()

    def close(self) -> None:
        """Drop all instances and end the thread."""
        self.forget()
        self._thread.close()
