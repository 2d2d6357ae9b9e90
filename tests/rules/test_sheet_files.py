"""Sheet files: the content of the built-in ones, and error sentences for custom ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import qwixx
from qwixx import Game, Problem, SheetError, Variant
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.variants import read_variant

UP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
DOWN = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

MINE = '''id = "mine"
like = "classic"
name = "Mine"
title = "A sheet of my own."

sheet = """
r  2 3 4 5 6 7 8 | 9 L
y  9 8 7 6 5 4 3 | 2 L
g  2 3 4 5 6 7 8 | 9 L
b  9 8 7 6 5 4 3 | 2 L
"""

[end]
rows = 3

[closing]
crosses = 2
'''


def numbers(variant: Variant) -> dict[str, list[int]]:
    """Return the numbers of every row, left to right."""
    return {row.key: [cell.value for cell in row.cells] for row in variant.rows}


def boxed(variant: Variant) -> list[str]:
    """Return the boxed cells."""
    return [f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells if cell.boxed]


def test_classic_sheet() -> None:
    """C1, C7, C12: red and yellow ascend, green and blue descend; the last cell closes with five; misses cost five."""
    classic = qwixx.variant("classic")
    assert numbers(classic) == {"r": UP, "y": UP, "g": DOWN, "b": DOWN}
    assert [row.lock_color for row in classic.rows] == ["r", "y", "g", "b"]
    assert [row.closes_from for row in classic.rows] == [10, 10, 10, 10]
    assert (classic.closing_crosses, classic.sides, classic.end_rows, classic.end_misses) == (5, 6, 2, 4)
    assert classic.points == (1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
    assert classic.miss_points == 5


def test_gemixxt_a_sheet() -> None:
    """G1, G3: the colors of each row letter by letter, the dice its rows remove, and every cell exactly once."""
    variant = qwixx.variant("gemixxt-a")
    colors = ["".join(cell.color for cell in row.cells) for row in variant.rows]
    assert colors == ["yyybbbgggrr", "rrggggbbyyy", "bbbyyyrrrgg", "ggrrrryybbb"]
    assert list(numbers(variant).values()) == [UP, UP, DOWN, DOWN]
    assert [row.lock_color for row in variant.rows] == ["r", "y", "g", "b"]
    assert len({(cell.color, cell.value) for row in variant.rows for cell in row.cells}) == 44


def test_gemixxt_b_sheet() -> None:
    """G5: the numbers of each row as printed; the rows close with red 11, yellow 10, green 3, blue 4."""
    variant = qwixx.variant("gemixxt-b")
    assert numbers(variant) == {
        "r": [10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11],
        "y": [9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10],
        "g": [8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3],
        "b": [5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4],
    }
    assert not variant.is_mixed


def test_bonus_a_sheet() -> None:
    """BA1: twelve boxed cells, and a bar of twelve."""
    variant = qwixx.variant("bonus-a")
    assert sorted(boxed(variant)) == sorted(["r3", "r6", "r9", "y5", "y8", "y11", "g11", "g7", "g4", "b10", "b8", "b5"])
    assert "".join(variant.bar) == "rygbgrbyrybg"
    assert numbers(variant) == numbers(qwixx.variant("classic"))


def test_bonus_b_sheet() -> None:
    """BB1: ten marked cells, two of each kind."""
    variant = qwixx.variant("bonus-b")
    pairs: dict[str, set[str]] = {kind: set() for kind in variant.pairs.values()}
    for row in variant.rows:
        for cell in row.cells:
            if cell.pair:
                pairs[variant.pairs[cell.pair]].add(f"{row.key}{cell.value}")
    assert pairs == {
        "two-in-fewest": {"y11", "g9"},
        "one-in-each": {"y7", "b7"},
        "double-fewest": {"r8", "b10"},
        "plus-13": {"r6", "b4"},
        "free-misses": {"y3", "g5"},
    }


def test_longo_sheet() -> None:
    """L1, L2, L3, L5: 2 to 16, two closing cells, six crosses, fifteen points, five equally likely pads."""
    variant = qwixx.variant("longo")
    assert numbers(variant)["r"] == list(range(2, 17))
    assert numbers(variant)["b"] == list(range(16, 1, -1))
    assert [row.closes_from for row in variant.rows] == [13, 13, 13, 13]
    assert (variant.sides, variant.closing_crosses) == (8, 6)
    assert variant.points == (1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120)
    assert set(variant.lucky) == {(5, 10), (6, 11), (7, 12), (8, 13), (4, 9)}
    sums = [one + other for one in range(1, 9) for other in range(1, 9)]
    assert [sums.count(small) + sums.count(large) for small, large in variant.lucky] == [11] * 5


def test_cards_and_duel() -> None:
    """K1, K2, K5, K9, D1, D9: 44 cards or 55, four in hand, one left out; 22 pawns, twelve counted."""
    cards, joker, duel = (qwixx.variant(name) for name in ("cards", "cards-joker", "duel"))
    assert cards.deck is not None
    assert joker.deck is not None
    assert (cards.deck.numbers, cards.deck.dealt, cards.deck.left_out) == (tuple(UP), 4, 1)
    assert (cards.deck.jokers, joker.deck.jokers) == (False, True)
    assert (duel.pawns, duel.most_counted, list(duel.seats)) == (22, 12, [2])


def test_seats_of_every_game() -> None:
    """C2: one to five seats with dice, two to five with cards, two in the duel."""
    seats = {name: list(qwixx.variant(name).seats) for name in qwixx.games()}
    for name in ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo"):
        assert seats.pop(name) == [1, 2, 3, 4, 5]
    assert seats == {"cards": [2, 3, 4, 5], "cards-joker": [2, 3, 4, 5], "duel": [2]}


def test_all_lucky_pads_have_the_same_chance() -> None:
    """L5, R15: the printed pads 5/10 and 6/11 and ours come up in 11 of 64 rolls, counted one by one."""
    pads = qwixx.variant("longo").lucky
    assert pads[:2] == ((5, 10), (6, 11))
    faces = range(1, 9)
    assert {sum(one + other in pad for one in faces for other in faces) for pad in pads} == {11}


def test_every_list_of_games_has_the_printed_players() -> None:
    """README and `qwixx variants` name the players of the box and ours; of the classic game there are two boxes."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    listed = CliRunner().invoke(main, ["variants"], env={"COLUMNS": "200"}).output
    facts = {each["id"]: each for each in json.loads(CliRunner().invoke(main, ["variants", "--json"]).output)}
    for name in qwixx.games():
        variant = qwixx.variant(name)
        assert variant.printed is not None
        printed, here = (
            f"{least}-{most}" if least < most else f"{least}"
            for least, most in (variant.printed, (variant.fewest_seats, variant.most_seats))
        )
        boxes = f"2-4 and {printed} (two boxes)" if name == "classic" else printed
        assert re.search(rf"^\| `{name}` \| .* \| {re.escape(boxes)} \| {here} \|$", readme, re.MULTILINE), name
        assert re.search(rf"\b{name} .* {here} +{printed} ", listed), name
        assert facts[name]["printed_for"] == list(variant.printed)


def test_printed_players_and_our_additions() -> None:
    """The boxes say 2-5 or 2-4; solitaire and a fifth player are ours. A custom sheet inherits nothing printed."""
    printed = {name: qwixx.variant(name).printed for name in qwixx.games()}
    ours = {name: qwixx.variant(name).added_seats for name in qwixx.games()}
    for name in ("gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo"):
        assert (printed.pop(name), ours.pop(name)) == ((2, 4), (1, 5))
    assert printed == {"classic": (2, 5), "cards": (2, 5), "cards-joker": (2, 5), "duel": (2, 2)}
    assert ours == {"classic": (1,), "cards": (), "cards-joker": (), "duel": ()}
    mine = read_variant('id = "mine"\nlike = "longo"\nname = "Mine"\ntitle = "Mine."\n')
    assert (mine.printed, mine.added_seats) == (None, ())
    with pytest.raises(QwixxError, match="'printed' should be a range"):
        read_variant('id = "mine"\nlike = "longo"\nname = "Mine"\ntitle = "Mine."\nprinted = "many"\n')


@pytest.mark.parametrize("sheet", ["gemixxt-a", "gemixxt-b"])
def test_card_games_on_other_sheets(sheet: str) -> None:
    """K10: the card game uses the rows of another sheet and keeps its own rules."""
    variant = qwixx.variant("cards", sheet)
    assert variant.rows == qwixx.variant(sheet).rows
    assert (variant.id, variant.sheet, variant.is_cards) == ("cards", sheet, True)


# ---- custom sheets


def load(tmp_path: Path, text: str) -> Variant:
    """Load a sheet file with this text."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return qwixx.variant(path)


def slips(tmp_path: Path, text: str) -> list[Problem]:
    """Return the errors in a sheet file with this text."""
    with pytest.raises(SheetError) as found:
        load(tmp_path, text)
    return list(found.value.problems)


def test_a_custom_sheet_can_be_played(tmp_path: Path) -> None:
    """A sheet file is a game: its rows, its rules, and everything else from its base game."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    game = Game(str(path), seats=1, first=0)
    game.set_roll("44/1111")
    assert [str(action) for action in game.legal(0)] == ["r8", "y8", "g8", "b8", "pass"]
    game.decide(0, "y8")
    assert [str(action) for action in game.legal(0)] == ["r5", "y5", "g5", "b5", "pass"]
    game.decide(0, "y5")
    game.set_roll("11/1111")
    game.decide(0, "y2")  # two crosses are enough here
    assert game.closed == ("y",)
    assert game.variant.points[0] == 1
    assert game.scores() == (10,)
    again = Game.from_record(game.record(), variant=path)
    assert again.position() == game.position()
    assert Game.from_record(game.record()).position() == game.position()
    with pytest.raises(qwixx.PositionError, match="no game 'mine'"):
        Game.from_position(game.position())


def test_a_record_of_another_version_of_the_sheet_is_refused(tmp_path: Path) -> None:
    """A record contains the hash of the compiled sheet, so a changed sheet is detected."""
    game = Game(load(tmp_path, MINE), seats=1)
    changed = load(tmp_path, MINE.replace("crosses = 2", "crosses = 3"))
    with pytest.raises(qwixx.RecordError, match="another version of this sheet"):
        Game.from_record(game.record(), variant=changed)


def test_the_card_game_on_a_custom_sheet(tmp_path: Path) -> None:
    """K10: a plain sheet file can be used for the card game too; one with a bar cannot."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    game = Game("cards", seats=2, sheet=path)
    assert numbers(game.variant)["r"] == [2, 3, 4, 5, 6, 7, 8, 9]
    path.write_text(MINE.replace("r  2 3", "r  2 [3]").replace("[end]", 'bar = "r"\n[end]'), "utf-8")
    with pytest.raises(qwixx.QwixxError, match="on sheets of plain numbers, not on 'mine'"):
        Game("cards", seats=2, sheet=path)


@pytest.mark.parametrize("name", qwixx.games())
def test_built_in_ids_are_taken(name: str, tmp_path: Path) -> None:
    """A custom sheet needs a new id."""
    found = slips(tmp_path, MINE.replace('"mine"', f'"{name}"'))
    assert [str(slip) for slip in found] == [f"line 1: the id {name!r} belongs to a game of the family"]


SLIPS = [
    ('id = "mine"', 'id = "My Sheet"', 1, "'id' should be up to 40 small letters, digits and dashes"),
    ('id = "mine"\n', "", 0, "'id' is missing"),
    ('"classic"', '"chess"', 2, "'like' names 'chess'; known are classic, gemixxt-a,"),
    ('name = "Mine"', "name = 7", 3, "'name' should be a text"),
    ("title =", "motto =", 4, "nothing is called 'motto'; expected one of id, like, name"),
    ("title =", 'seats = "0-5"\ntitle =', 4, "'seats' should lie within '1-5' here"),
    ("title =", 'seats = "5-2"\ntitle =', 4, "'seats' should be a range like '2-5'"),
    ("title =", 'flow = "water"\ntitle =', 4, "'flow' should be 'dice' or 'cards'"),
    ("title =", 'bar = "r y"\ntitle =', 4, "a bar needs boxed cells, such as [7], to work"),
    ("title =", 'lucky = ["6-11"]\ntitle =', 4, "a pad of lucky numbers looks like '6/11', not '6-11'"),
    ("title =", 'lucky = ["6/11"]\ntitle =', 4, "'lucky' needs 5 to 8 pads, one for each seat"),
    ("r  2 3", "r  2 x3", 7, "'x3' is no cell; cells look like 7, r7, [7] or 7a"),
    ("r  2 3", "r  2 [3", 7, "'[3' is no cell"),
    ("r  2 3", "A  2 r3", 7, "cell '2' needs a color before its number, since 'A' is none"),
    ("r  2 3", "rrr 2 3", 7, "a row starts with its key, one letter, not 'rrr'"),
    ("r  2 3", "r  3 3", 7, "row 'r' has the number 3 2 times"),
    ("r  2 3", "r  13 3", 7, "no sum reaches r13; numbers run from 2 to 12 here"),
    ("r  2 3", "r  2 y3", 8, "y3 is on the sheet twice; a color sum must name one cell"),
    ("r  2 3", "r  2 [3]", 6, "boxed cells need a 'bar' to work through"),
    ("r  2 3", "r  2 3a", 6, "cells are marked 'a', but [pairs] does not say what that does"),
    ("8 | 9 L\ny", "8 9 L\ny", 7, "a row needs a stroke '|' before the cells that close it"),
    ("8 | 9 L\ny", "| 8 | 9 L\ny", 7, "a row has one stroke '|', before the cells that close it"),
    ("8 | 9 L\ny", "8 | 9\ny", 7, "a row ends with its lock, L"),
    ("8 | 9 L\ny", "8 | 9 L 10 L\ny", 7, "'L' is no cell"),
    ("y  9", "r  9", 8, "row key 'r' is used twice"),
    ("| 2 L\ng", "| b2 L\ng", 6, "2 rows close with the color 'b'; each row needs a die of its own"),
    ("b  9 8 7 6 5 4 3 | 2 L\n", "", 6, "a sheet has 4 rows, not 3"),
    ("rows = 3", "rows = 5", 14, "'end.rows' should be from 1 to 4, not 5"),
    ("crosses = 2", "crosses = 8", 7, "row 'r' has too few cells before its stroke to ever be closed"),
    ("crosses = 2", "crosses = true", 17, "'closing.crosses' should be a whole number"),
    ("crosses = 2", "crosses = 2\n[dice]\nsides = 9", 19, "'dice.sides' should be from 2 to 8, not 9"),
    ("crosses = 2", "crosses = 2\n[score]\nrows = [1, 3]", 19, "'score.rows' needs points for up to 9 crosses"),
    ("crosses = 2", 'crosses = 2\n[score]\nrows = ["1"]', 19, "'score.rows' should be a list of whole numbers"),
    ("crosses = 2", "crosses = 2\n[score]\nmost = 0", 19, "'score.most' should be from 1 to 12, not 0"),
    ("crosses = 2", "crosses = 2\n[score]\nmiss = -5", 19, "'score.miss' should be from 0 to 100, not -5"),
    ("crosses = 2", 'crosses = 2\n[pairs]\na = "plus-13"', 18, "pair 'a' marks 0 cells; a pair has two"),
    ("crosses = 2", 'crosses = 2\n[pairs]\na = "fly"', 18, "pair 'a' does 'fly'; known are two-in-fewest,"),
    ("crosses = 2", "crosses = 2\n[board]\npawns = 101", 19, "'board.pawns' should be from 0 to 100, not 101"),
    ("crosses = 2", "crosses = ", 17, "this is not TOML: Invalid value"),
    ("crosses = 2", "crosses = 2\n[cards]\nspeed = 1", 19, "nothing is called 'cards.speed'"),
]


@pytest.mark.parametrize(("good", "bad", "line", "message"), SLIPS, ids=[slip[3][:40] for slip in SLIPS])
def test_an_error_is_reported_with_its_line(good: str, bad: str, line: int, message: str, tmp_path: Path) -> None:
    """Each kind of error names its line and what was expected."""
    assert good in MINE
    found = slips(tmp_path, MINE.replace(good, bad, 1))
    assert any(slip.line == line and slip.message.startswith(message) for slip in found), found


def test_all_errors_are_reported_together(tmp_path: Path) -> None:
    """Six errors in one file are six lines of one message, in the order of the file, without consequential errors."""
    text = MINE.replace('"Mine"', "1").replace("r  2 3", "r  2 x").replace("y  9 8", "y  9 9")
    text = text.replace("rows = 3", "rows = 0").replace("crosses = 2", "crosses = -1")
    assert [str(slip) for slip in slips(tmp_path, text)] == [
        "line 3: 'name' should be a text",
        "line 7: 'x' is no cell; cells look like 7, r7, [7] or 7a",
        "line 8: row 'y' has the number 9 2 times",
        "line 8: y9 is on the sheet twice; a color sum must name one cell",
        "line 14: 'end.rows' should be from 1 to 4, not 0",
        "line 17: 'closing.crosses' should be from 0 to 15, not -1",
    ]


CARDS = [
    ("sheets = []", "'cards.sheets' should name at least one sheet"),
    ("dealt = 5", "'cards.dealt' should be from 1 to 4"),
    ("left_out = -2", "'cards.left_out' should be from 0 to 15, or -1 for no limit"),
    ('numbers = "1-12"', "'cards.numbers' should lie within '2-16'"),
    ('numbers = "2-7"', "24 cards are too few for 5 seats"),
    ('numbers = "7"', "'cards.numbers' should be a range like '2-12'"),
]


@pytest.mark.parametrize(("fact", "message"), CARDS)
def test_errors_about_cards(fact: str, message: str, tmp_path: Path) -> None:
    """K1, R7: a deck that cannot be dealt from is reported with its line."""
    text = f'id = "mine"\nlike = "cards"\n[cards]\n{fact}\n'
    assert Problem(4, message) in slips(tmp_path, text)


def test_errors_about_files(tmp_path: Path) -> None:
    """A missing file, a binary file and a far too long file have their own errors."""
    path = tmp_path / "mine.toml"
    with pytest.raises(qwixx.UnknownVariant, match="cannot be read: No such file"):
        qwixx.variant(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SheetError, match="UTF-8"):
        qwixx.variant(path)
    path.write_text("#" * 70_000)
    with pytest.raises(SheetError, match="at most 65536 characters"):
        qwixx.variant(path)
    path.write_text("x = " + "[" * 30_000)
    with pytest.raises(SheetError, match="not TOML"):
        qwixx.variant(path)
    path.write_text("x = " + "1" * 10_000)
    with pytest.raises(SheetError, match="far too long"):
        qwixx.variant(path)


def test_a_sheet_is_chosen_by_card_games_only() -> None:
    """K10: `sheet` is only for the card games, and names a sheet that they can use."""
    with pytest.raises(qwixx.QwixxError, match="Only the card games choose a sheet"):
        Game("classic", sheet="gemixxt-a")
    with pytest.raises(qwixx.QwixxError, match="is played on classic, gemixxt-a, gemixxt-b, not on 'longo'"):
        Game("cards", sheet="longo")


def test_a_cell_is_boxed_or_marked(tmp_path: Path) -> None:
    """Each cell that is both is named, with its own line."""
    sheet = tmp_path / "both.toml"
    rows = ["r 2 3 4 5 6 7 [8a] 9 10 11 | 12 L", "y 2 3 4 5 6 7 8a 9 10 11 | 12 L"]
    rows += ["g 12 11 10 9 [8b] 7 6 5 4 3 | 2 L", "b 12 11 10 9 8b 7 6 5 4 3 | 2 L"]
    head = 'id = "both"\nlike = "classic"\nname = "B"\ntitle = "t"\nbar = "r y"\nsheet = """\n'
    sheet.write_text(head + "\n".join(rows) + '\n"""\npairs.a = "free-miss"\npairs.b = "free-miss"\n')
    with pytest.raises(SheetError) as found:
        Game(sheet)
    both = [(each.line, each.message) for each in found.value.problems if "boxed and marked" in each.message]
    assert both == [
        (7, "r8 is boxed and marked 'a'; a cell can be only one of them"),
        (9, "g8 is boxed and marked 'b'; a cell can be only one of them"),
    ]
