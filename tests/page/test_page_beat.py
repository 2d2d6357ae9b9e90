"""The beat of a turn: dice, sum, cells; the second to undo; the order on one device; pace and sound."""

from __future__ import annotations

import re

import pytest

from support.page.page_driver import AT_ONCE, Browser, Server, Visitor, expect, roll

pytestmark = pytest.mark.browser
DASH = "\N{EN DASH}"
LONG = "600000ms"
"""A flight of dice that ends by a tap alone: no test depends on how fast the machine is."""

# Everything that could reveal a roll.
TOLD = """() => ({
  sum: document.querySelector('[data-sum]').innerText,
  tray: document.querySelector('.tray').ariaLabel,
  dice: [...document.querySelectorAll('[data-tray]')].map((die) => die.ariaLabel).join(),
  lit: document.querySelectorAll('[data-lit=yes]').length,
  notes: document.querySelectorAll('[data-note]').length,
  status: document.querySelector('[data-status]').innerText.trim(),
  story: document.querySelectorAll('.feed .w-rolled').length,
  heard: [...document.querySelectorAll('.teller [aria-live]')].map((part) => part.innerText).join('').trim(),
  title: document.title,
})"""

# How far dice reach over the status at any moment of their flight, in pixels.
OVER = """() => {
  const [bottom] = [...document.querySelectorAll('[data-status] .words')].map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect().bottom;
  });
  const flights = document.getAnimations().filter(({ effect }) => effect.target.matches('[data-tray] *'));
  const dice = [...document.querySelectorAll('[data-tray] svg')];
  let most = -Infinity;
  for (let step = 0; step <= 40; step++) {
    for (const flight of flights) flight.currentTime = (flight.effect.getTiming().duration * step) / 40.1;
    most = Math.max(most, ...dice.map((die) => bottom - die.getBoundingClientRect().top));
  }
  return [flights.length, most];
}"""


def moving(browser: Browser, server: Server, **settings: object) -> Visitor:
    """Return a visitor whose system does not reduce motion."""
    visitor = Visitor(browser, server, settings={**AT_ONCE, "roll": "self", "soundAsked": True, **settings})
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.go("/")
    return visitor


def set_flight(visitor: Visitor, time: str) -> None:
    """Set how long dice fly."""
    visitor.page.evaluate("time => document.documentElement.style.setProperty('--m-dice', time)", time)


def test_nothing_reveals_a_roll_before_the_dice_land(browser: Browser, server: Server) -> None:
    """While dice fly no text, label, number or lit cell says what they will show; a tap ends it and decides nothing."""
    anna = moving(browser, server)
    set_flight(anna, LONG)
    anna.enter("classic", "bots")
    expect(anna.page.locator("[data-status]")).to_contain_text("The dice tumble…")
    told = anna.page.evaluate(TOLD)
    assert (told["sum"], told["lit"], told["notes"], told["story"], told["heard"]) == (DASH, 0, 0, 0, "")
    assert told["tray"] == "The dice tumble…"
    assert not re.search(r"\d", told["dice"] + told["status"] + told["title"])
    expect(anna.page.locator("[data-do=pass]")).to_be_disabled()
    flying, most = anna.page.evaluate(OVER)
    assert flying == 6
    assert most <= 6, "dice fly over the status"
    anna.page.locator("[data-cell=r7]").click(force=True)
    anna.page.wait_for_selector("[data-do=pass]:not([disabled])")
    told = anna.page.evaluate(TOLD)
    assert told["sum"] in told["tray"]
    assert told["sum"] in told["status"]
    assert told["story"] == 1
    expect(anna.page.locator(".teller")).to_contain_text(re.compile(r"You roll: white \d \+ \d"))
    assert anna.page.locator(".cell.chosen, [data-reply]").count() == 0
    anna.close()


def test_dice_land_then_the_sum_then_the_cells(browser: Browser, server: Server) -> None:
    """The three steps come one after the other; with reduced motion everything is there at once."""
    anna = moving(browser, server)
    anna.page.evaluate(
        """() => {
          window.seen = [];
          const look = () => {
            const [sum, lit] = ['[data-sum]', '[data-lit=yes], [data-do=pass]:not([disabled])'];
            const shown = document.querySelector(sum)?.innerText;
            const now = `${/\\d/.test(shown) ? 'sum' : 'dice'} ${document.querySelector(lit) ? 'cells' : ''}`.trim();
            if (shown && now !== seen.at(-1)) seen.push(now);
          };
          const all = {subtree: true, childList: true, attributes: true, characterData: true};
          new MutationObserver(look).observe(document, all);
        }"""
    )
    anna.enter("classic", "bots")
    anna.page.wait_for_selector("[data-do=pass]:not([disabled])")
    assert anna.page.evaluate("seen.slice(0, 3)") == ["dice", "sum", "sum cells"]
    anna.close()
    ben = Visitor(browser, server)
    ben.play_now("classic")
    ben.page.wait_for_selector("[data-do=pass]:not([disabled])")
    assert "The dice tumble" not in ben.page.locator("[data-status]").inner_text()
    ben.close()


def test_a_color_decision_can_be_undone_before_the_next_roll(browser: Browser, server: Server) -> None:
    """Solitaire: a ring runs out round Undo while the next roll waits; then the color window is open again."""
    anna = Visitor(browser, server, settings={**AT_ONCE, "undoSeconds": 600, "place": "here"})
    anna.go("/")
    anna.enter("classic", "alone")
    for phase in ("white", "color"):
        anna.page.wait_for_selector(f"main[data-phase={phase}]")
        anna.page.locator("[data-lit=yes]").first.click()
    anna.page.wait_for_selector("main[data-phase=roll] [data-undo-left]")
    crossed = anna.page.locator(".sheet .cell.crossed").count()
    anna.page.click("[data-do=undo]")
    anna.page.wait_for_selector("main[data-phase=color] [data-lit=yes]")
    assert anna.page.locator(".sheet .cell.crossed").count() == crossed - 1
    anna.close()


def test_one_device_goes_around_the_table(browser: Browser, server: Server) -> None:
    """Three people: the roller decides first, then the others, then the roller; the next roller's sheet follows."""
    anna = Visitor(browser, server)
    anna.open_table("classic", "Anna")
    for name in ("Ben", "Oma"):
        anna.page.fill("form [data-name]", name)
        anna.page.click("[data-sit]")
    anna.page.check("[data-real]")
    anna.begin()
    anna.page.wait_for_selector("main[data-phase=roll]")
    main = anna.page.locator("main.play")
    roller = int(main.get_attribute("data-seat") or 0)
    for turn in range(2):
        first = (roller + turn) % 3
        expect(main).to_have_attribute("data-seat", str(first))
        roll(anna, "342615")
        for seat in (first, (first + 1) % 3, (first + 2) % 3, first):
            expect(main).to_have_attribute("data-seat", str(seat))
            anna.page.locator("[data-lit=yes]").first.click()
    expect(main).to_have_attribute("data-seat", str((roller + 2) % 3))
    anna.close()


def test_the_pace_is_set_for_the_table_and_sound_is_offered_once(browser: Browser, server: Server) -> None:
    """The host's pace goes to the table, during the game too. The question about sound comes at the first roll only."""
    anna = moving(browser, server, soundAsked=False)
    sent: list[str] = []
    anna.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    anna.play_now("classic")
    offer = anna.page.locator("[data-sound-offer]")
    offer.locator("[data-sound=no]").click()
    expect(offer).to_have_count(0)
    anna.page.click("[data-settings]")
    anna.page.select_option("[data-setting=pace]", "fast")
    expect(anna.page.locator("html")).to_have_attribute("data-pace", "fast")
    anna.page.wait_for_function("true")
    assert any('"pace":"fast"' in text for text in sent)
    anna.play_now("classic")
    anna.page.wait_for_selector("[data-do=pass]:not([disabled])")
    expect(offer).to_have_count(0)
    anna.close()


def test_a_seat_is_called_thinking_once(browser: Browser, server: Server) -> None:
    """A reader hears the name, one word for what the player does, and the points."""
    anna = Visitor(browser, server, settings={**AT_ONCE, "botDelay": 600, "place": "here"})
    anna.play_now("classic")
    other = anna.page.locator("button.other").first
    expect(other).to_have_accessible_name(re.compile(r"^Bot 1\b.* thinking 0 points$"))
    name = str(other.aria_snapshot())
    assert name.count("thinking") == 1
    anna.close()
