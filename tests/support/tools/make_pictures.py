"""Make the pictures of the page: for README, for link previews, for stores, and the icons. `make pictures` runs this.

They are screenshots of the built page in Chromium. Pictures that are part of the page appear after the next build.
"""

from __future__ import annotations

import base64
import random
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from support.page import find_chromium
from support.page.page_driver import ARGS, DESKTOP, GAMES, PHONE, Browser, Server, Visitor, sync_playwright
from support.paths import ROOT

DOCS = ROOT / "docs" / "pictures"
PUBLIC = ROOT / "page" / "public"
PREVIEW = (600, 315)
"""The size that messengers show large."""
ICONS = {"icon-180": ("icon-maskable", 180), "icon-192": ("icon", 192), "icon-512": ("icon", 512)} | {
    "icon-maskable-512": ("icon-maskable", 512)
}
"""Icons as PNG, each from its drawing: the first for iOS, the others for the manifest."""
_TAPS = 10
"""Number of taps after which a sheet has something to show; a game of random taps has few more."""
_QUALITY = 60

# The picture of one game on a screen, as large as possible.
_ALONE = """variant => {
  const picture = document.querySelector(`[data-game=${variant}] .picture`).cloneNode(true);
  const paper = document.createElement('main');
  paper.append(picture);
  document.body.replaceChildren(paper);
  Object.assign(paper.style, {display: 'grid', placeItems: 'center', height: '100vh', background: '#f0efeb'});
  Object.assign(picture.style, {width: '400px', height: 'auto', overflow: 'visible'});
}"""
_ICON = """name => {
  const icon = Object.assign(new Image(), {src: `/${name}.svg`});
  document.documentElement.style.background = 'transparent';
  Object.assign(icon.style, {position: 'fixed', inset: '0', width: '100vw', height: '100vh'});
  document.body.replaceChildren(icon);
  return icon.decode();
}"""


def main() -> None:
    """Make all of them."""
    path = find_chromium.find()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "qwixx.db")
        try:
            browser = playwright.chromium.launch(executable_path=path, args=list(ARGS))
            previews(browser, server)
            readme(browser, server)
            browser.close()
        finally:
            server.stop()


def previews(browser: Browser, server: Server) -> None:
    """Take a picture of each game, and of the icons."""
    (PUBLIC / "previews").mkdir(exist_ok=True)
    page = browser.new_page(viewport={"width": PREVIEW[0], "height": PREVIEW[1]})
    for variant in GAMES:
        page.goto(server.base)
        page.wait_for_selector(f"[data-game={variant}]")
        page.evaluate(_ALONE, variant)
        page.screenshot(path=PUBLIC / "previews" / f"{variant}.png")
    for file, (name, size) in ICONS.items():
        page.set_viewport_size({"width": size, "height": size})
        page.evaluate(_ICON, name)
        page.screenshot(path=PUBLIC / f"{file}.png", omit_background=True)
    page.close()


def readme(browser: Browser, server: Server) -> None:
    """Take the start, a turn and the end of a game against bots, on a phone."""
    anna = Visitor(browser, server, size=PHONE)
    anna.go("/")
    anna.page.wait_for_selector("[data-game]")
    keep(anna.page, "page-start")
    stores = PUBLIC / "screenshots"
    anna.resize(DESKTOP)
    anna.page.screenshot(path=stores / "desktop.png")
    anna.resize(PHONE)
    anna.enter("bonus-a", "bots")
    anna.page.wait_for_selector("main.play")
    luck = random.Random(7)
    taps = 0
    while (taps < _TAPS or not anna.page.locator("[data-lit=yes]").count()) and not anna.page.locator(
        "[data-end]"
    ).count():
        taps += bool(anna.step(luck))
        anna.page.wait_for_timeout(50)
    keep(anna.page, "page-turn")
    anna.page.screenshot(path=stores / "phone.png")
    while anna.step(luck) != "over":
        anna.page.wait_for_timeout(50)
    anna.page.wait_for_timeout(1000)
    keep(anna.page, "page-end")
    anna.close()


def keep(page: Page, name: str) -> None:
    """Save the screen as a small file."""
    session = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY})
    (DOCS / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main()
