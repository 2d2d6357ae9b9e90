"""Targets in solitaire, and the level of a person's play, in the browser."""

from __future__ import annotations

import json
import re

import pytest

from support.page.accessibility import check_axe
from support.page.page_driver import DESKTOP, PHONE, UNTIL, Browser, Server, Visitor, check_fits, expect, play_until
from support.paths import ROOT

pytestmark = pytest.mark.browser

BEST = [{"table": "x", "variant": "classic", "at": 1, "score": 130, "seats": 1, "place": 1, "house": "here"}]
# Where the rows of the sheet lie.
ROWS = "() => [...document.querySelectorAll('.desk .rows .cells')].map((row) => row.getBoundingClientRect().top)"


def keep(visitor: Visitor, name: str, value: object) -> None:
    """Store something on the device before the page is loaded."""
    text = json.dumps(value)
    visitor.context.add_init_script(f"localStorage.getItem({name!r}) ?? localStorage.setItem({name!r}, {text!r})")


@pytest.mark.parametrize("size", [PHONE, DESKTOP, (320, 568)])
def test_the_chance_to_beat_ones_best(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Exact in a new game, then from simulated games, once a turn; another target has its own chance at once."""
    anna = Visitor(browser, server, size=size, settings={"guard": 0, "undoSeconds": 0, "autoPass": False})
    keep(anna, "qwixx.results", BEST)
    page = anna.page
    anna.go("/")
    anna.enter("classic", "alone")
    line = page.locator("[data-target]")
    expect(line).to_have_attribute("data-target", "131")
    expect(line).to_have_attribute("data-chance", "0.293917")  # docs/solving.md
    expect(line).to_contain_text("Chance to beat your best, 130")
    expect(line).to_contain_text("29%")
    before = page.evaluate(ROWS)
    play_until(anna, ".desk .cell.crossed", 2)
    page.wait_for_selector("[data-status].mine")
    expect(line).to_have_attribute("data-chance", re.compile(r"^0(\.\d+)?$"))
    expect(line).not_to_have_attribute("data-chance", "0.293917")
    assert page.evaluate(ROWS) == before
    line.click()
    page.fill("[data-target-field]", "0")
    expect(page.locator("dialog [role=status]")).to_contain_text("A target is a whole number from 1 to 400.")
    expect(page.locator("[data-target-keep]")).to_be_disabled()
    page.fill("[data-target-field]", "20")
    expect(page.locator("[data-target-chance]")).to_have_text(re.compile(r"^[> ]*\d+%"))
    check_axe(anna, "target")
    check_fits(anna)
    page.click("[data-target-keep]")
    expect(line).to_contain_text("Chance of 20 points or more")
    page.reload()
    expect(line).to_have_attribute("data-target", "20")
    line.click()
    page.click("[data-target-best]")
    expect(line).to_have_attribute("data-target", "131")
    anna.shot(f"target-{size[0]}")
    anna.close()


def test_todays_roll_has_a_target_and_no_table_of_two(browser: Browser, server: Server) -> None:
    """Without a best score one may set a target, also on this device; against bots there is none."""
    anna = Visitor(browser, server, settings={"guard": 0, "undoSeconds": 0, "place": "here"})
    page = anna.page
    anna.go("/today")
    page.click("[data-today=gemixxt-b]:not([disabled])")
    page.click("[data-target='']")
    page.fill("[data-target-field]", "100")
    page.click("[data-target-keep]")
    expect(page.locator("[data-target='100'][data-chance]")).to_be_visible()
    anna.play_now("classic")
    assert page.locator("[data-target]").count() == 0
    anna.close()


def rating(place: int) -> dict[str, object]:
    """Return a rated game of classic with three seats: thirty decisions of a bot of the level `normal`."""
    scale = json.loads((ROOT / "page/src/history/botLosses.json").read_text("utf-8"))
    lost = 30 * scale["losses"]["classic"]["3"]["normal"]["mean"]
    facts = {"table": f"T{place}", "at": place, "game": "classic", "seats": 3, "decisions": 30}
    return facts | {"lost": lost, "won": place % 2, "luck": 0.1}


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_level_of_ones_play(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Seven games say nothing; a finished game is rated. With eight there are a level, and bots that match it."""
    anna = Visitor(browser, server, size=size, settings={"guard": 0, "undoSeconds": 0, "game": "classic"})
    games = [rating(place) for place in range(7)]
    keep(anna, "qwixx.results", [one | {"variant": "classic", "score": 70, "place": 1} for one in games])
    keep(anna, "qwixx.ratings", games)
    page = anna.page
    anna.go("/")
    page.locator("[data-my-results]").first.click()
    expect(page.locator("[data-own-level]")).to_contain_text("One more game against others")
    page.keyboard.press("Escape")
    page.click("[data-how]")
    expect(page.locator("[data-level] option[value=match]")).to_be_disabled()
    page.keyboard.press("Escape")
    anna.play_now("classic")
    play_until(anna, "[data-end]", hurry=True)  # it passes, which loses much
    rated = page.evaluate(f"() => ({UNTIL})(() => JSON.parse(localStorage['qwixx.ratings'])[7])")
    assert (rated["game"], rated["seats"]) == ("classic", 3)
    assert rated["decisions"] > 5
    assert rated["lost"] > 0.1
    # Eight games that do not differ: the level of the bots that they are from.
    kept = {"ratings": json.dumps([*games, rating(7)]), "matched": "normal"}
    page.evaluate(
        "(kept) => Object.entries(kept).forEach(([name, text]) => (localStorage['qwixx.' + name] = text))", kept
    )
    anna.go("/")
    page.click("[data-how]")
    page.select_option("[data-level]", "match")
    expect(page.locator("[data-level] option:checked")).to_have_text("matching you (normal)")
    check_fits(anna)
    page.keyboard.press("Escape")
    expect(page.locator("[data-how]")).to_contain_text("2 bots, normal")
    page.locator("[data-my-results]").first.click()
    expect(page.locator("[data-own-level]")).to_have_attribute("data-own-level", "1.00")
    expect(page.locator("[data-own-level]")).to_contain_text("about normal")
    check_axe(anna, "level")
    anna.shot(f"level-{size[0]}")
    page.click("[data-delete-results]")
    page.click("[data-delete-results]")
    assert page.evaluate("['ratings', 'matched', 'results', 'targets'].every((name) => !localStorage['qwixx.' + name])")
    anna.close()
