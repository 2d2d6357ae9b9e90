"""
The page beside its budgets, at a server and without one.

    python -m bench.page [--visits 15] [--moves 40] [--budgets]

With the server (`qwixx serve`, usual settings), each visit in a fresh phone-sized browser context:
- requests and compressed bytes with fonts, until nothing has been asked for during half a second, without the files
  that the page caches for later;
- from the navigation until the main button can be pressed and is drawn, on a CPU that Chromium slows down four times;
- everything that moved after the first paint, as the browser measures it (0 is still);
- from the click on Play to the first thing a player can do: the dice, a lit cell or Pass;
- from a tap on a lit cell until its cross is drawn.

Without one, the page is written by `qwixx site` and served from this machine, then the network is disconnected. A start
is measured from the navigation to the nine games on the screen. A move is measured from a tap to the next question to
the same person, with the decisions of two bots in between and everything drawn, also on a slow CPU. A review is that of
a game with five seats, from its address to everything drawn. Chromium slows down the page but not its worker, so the
time of the worker is multiplied by four. `--budgets` leaves this half out.

Other work on the machine only slows down, so the least of all visits stands beside the median, and the load above.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.server import start_with
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize, sync_playwright

from qwixx.server.http.static_files import web_directory
from qwixx.server.http.static_site import write_site
from qwixx.sim import replay_game

_PHONE = 4
_SCREEN: ViewportSize = {"width": 390, "height": 844}
_CLICKS = 20
"""Taps on lit cells that are measured, in at most so many games:"""
_GAMES = 3
_QUIET_MS = 500
_WATCH = """(() => {
  globalThis.moved = 0;
  new PerformanceObserver((list) => { for (const each of list.getEntries()) globalThis.moved += each.value; })
    .observe({ type: 'layout-shift', buffered: true });
  const main = '[data-door=bots]:not([disabled])';
  const drawn = () => requestAnimationFrame(() => setTimeout(() => { globalThis.usableAfter = performance.now(); }));
  new MutationObserver((_, seen) => {
    if (document.querySelector(main)) seen.disconnect(), drawn();
  }).observe(document, { attributes: true, childList: true, subtree: true });
})()"""
_FIRST_TURN = """async () => {
  const can = '[data-roll-dice], [data-lit=yes], [data-do=pass]:not([disabled])';
  const begin = performance.now();
  document.querySelector('[data-door=bots]').click();
  while (!document.querySelector('main.play ' + can)) await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - begin;
}"""
# Answer questions, roll and pass until a cell is lit; return its middle, or nothing when the game is over.
_NEXT_CELL = """async () => {
  const found = (selector) => document.querySelector(selector);
  for (const end = performance.now() + 20_000; performance.now() < end && !found('[data-end]'); ) {
    const cell = found('[data-yes]') ? null : found('[data-lit=yes]');
    if (cell) {
      const { x, y, width, height } = cell.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }
    (found('[data-yes]') ?? found('[data-roll-dice], [data-do=pass]:not([disabled])'))?.click();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}"""
# From the moment that the next tap carries until the frame with its cross is drawn; nothing if it crossed nothing.
_TAPPED = """() => {
  let begin = 0;
  addEventListener('pointerdown', (event) => { begin = event.timeStamp; }, { capture: true, once: true });
  globalThis.tapped = new Promise((resolve) => {
    const seen = new MutationObserver((changes) => {
      if (!changes.some(({ target }) => target.matches?.('.cell.crossed, .cell.chosen'))) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
    });
    seen.observe(document, { attributes: true, childList: true, subtree: true });
    setTimeout(resolve, 2000);
  });
}"""
_READY = """new MutationObserver((_, seen) => {
  if (!document.querySelector('[data-game]')) return;
  globalThis.readyAfter = performance.now();
  globalThis.fetched = performance.getEntriesByType('resource').map((each) => each.name);
  seen.disconnect();
}).observe(document, { childList: true, subtree: true })"""
_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 10));
}"""
_MOVE = """async () => {
  const pass = '[data-do=pass]:not([disabled])';
  const asked = () => document.querySelector('[data-status].mine') && document.querySelector(pass);
  const over = () => document.querySelector('[data-end]');
  const phase = () => document.querySelector('main.play').dataset.phase + document.querySelector('.feed').textContent;
  while (!asked() && !over()) await new Promise((resolve) => setTimeout(resolve));
  if (over()) return null;
  const before = phase();
  const begin = performance.now();
  asked().click();
  while (!over() && (phase() === before || !asked())) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - begin;
}"""


_REVIEW = """async () => {
  const begin = performance.now();
  while (!document.querySelector('[data-review]')) await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - begin;
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Log nothing."""


def budgets(browser: Browser, visits: int) -> dict[str, tuple[str, str]]:
    """Measure everything that has a budget, at a server; return the figure and its budget by name."""
    with tempfile.TemporaryDirectory() as folder:
        process, host = start_with(folder, {"TABLES_PER_ADDRESS": "1000"})
        try:
            address = f"http://{host}/"
            requests, size = first_visit(browser, address)
            slow = [_visit(browser, address, _PHONE) for _ in range(visits)]
            first_turns = [_first_turn(browser, address) for _ in range(visits)]
            crosses = drawn_crosses(browser, address)
        finally:
            process.kill()
            process.wait()
    moved = max(shift for _, shift in slow)
    return {
        "first visit, requests": (str(requests), "at most 15"),
        "first visit, compressed, with fonts": (f"{size / 1000:.1f} kB", "at most 120 kB"),
        f"usable on a CPU {_PHONE} times slower": (_least([usable for usable, _ in slow]), "2,000 ms"),
        "layout shift after the first paint, largest": (f"{moved:.4f}", "0"),
        "click on Play to the first turn": (_least(first_turns), "1,000 ms"),
        "tap to drawn cross": (_least(crosses), "median 50 ms"),
    }


def _least(times: list[float]) -> str:
    return f"{min(times):,.0f} ms, median {statistics.median(times):,.0f} ms"


def first_visit(browser: Browser, address: str) -> tuple[int, int]:
    """Count requests and compressed bytes of a first visit until it is quiet, headers and icons included."""
    context = browser.new_context(service_workers="block", viewport=_SCREEN)
    page = context.new_page()
    sizes: list[int] = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(address)
    page.wait_for_selector("[data-game]")
    # The table screen is fetched in a pause that begins after a second and a half.
    page.wait_for_timeout(_QUIET_MS)
    context.close()
    return len(sizes), sum(sizes)


def _visit(browser: Browser, address: str, slowdown: int) -> tuple[float, float]:
    """Return when a first visitor can press the main button, in milliseconds, and how much has moved after that."""
    context = browser.new_context(service_workers="block", viewport=_SCREEN, has_touch=True)
    context.add_init_script(_WATCH)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    page.goto(address)
    page.wait_for_selector("[data-door=bots]:not([disabled])")
    page.wait_for_timeout(2 * _QUIET_MS)
    usable, moved = page.evaluate("[globalThis.usableAfter, globalThis.moved]")
    context.close()
    return float(usable), float(moved)


def _first_turn(browser: Browser, address: str) -> float:
    """Return the time from the click on Play to the first thing a player can do, in milliseconds."""
    context = browser.new_context(service_workers="block", viewport=_SCREEN)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("[data-door=bots]:not([disabled])")
    page.wait_for_timeout(3 * _QUIET_MS)  # a person reads first
    took = float(page.evaluate(_FIRST_TURN))
    context.close()
    return took


def drawn_crosses(browser: Browser, address: str) -> list[float]:
    """Return the times from a tap on a lit cell to its drawn cross, in milliseconds."""
    context = browser.new_context(service_workers="block", viewport=_SCREEN, has_touch=True, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('qwixx.settings', '{\"guard\": 0}')")
    page = context.new_page()
    found: list[float] = []
    for _ in range(_GAMES):
        page.goto(address)
        page.click("[data-door=bots]:not([disabled])")
        page.wait_for_selector("main.play")
        for _ in range(_CLICKS):
            place = page.evaluate(_NEXT_CELL) if len(found) < _CLICKS else None
            if place is None:
                break
            page.evaluate(_TAPPED)
            page.touchscreen.tap(*place)
            if took := page.evaluate("globalThis.tapped"):
                found.append(float(took))
    context.close()
    return found


def first_load(browser: Browser, address: str) -> tuple[int, int, int]:
    """Count the requests and the compressed bytes until the start page is shown, and the bytes of the rules."""
    context = browser.new_context(service_workers="block")
    context.add_init_script(_READY)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("[data-game]")
    fetched: list[str] = [address, *page.evaluate("fetched")]
    start = sum(len(gzip.compress(context.request.get(each).body(), 9)) for each in fetched)
    context.close()
    rules = [path for path in (web_directory() / "assets").iterdir() if path.name.startswith(("worker", "kernel"))]
    return len(fetched), start, sum(len(gzip.compress(path.read_bytes(), 9)) for path in rules)


def starts(page: Page, visits: int) -> float:
    """Return the median time of offline starts, in milliseconds."""
    found = []
    for _ in range(visits):
        page.reload()
        page.wait_for_selector("[data-game]")
        found.append(float(page.evaluate("readyAfter")))
    return statistics.median(found)


def moves(context: BrowserContext, page: Page, count: int, slowdown: int) -> float:
    """Return the median time of moves against two bots, in milliseconds."""
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    found: list[float] = []
    while len(found) < count:
        page.click("[data-game=classic]")
        page.click("[data-door=bots]")
        page.wait_for_selector("main.play")
        while len(found) < count and (took := page.evaluate(_MOVE)) is not None:
            found.append(float(took))
        page.click("header a")
        page.wait_for_selector("[data-game]")
    return statistics.median(found)


def review(browser: Browser, address: str, folder: str) -> float:
    """Return the time of the review of a game with five seats on a slow CPU, in milliseconds."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("[data-game]")
    file = Path(folder) / "game.txt"
    file.write_text(replay_game("classic", 5, ("easy",), 1, 0).record())
    page.set_input_files("[data-file]", file)
    page.click("[data-review-link]")
    page.wait_for_selector("[data-review]", timeout=120_000)  # the weights are downloaded, and cached
    page.reload()
    alone = float(page.evaluate(_REVIEW))
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": _PHONE})
    page.reload()
    slow = float(page.evaluate(_REVIEW))
    context.close()
    return max(slow, _PHONE * alone)


def _launch(playwright: Playwright) -> Browser:
    """Start the Chromium of this system, or the one of Playwright."""
    path = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--visits", type=int, default=15)
    options.add_argument("--moves", type=int, default=40)
    options.add_argument("--budgets", action="store_true", help="only the figures that have a budget")
    asked = options.parse_args()
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        found = budgets(browser, asked.visits)
        browser.close()
    sys.stdout.write(f"{load}, {asked.visits} visits; the least of all\n\n| | measured | budget |\n|---|---|---|\n")
    sys.stdout.write("".join(f"| {name} | {value} | {most} |\n" for name, (value, most) in found.items()))
    if asked.budgets:
        return
    sys.stdout.write("\n")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(Path(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = _launch(playwright)
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        requests, size, rules = first_load(browser, address)
        judged = review(browser, address, folder)
        context = browser.new_context()
        context.add_init_script(_READY)
        context.add_init_script("localStorage.setItem('qwixx.settings', '{\"pace\": 0}')")
        page = context.new_page()
        page.goto(address)
        page.evaluate(_KEPT)
        context.set_offline(True)
        start = starts(page, asked.visits)
        plain, slow = (moves(context, page, asked.moves, rate) for rate in (1, _PHONE))
        browser.close()
        server.shutdown()
    rows = {
        "first visit, gzip": f"{requests} requests, {size / 1000:.1f} kB; rules, local tables: {rules / 1000:.1f} kB",
        "start without a network": f"{start:.0f} ms",
        "a move with two bots' answers, drawn": f"{plain:.0f} ms",
        f"the same on a CPU {_PHONE} times slower": f"{slow:.0f} ms",
        f"a review of five seats on a CPU {_PHONE} times slower": f"{judged:.0f} ms",
    }
    sys.stdout.write("| | |\n|---|---|\n" + "".join(f"| {name} | {value} |\n" for name, value in rows.items()))


if __name__ == "__main__":
    main()
