"""Afterstates: the result of a decision on a copy equals the real result."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from qwixx import Game
from qwixx.game.view import redacted
from qwixx.jit.decorators import entry
from qwixx.kernel.afterstates import legal_after, sheet_after, state_after
from qwixx.kernel.state.records import BACK, DRAW, NO_CARD, SHEET, STATE, TAKES, TOTALS, Record, Records
from qwixx.kernel.state.refusals import NOT_YOUR_TURN, WRONG_NUMBER_OF_CARDS
from support.games.random_games import SETTINGS, Setting, choose, new_game

SOLITAIRES = [setting for setting in SETTINGS if setting.seats == 1]


@entry
def _sheet_after(layouts: Records, states: Records, action: int, sheets: Records) -> int:
    return sheet_after(layouts[0], states[0].sheets[0], states[0].closed, action, sheets, 0)


@entry
def _state_after(layouts: Records, states: Records, seat: int, action: int, copies: Records) -> int:
    return state_after(layouts[0], states, 0, seat, action, copies, 0)


def without_misses(sheet: Record) -> bytes:
    """Return a sheet as bytes without misses: whether a miss is due depends on the whole turn."""
    copy = sheet.copy()
    copy.misses = 0
    return bytes(copy.tobytes())


@pytest.mark.slow
@pytest.mark.parametrize("setting", SOLITAIRES, ids=str)
def test_a_sheet_after_a_decision(setting: Setting) -> None:
    """In solitaire a decision takes effect immediately: each gives the predicted sheet (C3, C4)."""
    rng = Random(f"after {setting}")
    sheets: Records = np.zeros(1, SHEET)
    tried = 0
    for seed in range(3):
        game = new_game(setting, seed)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            layouts, states = game.raw()
            for action in game.legal(0):
                twin = game.copy()
                twin.decide(0, action)
                closed = _sheet_after(layouts, states, action.id, sheets)
                _, after = twin.raw()
                assert without_misses(sheets[0]) == without_misses(after[0].sheets[0]), (game.position(), action.text)
                assert closed == after[0].closed
                tried += 1
            game.decide(0, choose(game, 0, rng))
    assert tried > 100


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_state_after_a_decision(setting: Setting) -> None:
    """In every game the predicted state is the real one if all other deciders pass. Draws: see below."""
    rng = Random(f"after {setting}")
    copies: Records = np.zeros(1, STATE)
    game = new_game(setting, seed=3)
    for _ in range(120):
        if game.is_over:
            break
        if game.awaits_chance:
            game.roll()
            continue
        seat = rng.choice(game.deciders())
        action = rng.choice(game.legal(seat))
        twin = game.copy()
        for other in game.deciders():
            if other != seat:
                twin.decide(other, "pass")
        twin.decide(seat, action)
        layouts, states = game.raw()
        assert _state_after(layouts, states, seat, action.id, copies) == 0
        if states[0].phase != DRAW:
            assert copies.tobytes() == twin.raw()[1].tobytes(), (game.position(), action.text)
        game.decide(seat, choose(game, seat, rng))


@entry
def _legal_after(layouts: Records, states: Records, seat: int, action: int, copies: Records) -> None:
    legal_after(layouts[0], states, 0, seat, action, copies, 0)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_legal_actions_need_no_second_check(setting: Setting) -> None:
    """If only one seat decides, every legal action except a draw gives the state of `decide`."""
    rng = Random(f"legal {setting}")
    copies: Records = np.zeros(1, STATE)
    game = new_game(setting, seed=4)
    tried = 0
    while not game.is_over and tried < 150:
        if game.awaits_chance:
            game.roll()
            continue
        layouts, states = game.raw()
        if len(game.deciders()) == 1 and states[0].phase != DRAW:
            seat = game.deciders()[0]
            for action in game.legal(seat):
                twin = game.copy()
                twin.decide(seat, action)
                _legal_after(layouts, states, seat, action.id, copies)
                assert copies.tobytes() == twin.raw()[1].tobytes(), (game.position(), action.text)
                tried += 1
        for seat in game.deciders():
            game.decide(seat, choose(game, seat, rng))
    assert tried > 10


def numbers(cards: Iterable[int]) -> list[int]:
    """Return the numbers of cards, where there are any."""
    return sorted(int(card) % TOTALS for card in cards if card != NO_CARD)


def test_a_draw_stops_before_the_number_is_shown() -> None:
    """A lookahead at a draw shows neither colors of the display nor cards of the pile (K2 to K4)."""
    for seed in range(5):
        game = Game("cards", seats=2, first=0, seed=seed)
        game.roll()
        layouts, states = game.raw()
        before = states[0].copy()
        for known in (states, redacted(layouts, states, 0)):
            for action in game.legal(0):
                copies: Records = np.zeros(1, STATE)
                assert _state_after(layouts, known, 0, action.id, copies) == 0
                after = copies[0]
                taken = [card for place, card in enumerate(before.display) if action.id - TAKES >> place & 1]
                left = [card for place, card in enumerate(before.display) if not action.id - TAKES >> place & 1]
                hand = after.hands[0, : after.held[0]].tolist()
                assert (after.phase, after.waiting, after.held[0]) == (DRAW, 0, 5)
                assert [card for card in hand if card // TOTALS != BACK] == before.hands[0, :4].tolist()
                assert numbers(card for card in hand if card // TOTALS == BACK) == numbers(taken)
                assert numbers(after.display) == numbers(left)
                assert after.pile_size == before.pile_size == 32
        assert states[0] == before


def test_an_illegal_draw_is_refused() -> None:
    """With four cards in hand exactly one is drawn (K3)."""
    game = Game("cards", seats=2, first=0, seed=1)
    game.roll()
    layouts, states = game.raw()
    copies: Records = np.zeros(1, STATE)
    assert _state_after(layouts, states, 0, TAKES + 0b11, copies) == WRONG_NUMBER_OF_CARDS
    assert _state_after(layouts, states, 1, TAKES + 0b1, copies) == NOT_YOUR_TURN
    assert copies.tobytes() == states.tobytes()


def test_an_illegal_decision_is_refused() -> None:
    """An illegal action is refused on the copy, too, and the state itself does not change."""
    game = Game("classic", seats=2, first=0)
    game.set_roll("34/2615")
    layouts, states = game.raw()
    before = states.tobytes()
    copies: Records = np.zeros(1, STATE)
    assert _state_after(layouts, states, 0, 0, copies) != 0  # red 2 is not the white sum
    assert states.tobytes() == before
