"""The page of a server below a path: a whole game, links, a reload, the offline cache, and nothing outside the path."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.page.page_driver import AT_ONCE, DESKTOP, KEPT, Browser, Server, Visitor, play_out, play_until
from support.server.path_proxy import PathProxy, proxied

pytestmark = pytest.mark.browser

# Random names, as Home Assistant gives them; a server must not depend on any of them.
WAYS = {
    "setting": ("/games/k3-9Qz_x", {"removes": False}),
    "prefix": ("/w7.~Lm2", {"removes": True, "header": "X-Forwarded-Prefix"}),
    "ingress": ("/api/hassio_ingress/Zr8_t-41", {"removes": True, "header": "X-Ingress-Path"}),
}
SCOPES = "async () => (await navigator.serviceWorker.getRegistrations()).map((each) => each.scope)"
CACHES = "async () => await caches.keys()"


@pytest.mark.parametrize("way", WAYS)
def test_a_game_below_a_path(browser: Browser, tmp_path: Path, way: str) -> None:
    """Two players come through the proxy, play, and look at the game; then the page plays offline.

    A visitor fails for every request outside the path.
    """
    prefix, how = WAYS[way]
    settings = {"QWIXX_PATH": prefix} if way == "setting" else {"QWIXX_PROXIES": "127.0.0.1"}
    server = Server(tmp_path / "qwixx.db", settings=settings)
    try:
        with proxied(server.port, prefix, **how) as proxy:  # type: ignore[arg-type]
            _play_through(browser, proxy, prefix)
    finally:
        server.stop()


def _play_through(browser: Browser, proxy: PathProxy, prefix: str) -> None:
    anna = Visitor(browser, proxy, size=DESKTOP, settings=AT_ONCE, keeps=True)
    ben = Visitor(browser, proxy, settings=AT_ONCE)
    code = anna.open_table("classic", "Anna")
    link = anna.page.input_value("[data-link]")
    assert link == f"{proxy.base}/t/{code}"
    ben.page.goto(f"{proxy.base}{(anna.page.get_attribute('[data-tv]', 'href') or '').removeprefix(prefix)}")
    assert ben.page.locator("[data-qr]").evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    ben.page.goto(link)
    assert ben.page.get_attribute("meta[property='og:url']", "content") == link
    picture = ben.page.get_attribute("meta[property='og:image']", "content") or ""
    assert ben.page.request.get(picture).headers["content-type"] == "image/png"
    ben.page.fill("form [data-name]", "Ben")
    ben.page.click("[data-sit]")
    anna.page.locator(".lobby li").nth(1).wait_for()
    anna.begin()
    play_until(anna, "[data-turn='1']")
    ben.page.reload()
    ben.page.wait_for_selector("main.play")
    play_out([anna, ben], seed=5)
    anna.more()
    anna.page.click("[data-replay]")
    anna.page.wait_for_selector("[data-step='0']")
    assert urlsplit(anna.page.url).path == f"{prefix}/r/{code}"
    anna.page.reload()
    anna.page.wait_for_selector("[data-step='0']")
    anna.page.click("header .quiet")
    anna.page.wait_for_selector("[data-game]")
    assert urlsplit(anna.page.url).path == f"{prefix}/"
    kept = anna.page.evaluate("Object.keys(localStorage)")  # another server on this origin has other names
    assert f"{prefix}:qwixx.tables" in kept
    assert [name for name in kept if not name.startswith(f"{prefix}:")] == []
    ben.close()
    _play_offline(anna, proxy, prefix)


def _play_offline(anna: Visitor, proxy: PathProxy, prefix: str) -> None:
    anna.page.evaluate(KEPT)
    assert anna.page.evaluate(SCOPES) == [f"{proxy.base}/"]
    assert {name.rpartition("/")[0] for name in anna.page.evaluate(CACHES)} == {f"qwixx-{prefix}"}
    manifest = anna.page.request.get(anna.page.evaluate("document.querySelector('[rel=manifest]').href"))
    assert manifest.url.startswith(f"{proxy.base}/")
    assert manifest.json()["scope"] == "./"
    anna.context.set_offline(True)
    anna.go("/#/rules/longo")  # as a shortcut of the installed page opens it
    anna.page.locator("article h2").wait_for()
    assert urlsplit(anna.page.url).path == f"{prefix}/rules/longo"
    anna.go("/")
    anna.page.wait_for_selector("[data-away]")
    anna.enter("classic", "bots")
    anna.page.wait_for_selector("main.play")
    assert "/here/t/" in anna.page.url
    anna.page.reload()
    anna.page.wait_for_selector("main.play")
    play_until(anna, ".sheet .crossed")
    anna.close()
