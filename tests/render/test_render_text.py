"""The text form of sheets: readable without colors, never wider than a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from qwixx import Game
from qwixx.render.text import middle_rich, sheet_rich, sheet_text, table_text

POSITIONS = [
    "classic phase=white roll=34/2615 | r=2,5,7 g=12,11 misses=1 | y=3,4",
    "gemixxt-a phase=white roll=34/2615 | A=2,3,5 D=12 | -",
    "gemixxt-b phase=white roll=34/-615 | r=10,6,2,8,3,11,L | -",
    "bonus-a phase=white roll=34/26-5 | r=2,3 used=1 struck=3,5,12 | g=12,10,9,8,6,2,L struck=3,5,12",
    "bonus-b phase=white roll=34/2615 | y=7 b=12,7 | -",
    "longo phase=white roll=38/261- | b=16,15,14,13,12,11,3,L lucky=6/11 | lucky=5/10",
    "cards phase=draw display=r2,r3,r4,r5 pile=* | r=2,3 hand=g2,g3,g4,g5 | hand=b2,b3,b4,b5",
    "cards-joker phase=number display=j2,r3,r4,r5 pile=j11,* | y=2 hand=g2,g3,g4,g6,j5 | hand=b2,b3,b4,b5",
    "duel phase=white roll=34/2-15 | r=5,7 y=2,3,4,5,6,12,L misses=1 | r=3 b=12,5x3 misses=2",
]


def lines(position: str, legal: tuple[str, ...] = ()) -> list[str]:
    """Write seat 0's sheet of a position as this seat sees it, line by line."""
    game = Game.from_position(position)
    return sheet_text(game.variant, game.view(0), 0, legal).splitlines()


def test_a_classic_sheet() -> None:
    """Crosses, lost cells, open cells, locks, misses and the score are where a player expects them."""
    assert lines("classic phase=roll | r=2,5,7 g=12,11 misses=1 | y=2,3,4,5,6,12,L", ("r9", "b12", "pass")) == [
        "r   X   .   .   X   .   X   8  >9< 10  11  12 |L",
        "y   .   .   .   .   .   .   .   .   .   .   . |=",
        "g   X   X  10   9   8   7   6   5   4   3   2 |L",
        "b >12< 11  10   9   8   7   6   5   4   3   2 |L",
        "misses [X][ ][ ][ ]",
        "r 6 + y 0 + g 3 + b 0 - 5 for misses = 4",
    ]


def test_mixed_colors_are_named_cell_by_cell() -> None:
    """On gemixxt A every cell has its color's letter, crossed and lost ones too."""
    assert lines(POSITIONS[1], ("A9",))[0] == "A   yX   yX   y.   bX   b6   b7   g8  >g9< g10  r11  r12 |L"


def test_a_locked_row() -> None:
    """A row that this seat closed has a cross on its lock and nothing left to cross."""
    assert lines(POSITIONS[2])[0] == "r   X   X   X   X   X   .   .   .   .   .   X |X"


def test_boxes_and_bar() -> None:
    """Boxed cells are in brackets; the bar shows used cells as X and struck ones as a dash."""
    sheet = lines(POSITIONS[3], ("r6", "r7"))
    assert sheet[0] == "r   X  [X]  4   5  >6] >7<  8  [9] 10  11  12 |L"
    assert sheet[4].split() == ["bar", *"Xy-b-rbyryb-"]


def test_pairs() -> None:
    """Cells of a pair carry its letter, and the list below says which pairs are complete."""
    sheet = lines(POSITIONS[4])
    assert sheet[1].split() == ["y", ".", ".e", ".", ".", ".", "Xb", "8", "9", "10", "11a", "12", "|L"]
    assert "b one in each [XX]" in sheet[4]
    assert "d +13 [  ]" in sheet[4]


def test_lucky_numbers() -> None:
    """Longo's sheet names its lucky numbers."""
    assert "lucky numbers 6 and 11" in lines(POSITIONS[5])


def test_hands_are_shown_only_to_their_owner() -> None:
    """A seat reads its own cards and the numbers of all others, the display and the number for all (K11)."""
    game = Game.from_position(POSITIONS[7])
    view = game.view(0)
    text = table_text(game.variant, view)
    assert "hand  g2   g3   g4   g6   j5" in text
    assert "hand  2   3   4   5" in text
    assert "b2" not in text
    assert middle_rich(game.variant, view).plain.split()[:7] == ["display", "2", "3", "4", "5", "pile", "11"]


def test_the_duels_board() -> None:
    """Below each row of the duel are the pawns, stacks with their height; misses and scores say whose they are."""
    assert lines(POSITIONS[8], ("r7",)) == [
        "r   2   3   4   5   6  >7<  8   9  10  11  12 |L",
        "        o       #       #",
        "y   2   3   4   5   6   .   .   .   .   .  12 |=",
        "    #   #   #   #   #                       #  #",
        "g  12  11  10   9   8   7   6   5   4   3   2 |L",
        "",
        "b  12  11  10   9   8   7   6   5   4   3   2 |L",
        "    o                          o3",
        "misses [#][o][o][ ]",
        "# seat 0: r 3 + y 28 + g 0 + b 0 - 5 for misses = 26, 12 pawns left",
        "o seat 1: r 1 + y 0 + g 0 + b 10 - 10 for misses = 1, 15 pawns left",
    ]


@pytest.mark.parametrize("position", POSITIONS)
def test_everything_fits_a_terminal(position: str) -> None:
    """No line is wider than 80 characters, with any names of players."""
    game = Game.from_position(position)
    every = [f"{row.key}{cell.value}" for row in game.variant.rows for cell in row.cells]
    texts = [table_text(game.variant, game.view(), ["A name without end " * 9, "\x1b[31m\nred"])]
    texts += [sheet_rich(game.variant, game.view(seat), seat, every).plain for seat in range(2)]
    for text in texts:
        assert max(map(len, text.splitlines())) <= 80
        assert "\x1b" not in text


@pytest.mark.parametrize("position", POSITIONS)
def test_no_color_is_needed(position: str) -> None:
    """A terminal without colors gets the same characters as one with colors."""
    game = Game.from_position(position)
    sheet = sheet_rich(game.variant, game.view(0), 0, game.legal(0))
    for system in (None, "256"):
        out = StringIO()
        console = Console(file=out, width=80, force_terminal=True, color_system=system, legacy_windows=False)
        console.print(sheet)
        assert ("\x1b[" in out.getvalue()) == (system is not None)
        if system is None:
            assert [line.rstrip() for line in out.getvalue().splitlines()] == [
                line.rstrip() for line in sheet.plain.splitlines()
            ]


def test_a_printed_game() -> None:
    """`print(game)` shows the state of the game, the dice, and then every sheet."""
    text = str(Game.from_position("classic turn=9 phase=white roll=34/26-5 | r=2 | g=12,11,10,9,8,2,L")).splitlines()
    assert text[:2] == ["Qwixx", "turn 9, seat 0 is active, white sum"]
    assert text[2].split() == ["3", "4", "r2", "y6", "g-", "b5"]
    assert [line for line in text if line.startswith("seat")] == ["seat 0", "seat 1"]
    assert str(Game("classic", seats=1, first=0)).startswith(
        "Qwixx\nturn 1, seat 0 is active, before the roll\n\nseat 0"
    )
