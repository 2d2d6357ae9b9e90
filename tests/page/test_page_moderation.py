"""Moderation on the page: people can remove and ban others, vote, and delete their data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.page.page_driver import DESKTOP, PHONE, Browser, Server, Visitor, check_fits, play_out

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server without a waiting time before votes, where a host stays the host while away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QWIXX_VOTE_SECONDS", "0.1")
        patch.setenv("QWIXX_GRACE_SECONDS", "600")
        running = Server(tmp_path_factory.mktemp("people") / "qwixx.db")
    yield running
    running.stop()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_host_removes_and_bans(browser: Browser, quick: Server, size: tuple[int, int]) -> None:
    """A removed person may sit down again; a banned one sees the reason. Other players have no such button."""
    anna, eve = Visitor(browser, quick, size=size), Visitor(browser, quick, language="de-DE")
    code = anna.open_table("classic", "Anna")
    eve.sit(code, "Eve")
    anna.page.click("[data-manage='1']")
    anna.page.wait_for_selector("[data-confirm=ban]")
    check_fits(anna)
    anna.shot(f"remove-{size[0]}")
    assert eve.page.locator("[data-manage]").count() == 0
    anna.page.click("[data-confirm=remove]")
    eve.page.wait_for_selector("[data-reply=removed]")
    eve.page.fill("form [data-name]", "ANNA")
    eve.page.click("[data-sit]")
    eve.page.wait_for_selector("[data-reply=name-taken]")
    assert eve.page.input_value("form [data-name]") == "ANNA"
    eve.page.fill("form [data-name]", "")
    eve.page.click("[data-sit]")
    anna.page.click("[data-manage='1']")
    anna.page.click("[data-confirm=ban]")
    eve.page.get_by_text("lässt dich bis zum Ende").wait_for()
    anna.page.wait_for_selector("[data-manage]", state="detached")
    anna.close()
    eve.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_people_vote_for_a_bot(browser: Browser, quick: Server, size: tuple[int, int]) -> None:
    """Against a player who does not move: one vote is the majority of one, and the player can return."""
    anna, ben = Visitor(browser, quick, size=size), Visitor(browser, quick)
    ben.sit(anna.open_table("classic", "Anna"), "Ben")
    anna.begin()
    anna.page.click(".other")
    anna.page.wait_for_selector("[data-vote]")
    check_fits(anna)
    anna.shot(f"vote-{size[0]}")
    anna.page.click("[data-vote]")
    ben.page.click(".back")
    anna.page.click(".other")
    anna.page.click("[data-ban]")
    anna.page.get_by_text("has to leave until").wait_for()
    anna.page.click("[data-ban]")
    ben.page.get_by_text("does not let you in").wait_for()
    anna.close()
    ben.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_deleting_own_data(browser: Browser, quick: Server, size: tuple[int, int]) -> None:
    """After the game a player can remove the own name, and delete the table after a confirmation."""
    anna = Visitor(browser, quick, size=size)
    anna.go("/")
    anna.call_oneself("Anna")
    anna.enter("duel", "bots")
    anna.page.wait_for_selector("main.play")
    play_out([anna], seed=6, hurry=True)
    anna.page.locator("[data-end]").get_by_text("You").first.wait_for()
    check_fits(anna)
    anna.shot(f"afterwards-{size[0]}")
    anna.more()
    anna.page.click("[data-forget]")
    anna.page.get_by_text("This cannot be undone").wait_for()
    anna.page.keyboard.press("Escape")
    assert anna.page.locator("[data-forgotten]").count() == 0
    anna.page.click("[data-forget]")
    anna.page.click("[data-confirm=forget]")
    anna.page.wait_for_selector("[data-forgotten]")
    ben = Visitor(browser, quick)  # to herself she is "You"
    ben.page.goto(anna.page.url)
    ben.page.locator("[data-line-name]").get_by_text("—").wait_for()
    assert ben.page.locator("[data-end]").get_by_text("Anna").count() == 0
    ben.close()
    anna.page.click("[data-delete]")
    anna.page.click("[data-confirm=delete]")
    anna.page.wait_for_selector("main.calm")
    anna.page.reload()
    anna.page.wait_for_selector("main.calm h1")
    anna.close()
