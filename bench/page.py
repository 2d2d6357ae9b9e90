"""
The page without a server: the downloads of the first visit, the time of an offline start, and the time of a move.

    python -m bench.page [--visits 15] [--moves 40]

The page is written by `qwixx site` and served from this machine, then the network is disconnected. A start is measured
from the navigation to the nine games on the screen. A move is measured from a tap to the next question to the same
person, with the decisions of two bots in between and everything drawn, also on a CPU that Chromium slows down four
times, like a phone's. A review is that of a game with five seats, from its address to everything drawn. Chromium slows
down the page but not its worker, so the time of the worker is multiplied by four.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import statistics
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from qwixx.server.http.static_files import web_directory
from qwixx.server.http.static_site import write_site
from qwixx.sim import replay_game

_PHONE = 4
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


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--visits", type=int, default=15)
    options.add_argument("--moves", type=int, default=40)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        write_site(Path(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
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
