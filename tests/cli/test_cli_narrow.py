"""A terminal of forty columns: no command and no game cuts a line or breaks a word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from qwixx import games
from qwixx.cli import main
from support.games.small_sheets import tiny_sheet

WIDTH = 40
WHOLE = ("The game is saved in", "Continue with:", "Replay it with:", "qwixx ")
"""Lines with a path or a command are not broken, for copying; the terminal wraps them."""

pytestmark = pytest.mark.usefixtures("own_data")


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the terminal width to forty columns."""

    def terminal(**settings: Any) -> Console:
        return Console(**{**settings, "width": WIDTH, "force_terminal": True, "color_system": None})

    monkeypatch.setattr("qwixx.cli.terminal.screen.Console", terminal)
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def run(*words: str, given: str = "") -> Result:
    """Run a command, and check each of its lines."""
    result = CliRunner().invoke(main, list(words), input=given)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", result.output)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    for line in text.splitlines():
        assert len(line.rstrip()) <= WIDTH or line.startswith(WHOLE), line
    return result


def test_variants_and_players() -> None:
    """Every id is complete on its own line."""
    listed = run("variants").output.splitlines()
    assert set(games()) <= {line.strip() for line in listed}
    names = [fact["name"] for fact in json.loads(CliRunner().invoke(main, ["players", "--json"]).output)]
    output = run("players").output
    assert set(names) <= {line.strip() for line in output.splitlines()}
    assert set(games()) <= set(re.findall(r"[a-z-]+", output))


@pytest.mark.parametrize("command", sorted(main.list_commands(click.Context(main))))
def test_help(command: str) -> None:
    """Help fits, and no option is broken."""
    loaded = main.get_command(click.Context(main), command)
    assert loaded is not None
    shown = (each for each in loaded.params if not getattr(each, "hidden", False))
    options = {option for each in shown for option in each.opts if option.startswith("--")}
    assert options <= set(re.findall(r"--[a-z-]+", run(command, "--help").output))


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_games_are_played(game: str) -> None:
    """Choices are complete, whatever the game; sheets show every cell."""
    result = run(
        "play", game, "--seed", "3", "--names", "Anastasia,Maximilian", given="1\nsheet\n?\nscore\n1\n1\n1\n1\n1\n"
    )
    assert result.exit_code == 0
    assert "Anastasia" in result.output
    sheet = run("sheet", game).output
    for number in range(2, 17 if game == "longo" else 13):
        assert len(re.findall(rf"(?<!\d){number}(?!\d)", sheet)) >= 4, number


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_simulations_and_replays(game: str) -> None:
    """Numbers are next to their headings, and a replay is complete."""
    output = run("simulate", game, "--games", "3").output
    assert "mean " in output
    assert "misses " in output
    assert run("replay", "--variant", game, "--game", "1").exit_code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_cache")
def test_solved(tmp_path: Path) -> None:
    """Choices and white dice are listed with all their numbers."""
    path = tiny_sheet(tmp_path, "plain")
    assert "expected" in run("solve", str(path)).output
    assert "best" in run("best", str(path), "r=2", "11/1111").output
    assert run("best", str(path), "r=2").exit_code == 0
