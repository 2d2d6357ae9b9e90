"""The page without a server: games on one device offline, saved through everything, and as files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import qwixx
from qwixx.server.http.static_site import write_site
from support.page.page_driver import (
    AT_ONCE,
    DESKTOP,
    GAMES,
    KEPT,
    PHONE,
    Browser,
    Server,
    Visitor,
    check_fits,
    play_until,
)
from support.page.static_host import Host

pytestmark = pytest.mark.browser

# Tap highlighted things like a player who does not think long, until the selector has this many matches. The random
# sequence advances only with taps, not with the checks in between: a slow machine makes the same taps. The first line
# of the worker that runs the games of a device fixes their chance in every run. Codes of tables are drawn as bytes and
# stay random, because two tables of one device must not share a code.
SEEDED = """let games = 0n; crypto.getRandomValues = ((draw) => (into) =>
  into instanceof BigUint64Array ? into.fill(++games) : draw.call(crypto, into))(crypto.getRandomValues);
"""
# The action of another tab: it writes the game, and this tab does not know it yet.
WRITE_ELSEWHERE = """(code) => new Promise((done) => {
  indexedDB.open('qwixx').onsuccess = ({ target }) => {
    const games = target.result.transaction('games', 'readwrite').objectStore('games');
    games.get(code).onsuccess = ({ target }) => {
      games.put({ ...target.result, count: target.result.count + 1 }).onsuccess = done;
    };
  };
})"""
UPDATED = """async () => {
  const found = await navigator.serviceWorker.getRegistration();
  await found.update();
  while (!found.waiting) await new Promise((resolve) => setTimeout(resolve, 10));
}"""
CROSSED = ".sheet .crossed"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[Host]:
    """Yield the page on a static host, which offers a server."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, server.base)
    (worker,) = folder.glob("assets/worker-*.js")
    worker.write_text(SEEDED + worker.read_text("utf-8"), "utf-8")
    running = Host(folder)
    yield running
    running.stop()


def visit(browser: Browser, place: Host | Server, size: tuple[int, int] = PHONE, language: str = "en-US") -> Visitor:
    """Open the page with bots that decide immediately, wait until it is cached, and disconnect the network."""
    visitor = Visitor(browser, place, size=size, language=language, settings=AT_ONCE, keeps=True)
    visitor.go("/")
    visitor.page.evaluate(KEPT)
    visitor.context.set_offline(True)
    visitor.page.reload()
    visitor.page.wait_for_selector("[data-game]")
    return visitor


def play_out(visitor: Visitor, seed: int = 7, *, hurry: bool = True) -> None:
    """Tap highlighted things until the game is over; in a hurry where the end matters and not the game."""
    play_until(visitor, "[data-end]", seed=seed, hurry=hurry)


def begin(visitor: Visitor, variant: str) -> None:
    """Play against bots."""
    visitor.enter(variant, "bots")
    visitor.page.wait_for_selector("main.play")


def crosses(visitor: Visitor) -> list[str]:
    """Read the crosses on the front sheet."""
    visitor.page.wait_for_selector("[data-status].mine, [data-end], [data-ready]")
    return list(visitor.page.locator(CROSSED).evaluate_all("all => all.map(cell => cell.dataset.cell)"))


def points(visitor: Visitor) -> list[int]:
    """Read the final scores as numbers."""
    return [int(text.replace("\N{MINUS SIGN}", "-")) for text in visitor.scores()]


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_every_game_without_a_network(browser: Browser, host: Host, size: tuple[int, int]) -> None:
    """Play all nine games one after the other; then replay the last one step by step.

    Each game is played to its end at one of the sizes, and until the second turn at the other.
    """
    anna = visit(browser, host, size)
    check_fits(anna)
    anna.shot(f"here-start-{size[0]}")
    for seed, variant in enumerate(GAMES, 1):
        begin(anna, variant)
        play_until(anna, "[data-turn='2']", seed=seed)
        check_fits(anna)
        if variant == GAMES[-1] or seed % 2 == (size == PHONE):
            play_out(anna, seed, hurry=False)
            assert len(anna.scores()) == (2 if variant == "duel" else 3)
        if variant != GAMES[-1]:
            anna.page.click("header .quiet")
    total = anna.scores()
    anna.shot(f"here-end-{size[0]}")
    anna.more()
    anna.page.click("[data-replay]")
    anna.page.wait_for_selector("[data-step='0']")
    anna.page.keyboard.press("End")
    anna.page.wait_for_selector("[data-final]")
    assert anna.scores() == total
    anna.close()


def test_a_game_outlives_reloads_and_a_killed_tab(browser: Browser, host: Host) -> None:
    """In the middle of a game, and of an open window; the rematch is one tap away."""
    anna = visit(browser, host)
    begin(anna, "bonus-a")
    before: list[str] = []
    for seed in range(1, 4):
        # Something is highlighted in an empty row whatever the dice show. So this takes about three turns, too few for
        # an end.
        play_until(anna, CROSSED, len(before) + 1, seed)
        before = crosses(anna)
        anna.page.reload()
        assert crosses(anna) == before
    address = anna.page.url
    anna.page.evaluate("document.querySelector('[data-do=pass]')?.click()")
    anna.page.close()  # immediately: no code runs on the way out
    anna.page = anna.context.new_page()
    anna.page.goto(address)
    assert set(before) <= set(crosses(anna))
    anna.page.goto(host.base + "/")
    anna.page.click("[data-recent] a")
    play_out(anna)
    anna.page.click("[data-rematch]")
    anna.page.wait_for_selector("main.play:not(.over)")
    assert anna.page.url != address
    anna.close()


def test_two_tabs_at_one_table(browser: Browser, host: Host) -> None:
    """Both tabs see the same; a tab whose move is too late gets a message, and continues from the saved state."""
    anna = visit(browser, host)
    anna.enter("classic", "friends")
    anna.begin()
    second = anna.context.new_page()
    second.goto(anna.page.url)
    second.wait_for_selector("[data-lit=yes]")
    cell = anna.page.locator("[data-lit=yes]").first.get_attribute("data-cell")
    anna.page.click(f"[data-cell={cell}]")
    second.wait_for_selector(f"[data-cell={cell}].crossed")
    anna.page.evaluate(WRITE_ELSEWHERE, anna.page.url.rpartition("/")[2])
    anna.page.click("[data-do=pass]:not([disabled])")
    anna.page.wait_for_selector("[data-reply=late]")
    assert crosses(anna) == [cell]
    play_out(anna)
    second.wait_for_selector("[data-end]")
    anna.close()


def test_a_file_takes_a_game_elsewhere(browser: Browser, host: Host, server: Server, tmp_path: Path) -> None:
    """A game that started offline continues from its file, on this device and on a server, where it can be replayed."""
    anna = visit(browser, host, DESKTOP)
    anna.call_oneself("Anna")
    begin(anna, "cards-joker")
    play_until(anna, CROSSED)
    before = crosses(anna)
    anna.page.click("header .quiet")
    file = tmp_path / "game.txt"
    with anna.page.expect_download() as saving:
        anna.page.click("[data-save]")
    saving.value.save_as(file)
    game = qwixx.Game.from_record(file.read_text("utf-8"))
    assert (game.variant.id, game.seats, game.is_over) == ("cards-joker", 3, False)
    anna.page.set_input_files("[data-file]", file)
    assert crosses(anna) == before
    play_out(anna)
    anna.more()
    with anna.page.expect_download() as saving:
        anna.page.click("[data-record]")
    saving.value.save_as(file)
    scores = points(anna)
    assert qwixx.Game.from_record(file.read_text("utf-8")).scores() == tuple(scores)
    anna.close()
    ben = Visitor(browser, server)
    ben.go("/")
    ben.page.set_input_files("[data-file]", file)
    ben.page.wait_for_selector("[data-step='0']")
    assert "/r/" in ben.page.url
    ben.page.get_by_text("Anna").first.wait_for()
    ben.page.keyboard.press("End")
    ben.page.wait_for_selector("[data-final]")
    assert points(ben) == scores
    file.write_text("no game")
    ben.go("/")
    ben.page.set_input_files("[data-file]", file)
    ben.page.get_by_text("This is not the record of a game").wait_for()
    ben.close()


def test_several_people_and_real_dice_on_one_device(browser: Browser, host: Host) -> None:
    """Hands are hidden until the device is handed over; real dice are entered by taps."""
    anna = visit(browser, host, language="de-DE")
    anna.enter("cards", "friends")
    for seats, name in ((2, "Ben"), (3, "Cleo")):
        anna.page.fill("form [data-name]", name)
        anna.page.click("[data-sit]")
        anna.page.locator("li.own").nth(seats - 1).wait_for()
    anna.shot("here-lobby")
    assert anna.page.locator("[data-table-code]").count() == 0  # nobody can be invited
    anna.begin()
    anna.page.wait_for_selector("[data-ready]")
    assert anna.page.locator("[data-card]").count() == 0
    play_until(anna, ".feed .w-played")
    anna.go("/")
    anna.enter("classic", "friends")
    anna.unfold()
    anna.page.check("[data-real]")
    anna.begin()
    for face in "342615":
        anna.page.click(f"[data-face='{face}']")
    anna.page.click("[data-roll]")
    anna.page.wait_for_selector("[data-lit=yes]")
    assert anna.page.locator("[data-lit=yes]").count() == 4
    anna.page.locator("[data-cell=r12]").click(force=True)
    anna.page.wait_for_selector("[data-reply=too-few-crosses], [data-reply=not-the-sum]")
    anna.close()


def test_the_page_and_its_servers(browser: Browser, host: Host, server: Server) -> None:
    """A static page links its configured server; rules can be read offline; without a server the page still works."""
    anna = visit(browser, host)
    anna.page.click("[data-with-friends]")
    assert anna.page.locator("[data-friends] a").get_attribute("href") == server.base
    assert anna.page.locator("[data-code]").count() == 0
    anna.page.keyboard.press("Escape")
    anna.page.click("[data-how]")
    anna.page.wait_for_selector("[data-set-up]")
    assert anna.page.locator("[data-places]").count() == 0
    anna.page.keyboard.press("Escape")
    anna.page.click("[data-game=longo]")
    anna.page.click("[data-rules]")
    anna.page.locator("article h2").wait_for()
    assert anna.page.url.endswith("#/rules/longo")
    anna.close()
    ben = visit(browser, server)
    ben.page.wait_for_selector("[data-away]")
    begin(ben, "classic")
    assert "/here/t/" in ben.page.url
    play_out(ben)
    ben.context.set_offline(False)
    ben.more()
    ben.page.click("[data-publish]")
    ben.page.wait_for_selector("[data-step='0']")
    assert "/here/" not in ben.page.url
    ben.go("/")
    ben.play_here()
    begin(ben, "duel")
    assert "/here/t/" in ben.page.url
    ben.close()


def test_an_update_is_offered_between_games(browser: Browser, host: Host) -> None:
    """It waits during a game, and is applied by a tap."""
    anna = visit(browser, host)
    begin(anna, "classic")
    worker = host.folder / "sw.js"
    worker.write_text(worker.read_text("utf-8").replace('VERSION = "', 'VERSION = "1'), "utf-8")
    anna.context.set_offline(False)
    anna.page.evaluate(UPDATED)
    assert anna.page.locator("[data-update]").count() == 0
    play_until(anna, CROSSED)
    before = crosses(anna)
    anna.page.click("header .quiet")
    with anna.page.expect_navigation():
        anna.page.click("[data-update]")
    anna.page.wait_for_selector("[data-recent] a")
    assert anna.page.locator("[data-update]").count() == 0
    anna.page.click("[data-recent] a")
    assert crosses(anna) == before
    anna.close()


def test_the_page_answers_while_the_server_is_slow(browser: Browser, server: Server) -> None:
    """Reasons, the effect of a bonus and the own choice appear immediately; the server confirms them later."""
    anna, ben = Visitor(browser, server, size=DESKTOP), Visitor(browser, server)
    code = anna.open_table("bonus-a", "Anna")
    ben.sit(code, "Ben")
    anna.page.check("[data-real]")
    anna.begin()
    roller = next(each for each in (anna, ben) if each.page.locator("[data-roll]").count())
    for face in "125555":
        roller.page.click(f"[data-face='{face}']")
    roller.page.click("[data-roll]")
    anna.page.wait_for_selector("[data-cell=r3][data-lit=yes]")
    anna.page.hover("[data-cell=r3]")  # boxed: the first cell of the bar is red, and 4 is next there (BA2)
    anna.page.wait_for_selector("[data-cell=r4][data-coming]")
    with server.silent():
        anna.page.click("[data-cell=r8]", force=True)
        anna.page.wait_for_selector("[data-reply=not-the-sum]")
        anna.page.click("[data-cell=r3]")
        anna.page.wait_for_selector("[data-cell=r3].chosen")
    ben.page.click("[data-do=pass]")
    anna.page.wait_for_selector("[data-cell=r4].crossed")
    anna.close()
    ben.close()


def test_an_old_browser_gets_a_message(browser: Browser, host: Host, server: Server) -> None:
    """Without WebAssembly a static page says why it cannot play; the page of a server works as before."""
    anna, ben = Visitor(browser, host), Visitor(browser, server)
    for visitor in (anna, ben):
        visitor.context.add_init_script("delete globalThis.WebAssembly")
        visitor.go("/")
    anna.page.get_by_text("too old to play without a server").wait_for()
    ben.page.click("[data-how]")
    ben.page.wait_for_selector("[data-set-up]")
    assert ben.page.locator("[data-places]").count() == 0
    anna.close()
    ben.close()
