"""The screens around a game: lobby, shared device, real dice, spectators, rematch, replay, reconnect, rules."""

from __future__ import annotations

import pytest

from support.page.page_driver import (
    DESKTOP,
    Browser,
    Server,
    Visitor,
    expect,
    play_out,
    play_turns,
    roll,
    steps,
)

pytestmark = pytest.mark.browser


def test_a_game_against_bots_is_one_click_away_and_ends_in_replay_and_rematch(browser: Browser, server: Server) -> None:
    """Play against bots to the end; step through the replay; play again."""
    anna = Visitor(browser, server, size=DESKTOP)
    anna.play_now("classic")
    play_out([anna], seed=5, hurry=True)
    assert len(anna.scores()) == 3
    total = anna.scores()[0]
    anna.more()
    anna.page.click("[data-replay]")
    anna.page.wait_for_selector("[data-step='0']")
    anna.shot("replay-start")
    anna.page.click("[data-forth]")
    anna.page.wait_for_selector("[data-step='1']")
    anna.page.keyboard.press("ArrowRight")
    anna.page.wait_for_selector("[data-step='2']")
    anna.page.keyboard.press("ArrowLeft")
    anna.page.wait_for_selector("[data-step='1']")
    anna.page.keyboard.press("End")
    anna.page.wait_for_selector("[data-final]")
    assert anna.scores()[0] == total
    anna.page.click("[data-seat-tab='1']")
    anna.shot("replay-end")
    anna.page.go_back()
    anna.page.wait_for_selector("[data-rematch]")
    with server.silent():
        anna.page.click("[data-rematch]")
        anna.page.wait_for_selector("[data-banner]")
    anna.page.wait_for_selector("main.play:not(.over)")
    assert anna.page.locator(".sheet [data-score]").get_attribute("data-score") == "0"
    anna.close()


def test_the_lobby_seats_bots_and_keeps_options(browser: Browser, server: Server) -> None:
    """Bots are added and removed; all see the options."""
    anna, ben = Visitor(browser, server, size=DESKTOP), Visitor(browser, server)
    code = anna.open_table("cards", "Anna")
    anna.page.click("[data-bot=strong]")
    anna.page.click("[data-bot=easy]")
    anna.page.get_by_label("Remove Bot 2").click()
    anna.page.select_option("[data-sheet]", "gemixxt-a")
    ben.sit(code, "Ben <b>&amp;")
    expect(ben.page.locator("[data-sheet]")).to_have_value("gemixxt-a")
    anna.page.get_by_text("Ben <b>&amp;").wait_for()
    anna.shot("lobby-desktop")
    ben.shot("lobby-phone")
    anna.begin()
    ben.page.wait_for_selector("main.play")
    play_out([anna, ben], seed=4)
    anna.close()
    ben.close()


def test_several_people_share_a_device_and_hide_their_hands(browser: Browser, server: Server) -> None:
    """Pass and play: the device asks to be handed over before it shows a hand."""
    anna = Visitor(browser, server)
    anna.open_table("cards-joker", "Anna")
    anna.page.fill("form [data-name]", "Ben")
    anna.page.click("[data-sit]")
    anna.begin()
    anna.page.wait_for_selector("[data-ready]")
    assert anna.page.locator("[data-card]").count() == 0
    anna.shot("hand-over")
    playing = steps([anna], seed=2)
    while not anna.page.locator(".feed .w-played").count():
        next(playing)
    anna.close()


def test_people_may_roll_their_own_dice(browser: Browser, server: Server) -> None:
    """Solitaire with real dice: the page uses the entered dice."""
    anna = Visitor(browser, server)
    anna.open_table("classic", "Anna")
    anna.page.check("[data-real]")
    expect(anna.page.locator("[data-real]")).to_be_checked()
    anna.begin()
    roll(anna, "342615")
    anna.page.get_by_text("White sum 7").first.wait_for()
    assert anna.page.locator("[data-lit=yes]").count() == 4
    anna.close()


def test_a_bonus_that_meets_a_tie_asks_for_the_row(browser: Browser, server: Server) -> None:
    """Bonus B: yellow 11 and green 9 give two crosses in the row with the fewest, and two rows have equally few."""
    anna = Visitor(browser, server)
    anna.open_table("bonus-b", "Anna")
    anna.page.check("[data-real]")
    expect(anna.page.locator("[data-real]")).to_be_checked()
    anna.begin()
    roll(anna, "561111")
    anna.page.click("[data-cell=y11]")
    anna.page.wait_for_selector("[data-cell=y11].crossed")  # otherwise the pass would be for the phase before
    anna.page.click("[data-do=pass]:not([disabled])")
    roll(anna, "451111")
    anna.page.click("[data-cell=g9]")
    anna.page.wait_for_selector("[data-tie='g9>b']")
    anna.shot("tie")
    anna.page.click("[data-tie='g9>b']")
    anna.page.wait_for_selector("[data-cell=b11].crossed")
    assert "two crosses in the row with the fewest crosses" in anna.page.locator(".feed").inner_text()
    anna.close()


def test_an_absent_persons_seat_goes_to_a_bot_and_comes_back(browser: Browser, server: Server) -> None:
    """Any seated player may ask for it; the absent person can take the seat back."""
    anna, ben = Visitor(browser, server), Visitor(browser, server)
    code = anna.open_table("classic", "Anna")
    ben.sit(code, "Ben")
    anna.begin()
    ben.page.wait_for_selector("main.play")
    ben.go("/")
    anna.page.locator(".other", has_text="Ben").click()
    anna.page.get_by_role("button", name="Let a bot take over").click()
    ben.go(f"/t/{code}")
    ben.page.get_by_role("button", name="Take my seat back").click()
    ben.page.get_by_role("button", name="Take my seat back").wait_for(state="detached")
    for visitor in (anna, ben):
        visitor.close()


def test_a_tap_on_an_unlit_cell_says_why_not(browser: Browser, server: Server) -> None:
    """One sentence, in the reader's language."""
    anna = Visitor(browser, server, language="fr-FR")
    anna.play_now("classic")
    anna.page.wait_for_selector("[data-status].mine")
    anna.page.locator("[data-cell=r12]").click(force=True)
    sentence = anna.page.locator("[data-reply]")
    sentence.wait_for()
    assert sentence.get_attribute("data-reply") in {"too-few-crosses", "not-the-sum"}
    assert "12 rouge" in sentence.inner_text()
    anna.shot("why-not")
    anna.close()


def test_spectators_watch_and_cannot_decide(browser: Browser, server: Server) -> None:
    """Anyone with the link may watch."""
    anna, ben, eve = (Visitor(browser, server) for _ in range(3))
    code = anna.open_table("cards", "Anna")
    ben.sit(code, "Ben")
    anna.begin()
    eve.go(f"/t/{code}")
    eve.page.wait_for_selector("main.play")
    assert eve.page.locator("[data-card], [data-lit=yes], [data-do]").count() == 0
    expect(eve.page.locator("[data-no-seat]")).to_contain_text("You are watching")
    eve.shot("spectator")
    for visitor in (anna, ben, eve):
        visitor.close()


def test_the_page_reconnects_by_itself(browser: Browser, server: Server) -> None:
    """A reload keeps the seat; after a server crash the page waits, and the game continues where it was."""
    anna = Visitor(browser, server)
    anna.play_now("classic")
    play_turns([anna], 3)
    anna.page.wait_for_selector("[data-status].mine, [data-end]")
    before = anna.page.locator(".sheet .crossed").count()
    anna.page.reload()
    anna.page.wait_for_selector("[data-status].mine, [data-end]")
    assert anna.page.locator(".sheet .crossed").count() == before
    with server.down():
        anna.page.wait_for_selector("[data-banner]")
        anna.shot("connection-lost")
    anna.page.wait_for_selector("[data-banner]", state="detached")
    assert anna.page.locator(".sheet .crossed").count() == before
    play_out([anna], seed=1, hurry=True)
    anna.close()


def test_unknown_tables_and_games_get_a_message(browser: Browser, server: Server) -> None:
    """A wrong link leads to the start page."""
    anna = Visitor(browser, server)
    anna.go("/t/ZZZZZZ")
    anna.page.get_by_text("There is no such table.").wait_for()
    anna.go("/r/ZZZZZZ")
    anna.page.get_by_text("There is no finished game with this code.").wait_for()
    anna.page.get_by_text("Home").click()
    anna.page.wait_for_selector("[data-game]")
    anna.page.click("[data-with-friends]")
    anna.page.fill("[data-code]", "nope")
    anna.page.get_by_text("Join", exact=True).click()
    anna.page.get_by_text("There is no table with this code.").wait_for()
    anna.close()


def test_open_windows_show_what_others_chose(browser: Browser, server: Server) -> None:
    """At an open table a choice appears on the other screen while the window is open; at a sealed one it does not."""
    for is_open in (True, False):
        anna, ben = (Visitor(browser, server) for _ in range(2))
        code = anna.open_table("classic", "Anna")
        ben.sit(code, "Ben")
        if is_open:
            anna.page.get_by_label("Decide in secret").uncheck()
        anna.begin()
        ben.page.wait_for_selector("main.play [data-lit=yes]")
        lit = anna.page.locator("[data-lit=yes]").first
        number = lit.get_attribute("data-cell") or ""
        lit.click()
        doing = ben.page.locator(".other .doing").first
        doing.filter(has_not_text="thinking").wait_for(state="attached")
        assert (number[1:] in doing.inner_text()) == is_open
        anna.close()
        ben.close()
