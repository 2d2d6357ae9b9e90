"""The rule book on the page: every game in every language, at both widths, with pictures, citations and printing."""

from __future__ import annotations

import pytest

from qwixx.base.languages import LANGUAGES
from qwixx.rulebook import Fence, rules_page, segments
from support.page.accessibility import check_axe, check_words
from support.page.page_driver import GAMES, PHONE, Browser, Server, Visitor

pytestmark = pytest.mark.browser

LEAST = (320, 568)
TURN_TO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
"""Go to another screen as the page itself does, without loading it again."""
RIGHTMOST = "Math.max(...[...document.querySelectorAll('main *')].map((each) => each.getBoundingClientRect().right))"


def drawings(game: str) -> int:
    """Count the examples on the rule page of a game."""
    return sum(isinstance(part, Fence) and part.kind == "example" for part in segments(rules_page(game)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_drawn_and_fits(browser: Browser, server: Server, language: str) -> None:
    """All examples are pictures, nothing overflows on a phone, and the quick reference fits on one screen."""
    anna = Visitor(browser, server, language=language, dark=language in {"de", "it"})
    page = anna.page
    anna.go("/rules/classic")
    for game in GAMES:
        page.evaluate(TURN_TO, f"/rules/{game}")
        page.wait_for_selector(f"[data-book={game}] [data-example]")
        assert page.locator("[data-example]").count() == drawings(game)
        assert page.locator("article pre").count() == 0
        for size in (LEAST, PHONE):
            anna.resize(size)
            assert page.evaluate(RIGHTMOST) <= size[0], f"{game} overflows at {size[0]}"
        page.click("[data-short]")
        bottom = page.locator("[data-quick]").evaluate("card => card.getBoundingClientRect().bottom + scrollY")
        assert bottom <= PHONE[1], f"{game}: the quick reference takes {bottom} of {PHONE[1]} px"
        check_words(anna)
    anna.shot(f"quick-{language}")
    if language in {"en", "de"}:  # light and dark; test_page_accessibility.py checks whole pages
        check_axe(anna)
    anna.close()


def test_a_rule_can_be_asked_for_cited_and_printed(browser: Browser, server: Server) -> None:
    """A link leads to the paragraph of a rule; ids appear on demand; the printer gets only the page."""
    anna = Visitor(browser, server)
    page = anna.page
    anna.go("/rules/longo?rule=L2")
    asked = page.locator("[data-cited=L2]")
    asked.wait_for()
    page.wait_for_function("scrollY > 400")
    assert "15 and 16" in asked.inner_text()
    assert asked.evaluate("part => part.getBoundingClientRect().top") < 120
    assert page.locator("article small").count() == 0
    page.check("[data-cite]")
    assert page.locator("article small").first.inner_text() == "L1"
    page.locator("[data-contents] button").last.click()
    assert page.evaluate("document.activeElement.innerText") == "Good to know"
    page.evaluate("window.print = () => (window.asked = true)")
    page.click("[data-print-rules]")
    assert page.evaluate("window.asked") is True
    page.emulate_media(media="print")
    assert page.locator(".printed article").is_visible()
    assert not page.locator("main").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".printed").count() == 0
    page.emulate_media(media="screen")
    anna.go("/rules/duel?short")
    page.wait_for_selector("[data-quick]")
    anna.close()
