"""Drive the page in a real browser: start a server, open pages, click highlighted elements."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from support.paths import ROOT

pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import qwixx
from support.games.seeded import SEED_FILE, seed_files
from support.page.static_host import Host
from support.server.free_ports import free_port
from support.server.seeded_server import COMMAND, MOMENT, seconds_until

__all__ = ["Browser", "expect", "sync_playwright"]

SHOTS = ROOT / "scratch"
WANTS_SHOTS = "QWIXX_TEST_SHOTS" in os.environ
"""Whether tests save pictures of their screens. A picture costs as much time as ten taps."""
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)
GAMES = qwixx.games()
LOOK_ALIKES = ("gemixxt-a", "gemixxt-b", "cards")
"""Games whose screens have the same parts in the same places as those of classic and cards-joker."""
PHONE = (390, 844)
DESKTOP = (1280, 800)
PATIENCE = 60_000
"""Timeout for anything on the screen, in milliseconds: a busy machine is not a failure."""
expect.set_options(timeout=PATIENCE)

UNLIMITED = {
    "QWIXX_BOT_DELAY": "0",
    "QWIXX_UNDO_SECONDS": "0",
    "QWIXX_GRACE_SECONDS": "0",
    "QWIXX_TABLES_PER_ADDRESS": "5000",
    "QWIXX_RATE": "5000",
    "QWIXX_BURST": "5000",
    "QWIXX_REQUEST_RATE": "5000",
    "QWIXX_REQUEST_BURST": "5000",
    "QWIXX_ADDRESS_RATE": "5000",
    "QWIXX_ADDRESS_BURST": "5000",
}
"""Settings of a server: bots decide immediately, people tap fast, and all devices of all tests share one address."""

# The next click of a player who clicks highlighted elements. It uses only the screen. A player in a hurry passes where
# the rules allow it: the misses end the game after a few turns.
NEXT_CLICK = """(luck, hurry = false) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const pick = (list) => list[Math.floor(luck * list.length)];
  if (all('[data-end]').length) return 'over';
  if (all('[data-ready]').length) return '[data-ready]';
  if (all('[data-yes]').length) return '[data-yes]';
  if (all('[data-tie]').length) return `[data-tie="${pick(all('[data-tie]')).dataset.tie}"]`;
  if (!all('[data-status].mine').length) return '';
  if (all('[data-do=take]').length) {
    if (all('[data-do=take]:not([disabled])').length) return '[data-do=take]';
    const card = pick(all('[data-take].lit:not([aria-pressed=true])'));
    return card ? `[data-take="${card.dataset.take}"]` : '';
  }
  if (all('[data-do=play]').length) {
    const chosen = all('[data-card][aria-pressed=true]').length;
    const next = pick(all('[data-card].lit:not([aria-pressed=true])'));
    if (next && (!chosen || (chosen < 3 && luck > 0.4 && !all('.cell.chosen').length))) {
      return `[data-card="${next.dataset.card}"]`;
    }
    return chosen ? '[data-do=play]' : '';
  }
  if (hurry && all('[data-do=pass]:not([disabled])').length) return '[data-do=pass]';
  const cell = pick(all('[data-lit=yes]'));
  if (cell) return `[data-cell="${cell.dataset.cell}"]`;
  return all('[data-do=pass]:not([disabled])').length ? '[data-do=pass]' : '';
}"""


# Wait for the next change of the page. Not every condition is part of the document, so it ends after a moment, too.
CHANGE = """() => new Promise((resolve) => {
  const done = () => {
    clearTimeout(timer);
    seen.disconnect();
    resolve();
  };
  const seen = new MutationObserver(done);
  const timer = setTimeout(done, 50);
  seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})"""

# Wait on the page until a condition is true; return its value.
UNTIL = f"""async (find) => {{
  const change = {CHANGE};
  const end = Date.now() + {PATIENCE};
  for (;;) {{
    const changed = change();
    const found = find();
    if (found || Date.now() > end) return found;
    await changed;
  }}
}}"""

# Wait for two frames in a row, as a click does; return whether they came.
PICTURES = f"""() => Promise.race([
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))),
  new Promise((resolve) => setTimeout(() => resolve(false), {PATIENCE} / 12)),
])"""

# Return whether the table is stable: the same boxes in ten frames in a row, sooner or later.
STILL = f"""async () => {{
  const boxOf = (part) => Object.values(part.getBoundingClientRect().toJSON()).join();
  const boxes = () => [...document.querySelectorAll('[data-settings], main > *')].map(boxOf).join('|');
  const end = Date.now() + {PATIENCE};
  let [before, same] = ['', 0];
  while (same < 10 && Date.now() < end) {{
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 1000))]);
    const now = boxes();
    same = now === before ? same + 1 : 0;
    before = now;
  }}
  return same === 10;
}}"""

# Return the place for the mouse; none if another element covers it.
AIM = f"""(luck) => {{
  const target = ({NEXT_CLICK})(luck);
  const element = target && target !== 'over' ? document.querySelector(target) : null;
  if (!element) return {{target, x: 0, y: 0}};
  element.scrollIntoView({{block: 'nearest'}});
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return {{target: element.contains(document.elementFromPoint(x, y)) ? target : '', x, y}};
}}"""

# Wait until the page is cached on the device. The function waits by itself, because the page's policy forbids repeated
# evaluation of a text.
KEPT = """async () => {
  for (let waits = 0; waits < 6000; waits++) {
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const found = await navigator.serviceWorker.getRegistration();
  const states = ["installing", "waiting", "active"].map((name) => `${name}: ${found?.[name]?.state}`);
  throw new Error(`No service worker controls the page after a minute. ${states.join(", ")}`);
}"""


class Server:
    """A real server on this machine, which can be stopped and started again."""

    def __init__(self, db: Path, moment: str = "", settings: Mapping[str, str] | None = None) -> None:
        """Start it with its own database; daily games use the given moment instead of now."""
        self.db = db
        self._seed_file = db.with_suffix(".seed")
        self._seed_file.write_text("server", "utf-8")
        seed_files.add(self._seed_file)
        self._given = dict(settings or {}) | {SEED_FILE: str(self._seed_file)} | ({MOMENT: moment} if moment else {})
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        environment = UNLIMITED | os.environ | self._given
        command = [*COMMAND, "--port", str(self.port), "--no-open", "--db", str(self.db)]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                with urlopen(f"{self.base}/healthz", timeout=1):
                    return
            except (URLError, ConnectionError, TimeoutError):
                assert self.process.poll() is None, "the server has stopped"
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Keep connections open while the server does not answer."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @contextmanager
    def down(self) -> Iterator[None]:
        """Kill it, and start it again afterwards: everything that was acknowledged is on disk."""
        self._kill()
        try:
            yield
        finally:
            self.start()

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End it."""
        self._kill()
        seed_files.discard(self._seed_file)


class Place(Protocol):
    """The host of a page."""

    base: str


class Visitor:
    """A user with their own browser. Errors on the page and requests to other hosts fail the test."""

    def __init__(
        self,
        browser: Browser,
        server: Place,
        *,
        size: tuple[int, int] = PHONE,
        language: str = "en-US",
        dark: bool = False,
        touch: bool | None = None,
        settings: Mapping[str, object] | None = None,
        keeps: bool = False,
        moment: str = "",
    ) -> None:
        """Open a browser window, narrow ones with touch; taps count immediately, unless other settings are given.

        The clock of the page starts with the given moment instead of now.

        The page is cached on the device only on demand: that downloads all of it, each time.
        """
        self.server = server
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=size[0] < 900 if touch is None else touch,
        )
        self.context.set_default_timeout(PATIENCE)
        chosen = json.dumps({"guard": 0, "undoSeconds": 0} if settings is None else dict(settings))
        path = "" if isinstance(server, Host) else urlsplit(server.base).path  # a static site has the plain names
        key = f"{path}:qwixx.settings" if path else "qwixx.settings"
        self.context.add_init_script(f"localStorage.getItem({key!r}) ?? localStorage.setItem({key!r}, {chosen!r})")
        if moment:
            ahead = f"{seconds_until(moment) * 1000:.0f}"
            self.context.add_init_script(f"Date.now = ((now) => () => now() + {ahead})(Date.now)")
        if not keeps:
            self.context.add_init_script("delete Navigator.prototype.serviceWorker")
        # One number per click, not per look: otherwise the choices would depend on how fast the machine is.
        self._drawn: float | None = None
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self._listen(message.type, message.text))
        self.page.on("request", lambda request: self._watch(request.url))

    def _listen(self, kind: str, text: str) -> None:
        # The browser itself reports an unreachable server, or a table that does not exist.
        if kind == "error" and "Failed to load resource" not in text and "WebSocket connection" not in text:
            self.complaints.append(text)

    def _watch(self, url: str) -> None:
        if not url.startswith((self.server.base, "blob:")):
            self.complaints.append(f"request to {url}")

    def go(self, path: str) -> None:
        """Go to a screen."""
        self.page.goto(self.server.base + path)

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window, and wait until the page is drawn in it.

        A headless browser sometimes does not draw after a change of size until something else changes. Real browsers
        do, so the size is set once more then.
        """
        wide, tall = size
        for _ in range(12):
            self.page.set_viewport_size({"width": wide, "height": tall})
            if self.page.evaluate(PICTURES):
                return
            self.page.set_viewport_size({"width": wide, "height": tall + 1})
        raise AssertionError(f"the page is not drawn at {wide}x{tall}")

    def choose(self, variant: str) -> None:
        """Choose a game on the start page."""
        self.page.click(f"[data-game={variant}]")
        self.page.wait_for_selector(f"[data-game={variant}].chosen")

    def enter(self, variant: str, door: str) -> None:
        """Choose a game on the start page and a way to play it: the main button, or one in a dialog."""
        self.choose(variant)
        if door == "friends":
            self.page.click("[data-with-friends]")
        elif door != "bots":
            self.page.click("[data-how]")
        self.page.click(f"[data-door={door}]:not([disabled])")

    def set_up(self, variant: str) -> None:
        """Open a table from the start page where several people play, with other options."""
        self.choose(variant)
        self.page.click("[data-how]")
        self.page.click("[data-set-up]")

    def play_here(self) -> None:
        """Choose games on this device on the start page."""
        self.page.click("[data-how]")
        self.page.click("[data-places] summary")
        self.page.click("[data-place=here]")
        self.page.wait_for_selector("[data-place=here][aria-pressed=true]")
        self.page.keyboard.press("Escape")

    def call_oneself(self, name: str) -> None:
        """Enter a name on the start page, where friends are invited."""
        self.page.click("[data-with-friends]")
        self.page.fill("[data-name]", name)
        self.page.keyboard.press("Escape")

    def open_table(self, variant: str, name: str) -> str:
        """Open a table from the start page and return its code."""
        self.go("/")
        self.choose(variant)
        self.page.click("[data-with-friends]")
        self.page.fill("[data-name]", name)
        self.page.click("[data-door=friends]:not([disabled])")
        code = self.page.locator("[data-table-code]").get_attribute("data-table-code")
        assert code
        self.unfold()
        return code

    def unfold(self) -> None:
        """Open the options of a lobby, and the way to seat bots and more people on this device."""
        self.page.wait_for_selector("main.lobby")
        self.page.evaluate("for (const part of document.querySelectorAll('.lobby details')) part.open = true")

    def sit(self, code: str, name: str) -> None:
        """Join a table and sit down."""
        self.go(f"/t/{code}")
        self.page.fill("form [data-name]", name)
        self.page.click("[data-sit]")

    def begin(self) -> None:
        """Start the game from the lobby."""
        self.page.click("[data-start]:not([disabled])")
        self.page.locator("main.play, [data-confirm=alone]").first.wait_for()
        if self.page.locator("[data-confirm=alone]").count():  # nobody else has come
            self.page.click("[data-confirm=alone]")
        self.page.wait_for_selector("main.play")

    def play_now(self, variant: str) -> None:
        """Start against bots."""
        self.go("/")
        self.enter(variant, "bots")
        self.page.wait_for_selector("main.play")

    def step(self, luck: random.Random) -> str:
        """Click one highlighted element; return "over" at the end and nothing while waiting for others."""
        if self._drawn is None:
            self._drawn = luck.random()
        aim = self.page.evaluate(AIM, self._drawn)
        target = str(aim["target"])
        if target and target != "over":
            self._drawn = None
            self.page.mouse.click(aim["x"], aim["y"])
            self.page.wait_for_timeout(10)  # the answer is on its way; another click would only change the choice
        return target

    def more(self) -> None:
        """Open the list of all that can be done after a game."""
        self.page.click("[data-more] > summary")

    def scores(self) -> list[str]:
        """Read the final scores, seat by seat: the page shows them by rank."""
        lines = self.page.locator("[data-final]")
        seats = lines.evaluate_all("all => all.map((line) => Number(line.dataset.final))")
        totals = dict(zip(seats, lines.all_inner_texts(), strict=True))
        return [totals[seat] for seat in sorted(totals)]

    def shot(self, name: str) -> None:
        """Save a picture of the screen on demand, in a folder that git ignores."""
        if not WANTS_SHOTS:
            return
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")

    def close(self) -> None:
        """Close the window; fail for every recorded error."""
        self.context.close()
        assert not self.complaints, self.complaints


def play_some(visitors: list[Visitor], rounds: int, seed: int) -> None:
    """Let all players click highlighted elements a few times, so that there is something to look at.

    A round in which everybody waits for others does not count: a slow machine plays as far as a fast one.
    """
    playing = steps(visitors, seed)
    for _ in range(rounds):
        while not any(next(playing)):
            pass


def play_out(visitors: list[Visitor], seed: int, *, hurry: bool = False) -> None:
    """Let all players tap highlighted elements until the game is over, at the same time and without a mouse.

    Tests that need the end of a game, and not the game, let them hurry.
    """
    for number, visitor in enumerate(visitors):
        how = ["[data-end]", 1, seed + number, hurry]
        visitor.page.evaluate(f"(how) => {{ window.playing = ({TAP})(how); }}", how)
    for visitor in visitors:
        assert visitor.page.evaluate("window.playing"), "the game does not go on"


def steps(visitors: list[Visitor], seed: int) -> Iterator[list[str]]:
    """Let each player click one highlighted element, again and again; fail if nothing is highlighted for long."""
    luck = random.Random(seed)
    last = time.monotonic()
    while time.monotonic() - last < PATIENCE / 1000:
        done = [visitor.step(luck) for visitor in visitors]
        if any(done):
            last = time.monotonic()
        else:
            time.sleep(0.01)
        yield done
    raise AssertionError("the game does not go on")


def check_fits(visitor: Visitor) -> None:
    """Check that nothing overflows sideways or, during a game, below the screen. Animations may take a moment."""
    end = time.monotonic() + PATIENCE / 1000
    while True:
        wide, tall = visitor.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        size = visitor.page.viewport_size
        assert size
        is_playing = visitor.page.locator("main.play:not(.over)").count()
        if wide <= size["width"] and not (is_playing and tall > size["height"]):
            return
        if time.monotonic() > end:
            raise AssertionError(f"{wide}x{tall} on {size}: {visitor.page.locator('main').inner_text()[:600]}")
        visitor.page.wait_for_timeout(100)


def one_of(visitors: list[Visitor], selector: str) -> Visitor:
    """Wait until one of the screens shows an element, and return its visitor."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        for visitor in visitors:
            if visitor.page.locator(selector).count():
                return visitor
        visitors[0].page.wait_for_timeout(20)
    raise AssertionError(f"nobody sees {selector}")


def play_turns(visitors: list[Visitor], turns: int, seed: int = 3) -> None:
    """Play until the history has this many rolls."""
    page, playing = visitors[0].page, steps(visitors, seed)
    while page.locator(".feed .w-rolled").count() < turns and not page.locator("[data-end]").count():
        next(playing)


def roll(visitor: Visitor, dice: str) -> None:
    """Enter the dice on the table by taps."""
    visitor.page.wait_for_selector("[data-roll]")
    for face in dice:
        visitor.page.click(f"[data-face='{face}']")
    visitor.shot("real-dice")
    visitor.page.click("[data-roll]")


AT_ONCE = {"botDelay": 0, "undoSeconds": 0, "guard": 0}


def play_until(visitor: Visitor, selector: str, count: int = 1, seed: int = 7, *, hurry: bool = False) -> None:
    """Tap highlighted elements until the selector has this many matches; fail if the game is over before."""
    assert visitor.page.evaluate(TAP, [selector, count, seed, hurry]), f"no {count} x {selector}"


TAP = f"""async ([selector, count, seed, hurry]) => {{
  const [next, change] = [{NEXT_CLICK}, {CHANGE}];
  let luck = (seed * 16807) % 2147483647;
  let last = Date.now();
  while (Date.now() - last < {PATIENCE}) {{
    const changed = change();
    if (document.querySelectorAll(selector).length >= count) return true;
    const target = next(luck / 2147483647, hurry);
    if (target === 'over') return false;
    const element = target ? document.querySelector(target) : null;
    if (element) {{
      element.click();
      last = Date.now();
      luck = (luck * 16807) % 2147483647;
    }}
    await changed;
  }}
  return false;
}}"""
