"""Every language with the longest names and numbers on small phones: no text is cut, broken or wider than its box.

Each screen is opened once; then its language and its width are changed in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import qwixx
from qwixx.base.languages import LANGUAGES
from support.page.page_driver import Browser, Server, Visitor, play_until

pytestmark = pytest.mark.browser

WIDTHS = (320, 390)
NAMES = tuple(f"Maximilian-Wolfgang {word}" for word in ("Anna", "Bert", "Cleo", "Dora", "Emil"))
"""As long as a name may be, and different only at the end."""
assert {len(name) for name in NAMES} == {24}

FIND = r"""(names) => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
  const say = (what, node) => found.push(`${what}: ${node.textContent.trim().replace(/\s+/g, ' ').slice(0, 90)}`);
  const isName = (text) => names.some((name) => text.includes(name.slice(0, 12)));
  const isSeen = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const linesOf = (range) =>
    new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top))).size;
  const styleOf = (element) => getComputedStyle(element);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.data;
    const parent = node.parentElement;
    if (!text.trim() || !isSeen(parent)) continue;
    if (parent.closest('svg, select, script, style, .sr, [inert], [data-promise]')) continue;
    const range = document.createRange();
    // A word in two lines: only a hyphen may end a line within it.
    for (const word of text.matchAll(/[^\s\u200b-]+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (linesOf(range) > 1 && !isName(text) && styleOf(parent).hyphens !== 'auto') say(`broken ${word[0]}`, node);
    }
    // A text that a box cuts off. Boxes that scroll, and names with an ellipsis, are no loss.
    range.selectNodeContents(node);
    if (linesOf(range) > 1 && parent.closest('[data-do], .chip, .tabs, th') && !isName(text)) say('in two lines', node);
    const box = range.getBoundingClientRect();
    for (let around = parent; around && around !== document.body; around = around.parentElement) {
      const {overflowX, overflowY, textOverflow} = styleOf(around);
      if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll') break;
      if (overflowX === 'visible') continue;
      const limits = around.getBoundingClientRect();
      const isCut = box.right > limits.right + 1 || box.left < limits.left - 1;
      const isShort = box.bottom > limits.bottom + 2 || box.top < limits.top - 2;
      if ((isCut && !(textOverflow === 'ellipsis' && isName(text))) || isShort) say('cut', node);
    }
  }
  for (const button of document.querySelectorAll('button, .main, .chip, select')) {
    if (!isSeen(button) || button.closest('.sr')) continue;
    if (button.scrollWidth > button.clientWidth + 1) say('wider than its button', button);
  }
  return found;
}"""


def saved_game(folder: Path, turns: int) -> Path:
    """Save a game of five people with 156 points at its end, or before it.

    All cross the white sum in red and in yellow, from 2 to 12; the first player leaves one out.
    """
    game = qwixx.Game("classic", 5, first=0)
    for turn in range(turns):
        number, row = turn // 2 + 2, "ry"[turn % 2]
        low = max(1, number - 6)
        game.set_roll(f"{low}{number - low}/{'-' if game.closed else 1}111")
        for seat in game.deciders():
            game.decide(seat, "pass" if (seat, turn) == (0, 3) else f"{row}{number}")
        if game.phase == "color":
            game.decide(game.active, "pass")
    people = [f"# person {seat} {name}" for seat, name in enumerate(NAMES)]
    path = folder / f"game-{turns}.qwixx"
    path.write_text("\n".join([game.record(), *people, ""]), "utf-8")
    return path


def screens(anna: Visitor, folder: Path) -> Iterator[str]:
    """Open one screen after another; yield what it is."""
    page = anna.page
    anna.go("/")
    page.set_input_files("[data-file]", saved_game(folder, 19))
    page.wait_for_selector("[data-status]")
    yield "a turn of five"
    anna.go("/")
    page.set_input_files("[data-file]", saved_game(folder, 22))
    page.wait_for_selector("[data-step]")
    yield "replay"
    anna.go(page.url.partition("?")[0].removeprefix(anna.server.base) + "/review")
    page.wait_for_selector("[data-verdict]")
    yield "review"
    anna.go(page.url.removeprefix(anna.server.base).replace("/r/", "/t/").removesuffix("/review"))
    page.wait_for_selector("[data-final]")
    yield "end"
    for variant in ("cards-joker", "duel"):  # longo: test_page_narrow
        anna.play_now(variant)
        play_until(anna, "[data-status].mine")
        yield f"a turn of {variant}"
    anna.open_table("cards", NAMES[0])
    page.fill("form [data-name]", NAMES[1])
    page.click("[data-sit]")
    for level in ("easy", "master"):
        page.click(f"[data-bot={level}]")
    page.wait_for_selector("[data-start]:not([disabled])")
    yield "lobby"
    for path, shown in {
        "/": "[data-game=longo]",
        "/count": "[data-count-seat]",
        "/board": "[data-board-seat]",
        "/today": "main h2",
        "/train/classic": "[data-cell]",
        "/learn/classic": "[data-cell]",
        "/rules/classic": "main h2",
        "/privacy": "[data-scores]",
    }.items():
        anna.go(path)
        page.wait_for_selector(shown)
        yield path


def test_no_text_is_cut_in_any_language(browser: Browser, server: Server, tmp_path: Path) -> None:
    """The screens at 320 and 390 px, with the settings over them."""
    anna = Visitor(browser, server)
    found = []
    for screen in screens(anna, tmp_path):
        anna.page.click("[data-settings]")
        for width in WIDTHS:
            anna.resize((width, 700))
            for language in LANGUAGES:
                anna.page.select_option("dialog [data-language]", language)
                anna.page.wait_for_function("(code) => document.documentElement.lang === code", arg=language)
                found += [f"{screen}, {language}, {width}: {what}" for what in anna.page.evaluate(FIND, NAMES)]
    anna.close()
    assert not found, "\n".join(found)
