"""Friends join within ten seconds, also by plain http on the local network; and what they can do about one another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qwixx.server.wire.public_address import lan_address
from support.page.page_driver import (
    DESKTOP,
    KEPT,
    PHONE,
    Browser,
    Server,
    Visitor,
    check_fits,
    expect,
    play_out,
    steps,
)

pytestmark = pytest.mark.browser


class LanAddress:
    """The same server, under the address that a phone on the network uses."""

    def __init__(self, link: str) -> None:
        """Take the start of a link."""
        self.base = link.partition("/t/")[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server of our own: a test opens it to the network."""
    running = Server(tmp_path_factory.mktemp("invite") / "qwixx.db")
    yield running
    running.stop()


def tap(visitor: Visitor, selector: str) -> None:
    """Tap an element with a finger, if a finger can hit it."""
    box = visitor.page.locator(selector).first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 40
    visitor.page.locator(selector).first.tap()


@pytest.mark.skipif(lan_address() == "127.0.0.1", reason="this machine has no network")
def test_friends_come_by_a_link_that_a_phone_can_reach(browser: Browser, server: Server) -> None:
    """The page says that the server is local, opens it to the network after a warning, and its link seats a friend."""
    anna = Visitor(browser, server, size=DESKTOP)
    code = anna.open_table("classic", "Anna")
    anna.page.wait_for_selector("[data-only-here]")
    assert anna.page.input_value("[data-link]") == f"{server.base}/t/{code}"
    anna.page.click("[data-ask-network]")
    anna.page.get_by_text("Everybody on your network").wait_for()
    anna.page.click("[data-open-network]")
    anna.page.wait_for_selector("[data-only-here]", state="detached")
    link = anna.page.input_value("[data-link]")
    assert not link.startswith(server.base)
    anna.page.click("[data-copy]")
    anna.page.get_by_text("The link is copied").wait_for()
    ben = Visitor(browser, LanAddress(link), size=PHONE, language="de-DE")
    ben.page.goto(link)
    ben.page.get_by_text("Anna lädt dich ein").wait_for()
    assert "Anna is waiting" in (ben.page.get_attribute("meta[property='og:title']", "content") or "")
    assert not ben.page.evaluate("isSecureContext")
    check_fits(ben)
    ben.page.fill("form [data-name]", "Ben")
    tap(ben, "[data-sit]")
    ben.page.wait_for_selector("[data-stand='1']")
    ben.page.wait_for_selector("[data-guest]")
    ben.unfold()
    tap(ben, "[data-copy]")  # without the new clipboard API
    ben.page.get_by_text("Der Link ist kopiert").wait_for()
    ben.page.fill("form [data-name]", "")
    ben.page.focus("form [data-name]")
    ben.page.keyboard.press("Control+v")
    assert ben.page.input_value("form [data-name]") == link[:24]
    ben.page.evaluate("document.execCommand = () => false")
    tap(ben, "[data-copy]")  # not even the old one
    ben.page.get_by_text("Der Link ist markiert").wait_for()
    assert ben.page.evaluate("getSelection().toString()") == link
    anna.close()
    ben.close()


def test_from_the_code_to_the_next_game(browser: Browser, server: Server) -> None:
    """A code gives a seat; the host arranges; a late player replaces a bot; reactions; leave and return; a rematch."""
    anna, ben, eve = everybody = [Visitor(browser, server, size=size) for size in (DESKTOP, PHONE, PHONE)]
    code = anna.open_table("classic", "Anna")
    ben.go("/")
    ben.page.click("[data-with-friends]")
    ben.page.fill("[data-name]", "Ben")
    join = anna.page.locator("[data-join-code]").inner_text()
    assert len(join) == 5
    ben.page.fill("[data-code]", join.lower())
    ben.page.keyboard.press("Enter")
    ben.page.wait_for_selector("[data-stand='1']")
    anna.page.click("[data-manage='1']")
    anna.page.fill("[data-new-name]", "Benno")
    anna.page.click("[data-rename]")
    expect(ben.page.locator("li.own input")).to_have_value("Benno")
    anna.page.click("[data-manage='1']")
    anna.page.click("[data-move=up]")
    ben.page.wait_for_selector("[data-stand='0']")
    anna.page.click("[data-manage='0']")
    anna.page.click("[data-make-host]")
    ben.page.wait_for_selector("[data-start]:not([disabled])")
    ben.unfold()
    ben.page.click("[data-bot=easy]")
    ben.begin()
    anna.page.wait_for_selector("main.play")
    late_comer_plays_for_a_bot(eve, code)
    whose_turn_it_is([anna, ben])
    ben.page.click("[data-react]")
    tap(ben, "[data-sign=wow]")
    anna.page.wait_for_selector("[data-shown=wow]")
    ben.page.click("[data-people]")
    ben.page.click("[data-leave]")
    anna.page.wait_for_selector("[data-stand-in]")
    ben.page.click(f"[data-recent='{code}'] a")
    ben.page.click("[data-people]")
    ben.page.click("[data-return]")
    anna.page.wait_for_selector("[data-stand-in]", state="detached")
    ben.page.keyboard.press("Escape")
    play_out(everybody, seed=8, hurry=True)
    anna.page.click("[data-rematch]")
    ben.page.wait_for_selector("[data-again]")
    anna.page.wait_for_selector("[data-rematch-now]")
    assert anna.page.locator("[data-end]").count()
    opened: list[str] = []
    for visitor in everybody:
        visitor.page.on("websocket", lambda socket: opened.append(socket.url))
    for visitor in everybody[1:]:
        visitor.page.click("[data-rematch]")
    for visitor in everybody:
        visitor.page.wait_for_selector("main.play:not(.over)")
    decide_once_each(everybody)
    assert not opened  # the sockets move to the next table
    ben.page.reload()
    decide_once_each(everybody)
    assert len(opened) == 1
    for visitor in everybody:
        visitor.close()


def decide_once_each(visitors: list[Visitor]) -> None:
    """Let everybody click until each has made a decision that the server has accepted."""
    have_clicked: set[int] = set()
    for done in steps(visitors, seed=3):
        have_clicked |= {place for place, each in enumerate(done) if each}
        if len(have_clicked) == len(visitors):
            return


def late_comer_plays_for_a_bot(late: Visitor, code: str) -> None:
    """Join during the game: the page offers the seat of a bot."""
    late.go(f"/t/{code}")
    late.page.fill("[data-late-name]", "Eve")
    check_fits(late)
    tap(late, "[data-take-seat]")
    late.page.wait_for_selector("[data-take-seat]", state="detached")
    late.page.locator(".desk .head .name", has_text="You").wait_for(state="attached")


def whose_turn_it_is(visitors: list[Visitor]) -> None:
    """Check the tab title of the player in turn, and the marks that the others see."""
    asked = [visitor for visitor in visitors if visitor.page.locator("[data-status].mine").count()]
    assert asked
    asker = asked[0]
    assert "Your turn" in asker.page.title()
    assert asker.page.get_attribute("link[rel=icon]", "href") == "/icon-turn.svg"
    for visitor in visitors:
        check_fits(visitor)
        if visitor is not asker:
            visitor.page.wait_for_selector("[data-awaited]")


def test_guests_wait_and_latecomers_get_a_reason(browser: Browser, server: Server) -> None:
    """One person alone is asked; a guest's first words are that they are in; who comes too late reads why."""
    anna, ben, eve = everybody = [Visitor(browser, server, size=size) for size in (DESKTOP, PHONE, PHONE)]
    code = anna.open_table("classic", "Anna")
    anna.page.click("[data-start]")
    anna.page.click("[data-confirm=wait]")
    assert anna.page.locator("main.lobby").count()
    ben.go(f"/t/{code[:5].lower()}")
    ben.page.wait_for_url(f"**/t/{code}")
    ben.page.fill("form [data-name]", "Ben")
    ben.page.click("[data-sit]")
    expect(ben.page.locator("[data-guest]")).to_contain_text("Anna starts the game.")
    box = ben.page.locator("[data-guest]").bounding_box()
    assert box
    assert box["y"] + box["height"] < PHONE[1] / 2
    assert not ben.page.locator("[data-table-code]").is_visible()  # the invitation is folded
    check_fits(ben)
    ben.shot("guest")
    assert anna.page.locator("[data-only-here]").count() == 0  # somebody has come
    anna.begin()
    ben.page.wait_for_selector("main.play")
    eve.go(f"/t/{code}")
    expect(eve.page.locator("[data-no-seat]")).to_contain_text("no seat is free")
    eve.go(f"/t/{code[:5]}")
    eve.page.get_by_text("There is no such table.").wait_for()  # the short code has done its work
    for visitor in everybody:
        visitor.close()


def test_a_latecomer_plays_in_the_next_game(browser: Browser, server: Server) -> None:
    """A spectator keeps a seat, also over a reload; the host sees the name; the next game begins for both."""
    anna, eve = Visitor(browser, server, size=DESKTOP), Visitor(browser, server, size=(320, 568))
    code = anna.open_table("classic", "Anna")
    anna.begin()
    eve.go(f"/t/{code}")
    expect(eve.page.locator("[data-no-seat]")).to_contain_text("no seat is free")
    check_fits(eve)
    eve.shot("next-game")
    tap(eve, "[data-next-take]")
    eve.page.fill("[data-next-name]", "Eve")
    tap(eve, "[data-next-confirm]")
    eve.page.wait_for_selector("[data-next-kept]")
    eve.page.reload()
    eve.page.wait_for_selector("[data-next-kept]")
    check_fits(eve)
    expect(anna.page.locator("[data-next-count]")).to_have_text("1")
    anna.page.click("[data-people]")
    expect(anna.page.locator("[data-next-waiting]")).to_contain_text("Eve")
    anna.page.keyboard.press("Escape")
    play_out([anna], seed=5, hurry=True)
    expect(anna.page.locator("[data-next-waiting]")).to_contain_text("Eve plays in the next game.")
    anna.page.click("[data-rematch]")
    for visitor in (anna, eve):
        visitor.page.wait_for_url(lambda url: code not in url)
        visitor.page.wait_for_selector("main.play:not(.over)")
    assert eve.page.locator("[data-next-take], [data-next-kept]").count() == 0
    eve.page.click("[data-people]")
    expect(eve.page.locator("[role=dialog], dialog").first).to_contain_text("Anna")
    expect(eve.page.locator("[role=dialog], dialog").first).to_contain_text("You")
    for visitor in (anna, eve):
        visitor.close()


def test_wrong_addresses_and_no_network(browser: Browser, server: Server) -> None:
    """An unknown address gives a message; a table without a network has an exit, and the start page says what works."""
    anna = Visitor(browser, server, keeps=True)
    anna.go("/no/where")
    anna.page.wait_for_selector("[data-missing] a")
    anna.page.click("[data-missing] a")
    anna.page.wait_for_selector("[data-with-friends]")
    code = anna.open_table("classic", "Anna")
    anna.page.evaluate(KEPT)
    # The browser loads a page without its worker, as one that is being loaded while the first worker becomes active.
    anna.context.new_cdp_session(anna.page).send("Page.reload", {"ignoreCache": True})
    anna.page.wait_for_selector("main.lobby")
    anna.page.evaluate(KEPT)
    anna.context.set_offline(True)
    anna.go(f"/t/{code}")
    anna.page.wait_for_selector("[data-unreachable]")
    anna.page.get_by_role("link", name="Home").click()
    anna.page.wait_for_selector("[data-away]")
    anna.page.wait_for_selector("[data-door=bots]")
    anna.close()
