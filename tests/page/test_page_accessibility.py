"""Accessibility: languages, keyboard, screen readers, screen sizes, a small first load."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.page.accessibility import check_axe, check_words
from support.page.catalogues import CATALOGUES
from support.page.page_driver import (
    DESKTOP,
    GAMES,
    LOOK_ALIKES,
    PHONE,
    Browser,
    Server,
    Visitor,
    check_fits,
    play_out,
    play_some,
)
from support.page.screens import walk, wanderer
from support.paths import ROOT

pytestmark = pytest.mark.browser

SIZES = {
    "small": (360, 740),
    "phone": (390, 844),
    "least": (320, 568),
    "side": (844, 390),
    "zoomed": (640, 400),
    "desktop": DESKTOP,
    "large": (1920, 1080),
}


@pytest.mark.parametrize("variant", GAMES)
def test_every_game_fits_every_screen_and_passes_axe(browser: Browser, server: Server, variant: str) -> None:
    """Light and dark, phone and desktop, portrait and landscape; look-alikes of other games on the smallest screens."""
    visitor = Visitor(browser, server, language="de")
    visitor.play_now(variant)
    play_some([visitor], rounds=6, seed=7)
    for name, size in SIZES.items():
        if variant in LOOK_ALIKES and name not in {"small", "least", "side"}:
            continue
        visitor.resize(size)
        visitor.page.emulate_media(color_scheme="dark" if name in {"phone", "desktop"} else "light")
        check_fits(visitor)
        if name in {"small", "desktop"}:
            check_axe(visitor)
        visitor.shot(f"{variant}-{name}")
    check_words(visitor)
    visitor.close()


def test_every_screen_passes_axe_and_has_a_title(browser: Browser, server: Server) -> None:
    """In light, dark and forced colors; no two screens share a title but those of one table, and a dialog has none."""
    anna = wanderer(browser, server)
    titles: dict[str, str] = {}
    for screen in walk(browser, anna):
        for look in ("light", "dark", "forced"):
            anna.page.emulate_media(
                color_scheme="dark" if look == "dark" else "light",
                forced_colors="active" if look == "forced" else "none",
            )
            check_axe(anna, f"{screen} {look}", forced=look == "forced")
        anna.page.emulate_media(color_scheme="light", forced_colors="none")
        titles[screen] = anna.page.title()
    assert all(title.strip() for title in titles.values())
    shared = {"settings", "print", "lobby-guest", "lobby-host", "turn", "end"}
    own = [title for screen, title in titles.items() if screen not in shared]
    assert len(own) == len(set(own)), titles
    assert "Your turn" in titles["turn"]
    anna.close()


def check_screen(visitor: Visitor, *, with_axe: bool) -> None:
    """Check the words of a screen and its width; axe is optional."""
    check_words(visitor)
    check_fits(visitor)
    if with_axe:
        check_axe(visitor)


@pytest.mark.parametrize("language", list(CATALOGUES))
def test_every_language_from_start_to_end(browser: Browser, server: Server, language: str) -> None:
    """Every screen uses the language of the browser. Axe checks one language in light colors and one in dark ones."""
    anna = Visitor(browser, server, language=language, dark=language in {"fr", "it"})
    words, with_axe = CATALOGUES[language], language in {"en", "fr"}
    anna.go("/")
    anna.page.get_by_text(words["door.friends"][0]).wait_for()
    assert anna.page.locator("html").get_attribute("lang") == language
    check_screen(anna, with_axe=with_axe)
    anna.shot(f"start-{language}")
    anna.resize((320, 568))
    anna.page.click("[data-settings]")
    sizes = "dialog => [dialog, ...dialog.querySelectorAll('*')].map((each) => each.getBoundingClientRect().right)"
    assert max(anna.page.locator("dialog").evaluate(sizes)) <= 320, "a setting overflows its window"
    anna.page.keyboard.press("Escape")
    anna.resize(PHONE)
    anna.open_table("longo", "Anna")
    check_screen(anna, with_axe=with_axe)
    anna.page.click("[data-bot=easy]")
    anna.begin()
    play_out([anna], seed=9, hurry=True)
    check_screen(anna, with_axe=with_axe)
    anna.shot(f"end-{language}")
    anna.go("/rules/bonus-b")
    anna.page.wait_for_selector("article h2")
    check_screen(anna, with_axe=with_axe)
    anna.shot(f"rules-{language}")
    anna.close()


def test_the_language_can_be_switched_at_any_time(browser: Browser, server: Server) -> None:
    """In the middle of a game, and the choice is stored."""
    anna = Visitor(browser, server)
    anna.play_now("classic")
    anna.page.click("[data-settings]")
    anna.shot("settings")
    check_axe(anna)
    anna.page.select_option("[data-language]", "it")
    anna.page.get_by_text("Impostazioni").wait_for()
    anna.page.reload()
    anna.page.locator("h1", has_text="Classico").wait_for()
    anna.close()


def test_a_whole_game_by_keyboard(browser: Browser, server: Server) -> None:
    """Tab, arrows and Enter are enough; the mouse is not used."""
    anna = Visitor(browser, server, size=DESKTOP)
    anna.go("/")
    page = anna.page
    page.locator("[data-game=classic] input").focus()
    for key, game in (("ArrowDown", "gemixxt-a"), ("ArrowUp", "classic")):
        page.keyboard.press(key)
        page.wait_for_selector(f"[data-game={game}].chosen")
    tab_to(anna, "[data-play-game]")
    page.keyboard.press("Enter")
    page.wait_for_selector("main.play")
    for _ in range(2000):
        page.wait_for_selector("[data-status].mine, [data-end]")
        if page.locator("[data-end]").count():
            break
        if page.locator("[data-yes]").count():  # closing a row asks for confirmation
            tab_to(anna, "[data-yes]")
        elif page.locator("[data-lit=yes]").count():
            move_to_lit(anna)
        else:
            tab_to(anna, "[data-do=pass]")
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    assert page.locator("[data-end]").count() == 1
    anna.close()


def tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until this element has the focus."""
    for _ in range(40):
        if visitor.page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def move_to_lit(visitor: Visitor) -> None:
    """Enter the sheet with Tab and move to a highlighted cell with the arrows."""
    where = "s => [...document.querySelectorAll('.rows [role=group]')].flatMap((row, r) => "
    where += "[...row.querySelectorAll('[data-cell]')].map((c, i) => c.matches(s) ? [r, i] : null)).find(Boolean)"
    tab_to(visitor, "[data-cell]")
    target = visitor.page.evaluate(where, "[data-lit=yes]")
    here = visitor.page.evaluate(where, ":focus")
    if not target or not here:
        return
    for key, steps in (("ArrowDown", target[0] - here[0]), ("ArrowRight", target[1] - here[1])):
        opposite = {"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}[key]
        for _ in range(abs(steps)):
            visitor.page.keyboard.press(key if steps > 0 else opposite)


STANDS = """new MutationObserver((_, seen) => {
  if (!document.querySelector('[data-game]')) return;
  globalThis.fetched = performance.getEntriesByType('resource').map((each) => each.name);
  seen.disconnect();
}).observe(document, { childList: true, subtree: true })"""
"""Collects the downloads until the start buttons are shown."""


def test_the_first_load_is_small(browser: Browser, server: Server) -> None:
    """The size of all files until the start page is shown, compressed; the table is loaded in the pause after that."""
    context = browser.new_context(service_workers="block")  # files for the offline cache are loaded separately
    context.add_init_script(STANDS)
    page = context.new_page()
    page.goto(server.base)
    page.wait_for_selector("[data-game]")
    fetched: list[str] = [server.base, *page.evaluate("fetched")]
    assert {".js", ".css"} <= {Path(urlsplit(each).path).suffix for each in fetched}
    assert len(fetched) <= 15
    assert sum(len(gzip.compress(context.request.get(each).body())) for each in fetched) < 120_000  # with fonts
    context.close()


def test_the_page_lives_under_a_strict_security_policy(browser: Browser, server: Server) -> None:
    """Not even inline styles are needed; every violation of the policy is an error on the console."""
    anna = Visitor(browser, server, keeps=True)
    anna.go("/")
    # A second policy, added by the page itself, can only tighten the header of the server.
    anna.page.evaluate(
        """policy => document.head.append(
            Object.assign(document.createElement('meta'), {httpEquiv: 'Content-Security-Policy', content: policy}))""",
        "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self'",
    )
    anna.enter("bonus-a", "bots")
    anna.page.wait_for_selector("main.play")
    play_some([anna], rounds=10, seed=3)
    anna.page.click("[data-settings]")
    anna.close()


def test_the_page_needs_no_exception_from_the_security_policy() -> None:
    """No inline script, no style attributes, no HTML made from text."""
    assert "<script>" not in (ROOT / "src/qwixx/web/index.html").read_text("utf-8")
    for path in Path(ROOT / "page/src").rglob("*.svelte"):
        text = path.read_text("utf-8")
        assert not re.search(r'\bstyle="|\{@html|innerHTML', text), path.name
