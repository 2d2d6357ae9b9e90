"""A cache of the actions, events and steps of a variant: a game repeats the same few hundred of them."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.game.events import Event, Rolled, read_event
from qwixx.kernel.state.event_log import EVENT_SIZE, PLAYED, ROLLED, TOOK
from qwixx.kernel.state.records import MORE, PLAYS
from qwixx.text.notation import Action, action_text
from qwixx.text.record import Step
from qwixx.variants.model import Variant

_MAX_HANDS = 64


class Vocabulary:
    """Actions and events of a variant by their numbers. Both are immutable, so games share them."""

    def __init__(self, variant: Variant) -> None:
        """Start empty."""
        self.variant = variant
        self.known: dict[int, Action] = {}
        """Cached actions whose text does not depend on the hand."""
        self._plays: dict[tuple[int, ...], dict[int, Action]] = {}
        self._events: dict[tuple[int, int, int], Event] = {}
        self.numbers: dict[str, int] = {}
        """The numbers of the same actions, by their texts."""
        self.steps: dict[tuple[int, int], Step] = {}
        """The same actions as steps of a record, by the seat and their numbers."""

    def action(self, number: int, hand: Sequence[int]) -> Action:
        """Return one action; `hand` are the cards of the seat, for card actions."""
        known = self._plays_of(tuple(hand)) if PLAYS <= number < MORE else self.known
        found = known.get(number)
        if found is None:
            found = known[number] = Action(number, action_text(self.variant, hand, number))
            if known is self.known:
                self.numbers[found.text] = number
        return found

    def step(self, seat: int, number: int, hand: Sequence[int]) -> Step:
        """Return a decision of a seat as a step of a record."""
        step = Step(self.action(number, hand).text, seat)
        if not PLAYS <= number < MORE:
            self.steps[seat, number] = step
        return step

    def _plays_of(self, hand: tuple[int, ...]) -> dict[int, Action]:
        known = self._plays.get(hand)
        if known is None:
            if len(self._plays) >= _MAX_HANDS:
                self._plays.clear()
            known = self._plays[hand] = {}
        return known

    def events(self, log: list[int], roll: str) -> list[Event]:
        """Return the events of a log; `roll` are the dice on the table."""
        known = self._events
        found = []
        for at in range(0, len(log), EVENT_SIZE):
            key = (log[at], log[at + 1], log[at + 2])
            event = known.get(key)
            if event is None:
                event = Rolled(roll) if key[0] == ROLLED else read_event(self.variant, *key)
                if key[0] not in _UNCACHED:
                    known[key] = event
            found.append(event)
        return found


_UNCACHED = (ROLLED, PLAYED, TOOK)
"""Events with dice and cards have too many different details to be cached."""
