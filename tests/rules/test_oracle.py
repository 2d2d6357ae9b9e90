"""The naive oracle against hand-checked examples of the rule book; test names contain the rule ids."""

from __future__ import annotations

import random

import pytest

from oracle import Oracle
from oracle.cards import CardTable
from oracle.duel import DuelTable
from oracle.sheet_games import SheetTable
from oracle.sheets import BAR, BOXED, COLORS, DICE_GAMES, GEMIXXT_A, GEMIXXT_B, PAIRS


def papers(oracle: Oracle) -> SheetTable:
    """Return the table of a game in which every seat has a sheet."""
    assert isinstance(oracle.table, SheetTable)
    return oracle.table


def cards(oracle: Oracle) -> CardTable:
    """Return the table of a card game."""
    assert isinstance(oracle.table, CardTable)
    return oracle.table


def duel(oracle: Oracle) -> DuelTable:
    """Return the board of a duel."""
    assert isinstance(oracle.table, DuelTable)
    return oracle.table


def mark(oracle: Oracle, seat: int, row: str, *values: int) -> None:
    """Cross cells of a row and close it if the last one does; rows close for all in a dice game."""
    table = oracle.table
    assert isinstance(table, SheetTable | CardTable)
    for value in values:
        table.papers[seat].cross(*table.sheet.find(f"{row}{value}"))
    if isinstance(table, SheetTable) and row in table.papers[seat].locks:
        table.closed.append(row)


def crossed(oracle: Oracle, seat: int, row: str) -> list[int]:
    """Return the crosses of a row."""
    found: list[int] = oracle.snapshot()["seats"][seat]["rows"][row]
    return found


def in_play(hand: list[str], variant: str = "cards", sheet: str = "classic") -> Oracle:
    """Return a two-seat card game in which seat 0 is about to play from this hand."""
    oracle = Oracle(variant, 2, sheet=sheet)
    table = cards(oracle)
    table.hands[0] = hand
    table.pile = [card for card in table.deck if card not in hand]
    table.phase = "play"
    return oracle


def deck(*first: str, jokers: bool = False) -> str:
    """Return a deck that starts with these cards."""
    suits = "rygbj" if jokers else "rygb"
    rest = [f"{suit}{value}" for suit in suits for value in range(2, 13)]
    return ",".join([*first, *(card for card in rest if card not in first)])


def test_perft_classic_one_seat() -> None:
    """The opening with 34/2615 has 5 first actions and 41 pairs of actions."""
    oracle = Oracle("classic", 1)
    assert oracle.chance("34/2615") == [("rolled", "34/2615"), ("phase", "white")]
    assert sorted(oracle.legal(0)) == ["b7", "g7", "pass", "r7", "y7"]
    total = 0
    for text in oracle.legal(0):
        after = oracle.clone()
        after.decide(0, text)
        total += len(after.legal(0))
    assert total == 41


def test_c1_left_to_right() -> None:
    """A cell left of a cross is lost, by position and not by size."""
    oracle = Oracle("classic", 1)
    for row, values in {"r": [5, 7], "y": [10], "g": [6], "b": [10]}.items():
        mark(oracle, 0, row, *values)
    at_six = oracle.clone()
    at_six.chance("33/1111")
    assert at_six.legal(0) == ["b6", "pass"]
    oracle.chance("56/1111")
    assert oracle.legal(0) == ["r11", "y11", "pass"]


def test_c3_window_and_events() -> None:
    """All decide at the same time, may change their choice, and the last decision resolves the window."""
    oracle = Oracle("classic", 4, first=1)
    oracle.chance("41/1236")
    assert oracle.deciders() == {0, 1, 2, 3}
    assert oracle.decide(0, "g5") == [("decided", 0)]
    assert oracle.decide(0, "y5") == [("decided", 0)]
    assert "r5" in oracle.legal(0)
    oracle.decide(1, "r5")
    oracle.decide(2, "pass")
    assert oracle.snapshot()["choices"] == ["y5", "r5", "pass", None]
    expected = [("decided", 3), ("crossed", 0, "y5"), ("crossed", 1, "r5"), ("phase", "color")]
    assert oracle.decide(3, "pass") == expected
    assert oracle.snapshot()["crossed"] is True
    assert oracle.deciders() == {1}
    assert oracle.legal(0) == []
    assert "b10" in oracle.legal(1)
    assert oracle.decide(1, "b10")[1:] == [("crossed", 1, "b10"), ("turn", 2), ("phase", "roll")]
    assert oracle.snapshot()["roll"] is None


def test_c6_miss_for_the_active_seat_only() -> None:
    """An active seat that crosses nothing takes a miss, and the fourth ends the game."""
    oracle = Oracle("classic", 2)
    for turn in range(7):
        oracle.chance("11/6666")
        oracle.decide(0, "pass")
        oracle.decide(1, "pass")
        events = oracle.decide(turn % 2, "pass")
        assert ("missed", turn % 2) in events
    assert oracle.ending == "misses"
    assert events[-1] == ("over", "misses")
    assert oracle.scores() == [-20, -15]
    assert oracle.winners() == [1]
    assert oracle.snapshot()["roll"] == "11/6666"


def test_c7_c8_five_crosses_lock_and_die() -> None:
    """The last cell needs five crosses and gives the lock, and the die is removed before action 2."""
    oracle = Oracle("classic", 2)
    mark(oracle, 0, "r", 2, 3, 4, 5, 6)
    mark(oracle, 0, "y", 2, 3, 4, 5)
    oracle.chance("66/6111")
    assert oracle.legal(0) == ["b12", "g12", "r12", "pass"]
    assert oracle.legal(1) == ["b12", "g12", "pass"]
    oracle.decide(1, "pass")
    events = oracle.decide(0, "r12")
    assert events[1:] == [
        ("crossed", 0, "r12"),
        ("locked", 0, "r"),
        ("closed", "r"),
        ("die-left", "r"),
        ("phase", "color"),
    ]
    assert oracle.snapshot()["roll"] == "66/-111"
    assert oracle.snapshot()["closed"] == ["r"]
    assert all(not text.startswith("r") for text in oracle.legal(0))
    assert oracle.scores()[0] == 28 + 10
    oracle.decide(0, "pass")
    with pytest.raises(ValueError, match="not a roll"):
        oracle.chance("66/6111")
    oracle.chance("66/-111")


def test_c9_c10_shared_closing() -> None:
    """Two seats close the same row in one window, a third with four crosses cannot, and it is one row."""
    oracle = Oracle("classic", 3)
    mark(oracle, 0, "g", 12, 11, 10, 9, 8)
    mark(oracle, 1, "g", 12, 11, 10, 9, 8, 7)
    mark(oracle, 2, "g", 12, 11, 10, 9)
    oracle.chance("11/1111")
    assert "g2" not in oracle.legal(2)
    oracle.decide(0, "g2")
    oracle.decide(1, "g2")
    events = oracle.decide(2, "pass")
    assert events.count(("closed", "g")) == 1
    assert ("locked", 0, "g") in events
    assert ("locked", 1, "g") in events
    assert oracle.phase == "color"
    assert oracle.scores() == [28, 36, 10]


def test_c11_three_rows() -> None:
    """A third row closes in the window of the second, and there is no action 2 and no miss."""
    oracle = Oracle("classic", 2, first=1)
    mark(oracle, 0, "g", 12, 11, 10, 9, 8, 2)
    mark(oracle, 0, "r", 2, 3, 4, 5, 6)
    mark(oracle, 1, "y", 2, 3, 4, 5, 6)
    oracle.chance("66/11-1")
    oracle.decide(0, "r12")
    events = oracle.decide(1, "y12")
    assert events[-1] == ("over", "rows")
    assert oracle.snapshot()["closed"] == ["r", "y", "g"]
    assert oracle.snapshot()["roll"] == "66/---1"
    assert [seat["misses"] for seat in oracle.snapshot()["seats"]] == [0, 0]


def test_c12_score() -> None:
    """4, 3, 7 and 8 crosses and two misses make 70."""
    oracle = Oracle("classic", 1)
    mark(oracle, 0, "r", 2, 3, 4, 5)
    mark(oracle, 0, "y", 2, 3, 4)
    mark(oracle, 0, "g", 12, 11, 10, 9, 8, 7, 6)
    mark(oracle, 0, "b", 12, 11, 10, 9, 8, 7, 2)
    papers(oracle).papers[0].misses = 2
    assert oracle.scores() == [70]


def test_g1_g5_sheets() -> None:
    """Every color and number is once on both mixed sheets, and their rows end as printed."""
    for sheet in (GEMIXXT_A, GEMIXXT_B):
        pairs = sorted(cell for row in sheet.rows.values() for cell in row)
        assert pairs == sorted((value, color) for value in range(2, 13) for color in COLORS)
    assert [sheet_row[-1] for sheet_row in GEMIXXT_A.rows.values()] == [
        (12, "r"),
        (12, "y"),
        (2, "g"),
        (2, "b"),
    ]
    assert [sheet_row[-1][0] for sheet_row in GEMIXXT_B.rows.values()] == [11, 10, 3, 4]


def test_g2_g3_color_sums_and_dice() -> None:
    """Closing row A removes the red die; red cells elsewhere can still be crossed with the white sum."""
    oracle = Oracle("gemixxt-a", 1)
    mark(oracle, 0, "A", 2, 3, 4, 5, 6)
    oracle.chance("66/2261")
    events = oracle.decide(0, "A12")
    assert ("closed", "A") in events
    assert ("die-left", "r") in events
    assert oracle.legal(0) == ["C8", "D12", "pass"]  # blue 7 is in the closed row
    oracle.decide(0, "pass")
    oracle.chance("21/-111")
    assert "B3" in oracle.legal(0)


def test_ba1_sheet() -> None:
    """Three boxed cells a row and three bar cells a color."""
    assert sorted(cell[0] for cell in BOXED) == sorted(BAR)


def test_ba2_bonus() -> None:
    """Green 11 uses the red first bar cell and crosses the next red cell."""
    oracle = Oracle("bonus-a", 1)
    oracle.chance("56/1111")
    assert oracle.decide(0, "g11")[1:] == [
        ("crossed", 0, "g11"),
        ("bonus", 0, 1),
        ("crossed", 0, "r2"),
        ("phase", "color"),
    ]
    assert oracle.snapshot()["seats"][0]["used"] == [1]


def test_ba3_snowball() -> None:
    """Red 9, bar blue, blue 5, bar yellow, the next yellow cell."""
    oracle = Oracle("bonus-a", 1)
    mark(oracle, 0, "b", 6)
    oracle.table.papers[0].used = {1, 2, 3, 4, 5, 6}  # type: ignore[attr-defined]  # a Bonus A sheet has a bar
    oracle.chance("45/1111")
    assert oracle.decide(0, "r9")[1:-1] == [
        ("crossed", 0, "r9"),
        ("bonus", 0, 7),
        ("crossed", 0, "b5"),
        ("bonus", 0, 8),
        ("crossed", 0, "y2"),
    ]


def test_ba4_ba5_struck_and_closing_by_bonus() -> None:
    """A bonus closes red, all players strike unused red bar cells, and the cells after them stay in order."""
    oracle = Oracle("bonus-a", 2)
    mark(oracle, 0, "r", 2, 4, 5, 7, 11)
    oracle.chance("56/1111")
    oracle.decide(1, "pass")
    assert oracle.decide(0, "g11")[1:] == [
        ("crossed", 0, "g11"),
        ("bonus", 0, 1),
        ("crossed", 0, "r12"),
        ("locked", 0, "r"),
        ("closed", "r"),
        ("die-left", "r"),
        ("struck", 0, 6),
        ("struck", 0, 9),
        ("struck", 1, 1),
        ("struck", 1, 6),
        ("struck", 1, 9),
        ("phase", "color"),
    ]
    oracle.decide(0, "pass")
    oracle.chance("56/-111")
    oracle.decide(0, "pass")
    assert oracle.decide(1, "g11")[1:4] == [("crossed", 1, "g11"), ("bonus", 1, 2), ("crossed", 1, "y2")]


def test_ba5_lost() -> None:
    """A bonus on the last cell without five crosses is spent and lost."""
    oracle = Oracle("bonus-a", 1)
    mark(oracle, 0, "r", 11)
    oracle.chance("56/1111")
    assert oracle.decide(0, "g11")[1:4] == [("crossed", 0, "g11"), ("bonus", 0, 1), ("lost", 0, "r")]


def test_bb2_tie() -> None:
    """On a tie for the fewest crosses there is one action per tied row, and no plain one."""
    oracle = Oracle("bonus-b", 1)
    mark(oracle, 0, "y", 11)
    oracle.chance("45/1111")
    assert sorted(oracle.legal(0)) == ["b9", "g9>b", "g9>r", "pass", "r9"]
    assert oracle.decide(0, "g9>b")[1:-1] == [
        ("crossed", 0, "g9"),
        ("pair", 0, "two-in-fewest"),
        ("crossed", 0, "b12"),
        ("crossed", 0, "b11"),
    ]


def test_bb2_fewest_counts_closed_rows() -> None:
    """The fewest crosses are in a row that another seat closed: both crosses are lost."""
    oracle = Oracle("bonus-b", 2)
    mark(oracle, 1, "b", 12, 11, 10, 9, 8, 2)
    mark(oracle, 0, "y", 11)
    mark(oracle, 0, "r", 2)
    oracle.chance("45/111-")
    assert "g9" in oracle.legal(0)
    oracle.decide(1, "pass")
    events = oracle.decide(0, "g9")
    assert events[2:5] == [("pair", 0, "two-in-fewest"), ("lost", 0, "b"), ("lost", 0, "b")]


def test_bb3_bb4_order() -> None:
    """One cross in every row first, then the pairs they completed, in that order."""
    oracle = Oracle("bonus-b", 1)
    mark(oracle, 0, "r", 7)
    mark(oracle, 0, "y", 3)
    mark(oracle, 0, "g", 6)
    mark(oracle, 0, "b", 10, 7)
    oracle.chance("34/1111")
    assert oracle.decide(0, "y7")[1:-1] == [
        ("crossed", 0, "y7"),
        ("pair", 0, "one-in-each"),
        ("crossed", 0, "r8"),
        ("crossed", 0, "y8"),
        ("crossed", 0, "g5"),
        ("crossed", 0, "b6"),
        ("pair", 0, "double-fewest"),
        ("pair", 0, "free-misses"),
    ]
    papers(oracle).papers[0].misses = 3
    assert oracle.scores() == [3 + 6 + 3 + 6 + 3]
    mark(oracle, 0, "r", 11)
    assert oracle.scores() == [6 + 6 + 3 + 6 + 3]


def test_bb1_plus_13_and_bb6_free_misses_end() -> None:
    """Red 6 and blue 4 give 13 points, and a fourth miss ends the game although it is free."""
    oracle = Oracle("bonus-b", 1)
    for row, values in {"r": [6], "b": [4], "y": [3], "g": [5]}.items():
        mark(oracle, 0, row, *values)
    for _ in range(4):
        oracle.chance("11/1111")
        oracle.decide(0, "pass")
        oracle.decide(0, "pass")
    assert oracle.ending == "misses"
    assert oracle.scores() == [4 + 13]
    assert sum(len(cells) for cells in PAIRS.values()) == 10


def test_l2_closing() -> None:
    """Either of the last two cells closes, with six crosses and not with five."""
    oracle = Oracle("longo", 1, lucky=[(5, 10)])
    mark(oracle, 0, "r", 2, 3, 4, 5, 6, 7)
    mark(oracle, 0, "y", 2, 3, 4, 5, 6)
    oracle.chance("78/1111")
    assert oracle.legal(0) == ["b15", "g15", "r15", "pass"]
    assert ("closed", "r") in oracle.decide(0, "r15")
    assert oracle.scores() == [36 + 15]


def test_l3_score() -> None:
    """4, 3, 9 and 8 crosses and two misses make 87, and fifteen crosses 120."""
    oracle = Oracle("longo", 2)
    mark(oracle, 0, "r", 2, 3, 4, 5)
    mark(oracle, 0, "y", 2, 3, 4)
    mark(oracle, 0, "g", *range(16, 7, -1))
    mark(oracle, 0, "b", *range(16, 8, -1))
    papers(oracle).papers[0].misses = 2
    mark(oracle, 1, "r", *range(2, 16))
    assert oracle.scores() == [87, 120]


def test_l4_lucky_number() -> None:
    """With lucky 6 and white sum 6 the empty green row offers its 16; on a tie each tied row offers its next cell."""
    oracle = Oracle("longo", 1, lucky=[(6, 11)])
    mark(oracle, 0, "r", 2)
    mark(oracle, 0, "y", 2)
    mark(oracle, 0, "b", 16)
    oracle.chance("24/1111")
    assert sorted(oracle.legal(0)) == ["b6", "g16", "g6", "pass", "r6", "y6"]
    oracle.decide(0, "g16")
    oracle.decide(0, "pass")
    oracle.chance("33/1111")
    assert sorted(oracle.legal(0)) == ["b15", "b6", "g15", "g6", "pass", "r3", "r6", "y3", "y6"]


def test_k2_k3_k4_deal_draw_number() -> None:
    """Four cards each, four in the display; a taken card's place is filled, the next card is the number."""
    oracle = Oracle("cards", 2)
    first = ["r4", "b3", "y9", "r2", "y2", "y3", "y4", "y5", "g12", "g11", "g10", "g9", "b12", "b4"]
    assert oracle.chance(deck(*first)) == [("dealt",), ("phase", "draw")]
    assert oracle.snapshot()["seats"][0]["hand"] == ["r2", "r4", "y9", "b3"]
    assert oracle.legal(0) == ["take:1", "take:2", "take:3", "take:4"]
    assert oracle.legal(1) == []
    assert oracle.decide(0, "take:2") == [
        ("decided", 0),
        ("took", 0, (11,)),
        ("number", 4),
        ("phase", "number"),
    ]
    assert oracle.snapshot()["display"] == ["g12", "b12", "g10", "g9"]
    assert oracle.snapshot()["pile"][0] == "b4"
    assert oracle.legal(1) == ["r4", "y4", "g4", "b4", "pass"]
    oracle.decide(0, "pass")
    oracle.decide(1, "y4")
    events = oracle.decide(0, "play:r2,r4=r2")
    assert events == [
        ("decided", 0),
        ("played", 0, ("r2", "r4")),
        ("crossed", 0, "r2"),
        ("turn", 1),
        ("phase", "draw"),
    ]
    assert oracle.snapshot()["discards"] == ["r2", "r4"]


def test_k3_shuffle() -> None:
    """A pile that runs out while the display is filled is replaced by the discards, and filling continues."""
    oracle = Oracle("cards", 2)
    oracle.chance(deck())
    table = cards(oracle)
    table.hands[0] = ["r2", "r3"]
    table.pile, table.discards = ["b12", "b11"], table.pile[:-2]
    assert oracle.decide(0, "take:1,2,4")[2:] == [("phase", "shuffle")]
    assert oracle.deciders() == set()
    assert oracle.snapshot()["display"][3] is None
    left = list(table.discards)
    events = oracle.chance(",".join(left))
    assert events == [("shuffled", len(left)), ("number", int(left[1][1:])), ("phase", "number")]
    assert oracle.snapshot()["display"][3] == left[0]
    assert oracle.snapshot()["discards"] == []


def test_k5_gap() -> None:
    """Red 4-5-7 can all be crossed, yellow 2-4-6 cannot; two of the three can; nothing is fine too."""
    legal = in_play(["r4", "r5", "r7", "g2"]).legal(0)
    assert {"play:r4,r5,r7=r4,r5,r7", "play:r4,r5,r7", "play:r4,r7", "play:g2"} <= set(legal)
    assert "play:r4,r7=r4,r7" not in legal
    assert "play:g2=g2" not in legal
    legal = in_play(["y2", "y4", "y6"]).legal(0)
    assert {"play:y2,y4,y6=y2,y4", "play:y2,y4,y6=y4,y6", "play:y2,y4,y6=y2"} <= set(legal)
    assert "play:y2,y4,y6=y2,y4,y6" not in legal
    assert "play:g3,g9,g11=g9,g11" not in in_play(["g3", "g9", "g11"]).legal(0)
    assert "play:g3,g9,g11=g11,g9" in in_play(["g3", "g9", "g11"]).legal(0)


def test_k5_k6_k7_k8_closing() -> None:
    """Crosses of one play count toward five, closing is personal, and two closed rows of one seat end it."""
    oracle = in_play(["r10", "r11", "r12"])
    mark(oracle, 0, "r", 2, 3, 4)
    mark(oracle, 1, "r", 2, 3, 4, 5, 6, 12)
    assert oracle.phase == "play"
    assert "play:r10,r11,r12=r10,r12" not in oracle.legal(0)
    two_rows = oracle.clone()
    mark(two_rows, 0, "g", 12, 11, 10, 9, 8, 2)
    assert two_rows.decide(0, "play:r10,r11,r12=r10,r11,r12")[-1] == ("over", "rows")
    events = oracle.decide(0, "play:r10,r11,r12=r10,r11,r12")
    assert events[-3:] == [("locked", 0, "r"), ("turn", 1), ("phase", "draw")]
    assert oracle.scores() == [28, 28]
    missed = in_play(["r10"])
    assert missed.decide(0, "play:r10")[2] == ("missed", 0)


def test_k9_jokers() -> None:
    """A joker takes any color, and with a card of its own number crosses one cell."""
    legal = in_play(["r4", "j4", "j5"], "cards-joker").legal(0)
    assert {"play:r4,j4", "play:r4,j4=r4", "play:r4,j4,j5=r4,r5", "play:j4,j5=b5,b4"} <= set(legal)
    assert "play:r4,j5=y5" not in legal
    assert "play:j4,j5=r4,y5" not in legal
    assert legal.count("play:j4") == 1
    assert len([text for text in legal if text.startswith("play:j4=")]) == 4


def test_k10_mixed_sheets() -> None:
    """On sheet A crosses may be in several rows without a limit; on sheet B cells count as printed."""
    legal = in_play(["r3", "r8", "r11"], sheet="gemixxt-a").legal(0)
    assert {"play:r3,r8,r11=B3,D8", "play:r3,r8,r11=A11,B3,D8"} <= set(legal)
    legal = in_play(["r2", "r8", "r10"], sheet="gemixxt-b").legal(0)
    assert "play:r2,r10=r10,r2" in legal
    assert "play:r2,r8,r10=r10,r2,r8" in legal
    assert "play:r8,r10=r10,r8" not in legal


def duel_cells(oracle: Oracle, seat: int, row: str) -> set[int]:
    """Return the numbers of a row on which a seat may place a pawn."""
    table = duel(oracle)
    return {value for place, (value, _) in enumerate(table.sheet.rows[row]) if table.may(seat, row, place)}


def pawns(oracle: Oracle, seat: int, row: str, **heights: int) -> None:
    """Put pawns on the board: n5=2 is a stack of two on 5."""
    table = duel(oracle)
    for name, height in heights.items():
        table.pawns[seat][row][table.sheet.find(row + name[1:])[1]] = height


def test_d3_capture() -> None:
    """Grey on 3 may go to any free cell right of it or capture the black 7; the black 5 is safe."""
    oracle = Oracle("duel", 2)
    pawns(oracle, 0, "r", n3=1)
    pawns(oracle, 1, "r", n5=1, n7=1)
    assert duel_cells(oracle, 0, "r") == {4, 6, 7, 8, 9, 10, 11}
    oracle.chance("34/1111")
    assert oracle.deciders() == {0}
    assert oracle.legal(1) == []
    assert oracle.decide(0, "r7") == [("decided", 0), ("captured", 0, "r7"), ("phase", "color")]
    assert duel(oracle).supply(1) == 21
    oracle.decide(0, "pass")
    assert duel_cells(oracle, 1, "r") == {6, 7, 8, 9, 10, 11}


def test_d4_stack() -> None:
    """A stack of grey on 5 is safe; black goes around it; grey stacks again while it is rightmost."""
    oracle = Oracle("duel", 2)
    pawns(oracle, 0, "b", n5=2)
    pawns(oracle, 1, "b", n9=1)
    assert duel_cells(oracle, 1, "b") == {8, 7, 6, 4, 3}
    assert duel_cells(oracle, 0, "b") == {5, 4, 3}
    pawns(oracle, 0, "b", n5=5)
    assert duel_cells(oracle, 0, "b") == {5, 4, 3, 2}
    pawns(oracle, 1, "b", n4=1)
    assert duel_cells(oracle, 0, "b") == {4, 3, 2}


def test_d5_two_cells() -> None:
    """The two pawns of one turn go to two cells, but the next own turn may stack."""
    oracle = Oracle("duel", 2)
    oracle.chance("14/1666")
    assert oracle.decide(0, "r5")[1] == ("placed", 0, "r5")
    assert "r5" not in oracle.legal(0)
    oracle.decide(0, "pass")
    oracle.chance("11/6666")
    oracle.decide(1, "pass")
    assert oracle.decide(1, "pass")[1:] == [("missed", 1), ("turn", 0), ("phase", "roll")]
    oracle.chance("14/1666")
    assert oracle.decide(0, "r5")[1] == ("stacked", 0, "r5")
    assert oracle.snapshot()["seats"][0]["pawns"]["r"] == [(5, 2)]


def test_d7_d8_d9_closing_and_last_pawn() -> None:
    """The last pawn on the last cell closes the row without a lock pawn, ends the game, and scores."""
    oracle = Oracle("duel", 2)
    pawns(oracle, 0, "r", n2=1, n3=1, n4=3)
    locked = oracle.clone()
    locked.chance("66/1111")
    assert locked.decide(0, "r12")[1:] == [
        ("placed", 0, "r12"),
        ("locked", 0, "r"),
        ("closed", "r"),
        ("die-left", "r"),
        ("phase", "color"),
    ]
    pawns(oracle, 0, "y", n7=16)
    assert duel(oracle).supply(0) == 1
    oracle.chance("66/1111")
    assert oracle.decide(0, "r12")[1:] == [
        ("placed", 0, "r12"),
        ("closed", "r"),
        ("die-left", "r"),
        ("over", "pawns"),
    ]
    assert oracle.scores() == [21 + 78, 0]


def test_d8_four_misses_in_all() -> None:
    """The misses of both players count together."""
    oracle = Oracle("duel", 2)
    for seat in (0, 1, 0, 1):
        oracle.chance("11/1111")
        oracle.decide(seat, "pass")
        oracle.decide(seat, "pass")
    assert oracle.ending == "misses"
    assert oracle.scores() == [-10, -10]
    assert oracle.winners() == [0, 1]


def test_refused_actions_change_nothing() -> None:
    """An illegal action is refused and leaves the state as it was."""
    oracle = Oracle("classic", 2)
    oracle.chance("34/2615")
    before = oracle.snapshot()
    for seat, text in [(0, "r8"), (0, "r7>y"), (2, "r7"), (0, "")]:
        with pytest.raises(ValueError, match="may not"):
            oracle.decide(seat, text)
    with pytest.raises(ValueError, match="nothing to roll"):
        oracle.chance("34/2615")
    assert oracle.snapshot() == before


def random_chance(oracle: Oracle, rng: random.Random) -> str:
    """Return the next random event."""
    table = oracle.table
    if isinstance(table, CardTable):
        order = list(table.deck if oracle.phase == "deal" else table.discards)
        rng.shuffle(order)
        return ",".join(order)
    assert isinstance(table, SheetTable | DuelTable)
    faces = [str(rng.randint(1, table.sheet.sides)) for _ in range(6)]
    return table.dice_text("".join(faces[:2]) + "/" + "".join(faces[2:]))


def check_state(oracle: Oracle) -> None:
    """Assert the invariants of every state."""
    state = oracle.snapshot()
    for seat in state["seats"]:
        assert set(seat["locks"]) <= set(seat["rows"])
        assert 0 <= seat["misses"] <= 4
        assert not set(seat["used"]) & set(seat["struck"])
    table = oracle.table
    if isinstance(table, CardTable):
        if oracle.phase != "deal":
            held = [card for seat in state["seats"] for card in seat["hand"]]
            shown = [card for card in state["display"] if card is not None]
            assert sorted(held + shown + state["pile"] + state["discards"]) == sorted(table.deck)
    elif isinstance(table, SheetTable):
        for row in table.sheet.rows:
            assert (row in table.closed) == any(row in seat["locks"] for seat in state["seats"])


def play_out(oracle: Oracle, rng: random.Random) -> None:
    """Play at random to the end, within a limited number of turns."""
    while oracle.phase != "over":
        assert oracle.snapshot()["turn"] < 500
        owing = oracle.deciders()
        if not owing:
            oracle.chance(random_chance(oracle, rng))
        else:
            seat = rng.choice(sorted(owing))
            legal = oracle.legal(seat)
            assert len(set(legal)) == len(legal) > 0
            oracle.decide(seat, rng.choice(legal))
        check_state(oracle)
    assert oracle.deciders() == set()
    assert oracle.winners()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("variant", DICE_GAMES)
def test_random_dice_games_end(variant: str, seats: int) -> None:
    """Random play ends in every dice game with every number of seats."""
    for seed in range(3):
        play_out(Oracle(variant, seats, first=seed % seats), random.Random(seed))


@pytest.mark.parametrize("sheet", ["classic", "gemixxt-a", "gemixxt-b"])
@pytest.mark.parametrize("variant", ["cards", "cards-joker"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_card_games_end(seats: int, variant: str, sheet: str) -> None:
    """Random play ends in both card games, on every sheet, with every number of seats."""
    play_out(Oracle(variant, seats, first=1, sheet=sheet), random.Random(seats))


def test_random_duels_end() -> None:
    """Random duels end."""
    for seed in range(5):
        play_out(Oracle("duel", 2, first=seed % 2), random.Random(seed))
