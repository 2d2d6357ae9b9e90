"""A real terminal of 80x24 and of 40x20, in every language: no line is wider, no screen is taller, in whole games."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from qwixx import Game, games
from qwixx.base.languages import LANGUAGES, speak
from qwixx.text.catalogue import read_catalogue, t
from support.processes.forked_commands import ForkedCommands
from support.processes.pseudo_terminal import screens

SIZES = [(80, 24), (40, 20)]
COMMAND = re.compile(r"(: /|qwixx |/).*")
"""Lines with a path or a command are not broken, for copying; the terminal wraps them."""

pytestmark = pytest.mark.slow(20)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """Leave this process in English."""
    yield
    speak("en")


@pytest.fixture(scope="module")
def forked() -> Iterator[ForkedCommands]:
    """Yield a process that is forked for each command."""
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "LANG", "NO_COLOR")}
    commands = ForkedCommands(kept, compiled=True)
    yield commands
    commands.close()


class Terminal:
    """Runs commands in a folder of their own, and checks every screen."""

    def __init__(self, forked: ForkedCommands, folder: Path, size: tuple[int, int], language: str) -> None:
        """Remember the size and the language."""
        self.forked = forked
        self.size = size
        self.language = language
        self.folder = folder
        speak(language)

    def run(self, *words: str, typed: list[str], then: str = "1") -> list[str]:
        """Type these lines, then another again and again; after the game its review, and then nothing."""
        rest = iter(typed)
        after = iter(["review", "sheet"])
        entered = " ".join(read_catalogue(self.language)["cli.replay.enter"][0].split())
        leaving = " ".join(t("cli.after").split())  # French has narrow spaces before some signs

        def answer(screen: str) -> str:
            prompt = re.sub(r"\s+", " ", screen[-len(leaving) - 20 :])
            if leaving in prompt:
                return next(after, "")
            return "" if entered in prompt else next(rest, then)

        env = {"XDG_DATA_HOME": str(self.folder), "LC_ALL": f"{self.language}.UTF-8"}
        found = screens(self.forked, words, self.size, answer, env, entered.split()[-1])
        for screen in found:
            self.check(screen)
        return found

    def check(self, screen: str) -> None:
        """Check the width of every line, and the height of the screen."""
        columns, height = self.size
        lines = screen.split("\n")
        taken = 0
        for line in lines:
            wide = len(line.rstrip())
            taken += max(1, -(-wide // columns))
            assert wide <= columns or COMMAND.search(line), screen
        assert taken - (not lines[-1]) <= height, screen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_menus_fit_and_lead_to_a_game(
    size: tuple[int, int], language: str, forked: ForkedCommands, tmp_path: Path
) -> None:
    """`qwixx` and `qwixx play` show all their entries, and a number starts the game."""
    terminal = Terminal(forked, tmp_path, size, language)
    first, second, *others = terminal.run(typed=["1", "9", "hint", "?", "list", "sheet", "review", "quit", "yes"])
    assert all(t(f"cli.start.{entry}") in first for entry in ("play", "learn", "puzzles", "resume", "rules", "help"))
    assert all(t(f"game.{name}") in second for name in games())
    game = "".join(others)
    assert t("level.normal") in game
    assert t("bot.name", n=1) in game
    assert t("hint.waits") in game
    assert "(master)" in game
    assert t("cli.review.later")[:20] in game
    assert terminal.run("play", typed=["quit"])[0] in second


@pytest.mark.parametrize(
    ("size", "game"),
    [((40, 20), game) for game in games()] + [((80, 24), game) for game in ("classic", "cards", "duel")],
)
def test_whole_games_fit(size: tuple[int, int], game: str, forked: ForkedCommands, tmp_path: Path) -> None:
    """Every game to its end, in one language each, with its review and all sheets after it."""
    language = LANGUAGES[games().index(game) % len(LANGUAGES)]
    terminal = Terminal(forked, tmp_path, size, language)
    shown = terminal.run("play", game, "--seed", "3", "--bots", "easy", typed=["hint", "list", "1", "sheet"])
    (record,) = (tmp_path / "qwixx" / "games").glob("*.qwixx")
    assert Game.from_record(record).is_over
    text = "".join(shown)
    assert t("cli.end") in text
    assert t("cli.analyse.own") in text


@pytest.mark.parametrize("seats", [3, 5])
def test_more_players_on_the_smallest_screen(seats: int, forked: ForkedCommands, tmp_path: Path) -> None:
    """Many hands and many turns of others still leave room for the sheet and the question."""
    terminal = Terminal(forked, tmp_path, (40, 20), "de")
    for game, bot in (("cards-joker", "greedy"), ("bonus-b", "gap")):
        others = ",".join([bot] * (seats - 1))
        shown = terminal.run("play", game, "--seed", "5", "--bots", others, typed=["1"] * 12, then="quit\nja")
        assert any(t("bot.name", n=seats - 1) in screen for screen in shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_quiz_fits(size: tuple[int, int], language: str, forked: ForkedCommands, tmp_path: Path) -> None:
    """Puzzles of games with much on their screen, answered and not; the score comes at the end."""
    terminal = Terminal(forked, tmp_path, size, language)
    game = ("cards-joker", "bonus-b", "duel", "longo", "gemixxt-a")[LANGUAGES.index(language)]
    shown = terminal.run(
        "puzzles", game, "--seed", "1", typed=["1", "", "", "", "sheet", "list", "999", ""], then="quit"
    )
    assert t("cli.quiz.ask") in "".join(shown)
    assert t("train.solved", n=0, all=3).partition("0")[2] in shown[-1]
