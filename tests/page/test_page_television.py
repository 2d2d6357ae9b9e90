"""The screen for everybody: it leads to a seat, shows all sheets and whose decision is awaited, and never a hand."""

from __future__ import annotations

from typing import Literal

import pytest

from support.page.page_driver import Browser, Server, Visitor, expect, play_some, play_turns

pytestmark = pytest.mark.browser
SCREENS = [(1280, 720), (1920, 1080)]


def fits(television: Visitor) -> None:
    """Check that the whole table is on the screen."""
    size = television.page.viewport_size
    assert size
    seen = television.page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight, "
        "...[...document.querySelectorAll('article, footer')].map((each) => each.getBoundingClientRect().bottom)]"
    )
    assert seen[0] <= size["width"]
    assert max(seen[1:]) <= size["height"] + 0.5


@pytest.mark.parametrize("size", SCREENS)
def test_a_television_shows_the_table(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """From the lobby, with the code to type in, through a game of five; it is the screen of a spectator."""
    anna = Visitor(browser, server, size=(1280, 800))
    code = anna.open_table("classic", "Anna")
    for _ in range(4):
        anna.page.click("[data-bot=easy]")
    television = Visitor(browser, server, size=size, dark=True)
    television.go(f"/t/{code}/tv")
    television.page.wait_for_selector("[data-gathering] [data-qr]")
    expect(television.page.locator("[data-join-code]")).to_have_text(code[:5])
    fits(television)
    anna.begin()
    television.page.wait_for_selector("main.tv[data-phase]")
    play_some([anna], 4, seed=3)
    expect(television.page.locator("[data-tv-seat]")).to_have_count(5)
    television.page.wait_for_selector("[data-tv-story] li")  # the place that five sheets leave
    anna.page.wait_for_selector("[data-status].mine")
    television.page.wait_for_selector("[data-tv-seat='0'][data-awaited]")
    television.page.wait_for_selector("footer [data-qr]")  # a friend may play instead of a bot
    assert "big screen" in television.page.title()
    fits(television)
    television.shot(f"television-{size[0]}")
    anna.close()
    television.close()


PIPS = """() => {
  const whites = [...document.querySelectorAll('.whites svg')].map((die) => die.querySelectorAll('path').length);
  return [whites.reduce((sum, pips) => sum + pips), Number(document.querySelector('[data-tv-sum]').dataset.tvSum)];
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_dice_on_a_television_land(
    browser: Browser, server: Server, motion: Literal["reduce", "no-preference"]
) -> None:
    """After each roll the white dice lie still, and their pips add up to the number beside them."""
    anna = Visitor(browser, server)
    code = anna.open_table("classic", "Anna")
    anna.page.click("[data-bot=easy]")
    television = Visitor(browser, server, size=(1280, 720))
    television.page.emulate_media(reduced_motion=motion)
    television.go(f"/t/{code}/tv")
    television.page.wait_for_selector("[data-gathering]")
    anna.begin()
    for turns in (1, 2, 3):
        play_turns([anna], turns)
        anna.page.wait_for_selector("[data-status].mine")
        television.page.wait_for_selector("[data-tv-sum]")
        pips, number = television.page.evaluate(PIPS)
        assert pips == number
        television.page.wait_for_timeout(200)  # longer than a face of a tumbling die is shown
        assert television.page.evaluate(PIPS) == [pips, number]
    anna.close()
    television.close()


@pytest.mark.parametrize("variant", ["cards-joker", "duel", "longo", "bonus-a", "bonus-b", "gemixxt-a"])
def test_no_game_is_too_large_and_no_hand_is_shown(browser: Browser, server: Server, variant: str) -> None:
    """Opened in the browser of a player, it still is a spectator: no card has a color."""
    anna = Visitor(browser, server, size=(1280, 720))
    code = anna.open_table(variant, "Anna")
    anna.page.click("[data-bot=easy]")
    anna.page.wait_for_selector("[data-start]:not([disabled])")
    anna.begin()
    anna.page.wait_for_selector("[data-status].mine")
    anna.go(f"/t/{code}/tv")
    anna.page.wait_for_selector("main.tv[data-phase]")
    anna.page.wait_for_selector("[data-tv-seat='0'][data-awaited]")
    fits(anna)
    assert anna.page.locator("[data-card]").count() == 0
    expect(anna.page.locator("[data-tv-seat='0'] .name")).to_have_text("Anna")
    anna.close()
