"""Verifiable dice in a browser: the commitment before the game, custom words, and the verification after it."""

from __future__ import annotations

import httpx
import pytest

from qwixx.fair.commitment import promise_of, verify
from support.page.page_driver import Browser, Server, Visitor, check_fits, play_out

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("variant", "language"), [("longo", "fr"), ("cards", "de")])
def test_the_page_checks_the_dice(browser: Browser, server: Server, variant: str, language: str) -> None:
    """The page finds the same as `qwixx verify`; with another commitment the verification fails."""
    anna = Visitor(browser, server, language=language)
    anna.open_table(variant, "Anna")
    anna.page.click("[data-bot=easy]")
    anna.page.fill("[data-words='0']", "trois petits chats")
    anna.page.locator("[data-words='0']").blur()
    anna.page.wait_for_selector("[data-seal='0']")
    anna.page.reload()
    anna.unfold()
    anna.page.wait_for_selector("[data-seal='0']")
    assert anna.page.input_value("[data-words='0']") == "trois petits chats"  # it never left the device
    room = httpx.get(f"{server.base}/api/tables/{anna.page.url.rsplit('/', 1)[1]}", timeout=60)
    assert "petits" not in room.text
    promise = anna.page.inner_text("[data-promise]")
    check_fits(anna)
    anna.begin()
    play_out([anna], seed=3)
    anna.more()
    code = anna.page.url.rsplit("/", 1)[1]
    anna.page.click("[data-fair] summary")
    assert promise_of(anna.page.inner_text("[data-seed]")) == promise == anna.page.inner_text("[data-promise]")
    anna.page.click("[data-check]")
    anna.page.wait_for_selector("[data-verdict=kept]")
    check_fits(anna)
    found = verify(httpx.get(f"{server.base}/api/tables/{code}/record", timeout=60).text, promise)
    assert found.words == ("trois petits chats", "")
    assert (bool(found.seals[0]), found.left_out) == (True, ())
    assert str(found.throws) in anna.page.inner_text("[data-verdict]")
