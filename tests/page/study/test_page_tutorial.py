"""Tutorials in the browser: done by hand, skipped, left, resumed, and offered to new players."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from qwixx.base.languages import LANGUAGES
from qwixx.tutorial import Step, lesson
from support.page.accessibility import check_axe, check_words
from support.page.page_driver import DESKTOP, GAMES, KEPT, PHONE, UNTIL, Browser, Server, Visitor, check_fits

pytestmark = pytest.mark.browser

LEAST = (320, 568)
# Do the task of a step with the elements on the screen, as a finger would, and return the answer text.
DO = (
    f"async ({{ action, picks, right }}) => {{ const until = {UNTIL};"
    + """
  const main = document.querySelector('main');
  const tap = async (selector) => {
    (await until(() => document.querySelector(selector))).click();
    await new Promise((resolve) => setTimeout(resolve));
  };
  if (picks.length) {
    await tap(`[data-pick="${picks.find((number) => number !== right)}"]`);
    if (main.dataset.done) return { trouble: 'a wrong number is right' };
    await tap(`[data-pick="${right}"]`);
  } else if (action.startsWith('take:')) {
    await tap(`[data-take="${action.slice(5)}"]`);
    await tap('[data-do=take]:not([disabled])');
  } else if (action.startsWith('play:')) {
    for (const card of action.slice(5).split('=')[0].split(',')) await tap(`[data-card="${card}"]`);
    await tap('[data-do=play]:not([disabled])');
  } else await tap(action === 'pass' ? '[data-do=pass]' : `[data-cell="${action}"]`);
  await until(() => {
    document.querySelector('[data-yes]')?.click();
    return main.dataset.done;
  });
  return {
    done: main.dataset.done,
    says: document.querySelector('[data-says]').textContent,
    why: document.querySelector('[data-answer]')?.textContent ?? '',
    focus: document.activeElement?.matches('[data-next], [data-play]') ?? false,
  };
}"""
)
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# Go through a lesson without doing anything; return the text of every step and its horizontal overflow.
SKIP = (
    f"async () => {{ const until = {UNTIL};"
    + """
  const main = document.querySelector('main');
  const steps = [];
  for (let n = 0; n < 50; n++) {
    const isThere = () => document.querySelector('.rows') && main.dataset.step !== steps.at(-1)?.id;
    await until(isThere);
    const over = document.documentElement.scrollWidth - innerWidth;
    steps.push({ id: main.dataset.step, says: document.querySelector('[data-says]').textContent, over });
    const skip = document.querySelector('[data-skip]');
    if (!skip) return steps;
    skip.click();
  }
}"""
)


def learn(visitor: Visitor, game: str) -> None:
    """Open the lesson of a game; if the page is already open, without loading it again."""
    if visitor.page.url.startswith(visitor.server.base):
        visitor.page.evaluate(GO, f"/learn/{game}")
    else:
        visitor.go(f"/learn/{game}")
    visitor.page.wait_for_selector(f"main[data-lesson={game}][data-step={lesson(game)[0].id}] .rows")


def do(visitor: Visitor, step: Step) -> dict[str, Any]:
    """Do the task of a step."""
    asked = {"action": [*step.asks, *step.tries, ""][0], "picks": list(step.picks), "right": step.right}
    found: dict[str, Any] = visitor.page.evaluate(DO, asked)
    return found


@pytest.mark.parametrize(("size", "language"), [(PHONE, "it"), (DESKTOP, "de")], ids=["phone", "desktop"])
def test_every_lesson_is_done_by_hand(browser: Browser, server: Server, size: tuple[int, int], language: str) -> None:
    """Each step accepts its task, says what was learned and shows the button to continue; then the player plays."""
    visitor = Visitor(browser, server, size=size, language=language, dark=size == PHONE)
    for game in GAMES:
        learn(visitor, game)
        for step in lesson(game):
            visitor.page.wait_for_selector(f"main[data-step={step.id}]:not([data-done])")
            found = do(visitor, step)
            assert (found["done"], found["says"], found["focus"]) == ("yes", step.done[language], True), (game, step.id)
            assert bool(found["why"]) == bool(step.tries), (game, step.id)
            if step is not lesson(game)[-1]:
                visitor.page.click("[data-next]")
        check_fits(visitor)
        if game in {"classic", "cards"}:
            check_words(visitor)
            check_axe(visitor)
    visitor.page.click("[data-play]")
    visitor.page.wait_for_selector("main.play")
    assert re.search(r"/here/t/\w+$", visitor.page.url)
    visitor.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_read_in_every_language(browser: Browser, server: Server, language: str) -> None:
    """On the smallest phone nothing overflows, and a player who skips everything sees every step."""
    visitor = Visitor(browser, server, size=LEAST, language=language)
    for game in GAMES:
        learn(visitor, game)
        steps = visitor.page.evaluate(SKIP)
        assert [each["says"] for each in steps] == [step.says[language] for step in lesson(game)]
        assert all(each["over"] <= 0 for each in steps), (game, steps)
    visitor.close()


def test_a_lesson_is_left_and_resumed_offline(browser: Browser, server: Server) -> None:
    """Step, sheet and answers are restored; another language changes only the words; the player can go back."""
    steps = lesson("classic")
    visitor = Visitor(browser, server, keeps=True)
    learn(visitor, "classic")
    visitor.page.evaluate(KEPT)
    visitor.context.set_offline(True)
    visitor.page.click('[data-cell="b7"]')
    visitor.page.click("[data-next]")
    visitor.page.wait_for_selector("main[data-step=color]")
    do(visitor, steps[1])
    visitor.page.click("[data-next]")
    visitor.page.wait_for_selector("main[data-step=right]")
    visitor.page.reload()
    visitor.page.wait_for_selector("main[data-step=right] .rows")
    assert visitor.page.locator(".cell.crossed").evaluate_all("all => all.map((cell) => cell.dataset.cell)") == [
        "y10",
        "b7",
    ]
    # A wrong tap is explained by the rules; a legal tap that is not the task is explained by the lesson.
    visitor.page.click('[data-cell="y11"]', force=True)
    visitor.page.wait_for_selector("text=The white dice make 8")
    visitor.page.click('[data-cell="r8"]')
    visitor.page.wait_for_selector("text=do what the lesson asks for")
    visitor.page.evaluate("localStorage.setItem('qwixx.settings', JSON.stringify({ guard: 0, language: 'de' }))")
    visitor.page.reload()
    visitor.page.wait_for_selector(f"text={steps[2].says['de']}")
    visitor.page.click("[data-back]")
    visitor.page.wait_for_selector("main[data-step=color]:not([data-done])")
    assert visitor.page.locator('[data-cell="b7"].crossed').count() == 1
    assert visitor.page.locator('[data-cell="y10"][data-lit]').count() == 1
    visitor.close()


def test_the_keyboard_learns_too_and_the_dice_are_rolled_by_hand(browser: Browser, server: Server) -> None:
    """Rolling, crossing and continuing work without a pointer, and a screen reader gets the texts."""
    visitor = Visitor(browser, server, size=DESKTOP)
    visitor.page.emulate_media(reduced_motion="no-preference")
    learn(visitor, "classic")
    page = visitor.page
    page.focus("[data-roll-dice]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-cell=r7][data-lit]")
    page.focus("[data-cell=r7]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-next]:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-step=color]")
    assert page.locator("[data-cell=y7].crossed").count() == 1
    assert lesson("classic")[1].says["en"] in page.locator("[aria-live=polite]").all_inner_texts()
    assert page.get_attribute("progress", "aria-label") == "Step 2 of 9"
    visitor.close()


def test_new_players_are_asked_once(browser: Browser, server: Server) -> None:
    """A game that was never learned, played or declined is offered; afterwards a plain link stays."""
    visitor = Visitor(browser, server)
    page = visitor.page
    visitor.go("/")
    page.wait_for_selector(".lead [data-learn=new]")
    page.click("[data-game=bonus-a]")
    page.wait_for_selector(".offer [data-learn=new]")
    assert page.locator("[data-learn=known]").count() == 0
    page.click("[data-decline]")
    page.wait_for_selector("[data-learn=known]")
    page.reload()
    page.wait_for_selector("[data-learn=known]")
    assert page.locator(".offer [data-learn=new]").count() == 0
    page.click("[data-game=longo]")
    page.click(".offer [data-learn=new]")
    page.wait_for_selector(
        "main[data-lesson=longo] [data-classic]"
    )  # a player who does not know Qwixx may start with the classic game
    page.click("[data-skip]")
    page.wait_for_selector("main[data-step=six]")
    visitor.go("/")
    page.wait_for_selector("[data-learn=new]:has-text('Continue the lesson')")
    visitor.open_table("duel", "Anna")  # a guest who knows the game does not ask; this one does not
    page.wait_for_selector("main.lobby [data-learn=new][target=_blank]")
    results = [{"table": "A", "variant": "longo", "at": 1, "score": 50, "seats": 2, "place": 1}]
    page.evaluate("(kept) => localStorage.setItem('qwixx.results', kept)", json.dumps(results))
    visitor.go("/")
    page.click("[data-game=longo]")
    page.wait_for_selector("[data-learn=known]")
    visitor.close()


def test_without_webassembly_there_are_the_rule_pages(browser: Browser, server: Server) -> None:
    """An old browser shows a sentence and a link; an unknown game is not found."""
    visitor = Visitor(browser, server)
    visitor.context.add_init_script("delete globalThis.WebAssembly")
    visitor.go("/learn/classic")
    visitor.page.wait_for_selector("[data-no-lesson]")
    visitor.page.click("main a.main")
    visitor.page.wait_for_url("**/rules/classic")
    visitor.go("/")
    visitor.page.wait_for_selector("[data-new-here]")
    visitor.go("/learn/chess")
    visitor.page.wait_for_selector("[data-missing]")
    visitor.close()
