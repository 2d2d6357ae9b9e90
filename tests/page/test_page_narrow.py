"""The page on the smallest phone, 320 by 568, where every word must be readable."""

from __future__ import annotations

import random

import pytest

from qwixx.base.languages import LANGUAGES
from support.page.page_driver import Browser, Server, Visitor, check_fits

pytestmark = pytest.mark.browser

SMALLEST = (320, 568)
LINES = """() => {
  const [status, words] = [document.querySelector('[data-status]'), document.querySelector('[data-status] .words')];
  const [around, inside] = [status.getBoundingClientRect(), words.getBoundingClientRect()];
  const isWide = words.scrollWidth > words.clientWidth + 1;
  return isWide || inside.top < around.top - 1 || inside.bottom > around.bottom + 1 ? status.innerText : '';
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_can_be_read(browser: Browser, server: Server, language: str) -> None:
    """Longo has the longest rows and words: its prompt is not cut, and everything fits."""
    anna = Visitor(browser, server, size=SMALLEST, language=language)
    anna.play_now("longo")
    luck = random.Random(5)
    for _ in range(12):
        anna.page.wait_for_selector("[data-status].mine, [data-end]")
        if anna.page.locator("[data-end]").count():
            break
        assert anna.page.evaluate(LINES) == ""
        check_fits(anna)
        anna.step(luck)
    anna.close()
