"""Every screen looks as in its reference pictures, at six widths, light and dark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PIL import Image

from support.page.page_driver import SHOTS, Browser, Server
from support.page.reference_pictures import FOLDER, TOLERANCE, compare, contact_sheets, difference, take
from support.page.screens import MOMENT, wanderer

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server of our own, at the moment of the pictures."""
    running = Server(tmp_path_factory.mktemp("pictures") / "qwixx.db", MOMENT)
    yield running
    running.stop()


@pytest.mark.slow(seconds=60)
def test_all_screens_look_as_before(browser: Browser, server: Server) -> None:
    """`make references` takes the pictures again; those that differ are saved in `scratch`."""
    changed, seen = {}, set()
    for screen, sheet in contact_sheets(browser, server):
        seen.add(f"{screen}.png")
        if found := compare(sheet, Image.open(FOLDER / f"{screen}.png").convert("RGB")):
            SHOTS.mkdir(exist_ok=True)
            sheet.save(SHOTS / f"{screen}.png")
            changed[screen] = found
    assert changed == {}
    assert seen == {path.name for path in FOLDER.iterdir()}


# Each changes the start page; the last value says whether somebody would call it another picture.
CHANGES = [
    ("document.body.style.transform = 'translate(0.4px, 0.4px)'", False),  # other antialiasing of every edge
    ("document.body.style.filter = 'blur(0.5px)'", False),
    ("document.querySelector('[data-door=bots]').style.visibility = 'hidden'", True),
    ("document.querySelector('[data-settings]').style.visibility = 'hidden'", True),  # the smallest icon
    ("document.querySelector('[data-with-friends]').style.translate = '0 12px'", True),
    ("document.querySelector('[data-door=bots]').style.background = '#2a56f0'", True),
]


@pytest.mark.parametrize(("change", "is_seen"), CHANGES)
def test_only_real_changes_are_seen(browser: Browser, server: Server, change: str, is_seen: bool) -> None:
    """A moved, missing or recolored element is; a new version's way to draw edges is not."""
    anna = wanderer(browser, server)
    anna.go("/")
    anna.page.wait_for_selector("[data-game]")
    before = take(anna)
    anna.page.evaluate(change)
    assert (difference(take(anna), before) > TOLERANCE) == is_seen, difference(take(anna), before)
    anna.close()
