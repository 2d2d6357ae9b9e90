"""The daily game on the page: on a server with the scores of all, and on a device by the published recipe."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import qwixx
from qwixx.fair.daily_dice import Day
from qwixx.players.built_in.master import LearnedPlayer
from qwixx.server.http.static_site import write_site
from qwixx.server.today.daily_game import score_with
from support.page.catalogues import CATALOGUES
from support.page.page_driver import DESKTOP, PHONE, UNTIL, Browser, Server, Visitor, check_fits, play_some
from support.page.static_host import Host

pytestmark = pytest.mark.browser

MINUS = "\N{MINUS SIGN}"
AT_ONCE = {"guard": 0, "roll": "self"}
# Pass, and confirm the cost, until the game is over.
MISS = f"""async () => {{
  const until = {UNTIL};
  const pass = '[data-do=pass]:not([disabled], [aria-pressed=true])';
  await until(() => {{
    (document.querySelector('[data-yes]') ?? document.querySelector(pass))?.click();
    return document.querySelector('[data-day-result]');
  }});
}}"""
DICE = "all => all.map((die) => die.ariaLabel.match(/[0-9]+/)?.[0] ?? '-').join('')"


NOW = "2026-11-16T12:00"
TODAY = "2026-11-16"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with a fixed date: midnight must not come in the middle of a test."""
    running = Server(tmp_path_factory.mktemp("today") / "qwixx.db", NOW)
    yield running
    running.stop()


def visitor(browser: Browser, place: Server | Host, size: tuple[int, int] = PHONE) -> Visitor:
    """Open the page on the same day, with dice that roll by themselves."""
    return Visitor(browser, place, size=size, settings=AT_ONCE, moment=NOW)


def dice_of(visitor: Visitor) -> str:
    """Read the dice on the table, in the notation of a record."""
    visitor.page.wait_for_selector("[data-tray]")
    faces = str(visitor.page.locator("[data-tray]").evaluate_all(DICE))
    return f"{faces[:2]}/{faces[2:]}"


def miss_out(visitor: Visitor) -> None:
    """Cross nothing until four misses have ended the game: eight decisions, and a confirmation where it costs."""
    visitor.page.evaluate(MISS)
    visitor.page.wait_for_selector("[data-day-result]")


def begin(visitor: Visitor, variant: str) -> None:
    """Go from the start page to the day, and start one of its games."""
    visitor.go("/")
    visitor.page.click("[data-to-today]")
    visitor.page.click(f"[data-today={variant}][data-state=new]")
    visitor.page.wait_for_selector("main.play")


def test_a_whole_day_at_the_server(browser: Browser, server: Server) -> None:
    """Two devices have the same rolls; scores are compared; the shared text reveals nothing; the day is stored."""
    anna, ben = visitor(browser, server), visitor(browser, server, DESKTOP)
    begin(anna, "classic")
    code = anna.page.url.rpartition("/")[2]
    rolled = dice_of(anna)
    assert anna.page.locator("[data-people]").count() == 1
    anna.page.click("[data-people]")
    assert anna.page.locator("[data-link], [data-rest], [data-late]").count() == 0, "no invitation, no bot"
    anna.page.keyboard.press("Escape")
    anna.page.reload()
    assert dice_of(anna) == rolled
    miss_out(anna)
    anna.page.wait_for_selector("[data-day-place='1']")
    assert anna.page.locator("[data-rematch], [data-picture], [data-share-replay], [data-delete]").count() == 0
    text = anna.page.input_value("[data-day-text]")
    assert text == f"qwixx · Classic · {TODAY}\n{MINUS}20 points\n🟥🟥🟥🟥\n{server.base}/today"
    anna.page.click("[data-day-copy]")
    anna.page.get_by_text("The text is copied").wait_for()
    # One other player is too few to show what others chose; then it is as if five had passed in every turn.
    anna.page.wait_for_selector("[data-day-lost]")
    assert anna.page.locator("[data-day-choice][data-players]").count() == 0
    with contextlib.closing(sqlite3.connect(server.db)) as file, file:
        file.execute("UPDATE choices SET number = 5")
        rows = [(TODAY, "classic", code, 11_000, 7_000) for code in ("A", "B", "C", "D")]
        file.executemany("INSERT INTO losses VALUES (?, ?, ?, ?, ?)", rows)
    # Another person, on a desktop: first a look at a table that is not theirs.
    ben.go(f"/t/{code}")
    ben.page.get_by_role("heading", name="There is no such table").wait_for()
    begin(ben, "classic")
    assert dice_of(ben) == rolled
    play_some([ben], rounds=30, seed=5)
    miss_out(ben)
    score = int(ben.page.locator("[data-day-score]").get_attribute("data-day-score") or "")
    assert score > -20
    ben.page.wait_for_selector("[data-day-place='1']")
    for row in ("you", "average", "master", "optimum"):
        ben.page.wait_for_selector(f"[data-day-row={row}]")
    assert ben.page.locator("[data-day-row=optimum] b").inner_text() == "115.5"
    assert ben.page.locator("[data-day-row=average] b").inner_text().replace(MINUS, "-") == f"{(score - 20) / 2:g}"
    # Scores from -20 and from -10 are different bars; a single one is not drawn.
    bars = 0 if score < -10 else 1
    assert ben.page.locator("[data-day-bars]").count() == bars
    # The conversation: Ben's first decision, with the same sheet as the five who passed.
    ben.page.wait_for_selector("[data-day-lost]")
    ben.page.click("[data-all-decisions]")
    if ben.page.locator("[data-day-decision='1'] table").count() == 0:
        ben.page.click("[data-day-decision='1'] button")
    ben.page.wait_for_selector("[data-day-decision='1'] [data-day-choice=pass][data-players='5']")
    assert "5 of 5" in ben.page.locator("[data-day-decision='1'] [data-day-choice=pass]").inner_text()
    check_fits(ben)
    ben.shot("today-end-desktop")
    ben.page.click("[data-end] [data-to-today]")
    ben.page.wait_for_selector("[data-today=classic][data-state=done]")
    assert ben.page.locator("[data-today][data-state=new]").count() == 5
    ben.page.wait_for_selector(f"[data-day-result][data-day-score='{score}']")
    assert ben.page.locator("[data-days-row]").get_attribute("data-days-row") == "1"
    assert ben.page.locator(f"[data-day='{TODAY}']").get_attribute("data-day-count") == "1"
    ben.page.wait_for_selector("[data-day-row=optimum]")
    ben.shot("today-desktop")
    check_fits(ben)
    ben.page.click("[data-day-replay]")
    ben.page.wait_for_selector("[data-step='0']")  # players may see their own game
    # The first player returns: the rank has changed, the game is the same, in every language and on narrow phones.
    anna.go("/today")
    anna.page.wait_for_selector("[data-day-place='2']")
    for language, words in CATALOGUES.items():
        anna.page.evaluate(
            "language => localStorage.setItem('qwixx.settings', JSON.stringify({guard: 0, roll: 'self', language}))",
            language,
        )
        anna.page.reload()
        anna.page.get_by_role("heading", name=words["today.title"][0]).wait_for()
        anna.page.wait_for_selector("[data-day-lost]")
        anna.resize((320, 568))
        check_fits(anna)
        anna.resize(PHONE)
        anna.shot(f"today-{language}")
    anna.page.click(f"[data-day='{TODAY}']")
    anna.page.click("[data-day-of=classic]")
    anna.page.wait_for_selector("[data-day-score='-20']")
    anna.close()
    ben.close()


def test_a_day_without_a_server(browser: Browser, tmp_path: Path) -> None:
    """By the published recipe, as in Python; the master plays on the page; a game is not started twice."""
    write_site(tmp_path, "")
    host = Host(tmp_path)
    anna = visitor(browser, host)
    anna.go("/")
    anna.page.click("[data-to-today]")
    anna.page.click("[data-today=classic][data-state=new]")
    day = Day(TODAY, "classic")
    faces = "".join(map(str, day.faces(1, 6)))
    assert dice_of(anna) == f"{faces[:2]}/{faces[2:]}"
    anna.go("/#/today")
    anna.page.reload()
    anna.page.click("[data-today=classic][data-state=begun]")
    miss_out(anna)
    anna.page.wait_for_selector("[data-day-row=master]")
    assert anna.page.locator("[data-day-place], [data-day-row=average]").count() == 0
    learned = str(score_with(day, LearnedPlayer(qwixx.variant("classic"), 1)))
    assert anna.page.locator("[data-day-row=master] b").inner_text().replace(MINUS, "-") == learned
    assert anna.page.input_value("[data-day-text]").endswith(f"{host.base}/#/today")
    anna.page.wait_for_selector("[data-day-lost]")
    assert anna.page.locator("[data-day-choice][data-players]").count() == 0, "costs only"
    check_fits(anna)
    anna.page.click("[data-end] [data-to-today]")
    anna.page.click("[data-today=classic][data-state=done]")
    anna.page.wait_for_selector("[data-day-score='-20']")
    anna.shot("today-here")
    anna.close()
    host.stop()
