"""All screens of the page, one after another, by one visitor. The walk is the same in every run of a seeded server."""

from __future__ import annotations

from collections.abc import Iterator

from support.games.seeded import seed_servers
from support.page.page_driver import AT_ONCE, Browser, Place, Visitor, play_until

MOMENT = "2026-03-04 10:00"
"""The time of the server and of the page: today's roll and all dates depend on it."""
_CROSSES = 6


def wanderer(browser: Browser, server: Place) -> Visitor:
    """Return a visitor whose walk is always the same."""
    seed_servers("screens")
    return Visitor(browser, server, settings={**AT_ONCE, "name": "Anna", "sound": False}, moment=MOMENT)


def walk(browser: Browser, visitor: Visitor) -> Iterator[str]:
    """Go to each screen, wait until it is drawn, and yield its name."""
    page = visitor.page

    def show(path: str, drawn: str) -> None:
        visitor.go(path)
        page.locator(drawn).first.wait_for()

    show("/", "[data-game]")
    yield "start"
    page.click("[data-settings]")
    page.wait_for_selector("dialog [data-language]")
    yield "settings"
    show("/privacy", "[data-privacy]")
    yield "privacy"
    show("/rules/bonus-b", "article h2")
    yield "rules"
    page.locator("[data-print]").first.click()
    page.wait_for_selector("[data-print-now]")
    yield "print"
    show("/learn/classic", "main .rows")
    yield "lesson"
    show("/train/classic", "[data-puzzle]")
    yield "training"
    show("/today", "main h1")
    yield "today"
    show("/count", "[data-count-game]")
    yield "count"
    friend = Visitor(browser, visitor.server)
    visitor.sit(friend.open_table("classic", "Ben"), "Anna")
    page.wait_for_selector("[data-guest]")
    yield "lobby-guest"
    friend.close()
    code = visitor.open_table("classic", "Anna")
    show(f"/t/{code}", "main.lobby")
    yield "lobby-host"
    visitor.unfold()
    page.click("[data-bot=easy]")
    page.click("[data-bot=normal]")
    visitor.begin()
    play_until(visitor, ".desk .cell.crossed", _CROSSES)
    page.wait_for_selector("[data-status].mine")
    yield "turn"
    show(f"/t/{code}/tv", "main.tv[data-phase]")
    yield "television"
    show(f"/t/{code}", "main.play")
    play_until(visitor, "[data-end]", hurry=True)
    yield "end"
    show(f"/r/{code}", "[data-step]")
    yield "replay"
    show(f"/r/{code}/review", "[data-review] [data-verdict]")
    yield "review"
