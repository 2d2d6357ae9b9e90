"""Safe decisions without delay: double taps, changed choices, lost connections, undo, one device for all."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import qwixx
from support.page.page_driver import AIM, DESKTOP, GAMES, PHONE, UNTIL, Browser, Server, Visitor, check_fits, expect

pytestmark = pytest.mark.browser

CAREFUL = {"autoPass": False}
"""The normal page, without its automatic actions."""
# The clock that detects double taps is frozen until a test moves it: a slow machine taps as fast as any other.
CLOCK = """
  let moment = 1000;
  performance.now = () => moment;
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => moment });
  window.later = () => { moment += 60_000; };
  const look = () => document.querySelector('[data-cue]') && (window.wasCued = true);
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
"""
# Roll, and return how many cells are highlighted while the page shows that nothing fits, which is only for a moment.
ROLL_TWELVE = f"""async () => {{
  const until = {UNTIL};
  document.querySelector('[data-roll]').click();
  await until(() => document.querySelector('[data-status]')?.textContent.includes('12 fits nowhere.'));
  return document.querySelectorAll('[data-lit=yes]').length;
}}"""


def careful(browser: Browser, server: Server, **more: Any) -> Visitor:
    """Return a visitor with the normal page, whose taps come at the same time until the next `ready`."""
    visitor = Visitor(browser, server, **more)
    visitor.context.add_init_script(CLOCK)
    return visitor


def tap(visitor: Visitor, selector: str, times: int = 1) -> None:
    """Touch the same spot once or more, as fast as a thumb does, whatever element is there by then."""
    box = visitor.page.locator(selector).first.bounding_box()
    assert box
    for _ in range(times):
        visitor.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        # The message of the tap is sent, and a reply to it could have been shown.
        visitor.page.evaluate("new Promise((done) => setTimeout(done, 50))")


def ready(visitor: Visitor) -> None:
    """Wait until it is this visitor's turn and a new window accepts taps; the next tap is not a double tap."""
    visitor.page.wait_for_selector("[data-status].mine, [data-end]")
    visitor.page.wait_for_selector("[data-settling]", state="detached")
    visitor.page.evaluate("window.later?.()")


class SentMessages:
    """The messages that a page has sent."""

    def __init__(self, visitor: Visitor) -> None:
        """Listen from now on."""
        self.kinds: list[str] = []
        visitor.page.on("websocket", lambda line: line.on("framesent", self._record))

    def _record(self, frame: str | bytes) -> None:
        found = re.match(r'{"t":"(decide|withdraw)"', str(frame))
        if found:
            self.kinds.append(found[1])


def count_decisions(visitor: Visitor) -> tuple[int, int]:
    """Count the decisions on the front sheet: crosses or pawns, and misses."""
    misses = visitor.page.locator(".desk [data-help=misses]").get_attribute("aria-label") or ""
    return visitor.page.locator(".desk .sheet .crossed").count(), int(misses.split()[0])


@pytest.mark.parametrize("variant", GAMES)
def test_a_double_tap_decides_once(browser: Browser, server: Server, variant: str) -> None:
    """Whatever the first tap opens, the second decides nothing there: not on cells, cards, buttons or questions."""
    size = PHONE if GAMES.index(variant) % 2 else DESKTOP  # a tablet is as wide
    anna = careful(browser, server, size=size, touch=True, settings=CAREFUL)
    sent = SentMessages(anna)
    anna.play_now(variant)
    luck = random.Random(len(variant))
    for _ in range(5):
        ready(anna)
        aim = anna.page.evaluate(AIM, luck.random())
        if aim["target"] in ("", "over"):
            continue
        before, misses = len(sent.kinds), count_decisions(anna)[1]
        cost_is_shown = anna.page.locator(".buttons .costs").count()  # where nothing fits, one press takes the miss
        for _ in range(2):
            anna.page.touchscreen.tap(aim["x"], aim["y"])
        anna.page.evaluate("new Promise((done) => setTimeout(done, 50))")
        assert sent.kinds[before:] in ([], ["decide"])
        assert count_decisions(anna)[1] == misses or cost_is_shown or aim["target"].startswith("[data-do=play")
    anna.close()


def test_a_miss_takes_a_second_different_press(browser: Browser, server: Server) -> None:
    """Pass opens the color window under the same thumb; there, any number of presses on Pass alone takes no miss."""
    anna = careful(browser, server, settings=CAREFUL)
    sent = SentMessages(anna)
    anna.open_table("classic", "Anna")
    anna.begin()
    ready(anna)
    tap(anna, "[data-do=pass]", times=2)
    anna.page.wait_for_selector("main[data-phase=color]")
    assert sent.kinds == ["decide"]
    ready(anna)
    tap(anna, "[data-do=pass]", times=4)
    anna.page.wait_for_selector("[data-question]")
    check_fits(anna)
    anna.shot("question")
    assert (sent.kinds, count_decisions(anna)) == (["decide"], (0, 0))
    ready(anna)
    anna.page.locator("[data-no]").tap()
    anna.page.wait_for_selector("[data-question]", state="detached")
    ready(anna)
    tap(anna, "[data-do=pass]")
    ready(anna)
    tap(anna, "[data-yes=pass]", times=2)
    ready(anna)
    assert (sent.kinds, count_decisions(anna)) == (["decide", "decide"], (0, 1))
    anna.close()


def test_a_choice_waits_for_the_connection_and_can_be_undone(browser: Browser, server: Server) -> None:
    """A choice is shown immediately and sent; the same tap undoes it; without a connection it is sent later."""
    anna, ben = Visitor(browser, server, settings={"guard": 0}), Visitor(browser, server)
    ben.sit(anna.open_table("classic", "Anna"), "Ben")
    anna.begin()
    lit = anna.page.locator("[data-lit=yes]").first
    cell = f"[data-cell={lit.get_attribute('data-cell')}]"
    pencil = f"{cell}.chosen"
    lit.tap()
    anna.page.wait_for_selector("[data-delivery=sent]")
    lit.tap()
    anna.page.wait_for_selector(pencil, state="detached")
    anna.page.wait_for_selector("[data-status].mine")
    with server.silent():
        lit.tap()
        anna.page.wait_for_selector(pencil)
        anna.page.wait_for_selector("[data-banner]")
        anna.page.wait_for_selector("[data-delivery=waiting]")
        anna.shot("choice-waits")
    anna.page.wait_for_selector("[data-delivery=sent]")
    assert anna.page.locator(pencil).count() == 1
    with server.down():
        anna.page.wait_for_selector("[data-banner]")
        anna.page.tap("[data-do=pass]")
        expect(anna.page.locator("[data-do=pass]")).to_have_attribute("aria-pressed", "true")
        anna.page.wait_for_selector("[data-delivery=waiting]")
    anna.page.wait_for_selector("[data-delivery=sent]")
    expect(anna.page.locator("[data-do=pass]")).to_have_attribute("aria-pressed", "true")
    anna.close()
    ben.close()


def test_the_last_decision_is_undone(browser: Browser, server: Server) -> None:
    """In solitaire immediately, with other people when all agree; a refusal is shown; new dice make it impossible."""
    anna, ben = Visitor(browser, server), Visitor(browser, server)
    anna.open_table("classic", "Anna")
    anna.begin()
    assert anna.page.locator("[data-do=undo]").count() == 0
    cell = anna.page.locator("[data-lit=yes]").first.get_attribute("data-cell")
    anna.page.tap(f"[data-cell={cell}]")
    anna.page.wait_for_selector("main[data-phase=color]")
    anna.shot("undo")
    anna.page.tap("[data-do=undo]")
    anna.page.wait_for_selector("main[data-phase=white]")
    assert count_decisions(anna) == (0, 0)
    anna.page.wait_for_selector("[data-do=undo]", state="detached")
    ben.sit(anna.open_table("gemixxt-a", "Anna"), "Ben")
    anna.begin()
    for visitor in (anna, ben):
        visitor.page.locator("[data-lit=yes]").first.tap()
    for visitor in (anna, ben):
        visitor.page.wait_for_selector("main[data-phase=color]")
    for answer in ("yes", "no"):
        anna.page.tap("[data-do=undo]")
        anna.page.wait_for_selector("[data-undo-asked]")
        ben.page.wait_for_selector("[data-undo-asked]")
        check_fits(ben)
        ben.shot("undo-asked")
        ben.page.tap(f"[data-undo-{answer}]")
        if answer == "yes":
            anna.page.wait_for_selector("main[data-phase=white]")
            assert anna.page.locator("[data-status].mine").count() == 1
            ben.page.wait_for_selector("[data-delivery=sent]")  # his choice in that window stays
            anna.page.locator("[data-lit=yes]").first.tap()
            anna.page.wait_for_selector("main[data-phase=color]")
    anna.page.wait_for_selector("[data-reply=undo-declined]")
    anna.close()
    ben.close()


def test_one_device_for_two_shows_whose_sheet_it_is(browser: Browser, server: Server) -> None:
    """A second tap touches no sheet of another player; where nothing fits the page passes, unless that takes a miss."""
    anna = careful(browser, server, settings={})
    sent = SentMessages(anna)
    anna.open_table("classic", "Anna")
    anna.page.fill("form [data-name]", "Ben")
    anna.page.click("[data-sit]")
    anna.begin()
    ready(anna)
    other = anna.page.locator(".sheet [data-cell=g7]").bounding_box()
    assert other
    tap(anna, "[data-lit=yes]", times=2)
    assert anna.page.evaluate(f"({UNTIL})(() => window.wasCued)")  # for a second it shows whose sheet it is
    anna.shot("seat-cue")
    anna.page.touchscreen.tap(other["x"] + other["width"] / 2, other["y"] + other["height"] / 2)
    anna.page.wait_for_selector("[data-cue]", state="detached")
    assert sent.kinds == ["decide"]
    ready(anna)
    tap(anna, "[data-lit=yes]")
    assert sent.kinds == ["decide", "decide"]
    anna.close()


def test_real_dice_and_passing_by_itself(browser: Browser, server: Server) -> None:
    """Six dice are entered without scrolling, and one is corrected; a pass that costs nothing needs no tap."""
    anna = Visitor(browser, server, settings={})
    anna.open_table("classic", "Anna")
    anna.page.check("[data-real]")
    expect(anna.page.locator("[data-real]")).to_be_checked()
    anna.begin()
    anna.page.wait_for_selector("[data-roll]")
    check_fits(anna)
    for face in "662111":
        anna.page.tap(f"[data-face='{face}']")
    anna.page.tap("[data-die='2']")
    anna.page.tap("[data-face='6']")
    anna.shot("real-dice")
    anna.page.tap("[data-roll]")
    # no cell after 12 is crossed, but the last cell needs five crosses (C7)
    for sign in ("red 12", "yellow 12"):
        assert anna.page.get_by_label(sign).get_attribute("data-lit") is None
    ready(anna)
    tap(anna, "[data-cell=g12]")
    anna.page.wait_for_selector("main[data-phase=color]")
    ready(anna)
    tap(anna, "[data-cell=b7]")
    for face in "661111":
        anna.page.tap(f"[data-face='{face}']")
    assert anna.page.evaluate(ROLL_TWELVE) == 0  # green 12 and blue 7 are left of the last crosses
    anna.shot("passing")
    anna.page.wait_for_selector("main[data-phase=color]")  # nobody has tapped
    anna.close()


def nearly_closed() -> str:
    """Return a solitaire game as a file: red is closed, yellow has five crosses, and the dice show 12 (C7, C11)."""
    game = qwixx.Game("classic", 1, first=0)
    for row, number, cells in (("r", 12, range(2, 7)), ("y", 12, range(2, 7))):
        for value in (*cells, number):
            white = min(value - 1, 6)
            colors = ["-" if color in game.gone else "1" for color in "rygb"]
            game.set_roll(f"{white}{value - white}/{''.join(colors)}")
            if (row, value) == ("y", 12):
                return game.record() + "# person 0 Anna\n"
            game.decide(0, f"{row}{value}")
            game.decide(0, "pass")
    raise AssertionError("yellow was closed")


def test_closing_a_row_and_ending_the_game_ask_first(browser: Browser, server: Server, tmp_path: Path) -> None:
    """A tap on the last cell asks first; a no leaves everything as it was, a yes ends the game."""
    file = tmp_path / "game.txt"
    file.write_text(nearly_closed(), "utf-8")
    anna = Visitor(browser, server, settings=CAREFUL)
    anna.go("/")
    anna.page.set_input_files("[data-file]", file)
    ready(anna)
    tap(anna, "[data-cell=y12]", times=2)
    text = anna.page.locator("[data-question]").inner_text()
    assert "This closes the yellow row. This ends the game." in text
    check_fits(anna)
    anna.shot("closing")
    ready(anna)
    anna.page.locator("[data-no]").tap()
    anna.page.wait_for_selector("[data-question]", state="detached")
    assert anna.page.locator("[data-cell=y12].chosen").count() == 0
    ready(anna)
    tap(anna, "[data-cell=y12]")
    ready(anna)
    tap(anna, "[data-yes=y12]")
    anna.page.wait_for_selector("[data-end]")
    anna.close()
