"""Cells, cards, rolls and actions as text: parsing, and error sentences for texts that cannot be read."""

from __future__ import annotations

import pytest

import qwixx
from qwixx import IllegalAction, NotationError
from qwixx.text.action_parser import read_action
from qwixx.text.notation import action_text, card_text, cell_text, read_card, read_cell, read_deck, read_roll, roll_text

CLASSIC = qwixx.variant("classic")
MIXED = qwixx.variant("gemixxt-a")
CARDS = qwixx.variant("cards")
HAND = [read_card(card) for card in ("r4", "r5", "r7", "g5", "j5")]


@pytest.mark.parametrize("name", qwixx.games())
def test_every_cell_has_its_own_text(name: str) -> None:
    """C1: all cells of a sheet have different texts, and each text is read as its cell."""
    variant = qwixx.variant(name)
    cells = [row * 15 + place for row, cells in enumerate(variant.rows) for place in range(len(cells.cells))]
    texts = [cell_text(variant, cell) for cell in cells]
    assert len(set(texts)) == len(cells)
    assert [read_cell(variant, text) for text in texts] == cells


def test_cells_by_hand() -> None:
    """G1: a cell is its row's key and its number; on gemixxt A the rows are A to D."""
    assert cell_text(CLASSIC, read_cell(CLASSIC, "g12")) == "g12"
    assert read_cell(CLASSIC, "g12") == 2 * 15
    assert read_cell(MIXED, "D2") == 3 * 15 + 10
    for text in ("r1", "r13", "A7", "7", "rr", "r 7", "", "r7x", "r007"):
        with pytest.raises(NotationError, match="is no cell of this sheet; cells look like r7, rows are r, y, g, b"):
            read_cell(CLASSIC, text)


def test_cards_by_hand() -> None:
    """K1, K9: a card is its color and number, a joker a j; a question mark is a back, which cannot be read."""
    assert card_text(read_card("b12")) == "b12"
    assert card_text(read_card("j7")) == "j7"
    assert card_text(5 * 17 + 4) == "?4"
    for text in ("?4", "r0", "r17", "x4", "r", "", "r4r5"):
        with pytest.raises(NotationError, match="is no card"):
            read_card(text)


def test_a_star_means_the_rest_of_a_deck() -> None:
    """K1: the rest of the deck, in its order, without the cards that are elsewhere."""
    whole = [read_card(card) for card in ("r2", "r3", "r4", "y2")]
    assert [card_text(card) for card in read_deck("y2,*", whole, [read_card("r3")])] == ["y2", "r2", "r4"]
    with pytest.raises(NotationError, match="too long"):
        read_deck("r2," * 1000, whole)


def test_rolls_by_hand() -> None:
    """C2, C8: whites, then red, yellow, green, blue; a dash for a removed die."""
    assert list(read_roll("34/2-15")) == [3, 4, 2, 0, 1, 5]
    assert roll_text([3, 4, 2, 0, 1, 5]) == "34/2-15"
    for text in ("-4/1111", "34/11111", "34 1111", "34/111a", ""):
        with pytest.raises(NotationError, match="is no roll; a roll looks like 34/2615"):
            read_roll(text)


def test_actions_are_read_in_any_order() -> None:
    """K5: cards and cells may be named in any order, and are written in the order of hand and sheet."""
    action = read_action(CARDS, HAND, "play: r7,r4 , r5 = r5,r4")
    assert action_text(CARDS, HAND, action) == "play:r4,r5,r7=r4,r5"
    assert action_text(CARDS, HAND, read_action(CARDS, HAND, "take:3,1")) == "take:1,3"


def test_ties_by_hand() -> None:
    """BB2: a cell and the row that gets the bonus."""
    bonus = qwixx.variant("bonus-b")
    assert action_text(bonus, (), read_action(bonus, (), "y11 > b")) == "y11>b"
    with pytest.raises(NotationError, match="'x' is no row; rows are r, y, g, b"):
        read_action(bonus, (), "y11>x")


def test_a_joker_takes_the_color_of_its_cells() -> None:
    """K9: the same joker, as red and as blue, is two actions; a joker and a card of its number cross one cell."""
    for text in ("play:j5=r5", "play:j5=b5", "play:j5", "play:g5,j5=g5", "play:r4,r5,j5=r4,r5"):
        assert action_text(CARDS, HAND, read_action(CARDS, HAND, text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("take:", "name different places of the display"),
        ("take:5", "name different places of the display"),
        ("take:1,1", "name different places of the display"),
        ("play:", "is no card"),
        ("play:r4,r4", "name each card and each cell once"),
        ("play:r4,r5=r4,r4", "name each card and each cell once"),
        ("play:r4=", "is no cell"),
        ("castle", "is no cell of this sheet"),
        ("x" * 201, "too long for an action"),
    ],
)
def test_actions_that_cannot_be_read(text: str, message: str) -> None:
    """The error for an invalid action shows the form of a valid one."""
    with pytest.raises(NotationError, match=message):
        read_action(CARDS, HAND, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play:r4,r5,r7,g5", "At most three cards"),
        ("play:b9", "b9 is not in hand"),
        ("play:r4=r6", "r6 is not among the numbers and the color played"),
        ("play:r4=g4", "g4 is not among the numbers and the color played"),
    ],
)
def test_plays_that_the_rules_refuse(text: str, message: str) -> None:
    """K5: a play with cards not held, too many of them, or cells they do not show is refused with its rule."""
    with pytest.raises(IllegalAction, match=message) as refused:
        read_action(CARDS, HAND, text)
    assert refused.value.rule == "K5"


def test_long_texts_are_not_repeated_in_full() -> None:
    """An error quotes only the start of a long text."""
    with pytest.raises(NotationError) as found:
        read_cell(CLASSIC, "q" * 150)
    assert len(str(found.value)) < 150
