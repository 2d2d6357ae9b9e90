"""
What could be: everything that a seat cannot see, drawn anew so that it fits all that the seat has seen.

In the dice games that is what others have chosen in an open window, and the dice to come. In the card games a seat
remembers more than it sees now: the numbers that others took from the display, the cards that everybody played, and
which cards were shuffled into a new pile. `Sightings` follows every card from the deal on; `imagine` draws one of all
the deals and shuffles that would have looked the same to the seat, each with the same chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import factorial, perm, prod
from random import Random
from typing import NamedTuple

import numpy as np

from qwixx.kernel import door
from qwixx.kernel.records import (
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

MOVING = (DEAL, DRAW, PLAY, SHUFFLE)
"""The phases whose end moves cards: after each of them the table has to be looked at."""
_NEVER = -1
_NOBODY = -1


class Sighting(NamedTuple):
    """
    One card from a deal or shuffle on: whose hand it came into and when, if its number was seen, when it was played.

    Times count the looks at the table; `_NEVER` stands for what has not happened.
    """

    card: int
    shuffle: int
    owner: int = _NOBODY
    since: int = _NEVER
    seen: bool = False
    played: int = _NEVER

    @property
    def number(self) -> int:
        """The number, which stands on both sides (K1)."""
        return self.card % TOTALS


class Sightings:
    """All cards of a game, followed from look to look. It is told states and never changes them."""

    def __init__(self) -> None:
        """Begin before the deal, or before the first look at a position."""
        self.looks = 0
        self.shuffles = 0
        self.now: dict[int, Sighting] = {}
        self.before: list[Sighting] = []
        """What there was to know of cards before they were shuffled again."""

    def copy(self) -> Sightings:
        """Give sightings that go on from here on their own."""
        twin = Sightings()
        twin.looks, twin.shuffles = self.looks, self.shuffles
        twin.now, twin.before = dict(self.now), list(self.before)
        return twin

    def look(self, state: Record) -> None:
        """Look at the table again: after every deal, draw, play and shuffle."""
        self.looks += 1
        hands = state["hands"].tolist()
        for seat, held in enumerate(state["held"][: state["seats"]].tolist()):
            for card in hands[seat][:held]:
                self._lies_in_hand(card, seat)
        pile = state["pile"][: state["pile_size"]].tolist()
        shown = {card for card in (*state["display"].tolist(), *pile[-1:]) if card != NO_CARD}
        below = pile[:-1]
        if any(self._is_played(card) for card in (*shown, *below)):
            self.shuffles += 1
        for card in shown:
            self._lies_on_table(card, seen=True)
        for card in below:
            self._lies_on_table(card, seen=False)
        for card in state["discards"][: state["discarded"]].tolist():
            known = self.now.get(card, Sighting(card, self.shuffles))
            if known.played == _NEVER:
                self.now[card] = known._replace(played=self.looks)

    def _is_played(self, card: int) -> bool:
        return card in self.now and self.now[card].played != _NEVER

    def _lies_in_hand(self, card: int, seat: int) -> None:
        known = self.now.get(card, Sighting(card, self.shuffles))
        if known.owner != seat:
            self.now[card] = known._replace(owner=seat, since=self.looks)

    def _lies_on_table(self, card: int, *, seen: bool) -> None:
        known = self.now.get(card, Sighting(card, self.shuffles))
        if known.played != _NEVER:
            self.before.append(known)
            known = Sighting(card, self.shuffles)
        self.now[card] = known._replace(seen=known.seen or seen)

    def hidden_from(self, seat: int) -> Iterator[list[Sighting]]:
        """Give, for each deal and shuffle, the cards that the seat (-1: a spectator) has never held itself."""
        found: dict[int, list[Sighting]] = {}
        for sighting in (*self.before, *self.now.values()):
            was_always_open = sighting.owner == _NOBODY and sighting.played != _NEVER
            if not was_always_open and (seat == _NOBODY or sighting.owner != seat):
                found.setdefault(sighting.shuffle, []).append(sighting)
        for shuffle in sorted(found):
            yield found[shuffle]


# ---- one of all the deals that look the same

Match = tuple[Sighting, ...]
"""For each of some places the card that lies there."""


def _matches(places: Sequence[Sighting], cards: Sequence[Sighting]) -> Iterator[Match]:
    """List all ways to put cards of a number to the places where this number was seen."""
    if not places:
        yield ()
        return
    for index, card in enumerate(cards):
        if _fits(places[0], card):
            rest = (*cards[:index], *cards[index + 1 :])
            for match in _matches(places[1:], rest):
                yield (card, *match)


def _fits(place: Sighting, card: Sighting) -> bool:
    """Whether a card can have lain at a place: one that was played came from its player's hand, taken before."""
    return card.played == _NEVER or (card.owner == place.owner and place.since < card.played)


def _redeal(cards: list[Sighting], spots: dict[int, int], draw: Random) -> Iterator[tuple[Sighting, Sighting]]:
    """
    Put the cards of one deal or shuffle to its places anew: gives each place with the card that lies there now.

    A place is where a card went after the deal: into a hand, to the display and from there into a hand, or nowhere yet.
    Where its number was seen only cards of this number can lie. A card that somebody played came from their hand: from
    a place where its number was seen, or from one of the cards that they were dealt. All ways are counted, number by
    number, by how many cards each seat must have played from its deal; then one is drawn.

    Both are gone through in an order that everybody knows, so that what is drawn says nothing about the real deal.
    """
    places = sorted(cards, key=lambda place: _known_of(place, spots))
    cards = sorted(cards)
    unseen = [place for place in places if not place.seen]
    owners = sorted({place.owner for place in unseen} - {_NOBODY})
    dealt = [sum(place.owner == owner for place in unseen) for owner in owners]
    numbers = [_ways_of_number(places, cards, n, owners) for n in sorted({card.number for card in cards})]
    totals: list[Counter[tuple[int, ...]]] = [Counter({(0,) * len(owners): 1})]
    for ways in numbers:
        following: Counter[tuple[int, ...]] = Counter()
        for before, count in totals[-1].items():
            for more, matches in ways.items():
                following[tuple(map(sum, zip(before, more, strict=True)))] += count * len(matches)
        totals.append(following)
    goal = _drawn({played: _weight(played, dealt, len(unseen)) * count for played, count in totals[-1].items()}, draw)
    found: list[tuple[Sighting, Sighting]] = []
    for ways, earlier in zip(reversed(numbers), reversed(totals[:-1]), strict=True):
        parts = {more: len(matches) * earlier[_less(goal, more)] for more, matches in ways.items()}
        more = _drawn(parts, draw)
        found += draw.choice(ways[more])
        goal = _less(goal, more)
    yield from found
    yield from _fill(unseen, cards, {card.card for _, card in found}, draw)


def redealt(state: Record, sightings: Sightings, seat: int, draw: Random) -> dict[int, dict[int, int]]:
    """Draw what a seat cannot know anew: for the deal and each shuffle, the card that lies where another really lay."""
    return {
        cards[0].shuffle: {place.card: card.card for place, card in _redeal(cards, _spots(state), draw)}
        for cards in sightings.hidden_from(seat)
    }


def _spots(state: Record) -> dict[int, int]:
    """Tell by each card on the table where it lies."""
    table = [*state.display.tolist(), *state.pile[: state.pile_size].tolist()]
    return {card: spot for spot, card in enumerate(table)}


def _known_of(place: Sighting, spots: dict[int, int]) -> tuple[int, ...]:
    """Say what everybody knows of a place: whose hand, since when, the number if it was seen, or where on the table."""
    spot = spots[place.card] if place.owner == _NOBODY else 0
    return place.owner, place.since, int(place.seen), place.number if place.seen else 0, spot


def _ways_of_number(
    places: list[Sighting], cards: list[Sighting], number: int, owners: list[int]
) -> dict[tuple[int, ...], list[list[tuple[Sighting, Sighting]]]]:
    """List the ways for one number, by how many of its cards each owner must have played from the deal."""
    own = [card for card in cards if card.number == number]
    places = [place for place in places if place.seen and place.number == number]
    ways: dict[tuple[int, ...], list[list[tuple[Sighting, Sighting]]]] = {}
    for match in _matches(places, own):
        left = [card.owner for card in own if card.played != _NEVER and card not in match]
        if set(left) <= set(owners):
            key = tuple(left.count(owner) for owner in owners)
            ways.setdefault(key, []).append(list(zip(places, match, strict=True)))
    return ways


def _weight(played: tuple[int, ...], dealt: list[int], places: int) -> int:
    """Count the ways to put the other cards to the places whose numbers nobody saw: first those that were played."""
    from_deal = prod(perm(size, count) for size, count in zip(dealt, played, strict=True))
    return from_deal * factorial(places - sum(played))


def _fill(
    unseen: list[Sighting], cards: list[Sighting], placed: set[int], draw: Random
) -> Iterator[tuple[Sighting, Sighting]]:
    """Put the cards that are left to the places whose numbers nobody saw: what a seat played came from its own."""
    left = [card for card in cards if card.card not in placed]
    places = draw.sample(unseen, len(unseen))
    for card in left:
        if card.played != _NEVER:
            place = next(place for place in places if place.owner == card.owner)
            places.remove(place)
            yield place, card
    yield from zip(places, (card for card in left if card.played == _NEVER), strict=True)


def _less(totals: tuple[int, ...], part: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(total - own for total, own in zip(totals, part, strict=True))


def _drawn(weights: dict[tuple[int, ...], int], draw: Random) -> tuple[int, ...]:
    """Draw a key by its weight, exactly."""
    keys, sums = list(weights), list(accumulate(weights.values()))
    at = draw.randrange(sums[-1])
    return next(key for key, upto in zip(keys, sums, strict=True) if at < upto)


# ---- a state with all that put in place


def imagine(layouts: Records, states: Records, sightings: Sightings, seat: int, seed: int) -> tuple[Records, Sightings]:
    """
    Give a state in which everything that a seat (-1: a spectator) cannot see is drawn anew, and its sightings.

    `sightings` have looked at all of the game that the seat remembers, and at `states` last; they are left as they are.
    """
    draw = Random(seed)  # noqa: S311 - for play, not for secrets
    copies = states.copy()
    state = copies[0]
    if layouts[0].deck_size and state.phase != OVER:
        sightings = _imagine_cards(state, sightings, seat, draw)
    imagine_choices(layouts, copies, seat, draw)
    door.reseed(copies, 0, np.uint64(draw.getrandbits(64)))
    return copies, sightings


def imagine_choices(layouts: Records, states: Records, seat: int, draw: Random) -> None:
    """Let others who have decided in the open window have decided anything that they may (C3)."""
    room = np.zeros(ACTIONS, np.int32)
    choices = states["choices"][0]
    for other in range(int(states["seats"][0])):
        if other != seat and choices[other] != NO_CHOICE:
            count = door.legal(layouts, states, 0, other, room)
            choices[other] = draw.choice(room[:count].tolist())


def _imagine_cards(state: Record, sightings: Sightings, seat: int, draw: Random) -> Sightings:
    """Deal the hidden cards anew; gives the sightings as they would have been."""
    lies: dict[int, int] = {}
    new: dict[Sighting, Sighting] = {}
    spots = _spots(state)
    for cards in sightings.hidden_from(seat):
        for place, card in _redeal(cards, spots, draw):
            new[card] = place._replace(card=card.card, played=card.played)
            if place.owner == _NOBODY:
                lies[place.card] = card.card
    imagined = sightings.copy()
    imagined.before = [new.get(old, old) for old in sightings.before]
    imagined.now = {card: new.get(old, old) for card, old in sightings.now.items()}
    _put(state, imagined.now.values(), lies)
    return imagined


def _put(state: Record, cards: Iterable[Sighting], lies: dict[int, int]) -> None:
    """Put the cards into the hands of those who hold them, and others where they lie instead of the real ones."""
    held: dict[int, list[int]] = {}
    for card in cards:
        if card.owner != _NOBODY and card.played == _NEVER:
            held.setdefault(card.owner, []).append(card.card)
    for seat, hand in held.items():
        state.hands[seat] = sorted(hand) + [NO_CARD] * (HAND - len(hand))
        assert state.held[seat] == len(hand), "nobody holds more or fewer cards than before"
    for place in range(DISPLAY):
        state.display[place] = lies.get(int(state.display[place]), NO_CARD)
    for place in range(state.pile_size):
        state.pile[place] = lies[int(state.pile[place])]
