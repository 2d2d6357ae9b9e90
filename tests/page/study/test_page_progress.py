"""Targets in solitaire, and the level of a person's play, in the browser."""

from __future__ import annotations

import json
import re

import pytest

from support.page.accessibility import check_axe
from support.page.page_driver import DESKTOP, PHONE, Browser, Server, Visitor, check_fits, expect, play_until

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
