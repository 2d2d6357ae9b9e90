"""Drive the page in a real browser: start a server, open pages, click what is lit."""

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
from urllib.request import urlopen

import pytest

from support.paths import ROOT

pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import qwixx
from support.server.free_ports import free_port
from support.server.seeded_server import COMMAND, MOMENT, seconds_until

__all__ = ["Browser", "expect", "sync_playwright"]

SHOTS = ROOT / "scratch"
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
PHONE = (390, 844)
DESKTOP = (1280, 800)
PATIENCE = 60_000
"""Milliseconds to wait for anything on screen: a machine that is busy with other things is no failure."""
expect.set_options(timeout=PATIENCE)

# What a player who clicks what is lit would click next. It reads the screen and nothing else.
NEXT_CLICK = """(luck) => {
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
  const cell = pick(all('[data-lit=yes]'));
  if (cell) return `[data-cell="${cell.dataset.cell}"]`;
  return all('[data-do=pass]:not([disabled])').length ? '[data-do=pass]' : '';
}"""


# Waits on the page until something holds there; gives what was found.
UNTIL = f"""async (find) => {{
  const end = Date.now() + {PATIENCE};
  let found;
  while (!(found = find()) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 4));
  return found;
}}"""

# Waits for two pictures in a row, as a click does; tells whether they came.
PICTURES = f"""() => Promise.race([
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))),
  new Promise((resolve) => setTimeout(() => resolve(false), {PATIENCE} / 12)),
])"""

# Tells whether the table lies still: the same boxes in ten pictures in a row, sooner or later.
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

# Where to put the mouse for that: nowhere if something else lies on top.
AIM = f"""(luck) => {{
  const target = ({NEXT_CLICK})(luck);
  const element = target && target !== 'over' ? document.querySelector(target) : null;
  if (!element) return {{target, x: 0, y: 0}};
  element.scrollIntoView({{block: 'nearest'}});
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return {{target: element.contains(document.elementFromPoint(x, y)) ? target : '', x, y}};
}}"""

# Waits until the page is kept on the device. A function that waits by itself: the page's policy forbids to evaluate a
# text again and again.
KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 10));
}"""


class Server:
    """A real server on this machine, which can be stopped and started again."""

    def __init__(self, db: Path, moment: str = "") -> None:
        """Start it with a database of its own; daily games begin with a moment that a test wants, instead of now."""
        self.db = db
        self._moment = {MOMENT: moment} if moment else {}
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        at_once = {"QWIXX_BOT_DELAY": "0", "QWIXX_GRACE_SECONDS": "0", "QWIXX_TABLES_PER_ADDRESS": "500"}
        environment = at_once | os.environ | self._moment
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
        """Have lines stand while nobody answers."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stop it the hard way: whatever was acknowledged is on disk."""
        self.process.kill()
        self.process.wait()


class Place(Protocol):
    """Where a page comes from."""

    base: str


class Visitor:
    """Somebody at a browser of their own. Errors on the page and requests elsewhere fail the test."""

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
        """
        Open a browser window, narrow ones with touch; taps count at once, unless other settings are given.

        The clock of the page starts with a moment that a test wants, instead of now.

        The page is kept on the device only for those who ask for it: that fetches all of it, each time.
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
        chosen = json.dumps({"guard": 0} if settings is None else dict(settings))
        self.context.add_init_script(
            f"localStorage.getItem('qwixx.settings') ?? localStorage.setItem('qwixx.settings', {chosen!r})"
        )
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
        # A server that is away, or a table that does not exist, is reported by the browser itself.
        if kind == "error" and "Failed to load resource" not in text and "WebSocket connection" not in text:
            self.complaints.append(text)

    def _watch(self, url: str) -> None:
        if not url.startswith((self.server.base, "blob:")):
            self.complaints.append(f"request to {url}")

    def go(self, path: str) -> None:
        """Go to a screen."""
        self.page.goto(self.server.base + path)

    def resize(self, size: tuple[int, int]) -> None:
        """
        Change the size of the window, and wait until the page is drawn in it.

        A headless browser may fail to draw after a change of size until something else changes; nobody who looks at a
        screen has such a browser, so the size is set once more then.
        """
        wide, tall = size
        for _ in range(12):
            self.page.set_viewport_size({"width": wide, "height": tall})
            if self.page.evaluate(PICTURES):
                return
            self.page.set_viewport_size({"width": wide, "height": tall + 1})
        raise AssertionError(f"the page is not drawn at {wide}x{tall}")

    def enter(self, variant: str, door: str) -> None:
        """Choose a game on the start page and go through one of its doors."""
        self.page.click(f"[data-game={variant}]")
        self.page.click(f"[data-game={variant}].chosen")
        self.page.click(f"[data-door={door}]:not([disabled])")

    def open_table(self, variant: str, name: str) -> str:
        """Open a table from the start page and give its code."""
        self.go("/")
        self.page.fill("[data-name]", name)
        self.enter(variant, "friends")
        code = self.page.locator("[data-table-code]").get_attribute("data-table-code")
        assert code
        return code

    def sit(self, code: str, name: str) -> None:
        """Join a table and sit down."""
        self.go(f"/t/{code}")
        self.page.fill("form [data-name]", name)
        self.page.click("[data-sit]")

    def begin(self) -> None:
        """Start the game from the lobby."""
        self.page.click("[data-start]:not([disabled])")
        self.page.wait_for_selector("main.play")

    def play_now(self, variant: str) -> None:
        """Start against bots."""
        self.go("/")
        self.enter(variant, "bots")
        self.page.wait_for_selector("main.play")

    def step(self, luck: random.Random) -> str:
        """Click once what is lit; say "over" at the end and nothing while others are waited for."""
        if self._drawn is None:
            self._drawn = luck.random()
        aim = self.page.evaluate(AIM, self._drawn)
        target = str(aim["target"])
        if target and target != "over":
            self._drawn = None
            self.page.mouse.click(aim["x"], aim["y"])
            self.page.wait_for_timeout(10)  # the answer is on its way; clicking again would only change one's mind
        return target

    def scores(self) -> list[str]:
        """Read the final scores, seat by seat: the page tells them by places."""
        lines = self.page.locator("[data-final]")
        seats = lines.evaluate_all("all => all.map((line) => Number(line.dataset.final))")
        told = dict(zip(seats, lines.all_inner_texts(), strict=True))
        return [told[seat] for seat in sorted(told)]

    def shot(self, name: str) -> None:
        """Keep a picture of the screen, in a folder that git ignores."""
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")

    def close(self) -> None:
        """Leave; complain about everything that was not as it should be."""
        self.context.close()
        assert not self.complaints, self.complaints


def play_some(visitors: list[Visitor], rounds: int, seed: int) -> None:
    """Let everybody click what is lit a few times, so that there is something to look at."""
    luck = random.Random(seed)
    for _ in range(rounds):
        for visitor in visitors:
            visitor.step(luck)


def play_out(visitors: list[Visitor], seed: int) -> None:
    """Let everybody click what is lit until the game is over."""
    for done in steps(visitors, seed):
        if all(each == "over" for each in done):
            return


def steps(visitors: list[Visitor], seed: int) -> Iterator[list[str]]:
    """Let everybody click once what is lit, again and again; a game in which nothing is lit for long has failed."""
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
    """Nothing sticks out sideways; during a game nothing lies below the screen. What moves may take a moment."""
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


def play_turns(visitors: list[Visitor], turns: int, seed: int = 3) -> None:
    """Play until the story tells of so many rolls."""
    page, playing = visitors[0].page, steps(visitors, seed)
    while page.locator(".feed .w-rolled").count() < turns and not page.locator("[data-end]").count():
        next(playing)


def roll(visitor: Visitor, dice: str) -> None:
    """Tap in what lies on the table."""
    visitor.page.wait_for_selector("[data-roll]")
    for face in dice:
        visitor.page.click(f"[data-face='{face}']")
    visitor.shot("real-dice")
    visitor.page.click("[data-roll]")


AT_ONCE = {"pace": 0, "guard": 0}


def play_until(visitor: Visitor, selector: str, count: int = 1, seed: int = 7) -> None:
    """Tap what is lit until something shows so many times; fail if that does not happen before the game is over."""
    assert visitor.page.evaluate(TAP, [selector, count, seed]), f"no {count} x {selector}"


TAP = f"""async ([selector, count, seed]) => {{
  const next = {NEXT_CLICK};
  const end = Date.now() + 2 * {PATIENCE};
  let luck = (seed * 16807) % 2147483647;
  while (Date.now() < end) {{
    if (document.querySelectorAll(selector).length >= count) return true;
    const target = next(luck / 2147483647);
    if (target === 'over') return false;
    const element = target ? document.querySelector(target) : null;
    if (element) {{
      element.click();
      luck = (luck * 16807) % 2147483647;
    }}
    await new Promise((resolve) => setTimeout(resolve, 4));
  }}
  return false;
}}"""
