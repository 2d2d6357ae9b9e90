"""The terminal in every language: games, lessons, refusals and errors without an English word, in forty columns."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from qwixx import Game, games, variant
from qwixx.base.languages import ENGLISH, LANGUAGES, current_language, preferred_language, speak
from qwixx.cli import main
from qwixx.cli.table.event_sentences import sentences_of
from qwixx.errors import CODES, Refusal
from qwixx.game.events import EVENT_FORMS, BonusCellCrossed, SmallCrossed
from qwixx.text.catalogue import FOLDER, read_catalogue
from qwixx.text.labels import error_text, refusal_text
from support.games.game_sources import SHEETS
from support.games.small_sheets import tiny_sheet
from support.paths import ROOT
from typesetting import all_words

TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]
WIDTH = 40
WORD = re.compile(r"[^\W\d_]{2,}")
TYPED = set(
    WORD.findall("qwixx play learn replay rules resume record step seat seats bots real dice lang from short json")
)
TYPED |= set(
    WORD.findall("list why sheet score undo save quit back roll pass take help game lucky pads lot seed names")
)
TYPED |= set(
    WORD.findall("classic cards joker gemixxt bonus longo duel gap greedy bot Mia Anna Max VARIANT FILE")
) | set(LANGUAGES)
"""Commands, options and names: they are the same in every language."""
WORDS = {
    language: {word.lower() for text in all_words() if text.language == language for word in WORD.findall(text.text)}
    for language in LANGUAGES
}
"""The words of all texts of a language."""
SCRIPT = (
    "why",
    "why r2",
    "why A2",
    "why r99",
    "xyzzy",
    "",
    "?",
    "? C7",
    "? K5",
    "? Z9",
    "score",
    "sheet",
    "list",
    "999",
)
MORE = ("undo", "quit", "no", "1", "undo", "save", "save /zzz/zzz", "take:9", "play:j2", "r12>r")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """Leave the terminal in English."""
    yield
    speak(ENGLISH)


@pytest.fixture
def data(own_data: Path) -> Path:
    """Store the games of a test in its own directory."""
    return own_data


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the terminal width to forty columns."""

    def terminal(**settings: Any) -> Console:
        return Console(**{**settings, "width": WIDTH, "force_terminal": True, "color_system": None})

    monkeypatch.setattr("qwixx.cli.terminal.screen.Console", terminal)
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def run(*words: str, given: str = "") -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words), input=given)


def english_in(text: str, language: str, *paths: Path) -> set[str]:
    """Return the words of a text that only English texts have."""
    for path in paths:
        text = text.replace(str(path), "")
    found = {word.lower() for word in WORD.findall(text)}
    return found & WORDS[ENGLISH] - WORDS[language] - {word.lower() for word in TYPED}


def plain(text: str) -> str:
    """Return a text without codes for the terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def typed(language: str, name: str) -> str:
    """Return a script of commands, nonsense and choices, long enough for a whole game."""
    chooser = random.Random(f"{language} {name}")
    return "\n".join([*SCRIPT, *MORE, *(str(chooser.choice([1, 1, 2, 3, 5, 77])) for _ in range(4000))]) + "\n"


# ---- games and lessons


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", games())
@pytest.mark.usefixtures("narrow")
def test_a_game_and_its_replay(name: str, language: str, data: Path) -> None:
    """A whole game with help, refusals and nonsense has no English word, and no line of more than forty columns."""
    played = run("play", name, "--seats", "2", "--seed", "4", "--lang", language, given=typed(language, name))
    assert played.exit_code == 0
    (path,) = (data / "games").iterdir()
    replayed = run("replay", str(path), "--lang", language)
    assert replayed.exit_code == 0
    text = plain(played.output + replayed.output)
    assert not english_in(text, language, path)
    for line in text.splitlines():
        assert len(line.rstrip()) <= WIDTH or str(path) in line or "qwixx " in line, line


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", games())
@pytest.mark.usefixtures("narrow")
def test_a_lesson(name: str, language: str) -> None:
    """A lesson with its help, wrong answers and refusals has no English word, and fits in forty columns."""
    steps = "?\nxyzzy\n99\n1\n\n"
    text = plain(run("learn", name, "--lang", language, given=f"{steps}back\n{steps * 12}").output)
    assert not english_in(text, language)
    assert read_catalogue(language)["today.row.you"][0] in text
    for line in text.splitlines():
        assert len(line.rstrip()) <= WIDTH or "qwixx " in line, line


def test_a_short_game_in_every_language(data: Path) -> None:
    """The quick form of the tests above, in a wide terminal, with the words that everybody sees."""
    lines = "\n".join([*SCRIPT, *MORE]) + "\n"
    for language in TRANSLATED:
        output = run("play", "classic", "--seed", "3", "--lang", language, given=lines).output
        assert not english_in(output, language, data / "games"), language
        assert read_catalogue(language)["cli.undo"][0] in output
        assert f"qwixx play --resume --lang {language}" in output
        lesson = run("learn", "--lang", language, given="?\n99\n").output
        assert not english_in(lesson, language), language
        assert f"qwixx learn classic --from 1 --lang {language}" in lesson


def test_yes_is_said_in_every_language(data: Path) -> None:
    """A player leaves with the word for yes, or with its first letter."""
    for language in LANGUAGES:
        for yes in (read_catalogue(language)["cli.yes"][0], read_catalogue(language)["cli.yes"][0][0].upper(), "yes"):
            output = run("play", "classic", "--seed", "3", "--lang", language, given=f"quit\n{yes}\n").output
            assert str(data) in output
            assert output.count(read_catalogue(language)["cli.leave"][0]) == 1


# ---- refusals


def refusals_of(name: str, seed: int) -> Iterator[Refusal]:
    """Play a game at random, and yield why every cell, draw and play is refused at each step."""
    chooser = random.Random(f"{name} {seed}")
    game = Game(name, seats=2, seed=seed)
    cells = [f"{row.key}{cell.value}" for row in game.variant.rows for cell in row.cells]
    actions = [
        *cells,
        "pass",
        "take:1",
        "take:1,2",
        "play:r4",
        f"play:r4={cells[2]}",
        f"{cells[0]}>{game.variant.rows[0].key}",
    ]
    while not game.is_over:
        for seat in range(2):
            for action in actions:
                if (refusal := game.why_not(seat, action)) is not None:
                    yield refusal
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, chooser.choice(game.legal(seat)))
    yield from filter(None, (game.why_not(0, action) for action in actions))


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_every_refusal_has_its_sentence(name: str) -> None:
    """Whatever is refused in a game, each language has a sentence with all its values."""
    found = {(refusal.code, tuple(refusal.details)): refusal for refusal in refusals_of(name, 5)}
    assert len(found) > 4
    for language in LANGUAGES:
        speak(language)
        for refusal in found.values():
            text = refusal_text(refusal)
            assert text.endswith(f" ({refusal.rule})")
            assert not set("{}") & set(text)
            assert language == ENGLISH or not english_in(text, language), text


def test_refusals_by_hand() -> None:
    """Red 5 and 7 are crossed, and the white sum is 6: the reasons name the red 6, not r6 (C1)."""
    game = Game.from_position("classic active=0 phase=white roll=33/1111 | r=5,7 | -")
    left, again = game.why_not(0, "r6"), game.why_not(0, "r5")
    assert left is not None
    assert again is not None
    names = {"en": "Red 6", "de": "rote 6", "fr": "6 rouge", "it": "6 rosso", "nl": "rode 6"}
    for language in LANGUAGES:
        speak(language)
        assert names[language] in refusal_text(left)
        assert "(C1)" in refusal_text(left)
        assert refusal_text(left) != refusal_text(again).replace("5", "6")
    assert left.sentence == "r6 does not lie right of every cross in row r."


def test_italian_articles_are_elided() -> None:
    """Before 8 and 11, whose words begin with a vowel, an article loses its own."""
    game = Game.from_position("classic active=0 phase=white roll=44/1111 | r=5,11 | -")
    refusal = game.why_not(0, "r8")
    assert refusal is not None
    speak("it")
    assert refusal_text(refusal).startswith("L\u20198 rosso ")


def test_every_code_has_a_sentence() -> None:
    """Every reason of the kernel has a text in the catalogue of each language."""
    for language in LANGUAGES:
        assert {f"why.{code}" for code in CODES.values()} <= set(read_catalogue(language))


# ---- errors of the command line

BAD = [
    ["plai"],
    ["play", "clasic"],
    ["rules", "zzz"],
    ["rules"],
    ["play", "--nonsense"],
    ["learn", "--fro", "2"],
    ["learn", "classic", "one", "two"],
    ["learn", "--from", "0"],
    ["learn", "--from", "99"],
    ["play", "--seed"],
    ["play", "--resume=1"],
    ["play", "classic", "--seats", "many"],
    ["play", "classic", "--bot-seconds", "x"],
    ["play", "classic", "--seats", "9"],
    ["play", "duel", "--seats", "3"],
    ["play", "classic", "--bots", "3", "--seats", "2"],
    ["play", "classic", "--bots", "gaap"],
    ["play", "classic", "--bots", "zzzzz"],
    ["play", "cards", "--bots", "optimal"],
    ["play", "classic", "--names", "A,B,C", "--seats", "2"],
    ["play", "classic", "--names", "A,A"],
    ["play", "classic", "--names", ","],
    ["play", "classic", "--seed", "-1"],
    ["play", "classic", "--sheet", "gemixxt-a"],
    ["play", "cards", "--sheet", "longo"],
    ["play", "cards", "--real-dice"],
    ["play", "classic", "--lucky", "6/11"],
    ["play", "longo", "--lucky", "6/66"],
    ["play", "longo", "--lucky", "6/11"],
    ["play", "classic", "--pads", "AB"],
    ["play", str(SHEETS / "connected-a.toml"), "--pads", "AG"],
    ["play", "--resume"],
    ["play", "classic", "--resume"],
    ["replay"],
    ["replay", "/zzz"],
    ["replay", "/"],
    ["sheet", "classic", "--seat", "7"],
]
BOTS = set(WORD.findall("random gap greedy optimal master easy normal strong to"))
"""Names of bots, in the list of all of them."""


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_errors_are_sentences_of_the_language(words: list[str], data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad input is refused with exit code 2 and a sentence without an English word, whatever names the language."""
    for language in TRANSLATED:
        monkeypatch.setenv("LC_ALL", f"{language}_CH.UTF-8")
        spoken = run(*words)
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        results = [spoken] if words == ["plai"] else [spoken, run(*words, f"--lang={language}")]
        if words[-1] == "--seed":
            results = [spoken]
        for result in results:
            assert result.exit_code == 2
            assert result.stderr.startswith(read_catalogue(language)["cli.error"][0].partition("{")[0])
            assert not english_in(result.stderr, language, data / "games") - BOTS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence(language: str) -> None:
    """Every event of the rules is announced with all its details, those of games in sheet files too."""
    samples: dict[str, object] = {"seat": 0, "roll": "34/2615", "number": 7, "place": 2, "cell": "r7", "row": "r"}
    samples |= {
        "color": "r",
        "pair": "plus-13",
        "phase": "color",
        "ending": "rows",
        "cards": ("r7",),
        "numbers": (7,),
    }
    before = current_language()
    speak(language)
    for kind, forms in EVENT_FORMS.values():
        for said in sentences_of([kind(*(samples[form] for form in forms))], ["Anna"]):
            assert "{" not in said
            assert "Anna" in said or "seat" not in forms
    small, beside = sentences_of([SmallCrossed(0, "r3+"), BonusCellCrossed(0, "ry5")], ["Anna"])
    speak(before)
    assert "3" in small
    assert "ry" in beside


def test_lessons_and_rules_of_a_custom_sheet(tmp_path: Path) -> None:
    """A custom sheet has no lesson, and its rules are in English; both are refused with a sentence and a way out."""
    path = str(tiny_sheet(tmp_path, "plain"))
    assert "Lessons exist only for the built-in games" in run("learn", path).stderr
    assert f"qwixx rules {path}" in run("learn", path).stderr
    assert "--short" in run("rules", path, "--lang", "de").stderr
    assert run("rules", path, "--short", "--lang", "de").exit_code == 0


def test_an_unknown_language_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence lists the languages, in the language of the environment."""
    for command in (["play", "classic"], ["learn"], ["rules", "classic"], ["variants"], ["replay", "x"]):
        result = run(*command, "--lang", "xx")
        assert result.exit_code == 2
        assert result.stderr == f"Error: --lang must be one of {', '.join(LANGUAGES)}.\n"
    monkeypatch.setenv("LANG", "de_AT")
    monkeypatch.setenv("LC_ALL", "")
    assert run("learn", "--lang", "xx").stderr.startswith("Fehler: --lang")


# ---- which language


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_CH"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "it"}, "it"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "pt_BR.UTF-8"}, "en"),
    ],
)
def test_the_language_of_the_environment(
    settings: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first variable that is set counts, as POSIX says; a language that is not ours is English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert preferred_language() == language


def test_formats_and_other_commands_stay_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON is the same everywhere unless a language is named, and commands without --lang are in English."""
    commands = (["rules", "classic", "--json"], ["variants", "--json"], ["simulate", "classic", "--games", "x"])
    before = [run(*command) for command in commands]
    listed = run("variants").output
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    after = [run(*command) for command in commands]
    assert [(each.stdout, each.stderr) for each in before] == [(each.stdout, each.stderr) for each in after]
    assert run("variants").output != listed
    assert run("variants", "--lang", "en").output == listed
    assert json.loads(run("rules", "classic", "--json", "--lang", "de").output)["language"] == "de"


def test_the_library_stays_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment changes neither drawings nor sentences of the library."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert current_language() == ENGLISH
    assert "misses" in str(Game("classic", 2, seed=1))


# ---- the catalogues


def sources() -> str:
    """Return the sources of the package."""
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "src/qwixx").rglob("*.py"))


def test_every_text_of_the_terminal_is_used() -> None:
    """No text is translated in vain, and none is missing."""
    text, keys = sources(), set(read_catalogue(ENGLISH))
    whole = set(re.findall(r'"((?:cli|why|event|ending|game)\.[\w.-]+)"', text)) | set(
        re.findall(r'\bt\("([^"]+)"', text)
    )
    whole |= set(re.findall(r"\bt\('([^']+)'", text))
    assert whole - keys == set()
    codes = {f"cli.error.{code}" for code in re.findall(r'"([a-z-]+(?:\.[a-z]+)?)"', text)}
    beginnings = {
        begin for begin in re.findall(r"""f["'](cli\.[\w.-]*)\{""", text) if begin not in ("cli.", "cli.error.")
    }
    mine = {
        key.removesuffix(".near") for key in keys if key.startswith("cli.") and not key.startswith(tuple(beginnings))
    }
    assert mine - whole - codes - {"cli.ending.rows", "cli.ending.rows.one", "cli.ending.misses"} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_id_is_there_twice(language: str) -> None:
    """A text that is there twice would be changed in one place only."""
    ids = re.findall(r'^msgid "(.+)"$', (FOLDER / f"{language}.po").read_text("utf-8"), re.MULTILINE)
    assert len(ids) == len(set(ids)) == len(read_catalogue(language))


def test_errors_of_the_library_have_a_text() -> None:
    """An error with a code is translated; its English text stays."""
    with pytest.raises(ValueError, match="duel is played with 2 seats, not 3") as refused:
        variant("duel").check_seats(3)
    speak("de")
    assert "2 Plätzen" in error_text(refused.value)  # type: ignore[arg-type]  # a QwixxError is a ValueError
