"""Observations and actions: the meaning of the numbers, and that they contain nothing hidden."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import qwixx
from qwixx.game.view import make_view
from qwixx.kernel import api
from qwixx.kernel.state.records import (
    ACTIONS,
    CARDS,
    DISPLAY,
    HAND,
    MENU,
    NO_CHOICE,
    OVER,
    PASS,
    STATE,
    TIES,
    TOTALS,
    Record,
    Records,
)
from qwixx.rl import stepping
from qwixx.rl.encode import Bytes
from qwixx.rl.spaces import REWARDS, Space, check_rewards, describe
from support.games.rl_reference import EVERY, PAIRS, lowest, some_states

pytestmark = pytest.mark.slow

Pair = tuple[str, int]


def seen_by(space: Space, states: Records, seat: int) -> tuple[Bytes, Bytes]:
    """Return the observation and the mask of a seat in the first of some states."""
    seen, mask = np.full((1, space.size), -7, np.int8), np.full((1, space.actions), -7, np.int8)
    asked = lowest(int(states[0].waiting)) if states[0].waiting else stepping.NOBODY
    stepping.observe_into(space.layouts, states, seat, asked, np.zeros(1, MENU), seen, mask)
    return seen[0], mask[0]


# ---- actions


@pytest.mark.parametrize(("variant", "size"), [("classic", 61), ("longo", 61), ("duel", 61), ("bonus-b", 301)])
def test_the_dice_games_keep_the_kernels_numbers(variant: str, size: int) -> None:
    """Without cards a compact action is the kernel's own number, as far as the variant needs them."""
    space = describe(variant, 2)
    assert space.actions == size
    assert space.kernel_actions.tolist() == list(range(size))


@pytest.mark.parametrize("variant", qwixx.games())
def test_compact_actions_convert_both_ways(variant: str) -> None:
    """Every compact action has one number in the kernel, in the same order, and can be converted back."""
    space = describe(variant, 2)
    kernel = space.kernel_actions
    assert (np.diff(kernel) > 0).all()
    assert space.compact_actions[kernel].tolist() == list(range(space.actions))
    assert (space.compact_actions >= 0).sum() == space.actions


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_masks_are_exactly_what_is_legal(pair: Pair) -> None:
    """A mask has a one for each legal action of the deciding seat, and none for other seats."""
    space, states = some_states(*pair, seed=3)
    legal = np.zeros(ACTIONS, np.int32)
    for at in range(len(states)):
        state = states[at : at + 1]
        asked = lowest(int(state[0].waiting)) if state[0].waiting else -1
        for seat in range(space.seats):
            _, mask = seen_by(space, state, seat)
            count = api.legal(space.layouts, state, 0, seat, legal) if seat == asked else 0
            assert np.flatnonzero(mask).tolist() == space.compact_actions[legal[:count]].tolist()


def test_actions_have_texts() -> None:
    """Cells, passes, ties, takes and plays of the compact space have texts."""
    assert [describe("classic").action_text(a) for a in (0, 5, 11, 15, PASS)] == ["r2", "r7", "-", "y2", "pass"]
    assert describe("bonus-b").action_text(TIES + 60 * 3 + 5) == "r7>b"
    cards = describe("cards")
    assert [cards.action_text(a) for a in (61 + 0b101, 77, 77 + 5 * 32 + 8 + 3)] == [
        "take:1,3",
        "play:1 as r=-",
        "play:1,2 as y=1,2",
    ]
    with pytest.raises(qwixx.QwixxError, match="301 is no action"):
        describe("bonus-b").action_text(301)


# ---- observations


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_every_entry_is_written_and_within_its_bounds(pair: Pair) -> None:
    """The description has as many entries as the encoder writes, and their largest values."""
    space, states = some_states(*pair, seed=5)
    assert sum(field.size for field in space.fields) == space.size == len(space.high())
    for at in range(len(states)):
        for seat in range(space.seats):
            seen, _ = seen_by(space, states[at : at + 1], seat)
            assert (seen >= 0).all()
            assert (seen <= space.high()).all()


@pytest.mark.parametrize(("game", "most"), [("classic", 12), ("longo", 15), ("duel", 22)])
def test_the_most_crosses_of_a_row(game: str, most: int) -> None:
    """C8: eleven numbers and the lock. L2: of the last two numbers only one can be crossed. D1: all 22 pawns."""
    space = describe(game)
    assert {space.high()[field.start] for field in space.fields if field.name == "own.counts"} == {most}


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_entries_equal_the_view(pair: Pair) -> None:
    """Sheets, dice, cards and the phase are where the description says, own sheet first."""
    space, states = some_states(*pair, seed=7)
    for at in range(len(states)):
        state = states[at : at + 1]
        for seat in range(space.seats):
            _compare(space, state, seat, space.named(seen_by(space, state, seat)[0]))


def _compare(space: Space, states: Records, seat: int, named: dict[str, Bytes]) -> None:
    variant, state = space.variant, states[0]
    view = make_view(variant, space.layouts, states, seat)
    for step in range(space.seats):
        who = "own" if step == 0 else f"next{step}"
        sheet = view.sheets[(seat + step) % space.seats]
        cells = [
            dict(zip(row.crosses, row.heights, strict=True)).get(cell.value, 0)
            for row, printed in zip(sheet.rows, variant.rows, strict=True)
            for cell in printed.cells
        ]
        assert named[f"{who}.cells"].tolist() == cells
        assert named[f"{who}.locks"].tolist() == [row.locked for row in sheet.rows]
        assert named[f"{who}.counts"].tolist() == [row.count for row in sheet.rows]
        assert named[f"{who}.misses"].tolist() == [sheet.misses]
        if variant.is_duel:
            assert named[f"{who}.supply"].tolist() == [sheet.pawns_left]
        if variant.bar:
            assert (np.flatnonzero(named[f"{who}.used"]) + 1).tolist() == list(sheet.used)
            assert (np.flatnonzero(named[f"{who}.struck"]) + 1).tolist() == list(sheet.struck)
        if variant.lucky:
            assert named[f"{who}.lucky"].tolist() == list(sheet.lucky)
        if variant.is_cards:
            assert named[f"{who}.held"].tolist() == [sheet.hand_size]
            assert named[f"{who}.backs"].tolist() == [*sheet.backs, *[0] * (HAND - sheet.hand_size)]
    phases = ("draw", "number", "play", "over") if variant.is_cards else ("white", "color", "over")
    assert [phases[p] for p in np.flatnonzero(named["phase"])] == [p for p in phases if p == view.phase]
    assert np.flatnonzero(named["active"]).tolist() == [(view.active - seat) % space.seats]
    if variant.is_cards:
        _compare_cards(space, state, seat, named)
    else:
        keys = [row.key for row in variant.rows]
        assert named["dice"].tolist() == [int(die) for die in state.dice]
        assert tuple(keys[row] for row in np.flatnonzero(named["closed"])) == view.closed
        assert named["gone"].tolist() == [int(state.gone) >> color & 1 for color in range(4)]
    if "choice.made" in named:
        made = state.choices[seat] != NO_CHOICE
        assert bool(named["choice.made"][0]) == made
        if made and state.choices[seat] < PASS:
            row, position = int(named["choice.row"][0]), int(named["choice.position"][0])
            assert (row - 1) * 15 + position - 1 == state.choices[seat]


def _compare_cards(space: Space, state: Record, seat: int, named: dict[str, Bytes]) -> None:
    deck = [int(card) for card in space.layouts[0].deck[: space.layouts[0].deck_size]]
    assert sorted(int(card) for card in state.discards[: state.discarded]) == [
        deck[place] for place in np.flatnonzero(named["discards"])
    ]
    assert named["display"].tolist() == [max(int(card), 0) % TOTALS for card in state.display]
    assert named["pile"].tolist() == [int(state.pile_size)]
    for place in range(HAND):
        card = int(state.hands[seat, place])
        assert int(named[f"hand{place + 1}.number"][0]) == (card % TOTALS if card >= 0 else 0)
        assert np.flatnonzero(named[f"hand{place + 1}.color"]).tolist() == ([card // TOTALS] if card >= 0 else [])


# ---- hidden data


def shuffle_hidden(space: Space, state: Record, seat: int, random: Random) -> None:
    """Change everything that a seat may not know, and nothing else."""
    state.rng = random.getrandbits(64)
    for other in range(space.seats):
        if other != seat and state.choices[other] != NO_CHOICE:
            state.choices[other] = random.choice([PASS, 3, 20, 40])
    if space.layouts[0].flow != CARDS:
        return
    open_backs = [("hands", other, place) for other in range(space.seats) for place in range(state.held[other])]
    open_backs = [at for at in open_backs if at[1] != seat]
    open_backs += [("display", 0, place) for place in range(DISPLAY) if state.display[place] >= 0]
    pile = [("pile", 0, place) for place in range(state.pile_size)]
    open_backs, places = open_backs + pile[-1:], pile[:-1]
    cards = {at: int(_card(state, at)) for at in places + open_backs}
    for at in open_backs:  # its number is visible, its color is not: swap it with a hidden card of the same number
        alike = [other for other in cards if cards[other] % TOTALS == cards[at] % TOTALS]
        twin = random.choice(alike)
        cards[at], cards[twin] = cards[twin], cards[at]
    moved = [cards[at] for at in places]
    random.shuffle(moved)
    for at, card in [*zip(places, moved, strict=True), *((at, cards[at]) for at in open_backs)]:
        if at[0] == "hands":
            state.hands[at[1], at[2]] = card
        else:
            state[at[0]][at[2]] = card
    for other in range(space.seats):
        state.hands[other, : state.held[other]].sort()
    discards = state.discards[: state.discarded].tolist()
    random.shuffle(discards)
    state.discards[: state.discarded] = discards


def _card(state: Record, at: tuple[str, int, int]) -> int:
    return int(state.hands[at[1], at[2]] if at[0] == "hands" else state[at[0]][at[2]])


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_an_observation_contains_nothing_hidden(pair: Pair) -> None:
    """Shuffling hidden data changes neither the observation of a seat nor its legal actions."""
    random = Random(str(pair))
    space, states = some_states(*pair, seed=11)
    shuffled = 0
    for at in range(len(states)):
        for seat in range(space.seats):
            original, other = states[at : at + 1], states[at : at + 1].copy()
            shuffle_hidden(space, other[0], seat, random)
            shuffled += original.tobytes()[8:] != other.tobytes()[8:]  # the first eight bytes are the random stream
            for mine, theirs in zip(seen_by(space, original, seat), seen_by(space, other, seat), strict=True):
                assert mine.tolist() == theirs.tolist()
    assert shuffled > 0 or space.seats == 1 or space.variant.is_duel, "nothing was hidden, so nothing was proved"


@pytest.mark.parametrize("pair", EVERY, ids=str)
def test_observations_come_from_the_redacted_state(pair: Pair) -> None:
    """The kernel's redacted state is enough for the observation."""
    space, states = some_states(*pair, seed=13)
    for at in range(len(states)):
        state = states[at : at + 1]
        if state[0].phase == OVER:
            continue  # then all cards are open, and observations still hide them
        for seat in range(space.seats):
            copies: Records = np.zeros(1, STATE)
            api.redact(space.layouts, state, 0, copies, seat)
            assert seen_by(space, state, seat)[0].tolist() == seen_by(space, copies, seat)[0].tolist()


def test_an_observation_shows_what_is_open() -> None:
    """The proof above is not empty: own cards, crosses and dice do change an observation."""
    space, states = some_states("cards", 2, seed=1)
    seat = next(s for s in range(2) if states[0].held[s])
    before = seen_by(space, states, seat)[0].tolist()
    states[0].hands[seat, 0] = (int(states[0].hands[seat, 0]) + TOTALS) % (4 * TOTALS)
    assert seen_by(space, states, seat)[0].tolist() != before


# ---- arguments


def test_unknown_games_and_seats_are_refused_with_a_sentence() -> None:
    """An unknown game or a wrong number of seats is a ValueError with a clear text."""
    with pytest.raises(ValueError, match=r"There is no game 'clasic'; there are classic"):
        describe("clasic")
    with pytest.raises(ValueError, match=r"duel is played with 2 seats, not 3\."):
        describe("duel", 3)
    with pytest.raises(ValueError, match="Only the card games choose a sheet"):
        describe("classic", 2, "gemixxt-a")


def test_unknown_rewards_are_refused_with_a_sentence() -> None:
    """Unknown rewards, or rewards that need opponents, are a ValueError with a clear text."""
    assert [check_rewards(name, 2) for name in REWARDS] == [
        stepping.MARGIN,
        stepping.WIN,
        stepping.SCORE,
        stepping.GAIN,
    ]
    with pytest.raises(ValueError, match="There are no rewards 'money'; there are margin, win, score, gain"):
        check_rewards("money", 2)
    with pytest.raises(ValueError, match="nobody to win against"):
        check_rewards("win", 1)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_rewards_stay_within_their_bounds(pair: Pair) -> None:
    """No finished game pays outside the range that learners and OpenSpiel get."""
    space, states = some_states(*pair, seed=17)
    low, high = space.score_range()
    for at in range(len(states)):
        for seat in range(space.seats):
            assert low <= api.score(space.layouts, states[at : at + 1], 0, seat) <= high
