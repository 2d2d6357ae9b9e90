"""Every built-in game, and custom sheets, keep all promises of the library."""

from __future__ import annotations

from pathlib import Path

import pytest

import qwixx
from qwixx.testing.conformance_check import conformance
from support.games.small_sheets import SHORT_AND_MIXED, SMALL_CARDS

SHEETS = [
    (name, sheet)
    for name in qwixx.games()
    for sheet in (("classic", "gemixxt-a", "gemixxt-b") if name.startswith("cards") else (None,))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sheet"), SHEETS)
def test_conformance(name: str, sheet: str | None) -> None:
    """Random games with every seat count keep every promise."""
    variant = qwixx.variant(name, sheet)
    assert conformance(variant, games=1) == len(variant.seats)


@pytest.mark.slow
def test_conformance_of_a_custom_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sheet file with mixed colors, short rows, a bar and pairs keeps every promise, and the command says so."""
    path = tmp_path / "mine.toml"
    path.write_text(SHORT_AND_MIXED, "utf-8")
    assert conformance(path, seats=(1, 3), games=4) == 8
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].split(" ", 1)[1] for line in lines] == ["with 1 seat", "with 3 seats"]
    assert all(" 4 games, " in line and line.endswith(" steps, every promise kept") for line in lines)
    conformance(path, seats=1, games=1, quiet=True)
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_conformance_of_a_custom_card_game(tmp_path: Path) -> None:
    """A card game with its own deck, hands and sheet keeps every promise as well."""
    path = tmp_path / "cards.toml"
    path.write_text(SMALL_CARDS, "utf-8")
    assert conformance(path, games=4) == 8


def test_conformance_finds_broken_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken promise is reported with the game, the seed, the step and the record."""
    monkeypatch.setattr(qwixx.Game, "undo", lambda game: None)
    with pytest.raises(AssertionError) as found:
        conformance("classic", seats=2, games=1, seed=5)
    message = str(found.value)
    assert "classic, 2 seats, seed 5, step 0: undo does not restore the game" in message
    assert "qwixx record 1" in message


BAR_AND_FEWEST = '''
id = "bar-and-fewest"
like = "classic"
name = "Bar and fewest"
title = "The bar completes a pair."
seats = "1-2"
sheet = """
r  2 [3]  4  5  6 | 7 L
y  2a 3  4  5  6 | 7 L
g  12a 11 10 9 8 | 7 L
b  12 11 10  9 8 | 7 L
"""
bar = "y"
[pairs]
a = "two-in-fewest"
'''


def test_a_tie_behind_the_bar_is_the_players_choice(tmp_path: Path) -> None:
    """BA2 BB2: red 3 makes the bar cross yellow 2, which completes the pair; all rows have one, so each is offered."""
    path = tmp_path / "bar-and-fewest.toml"
    path.write_text(BAR_AND_FEWEST, "utf-8")
    game = qwixx.Game(path, seats=1)
    for decision in ("g12", "b12"):
        game.set_roll("66/1111")
        game.decide(0, decision)
        game.decide(0, "pass")
    game.set_roll("12/5555")

    assert {action.text for action in game.legal(0)} == {"r3>r", "r3>y", "r3>g", "r3>b", "y3", "pass"}
    game.decide(0, "r3>g")
    crossed = {row.key: row.crosses for row in game.view(0).sheets[0].rows}
    assert crossed == {"r": (3,), "y": (2,), "g": (12, 11, 10), "b": (12,)}
