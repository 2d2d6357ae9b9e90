"""Games of the family as sheet files: read and written, played with every number of seats, drawn and printed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader

import qwixx
from qwixx.printing.document import make_pad
from qwixx.printing.print_request import PrintRequest
from qwixx.testing import conformance
from qwixx.variants import read_variant
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.serialize import variant_text
from support.games.game_sources import SHEETS

GAMES = sorted(path.stem for path in SHEETS.glob("*.toml"))


def at(line: str) -> qwixx.Game:
    """Set a game up from a position line."""
    return qwixx.Game.from_position(line, variant=SHEETS / f"{line.split(maxsplit=1)[0]}.toml")


def test_eight_games_wait_in_files() -> None:
    """The sheets that are not registered yet."""
    assert set(GAMES) <= {
        *("big-points", "connected-a", "connected-b", "double-a", "double-b", "x-change", "lucky-15", "connect-15"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_promise_is_kept(game: str) -> None:
    """Random games with one to five seats keep every promise of the library."""
    assert conformance(SHEETS / f"{game}.toml", seats=range(1, 6), games=1, quiet=True) == 5


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_is_written_and_read_again(game: str) -> None:
    """The text in a record has all facts of the file, and the same hash."""
    variant = qwixx.variant(SHEETS / f"{game}.toml")
    again = read_variant(variant_text(variant))
    assert variant_text(again) == variant_text(variant)
    assert layout_hash(compile_layout(again)) == layout_hash(compile_layout(variant))


def test_hashes_of_the_built_in_sheets_stay() -> None:
    """Records and trained weights name them."""
    assert {
        name: layout_hash(compile_layout(qwixx.variant(name))) for name in ("classic", "bonus-b", "longo", "duel")
    } == {
        "classic": "c771d253de2666bf",
        "bonus-b": "509a923b47d9ed90",
        "longo": "1361a3d9a3c7392e",
        "duel": "58a7aac040869f0c",
    }


# ---- pads


def test_seats_have_pads_in_turn_by_hand_or_by_lot() -> None:
    """FR8: seat 1 has pad A; the same one twice only by hand; what is left over plays no part."""
    sheet = SHEETS / "connected-a.toml"
    pads = {
        why: "".join(each.pad for each in qwixx.Game(sheet, 5, seed=4, pads=given).view().sheets)
        for why, given in (("turn", None), ("hand", "CABBC"), ("lot", "lot"))
    }
    assert (pads["turn"], pads["hand"]) == ("ABCDE", "CABBC")
    assert len(set(pads["lot"])) == 5
    assert pads["lot"] != "ABCDE"
    game = qwixx.Game(sheet, 2, seed=1, first=0, pads=["F", "A"])
    assert "\npads F A\n" in game.record()
    assert qwixx.Game.from_record(game.record()) == game
    assert game.position() == "connected-a active=0 phase=roll | pad=F | pad=A"
    for wrong in ("A", "AG", 3):
        with pytest.raises(qwixx.QwixxError, match="Pads are one of A, B, C, D, E, F for each of the 2 seats"):
            qwixx.Game(sheet, 2, pads=wrong)  # type: ignore[arg-type]
    with pytest.raises(qwixx.QwixxError, match="all seats have the same pad"):
        qwixx.Game("classic", 2, pads="AB")
    with pytest.raises(qwixx.PositionError, match="'G' is no pad; there are A, B, C, D, E, F"):
        at("connected-a | pad=G")


def test_each_pad_is_printed() -> None:
    """CA1: sheets of neighbors have different pads, and each says which."""
    pdf = make_pad(qwixx.variant(SHEETS / "connected-a.toml"), PrintRequest(sheets=6, per_page=1))
    pages = [page.extract_text().split() for page in PdfReader(io.BytesIO(pdf)).pages]
    for letter, page in zip("ABCDEF", pages, strict=True):
        assert letter in page
    pdf = make_pad(qwixx.variant(SHEETS / "connected-a.toml"), PrintRequest(sheets=3, per_page=1, pads="FC"))
    pages = [page.extract_text().split() for page in PdfReader(io.BytesIO(pdf)).pages]
    assert [[letter for letter in "BCDEF" if letter in page] for page in pages] == [["F"], ["C"], ["F"]]


@pytest.mark.parametrize("game", GAMES)
def test_drawn_and_printed(game: str) -> None:
    """Every sheet can be drawn as text and as a picture, and printed."""
    started = qwixx.Game(SHEETS / f"{game}.toml", 2, seed=2, first=0)
    started.roll()
    assert len(str(started).splitlines()) > 14
    assert "<svg" in started._repr_svg_()
    assert make_pad(started.variant, PrintRequest(sheets=1)).startswith(b"%PDF")


def test_signs_in_plain_text() -> None:
    """Crosses twice are XX; framed cells are in brackets, linked ones in parentheses, a small field is a plus."""
    shown = str(at("double-a phase=roll | r=3,6 second=r6"))
    assert "r    .    X    .    .   XX    7" in shown
    assert " (6)  7   8   9  10 (11) 12 |L" in str(at("connected-b | -"))
    assert "r   2   3   4   5   6  [7]  8" in str(at("connected-a | -"))
    assert "r   .   X   X   4   5   6   +   7" in str(at("connect-15 | r=3 small=r3"))
    assert "bar    -    X  11/3" in str(at("x-change | r=7 exchanged=2"))
    assert "track  X  11  18  25" in str(at("lucky-15 | track=1"))
    assert "ry  .   .   .   X   6" in str(at("big-points | r=5 ry=5"))
    assert "\n d double [X               ]\n" in str(at("double-b | r=3"))  # no pairs: four such cells in each row


# ---- positions and records


def test_two_cells_of_one_choice_in_a_position() -> None:
    """F4: a comma is between the choices of two seats, so the cells of one choice have another sign between them."""
    line = "connect-15 active=0 phase=white roll=15/1111 choices=r6&y5+,- | - | -"
    assert at(line).position() == line
    assert at(line).view(0).choice == "r6,y5+"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("big-points | r=5 ry=6", "the number of each crossed bonus cell is crossed in a row beside it"),
        ("big-points | r=5 ry=13", "'13' is no cross in row ry"),
        ("connected-b | r=6 pad=A", "the cell that it is linked to is crossed, too"),
        ("double-a | r=5,6 second=r4", "'r4' is no such cell of the sheet"),
        ("double-a | r=12 second=r12", "Closing row r with r12 takes at least 7 crosses"),
        ("connect-15 | r=5 small=r4", "'r4+' is no such cell of the sheet"),
        ("x-change | exchanged=10", "'10' is no field of the bar"),
        ("lucky-15 | track=5", "'track' should be from 0 to 4, not '5'"),
    ],
)
def test_impossible_positions(line: str, problem: str) -> None:
    """What cannot be on a sheet is refused with a sentence."""
    with pytest.raises(qwixx.PositionError) as found:
        at(line)
    assert problem in str(found.value)


# ---- sheet files

WRONG: dict[str, tuple[str, Callable[[str], str], str]] = {
    "two extras": (
        "double-a",
        lambda text: 'exchange = "8/5"\n' + text,
        "'twice' goes with plain numbers, not with exchange",
    ),
    "a bar too": (
        "x-change",
        lambda text: text + 'bar = "r y"\n',
        "'exchange' goes with plain numbers, not with cards",
    ),
    "few pads": (
        "connected-a",
        lambda text: text.replace("\nB", "\n#").replace("\nC", "\n#"),
        "pads, one for each seat",
    ),
    "no cell": ("connected-a", lambda text: text.replace("y2 g11", "y2 g13"), "pad 'A' names 'g13', which is no cell"),
    "not below": (
        "connected-b",
        lambda text: text.replace("r6-y6", "r6-g8"),
        "links r6 and g8, which do not lie below",
    ),
    "it closes": ("connected-b", lambda text: text.replace("r6-y6", "r12-y12", 1), "but a linked cell closes no row"),
    "no pair": (
        "connected-b",
        lambda text: text.replace("r6-y6", "r6", 1),
        "pad 'A' has pairs of cells, such as r6-y6",
    ),
    "same field": ("x-change", lambda text: text.replace("9/7", "5/8"), "each field of 'exchange' has another pair"),
    "no sum": ("x-change", lambda text: text.replace("9/7", "13/7"), "13/7 should be two different sums from 2 to 12"),
    "falling": ("lucky-15", lambda text: text.replace("11, 18", "18, 11"), "numbers that rise"),
    "one face": ("connect-15", lambda text: text.replace("1/5", "5/5"), "two different faces from 1 to 6"),
    "no faces": ("connect-15", lambda text: text.replace("faces =", "# faces ="), "small fields, +, need 'faces'"),
    "late field": ("connect-15", lambda text: text.replace("12  L", "12 + L", 1), "among the cells that close it"),
    "other keys": (
        "big-points",
        lambda text: text.replace("\nry ", "\nrg "),
        "two neighboring rows, such as ry, not 'rg'",
    ),
    "other number": (
        "big-points",
        lambda text: text.replace("ry  2", "ry  3"),
        "'ry' has the same numbers as the rows",
    ),
    "too dear": ("double-a", lambda text: text.replace("most = 16", "most = 17"), "needs points for up to 17 crosses"),
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_in_a_sheet_file(case: str, tmp_path: Path) -> None:
    """A sheet that cannot be played is refused with a sentence."""
    game, change, problem = WRONG[case]
    text = (SHEETS / f"{game}.toml").read_text("utf-8")
    text = text.replace(f'id = "{game}"\n', "", 1)
    file = tmp_path / "wrong.toml"
    file.write_text('id = "wrong"\n' + change(text), "utf-8")
    with pytest.raises(qwixx.SheetError) as found:
        qwixx.variant(file)
    assert problem in str(found.value)


def test_the_card_game_is_played_on_plain_numbers() -> None:
    """K10: a sheet with anything beside its rows is refused."""
    for game in GAMES:
        with pytest.raises(qwixx.QwixxError, match="sheets of plain numbers"):
            qwixx.variant("cards", SHEETS / f"{game}.toml")
