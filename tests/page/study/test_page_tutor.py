"""The tutor in the browser: it asks before a costly choice, once, without moving the sheet, and counts as a hint."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from support.page.accessibility import check_axe
from support.page.page_driver import DESKTOP, PHONE, Browser, Server, Visitor, check_fits, expect

pytestmark = pytest.mark.browser

SETTINGS = {"guard": 0, "undoSeconds": 0, "autoPass": False, "tutor": "slip"}
# Skip as many cells as one can: nothing is crossed yet, so at least five in one of the rows.
FARTHEST = """() => {
  const skipped = (cell) => {
    const [, row, number] = /([rygb])(\\d+)/.exec(cell.dataset.cell);
    return row < 'h' ? 12 - Number(number) : Number(number) - 2;
  };
  const cells = [...document.querySelectorAll('.desk [data-lit=yes]')];
  return cells.sort((one, other) => skipped(other) - skipped(one))[0].dataset.cell;
}"""
# Where the rows of the sheet lie.
ROWS = "() => [...document.querySelectorAll('.desk .rows .cells')].map((row) => row.getBoundingClientRect().top)"


@pytest.mark.parametrize("size", [PHONE, DESKTOP, (320, 568)])
def test_it_asks_before_a_costly_choice(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """At a server: the loss is named, nothing is decided and no answer shown; the reason is there if one asks."""
    anna = Visitor(browser, server, size=size, settings=SETTINGS)
    page = anna.page
    anna.play_now("classic")
    page.wait_for_selector("[data-tutor=watches]")
    cell = page.evaluate(FARTHEST)
    before = page.evaluate(ROWS)
    assert len(before) == 4
    page.click(f".desk [data-cell={cell}]")
    question = page.locator("[data-warns]")
    expect(question).to_contain_text(re.compile(r"gives away a \d+% chance of winning\. Are you sure\?"))
    assert page.locator(".chosen").count() == 0
    assert page.evaluate(ROWS) == before
    assert page.locator("[data-hint]").count() == 0
    expect(page.locator(".story")).to_contain_text("You ask for a hint.")
    check_fits(anna)
    check_axe(anna, "tutor")
    anna.shot(f"tutor-{size[0]}")
    page.click("[data-no]")
    page.click(f".desk [data-cell={cell}]")
    page.click("[data-why-not]")
    expect(page.locator("[data-choice][data-place='0'] small").first).to_have_text("best")
    expect(question).to_have_count(0)
    assert page.evaluate(ROWS) == before
    page.click(f".desk [data-cell={cell}]")  # now one knows what it costs
    expect(page.locator(f".desk .crossed[data-cell={cell}], .desk .chosen[data-cell={cell}]")).to_have_count(1)
    anna.close()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        # Red 2 and yellow 2 skip nothing, and a pass is a miss (C6): one question for both.
        ("classic active=0 phase=color roll=11/1111 | - | -", ["You take a miss", "chance of winning."]),
        # The duel has no view that would be enough, but the table of this device has the whole game.
        ("duel active=0 phase=white roll=66/1111 | - | -", ["chance of winning. Are you sure?"]),
    ],
)
def test_on_this_device_it_asks_once(browser: Browser, server: Server, line: str, said: list[str]) -> None:
    """A choice that asks for confirmation anyway has one question; the harmless choice has none."""
    anna = Visitor(browser, server, size=PHONE, settings=SETTINGS)
    page = anna.page
    anna.go(f"/board?p={quote(line)}")
    page.click("[data-board-play]:not([disabled])")
    page.wait_for_selector("[data-tutor=watches]")
    page.click("[data-do=pass]")
    for words in said:
        expect(page.locator("[data-warns]")).to_contain_text(words)
    page.click("[data-yes=pass]")
    expect(page.locator("[data-question]")).to_have_count(0)
    anna.close()


def test_without_hints_it_is_silent(browser: Browser, server: Server) -> None:
    """Two people have no hints unless they allow them: the tutor does not watch, and the choice counts at once."""
    anna, ben = Visitor(browser, server, settings=SETTINGS), Visitor(browser, server)
    ben.sit(anna.open_table("classic", "Anna"), "Ben")
    anna.begin()
    cell = anna.page.evaluate(FARTHEST)
    anna.page.click(f".desk [data-cell={cell}]")
    anna.page.wait_for_selector(f".chosen[data-cell={cell}]")
    assert anna.page.locator("[data-ask-hint], [data-question]").count() == 0
    anna.close()
    ben.close()
