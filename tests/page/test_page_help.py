"""Help in place: a sentence about everything on the table, next to it and never over it; the rules over the game."""

from __future__ import annotations

import re

import pytest

from qwixx.base.languages import LANGUAGES
from support.page.catalogues import CODE, KEYS
from support.page.page_driver import (
    DESKTOP,
    GAMES,
    LOOK_ALIKES,
    PHONE,
    PICTURES,
    STILL,
    Browser,
    Server,
    Visitor,
    play_some,
)

pytestmark = pytest.mark.browser

# Ask for help on elements of every kind, as a right click or a long press does: return the text, and whether it covers
# the element or overflows the screen.
ASK = (
    f"async () => {{ const frame = {PICTURES};"
    + """
  const things = new Map([...document.querySelectorAll('[data-help]')].map((each) => [each.dataset.help, each]));
  const kinds = new Map();
  for (const [topic, thing] of things) {
    const kind = topic.split(':')[0] + thing.className.replace(/ *(svelte-\\w+|c-.|lit|chosen|leads|passed) */g, ' ');
    if (!kinds.has(kind)) kinds.set(kind, thing);
  }
  const answers = [];
  for (const thing of kinds.values()) {
    thing.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    await frame();
    const box = document.querySelector('[data-helped]');
    const [it, own] = [thing.getBoundingClientRect(), box.getBoundingClientRect()];
    const covers = own.left < it.right && own.right > it.left && own.top < it.bottom && own.bottom > it.top;
    const sticks = own.left < 0 || own.top < 0 || own.right > innerWidth || own.bottom > innerHeight;
    const { helpMore: rule } = box.querySelector('[data-help-more]').dataset;
    answers.push({ topic: thing.dataset.help, text: box.querySelector('p').textContent, rule, covers, sticks });
    box.querySelector('.quiet').click();
    await frame();
  }
  return answers;
}"""
)

# All texts on the screen and for screen readers.
SAID = """() => {
  const said = [...document.querySelectorAll('[aria-label], [title]')].flatMap((each) => [each.ariaLabel, each.title]);
  return [document.body.innerText, ...said].filter(Boolean).join('\\n');
}"""
BY_HAND = {"guard": 0, "autoPass": False}


def speak(visitor: Visitor, language: str) -> None:
    """Switch the language in the settings."""
    visitor.page.click("[data-settings]")
    visitor.page.select_option("[data-language]", language)
    visitor.page.locator(f"html[lang={language}]").wait_for(state="attached")
    visitor.page.keyboard.press("Escape")


@pytest.mark.parametrize("variant", GAMES)
def test_everything_can_be_asked_about(browser: Browser, server: Server, variant: str) -> None:
    """At all widths and in all languages, without animations; no identifier of the code appears among the words.

    Look-alikes of other games are asked about at all widths in three languages.
    """
    anna = Visitor(browser, server, settings=BY_HAND)
    anna.play_now(variant)
    play_some([anna], rounds=4, seed=5)
    anna.page.wait_for_selector("[data-status].mine")  # from here on nothing happens by itself
    sizes = {"en": PHONE, "de": (320, 568), "fr": DESKTOP, "it": PHONE, "nl": (320, 568)}
    assert set(sizes) == set(LANGUAGES)
    for language in ("en", "de", "fr") if variant in LOOK_ALIKES else LANGUAGES:
        size = sizes[language]
        anna.resize(size)
        speak(anna, language)
        assert anna.page.evaluate(STILL), f"the table is not stable at {size}"
        said = anna.page.evaluate(SAID)
        assert not set(re.findall(r"[a-z-]+(?:\.[a-z0-9-]+)+", said)) & KEYS
        assert not re.search(r"\{\w+\}", said)
        assert not (leak := CODE.search(said)), (language, leak)
        answers = anna.page.evaluate(ASK)
        assert {each["topic"].split(":")[0] for each in answers} >= {"cell", "lock", "misses", "row", "total"}
        for each in answers:
            assert not each["covers"], (language, each)
            assert not each["sticks"], (language, each)
            assert each["text"].endswith("."), each
            assert not CODE.search(each["text"]), each
            assert re.fullmatch(r"[A-Z]{1,2}\d+", each["rule"]), each
    anna.close()


def test_a_long_press_asks_and_crosses_nothing(browser: Browser, server: Server) -> None:
    """A long press opens help, and the tap that closes it does nothing else; a tap on a blocked cell asks too."""
    anna = Visitor(browser, server, settings=BY_HAND)
    anna.go("/")
    anna.enter("classic", "alone")
    page = anna.page
    page.wait_for_selector("main.play [data-lit=yes]")  # the sheet of the start page has lit cells, too
    lit = page.locator("[data-lit=yes]").first
    name = lit.get_attribute("data-cell")
    box = lit.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_selector(f"[data-helped='cell:{name}']")
    page.mouse.up()
    page.wait_for_selector(f"[data-helped='cell:{name}']")
    assert page.locator(".cell.crossed, .cell.chosen").count() == 0
    other = page.locator("[data-lit=yes]").last.bounding_box()
    assert other
    page.mouse.click(other["x"] + 3, other["y"] + other["height"] - 3)
    page.wait_for_selector("[data-helped]", state="detached")
    assert page.locator(".cell.crossed, .cell.chosen").count() == 0
    page.click("[data-lock=g]")
    page.wait_for_selector("[data-helped='lock:g']")
    page.click("[data-help-more]")
    page.wait_for_selector("dialog [data-rules-over=classic]")
    assert page.locator("main.play").count() == 1, "the game does not change"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    lit.click()
    page.wait_for_selector(".cell.crossed")
    anna.close()


def test_help_by_keyboard(browser: Browser, server: Server) -> None:
    """The key ? asks about the focused element, Escape returns the focus; arrows reach locks, the bar and the score."""
    anna = Visitor(browser, server, size=DESKTOP)
    anna.play_now("bonus-a")
    page = anna.page
    page.locator("[data-cell][tabindex='0']").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    key = page.evaluate("document.activeElement.dataset.help")
    assert key.startswith("lock:")
    page.keyboard.press("?")
    page.wait_for_selector(f"[data-helped='{key}']")
    assert page.evaluate("document.activeElement.matches('[data-helped]')"), "screen readers announce it"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.help") == key
    page.locator("[data-help='bar:1']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-helped='bar:2']")
    page.keyboard.press("Escape")
    page.locator("[data-help=misses]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    page.wait_for_selector("[data-helped='row:r']")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog [data-rules-over=bonus-a]")
    page.keyboard.press("Escape")
    page.click("[data-people]")
    page.click("[data-menu-rules]")
    page.wait_for_selector("dialog [data-rules-over=bonus-a]")
    anna.close()
