"""Invariants of every game, whatever is rolled and decided: hypothesis picks the game and its progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qwixx import Game, IllegalAction, NotYourTurn, QwixxError
from qwixx.game.view import redacted
from qwixx.kernel.state.records import ACTIONS, NO_CARD, NO_CHOICE, OVER, TOTALS, Ints
from qwixx.text.action_parser import read_action
from qwixx.text.notation import card_text, deck_text, read_card, read_deck, read_roll, roll_text
from support.games.random_games import SETTINGS, Setting, choose, play_on, some_game

pytestmark = pytest.mark.slow

DICE = [s for s in SETTINGS if not s.is_cards]
CARDS = [s for s in SETTINGS if s.is_cards]
WITH_WINDOW = [s for s in SETTINGS if s.variant != "duel" and s.seats > 1]


def bounded(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a property on this many examples, the same ones every time."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None, suppress_health_check=slow)


@st.composite
def games(draw: st.DrawFn, among: Sequence[Setting] = SETTINGS) -> Game:
    """Draw a game of some setting after some steps."""
    setting = draw(st.sampled_from(among))
    return some_game(setting, draw(st.integers(0, 10**6)), draw(st.integers(0, 80)), from_middle=draw(st.booleans()))


def test_the_drawn_games_are_varied() -> None:
    """The drawn games include all common phases, closed rows, half-decided windows and full discards."""
    seen: Counter[str] = Counter()
    for setting in SETTINGS:
        for seed in range(10):
            game = some_game(setting, seed, 7 * seed, from_middle=seed % 2 > 0)
            seen[game.phase] += 1
            seen["closed"] += bool(game.closed)
            seen["chosen"] += "choices=" in game.position()
            seen["discards"] += "discards=" in game.position()
    phases = ("roll", "white", "color", "deal", "draw", "number", "play", "over")
    assert all(seen[what] >= 5 for what in (*phases, "closed", "chosen", "discards")), seen


def state_of(game: Game) -> bytes:
    """Return the whole state with its random stream."""
    return game._states.tobytes()


def without_chance(game: Game) -> bytes:
    """Return the whole state without its random stream."""
    states = game._states.copy()
    states["rng"] = 0
    return states.tobytes()


def crosses(game: Game) -> list[tuple[set[tuple[str, int]], set[str], int]]:
    """Return the crosses, locks and misses of every seat."""
    found = []
    for sheet in game.reveal().sheets:
        marks = {(row.key, number) for row in sheet.rows for number in row.crosses}
        found.append((marks, {row.key for row in sheet.rows if row.locked}, sheet.misses))
    return found


@bounded(200)
@given(games([s for s in SETTINGS if s.variant != "duel"]), st.integers(0, 10**6))
def test_crosses_only_grow(game: Game, seed: int) -> None:
    """C1: no cross, lock or miss ever disappears, and closed rows stay closed."""
    rng = Random(seed)
    before, closed = crosses(game), set(game.closed)
    for _ in range(30):
        play_on(game, rng, 1)
        after = crosses(game)
        for (marks, locks, misses), (now, locks_now, misses_now) in zip(before, after, strict=True):
            assert marks <= now
            assert locks <= locks_now
            assert misses <= misses_now
        assert closed <= set(game.closed)
        before, closed = after, set(game.closed)


def to_window(game: Game, rng: Random) -> bool:
    """Play until a window of several seats opens; return false if the game ends before."""
    while not game.is_over and (game.phase not in ("white", "number") or len(game.deciders()) < game.seats):
        play_on(game, rng, 1)
    return not game.is_over


@bounded(200)
@given(games(WITH_WINDOW), st.integers(0, 10**6))
def test_the_window_does_not_depend_on_the_order_of_seats(game: Game, seed: int) -> None:
    """C3, R1: in any order of decisions, the window resolves to the same state and the same events."""
    rng = Random(seed)
    if not to_window(game, rng):
        return
    choices = {seat: choose(game, seat, rng) for seat in range(game.seats)}
    twin = game.copy()
    order = sorted(choices, key=lambda _: rng.random())
    wavering = order[0]
    twin.decide(wavering, rng.choice(twin.legal(wavering)))  # a changed choice leaves no trace
    for seat in sorted(choices):
        events = game.decide(seat, choices[seat])
    for seat in order:
        others = twin.decide(seat, choices[seat])
    assert state_of(game) == state_of(twin)
    assert events[1:] == others[1:]


@bounded(200)
@given(games(DICE), st.integers(0, 10**6))
def test_closed_rows_accept_nothing(game: Game, seed: int) -> None:
    """C8: in a closed row no action is legal, every cell is refused, and no event crosses anything there."""
    rng = Random(seed)
    for _ in range(40):
        closed = game.closed
        for seat in range(game.seats):
            assert not [a.text for a in game.legal(seat) if a.text != "pass" and a.text[0] in closed]
        before = len(game.events)
        play_on(game, rng, 1)
        for event in game.events[before:]:
            if event.word in ("crossed", "placed", "captured", "stacked", "locked"):
                assert str(event).split()[2][0] not in closed


@bounded(150)
@given(games(), st.lists(st.integers(0, ACTIONS - 1), min_size=1, max_size=12), st.integers(0, 4))
def test_a_refused_action_changes_nothing(game: Game, actions: list[int], seat: int) -> None:
    """C3: a refused action leaves the state unchanged, byte by byte, and no line in the record."""
    seat %= game.seats
    legal = {action.id for action in game.legal(seat)}
    before, record = state_of(game), game.record()
    for action in actions:
        if action in legal:
            assert game.why_not(seat, action) is None
            continue
        try:
            game.decide(seat, action)
        except (IllegalAction, NotYourTurn):
            pass
        else:
            raise AssertionError(f"{action} was accepted")
        assert (state_of(game), game.record()) == (before, record)


@bounded(200)
@given(games())
def test_actions_and_rolls_are_read_from_their_texts(game: Game) -> None:
    """Reading the text of a legal action gives the action, and the same for dice on the table."""
    for seat in range(game.seats):
        hand = [read_card(card) for card in game.reveal().sheets[seat].hand or ()]
        for action in game.legal(seat):
            assert read_action(game.variant, hand, action.text) == action.id
            spaced = action.text.replace(",", " , ").replace(":", ": ").replace(">", " > ")
            assert read_action(game.variant, hand, spaced) == action.id
    if game.dice:
        assert roll_text(read_roll(game.dice)) == game.dice


@bounded(100)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(2, 12)), unique=True, max_size=30))
def test_decks_are_read_from_their_texts(cards: list[tuple[int, int]]) -> None:
    """Cards and lists of cards are what their texts say."""
    codes = [color * TOTALS + number for color, number in cards]
    assert read_deck(deck_text(codes), codes) == codes
    assert [read_card(card_text(code)) for code in codes] == codes


@bounded(200)
@given(games())
def test_positions_are_read_from_their_lines(game: Game) -> None:
    """A position line sets up a game with the same legal actions, scores and line."""
    again = Game.from_position(game.position())
    assert again.position() == game.position()
    assert again.scores() == game.scores()
    assert again.deciders() == game.deciders()
    assert again.reveal() == game.reveal()
    assert [again.legal(seat) for seat in range(game.seats)] == [game.legal(seat) for seat in range(game.seats)]


@bounded(150)
@given(games())
def test_replaying_a_record_gives_the_same_state(game: Game) -> None:
    """R1: a replayed record gives the same state, byte by byte except for the random stream, and the same record."""
    again = Game.from_record(game.record())
    assert again.record() == game.record()
    assert without_chance(again) == without_chance(game)
    assert again.events == game.events


@bounded(150)
@given(games(), st.integers(1, 30), st.integers(0, 10**6))
def test_undo_restores(game: Game, steps: int, seed: int) -> None:
    """Undoing all steps gives the same bytes, record and events."""
    before = (state_of(game), game.record(), game.events)
    made = len(game.record().splitlines())
    play_on(game, Random(seed), steps)
    has_scores = game.is_over
    taken_back = len(game.record().splitlines()) - has_scores - made
    if not before[1].splitlines()[-1].startswith("scores"):
        for _ in range(taken_back):
            game.undo()
    assert (state_of(game), game.record(), game.events) == before


@bounded(150)
@given(games(), st.integers(0, 10**6))
def test_copies_are_independent(game: Game, seed: int) -> None:
    """Changes in a copy do not change the original; with the same decisions, both end in the same way."""
    before = (state_of(game), game.record(), game.events)
    twin = game.copy()
    assert (state_of(twin), twin.record(), twin.events) == before
    play_on(twin, Random(seed), 25)
    assert (state_of(game), game.record(), game.events) == before
    play_on(game, Random(seed), 25)
    assert (state_of(game), game.record(), game.events) == (state_of(twin), twin.record(), twin.events)


@bounded(200)
@given(st.sampled_from(SETTINGS), st.integers(0, 10**6), st.integers(0, 200))
def test_events_alone_rebuild_the_sheets(setting: Setting, seed: int, steps: int) -> None:
    """C1, C6, C7, D3: applying the events to empty sheets gives the sheets of the game."""
    game = some_game(setting, seed, steps)
    rows = {row.key: {cell.value: place for place, cell in enumerate(row.cells)} for row in game.variant.rows}
    marks = [{key: dict[int, int]() for key in rows} for _ in range(game.seats)]
    locks: list[set[str]] = [set() for _ in range(game.seats)]
    misses = [0] * game.seats
    for event in game.events:
        word, *details = str(event).split()
        if word in ("crossed", "placed", "captured", "stacked"):
            seat, key, number = int(details[0]), details[1][0], int(details[1][1:])
            marks[seat][key][number] = marks[seat][key].get(number, 0) + 1
            if word == "captured":
                del marks[1 - seat][key][number]
        elif word == "locked":
            locks[int(details[0])].add(details[1])
        elif word == "missed":
            misses[int(details[0])] += 1
    for seat, sheet in enumerate(game.reveal().sheets):
        assert sheet.misses == misses[seat]
        for row in sheet.rows:
            left_to_right = sorted(marks[seat][row.key], key=lambda number: rows[row.key][number])
            assert list(row.crosses) == left_to_right
            assert list(row.heights) == [marks[seat][row.key][number] for number in left_to_right]
            assert row.locked == (row.key in locks[seat])


# ---- hidden data


Place = tuple[Ints, tuple[int, ...]]
"""Where a card lies: an array and the index in it."""


def shuffle_hidden(game: Game, seat: int, rng: Random) -> None:
    """Change everything that a seat cannot know to another possible value: chance, others' choices, hidden cards."""
    state = game._states[0]
    state.rng = np.uint64(rng.getrandbits(64))
    for other in range(game.seats):
        if other != seat and state.choices[other] != NO_CHOICE:
            state.choices[other] = rng.choice(game.legal(other)).id
    if not game.variant.is_cards or state.phase == OVER:
        return
    # Cards that are seen from behind keep their number (K2, K11); all others can be any card.
    top = int(state.pile_size) - 1
    others = [other for other in range(game.seats) if other != seat]
    guesses: list[Place] = [(state.pile, (place,)) for place in range(top)]
    backs: list[Place] = [(state.hands, (other, place)) for other in others for place in range(5)]
    backs += [(state.display, (place,)) for place in range(4)]
    backs += [(state.pile, (top,))] if top >= 0 else []
    backs = [(place, at) for place, at in backs if place[at] != NO_CARD]
    for place, at in backs:
        alike = [p for p in [*backs, *guesses] if p[0][p[1]] % TOTALS == place[at] % TOTALS]
        other_place, other_at = rng.choice(alike)
        place[at], other_place[other_at] = int(other_place[other_at]), int(place[at])
    cards = [int(place[at]) for place, at in guesses]
    rng.shuffle(cards)
    for (place, at), card in zip(guesses, cards, strict=True):
        place[at] = card
    for other in range(game.seats):
        hand = state.hands[other, : state.held[other]]
        hand.sort()
    discards = state.discards[: state.discarded]
    discards[:] = sorted(discards, key=lambda _: rng.random())


@bounded(150)
@given(games(), st.integers(0, 4), st.integers(0, 10**6))
def test_shuffling_hidden_data_leaves_the_view_unchanged(game: Game, seat: int, seed: int) -> None:
    """K2, K11, C3: hidden cards, pending choices and future chance leave no trace in a view."""
    viewer = None if seat >= game.seats else seat
    hidden = -1 if viewer is None else viewer
    seen, view = redacted(game._layouts, game._states, viewer), game.view(viewer)
    shuffle_hidden(game, hidden, Random(seed))
    assert redacted(game._layouts, game._states, viewer).tobytes() == seen.tobytes()
    assert game.view(viewer) == view


@bounded(30)
@given(games(CARDS), st.integers(0, 10**6))
def test_the_shuffled_hidden_data_is_possible(game: Game, seed: int) -> None:
    """K1: the shuffled state of the test before is a possible one: every card of the deck is somewhere, once."""
    before = state_of(game)
    shuffle_hidden(game, 0, Random(seed))
    try:
        Game.from_position(game.position())
    except QwixxError as error:
        raise AssertionError(game.position()) from error
    if game.phase not in ("deal", "over"):
        assert state_of(game) != before
