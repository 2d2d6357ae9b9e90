"""The playthroughs equal the games of today, and no registered game is incomplete."""

from __future__ import annotations

import pytest

import qwixx
from support.games.engine_pair import Setting
from support.games.playthroughs import FOLDER, path_of, playthrough, settings
from support.games.scenario_files import read_all
from support.paths import ROOT


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_playthrough(setting: Setting) -> None:
    """A game equals its recorded playthrough; after an intended change, run `make golden`."""
    assert playthrough(setting) == path_of(setting).read_text("utf-8")


def test_no_playthrough_is_left_over() -> None:
    """Every file of the folder belongs to a setting, and none is too long to be read."""
    expected = {path_of(setting) for setting in settings()}
    assert set(FOLDER.glob("*")) == expected
    assert {path.name: n for path in expected if (n := path.read_text("utf-8").count("\n")) > 150} == {}


@pytest.mark.parametrize("name", qwixx.games())
def test_every_game_is_complete(name: str) -> None:
    """A registered game has a rule page, scenarios, perft counts, playthroughs, a picture, and a line in README."""
    assert (ROOT / "src" / "qwixx" / "rulebook" / "pages" / "en" / f"{name}.md").is_file()
    assert any(scenario.steps[0].rest.split()[0] == name for scenario in read_all())
    assert (ROOT / "tests" / "golden" / "perft" / f"{name}.perft").is_file()
    assert (ROOT / "docs" / "pictures" / f"{name}.svg").is_file()
    assert f"\n| `{name}` |" in (ROOT / "README.md").read_text("utf-8")
    for seats in qwixx.variant(name).seats:
        assert (FOLDER / f"{name}-{seats}.txt").is_file()


def test_the_playthroughs_show_something() -> None:
    """Together they show closed rows, misses, bonuses, pairs, lucky crosses, plays and pawns, and every ending."""
    everything = "\n".join(path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt")))
    words = ("locked", "closed", "die-left", "missed", "bonus", "lost", "struck", "pair", "played", "placed")
    assert [word for word in words if f"; {word} " not in everything and f"    {word} " not in everything] == []
    assert "over by rows" in everything
    assert "over by misses" in everything
