"""Every drawing and every text, at every position of whole games, for all variants, sheets and seats."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from itertools import count
from random import Random
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from qwixx import Event, Game, Variant, variant
from qwixx.cli.table.announcements import hello, points, turn
from qwixx.cli.table.drawing import choices_text, draw_middle, draw_sheets
from qwixx.cli.table.event_sentences import outcome_sentences, sentences_of
from qwixx.cli.table.help import explain
from qwixx.cli.table.participants import Participant
from qwixx.cli.terminal.keyboard import Keyboard
from qwixx.cli.terminal.pages import News
from qwixx.game.events import Locked, PhaseBegan
from qwixx.render.svg import sheet_svg, table_svg
from qwixx.render.text import brief_sheet_rich, sheet_rich, sheet_text, table_text
from qwixx.rl.pixels import picture
from support.games.playthroughs import path_of
from support.games.playthroughs import settings as played_through
from support.games.random_games import SETTINGS, Setting, choose, new_game, some_line

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Max", "Laura", "Linus", "Emma")
WIDTHS = (40, 100)


def draw_everything(game: Game, events: Iterable[Event], who: int | None = None) -> None:
    """Draw and write a position in every form, as a seat or a spectator sees it."""
    rules = game.variant
    people = [Participant(name) for name in NAMES[: game.seats]]
    names = [player.name for player in people]
    assert all(sentence.endswith(".") for sentence in sentences_of(events, names))
    assert str(game).startswith(rules.name)
    view = game.view(who)
    assert table_text(rules, view, names).count("\n") >= len(rules.rows)
    if game.turn % 3 == 1 or game.is_over:
        ET.fromstring(table_svg(rules, view, names))
    assert picture(rules, view).ndim == 3
    some_seat = game.turn % game.seats  # the drawings of the table below have all of them
    for seat in {some_seat, some_seat if who is None else who}:
        legal = game.legal(seat) if seat == who else []
        assert sheet_text(rules, view, seat, legal)
        assert sheet_rich(rules, view, seat, legal, names).plain
        assert brief_sheet_rich(rules, view, seat, legal).plain
        if seat == who:
            ET.fromstring(sheet_svg(rules, view, seat, legal))
    console = Console(file=StringIO(), width=WIDTHS[game.turn % 2], force_terminal=True)
    draw_sheets(console, rules, view, names)
    draw_middle(console, rules, view)
    news = News(console, Keyboard(console))
    turn(news, game, people)
    hello(news, game, people)
    if not game.is_over:
        explain(console, game)
    assert points(game, people).count(",") == game.seats - 1
    for seat in game.deciders():
        legal = game.legal(seat)
        assert choices_text(legal, range(len(legal)), console.width).plain
        refusal = game.why_not(seat, "g2" if rules.rows[2].key == "g" else "C12")
        assert refusal is None or refusal.sentence.endswith(".")
    outcome = game.outcome()
    if outcome is not None:
        assert all(sentence.endswith(".") for sentence in outcome_sentences(outcome, rules, names))


def draw_game(game: Game, rng: Random) -> None:
    """Play a game to its end at random and draw it at the start of phases: between these nothing changes.

    It is drawn after each new kind of event, after the first row that a seat closes, and at some other times.
    """
    happened: list[Event] = []
    since: set[tuple[object, ...]] = set()
    drawn: set[tuple[object, ...]] = set()
    for number in count():
        since |= {(type(event), event.seat if isinstance(event, Locked) else None) for event in happened}
        is_new = not since <= drawn or number % 11 == 0
        if game.is_over or (is_new and (number == 0 or any(isinstance(event, PhaseBegan) for event in happened))):
            draw_everything(game, happened, (None, *range(game.seats))[number % (game.seats + 1)])
            drawn |= since
            since = set()
        if game.is_over:
            return
        if game.awaits_chance:
            happened = game.roll()
        else:
            seat = game.deciders()[0]
            happened = game.decide(seat, choose(game, seat, rng))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_can_be_drawn_at_every_step(setting: Setting) -> None:
    """Every drawing and text works for every position, for any seat and any closed row.

    Three and four people play from the middle only; fewer and more play from the start, too.
    """
    rng = Random(f"drawing {setting}")
    if setting.seats not in {3, 4}:
        draw_game(new_game(setting, seed=7), rng)
    draw_game(Game.from_position(some_line(setting, rng), seed=7), rng)  # from the middle, with full and closed rows


@pytest.mark.parametrize("setting", played_through(), ids=str)
def test_playthroughs_can_be_drawn(setting: Setting) -> None:
    """Positions of all parts of a playthrough can be drawn."""
    lines = [line.strip() for line in path_of(setting).read_text("utf-8").splitlines()]
    positions = [line for line in lines if line.startswith(f"{setting.variant} active=")]
    assert len(positions) > 3
    for line in positions[::3]:
        draw_everything(Game.from_position(line), ())


def closed_row(variant: Variant) -> str:
    """Write a first row that was closed with its last cell; boxed cells would also need a bar (BA2)."""
    row = variant.rows[0]
    plain = [cell for cell in row.cells[: row.closes_from] if not cell.boxed]
    values = [cell.value for cell in (*plain[: variant.closing_crosses], row.cells[-1])]
    return f"{row.key}={','.join(map(str, values))},L"


@pytest.mark.parametrize("setting", [s for s in SETTINGS if not s.is_cards], ids=str)
def test_a_lock_can_be_drawn_on_every_seat(setting: Setting) -> None:
    """The table can be drawn whichever seat closes a row (regression: a third seat failed)."""
    for closer in range(setting.seats):
        sheets = [closed_row(variant(setting.variant)) if seat == closer else "-" for seat in range(setting.seats)]
        game = Game.from_position(f"{setting.variant} active=0 phase=roll | " + " | ".join(sheets))
        draw_everything(game, ())
        view = game.view()
        assert [sheet.seat for sheet in view.sheets if sheet.rows[0].locked] == [closer]
