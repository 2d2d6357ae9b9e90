"""Hands on the page: everybody sees the numbers of all hands, and only the owner the colors (K11)."""

from __future__ import annotations

import pytest

from support.page.page_driver import PHONE, Browser, Server, Visitor, check_fits, expect

pytestmark = pytest.mark.browser

SMALLEST = (320, 568)
CUT = """() => [...document.querySelectorAll('[data-backs] .back')]
  .filter((back) => back.scrollWidth > back.clientWidth + 1 || parseFloat(getComputedStyle(back).fontSize) < 11)
  .map((back) => back.innerText)"""


def backs(visitor: Visitor, place: str) -> list[int]:
    """Read the numbers of the fan at a place."""
    return [int(text) for text in visitor.page.locator(f"{place} [data-backs] .back").all_inner_texts()]


def own(visitor: Visitor) -> list[int]:
    """Read the numbers of the own hand, sorted."""
    cards = visitor.page.locator("[data-card]").evaluate_all("all => all.map((card) => card.dataset.card)")
    return sorted(int(card[1:]) for card in cards)


def test_all_see_the_numbers_of_a_hand(browser: Browser, server: Server) -> None:
    """Two players and a spectator: the fans have the numbers of the hands, sorted; screen readers read them too."""
    anna, ben, watcher = (Visitor(browser, server, size=size) for size in (PHONE, PHONE, SMALLEST))
    code = anna.open_table("cards-joker", "Anna")
    ben.sit(code, "Ben")
    anna.page.get_by_text("Ben").first.wait_for()
    anna.begin()
    watcher.go(f"/t/{code}")
    for visitor in (anna, ben):
        visitor.page.wait_for_selector("[data-card]")
        visitor.page.wait_for_selector("[data-seat] [data-backs]")
    watcher.page.wait_for_selector(".dock [data-backs]")
    assert backs(anna, "[data-seat='1']") == own(ben)
    assert backs(ben, "[data-seat='0']") == own(anna)
    assert backs(watcher, ".dock") + backs(watcher, ".others [data-seat]") == own(anna) + own(ben)
    words = f"Cards in hand: {' '.join(map(str, own(ben)))}."
    assert words in (anna.page.locator("#sheet-1").text_content() or "")
    anna.page.click("[data-seat='1']")
    expect(anna.page.get_by_role("img", name=words)).to_be_visible()
    anna.shot("hand-of-another")
    check_fits(watcher)
    watcher.shot("hands-spectator")
    for visitor in (anna, ben, watcher):
        assert visitor.page.evaluate(CUT) == []
        visitor.close()


@pytest.mark.parametrize("size", [SMALLEST, PHONE])
def test_four_fans_fit(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Five players on the smallest phone: no number is cut, and nothing overflows."""
    anna = Visitor(browser, server, size=size)
    anna.open_table("cards-joker", "Anna")
    for _ in range(4):
        anna.page.click("[data-bot=easy]")
    anna.begin()
    anna.page.wait_for_selector("[data-card]")
    for seat in range(1, 5):
        numbers = backs(anna, f"[data-seat='{seat}']")
        assert numbers == sorted(numbers)
        assert len(numbers) >= 2
    assert anna.page.evaluate(CUT) == []
    check_fits(anna)
    anna.shot(f"hands-{size[0]}")
    anna.close()


def test_a_shared_device_shows_backs_before_a_hand(browser: Browser, server: Server) -> None:
    """Hot seat, on this device: until the device is handed over no card is open; then the others show their backs."""
    anna = Visitor(browser, server)
    anna.go("/")
    anna.call_oneself("Anna")
    anna.play_here()
    anna.set_up("cards")
    anna.page.fill("form [data-name]", "Ben")
    anna.page.click("[data-sit]")
    anna.begin()
    anna.page.wait_for_selector("[data-ready]")
    assert anna.page.locator("[data-card]").count() == 0
    anna.page.click("[data-ready]")
    anna.page.wait_for_selector("[data-card]")
    numbers = backs(anna, ".others [data-seat]")
    assert numbers == sorted(numbers)
    assert len(numbers) == 4
    anna.shot("hands-shared")
    anna.close()
