"""Nothing moves under the pointer: rows and Pass stay in place through turns. Nothing covers rows, no button wraps."""

from __future__ import annotations

import pytest

from qwixx.base.languages import LANGUAGES
from support.page.page_driver import (
    GAMES,
    LOOK_ALIKES,
    NEXT_CLICK,
    PATIENCE,
    Browser,
    Server,
    Visitor,
    check_fits,
    roll,
)

pytestmark = pytest.mark.browser

SIZES = ((320, 568), (390, 844), (768, 1024), (844, 390), (1024, 768), (1280, 800), (1920, 1080))
NARROW_AND_LOW = ((320, 568), (844, 390))
ONE_OF_EACH_LAYOUT = (*NARROW_AND_LOW, (768, 1024), (1280, 800))
# Play some turns by taps, and note in every frame where the rows and Pass are; return these places with what was asked.
WATCH = f"""async (turns) => {{
  const next = {NEXT_CLICK};
  const places = {{}};
  const passes = {{}};
  const phases = new Set();
  const found = (over) => ({{places, passes, phases: [...phases], over}});
  const last = () => Number([...document.querySelectorAll('.feed [data-turn]')].at(-1)?.dataset.turn ?? 0);
  const first = last();
  let luck = 7;
  for (const end = Date.now() + {PATIENCE}; Date.now() < end; ) {{
    const main = document.querySelector('main.play');
    if (document.querySelector('[data-end], [data-last-roll]')) return found(true);
    const asks = document.querySelector('[data-roll-dice]') ? 'roll' : main.dataset.phase;
    const rows = [...main.querySelectorAll('.rows .row')].map((row) => row.getBoundingClientRect());
    const placeOf = (box) => [box.left, box.top, box.width, box.height].map(Math.round).join();
    const told = `${{asks}}: ${{main.querySelector('[data-status], [data-status-roll]')?.innerText}}`;
    places[rows.map(placeOf).join(' ')] ??= told;
    const pass = main.querySelector('[data-do=pass]');
    if (pass) passes[placeOf(pass.getBoundingClientRect())] ??= told;
    phases.add(asks);
    if (last() >= first + turns) return found(false);
    luck = (luck * 16807) % 2147483647;
    const target = asks === 'roll' ? '[data-roll-dice]' : next(luck / 2147483647);
    if (target) document.querySelector(target)?.click();
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 1000))]);
  }}
  throw new Error('the game does not go on');
}}"""
# Return the buttons whose words are cut or have a second line.
ONE_LINE = """() => [...document.querySelectorAll('.dock .buttons button')].filter((button) => {
  const range = document.createRange();
  const wraps = [...button.childNodes].some((node) => {
    range.selectNodeContents(node);
    return node.nodeType === Node.TEXT_NODE && node.data.trim() && range.getClientRects().length > 1;
  });
  return wraps || button.scrollWidth > button.clientWidth + 1;
}).map((button) => button.innerText)"""
# Return the cells that a message covers.
COVERED = """(message) => {
  const boxes = [...document.querySelectorAll(message)].map((part) => part.getBoundingClientRect());
  const cells = [...document.querySelectorAll('.rows [data-cell]')];
  return cells.filter((cell) => {
    const box = cell.getBoundingClientRect();
    const meets = (over) => over.top < box.bottom - 1 && over.bottom > box.top;
    return boxes.some((over) => meets(over) && over.left < box.right && over.right > box.left);
  }).map((cell) => cell.dataset.cell);
}"""


@pytest.mark.slow(seconds=30)
@pytest.mark.parametrize("variant", GAMES)
def test_rows_stay_in_place(browser: Browser, server: Server, variant: str) -> None:
    """A round at each size: own rolls, white and color sums, questions about misses, and the turns of the bots.

    Classic plays at all sizes, the other games at one of each layout, look-alikes at the narrowest and at the lowest.
    """
    anna = Visitor(browser, server, settings={"guard": 0, "pace": "fast"})
    anna.page.emulate_media(reduced_motion="no-preference")  # else nobody rolls by hand
    anna.play_now(variant)
    phases = set()
    for size in NARROW_AND_LOW if variant in LOOK_ALIKES else SIZES if variant == "classic" else ONE_OF_EACH_LAYOUT:
        anna.resize(size)
        seen = anna.page.evaluate(WATCH, 3)
        if not seen["places"]:  # the game ended while the size changed
            anna.play_now(variant)
            seen = anna.page.evaluate(WATCH, 3)
        phases |= set(seen["phases"])
        assert len(seen["places"]) == 1, (size, seen["places"])
        assert len(seen["passes"]) <= 1, (size, seen["passes"])
        if seen["over"]:
            anna.play_now(variant)
        check_fits(anna)
    assert phases >= ({"draw", "play"} if "cards" in variant else {"roll", "white", "color"})
    anna.close()


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_have_one_line(browser: Browser, server: Server, language: str) -> None:
    """Undo and a pass that costs a miss stand side by side: no word is cut, none goes to a second line."""
    anna = Visitor(browser, server, language=language)
    anna.open_table("classic", "Anna")
    anna.page.check("[data-real]")
    anna.begin()
    roll(anna, "342615")
    anna.page.click("[data-cell=r7]")
    anna.page.wait_for_selector("[data-phase=color] [data-do=undo]")
    for size in SIZES:
        anna.resize(size)
        assert anna.page.evaluate(ONE_LINE) == [], size
        check_fits(anna)
    anna.close()


def test_messages_lie_below_the_rows(browser: Browser, server: Server) -> None:
    """A question about a miss and a reason why a tap does nothing cover no cell."""
    anna = Visitor(browser, server)
    anna.open_table("classic", "Anna")
    anna.page.check("[data-real]")
    anna.begin()
    roll(anna, "342615")
    anna.page.click("[data-do=pass]")
    anna.page.wait_for_selector("[data-phase=color]")
    for size in SIZES:
        anna.resize(size)
        anna.page.click("[data-do=pass]")
        anna.page.wait_for_selector("[data-question]")
        assert anna.page.evaluate(COVERED, "[data-question] > *") == [], size
        anna.page.click("[data-no]")
        anna.page.click("[data-cell=r12]", force=True)
        anna.page.wait_for_selector("[data-reply]")
        assert anna.page.evaluate(COVERED, ".notice") == [], size
        anna.page.click(".notice .quiet:last-child")
    anna.close()


BESIDE = """() => {
  const die = document.querySelector('.tray .colors > :last-child').getBoundingClientRect();
  const pass = document.querySelector('[data-do=pass]').getBoundingClientRect();
  return [die.right <= pass.left || die.bottom <= pass.top, pass.bottom <= innerHeight];
}"""


@pytest.mark.parametrize("path", ["/learn/classic", "/train/classic"])
def test_the_button_of_a_lesson_covers_no_die(browser: Browser, server: Server, path: str) -> None:
    """The column of a lesson is narrower than a game: the last die ends before Pass, and Pass is on the screen."""
    anna = Visitor(browser, server)
    anna.go(path)
    anna.page.wait_for_selector("[data-do=pass]")
    for size in ((320, 568), (390, 844), (768, 1024), (900, 768), (1024, 768), (1280, 800), (1920, 1080)):
        anna.resize(size)
        is_free, is_seen = anna.page.evaluate(BESIDE)
        assert is_free, size
        assert is_seen or size == (320, 568), size
    anna.close()


def test_the_sheet_is_large_on_a_desk(browser: Browser, server: Server) -> None:
    """At least 720 px of sheet at 1280 px, with the others on its left and the story on its right."""
    anna = Visitor(browser, server, size=(1280, 800))
    anna.play_now("classic")
    left, sheet, right = (anna.page.locator(part).bounding_box() for part in (".others", ".sheet", ".feed"))
    assert left
    assert sheet
    assert right
    assert sheet["width"] >= 720
    assert left["x"] + left["width"] <= sheet["x"]
    assert sheet["x"] + sheet["width"] <= right["x"]
    anna.close()
