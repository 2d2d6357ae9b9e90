"""A game as a Python object: repr, equality, copies, pickles, undo and redo."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import qwixx
from qwixx import Action, Event, Game, NotationError, QwixxError, RecordError
from qwixx.game.events import Crossed, Played
from support.games.random_games import SETTINGS, Setting, new_game, play_on, some_game

TWO_SEATS = [setting for setting in SETTINGS if setting.seats == 2]


# ---- repr


def test_repr_shows_the_position() -> None:
    """The repr shows the position, as code that creates it again."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    assert repr(game) == "Game.from_position('classic active=0 phase=white roll=34/2615 | - | -')"
    assert eval(repr(game), {"Game": Game}) == game

    class Mine(Game):
        pass

    assert repr(Mine("longo", 1, first=0, lucky=["6/11"])).startswith("Mine.from_position('longo active=0")


def test_repr_of_a_custom_sheet(tmp_path: Path) -> None:
    """A line alone does not name the file, so the text is not code."""
    file = tmp_path / "mine.toml"
    file.write_text('id = "mine"\nlike = "classic"\nname = "Mine"\ntitle = "One of mine."\n', "utf-8")
    assert repr(Game(file, 1, first=0)) == "<Game 'mine active=0 phase=roll | -'>"


@pytest.mark.parametrize("setting", TWO_SEATS, ids=str)
def test_a_notebook_draws_it(setting: Setting) -> None:
    """A game has an SVG for notebooks, without hidden cards."""
    assert some_game(setting, 3, 20)._repr_svg_().startswith("<svg")


def test_repr_of_a_question() -> None:
    """The repr of a question names the seat, the game and the phase."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    assert repr(game.question(1)) == "<Question to seat 1 of classic: turn 1, phase white, dice 34/2615>"
    cards = Game("cards", 2, first=0, seed=1)
    cards.roll()
    assert repr(cards.question(0)) == "<Question to seat 0 of cards: turn 1, phase draw>"


# ---- equality


@pytest.mark.slow
@pytest.mark.parametrize("setting", TWO_SEATS, ids=str)
def test_equal_is_the_same_position(setting: Setting) -> None:
    """Two games are equal exactly when their lines are; seeds, history and undo do not matter."""
    luck = Random(4)
    game = new_game(setting, 1)
    met: dict[Game, str] = {}
    while not game.is_over:
        line = game.position()
        other = Game.from_position(line, variant=game.variant, seed=99)
        assert game == other
        assert hash(game) == hash(other)
        assert met.setdefault(game.copy(), line) == line
        before = game.copy()
        play_on(game, luck, 1)
        assert (game == before) == (game.position() == line)
    assert len({*met.values()}) == len(met)


def test_games_that_are_not_equal() -> None:
    """Another game, sheet or turn, a hidden card, an open choice: each of them makes a difference."""
    line = "classic active=0 phase=white roll=34/2615 | - | -"
    game = Game.from_position(line)
    assert game != Game.from_position(line.replace("classic", "gemixxt-a"))
    assert game != Game.from_position(line.replace("roll=", "turn=2 roll="))
    assert game != line
    other = game.copy()
    other.decide(0, "r7")
    assert game != other
    deck = "r2,r3,r4,r5,y2,y3,y4,y5,g2,g3,g4,g5,b2,b3,*"
    one, two, three = Game("cards", 2, first=0), Game("cards", 2, first=0), Game("cards", 2, first=0)
    one.set_roll(deck)
    two.set_roll(deck)
    three.set_roll(deck.replace("b2,b3", "b3,b2"))
    assert one == two
    assert one != three


def test_the_order_of_discards_does_not_matter() -> None:
    """K5: two games with the same position are equal however they got there."""
    line = "cards phase=play display=y2,y3,y4,y5 pile=* | hand=r2,r3,g4,g5,b6 | hand=r4,r5"
    after = []
    for first, second in (("play:r2", "play:g4"), ("play:g4", "play:r2")):
        game = Game.from_position(line + ",r6,r7")
        game.decide(0, first)
        hidden = Game.from_position(game.position().replace("active=1 phase=draw", "active=0 phase=draw"))
        hidden.decide(0, "take:1")
        for seat in (0, 1):
            hidden.decide(seat, "pass")
        hidden.decide(0, second)
        after.append(hidden)
    assert after[0].position() == after[1].position()
    assert after[0] == after[1]


# ---- copies


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, Game.copy, lambda game: pickle.loads(pickle.dumps(game))])
@pytest.mark.parametrize("setting", TWO_SEATS, ids=str)
def test_copies_are_separate_games(setting: Setting, way: Callable[[Game], Game]) -> None:
    """A copy has the same position, future and history as the game, and changes in it do not change the game."""
    game = some_game(setting, 8, 20)
    twin = way(game)
    assert (twin, twin.record(), twin.events, twin.view(0)) == (game, game.record(), game.events, game.view(0))
    assert not game.is_over
    before = game.position(), game.record(), game.events
    play_on(twin, Random(1), 1)
    assert (game.position(), game.record(), game.events) == before
    twin.undo()
    assert (twin.position(), twin.record(), twin.events) == before
    twin.undo()
    assert (game.position(), game.record(), game.events) == before
    twin = way(game)
    for each in (game, twin):
        play_on(each, Random(1), 1)  # chance is the same too
    assert twin == game
    assert twin.record() == game.record()


def test_a_copy_of_a_subclass_keeps_its_attributes() -> None:
    """Attributes of a subclass are kept in copies and pickles."""
    game = Named("classic", 2, seed=1)
    game.title = "tonight"
    for twin in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert isinstance(twin, Named)
        assert twin.title == "tonight"


class Named(Game):
    """A game with a title; pickles find the class here."""

    title = ""


# ---- undo and redo


@pytest.mark.parametrize("setting", TWO_SEATS, ids=str)
def test_redo_repeats_what_was_undone(setting: Setting) -> None:
    """Undo and redo lead through the same states, with the same chance, events and record."""
    game, luck = new_game(setting, 6), Random(6)
    for _ in range(12):
        play_on(game, luck, 1)
    stations = []
    for _ in range(12):
        stations.append((game._states.tobytes(), game.record(), game.events))
        game.undo()
    assert game.events == ()
    for station in reversed(stations):
        before = len(game.events)
        assert game.redo() == list(station[2][before:])
        assert (game._states.tobytes(), game.record(), game.events) == station
    with pytest.raises(QwixxError, match="nothing to do again"):
        game.redo()


def test_a_new_decision_clears_redo() -> None:
    """After another decision, or after making the game final, there is no redo; a copy keeps its own."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    game.decide(0, "r7")
    game.undo()
    twin = game.copy()
    game.decide(0, "y7")
    with pytest.raises(QwixxError, match="nothing to do again"):
        game.redo()
    assert [str(event) for event in twin.redo()] == ["decided 0"]
    twin.undo()
    twin.make_final()
    with pytest.raises(QwixxError, match="nothing to do again"):
        twin.redo()


def test_a_refused_decision_keeps_redo() -> None:
    """Nothing has changed, so redo is still possible."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    game.undo()
    with pytest.raises(QwixxError):
        game.decide(0, "r7")
    assert [str(event) for event in game.redo()] == ["rolled 34/2615", "phase white"]


# ---- events as plain data


@pytest.mark.parametrize("setting", TWO_SEATS, ids=str)
def test_events_to_dicts_and_back(setting: Setting) -> None:
    """Every event of a game can be converted to plain data and back, also through JSON and as the server sends it."""
    import msgspec  # noqa: PLC0415 - only here

    game, luck = new_game(setting, 2), Random(2)
    while not game.is_over:
        play_on(game, luck, 1)
    for event in game.events:
        data = event.to_dict()
        assert data["e"] == event.word
        assert Event.from_dict(data) == event
        assert Event.from_dict(msgspec.json.decode(msgspec.json.encode(data))) == event
        assert Event.from_dict(msgspec.to_builtins(event)) == event


def test_an_event_as_data() -> None:
    """Names as in Python, lists as in JSON."""
    assert Crossed(1, "r7").to_dict() == {"e": "crossed", "seat": 1, "cell": "r7"}
    assert Played(0, ("r4", "j5")).to_dict() == {"e": "played", "seat": 0, "cards": ["r4", "j5"]}
    assert qwixx.events.BonusUsed(0, 3).to_dict() == {"e": "bonus", "seat": 0, "bar_cell": 3}


@pytest.mark.parametrize(
    "data",
    [None, 5, [], {}, {"e": "sneezed"}, {"e": "crossed", "seat": 1}, {"e": "crossed", "seat": "1", "cell": "r7"}],
)
def test_data_that_is_not_an_event(data: Any) -> None:
    """Anything else gives an error sentence."""
    with pytest.raises(NotationError, match="That is no event"):
        Event.from_dict(data)


# ---- types of arguments


def named(value: object) -> str:
    """Name a value without its address."""
    return f"{type(value).__name__}-{value}" if isinstance(value, str | int | float) else type(value).__name__


NO_NUMBERS = [1.0, "1", None, True, b"1", [1], (1,), {}, object(), np.float64(1), np.array([1, 2]), np.bool_(True)]
NO_TEXTS = [5, 1.5, None, True, b"classic | -", ["r7"], object()]
Call = Callable[[Game, Any], object]
WITH_A_NUMBER: dict[str, Call] = {
    "seats": lambda _game, value: Game("classic", value),
    "seed": lambda _game, value: Game("classic", seed=value),
    "seed of a position": lambda _game, value: Game.from_position("classic | -", seed=value),
    "seed of imagine": lambda game, value: game.imagine(0, value),
    "first": lambda _game, value: Game("classic", first=value),
    "number": lambda _game, value: Game("classic", number=value),
    "seat of legal": lambda game, value: game.legal(value),
    "seat of decide": lambda game, value: game.decide(value, "pass"),
    "seat of is_legal": lambda game, value: game.is_legal(value, "pass"),
    "seat of why_not": lambda game, value: game.why_not(value, "pass"),
    "seat of preview": lambda game, value: game.preview(value, "pass"),
    "seat of question": lambda game, value: game.question(value),
    "seat of view": lambda game, value: game.view(value),
    "seat of imagine": lambda game, value: game.imagine(value, 1),
}
MAY_BE_NONE = {"seed", "seed of a position", "seed of imagine", "first", "seat of view", "seat of imagine"}
WITH_A_TEXT: dict[str, Call] = {
    "roll": lambda _game, value: Game("classic").set_roll(value),
    "deck": lambda _game, value: Game("cards").set_roll(value),
    "position": lambda _game, value: Game.from_position(value),
    "record": lambda _game, value: Game.from_record(value),
    "replay": lambda _game, value: list(Game.replay(value)),
    "lucky": lambda _game, value: Game("longo", 2, lucky=value),
    "a pair": lambda _game, value: Game("longo", 2, lucky=["5/10", value]),
}
NO_ACTIONS = [Action(number, "r7") for number in cast("list[int]", [1.5, "r7"])]
WITH_AN_ACTION: dict[str, Call] = {
    "decide": lambda game, value: game.decide(0, value),
    "decide, not asked": lambda _game, value: Game("classic").decide(0, value),
    "why_not": lambda game, value: game.why_not(0, value),
    "is_legal": lambda game, value: game.is_legal(0, value),
    "preview": lambda game, value: game.preview(0, value),
}


def rolled() -> Game:
    """Return a game in its first window."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    return game


def test_every_method_is_tested() -> None:
    """Every method with arguments is tried with invalid ones."""
    taking = {
        name
        for name, method in inspect.getmembers(Game, callable)
        if not name.startswith("_") and set(inspect.signature(method).parameters) - {"self"}
    }
    assert taking == {
        *("decide", "from_position", "from_record", "imagine", "legal", "question", "replay", "set_roll", "view"),
        *("foretell", "is_legal", "preview", "why_not"),
    }


def test_old_names_still_work() -> None:
    """Programs that use the earlier names of methods get the same answers, and a warning with the new name."""
    game = Game("classic", 2, first=0)
    with pytest.warns(DeprecationWarning, match=r"^Game.outcomes is called Game.chances now"):
        assert list(game.outcomes()) == list(game.chances())
    with pytest.warns(DeprecationWarning, match=r"^Game.chance_outcomes is called Game.chances now"):
        assert list(game.chance_outcomes()) == list(game.chances())
    game.set_roll("34/2615")
    with pytest.warns(DeprecationWarning, match=r"^Game.foretell is called Game.preview now"):
        assert game.foretell(0, "r7") == game.preview(0, "r7")


def test_actions_equal_their_texts() -> None:
    """The white dice make 7: r7 is legal and r8 is not. An action equals its text, also as a key."""
    game = rolled()
    assert "r7" in game.legal(0)
    assert "r8" not in game.legal(0)
    red = game.legal(0)[0]
    assert (red == "r7", red == red.id, red != "r8", hash(red) == hash("r7")) == (True, False, True, True)
    assert {"r7": 1}[red] == 1  # type: ignore[index]  # a key that equals it
    assert red == Action(red.id, "r7")
    assert red != Action(red.id + 1, "r7")


def test_is_legal() -> None:
    """It answers for texts, numbers and actions; what is no action is not legal."""
    game = rolled()
    assert game.is_legal(0, "r7")
    assert game.is_legal(0, game.legal(0)[0])
    assert game.is_legal(1, game.legal(0)[0].id)
    assert not game.is_legal(0, "r8")
    assert not game.is_legal(0, "r99")
    game.decide(0, "r7")
    game.decide(1, "pass")
    assert not game.is_legal(1, "pass")


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    """Only a `Path` opens a file: a text is always a record itself."""
    game = rolled()
    file = tmp_path / "game.qwixx"
    file.write_text(game.record())
    assert Game.from_record(file) == game
    assert [each.phase for each in Game.replay(file)] == ["roll", "white"]
    with pytest.raises(RecordError):
        Game.from_record(str(file))
    with pytest.raises(RecordError, match="cannot be read"):
        Game.from_record(tmp_path / "missing.qwixx")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="UTF-8"):
        Game.from_record(file)


def test_a_replay_yields_independent_games() -> None:
    """The games of a list keep the moments at which they were yielded; without copies it is one game."""
    game = rolled()
    record = game.record()
    assert [each.phase for each in list(Game.replay(record))] == ["roll", "white"]
    assert len({id(each) for each in list(Game.replay(record, copies=False))}) == 1


def test_a_game_on_a_custom_sheet_comes_back_equal(tmp_path: Path) -> None:
    """The record has all of the sheet, also what came with `like`; the shipped check compares with `==`, too."""
    for like in ("classic", "bonus-a", "bonus-b", "longo"):
        sheet = tmp_path / "mini.toml"
        sheet.write_text(f'id = "mini"\nlike = "{like}"\nname = "M"\ntitle = "t"\n')
        game = Game(sheet, 2, seed=2, first=0)
        assert game.variant.provenance
        assert Game.from_record(game.record()) == game


def test_results_are_short_texts() -> None:
    """What a prompt shows fits in a line or two."""
    game = rolled()
    assert repr(game.variant) == "<Variant classic: Qwixx, 1 to 5 seats>"
    with pytest.raises(QwixxError) as found:
        Game("a" * 10_000)
    assert len(str(found.value)) < 250


@pytest.mark.parametrize("value", [5, None, b"classic", ["classic"], 1.5, True], ids=named)
def test_other_values_than_games_are_refused(value: Any) -> None:
    """A game is an id, a file or a variant."""
    with pytest.raises(QwixxError, match="There is no game"):
        Game(value)
    with pytest.raises(QwixxError):
        Game("cards", sheet=[value])  # type: ignore[arg-type]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=named)
@pytest.mark.parametrize("name", WITH_A_NUMBER)
def test_other_values_than_integers_are_refused(name: str, value: Any) -> None:
    """Where an integer is required, anything else gives an error sentence, and nothing changes."""
    if value is None and name in MAY_BE_NONE:
        return
    game = rolled()
    before = game.position(), game.record()
    with pytest.raises(QwixxError, match=r"is a whole number, not .+\.$"):
        WITH_A_NUMBER[name](game, value)
    assert (game.position(), game.record()) == before


@pytest.mark.parametrize("name", WITH_A_NUMBER)
def test_numbers_of_numpy_are_numbers(name: str) -> None:
    """A value that Python accepts as an index is accepted here."""
    WITH_A_NUMBER[name](rolled(), np.int64(1))
    WITH_A_NUMBER[name](rolled(), np.uint8(1))


@pytest.mark.parametrize("value", NO_TEXTS, ids=named)
@pytest.mark.parametrize("name", WITH_A_TEXT)
def test_other_values_than_texts_are_refused(name: str, value: Any) -> None:
    """Where a text is required, anything else gives an error sentence with the right form."""
    if name == "lucky" and value is None:
        return
    with pytest.raises(QwixxError, match=r"(, not |such as)"):
        WITH_A_TEXT[name](rolled(), value)


@pytest.mark.parametrize(
    "value",
    [1.5, 7.0, None, True, b"r7", ["r7"], object(), *NO_ACTIONS, np.float32(5)],
    ids=named,
)
@pytest.mark.parametrize("name", WITH_AN_ACTION)
def test_other_values_than_actions_are_refused(name: str, value: Any) -> None:
    """1.5 is not action 1, and True is not either."""
    game = rolled()
    before = game.position(), game.record()
    with pytest.raises(
        NotationError, match=r"^An action is one of game.legal\(seat\), its text such as 'r7', or its num"
    ):
        WITH_AN_ACTION[name](game, value)
    assert (game.position(), game.record()) == before


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Game("classic", "2"), "The number of seats is a whole number, not the text '2'."),  # type: ignore[arg-type]
        (lambda: Game("classic", seed="a"), "A seed is a whole number, not the text 'a'."),  # type: ignore[arg-type]
        (lambda: Game("classic", first=1.0), "The first seat is a whole number, not 1.0."),  # type: ignore[arg-type]
        (lambda: Game("classic", first=True), "The first seat is a whole number, not True."),
        (lambda: rolled().legal(None), "A seat is a whole number, not None."),  # type: ignore[arg-type]
        (
            lambda: rolled().decide(0, 1.5),  # type: ignore[arg-type]
            "An action is one of game.legal(seat), its text such as 'r7', or its number, not 1.5.",
        ),
        (
            lambda: Game("classic").set_roll(12),  # type: ignore[arg-type]
            "A roll is a text such as '34/2615', a deck one such as 'r4,g12,...', not 12.",
        ),
        (
            lambda: Game.from_position(None),  # type: ignore[arg-type]
            "This position cannot be: it is a text such as 'classic | - | -', not None.",
        ),
        (lambda: Game.from_record(b"qwixx"), "A record is a text, or a file as a Path, not a value of type bytes."),  # type: ignore[arg-type]
        (
            lambda: Game("longo", 2, lucky="6/11"),
            "Lucky numbers are a pair for each of the 2 seats, such as '6/11', not the text '6/11'.",
        ),
    ],
)
def test_sentences_that_help(call: Callable[[], object], sentence: str) -> None:
    """The error sentences say what helps."""
    with pytest.raises(QwixxError) as found:
        call()
    assert str(found.value) == sentence


def test_result_objects_read_as_text() -> None:
    """`repr` of a hint, an advice and a review is one line; `str` lists choices or seats with their values."""
    line = "classic active=0 phase=color roll=66/6111 crossed=yes | r=2,3,4,5,6,7,8,9,10 | -"
    game = Game.from_position(line)
    advice = qwixx.advise(game, by="gap", games=20)
    assert repr(advice) == "<Advice for seat 0: r12 is the best of 5, by gap>"
    assert str(advice).splitlines()[0].startswith("seat 0, judged by gap: points ahead")
    assert "r12" in str(advice).splitlines()[1]
    hint = qwixx.hint(game)
    assert repr(hint) == "<Hint for seat 0 of classic: r12 is the best of 5, by master>"
    assert str(hint).splitlines()[0] == "seat 0, judged by master: win probability"
    assert len(str(hint)) < 1000
    review = qwixx.analyse(game.record())
    assert repr(review) == "<Analysis of classic with 2 seats: 0 decisions, by master>"
    assert [each.split(":")[0] for each in str(review).splitlines()[1:]] == ["  seat 0", "  seat 1"]
