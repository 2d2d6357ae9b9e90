"""The words of one game, each made once: a game says the same few hundred things over and over."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.events import Event, Rolled, read_note
from qwixx.kernel.records import PLAYS, Records
from qwixx.kernel.trail import NOTE, PLAYED, ROLLED, TOOK
from qwixx.notation import Action, action_text
from qwixx.record import Step
from qwixx.variants.model import Variant

_MOST_HANDS = 64


class Phrases:
    """Actions and events of a variant by their numbers. Both are values that nobody can change, so games share them."""

    def __init__(self, variant: Variant, layouts: Records) -> None:
        """Begin with nothing said."""
        self.variant = variant
        self._layouts = layouts
        self.known: dict[int, Action] = {}
        """The actions said so far that mean the same whatever the hand is."""
        self._plays: dict[tuple[int, ...], dict[int, Action]] = {}
        self._events: dict[tuple[int, int, int], Event] = {}
        self.numbers: dict[str, int] = {}
        """Their numbers, by their texts."""
        self.steps: dict[tuple[int, int], Step] = {}
        """The same actions as decisions of a seat, by the seat and their numbers."""

    def action(self, number: int, hand: Sequence[int]) -> Action:
        """Write one action; `hand` are the cards the seat holds, for card actions."""
        known = self.known if number < PLAYS else self._plays_of(tuple(hand))
        found = known.get(number)
        if found is None:
            found = known[number] = Action(number, action_text(self.variant, hand, number))
            if number < PLAYS:
                self.numbers[found.text] = number
        return found

    def step(self, seat: int, number: int, hand: Sequence[int]) -> Step:
        """Write a decision of a seat."""
        step = Step(self.action(number, hand).text, seat)
        if number < PLAYS:
            self.steps[seat, number] = step
        return step

    def _plays_of(self, hand: tuple[int, ...]) -> dict[int, Action]:
        known = self._plays.get(hand)
        if known is None:
            if len(self._plays) >= _MOST_HANDS:
                self._plays.clear()
            known = self._plays[hand] = {}
        return known

    def events(self, notes: list[int], roll: str) -> list[Event]:
        """Put the notes of a trail into words; `roll` are the dice on the table."""
        known = self._events
        found = []
        for at in range(0, len(notes), NOTE):
            key = (notes[at], notes[at + 1], notes[at + 2])
            event = known.get(key)
            if event is None:
                event = Rolled(roll) if key[0] == ROLLED else read_note(self.variant, *key)
                if key[0] not in _EVER_NEW:
                    known[key] = event
            found.append(event)
        return found


_EVER_NEW = (ROLLED, PLAYED, TOOK)
"""What is told of dice and cards comes in too many ways to be remembered."""


_MOST_VARIANTS = 64
_phrases: dict[int, Phrases] = {}
"""By the layout's address, since hashing a variant takes long; phrases hold on to it, so no other gets its address."""


def phrases_of(variant: Variant, layouts: Records) -> Phrases:
    """Give the words of a variant, which all its games share as they share its layout."""
    found = _phrases.get(id(layouts))
    if found is None:
        if len(_phrases) >= _MOST_VARIANTS:
            _phrases.clear()
        found = _phrases[id(layouts)] = Phrases(variant, layouts)
    return found
