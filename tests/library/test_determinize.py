"""Determinization: a sampled state fits everything the seat saw, nothing else, and is drawn uniformly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest

from qwixx import Game, QwixxError
from qwixx.game.events import Played, Took
from support.games.random_games import SETTINGS, Setting, new_game

CARD_GAMES = [setting for setting in SETTINGS if setting.variant.startswith("cards")]


def moments(setting: Setting, seed: int, share: float) -> Iterator[Game]:
    """Play a game at random; return some of its states, including all choices of an open window."""
    game, luck = new_game(setting, seed), Random(seed)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        else:
            seat = luck.choice(game.deciders())
            game.decide(seat, luck.choice(game.legal(seat)))
        if luck.random() < share:
            yield game
    yield game


def deck_of(game: Game) -> list[str]:
    """List every card of a game, wherever it lies."""
    facts = dict(word.split("=") for word in game.position().replace("|", " ").split() if "=" in word)
    places = ("display", "pile", "discards")
    cards = [card for place in places for card in facts.get(place, "-").split(",") if card != "-"]
    return sorted([*cards, *(card for sheet in game.reveal().sheets for card in sheet.hand or ())])


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_samples_keep_the_view_of_the_seat(setting: Setting) -> None:
    """C3, K2: every sampled state looks the same to the seat, has the same cards, and can be played to its end."""
    for number, game in enumerate(moments(setting, 5, 0.01)):
        before = game.position(), game.record()
        for seat in (None, *range(setting.seats)):
            other = game.imagine(seat, number)
            assert other.view(seat) == game.view(seat)
            assert other.events == game.events
            assert game.imagine(seat, number) == other
            if game.variant.is_cards:
                assert deck_of(other) == deck_of(game)
            assert Game.from_record(other.record(), variant=game.variant) == other
            assert Game.from_position(other.position(), variant=game.variant) == other
        assert (game.position(), game.record()) == before


@pytest.mark.slow
@pytest.mark.parametrize("setting", CARD_GAMES, ids=str)
def test_samples_fit_earlier_events(setting: Setting) -> None:
    """K3, K5: everything a seat remembers holds in every sampled game, checked by a naive book of possible hands."""
    game = new_game(setting, 11)
    luck = Random(2)
    book = NaiveBook(game)
    for step in range(400):
        if game.is_over:
            break
        if game.awaits_chance:
            game.roll()
        else:
            seat = luck.choice(game.deciders())
            game.decide(seat, luck.choice(game.legal(seat)))
        book.watch()
        if step % 9 == 0 and not game.is_over:
            seat = luck.randrange(setting.seats)
            for seed in range(3):
                book.check(game.imagine(seat, seed).imagine(seat, seed), seat)


class NaiveBook:
    """A naive book about the hands of others: the numbers that they show, and the cards that they cannot hold.

    A hand has the numbers that it was dealt and took, without those that were played (K11). A shuffled card is not in a
    hand unless somebody took its number since.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seen = 0
        self.held: dict[int, Counter[int]] = {seat: Counter() for seat in range(game.seats)}
        self.since: dict[int, Counter[int]] = {seat: Counter() for seat in range(game.seats)}
        self.shuffled: set[str] = set()

    def watch(self) -> None:
        """Add the events since the last call."""
        for event in self.game.events[self.seen :]:
            if event.word == "dealt":
                self.held = {sheet.seat: numbers_of(sheet.hand) for sheet in self.game.reveal().sheets}
            if isinstance(event, Took):
                self.held[event.seat].update(event.numbers)
                self.since[event.seat].update(event.numbers)
            if isinstance(event, Played):
                self.held[event.seat] -= numbers_of(event.cards)
            if event.word == "shuffled":
                step = self.game.last_step
                assert step is not None
                self.shuffled = set(step.text.split(","))
                self.since = {seat: Counter() for seat in range(self.game.seats)}
        self.seen = len(self.game.events)

    def check(self, imagined: Game, seat: int) -> None:
        """Check the hands of a sampled game."""
        for sheet in imagined.reveal().sheets:
            assert sheet.hand is not None
            assert numbers_of(sheet.hand) == self.held[sheet.seat]
            assert numbers_of(card for card in sheet.hand if card in self.shuffled) <= self.since[sheet.seat]
        assert imagined.view(seat).sheets[seat].hand == self.game.view(seat).sheets[seat].hand


def numbers_of(cards: Iterable[str] | None) -> Counter[int]:
    """Count the numbers of cards."""
    return Counter(int(card[1:]) for card in cards or ())


DECK = "r2,r3,r5,r6,b2,b3,b5,b6,y4,y8,g9,g10,r12,b12,*"
"""Seat 0 holds four red cards, seat 1 four blue ones; the display shows 4, 8, 9, 10, the pile two 12s on top."""


def after_the_deal(first: int = 1) -> Game:
    """Deal the deck."""
    game = Game("cards", 2, first=first)
    game.set_roll(DECK)
    return game


def hands(game: Game, seat: int, whose: int, count: int) -> list[tuple[str, ...]]:
    """Return a hand in many samples."""
    return [game.imagine(seat, seed).reveal().sheets[whose].hand or () for seed in range(count)]


@pytest.mark.slow
def test_the_colors_of_a_hand_are_equally_likely() -> None:
    """K2, K11: seat 1 shows 2, 3, 4, 5, 6. Seat 0 holds the red ones but no 4: so 4 colors, and 3 for each other."""
    game = after_the_deal()
    game.decide(1, "take:1")
    found = hands(game, 0, 1, 1200)
    assert {tuple(sorted(int(card[1:]) for card in hand)) for hand in found} == {(2, 3, 4, 5, 6)}
    pairs = Counter(tuple(card[0] for card in sorted(hand, key=lambda card: int(card[1:]))[1:3]) for hand in found)
    assert set(pairs) == {(three, four) for three in "ygb" for four in "rygb"}
    assert all(60 < count < 145 for count in pairs.values())  # 100 each, give or take more than four deviations
    assert set(hands(game, 1, 1, 5)) == {("y4", "b2", "b3", "b5", "b6")}


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "jokers"), [("cards", ""), ("cards-joker", "j")])
def test_hands_after_plays_are_equally_likely(variant: str, jokers: str) -> None:
    """K3, K5, K11: the played cards are known, the others are not; every hand that fits is equally likely.

    Seat 1 was dealt 4, 3, 5, 6, took a 4, played yellow 4, took an 8 and played red 5. Seat 0 holds red 3 and red 6. So
    of 3, 4 and 6 three colors are left each, and of 8 all four; a joker is one card more of each number.
    """
    game = Game(variant, 2, first=1)
    game.set_roll("r2,r3,y5,r6,b4,b3,r5,b6,y4,y8,g9,g10,r12,b12,y12,g4,*")
    steps = [(1, "take:1"), (0, "pass"), (1, "pass"), (1, "play:y4"), (0, "take:4"), (0, "pass"), (1, "pass")]
    steps += [(0, "play:r2"), (1, "take:2"), (0, "pass"), (1, "pass"), (1, "play:r5"), (0, "take:1")]
    for seat, action in steps:
        game.decide(seat, action)
    colors = {3: "ygb", 4: "rgb", 6: "ygb", 8: "rygb"}
    possible = set(product(*([f"{color}{number}" for color in colors[number] + jokers] for number in colors)))
    assert len(possible) == (320 if jokers else 108)
    samples = 10 * len(possible)
    found = Counter(tuple(sorted(hand, key=lambda card: int(card[1:]))) for hand in hands(game, 0, 1, samples))
    assert set(found) <= possible
    deviation = sum((found[hand] - 10) ** 2 / 10 for hand in possible)
    # For equally likely hands, this sum is their number less one, give or take the root of twice that.
    assert abs(deviation - len(possible)) < 5 * (2 * len(possible)) ** 0.5


def test_samples_are_independent_of_the_real_deal() -> None:
    """K2: two games that look the same to a seat give the same samples, seed by seed, in every phase."""
    one, two = after_the_deal(), Game("cards", 2, first=1)
    two.set_roll("r2,r3,r5,r6,g6,y5,g3,y2,y4,b8,y9,b10,g12,y12,*")  # other colors, and for seat 1 another order
    for game in (one, two):
        game.decide(1, "take:1")
        game.decide(0, "pass")
        game.decide(1, "pass")
        game.decide(1, "play:y4")
        game.decide(0, "take:2")
    hidden = one.view(0).sheets[0].hand, two.view(0).sheets[0].hand
    assert hidden[0] != hidden[1]  # y8 and b8: now they differ
    for game in (one, two):
        game.undo()
    assert one.view(0) == two.view(0)
    assert one != two
    assert [one.imagine(0, seed) for seed in range(8)] == [two.imagine(0, seed) for seed in range(8)]


def test_choices_in_an_open_window_are_anything_allowed() -> None:
    """C3: seat 0 sees that seat 1 has decided, but not what."""
    game = Game.from_position("classic active=0 phase=white roll=34/2615 | - | r=8 y=3", seed=1)
    game.decide(1, "b7")
    worlds = [game.imagine(0, seed) for seed in range(300)]
    assert {world.deciders() for world in worlds} == {(0,)}
    chosen = Counter(world.view(1).choice for world in worlds)
    assert set(chosen) == {"y7", "g7", "b7", "pass"}
    assert all(45 < count < 110 for count in chosen.values())
    assert {game.imagine(1, seed).view(1).choice for seed in range(20)} == {"b7"}


def test_future_dice_are_independent() -> None:
    """C2: the next roll of a sampled game is independent of the real one."""
    game = Game("classic", 1, seed=3)
    rolls = set()
    for seed in range(30):
        world = game.imagine(0, seed)
        world.roll()
        rolls.add(world.dice)
    assert len(rolls) > 25


def test_a_sample_has_no_history() -> None:
    """A sampled game reveals nothing about the real deal: neither its record nor undo leads back."""
    game = after_the_deal()
    world = game.imagine(0, 1)
    assert world.record().startswith("qwixx record 1\nstart cards ")
    with pytest.raises(QwixxError, match="nothing to take back"):
        world.undo()
    game.undo()
    assert game.imagine(0, 1) == game


def test_final_games_keep_the_memory_of_seats() -> None:
    """K3: making a game final frees memory, and does not change the memory of a seat."""
    one, two = after_the_deal(), after_the_deal()
    for game in (one, two):
        game.decide(1, "take:1")
    two.make_final()
    assert [one.imagine(0, seed) for seed in range(5)] == [two.imagine(0, seed) for seed in range(5)]


def test_undone_events_are_forgotten() -> None:
    """K3: after undo the seat knows what it knew before."""
    game = after_the_deal()
    game.decide(1, "take:1")
    assert game.imagine(0, 1).events[-1].word == "phase"
    game.undo()
    game.decide(1, "take:3")
    assert {tuple(sorted(numbers_of(hand).elements())) for hand in hands(game, 0, 1, 10)} == {(2, 3, 5, 6, 9)}
