"""Games on custom sheets: their records contain the sheet, and every reader of records uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qwixx import Game, RecordError, SheetError, games
from qwixx.cli import main
from qwixx.variants import Variant, load, read_variant
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.serialize import variant_text
from support.games.invented_sheets import INVENTED, invented
from support.games.small_sheets import SHORT_AND_MIXED, SMALL_CARDS

pytestmark = pytest.mark.usefixtures("own_data")

MINE = 'id = "mine"\nlike = "classic"\nname = "Mine"\ntitle = "My own."\n'


def run(*words: str, given: str = "") -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words), input=given)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """Return a sheet file."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


def played(game: Game, steps: int = 10**6) -> Game:
    """Play this many steps, always with the first choice."""
    for _ in range(steps):
        if game.is_over:
            break
        if game.awaits_chance:
            game.roll()
        else:
            seat = game.deciders()[0]
            game.decide(seat, game.legal(seat)[0])
    return game


def same(written: Variant, read: Variant) -> bool:
    """Return whether the kernel gets the same data from both, and people the same names."""
    hashes = [layout_hash(compile_layout(variant)) for variant in (written, read)]
    return hashes[0] == hashes[1] and (written.name, written.title, written.seats) == (
        read.name,
        read.title,
        read.seats,
    )


@pytest.mark.parametrize("name", sorted(INVENTED))
def test_a_sheet_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    """Every combination of features is written and read again, without the file."""
    variant = invented(tmp_path, name)
    assert same(variant, read_variant(variant_text(variant)))


@pytest.mark.parametrize("text", [SHORT_AND_MIXED, SMALL_CARDS])
def test_unusual_sheets_are_written_and_read_again(text: str, tmp_path: Path) -> None:
    """Rows of other lengths, other dice, other decks."""
    path = tmp_path / "odd.toml"
    path.write_text(text)
    variant = load(path)
    assert same(variant, read_variant(variant_text(variant)))
    game = played(Game(variant, 2, seed=1))
    assert Game.from_record(game.record()).scores() == game.scores()


@pytest.mark.parametrize("name", games())
def test_every_game_can_be_written_as_a_sheet(name: str, tmp_path: Path) -> None:
    """The text of a built-in game, under another id, is that game."""
    path = tmp_path / "copy.toml"
    path.write_text(variant_text(load(name)).replace(f'id = "{name}"', 'id = "copy"'), "utf-8")
    assert same(load(name), load(path))


def test_a_record_is_enough(sheet: Path) -> None:
    """A record on a custom sheet is replayed without the sheet file, also after several copies."""
    game = played(Game(sheet, 2, seed=3))
    sheet.unlink()
    again = Game.from_record(game.record())
    assert again.scores() == game.scores()
    assert again.record() == game.record()
    assert again.variant.name == "Mine"
    assert game.copy().record() == game.record()


def test_a_record_that_starts_anywhere_is_enough(sheet: Path) -> None:
    """A game that was set up from a position contains its sheet as well."""
    game = Game.from_position("mine active=0 phase=roll | r=2 | -", variant=sheet)
    game.set_roll("34/2615")
    sheet.unlink()
    assert Game.from_record(game.record()).position() == game.position()


@pytest.mark.parametrize("game_id", ["cards", "cards-joker"])
def test_cards_on_a_custom_sheet(game_id: str, sheet: Path) -> None:
    """The records of card games on a custom sheet contain it, from the deal and from a position."""
    game = played(Game(game_id, 2, seed=3, sheet=sheet), 20)
    later = Game.from_position(game.position(), variant=game.variant)
    sheet.unlink()
    assert "sheet mine" in game.record().split("\n")
    assert Game.from_record(game.record()).position() == game.position()
    assert Game.from_record(later.record()).position() == game.position()


def test_a_custom_deck_on_another_sheet(tmp_path: Path) -> None:
    """A custom card game stays custom on a built-in sheet: its record names the layout."""
    path = tmp_path / "few.toml"
    path.write_text('id = "few"\nlike = "cards"\nname = "Few"\ntitle = "For two."\nseats = "2-2"\n')
    game = played(Game(load(path, "gemixxt-b"), 2, seed=1), 9)
    assert Game.from_record(game.record()).position() == game.position()


def test_old_records_need_the_file(sheet: Path) -> None:
    """A record of an older version is replayed with the file, and contains the sheet from then on."""
    game = played(Game(sheet, 2, seed=3), 9)
    old = "\n".join(line for line in game.record().split("\n") if not line.startswith("|"))
    with pytest.raises(RecordError, match="There is no game 'mine'"):
        Game.from_record(old)
    again = Game.from_record(old, variant=sheet)
    assert again.position() == game.position()
    assert again.record() == game.record()


def test_a_named_file_has_priority(sheet: Path) -> None:
    """A named file has priority: if the record was played on another version of the sheet, an error says so."""
    game = played(Game(sheet, 2, seed=3), 9)
    sheet.write_text(MINE + "[closing]\ncrosses = 4\n")
    with pytest.raises(RecordError, match="another version of this sheet"):
        Game.from_record(game.record(), variant=sheet)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("| closing.crosses = 5", "| closing.crosses = 4", "another version"),
        ('| id = "mine"', '| id = "other"', "The record is of 'mine', not of 'other'"),
        ('| id = "mine"', '| id = "classic"', "belongs to a game of the family"),
        ('| id = "mine"', "| id = [[[", "this is not TOML"),
        ('| name = "Mine"', '| name = "\\u001b[2J"', "'name' should be one line"),
        ("| score.rows = [1,", '| like = "/etc/passwd"\n| score.rows = [1,', "'like' names '/etc/passwd'"),
        ("layout ", "roll 34/2615\nlayout ", "before the first move"),
        ('| id = "mine"', f'| # {"x" * 70_000}\n| id = "mine"', "at most 65536 characters"),
    ],
)
def test_an_invalid_sheet_in_a_record_is_refused(sheet: Path, old: str, new: str, sentence: str) -> None:
    """A record is untrusted text: an invalid sheet is refused with a sentence, and no file is opened."""
    text = played(Game(sheet, 2, seed=3), 9).record()
    assert old in text
    with pytest.raises(RecordError, match=sentence):
        Game.from_record(text.replace(old, new))


def test_names_are_limited(tmp_path: Path) -> None:
    """Names that people see are one line of limited length."""
    path = tmp_path / "long.toml"
    path.write_text(MINE.replace("My own.", "x" * 501))
    with pytest.raises(SheetError, match="line 4: 'title' should be one line of up to 500 characters"):
        load(path)


@pytest.mark.slow
def test_printed_commands_work(sheet: Path, tmp_path: Path) -> None:
    """The commands that the terminal prints for a game on a custom sheet work, also without the file."""
    result = run("play", str(sheet), "--seed", "1", given="1\n")
    hint = result.output.split("Continue with: qwixx ")[1].splitlines()[0]
    sheet.unlink()
    result = run(*hint.split(), given="1\n" * 900)
    assert result.exit_code == 0
    assert "Mine: My own." in result.output
    hint = result.output.split("Replay it with: qwixx ")[1].splitlines()[0]
    result = run(*hint.split())
    assert result.exit_code == 0
    assert result.output.startswith("Mine: ")
    assert json.loads(run(*hint.split(), "--json").output)["variant"] == "mine"


def test_one_game_of_a_simulation(sheet: Path) -> None:
    """A game of a simulation is shown on a custom sheet, and with cards on it too."""
    assert run("replay", "--variant", str(sheet), "--game", "1").output.startswith("Mine: Seat 0 (gap), Seat 1 (gap).")
    result = run("replay", "--variant", "cards", "--sheet", str(sheet), "--game", "1")
    assert result.exit_code == 0
    assert "the card game: Seat 0 (greedy)" in result.output


# ---- its rules


def rules(path: Path) -> str:
    """Print the rules of a sheet, as one long line."""
    return " ".join(run("rules", str(path), "--cite").output.split())


def test_rules_have_the_numbers_of_the_sheet(tmp_path: Path) -> None:
    """Dice, closing, the end and the points are those of the sheet, and missing features are not mentioned."""
    path = tmp_path / "odd.toml"
    path.write_text(SHORT_AND_MIXED)
    text = rules(path)
    for part in (
        "they have 5 sides",
        "A7 or A8; m4 or m3; r5 or r7; z9, only with 2 or more crosses",
        "6 misses stand on one sheet or 3 rows are closed",
        "scores 2, 4, 8, 16, 32, 64, 128, 256 points, a miss costs 3",
        "the bar goes through the rows A z m r A z",
        "7 more points",
        "two crosses in the row with the fewest",
        "A color sum is crossed in the one row that shows this number in this color",
    ):
        assert part in text, part
    assert "lucky" not in text.lower()
    assert "joker" not in text.lower()
    assert "five or more" not in text


@pytest.mark.parametrize("name", sorted(INVENTED))
def test_rules_explain_the_features_of_the_sheet(name: str, tmp_path: Path) -> None:
    """Bars, pairs, lucky numbers and mixed colors are explained only if the sheet has them."""
    invented(tmp_path, name)
    text = rules(tmp_path / f"{name}.toml")
    assert ("(BA2)" in text) == ("box" in name or "both" in name)
    assert ("(BB1)" in text) == ("paired" in name or "both" in name)
    assert ("(L4)" in text) == ("lucky" in name)
    assert ("(G2)" in text) == ("mixed" in name)
    ids = {rule["id"] for rule in json.loads(run("rules", str(tmp_path / f"{name}.toml"), "--json").output)["rules"]}
    assert {"C1", "C7", "C12"} <= ids


def test_rules_of_cards_and_boards(tmp_path: Path) -> None:
    """Custom decks and boards have their own numbers, too."""
    path = tmp_path / "cards.toml"
    path.write_text(SMALL_CARDS)
    text = rules(path)
    assert "The deck has 24 cards, 2 to 7 in each color" in text
    assert "Each player holds one card" in text
    assert "6 jokers, 2 to 7" in text
    path.write_text(
        'id = "board"\nlike = "duel"\nname = "B"\ntitle = "T."\n[board]\npawns = 9\n[end]\nmisses = 2\nrows = 1\n'
    )
    text = rules(path)
    assert "Two players with 9 pawns each" in text
    assert "2 misses stand on the board or a row is closed" in text
    assert "(C7)" not in text


def test_help_at_the_table_explains_the_sheet(tmp_path: Path) -> None:
    """`?` and `? C7` explain this sheet, also one with short rows."""
    path = tmp_path / "odd.toml"
    path.write_text(SHORT_AND_MIXED)
    output = run("play", str(path), "--seed", "1", given="?\n? c7\n").output
    assert "All rules: qwixx rules FILE" in output
    assert "only with 2 or more crosses already in the row" in " ".join(output.split())
