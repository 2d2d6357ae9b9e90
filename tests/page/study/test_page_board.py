"""The analysis board in the browser: set up, judged as the library judges it, shared, and played on."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from qwixx import Game, hint
from support.page.accessibility import check_axe
from support.page.page_driver import DESKTOP, PHONE, Browser, Server, Visitor, check_fits, expect

pytestmark = pytest.mark.browser


def on_board(visitor: Visitor, line: str) -> None:
    """Open a position by its link, and wait for its value."""
    visitor.go(f"/board?p={quote(line)}")
    visitor.page.wait_for_selector("[data-board-value]", timeout=120_000)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_position_is_set_up_and_judged(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """C7 forbids a 12 that is tapped in; then the best choice is the library's, and the link brings it back."""
    anna = Visitor(browser, server, size=size)
    page = anna.page
    anna.go("/")
    page.click("[data-game=classic]")
    page.click("[data-to-board]")
    for cell in ("r2", "r5", "r12"):
        page.click(f"[data-cell={cell}]")
    expect(page.locator("[data-problems='1'] [data-problem=too-few-crosses]")).to_contain_text("C7")
    expect(page.locator("[data-cell=r12]")).to_have_attribute("data-wrong", "yes")
    page.click("[data-cell=r12]")
    page.select_option("[data-board-moment]", "white")
    expect(page.locator("[data-problem=no-dice]")).to_be_visible()
    for face in (3, 4, 2, 6, 1, 5):
        page.click(f"[data-face='{face}']")
    page.click("[data-roll]")
    check_fits(anna)
    anna.shot(f"board-set-up-{size[0]}")
    page.click("[data-board-judge]")
    page.wait_for_selector("[data-choice]", timeout=120_000)
    line = "classic active=0 phase=white roll=34/2615 | r=2,5 | -"
    assert page.locator("[data-board]").get_attribute("data-board") == line
    best = hint(Game.from_position(line), 0).choices[0].action
    expect(page.locator("[data-choice][data-place='0']")).to_have_attribute("data-choice", str(best))
    expect(page.locator("[data-why]")).not_to_be_empty()
    check_fits(anna)
    check_axe(anna, "board")
    anna.shot(f"board-judged-{size[0]}")
    page.reload()
    expect(page.locator("[data-choice][data-place='0']")).to_have_attribute("data-choice", str(best), timeout=120_000)
    anna.close()


def test_the_map_of_sums_and_playing_on(browser: Browser, server: Server) -> None:
    """Eleven sums before a roll; a tap rolls one, and a game starts at the position with it."""
    anna = Visitor(browser, server, size=PHONE)
    page = anna.page
    on_board(anna, "classic active=0 phase=roll turn=9 | r=2,5 misses=1 | y=3,4")
    assert page.locator("[data-sum]").count() == 11
    check_fits(anna)
    anna.shot("board-sums")
    page.click("[data-sum='12']")
    page.wait_for_selector("[data-choice]")
    assert "roll=66/" in (page.locator("[data-board]").get_attribute("data-board") or "")
    page.click("[data-board-play]")
    expect(page.locator("[data-cell=r5].crossed").first).to_be_visible()
    anna.close()


def test_a_link_that_is_no_position(browser: Browser, server: Server) -> None:
    """A sentence and an empty board; nothing of the link is shown as text of the page."""
    anna = Visitor(browser, server, size=PHONE)
    anna.go(f"/board?p={quote('classic | <b>nonsense</b>')}")
    expect(anna.page.locator("[data-board-unread]")).to_be_visible()
    expect(anna.page.locator("[data-board]")).to_be_visible()
    anna.close()


def test_a_puzzle_opens_on_the_board(browser: Browser, server: Server) -> None:
    """After the answer, a link leads to the position of the puzzle."""
    anna = Visitor(browser, server, size=PHONE, keeps=True)
    page = anna.page
    anna.go("/train/longo")
    page.wait_for_selector("main[data-puzzle]:not([data-answer]) .rows")
    puzzle = page.locator("main").get_attribute("data-puzzle") or ""
    page.click("[data-do=pass]")
    page.locator("[data-yes], main[data-answer]").first.wait_for()
    if page.locator("[data-yes]").count():
        page.click("[data-yes]")
    page.wait_for_selector("main[data-answer]")
    page.click("[data-to-board]")
    expect(page.locator("[data-board]")).to_have_attribute("data-board", puzzle)
    anna.close()
