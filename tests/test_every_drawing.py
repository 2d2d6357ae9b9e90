"""Every drawing and every form of words, at every position of whole games: all variants, all sheets, all seat counts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from io import StringIO
from random import Random
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from play import SETTINGS, Setting, choose, new_game, some_line
from playthroughs import path_of
from playthroughs import settings as played_through
from qwixx import Event, Game
from qwixx.cli.announcing import hello, points, turn
from qwixx.cli.drawing import choices_text, draw_middle, draw_sheet, draw_sheets
from qwixx.cli.explaining import explain
from qwixx.cli.participants import Participant
from qwixx.cli.telling import tell, tell_outcome
from qwixx.render.svg import sheet_svg, table_svg
from qwixx.render.text import middle_rich, sheet_rich, sheet_text, table_text
from qwixx.rl.picture import picture

NAMES = ("Anna", "Max", "Laura", "Linus", "Emma")
GAMES = 2
"""Games of each setting: one from clean sheets, one from the middle, where rows are full and closed."""
WIDTHS = (40, 100)


def draw_everything(game: Game, events: Iterable[Event]) -> None:
    """Draw and say a position in every way there is, for every seat and for spectators."""
    variant = game.variant
    people = [Participant(name) for name in NAMES[: game.seats]]
    names = [player.name for player in people]
    told = tell(events, variant, names)
    assert all(sentence.endswith(".") for sentence in told)
    assert str(game).startswith(variant.name)
    for seat in (None, *range(game.seats)):
        view = game.view(seat)
        assert table_text(variant, view, names).count("\n") >= len(variant.rows)
        ET.fromstring(table_svg(variant, view, names))
        assert picture(variant, view).ndim == 3
        for drawn in range(game.seats):
            legal = game.legal(drawn) if drawn == seat else []
            ET.fromstring(sheet_svg(variant, view, drawn, legal))
            assert sheet_text(variant, view, drawn, legal)
            assert sheet_rich(variant, view, drawn, legal, names).plain
        assert isinstance(middle_rich(variant, view).plain, str)
    console = Console(file=StringIO(), width=WIDTHS[game.turn % 2], force_terminal=True)
    draw_sheets(console, variant, game.view(), names)
    draw_middle(console, variant, game.view())
    turn(console, game, people)
    hello(console, game, people)
    if not game.is_over:
        explain(console, game)
    assert points(game, people).count(",") == game.seats - 1
    for seat in game.deciders():
        legal = game.legal(seat)
        draw_sheet(console, variant, game.view(seat), seat, legal, names)
        assert choices_text(legal, range(len(legal)), console.width).plain
        refusal = game.why_not(seat, "g2" if variant.rows[2].key == "g" else "C12")
        assert refusal is None or refusal.sentence.endswith(".")
    outcome = game.outcome()
    if outcome is not None:
        assert all(sentence.endswith(".") for sentence in tell_outcome(outcome, variant, names))


def draw_game(game: Game, rng: Random) -> set[int]:
    """Play a game to its end at random and draw it at every step; give the seats that got a lock."""
    locked: set[int] = set()
    events = list(game.events)
    while True:
        # Decisions that are only stored change nothing but who is waited for: one drawing of each window is enough.
        if not events or len(game.deciders()) != 1 or game.seats == 1:
            draw_everything(game, events)
        locked |= {sheet.seat for sheet in game.view().sheets for row in sheet.rows if row.locked}
        if game.is_over:
            return locked
        if game.awaits_chance:
            events = game.roll()
        else:
            seat = game.deciders()[0]
            events = game.decide(seat, choose(game, seat, rng))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_can_be_drawn_at_every_step(setting: Setting) -> None:
    """Nothing that draws or speaks stumbles over a position, whoever sits where and whoever closes what."""
    rng = Random(f"drawing {setting}")
    draw_game(new_game(setting, seed=7), rng)
    for seed in range(1, GAMES):
        draw_game(Game.from_position(some_line(setting, rng), seed=seed), rng)


@pytest.mark.parametrize("setting", played_through(), ids=str)
def test_playthroughs_can_be_drawn(setting: Setting) -> None:
    """Every position that a playthrough shows can be drawn."""
    lines = [line.strip() for line in path_of(setting).read_text("utf-8").splitlines()]
    positions = [line for line in lines if line.startswith(f"{setting.variant} active=")]
    assert len(positions) > 3
    for line in positions:
        draw_everything(Game.from_position(line), ())


@cache
def closing_row(variant: str) -> str:
    """Write a first row that was closed with its last cell."""
    row = Game(variant, 2).variant.rows[0]
    cells = [*row.cells[: row.closes_from][: Game(variant, 2).variant.closing_crosses], row.cells[-1]]
    return f"{row.key}={','.join(str(cell.value) for cell in cells)},L"


@pytest.mark.parametrize("setting", [s for s in SETTINGS if not s.is_cards], ids=str)
def test_a_lock_can_be_drawn_on_every_seat(setting: Setting) -> None:
    """Whichever seat closes a row, the table can be drawn: by a third seat it once could not."""
    for closer in range(setting.seats):
        sheets = [closing_row(setting.variant) if seat == closer else "-" for seat in range(setting.seats)]
        game = Game.from_position(f"{setting.variant} active=0 phase=roll | " + " | ".join(sheets))
        draw_everything(game, ())
        view = game.view()
        assert [sheet.seat for sheet in view.sheets if sheet.rows[0].locked] == [closer]
