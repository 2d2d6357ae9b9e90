"""Several people at one terminal: who is asked, what they read, and what they must not see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from qwixx.cli import main
from qwixx.cli.table import prompt
from qwixx.cli.table.unseen_events import UnseenEvents

pytestmark = pytest.mark.usefixtures("own_data")

WIPED = "\x1b[H\x1b[2J\x1b[3J"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make standard output a terminal for the commands."""

    def console(**settings: Any) -> Console:
        return Console(**{**settings, "force_terminal": True, "color_system": None})

    monkeypatch.setattr("qwixx.cli.terminal.screen.Console", console)
    monkeypatch.setattr(prompt, "keeps_what_scrolled", lambda: False)


def play(*words: str, given: str) -> str:
    """Play a while; return all output."""
    result = CliRunner().invoke(main, ["play", *words], input=given)
    assert result.exit_code == 0
    return result.output


def test_the_prompt_names_the_next_person() -> None:
    """With dice nothing is hidden: the prompt names the next person when the person changes, and only then."""
    output = play("classic", "--names", "Anna,Max", "--seed", "5", given="1\n1\nwhy r2\n")
    # Max is active and decides last, so that action 2 follows for him directly
    assert output.count("Turn 1 is your turn.") == 1
    assert output.count("Turn 1 is the turn of ") == 1
    assert "Turn 1 is" not in play("classic", "--seed", "5", given="1\n")


@pytest.mark.usefixtures("terminal")
def test_hands_are_cleared_from_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a hand is shown, and when a person leaves, the screen and its scrollback are cleared."""
    output = play("cards", "--names", "Anna,Max", "--seed", "5", given="\n1\n\n1\n\n1\nquit\nyes\n")
    screens = output.split(WIPED)
    assert len(screens) >= 4
    for screen in screens:
        assert len(set(re.findall(r"^(\w+)> ", screen, re.MULTILINE))) <= 1
    assert "hand " not in screens[-1]
    assert "Continue with: qwixx play --resume" in screens[-1]
    monkeypatch.setattr(prompt, "keeps_what_scrolled", lambda: True)
    assert "please do not scroll back" in play("cards", "--names", "Anna,Max", "--seed", "5", given="\n")


@pytest.mark.usefixtures("terminal")
def test_the_next_person_reads_the_news() -> None:
    """The second person reads the moves of the first one, whose turn it is, and then the question."""
    output = play("cards", "--names", "Anna,Max", "--seed", "5", given="\n1\n\n1\n\n1\n")
    first, second = output.split(WIPED)[1:3]
    active = "Max" if "keyboard to Max" in first else "Anna"
    assert "Turn 1 is your turn." in first
    assert "The cards are dealt." in first
    assert f"{active} takes " in second
    assert "The number for all is" in second
    assert f"Turn 1 is the turn of {active}." in second
    assert second.index("Turn 1 is") < second.index("cross the number for all")


@pytest.mark.usefixtures("terminal")
def test_news_survive_a_pause() -> None:
    """A person who resumes a game later reads the events since their last decision."""
    play("cards", "--names", "Anna,Max", "--seed", "5", given="\n1\n")
    assert " takes " in play("--resume", given="\n").split(WIPED)[1]
    play("classic", "--seed", "5", given="1\n1\n")
    output = play("--resume", given="")
    assert re.search(r"^Turn \d: ", output, re.MULTILINE)
    assert "Player crosses " in output


def test_news() -> None:
    """Each person reads the events after their own decision; undone events are dropped, a long list is shortened."""
    news = UnseenEvents()
    news.add(0, ["The dice show a."])
    news.decided(0)
    news.add(1, ["Anna crosses r7."])
    assert news.since(0) == ["Anna crosses r7."]
    assert news.since(1) == ["The dice show a.", "Anna crosses r7."]
    news.take_back(1)
    assert news.since(0) == []
    news.add(1, [f"Number {number}." for number in range(40)])
    assert news.since(0)[0] == "25 more, and then:"
    assert news.since(0)[-1] == "Number 39."
