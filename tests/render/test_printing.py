"""Printed sheets, read back from the files: pages, sizes, words, every cell, every card."""

from __future__ import annotations

import io
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PageObject, PdfReader

from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.printing import cutouts
from qwixx.printing.document import make_pad
from qwixx.printing.ink_modes import Ink
from qwixx.printing.page_layout import sheets_page
from qwixx.printing.pdf_writer import path_steps
from qwixx.printing.print_request import PrintRequest
from qwixx.printing.sheets import fit_sheet, pawn_size
from qwixx.printing.style import Style
from qwixx.variants import load, names
from qwixx.variants.model import COLOR_NAMES
from support.games.small_sheets import sheet_file

PAPERS = {"a4": (595, 842), "letter": (612, 792), "a5": (420, 595)}
"""Points, upright: 210 x 297 mm, 8.5 x 11 inches, 148 x 210 mm."""
CROSSED = list(product(PAPERS, (1, 2, 4), ("color", "gray"), LANGUAGES))
WORDS = {
    "en": ("Name", "crosses", "pawns", "points", "misses", "total", "red"),
    "de": ("Name", "Kreuze", "Spielsteine", "Punkte", "Fehlwürfe", "Summe", "Rot"),
    "fr": ("Nom", "croix", "pions", "points", "coups manqués", "total", "rouge"),
    "it": ("Nome", "crocette", "pedine", "punti", "lanci a vuoto", "totale", "rosso"),
    "nl": ("Naam", "kruisjes", "schijfjes", "punten", "mislukte worpen", "totaal", "rood"),
}
NAMES = {
    "en": "Qwixx, the duel",
    "de": "Qwixx \u2013 Das Duell",
    "fr": "Qwixx, le duel",
    "it": "Qwixx, il duello",
    "nl": "Qwixx, het duel",
}


def read(game: str, wanted: PrintRequest) -> PdfReader:
    """Print and read back."""
    return PdfReader(io.BytesIO(make_pad(load(game), wanted)))


def texts(page: PageObject) -> list[str]:
    """List every piece of text on a page."""
    found: list[str] = []

    def note(text: str, *_rest: object) -> None:
        found.extend(piece.strip() for piece in text.split("\n") if piece.strip())

    page.extract_text(visitor_text=note)
    return found


def size_of(page: PageObject) -> tuple[int, int]:
    """Return width and height in whole points."""
    return round(float(page.mediabox.width)), round(float(page.mediabox.height))


def drawings(page: PageObject) -> int:
    """Count the drawings on a page: sheets, cards, pawns, cut marks."""
    return content(page).count(b" Do")


def content(page: PageObject) -> bytes:
    """Return the commands of a page."""
    found = page.get_contents()
    assert found is not None
    return found.get_data()


def numbers(page: PageObject) -> Counter[int]:
    """Count the texts on a page that are only a number."""
    return Counter(int(text) for text in texts(page) if text.isdigit())


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_every_game_on_every_paper(game: str) -> None:
    """Sizes, pages, words and every cell: a ninth of all combinations for each game, including every language."""
    variant = load(game)
    for paper, per_page, ink, language in CROSSED[names().index(game) :: len(names())]:
        count = 2 * per_page + 1
        printed = PrintRequest(paper, per_page, count, (language,), ink, only="sheets")
        pdf = read(game, printed)
        short, long = PAPERS[paper]
        assert len(pdf.pages) == 3, "the last page has one sheet"
        assert {size_of(page) for page in pdf.pages} == {(short, long) if per_page == 2 else (long, short)}
        marks = int(per_page > 1)  # where to cut
        assert [drawings(page) - marks for page in pdf.pages] == [per_page, per_page, 1]
        found = texts(pdf.pages[2])
        named = {WORDS[language][at] for at in (0, 3, 5, 2 if variant.is_duel else 1)}
        assert named < set(found)
        assert any(text.startswith(WORDS[language][4]) and text.endswith("−5") for text in found)  # noqa: RUF001
        assert not any("?" in text for text in found), "the font has every letter"
        assert NAMES[language] in found or not variant.is_duel
        assert WORDS[language][6] in found, "a color has a name next to its shape"
        cells = Counter(cell.value for row in variant.rows for cell in row.cells)
        points = variant.points[: variant.most_counted]
        pad = variant.lucky[(count - 1) % len(variant.lucky)] if variant.lucky else ()
        mixed = [number for number, row in enumerate(variant.rows, 1) if row.key not in COLOR_NAMES]
        wanted = cells + Counter([*range(1, len(points) + 1), *points, *pad, *mixed, *mixed])  # at both ends of a row
        assert Counter(int(text) for text in found if text.isdigit()) == wanted
        assert pdf.metadata is not None
        assert pdf.metadata.creator == "qwixx print"


def test_the_board_of_the_duel_has_its_pawns() -> None:
    """One board by default, both names, and a page with 22 pawns for each of two players (D1)."""
    pdf = read("duel", PrintRequest())
    assert len(pdf.pages) == 2
    assert texts(pdf.pages[0]).count("Name") == 2
    assert drawings(pdf.pages[1]) == 44


@pytest.mark.slow
@pytest.mark.parametrize(("game", "cards"), [("cards", 44), ("cards-joker", 55)])
def test_the_deck_is_complete(game: str, cards: int) -> None:
    """Every color has 2 to 12 once, jokers too (K1, K9); each page of fronts is followed by its backs, mirrored."""
    pages = read(game, PrintRequest(only="pieces", languages=("de",))).pages
    colors = ("Rot", "Gelb", "Grün", "Blau", "Joker")
    found: Counter[tuple[str, int]] = Counter()
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        shown = texts(front)
        fronts = [int(text) for text in shown if text.isdigit()][::3]
        found.update(zip([text for text in shown if text in colors], fronts, strict=True))
        backs = [int(text) for text in texts(back)]
        assert backs == fronts
        assert places(back) == [(round(595 - x - 179), y) for x, y in places(front)], (
            "fronts and backs are in the same places"
        )
    wanted = {(color, number) for color in colors[: cards // 11] for number in range(2, 13)}
    assert found == Counter(wanted)


def places(page: PageObject) -> list[tuple[int, int]]:
    """Return the positions of the cards on a page, without cut marks."""
    moves = re.findall(r"1 0 0 1 (\S+) (\S+) cm\s+(\S+) 0 0 \S+ 0 0 cm\s+/\S+ Do", content(page).decode("latin-1"))
    return [(round(float(x)), round(float(y))) for x, y, scale in moves if float(scale) != 1]


@pytest.mark.slow
def test_backs_next_to_fronts_or_none() -> None:
    """To fold, front and back are side by side; without backs there are five pages of nine cards."""
    folded = read("cards", PrintRequest(only="pieces", backs="fold")).pages
    assert numbers(folded[0])[2] == 4, "three on the front, one on the back"
    assert len(read("cards", PrintRequest(only="pieces", backs="none")).pages) == 5


@pytest.mark.slow
def test_pads_of_longo_differ() -> None:
    """Five sheets in a row have five pads (L5); named pads alternate."""
    pages = read("longo", PrintRequest(per_page=1, sheets=6)).pages
    plain = numbers(pages[0]) - Counter([5, 10])
    pads = [tuple(sorted((numbers(page) - plain).elements())) for page in pages]
    assert pads == [(5, 10), (6, 11), (7, 12), (8, 13), (4, 9), (5, 10)]
    named = read("longo", PrintRequest(per_page=1, sheets=2, lucky=((2, 16),))).pages
    assert [sorted((numbers(page) - plain).elements()) for page in named] == [[2, 16], [2, 16]]


@pytest.mark.slow
def test_sheets_alternate_languages() -> None:
    """A family with two languages prints one pad."""
    pages = read("classic", PrintRequest(per_page=1, sheets=3, languages=("de", "it"))).pages
    assert [WORDS["de"][6] in texts(page) for page in pages] == [True, False, True]
    assert [WORDS["it"][6] in texts(page) for page in pages] == [False, True, False]


def test_large_type_is_large() -> None:
    """Numbers to cross are at least 24 points high and no word is below 11, and a page has one sheet."""
    for game in ("classic", "bonus-b", "longo"):
        sheet = fit_sheet(load(game), Style("fr", Ink("gray"), 1.45), sheets_page("a4", 1).slots[0], (5, 10))
        written = re.findall(r'<text [^>]*font-size="([0-9.]+)"[^>]*>([^<]+)<', sheet.ink)
        sizes = {text: max(float(size) * sheet.scale, 0) for size, text in written}
        largest = [sheet.scale * max(float(size) for size, text in written if text == each) for each in ("2", "12")]
        assert min(largest) >= 24
        assert {text for text, size in sizes.items() if size < 11} <= {"+13", "×2"}  # noqa: RUF001 - signs of pairs
        assert len(read(game, PrintRequest(large=True, sheets=3)).pages) == 3


@pytest.mark.slow
def test_the_same_options_give_the_same_bytes() -> None:
    """No time, no chance; the fonts are embedded, and everything is vector graphics."""
    wanted = PrintRequest(sheets=3, link="https://games.example/rules/longo")
    data = make_pad(load("longo"), wanted)
    assert data == make_pad(load("longo"), wanted)
    assert b"/FontFile2" in data
    assert b"/Subtype /Image" not in data
    assert data != make_pad(load("longo"), PrintRequest(sheets=3))


@pytest.mark.slow
def test_custom_sheets(tmp_path: Path) -> None:
    """A sheet file is printed like any game, with its own name."""
    sheet = sheet_file(tmp_path, "boxed")
    pdf = tmp_path / "tiny.pdf"
    done = CliRunner().invoke(main, ["print", str(sheet), "-o", str(pdf), "--sheets", "1"])
    assert done.exit_code == 0, done.output
    variant = load(sheet)
    page = PdfReader(pdf).pages[0]
    assert variant.name in texts(page)
    assert set(numbers(page)) >= {cell.value for row in variant.rows for cell in row.cells}


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (PrintRequest(paper="a3"), "There is no paper 'a3'"),
        (PrintRequest(ink="blue"), "There is no ink"),
        (PrintRequest(languages=("en", "xx")), "There is no language"),
        (PrintRequest(per_page=3), "A page holds 1, 2, 4 sheets"),
        (PrintRequest(large=True, per_page=2), "fill a page"),
        (PrintRequest(sheets=0), "1 to 200"),
        (PrintRequest(sheets=201), "1 to 200"),
        (PrintRequest(only="pieces"), "no cards or pawns"),
        (PrintRequest(backs="red"), "There is no kind of backs"),
        (PrintRequest(link="javascript:alert(1)"), "A code leads to an address"),
        (PrintRequest(link="https://x.example/" + "a" * 200), "A code leads to an address"),
        (PrintRequest(lucky=((5, 10),)), "no lucky numbers"),
    ],
)
def test_invalid_prints(wanted: PrintRequest, sentence: str) -> None:
    """Each invalid request has its own error."""
    with pytest.raises(QwixxError, match=sentence):
        make_pad(load("classic"), wanted)


def test_other_files_are_not_overwritten(tmp_path: Path) -> None:
    """A pad of this package is overwritten; any other file is not changed."""
    mine, other = tmp_path / "pad.pdf", tmp_path / "letter.pdf"
    other.write_bytes(b"%PDF-1.7 my letter")
    for _ in range(2):
        assert CliRunner().invoke(main, ["print", "classic", "-o", str(mine), "--sheets", "1"]).exit_code == 0
    refused = CliRunner().invoke(main, ["print", "classic", "-o", str(other)])
    assert refused.exit_code == 2
    assert other.read_bytes() == b"%PDF-1.7 my letter"


def test_arcs_and_curves_end_where_they_should() -> None:
    """Half a circle from (0, 0) to (10, 0), clockwise on paper, rises to a height of 5."""
    (word, begin), *curves = path_steps("M0 0A5 5 0 0 1 10 0")
    assert (word, begin) == ("M", [0, 0])
    assert [round(each) for each in curves[0][1][4:]] == [5, -5]
    assert [round(each) for each in curves[-1][1][4:]] == [10, 0]
    assert list(path_steps("M1 1Q2 2 3 1"))[1][1][4:] == [3, 1]


@pytest.mark.slow
@pytest.mark.parametrize("per_page", [1, 2, 4])
def test_a_duplex_deck_begins_a_leaf(per_page: int) -> None:
    """Printed on both sides, each page of fronts has its backs behind it, whatever the number of sheets before."""
    for sheets in range(1, 2 * per_page + 2):
        pages = read("cards", PrintRequest(sheets=sheets, per_page=per_page)).pages
        deck = next(at for at, page in enumerate(pages) if drawings(page) == 10)  # nine fronts and the cut marks
        assert deck % 2 == 0, sheets
        assert deck in {-(-sheets // per_page), -(-sheets // per_page) + 1}
        assert [drawings(page) for page in pages[deck : deck + 4]] == [10, 9, 10, 9]


@pytest.mark.parametrize("backs", ["fold", "none"])
def test_no_empty_page_without_duplex_backs(backs: str) -> None:
    """A deck with other backs follows the sheets directly."""
    pages = read("cards", PrintRequest(sheets=1, backs=backs)).pages
    assert all(drawings(page) for page in pages)


def test_six_and_nine_differ_upside_down() -> None:
    """6 and 9 have a line below them on backs and on fronts, in the middle and in both corners; no other number has."""
    style = Style("en", Ink("color"))
    for number in range(2, 13):
        lines = 1 if number in {6, 9} else 0
        assert cutouts.back(str(number)).count("<rect") == cutouts.back("8").count("<rect") + lines
        drawn = cutouts.front(style, f"r{number}")
        assert drawn.count("<rect") == cutouts.front(style, "r8").count("<rect") + 3 * lines


def test_every_sheet_says_what_closing_takes() -> None:
    """Five crosses close a row, six in Longo, five own pawns in the duel (C7, L3, D7)."""
    for game, sentence in (
        ("classic", "To close a row: at least 5 crosses"),
        ("longo", "To close a row: at least 6 crosses"),
        ("duel", "To close a row: at least 5 own pawns"),
    ):
        assert sentence in texts(read(game, PrintRequest(sheets=1, only="sheets")).pages[0])


def test_pawns_fit_into_the_boxes_for_misses() -> None:
    """A pawn is narrower than a box for misses, so that four of them lie side by side (D6)."""
    variant, style = load("duel"), Style("en", Ink("color"))
    for paper in PAPERS:
        sheet = fit_sheet(variant, style, sheets_page(paper, 1).slots[0])
        squares = re.findall(r'<rect [^>]*width="([\d.]+)" height="\1"', sheet.ink)
        assert pawn_size(variant, sheet) < max(float(side) for side in squares) * sheet.scale
