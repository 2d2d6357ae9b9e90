"""Two browsers play a whole game of every variant against each other, by clicking highlighted cells."""

from __future__ import annotations

import pytest

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

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("variant", GAMES)
def test_two_browsers_play_a_whole_game(browser: Browser, server: Server, variant: str) -> None:
    """One on a desktop, one on a phone: both see the same end. Look-alikes of other games hurry to it."""
    anna = Visitor(browser, server, size=DESKTOP)
    ben = Visitor(browser, server, size=PHONE, language="de-DE", dark=True)
    code = anna.open_table(variant, "Anna")
    ben.sit(code, "Ben")
    anna.begin()
    ben.page.wait_for_selector("main.play")
    play_some([anna, ben], rounds=8 if variant in LOOK_ALIKES else 20, seed=1)
    for visitor in (anna, ben):
        check_fits(visitor)
    anna.shot(f"{variant}-play-desktop")
    ben.shot(f"{variant}-play-phone")
    play_out([anna, ben], seed=len(variant), hurry=variant in LOOK_ALIKES)
    assert anna.scores() == ben.scores()
    assert len(anna.scores()) == 2
    anna.shot(f"{variant}-end-desktop")
    ben.shot(f"{variant}-end-phone")
    anna.close()
    ben.close()
