"""
Reference pictures: all screens at six widths, light and dark, small enough to be compared and kept.

A picture has one pixel for a block of 8 by 8 pixels of the screen. So antialiasing, which differs between versions of a
browser, changes it little, and an element that has moved or is missing changes it much. `make references` takes them
again; look at the difference before you commit it.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from support.page import find_chromium
from support.page.page_driver import ARGS, Browser, Server, Visitor, sync_playwright
from support.page.screens import MOMENT, walk, wanderer
from support.paths import GOLDEN

FOLDER = GOLDEN / "pictures"
SIZES = ((320, 568), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1920, 1080))
BLOCK = 8
AROUND = 3
"""Differences are averaged over this many blocks each way: one block alone may have the edge of a letter."""
TOLERANCE = 24.0
"""The largest average difference of a color, of 255. `test_page_pictures.py` proves what it allows."""

# Codes are random in every run, and a QR code shows one.
_HIDE = """() => {
  document.activeElement?.blur();
  const codes = '[data-table-code], [data-link], [data-join-code], [data-qr], .lobby summary b';
  for (const part of document.querySelectorAll(codes)) part.style.visibility = 'hidden';
  return document.fonts.ready.then(() => true);
}"""


def take(visitor: Visitor) -> Image.Image:
    """Return what is on the screen, one pixel for each block."""
    visitor.page.evaluate(_HIDE)
    shot = Image.open(io.BytesIO(visitor.page.screenshot(type="jpeg", quality=90, scale="css"))).convert("RGB")
    return shot.resize((shot.width // BLOCK, shot.height // BLOCK), Image.Resampling.BOX)


def difference(picture: Image.Image, reference: Image.Image) -> float:
    """Return the largest difference of two pictures, averaged over neighboring blocks; infinite for another size."""
    if picture.size != reference.size:
        return float("inf")
    apart = np.abs(np.asarray(picture, dtype=float) - np.asarray(reference, dtype=float)).max(axis=2)
    return float(np.lib.stride_tricks.sliding_window_view(apart, (AROUND, AROUND)).mean(axis=(2, 3)).max())


def contact_sheets(browser: Browser, server: Server) -> Iterator[tuple[str, Image.Image]]:
    """Yield each screen with a sheet of all its pictures: a column for each width, light above dark."""
    visitor = wanderer(browser, server)
    for screen in walk(browser, visitor):
        sheet = Image.new("RGB", (sum(box[2] - box[0] for box in _boxes("light")), 2 * _height()), "white")
        for size, light, dark in zip(SIZES, _boxes("light"), _boxes("dark"), strict=True):
            visitor.resize(size)
            for scheme, box in (("light", light), ("dark", dark)):
                visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                sheet.paste(take(visitor), box)
        visitor.page.emulate_media(color_scheme="light")
        visitor.resize((390, 844))
        yield screen, sheet
    visitor.close()


def compare(sheet: Image.Image, reference: Image.Image) -> list[str]:
    """Name the pictures of a sheet that differ from the reference."""
    if sheet.size != reference.size:
        return ["another size"]
    pairs = [
        (scheme, size, box) for scheme in ("light", "dark") for size, box in zip(SIZES, _boxes(scheme), strict=True)
    ]
    found = {f"{size[0]} {scheme}": difference(sheet.crop(box), reference.crop(box)) for scheme, size, box in pairs}
    return [f"{name}: {value:.0f}" for name, value in found.items() if value > TOLERANCE]


def _height() -> int:
    return max(tall for _, tall in SIZES) // BLOCK


def _boxes(scheme: str) -> list[tuple[int, int, int, int]]:
    """Return the place of each width on a sheet."""
    top, left, boxes = _height() if scheme == "dark" else 0, 0, []
    for wide, tall in SIZES:
        boxes.append((left, top, left + wide // BLOCK, top + tall // BLOCK))
        left += wide // BLOCK
    return boxes


def main() -> None:
    """Take all of them again."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "qwixx.db", MOMENT)
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium.find(), args=list(ARGS))
            for screen, sheet in contact_sheets(browser, server):
                sheet.save(FOLDER / f"{screen}.png", optimize=True)
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
