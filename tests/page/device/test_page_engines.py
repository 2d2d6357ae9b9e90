"""The page in Firefox and WebKitGTK: whole games, a friend, a lesson, the review, languages, paper, and no network.

Chromium runs every other test of the page. Here each engine does once what depends on the engine: pointers, storage,
workers, WebAssembly, sockets, dialogs, downloads and the service worker.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qwixx.base.languages import LANGUAGES
from qwixx.tutorial import lesson
from support.page import find_engines
from support.page.catalogues import CATALOGUES
from support.page.page_driver import AT_ONCE, KEPT, TAP, Server
from support.page.web_driver import ENGINES, Engine

pytestmark = [pytest.mark.browser, pytest.mark.slow(10)]

SET = "(settings) => localStorage.setItem('qwixx.settings', JSON.stringify(settings))"
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# Play on while commands go to another window; an attribute says when the game is over.
PLAY_ON = f"""(seed) => {{
  ({TAP})(['[data-end]', 1, seed]).then((isOver) => {{ document.documentElement.dataset.played = isOver; }});
}}"""


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield a running browser."""
    if not find_engines.find(request.param):
        pytest.skip(f"{request.param} is not installed")
    running = ENGINES[request.param](tmp_path_factory.mktemp(request.param))
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def _without_complaints(engine: Engine) -> Iterator[None]:
    yield
    assert engine.complaints() == ""


def arrive(engine: Engine, base: str, path: str = "/") -> None:
    """Open the page with bots that decide immediately."""
    engine.go(f"{base}/privacy")
    engine.wait("main h2")  # a page that is left while it loads complains
    engine.run(SET, AT_ONCE)
    engine.go(f"{base}{path}")


def scores(engine: Engine) -> list[str]:
    """Read the final scores, by rank."""
    engine.wait("[data-final]")
    found: list[str] = engine.run("() => [...document.querySelectorAll('[data-final]')].map((each) => each.innerText)")
    return found


def test_a_game_without_a_network_to_the_end(engine: Engine, server: Server) -> None:
    """The service worker keeps the page, and a worker plays the rules as WebAssembly."""
    arrive(engine, server.base)
    engine.run(KEPT)
    with server.down():
        engine.go(f"{server.base}/")  # `reload` is a command that asks the network in Firefox
        engine.click("[data-game=bonus-a]")
        engine.click("[data-door=bots]:not([disabled])")
        engine.wait("main.play")
        assert "/here/t/" in engine.run("() => location.pathname")
        assert engine.run(f"() => ({TAP})(['[data-end]', 1, 3])"), "the game does not go on"
        assert len(scores(engine)) == 3
        engine.run(GO, "/rules/longo")
        engine.wait("article h2")


def test_a_game_with_a_friend_a_reload_a_second_window_and_the_review(engine: Engine, server: Server) -> None:
    """Both windows play at the same time; the friend comes by another origin, which shares no storage."""
    here, theirs = engine.window(), server.base.replace("127.0.0.1", "localhost")
    arrive(engine, server.base)
    engine.click("[data-with-friends]")
    engine.wait("[data-name]")
    engine.type("[data-name]", "Anna")
    engine.click("[data-door=friends]:not([disabled])")
    engine.wait("[data-table-code]")
    code = engine.run("() => document.querySelector('[data-table-code]').dataset.tableCode")
    there = engine.open_window()
    engine.switch(there)
    arrive(engine, theirs, f"/t/{code}")
    engine.wait("form [data-name]")
    engine.type("form [data-name]", "Ben")
    engine.click("[data-sit]")
    engine.wait("[data-guest]", text="Anna")
    engine.switch(here)
    engine.wait(".seats", text="Ben")
    engine.click("[data-start]:not([disabled])")
    engine.wait("main.play")
    engine.reload()
    engine.wait("main.play")
    ends = []
    for handle in (here, there):
        engine.switch(handle)
        engine.wait("main.play")
        engine.run(PLAY_ON, len(handle))
    for handle in (there, here):
        engine.switch(handle)
        engine.wait("[data-played=true]")
        ends.append(scores(engine))
        assert engine.complaints() == ""
    assert ends[0] == ends[1]
    engine.switch(there)
    engine.close_window()
    engine.switch(here)
    engine.click("[data-review-link]")
    engine.wait("[data-review=learned] [data-skill]")


def test_a_lesson_by_hand(engine: Engine, server: Server) -> None:
    """Each step of the classic lesson takes its answer by the engine's own pointer."""
    arrive(engine, server.base, "/learn/classic")
    for step in lesson("classic"):
        engine.wait(f"main[data-step={step.id}]:not([data-done])")
        action = [*step.asks, *step.tries, ""][0]
        if step.picks:
            engine.click(f"[data-pick='{step.right}']")
        else:
            engine.click("[data-do=pass]" if action == "pass" else f"[data-cell={action}]")
        engine.wait(f"main[data-step={step.id}]")
        if not engine.count("[data-done]") and engine.count("[data-yes]"):
            engine.click("[data-yes]")
        engine.wait(f"main[data-step={step.id}][data-done]")
        if step is not lesson("classic")[-1]:
            engine.click("[data-next]")


def test_the_rules_in_every_language_and_paper(engine: Engine, server: Server) -> None:
    """Languages are switched in the settings; the print dialog downloads a PDF."""
    arrive(engine, server.base, "/rules/bonus-b")
    engine.wait("article h2")
    for language in LANGUAGES:
        engine.click("[data-settings]")
        engine.click(f"[data-language] option[value={language}]")
        engine.wait("dialog h2", text=CATALOGUES[language]["settings.title"][0])
        engine.run("() => document.querySelector('dialog[open]').close()")
        engine.wait(f"html[lang={language}] article h2")
    engine.click("[data-print=bonus-b]")
    engine.run(
        """() => { const made = URL.createObjectURL.bind(URL); URL.createObjectURL = (file) => {
          document.documentElement.dataset.saved = file.type;
          return made(file);
        }; }"""
    )
    engine.click("[data-print-now]")
    engine.wait("[data-saved='application/pdf']")
