"""SVG pictures: they show the position, in XML that every viewer can read."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qwixx import Game
from qwixx.render.palette import PAPER, QUIET, TEXT, TONES
from qwixx.render.svg import sheet_svg, table_svg
from support.paths import ROOT

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ROOT / "docs" / "pictures"

# position, then the expected content of seat 0's sheet: crossed cells, locks, misses
DICE_AND_CARDS = [
    ("classic phase=roll | r=2,5,7 g=12,11 misses=1 | y=3,4", 5, 0, 1),
    ("gemixxt-a phase=roll | A=2,3,5 D=12 misses=2 | -", 4, 0, 2),
    ("gemixxt-b phase=roll | r=10,6,2,8,3,11,L misses=3 | -", 6, 1, 3),
    ("bonus-a phase=roll | r=2,3 used=1 | -", 2, 0, 0),
    ("bonus-b phase=roll | y=7 b=12,7 | -", 3, 0, 0),
    ("longo phase=roll | b=16,15,14,13,12,11,3,L lucky=6/11 | lucky=5/10", 7, 1, 0),
    ("cards phase=draw display=r2,r3,r4,r5 pile=* | r=2,3,4,5,6,12,L hand=g2,g3,g4,g5 | hand=b2,b3,b4,b5", 6, 1, 0),
    ("cards-joker phase=draw display=j2,r3,r4,r5 pile=* | y=2 misses=1 hand=g2,g3,g4,j5 | hand=b2,b3,b4,b5", 1, 0, 1),
]
DUEL = "duel phase=roll | r=5,7 y=2,3,4,5,6,12,L misses=1 | r=3 b=12,5x3 misses=2"


def parse(picture: str) -> ElementTree.Element:
    """Parse a picture as any viewer would."""
    return ElementTree.fromstring(picture.encode())


def having(root: ElementTree.Element, word: str) -> list[ElementTree.Element]:
    """List the elements of a class."""
    return [element for element in root.iter() if word in element.get("class", "").split()]


def draw(position: str, seat: int = 0, legal: tuple[str, ...] = (), title: str | None = None) -> ElementTree.Element:
    """Draw a seat's sheet of a position as this seat sees it."""
    game = Game.from_position(position)
    return parse(sheet_svg(game.variant, game.view(seat), seat, legal, title))


@pytest.mark.parametrize(("position", "crosses", "locks", "misses"), DICE_AND_CARDS)
def test_every_cross_is_drawn_once(position: str, crosses: int, locks: int, misses: int) -> None:
    """The picture has as many crosses on cells, locks and miss boxes as the position."""
    root = draw(position)
    counts = tuple(len(having(root, word)) for word in ("cross", "lock-cross", "miss-cross"))
    assert counts == (crosses, locks, misses)


def test_crosses_are_on_their_cells() -> None:
    """A cross is inside the cell that it crosses, and names it."""
    root = draw("classic phase=roll | r=2,5 b=12 | -")
    for cell in having(root, "cell"):
        inside = [cross.get("data-cell") for cross in having(cell, "cross")]
        assert inside == ([cell.get("data-cell")] if cell.get("data-cell") in ("r2", "r5", "b12") else [])


def test_lost_cells_are_those_left_of_a_cross_and_in_closed_rows() -> None:
    """Skipped cells and all free cells of a closed row are drawn as lost."""
    root = draw("classic phase=roll | r=4 y=2 | y=2,3,4,5,6,12,L")
    lost = {cell.get("data-cell") for cell in having(root, "lost")}
    assert lost == {"r2", "r3", *(f"y{number}" for number in range(3, 13))}


@pytest.mark.parametrize(
    ("legal", "lit"),
    [
        ((), set()),
        (("r7", "g7", "pass"), {"r7", "g7"}),
        (("y11>r", "y11>b"), {"y11"}),
        (("play:r4,r5", "play:r4,r5=r4,r5", "take:1,3"), {"r4", "r5"}),
    ],
)
def test_legal_cells_are_ringed(legal: tuple[str, ...], lit: set[str]) -> None:
    """The cells that the given actions would cross have a ring, and no others."""
    root = draw("classic phase=roll | - | -", legal=legal)
    assert {ring.get("data-cell") for ring in having(root, "halo")} == lit
    assert {cell.get("data-cell") for cell in having(root, "legal")} == lit


def test_the_games_own_actions_can_be_given() -> None:
    """The result of `Game.legal` can be passed on unchanged."""
    game = Game.from_position("classic phase=white roll=34/2615 | r=8 | -")
    root = parse(sheet_svg(game.variant, game.view(0), 0, game.legal(0)))
    assert {ring.get("data-cell") for ring in having(root, "halo")} == {"y7", "g7", "b7"}


def test_the_bar_shows_used_and_struck_cells() -> None:
    """Bonus A's bar has a cross on each used cell and a line through each struck one."""
    root = draw("bonus-a phase=roll | r=2,3 used=1 struck=3,5,12 | g=12,10,9,8,6,2,L struck=3,5,12")
    assert len(having(root, "bar")) == 12
    assert len(having(root, "bar-cross")) == 1
    assert len(having(root, "bar-strike")) == 3


def test_boxed_and_paired_cells_are_marked() -> None:
    """Bonus A has twelve boxed cells, Bonus B ten cells with a symbol."""
    assert len(having(draw("bonus-a phase=roll | - | -"), "boxed")) == 12
    pairs = {mark.get("data-cell") for mark in having(draw("bonus-b phase=roll | - | -"), "pair")}
    assert pairs == {"y11", "g9", "y7", "b7", "r8", "b10", "r6", "b4", "y3", "g5"}


def test_lucky_numbers_are_on_the_sheet() -> None:
    """Longo's sheet names the two lucky numbers of its seat."""
    root = draw("longo phase=roll | lucky=6/11 | lucky=5/10", seat=1)
    assert "5 / 10" in list(root.itertext())


def test_mixed_sheets_name_the_color_of_every_cell() -> None:
    """On gemixxt A each cell has the letter of its color, so that the color is not the only sign."""
    root = draw("gemixxt-a phase=roll | - | -")
    for cell in having(root, "cell"):
        number, letter = list(cell.itertext())
        assert number.isdecimal()
        assert letter in "rygb"
    letters = ["".join(list(cell.itertext())[1] for cell in having(row, "cell")) for row in having(root, "row")]
    assert letters == ["yyybbbgggrr", "rrggggbbyyy", "bbbyyyrrrgg", "ggrrrryybbb"]


def test_the_duel_shows_both_players_pawns() -> None:
    """Every cell with pawns shows whose and how many; locks and misses have pawns too."""
    root = draw(DUEL)
    on_cells = {
        (pawn.get("data-cell"), pawn.get("class"), pawn.get("data-height"))
        for pawn in having(root, "pawn")
        if pawn.get("data-cell")
    }
    dark = {(cell, "pawn seat-0", "1") for cell in ("r5", "r7", "y2", "y3", "y4", "y5", "y6", "y12")}
    light = {("r3", "pawn seat-1", "1"), ("b12", "pawn seat-1", "1"), ("b5", "pawn seat-1", "3")}
    assert on_cells == dark | light
    assert [len(having(lock, "pawn")) for lock in having(root, "lock")] == [0, 1, 0, 0]
    assert [pawn.get("class") for miss in having(root, "miss") for pawn in having(miss, "pawn")] == [
        "pawn seat-0",
        "pawn seat-1",
        "pawn seat-1",
    ]


def test_a_hidden_hand_shows_only_backs() -> None:
    """A seat's picture of the table has its own cards' faces and the backs of all others."""
    game = Game.from_position(DICE_AND_CARDS[6][0])
    root = parse(table_svg(game.variant, game.view(0)))
    cards = ["".join(card.itertext()) for card in having(root, "card")]
    assert [card for card in cards if card[-1] in "rygb"] == ["2g", "3g", "4g", "5g"]
    assert cards[-4:] == ["2", "3", "4", "5"]  # the other hand (K11)


HOSTILE = ['</title><script>alert("1")</script>', "a & b < c > d \" e ' f", "\x00\x1b[31m\ud800\ufffe", "x" * 500, ""]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_titles_may_contain_anything(text: str) -> None:
    """No text breaks the XML or becomes markup; characters that XML does not allow are replaced."""
    game = Game.from_position(DICE_AND_CARDS[0][0])
    for picture in (
        sheet_svg(game.variant, game.view(0), 0, (), text),
        table_svg(game.variant, game.view(0), [text, text]),
    ):
        root = parse(picture)
        assert not list(root.iter(f"{SVG}script"))
        assert len(list(root.iter(f"{SVG}title"))) == 1
    shown = draw(DICE_AND_CARDS[0][0], title=text).findtext(f"{SVG}title")
    if text.isprintable() and text:
        assert shown == text


def every_game() -> Iterator[Game]:
    """Set up a position of each of the nine games."""
    for position in [*(case[0] for case in DICE_AND_CARDS), DUEL]:
        yield Game.from_position(position)


def test_pictures_are_self_contained_and_reproducible() -> None:
    """A picture has no references, scales, describes its content, and is always the same."""
    for game, again in zip(every_game(), every_game(), strict=True):
        picture = table_svg(game.variant, game.view())
        assert picture == table_svg(again.variant, again.view())
        for word in ("href", "url(", "<style", "<script", " id="):
            assert word not in picture
        root = parse(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.get("viewBox")
        assert root[0].tag == f"{SVG}title"
        assert f"score {game.scores()[0]}." in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize("seats", range(1, 6))
def test_a_table_has_a_sheet_for_every_seat(seats: int) -> None:
    """The table shows as many sheets as there are seats."""
    game = Game("classic", seats=seats, first=0)
    assert len(having(parse(table_svg(game.variant, game.view())), "sheet")) == seats


def test_the_duel_has_one_board() -> None:
    """Both players of the duel share one sheet, with a total for each."""
    game = Game.from_position(DUEL)
    root = parse(table_svg(game.variant, game.view()))
    assert len(having(root, "sheet")) == 1
    assert ["".join(total.itertext()) for total in having(root, "total")] == [str(score) for score in game.scores()]


def test_notebooks_get_the_table() -> None:
    """A game has a picture for notebooks."""
    game = Game.from_position(DICE_AND_CARDS[0][0])
    assert game._repr_svg_() == table_svg(game.variant, game.view())


def test_a_custom_sheet_is_drawn(tmp_path: Path) -> None:
    """Rows of different length and many misses fit."""
    file = tmp_path / "mine.toml"
    file.write_text(
        'id = "mine"\nlike = "classic"\nname = "Mine"\ntitle = "Short."\nprovenance = "Ours."\nsheet = """\n'
        "r 2 3 4 5 6 7 8 | 9 L\ny 2 3 4 5 6 | 7 L\ng 12 11 10 9 8 | 7 L\nb 12 11 10 9 8 7 6 | 5 L\n"
        '"""\n[end]\nmisses = 12\n'
    )
    game = Game(file, first=0)
    root = parse(sheet_svg(game.variant, game.view(0), 0))
    assert [len(having(row, "cell")) for row in having(root, "row")] == [8, 6, 6, 8]
    assert len(having(root, "miss")) == 12


def luminance(color: str) -> float:
    """Compute the relative luminance of a color as WCAG 2 defines it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_has_enough_contrast() -> None:
    """All text has a contrast of at least 4.5 to its background, numbers in cells at least 7."""
    pairs = [(TEXT, PAPER, 7.0), (QUIET, PAPER, 4.5), (QUIET, "#ffffff", 4.5)]
    pairs += [(tone.on_band, tone.band, 4.5) for tone in TONES.values()]
    pairs += [(tone.number, tone.cell, 7.0) for tone in TONES.values()]
    for ink, ground, least in pairs:
        dark, light = sorted((luminance(ink), luminance(ground)))
        assert (light + 0.05) / (dark + 0.05) >= least, (ink, ground)


def test_the_pictures_of_the_readme_are_up_to_date() -> None:
    """The example pictures are what `python docs/pictures/draw.py` draws now, one for each game."""
    script = runpy.run_path(str(PICTURES / "draw.py"))
    drawn = dict(script["draw"](position) for position in script["POSITIONS"])
    assert len(drawn) == 9
    for file, picture in drawn.items():
        assert (PICTURES / file).read_text("utf-8") == picture + "\n", f"run python docs/pictures/draw.py for {file}"
