"""Hints: ranked choices, with reasons that are facts, in all languages."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import qwixx.coach
from qwixx import Game, hint
from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.coach import Hint, Reason, sentence
from qwixx.coach.reasons.sentences import reasons_of
from qwixx.errors import QwixxError
from qwixx.variants import load, names
from support.games.game_sources import sheet_file
from support.games.random_games import play_on

WORDS = tomllib.loads((Path(qwixx.coach.__file__).parent / "reasons" / "sentences.toml").read_text("utf-8"))


def reasons(line: str, action: str, seat: int = 0) -> set[tuple[object, ...]]:
    """Return the reasons for an action of a position, without their probabilities."""
    found = hint(Game.from_position(line), seat)
    advised = next(each for each in found.choices if each.choice.action.text == action)
    return {(each.kind, each.n, each.row) for each in advised.reasons}


def test_skipped_cells_and_the_next_number() -> None:
    """Red has 2 and 5: the 7 skips the 6 and makes three crosses, two short of closing; an 8 comes up in 5 of 36."""
    line = "classic active=0 phase=white roll=34/2615 | r=2,5 | y=3"
    assert reasons(line, "r7") == {
        ("skips", 1, "r"),
        ("gains", 3, None),
        ("to-close", 2, "r"),
        ("next-number", None, "r"),
        ("gives-up", None, "r"),
    }
    assert reasons(line, "g7") >= {("skips", 5, "g"), ("gains", 1, None)}
    # Passing keeps red 6 for the color sum of white 4 and red 2: the next cell (C4).
    assert reasons(line, "pass") == {
        ("crosses-nothing", None, None),
        ("nearest", 1, None),
        ("then-next", None, "r"),
    }
    found = hint(Game.from_position(line), 0)
    choice = next(each for each in found.choices if each.choice.action.text == "r7")
    following = next(each for each in choice.reasons if each.kind == "next-number")
    assert (following.numbers, following.facts) == ((8,), {"k": 5, "total": 36})


def test_reachable_cells_of_a_row() -> None:
    """Yellow 10 leaves 11 and 12, which two dice make in three of 36 rolls; with five crosses it can be closed (C7)."""
    line = "classic active=0 phase=white roll=64/1111 | y=2,3,4,5 | -"
    found = hint(Game.from_position(line), 0)
    choice = next(each for each in found.choices if each.choice.action.text == "y10")
    left = next(each for each in choice.reasons if each.kind == "leaves")
    assert (left.numbers, left.facts) == ((11, 12), {"k": 3, "total": 36})
    assert "can-close" in {each.kind for each in choice.reasons}
    # With too few crosses the last cell cannot be crossed any more: it does not count as left.
    line = "classic active=0 phase=white roll=64/1111 | y=2 | -"
    found = hint(Game.from_position(line), 0)
    choice = next(each for each in found.choices if each.choice.action.text == "y10")
    assert next(each for each in choice.reasons if each.kind == "leaves").numbers == (11,)


def facts_of(line: str, action: str, kind: str, seat: int = 0) -> Reason:
    """Return the only reason of a kind for an action of a position, without a judge."""
    game = Game.from_position(line)
    chosen = next(each for each in game.legal(seat) if each.text == action)
    (found,) = (each for each in reasons_of(game, seat, [chosen])[0] if each.kind == kind)
    return found


def kinds_of(line: str, action: str, seat: int = 0) -> set[str]:
    """Return the kinds of the reasons for an action of a position, without a judge."""
    game = Game.from_position(line)
    chosen = next(each for each in game.legal(seat) if each.text == action)
    return {each.kind for each in reasons_of(game, seat, [chosen])[0]}


def test_the_second_action_is_named() -> None:
    """A pass with the white sum is judged by the color sum that follows (C4, C5), and by the miss if none fits (C6)."""
    line = "classic active=0 phase=white roll=34/2615 | r=2,5 | y=3"
    assert facts_of(line, "pass", "then-next").numbers == (6,)
    assert facts_of(line, "y7", "then-next").row == "r"  # the color sum remains after a white cross
    assert "then-next" not in kinds_of(line, "pass", seat=1)  # a passive seat has no color sum
    # White 3 or 4 and red 4 make red 7 and 8: the 7 skips one cell, and every other color sum skips more.
    line = "classic active=0 phase=white roll=34/4662 | r=2,5 y=2 g=12 b=12 | -"
    found = facts_of(line, "pass", "then-skips")
    assert (found.n, found.row, found.numbers) == (1, "r", (7,))
    assert "then-next" not in kinds_of(line, "y7")  # it skips a cell, which is no argument for a white cross
    # Color sums of 2 in red and yellow, 12 in green and blue: all cells there are behind the crosses.
    line = "classic active=0 phase=white roll=16/1166 | r=3,11 y=3,11 g=11,3 b=11,3 | -"
    assert facts_of(line, "pass", "then-miss").n == 5


def test_numbers_that_are_given_up() -> None:
    """Blue 9 skips 12, 11 and 10, which two dice show in 1 + 2 + 3 of 36 rolls; four skipped cells are only counted."""
    line = "classic active=0 phase=white roll=45/1111 | - | -"
    found = facts_of(line, "b9", "gives-up")
    assert (found.numbers, found.facts) == ((12, 11, 10), {"k": 6, "total": 36})
    assert "gives-up" not in kinds_of(line, "r9")


def test_half_of_a_pair_is_named() -> None:
    """Red 6 and blue 4 are the pair of 13 points (BB1): half of it counts while the other half can be crossed."""
    found = facts_of("bonus-b active=0 phase=white roll=33/1111 | - | -", "r6", "half-plus")
    assert (found.n, found.row, found.numbers) == (13, "b", (4,))
    assert sentence(load("bonus-b"), found) == "half of a pair (13 more points), 4 in blue is the other half"
    assert "half-plus" not in kinds_of("bonus-b active=0 phase=white roll=33/1111 | b=4 | -", "r6")
    assert "half-plus" not in kinds_of("bonus-b active=0 phase=white roll=33/1111 | b=3 | -", "r6")  # blue 4 is lost


def test_how_near_the_end_is() -> None:
    """Two closed rows or four misses end the game (C11); five crosses let others close a row for all (C7, C8)."""
    line = "classic active=0 phase=white roll=66/1111 | r=2,3,4,5,6 | y=2"
    assert "row-to-end" in kinds_of(line, "r12")
    third = "classic active=0 phase=color roll=34/1111 | r=2,11 y=2,11 g=12,3 b=12,3 misses=2 | -"
    assert "miss-to-end" in kinds_of(third, "pass")
    assert "miss-to-end" not in kinds_of(third.replace("misses=2", "misses=1"), "pass")
    line = "classic active=0 phase=white roll=34/1111 | r=6 | r=2,3,4,5,6 | r=2,3,4,5,6,11 | r=2,3,4,5"
    assert facts_of(line, "r7", "others-can-close").n == 2
    assert "others-can-close" not in kinds_of(line, "y7")


def test_what_drawn_cards_can_be() -> None:
    """With blue 4 in hand a blue 2 closes blue: the fifth cross and the last cell, one left out (K5, K7)."""
    deck = [f"{color}{number}" for color in "rygb" for number in range(2, 13)]
    hands = ["r8", "y12", "b4", "b12"], ["g12", "g5", "g7", "b6"]
    display = ["b2", "y4", "r12", "r9"]
    pile = [card for card in deck if card not in {*hands[0], *hands[1], *display}]
    line = f"cards active=0 phase=draw display={','.join(display)} pile={','.join(pile)}"
    line += f" | b=12,11,10,9 hand={','.join(hands[0])} | hand={','.join(hands[1])}"
    found = facts_of(line, "take:1", "could-close")
    assert (found.row, found.numbers) == ("b", (2,))
    assert "only-color" not in kinds_of(line, "take:1")
    assert not kinds_of(line.replace("b=12,11,10,9", "b=12,11,10"), "take:1") & {"could-close"}
    # Two 12s are in the own hand; the third is hidden in another hand, so the color is not certain.
    assert "only-color" not in kinds_of(line, "take:3")
    seen = line.replace("r8", "G12").replace("g12", "r8").replace("G12", "g12")
    found = facts_of(seen, "take:3", "only-color")
    assert (found.row, found.numbers) == ("r", (12,))
    assert sentence(load("cards"), found, "de") == "die 12 geht nur in der roten Reihe"


def test_closing_ending_and_the_lead() -> None:
    """The second row closes: the game ends with 28 + 28 points for one seat, and the other has one (C7, C11, C12)."""
    line = "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,12,L y=2,3,4,5,6 | r=2"
    given = reasons(line, "y12")
    assert given >= {("closes", None, "y"), ("ends", None, None), ("leads", 55, None)}
    found = hint(Game.from_position(line), 0)
    assert found.choices[0].choice.action.text == "y12"
    assert found.choices[0].choice.value == pytest.approx(1)


def test_a_miss_is_named() -> None:
    """Nothing was crossed with the white sum, so passing again costs five points (C6)."""
    line = "classic active=0 phase=color roll=34/2615 | r=2,5 | y=3"
    assert ("miss", 5, None) in reasons(line, "pass")
    assert ("crosses-nothing", None, None) not in reasons(line, "pass")


def test_bonuses_and_pairs() -> None:
    """Green 11 is boxed and uses the bar's red cell (BA2); red 8 and blue 10 make the fewest row count twice (BB1)."""
    assert ("bonus", 1, None) in reasons("bonus-a active=0 phase=white roll=56/1111 | - | -", "g11")
    given = reasons("bonus-b active=0 phase=white roll=44/1111 | b=10 | -", "r8")
    assert ("pair-double-fewest", None, None) in given
    assert ("pair-plus", 13, None) in reasons("bonus-b active=0 phase=white roll=33/1111 | b=4 | -", "r6")


FAMILY: tuple[tuple[str, str, set[tuple[object, ...]], set[str]], ...] = (
    # DA2: the second cross on red 5 is the third of its row, 6 points instead of 3, and moves nothing.
    ("double-a active=0 phase=white roll=14/1111 | r=4,5 | -", "r5", {("gains", 3, None)}, {"next-cell", "skips"}),
    # DB2: five crosses and the two of a double cell, 28 points instead of 15, are the seven that closing needs.
    (
        "double-b active=0 phase=white roll=35/1111 | g=12,11,10,9 | -",
        "g8",
        {("gains", 13, None), ("can-close", None, "g")},
        {"skips"},
    ),
    # CB2: yellow 6 is crossed as well and skips four cells; five crosses in red and one in yellow are 6 points more.
    (
        "connected-b active=0 phase=white roll=24/1111 | r=2,3,4,5 pad=A | -",
        "r6",
        {("next-cell", None, "r"), ("skips", 4, "y"), ("gains", 6, None)},
        set(),
    ),
    # The forced cross fills a lost cell (CB3), or a row that is closed: there it is a point more, and nothing is lost.
    (
        "connected-b active=0 phase=white roll=24/1111 | r=2,3,4,5 y=7 pad=A | -",
        "r6",
        {("next-cell", None, "r"), ("gains", 7, None)},
        {"skips"},
    ),
    (
        "connected-b active=0 phase=white roll=45/111- | g=12,11,10 y=3 pad=A | b=12,10,9,8,7,2,L pad=B",
        "g9",
        {("next-cell", None, "g"), ("gains", 5, None)},
        {"skips", "b"},
    ),
    # BP5: a cross more in red and in yellow. With such a choice it is not true that every cross skips three cells.
    ("big-points active=0 phase=white roll=14/1111 | r=5 | -", "ry5", {("gains", 3, None)}, {"next-cell"}),
    ("big-points active=0 phase=white roll=14/1111 | r=5 | -", "pass", set(), {"nearest"}),
    ("big-points active=0 phase=white roll=14/1111 | r=6 | -", "pass", {("nearest", 3, None)}, set()),
    # BP6: red 4 + white 1 is the bonus cell beside red 5, which spares the miss; without a cross on red 5 nothing does.
    ("big-points active=0 phase=white roll=14/4666 | r=5,11 y=11 g=3 b=3 | -", "pass", set(), {"then-miss"}),
    ("big-points active=0 phase=white roll=14/4666 | r=6,11 y=11 g=3 b=3 | -", "pass", {("then-miss", 5, None)}, set()),
    # F1: the first field of the track.
    ("lucky-15 active=0 phase=white roll=55/5111 | - | -", "track", {("gains", 5, None)}, {"crosses-nothing"}),
    # F3: the small field after red 3 is skipped; it has no number to give up. Crossed, it is the third mark.
    ("connect-15 active=0 phase=white roll=22/1111 | r=2,3 | -", "r4", {("skips", 1, "r")}, {"gives-up"}),
    (
        "connect-15 active=0 phase=white roll=15/1111 | r=2,3 | -",
        "r3+",
        {("next-cell", None, "r"), ("gains", 3, None)},
        {"skips"},
    ),
)
"""Position, decision, some of its reasons, and kinds or rows that no reason has: it would not be true."""


@pytest.mark.parametrize(("line", "action", "some", "none"), FAMILY)
def test_marks_of_the_other_games(line: str, action: str, some: set[tuple[object, ...]], none: set[str]) -> None:
    """Second and forced crosses, double and bonus cells, small fields and the track count in what a decision brings."""
    game = Game.from_position(line, variant=sheet_file(line.split(maxsplit=1)[0]))
    chosen = next(each for each in game.legal(0) if each.text == action)
    given = reasons_of(game, 0, [chosen])[0]
    assert some <= {(each.kind, each.n, each.row) for each in given}
    assert not none & {word for each in given for word in (each.kind, each.row)}
    assert 0 not in [number for each in given for number in each.numbers]


@pytest.mark.parametrize(
    ("line", "action", "kind", "numbers"),
    [
        # F3: after red 3 comes a small field, then the 4.
        ("connect-15 active=0 phase=white roll=12/1111 | r=2 | -", "r3", "next-number", (4,)),
        # DA3: with a second 9, and 10 and 11 twice, red has seven crosses, so the 12 is still in reach; after a 10 not.
        ("double-a active=0 phase=white roll=45/1111 | r=8 | -", "r9", "leaves", (10, 11, 12)),
        ("double-a active=0 phase=white roll=46/1111 | r=8 | -", "r10", "leaves", (11,)),
        # DB3: 3 and 11 are two crosses each: 2, 3, 10, 11 are six, one short of closing, and with the 4 seven.
        ("double-b active=0 phase=white roll=46/1111 | r=2,3 | -", "r10", "leaves", (11,)),
        ("double-b active=0 phase=white roll=46/1111 | r=2,3,4 | -", "r10", "leaves", (11, 12)),
    ],
)
def test_numbers_that_are_left(line: str, action: str, kind: str, numbers: tuple[int, ...]) -> None:
    """The last number counts among them if the crosses that closing needs can still be made."""
    game = Game.from_position(line, variant=sheet_file(line.split(maxsplit=1)[0]))
    chosen = next(each for each in game.legal(0) if each.text == action)
    (found,) = (each for each in reasons_of(game, 0, [chosen])[0] if each.kind == kind and each.row == "r")
    assert found.numbers == numbers


def test_lucky_numbers_pawns_and_cards() -> None:
    """A lucky 6 crosses green's first cell (L4); the duel captures and stacks (D3, D4); a draw names backs (K3)."""
    line = "longo active=0 phase=white roll=33/1111 | r=2 y=2 b=16 lucky=6/11 | lucky=5/10"
    assert ("lucky", None, None) in reasons(line, "g16")
    assert ("lucky", None, None) not in reasons(line, "r6")
    line = "duel active=0 phase=white roll=34/1111 | r=3,5 b=7 | r=7"
    assert ("captures", None, None) in reasons(line, "r7")
    assert ("stacks", None, None) in reasons(line, "b7")
    game = Game("cards", 2, seed=2, first=0)
    game.roll()
    play_on(game, Random(1), 6)
    while game.phase != "draw":
        play_on(game, Random(1), 1)
    found = hint(game)
    for each in found.choices:
        taken = next(reason for reason in each.reasons if reason.kind == "takes")
        assert set(taken.numbers) <= set(game.view(found.seat).display)


@pytest.mark.parametrize("name", [name for name in names() if name != "cards-joker"])
def test_every_reason_has_a_sentence_in_every_language(name: str) -> None:
    """Every reason of a game's hints has a sentence in each language, without empty placeholders."""
    game = Game(name, 2, seed=4)
    rng = Random(4)
    kinds: set[str] = set()
    for _ in range(14):
        play_on(game, rng, 2)
        if game.is_over:
            break
        while game.awaits_chance:
            game.roll()
        found = hint(game, game.deciders()[0])
        for place, language in product(range(len(found.choices)), LANGUAGES):
            text = found.words(place, language)
            assert not re.search(r"[{}]|None", text), text
            assert text
        kinds |= {reason.kind for each in found.choices for reason in each.reasons}
    assert kinds >= {"gains"}
    json.dumps(found.to_dict("it"))


def test_the_languages_say_the_same() -> None:
    """All languages have the same texts, with the same placeholders, and plurals in the same places."""

    def places(text: str | list[str]) -> list[set[str]]:
        texts = [text] if isinstance(text, str) else text
        return [set(re.findall(r"{(\w+)}", each)) for each in texts]

    english = WORDS["en"]
    for language in LANGUAGES[1:]:
        own = {key for key in WORDS[language] if not key.endswith("_in")}
        assert own == set(english)
        for key in own - {"in_row"}:
            assert places(WORDS[language][key]) == places(english[key]), (language, key)
    for text in [each for value in WORDS["fr"].values() for each in ([value] if isinstance(value, str) else value)]:
        assert not re.search(r"[^\u202f][:;!?]|'", text), text


def test_rows_are_named_as_people_do() -> None:
    """A row is named by its color, or counted from the top where colors are mixed; in French zero is singular."""
    classic, mixed = load("classic"), load("gemixxt-a")
    assert sentence(classic, Reason("skips", 3, "g")) == "skips 3 cells in green"
    assert sentence(classic, Reason("closes", None, "r"), "de") == "schließt die rote Reihe ab"
    assert sentence(classic, Reason("skips", 1, "r"), "de") == "lässt in der roten Reihe 1 Feld aus"
    assert sentence(mixed, Reason("closes", None, "B"), "it") == "chiude la riga 2"
    assert sentence(classic, Reason("gains", 0), "fr").startswith("0 point ")
    with pytest.raises(QwixxError, match="xx"):
        sentence(classic, Reason("ends"), "xx")


@pytest.mark.parametrize(("number", "said"), [(8, "l’8"), (11, "l’11"), (7, "il 7"), (12, "il 12")])  # noqa: RUF001
def test_italian_numbers_have_their_article(number: int, said: str) -> None:
    """The article is elided before otto and undici."""
    reason = Reason("next-number", row="g", numbers=(number,), k=1, total=36)
    assert f"poi viene {said} nella riga verde" in sentence(load("classic"), reason, "it")


def test_the_duel_speaks_of_pawns() -> None:
    """D3, D7: pawns are placed, and a capture can take the right to close away, so it is not for good."""
    line = "duel active=0 phase=white roll=34/1111 | r=2,3,4,5 b=12,11 | y=2"
    assert reasons(line, "r7") >= {("can-close-now", None, "r")}
    assert reasons(line, "b7") >= {("pawns-to-close", 2, "b")}
    assert reasons(line, "pass") >= {("places-nothing", None, None)}
    kinds = {kind for action in ("r7", "y7", "g7", "b7", "pass") for kind, _, _ in reasons(line, action)}
    assert not kinds & {"can-close", "to-close", "crosses-nothing", "skips", "nearest"}


def test_an_open_window_reveals_no_secret_choice() -> None:
    """Another seat closed a second row secretly: a seat that still decides does not learn that the game ends (C3)."""
    line = "classic active=0 phase=white roll=66/-111 | r=2 | r=2,3,4,5,6,12,L y=2,3,4,5,6"
    hints: list[Hint] = []
    for choice in ("y12", "pass"):
        game = Game.from_position(line)
        game.decide(1, choice)
        hints.append(hint(game, 0))
    assert hints[0].choices == hints[1].choices


def test_invalid_questions_are_refused() -> None:
    """Before a roll, for a seat that is not asked, or without a seat: an error sentence."""
    game = Game("classic", 2, first=0)
    with pytest.raises(QwixxError, match="There is no decision here"):
        hint(game)
    game.roll()
    with pytest.raises(QwixxError, match="Name a seat: 0, 1"):
        hint(game)
    with pytest.raises(QwixxError, match="no seat 7"):
        hint(game, 7)
    with pytest.raises(QwixxError, match="about a game"):
        hint("classic")  # type: ignore[arg-type]  # people try this


def test_the_command() -> None:
    """`qwixx hint` ranks and explains, in words and as JSON; a roll may follow the line."""
    run = CliRunner().invoke
    line = "classic active=0 phase=roll | r=2,5 | y=3"
    shown = run(main, ["hint", line, "34/2615", "--seat", "1", "--lang", "de"]).output
    assert shown.startswith("1. ")
    assert "Reihe" in shown
    data = json.loads(run(main, ["hint", line, "34/2615", "--seat", "0", "--json"]).output)
    assert data["choices"][0]["action"] == "pass"
    losses = [each["loss"] for each in data["choices"]]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert run(main, ["hint", line]).exit_code == 2
