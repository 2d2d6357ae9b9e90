"""Closing a row is announced: all see it at once, it is binding, and others may still close the row (C14)."""

from __future__ import annotations

from pathlib import Path

import pytest

import qwixx
from support.page.page_driver import Browser, Server, Visitor, check_fits, expect, one_of, roll

pytestmark = pytest.mark.browser

RED = {"r2": "112345", "r3": "121111", "r4": "221111", "r5": "141111", "r6": "331111"}
"""Five cells of the red row, each with dice whose white sum it is."""
NARROW = (320, 568)
# The notice is on the screen, nothing of it is cut, and it lies on no cell.
IS_READABLE = """() => {
  const notice = document.querySelector('[data-announced]');
  const [box, rows] = [notice, document.querySelector('.sheet .rows')].map((part) => part.getBoundingClientRect());
  const isWhole = notice.scrollWidth <= notice.clientWidth && notice.scrollHeight <= notice.clientHeight;
  return isWhole && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= rows.top + 1;
}"""


def nearly_closed() -> qwixx.Game:
    """Return a game of three: all have crossed red 2 to 6, and the dice show 12."""
    game = qwixx.Game("classic", 3, first=0)
    for cell, dice in RED.items():
        game.set_roll(f"{dice[:2]}/{dice[2:]}")
        for seat in range(3):
            game.decide(seat, cell)
        game.decide(game.active, "pass")
    game.set_roll("66/1111")
    return game


def choose(visitor: Visitor, action: str) -> str:
    """Decide for the seat in front; return this seat."""
    page = visitor.page
    page.wait_for_selector("main[data-phase=white] [data-status].mine")
    seat = page.locator("main").get_attribute("data-seat") or ""
    page.click("[data-do=pass]" if action == "pass" else f".sheet [data-cell={action}]")
    if page.locator("[data-yes]").count():
        page.click("[data-yes]")
    # It has arrived, the window is over, or the next seat of this device is in front.
    page.wait_for_selector(f"[data-delivery=sent], main:not([data-phase=white]), main:not([data-seat='{seat}'])")
    return seat


def three_people_with_five_crosses(anna: Visitor, ben: Visitor) -> None:
    """Seat Anna at one device, Ben and Cleo at another; all of them cross red 2 to 6, then the dice show 12."""
    code = anna.open_table("classic", "Anna")
    ben.sit(code, "Ben")
    ben.page.wait_for_selector("[data-company]")
    ben.unfold()
    ben.page.fill("form [data-name]", "Cleo")
    ben.page.click("[data-sit]")
    expect(anna.page.locator("[data-announce]")).to_be_checked()
    anna.page.check("[data-real]")
    anna.begin()
    both = [anna, ben]
    for cell, dice in RED.items():
        roll(one_of(both, "[data-roll]"), dice)
        for visitor in (anna, ben, ben):
            choose(visitor, cell)
        active = one_of(both, "main[data-phase=color] [data-status].mine")
        active.page.click("[data-do=pass]")
        one_of(both, "[data-roll]")
    roll(one_of(both, "[data-roll]"), "661111")


def test_a_closing_is_announced_and_another_joins_it(browser: Browser, server: Server) -> None:
    """Anna closes red; Ben had passed, sees it, and closes red too. Anna cannot take it back, nor by a reload."""
    anna, ben = (Visitor(browser, server) for _ in range(2))
    three_people_with_five_crosses(anna, ben)
    early = choose(ben, "pass")
    expect(ben.page.locator("main")).not_to_have_attribute("data-seat", early)
    assert not anna.page.locator("[data-announced]").count()
    anna.page.click(".sheet [data-cell=r12]")
    question = anna.page.locator("[data-question]")
    expect(question).to_contain_text("This closes the red row. It is announced at once and is binding.")
    anna.page.click("[data-yes=r12]")

    told = "Anna closes the red row. You may still close it too."
    expect(ben.page.locator("[data-announced]")).to_have_text(told)
    expect(ben.page.locator("[data-closing-announced]")).to_have_text(told)
    expect(ben.page.locator(".sheet [data-lock=r]")).to_have_attribute("aria-label", "lock, closing announced by Anna")
    expect(ben.page.locator(".other[data-seat='0'] [data-closing]")).to_have_text("closes the red row")
    ben.shot("announced")
    assert ben.page.evaluate(IS_READABLE)
    check_fits(ben)

    own = "You have announced that you close the red row."
    expect(anna.page.locator("[data-announced]")).to_have_text(own)
    assert anna.page.locator("[data-lit=yes]").count() == 0
    expect(anna.page.locator("[data-do=pass]")).to_be_disabled()
    anna.page.click(".sheet [data-cell=r12]", force=True)
    expect(anna.page.locator("[data-reply=announced]")).to_be_visible()
    anna.shot("announced-own")
    anna.page.reload()
    expect(anna.page.locator("[data-announced]")).to_have_text(own)

    ben.page.get_by_role("group", name="Seats").get_by_text("Ben" if early == "1" else "Cleo").click()
    expect(ben.page.locator("main")).to_have_attribute("data-seat", early)
    expect(ben.page.locator("[data-do=pass]")).to_have_attribute("aria-pressed", "true")
    expect(ben.page.locator("[data-announced]")).to_have_text(told)
    ben.page.click(".sheet [data-cell=r12]")
    ben.page.click("[data-yes=r12]")
    expect(anna.page.locator("[data-announced]")).to_contain_text("closes the red row.")
    choose(ben, "pass")
    for visitor, seat in ((anna, "0"), (ben, early)):
        visitor.page.wait_for_selector("main:not([data-phase=white])")
        if visitor is ben:
            visitor.page.get_by_role("group", name="Seats").get_by_text("Ben" if seat == "1" else "Cleo").click()
        visitor.page.wait_for_selector(".sheet [data-lock=r].own")
        assert not visitor.page.locator("[data-announced]").count()
    anna.close()
    ben.close()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Bartholomäus closes the red row. You may still close it too."),
        ("de", "Bartholomäus schließt die rote Reihe ab. Du kannst sie noch mit abschließen."),
        ("fr", "Bartholomäus clôture la rangée rouge. Tu peux encore la clôturer aussi."),
        ("it", "Bartholomäus chiude la riga rossa. Puoi ancora chiuderla anche tu."),
    ],
)
def test_the_notice_fits_on_the_smallest_phone(
    browser: Browser, server: Server, tmp_path: Path, language: str, told: str
) -> None:
    """Three people share a device without a server's table: the next one reads who closes the row."""
    file = tmp_path / "game.txt"
    names = ["Bartholomäus", "Cleo", "Anna"]
    people = "".join(f"# person {seat} {name}\n" for seat, name in enumerate(names))
    file.write_text(f"{nearly_closed().record()}{people}", "utf-8")
    anna = Visitor(browser, server, size=NARROW, language=language)
    anna.go("/")
    anna.page.set_input_files("[data-file]", file)
    assert [choose(anna, "pass"), choose(anna, "r12")] == ["2", "0"]  # the roller is the first
    expect(anna.page.locator("main")).to_have_attribute("data-seat", "1")
    expect(anna.page.locator("[data-announced]")).to_have_text(told)
    anna.shot(f"announced-320-{language}")
    assert anna.page.evaluate(IS_READABLE)
    check_fits(anna)
    anna.close()
