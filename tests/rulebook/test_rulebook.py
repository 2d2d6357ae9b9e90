"""The rule book: pages with the same content in all languages, valid examples, and the quick reference."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.rulebook import Fence, rule_book, rules_page, segments, without_ids
from qwixx.rulebook.custom_sheets import custom_rules
from qwixx.rulebook.examples import _ExampleRun, example, fences
from qwixx.rulebook.page_data import FILE, page_data
from qwixx.rulebook.page_files import cited
from qwixx.rulebook.quick_reference import SECTIONS, quick_card
from support.games.game_sources import playable, sheet_file
from support.games.small_sheets import tiny_sheet
from support.paths import ROOT
from typesetting import catalogue

GAMES = qwixx.games()
PAGES = ROOT / "src" / "qwixx" / "rulebook" / "pages"
WRITTEN = [game for game in playable() if game in GAMES or (PAGES / "en" / f"{game}.md").exists()]
"""The games of the package, and games with a sheet file that have a page already."""
EVERYWHERE = [(game, language) for game in WRITTEN for language in LANGUAGES]


def run(*words: str) -> str:
    """Return the output of a command."""
    return CliRunner().invoke(main, list(words), catch_exceptions=False, env={"COLUMNS": "100"}).output


# ---- pages


def test_every_page_belongs_to_a_game() -> None:
    """There are pages of the games in the package, and of games that have a sheet file."""
    found = {(path.stem, path.parent.name) for path in PAGES.rglob("*.md")}
    assert found == set(EVERYWHERE)


@pytest.mark.parametrize(("game", "language"), EVERYWHERE)
def test_a_page_has_every_rule_of_its_game(game: str, language: str) -> None:
    """It cites each id of the rule book for the game, and no other; mistakes of programs (M) are not for players."""
    rules = {rule for rule, said in rule_book().items() if game in said["games"] and not rule.startswith("M")}
    assert cited(rules_page(game, language)) == rules


@pytest.mark.parametrize(("game", "language"), EVERYWHERE)
def test_a_translated_page_has_the_content_of_the_english_one(game: str, language: str) -> None:
    """The same sections, lists, tables and drawings in the same order, and each rule as often in each section."""
    assert outline(game, language) == outline(game, "en")


def outline(game: str, language: str) -> list[object]:
    """List the parts of a page: drawings, and for each section its points, its table lines, and its rules."""
    found: list[object] = []
    for part in segments(rules_page(game, language)):
        if isinstance(part, Fence):
            found.append((part.kind, part.name))
            continue
        for section in re.split(r"^(?=## )", part, flags=re.MULTILINE):
            points = len(re.findall(r"^(?:- |\d+\. )", section, re.MULTILINE))
            rows = len(re.findall(r"^\|", section, re.MULTILINE))
            found.append((section.startswith("## "), points, rows, sorted(cited(section))))
    return found


@pytest.mark.parametrize(("game", "language"), EVERYWHERE)
def test_a_page_says_for_how_many_players_the_game_is_printed(game: str, language: str) -> None:
    """The first point of the list begins with the players of the box, and the list names the numbers that are ours."""
    variant = qwixx.variant(sheet_file(game) or game)
    points = re.findall(r"^- (.*)$", rules_page(game, language).split("```")[0], re.MULTILINE)
    printed = variant.printed
    assert printed is not None
    said = [int(number) for number in re.findall(r"\d+", points[0])]
    assert said[: len(set(printed))] == sorted(set(printed)), points[0]
    assert set(variant.added_seats) <= {int(number) for number in re.findall(r"\d+", " ".join(points))}


@pytest.mark.parametrize(("game", "language"), EVERYWHERE)
def test_a_page_has_the_printed_name_as_its_title(game: str, language: str) -> None:
    """The same name as on the page of the game."""
    assert rules_page(game, language).partition("\n")[0] == f"# {catalogue(language)[f'game.{game}.printed'][0]}"


def test_ids_can_be_left_out() -> None:
    """With the space before them, so that the full stop follows its word."""
    assert without_ids("You pass (C3, BB3a). Then (as said) stop (C11).") == "You pass. Then (as said) stop."


@pytest.mark.parametrize("game", [game for game in WRITTEN if sheet_file(game)])
def test_a_sheet_file_has_the_rules_of_what_is_on_it(game: str) -> None:
    """Before a game is in the package, the page of its sheet has all its rules but rulings."""
    variant = qwixx.variant(sheet_file(game) or game)
    rules = {rule for rule, said in rule_book().items() if said["games"] == [game] and not rule.startswith("FR")}
    found = {each.rule: each.sentence for part in custom_rules(variant).values() for each in part}
    assert rules - {"DB1"} <= set(found), "the cells of a letter are listed instead of DB1"
    assert not any("{" in sentence for sentence in found.values())


# ---- examples


@pytest.mark.parametrize("game", WRITTEN)
def test_every_example_is_valid(game: str) -> None:
    """The engine plays it; its claims are true; it shows something, and its page shows it."""
    assert fences(game)
    for fence in fences(game).values():
        for picture in _ExampleRun(fence, sheet_file(game)).result().pictures:
            assert picture.rows
            if len(picture.frames) == 2:
                before, after = picture.frames
                assert before.view != after.view
                assert after.marks or before.view.sheets[picture.seat].struck != after.view.sheets[picture.seat].struck


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("may 0 g11", "g11 is not possible"),
        ("not 0 g8", "g8 is possible"),
        ("score 0 5", "the scores are {0: 6, 1: 0}"),
        ("over", "the game is not over"),
        ("0 g11", "(C3)"),
    ],
)
def test_a_wrong_example_is_refused(line: str, complaint: str) -> None:
    """Any wrong claim: legal actions, the score of a sheet, the end of the game."""
    fence = Fence("example", "wrong", f"classic phase=white roll=35/2641 | g=12,10,9 | -\n{line}\n")
    with pytest.raises(QwixxError) as refused:
        _ExampleRun(fence).result()
    assert complaint in str(refused.value)


def test_an_example_shows_before_and_after() -> None:
    """Ada's green row gets the 8 and the 7, and both are marked as new; her first legal cells are highlighted."""
    (picture,) = example("classic", "one-roll").pictures
    before, after = picture.frames
    assert before.view.sheets[0].rows[2].crosses == (12, 10)
    assert after.view.sheets[0].rows[2].crosses == (12, 10, 8, 7)
    assert after.marks == ("g7", "g8")
    assert before.lit == ("r8", "y8", "g8", "b8")


def test_a_capture_is_new_on_the_board() -> None:
    """The cell has changed owner: both see a pawn of the other player there."""
    (picture,) = example("duel", "capture").pictures
    assert picture.frames[1].marks == ("y9",)


def test_the_drawings_of_the_page_are_up_to_date() -> None:
    """`make golden` writes it, or `python -m qwixx.rulebook.page_data`."""
    assert FILE.read_text("utf-8") == page_data()


# ---- the quick reference


@pytest.mark.parametrize(("game", "language"), EVERYWHERE)
def test_every_game_has_a_quick_reference(game: str, language: str) -> None:
    """With every entry, in words without empty placeholders."""
    card = quick_card(qwixx.variant(sheet_file(game) or game), language)
    keys = [section.key for section in card]
    assert [key for key in SECTIONS if key in keys] == keys
    assert {"turn", "close", "miss", "end", "count"} <= set(keys)
    assert ("place" if game == "duel" else "cross") in keys
    assert ("special" in keys) == (game not in {"classic", "gemixxt-a", "gemixxt-b", "cards"})
    text = " ".join(line for section in card for line in section.lines)
    assert not re.search(r"[{}]", text)


@pytest.mark.parametrize(
    ("game", "language", "section", "said"),
    [
        ("classic", "en", "close", "red 12, yellow 12, green 2, blue 2: only with at least 5 crosses already"),
        ("longo", "de", "close", "Rot 15/16, Gelb 15/16, Grün 3/2, Blau 3/2: nur wenn die Reihe schon mindestens 6"),
        ("gemixxt-a", "fr", "close", "12 rouge, 12 jaune, 2 vert, 2 bleu\u202f: seulement avec déjà au moins 5 croix"),
        ("gemixxt-b", "it", "close", "11 rosso, 10 giallo, 3 verde, 4 blu: solo con già almeno 5 crocette"),
        ("duel", "en", "end", "4 misses on the board, 2 rows closed, or the last of a player’s 22 pawns"),  # noqa: RUF001
        ("cards", "en", "turn", "until you hold 5"),
        ("cards", "en", "cross", "leave out at most 1."),
        ("bonus-b", "en", "special", "`+13` red 6, blue 4: 13 more points"),
        ("classic", "de", "miss", "−5 Punkte"),  # noqa: RUF001 - a minus sign
    ],
)
def test_the_content_of_quick_references(game: str, language: str, section: str, said: str) -> None:
    """Numbers and cells of the sheet, by hand."""
    (found,) = [each for each in quick_card(qwixx.variant(game), language) if each.key == section]
    assert said in " ".join(found.lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_on_mixed_colors_have_their_own_line(language: str) -> None:
    """K10: on sheet A each number has its row, and there is no limit on left-out cells, so no number is named."""
    (found,) = [each for each in quick_card(qwixx.variant("cards", "gemixxt-a"), language) if each.key == "cross"]
    assert len(found.lines) == 2
    assert not re.search(r"\d", " ".join(found.lines))


def test_numbers_come_from_the_sheet() -> None:
    """Another sheet, other numbers."""
    other = replace(qwixx.variant("classic"), closing_crosses=1, miss_points=7, end_misses=6, end_rows=1)
    text = " ".join(line for section in quick_card(other) for line in section.lines)
    assert "at least 1 cross already in the row" in text
    assert "−7 points" in text  # noqa: RUF001 - a minus sign
    assert "6 misses of one player, or 1 row closed" in text


# ---- in the terminal


def test_rules_in_the_terminal_show_positions() -> None:
    """The green row of the example before and after; the points in two lines; no ids by default."""
    text = run("rules", "classic")
    assert "g   X   .   X   9  >8<  7   6   5   4   3   2 |L" in text
    assert "g   X   .   X   .   X   X   6   5   4   3   2 |L" in text
    assert "crosses    1   2   3   4   5   6   7   8   9  10  11  12" in text
    assert "28 + 15 + 36 + 3 - 5 (misses) = 77" in text
    assert "```" not in text
    assert not re.search(r"\([CR]\d+\)", text)
    assert "(C7)" in run("rules", "classic", "--cite")


def test_rules_in_other_languages(tmp_path: Path) -> None:
    """Pages and quick references; the page of a custom sheet is in English."""
    assert "vorher" in run("rules", "cards-joker", "--lang", "de")
    assert "Numero fortunato" in run("rules", "longo", "--lang", "it", "--short")
    path = str(tiny_sheet(tmp_path, "plain"))
    assert "Fehlwurf" in run("rules", path, "--lang", "de", "--short")
    refused = CliRunner().invoke(main, ["rules", path, "--lang", "de"])
    assert isinstance(refused.exception, QwixxError | SystemExit)
    data = json.loads(run("rules", "duel", "--lang", "fr", "--json"))
    assert data["language"] == "fr"
    assert data["page"].startswith("# Qwixx, le duel")
    assert data["short"][0]["title"] == "Un tour"
