"""
Determinization: a random state that is consistent with everything that a seat has seen.

In the dice games the hidden parts are the choices of others in an open window, and the dice to come. In the card games
a seat remembers more than it sees now: when a number came into a hand, all cards that were played, and which cards were
shuffled into a new pile. `CardTracker` follows every card from the deal on. `determinize` draws one of all deals and
shuffles that would have looked the same to the seat, each with the same probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from qwixx.kernel import api
from qwixx.kernel.state.records import (
    ACTIONS,
    DEAL,
    DISPLAY,
    DRAW,
    HAND,
    NO_CARD,
    NO_CHOICE,
    OVER,
    PLAY,
    SHUFFLE,
    TOTALS,
    Record,
    Records,
)

CARD_PHASES = (DEAL, DRAW, PLAY, SHUFFLE)
"""The phases that move cards when they end: update the tracker after each of them."""
_NEVER = -1
_NOBODY = -1


class TrackedCard(NamedTuple):
    """
    One card since a deal or shuffle: who took it and when, whether its number was seen, when it was played.

    Times are counted in updates of the tracker; `_NEVER` means that it has not happened.
    """

    card: int
    shuffle: int
    owner: int = _NOBODY
    since: int = _NEVER
    seen: bool = False
    played: int = _NEVER

    @property
    def number(self) -> int:
        """The number, which is printed on both sides (K1)."""
        return self.card % TOTALS


class CardTracker:
    """The history of all cards of a game. It reads states and never changes them."""

    def __init__(self) -> None:
        """Start before the deal, or before the first state of a position."""
        self.updates = 0
        self.shuffles = 0
        self.now: dict[int, TrackedCard] = {}
        self.before: list[TrackedCard] = []
        """The cards as they were tracked before they were shuffled again."""

    def copy(self) -> CardTracker:
        """Return an independent copy."""
        copy = CardTracker()
        copy.updates, copy.shuffles = self.updates, self.shuffles
        copy.now, copy.before = dict(self.now), list(self.before)
        return copy

    def update(self, state: Record) -> None:
        """Read the next state: call it after every deal, draw, play and shuffle."""
        self.updates += 1
        hands = state["hands"].tolist()
        for seat, held in enumerate(state["held"][: state["seats"]].tolist()):
            for card in hands[seat][:held]:
                self._add_to_hand(card, seat)
        pile = state["pile"][: state["pile_size"]].tolist()
        shown = {card for card in (*state["display"].tolist(), *pile[-1:]) if card != NO_CARD}
        below = pile[:-1]
        if any(self._is_played(card) for card in (*shown, *below)):
            self.shuffles += 1
        for card in shown:
            self._add_to_table(card, seen=True)
        for card in below:
            self._add_to_table(card, seen=False)
        for card in state["discards"][: state["discarded"]].tolist():
            known = self.now.get(card, TrackedCard(card, self.shuffles))
            if known.played == _NEVER:
                self.now[card] = known._replace(played=self.updates)

    def _is_played(self, card: int) -> bool:
        return card in self.now and self.now[card].played != _NEVER

    def _add_to_hand(self, card: int, seat: int) -> None:
        known = self.now.get(card, TrackedCard(card, self.shuffles))
        if known.owner != seat:
            self.now[card] = known._replace(owner=seat, since=self.updates, seen=True)  # K11

    def _add_to_table(self, card: int, *, seen: bool) -> None:
        known = self.now.get(card, TrackedCard(card, self.shuffles))
        if known.played != _NEVER:
            self.before.append(known)
            known = TrackedCard(card, self.shuffles)
        self.now[card] = known._replace(seen=known.seen or seen)

    def hidden_from(self, seat: int) -> Iterator[list[TrackedCard]]:
        """Yield, for the deal and each shuffle, the cards that the seat (-1: a spectator) has never held."""
        found: dict[int, list[TrackedCard]] = {}
        for tracked in (*self.before, *self.now.values()):
            was_always_open = tracked.owner == _NOBODY and tracked.played != _NEVER
            if not was_always_open and (seat == _NOBODY or tracked.owner != seat):
                found.setdefault(tracked.shuffle, []).append(tracked)
        for shuffle in sorted(found):
            yield found[shuffle]


# ---- one of all deals that look the same

Match = tuple[TrackedCard, ...]
"""The card at each of some places."""


def _matches(places: Sequence[TrackedCard], cards: Sequence[TrackedCard]) -> Iterator[Match]:
    """Yield all ways to assign cards of a number to the places where this number was seen."""
    if not places:
        yield ()
        return
    for index, card in enumerate(cards):
        if _fits(places[0], card):
            rest = (*cards[:index], *cards[index + 1 :])
            for match in _matches(places[1:], rest):
                yield (card, *match)


def _fits(place: TrackedCard, card: TrackedCard) -> bool:
    """Return whether a card can have been at a place: a played card was in its player's hand before."""
    return card.played == _NEVER or (card.owner == place.owner and place.since < card.played)


def _redeal(cards: list[TrackedCard], spots: dict[int, int], draw: Random) -> Iterator[tuple[TrackedCard, TrackedCard]]:
    """
    Deal the cards of one deal or shuffle again: yield each place with its new card.

    A place is where a card went after the deal: into a hand, to the display and from there into a hand, or nowhere yet.
    All saw its number, except in the pile below the top card (K2, K11). Only cards of this number are possible there,
    and a card that a seat played came from a place in its hand. One of all ways is drawn, number by number; the other
    cards lie anywhere in the pile.

    Places and cards are sorted by public facts, so that the result says nothing about the real deal.
    """
    places = sorted(cards, key=lambda place: _public_key(place, spots))
    left = sorted(cards)
    for number in sorted({card.number for card in cards}):
        seen = [place for place in places if place.seen and place.number == number]
        own = [card for card in left if card.number == number]
        played = {card for card in own if card.played != _NEVER}
        match = draw.choice([match for match in _matches(seen, own) if played.issubset(match)])
        yield from zip(seen, match, strict=True)
        left = [card for card in left if card not in match]
    unseen = [place for place in places if not place.seen]
    yield from zip(unseen, draw.sample(left, len(left)), strict=True)


def redealt(state: Record, tracker: CardTracker, seat: int, draw: Random) -> dict[int, dict[int, int]]:
    """Deal the cards that a seat cannot know again: for the deal and each shuffle, the new card by the real one."""
    return {
        cards[0].shuffle: {place.card: card.card for place, card in _redeal(cards, _spots(state), draw)}
        for cards in tracker.hidden_from(seat)
    }


def _spots(state: Record) -> dict[int, int]:
    """Return the place of each card on the table."""
    table = [*state.display.tolist(), *state.pile[: state.pile_size].tolist()]
    return {card: spot for spot, card in enumerate(table)}


def _public_key(place: TrackedCard, spots: dict[int, int]) -> tuple[int, ...]:
    """Return the public facts of a place: the hand, since when and the number; or the place on the table."""
    if place.owner == _NOBODY:
        return place.owner, spots[place.card]
    return place.owner, place.since, place.number


# ---- the new state


def determinize(
    layouts: Records, states: Records, tracker: CardTracker, seat: int, seed: int
) -> tuple[Records, CardTracker]:
    """
    Return a state in which everything that a seat (-1: a spectator) cannot see is random, and its tracker.

    `tracker` has read all states that the seat remembers, `states` last; it is not changed.
    """
    draw = Random(seed)  # noqa: S311 - for play, not for secrets
    copies = states.copy()
    state = copies[0]
    if layouts[0].deck_size and state.phase != OVER:
        tracker = _determinize_cards(state, tracker, seat, draw)
    determinize_choices(layouts, copies, seat, draw)
    api.reseed(copies, 0, np.uint64(draw.getrandbits(64)))
    return copies, tracker


def determinize_choices(layouts: Records, states: Records, seat: int, draw: Random) -> None:
    """Replace the choices of other seats in the open window by random legal ones (C3)."""
    room = np.zeros(ACTIONS, np.int32)
    choices = states["choices"][0]
    for other in range(int(states["seats"][0])):
        if other != seat and choices[other] != NO_CHOICE:
            count = api.legal(layouts, states, 0, other, room)
            choices[other] = draw.choice(room[:count].tolist())


def _determinize_cards(state: Record, tracker: CardTracker, seat: int, draw: Random) -> CardTracker:
    """Deal the hidden cards again; return the tracker of the new game."""
    replaced_by: dict[int, int] = {}
    new: dict[TrackedCard, TrackedCard] = {}
    spots = _spots(state)
    for cards in tracker.hidden_from(seat):
        for place, card in _redeal(cards, spots, draw):
            new[card] = place._replace(card=card.card, played=card.played)
            if place.owner == _NOBODY:
                replaced_by[place.card] = card.card
    new_tracker = tracker.copy()
    new_tracker.before = [new.get(old, old) for old in tracker.before]
    new_tracker.now = {card: new.get(old, old) for card, old in tracker.now.items()}
    _place_cards(state, new_tracker.now.values(), replaced_by)
    return new_tracker


def _place_cards(state: Record, cards: Iterable[TrackedCard], replaced_by: dict[int, int]) -> None:
    """Write the cards to the hands of their owners, and the others to their places on the table."""
    held: dict[int, list[int]] = {}
    for card in cards:
        if card.owner != _NOBODY and card.played == _NEVER:
            held.setdefault(card.owner, []).append(card.card)
    for seat, hand in held.items():
        state.hands[seat] = sorted(hand) + [NO_CARD] * (HAND - len(hand))
        assert state.held[seat] == len(hand), "the size of a hand has changed"
    for place in range(DISPLAY):
        state.display[place] = replaced_by.get(int(state.display[place]), NO_CARD)
    for place in range(state.pile_size):
        state.pile[place] = replaced_by[int(state.pile[place])]
