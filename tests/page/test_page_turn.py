"""A turn on the page: dice and cells, chains, actions, news, dice rolled by hand, the end, results."""

from __future__ import annotations

import random
import re

import pytest

from support.page.catalogues import CATALOGUES
from support.page.page_driver import DESKTOP, Browser, Server, Visitor, check_fits, expect, play_out, play_turns, roll

pytestmark = pytest.mark.browser

MINUS = "\N{MINUS SIGN}"


def own_dice(visitor: Visitor, variant: str, *others: str) -> None:
    """Open a table with real dice, where a test sets the rolls; others share the device."""
    visitor.open_table(variant, "Anna")
    for name in others:
        visitor.page.fill("form [data-name]", name)
        visitor.page.click("[data-sit]")
    visitor.page.check("[data-real]")
    expect(visitor.page.locator("[data-real]")).to_be_checked()
    visitor.begin()


def tap(visitor: Visitor, selector: str) -> None:
    """Tap with a finger."""
    visitor.page.locator(selector).tap()


def pass_on(visitor: Visitor) -> None:
    """Pass, and confirm if the page asks."""
    visitor.page.locator("[data-do=pass]:not([disabled])").click()
    yes = visitor.page.locator("[data-yes]")
    if yes.count():
        yes.click()


def notes(visitor: Visitor) -> dict[str, str]:
    """Read the small notes on highlighted cells."""
    pair = "note => [note.closest('[data-cell]').dataset.cell, note.dataset.note]"
    return dict(visitor.page.locator("[data-note]").evaluate_all(f"all => all.map({pair})"))


def test_dice_and_cells_show_one_another(browser: Browser, server: Server) -> None:
    """White 3, 4, red 2, yellow 6, green 1, blue 5: a cell of the color sum shows its dice, a tapped die its cells."""
    anna = Visitor(browser, server)
    own_dice(anna, "classic")
    roll(anna, "342615")
    expect(anna.page.locator("[data-status]")).to_contain_text("Your roll. White sum 7")
    assert notes(anna) == {}
    pass_on(anna)
    anna.page.wait_for_selector("[data-phase=color]")
    pairs = {"r5": "3+2", "r6": "4+2", "y9": "3+6", "y10": "4+6", "g4": "3+1", "g5": "4+1", "b8": "3+5", "b9": "4+5"}
    assert notes(anna) == pairs
    tap(anna, "[data-tray='0']")
    with_three = {"r5", "y9", "g4", "b8"}
    for cell in pairs:
        assert ("aside" in (anna.page.locator(f"[data-cell={cell}]").get_attribute("class") or "")) == (
            cell not in with_three
        )
    anna.page.locator("[data-cell=y10]").focus()
    shown = "[...document.querySelectorAll('[data-tray].shown')].map(die => die.dataset.tray)"
    assert anna.page.evaluate(shown) == ["1", "3"]
    assert anna.page.locator("[data-sum]").inner_text() == "10"
    assert "4+6" in (anna.page.locator("[data-cell=y10]").get_attribute("aria-label") or "")
    anna.close()


def test_a_chain_is_shown_before_it_is_crossed(browser: Browser, server: Server) -> None:
    """Bonus A: green 11 is boxed and the bar starts with red, so red 2 is crossed too (BA2); the second tap does it."""
    anna = Visitor(browser, server)
    own_dice(anna, "bonus-a")
    roll(anna, "561111")
    anna.page.wait_for_selector("[data-cell=g11] [data-more='1']")
    assert anna.page.locator("[data-more]").count() == 2  # green 11 and yellow 11 are boxed, red 11 and blue 11 are not
    tap(anna, "[data-cell=g11]")
    expect(anna.page.locator("[data-status]")).to_contain_text("green 11 → red 2")
    anna.page.wait_for_selector("[data-cell=r2][data-coming]")
    assert anna.page.locator(".sheet .crossed").count() == 0
    anna.shot("chain")
    anna.page.wait_for_timeout(600)  # an immediate second tap would be a double tap, which counts as one
    tap(anna, "[data-cell=g11]")
    anna.page.wait_for_selector("[data-cell=r2].crossed")
    assert anna.page.locator(".sheet .crossed").count() == 2
    anna.close()


def test_a_double_tap_keeps_the_preview(browser: Browser, server: Server) -> None:
    """The second tap of a double tap crosses nothing, and what the first one shows stays."""
    anna = Visitor(browser, server, settings={})
    own_dice(anna, "bonus-a")
    roll(anna, "561111")
    anna.page.wait_for_selector("[data-cell=g11] [data-more='1']")
    for _ in range(2):
        tap(anna, "[data-cell=g11]")
    anna.page.wait_for_timeout(600)  # longer than a double tap
    assert anna.page.locator("[data-cell=r2][data-coming]").count() == 1
    assert anna.page.locator("[data-tray].shown").count() == 2
    expect(anna.page.locator("[data-status]")).to_contain_text("green 11 → red 2")
    assert anna.page.locator(".sheet .crossed").count() == 0
    anna.close()


def test_keys_press_the_buttons(browser: Browser, server: Server) -> None:
    """On a desk the buttons show their keys: p passes, u takes the decision back. A phone shows no keys."""
    anna = Visitor(browser, server, size=DESKTOP)
    own_dice(anna, "classic")
    roll(anna, "342615")
    expect(anna.page.locator("[data-do=pass] kbd")).to_be_visible()
    anna.page.locator("body").press("p")
    anna.page.wait_for_selector("[data-phase=color]")
    anna.page.locator("body").press("u")
    anna.page.wait_for_selector("[data-phase=white]")
    anna.resize((390, 844))
    expect(anna.page.locator("[data-do=pass] kbd")).to_be_hidden()
    anna.close()


def test_an_opened_sheet_has_its_misses_once(browser: Browser, server: Server) -> None:
    """The line of points has the four boxes, so the drawing above it has none."""
    anna = Visitor(browser, server)
    anna.play_now("classic")
    anna.page.locator(".other").first.click()
    expect(anna.page.locator("dialog .misses .box")).to_have_count(4)
    expect(anna.page.locator("dialog .drawing .miss")).to_have_count(0)
    anna.close()


def test_the_duel_shows_its_three_actions(browser: Browser, server: Server) -> None:
    """A pawn is placed on a free cell, the other's pawn is captured (D3), an own pawn is stacked on (D4)."""
    anna = Visitor(browser, server)
    own_dice(anna, "duel", "Ben")
    roll(anna, "341111")
    expect(anna.page.locator("[data-status]")).to_contain_text("place, capture")
    tap(anna, "[data-cell=r7]")
    anna.page.wait_for_selector("[data-phase=color]")
    pass_on(anna)
    roll(anna, "341111")
    expect(anna.page.locator("[data-cell=r7] [data-note]")).to_have_attribute("data-note", "⚔")
    assert "capture" in (anna.page.locator("[data-cell=r7]").get_attribute("aria-label") or "")
    assert anna.page.locator("[data-cell=r7].marked").count() == 1
    tap(anna, "[data-cell=y7]")
    anna.page.wait_for_selector("[data-phase=color]")
    pass_on(anna)
    roll(anna, "341111")
    expect(anna.page.locator("[data-cell=r7] [data-note]")).to_have_attribute("data-note", "+1")
    anna.close()


def test_the_history_names_the_players_and_survives_a_reload(browser: Browser, server: Server) -> None:
    """Oldest first, by turns; new crosses of bots are marked, and announced to screen readers."""
    anna = Visitor(browser, server)
    anna.play_now("classic")
    for wanted in range(2, 14):  # until a bot has made a cross that is still new
        play_turns([anna], wanted)
        anna.page.wait_for_selector("[data-status].mine, [data-end]")
        if anna.page.locator(".others [data-new]").count():
            break
    assert anna.page.locator(".others [data-new]").count()
    turns = [
        int(turn) for turn in anna.page.locator(".feed [data-turn]").evaluate_all("all => all.map(e => e.dataset.turn)")
    ]
    assert turns == list(range(1, len(turns) + 1))
    heads = anna.page.locator(".feed .w-rolled").all_inner_texts()
    assert all(re.match(r"(You roll|Bot [12] rolls): white \d \+ \d = \d", head) for head in heads)
    history = anna.page.locator(".feed").inner_text()
    anna.page.reload()
    anna.page.wait_for_selector("[data-status].mine, [data-end]")
    assert anna.page.locator(".feed").inner_text() == history
    text = anna.page.locator("#sheet-1").text_content() or ""
    assert re.search(r"Red row: .*Yellow row: .*Green row: .*Blue row: .*point", text)
    assert anna.page.locator(".desk [data-lock=r]").get_attribute("aria-label") == "lock, open"
    anna.close()


def test_dice_are_rolled_by_hand(browser: Browser, server: Server) -> None:
    """With motion enabled, the own roll waits for a tap or a shake, and vibrates; rolls of others do not."""
    anna = Visitor(browser, server)
    anna.page.emulate_media(reduced_motion="no-preference")
    anna.page.add_init_script("window.felt = []; navigator.vibrate = (how) => (felt.push(how), true)")
    luck = random.Random(2)
    for how in ("tap", "shake"):
        anna.go("/")
        anna.page.evaluate("how => localStorage.setItem('qwixx.settings', JSON.stringify({roll: how, guard: 0}))", how)
        anna.play_now("classic")
        for _ in range(400):
            if anna.page.locator("[data-roll-dice]").count():
                break
            if not anna.step(luck):
                anna.page.wait_for_timeout(20)
        anna.page.wait_for_selector("[data-roll-dice]")
        assert anna.page.locator("[data-lit=yes], [data-do]").count() == 0
        before = anna.page.locator(".feed .w-rolled").count()
        anna.shot(f"roll-by-{how}")
        if how == "tap":
            tap(anna, "[data-roll-dice]")
        else:
            shake = "() => dispatchEvent(Object.assign(new Event('devicemotion'), {acceleration: {x: 30, y: 0, z: 0}}))"
            anna.page.evaluate(shake)
        anna.page.wait_for_selector("[data-do=pass]:not([disabled])")
        assert anna.page.locator(".feed .w-rolled").count() == before + 1
        assert anna.page.evaluate("felt.length") > 0
    anna.close()


def test_the_end_of_a_game(browser: Browser, server: Server) -> None:
    """Solitaire, four misses: the screen shows the last roll, the total and the reason; picture and results work."""
    anna = Visitor(browser, server)
    own_dice(anna, "classic")
    for turn in range(4):
        roll(anna, "342615")
        pass_on(anna)
        anna.page.wait_for_selector("[data-phase=color]")
        if turn == 3:
            anna.page.emulate_media(reduced_motion="no-preference")
        pass_on(anna)
    last = anna.page.locator("[data-last-roll]")
    expect(last).to_contain_text("The fourth miss was yours.")
    assert anna.page.locator("[data-end]").count() == 0
    assert anna.page.locator("[data-sum]").inner_text() == "7"
    anna.shot("last-roll")
    anna.page.click("[data-count]")
    expect(anna.page.locator("[data-end] h2")).to_have_text("Counting up…")
    expect(anna.page.locator("[data-end] h2")).to_have_text("Done.")
    expect(anna.page.locator("[data-end] h2")).to_be_focused()
    assert anna.page.locator("[data-hero]").inner_text() == f"{MINUS}20"
    assert anna.scores() == [f"{MINUS}20"]
    assert anna.page.locator("[data-fact]").all_inner_texts() == [
        f"{MINUS}20\nyour first result",
        f"{MINUS}20\naverage of one game",
    ]
    with anna.page.expect_download() as picture:
        anna.page.click("[data-picture]")
    assert picture.value.suggested_filename.endswith(".png")
    anna.more()
    anna.page.click("[data-my-results]")
    anna.page.wait_for_selector("[data-results='1']")
    assert anna.page.locator("[data-result=classic] td").all_inner_texts() == [
        "1",
        "0",
        f"{MINUS}20",
        f"{MINUS}20",
        "0",
    ]
    with anna.page.expect_download() as saved:
        anna.page.click("[data-export]")
    assert re.search(r"Z,classic,1,-20,1,,,\n$", saved.value.path().read_text("utf-8"))
    for _ in range(2):
        anna.page.click("[data-delete-results]")
    anna.page.wait_for_selector("[data-results='0']")
    anna.close()


def test_five_players_fit_on_a_phone_in_every_language_and_the_replay_has_turns(
    browser: Browser, server: Server
) -> None:
    """Every total is on the screen; the replay steps by turns, and its address names the moment."""
    anna = Visitor(browser, server)
    anna.open_table("bonus-b", "Bartholomäus")
    for _ in range(4):
        anna.page.click("[data-bot=easy]")
    anna.begin()
    play_out([anna], seed=6)
    end = anna.page.url
    for language in CATALOGUES:
        anna.page.evaluate("language => localStorage.setItem('qwixx.settings', JSON.stringify({language}))", language)
        anna.page.goto(end)
        anna.page.wait_for_selector(f"html[lang={language}] [data-final]")
        for wide, tall in ((390, 844), (320, 568)):
            anna.resize((wide, tall))
            check_fits(anna)
            boxes = [total.bounding_box() for total in anna.page.locator("[data-final]").all()]
            assert len(boxes) == 5
            assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= wide for box in boxes)
    anna.more()
    anna.page.click("[data-replay]")
    anna.page.wait_for_selector("[data-step='0']")
    anna.page.click("[data-forth-turn]")
    anna.page.click("[data-forth-turn]")
    anna.page.wait_for_selector("[data-turn='2']")
    step, url = anna.page.locator("[data-step]").get_attribute("data-step"), anna.page.url
    assert re.search(r"\?at=\d+&seat=0$", url)
    check_fits(anna)
    anna.page.goto(url)
    anna.page.wait_for_selector(f"[data-step='{step}']")
    anna.page.select_option("[data-jump]", index=0)
    anna.page.wait_for_selector("[data-step='1']")
    # Every step except the first shows something.
    seen = []
    last = int(anna.page.locator("input[type=range]").get_attribute("max") or 0)
    for _ in range(min(last, 12)):
        seen.append(anna.page.locator(".feed").inner_text())
        anna.page.click("[data-forth]")
    assert len(set(seen)) == len(seen)
    anna.close()


def test_forced_colors_leave_the_game_playable(browser: Browser, server: Server) -> None:
    """Rows keep their color, cells their border, and highlighted cells are distinct."""
    anna = Visitor(browser, server, size=DESKTOP)
    own_dice(anna, "classic")
    roll(anna, "342615")
    anna.page.wait_for_selector("[data-lit=yes]")
    anna.page.emulate_media(forced_colors="active")
    look = """cell => { const s = getComputedStyle(document.querySelector(`[data-cell=${cell}]`));
        return [s.borderTopWidth, s.backgroundColor, s.color] }"""
    lit, plain = anna.page.evaluate(look, "r7"), anna.page.evaluate(look, "r8")
    assert plain[0] == "1px"
    assert all(mine != other for mine, other in zip(lit, plain, strict=True))
    rows = anna.page.locator(".sheet .row").evaluate_all(
        "rows => rows.map(row => getComputedStyle(row).backgroundColor)"
    )
    assert len(set(rows)) == 4
    anna.shot("forced-colors")
    anna.close()
