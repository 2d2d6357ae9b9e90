"""Without a network a bot lacks its neural network: its seat says so, and the game is neither won nor lost."""

from __future__ import annotations

import json

import pytest

from support.page.page_driver import AT_ONCE, KEPT, Browser, Server, Visitor, expect, play_until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("online", [True, False], ids=["online", "offline"])
def test_a_bot_without_its_net_says_so(browser: Browser, server: Server, *, online: bool) -> None:
    """The same game on this device, with a network and without one."""
    anna = Visitor(browser, server, settings=AT_ONCE, keeps=True)
    anna.go("/")
    anna.page.evaluate(KEPT)
    anna.play_here()
    anna.context.set_offline(not online)
    anna.enter("classic", "bots")
    anna.page.wait_for_selector("main.play")
    play_until(anna, "[data-end]")
    bots = anna.page.locator(".other", has_text="rules of thumb")
    expect(bots).to_have_count(0 if online else 2)
    (kept,) = json.loads(anna.page.evaluate("localStorage.getItem('qwixx.results')"))
    assert kept.get("plain", False) == (not online)
    anna.close()
