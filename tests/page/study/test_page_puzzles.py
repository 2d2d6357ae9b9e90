"""The training screen and hints in the browser: answered, explained in all languages, saved, and offline."""

from __future__ import annotations

import pytest

from qwixx import Game
from qwixx.base.languages import LANGUAGES
from qwixx.coach.reasons.sentences import joined, reasons_of, sentence
from qwixx.puzzles.generate import SHIPPED, Puzzle, read_puzzles
from qwixx.variants import load
from support.page.accessibility import check_axe, check_words
from support.page.page_driver import AT_ONCE, DESKTOP, KEPT, PHONE, UNTIL, Browser, Server, Visitor, check_fits, one_of

pytestmark = pytest.mark.browser
# Decide with the elements on the screen, as a finger would.
DECIDE = f"""async (action) => {{
  const until = {UNTIL};
  const [cell] = action.split('>');
  document.querySelector(action === 'pass' ? '[data-do=pass]' : `[data-cell="${{cell}}"]`).click();
  await until(() => {{
    document.querySelector(`[data-yes], [data-tie="${{action}}"]`)?.click();
    return document.querySelector('main').dataset.answer;
  }});
}}"""

KEEP = "([name, value]) => localStorage.setItem(`qwixx.${name}`, JSON.stringify(value))"


def puzzle_on(visitor: Visitor, game: str) -> Puzzle:
    """Return the puzzle on the screen."""
    visitor.page.wait_for_selector("main[data-puzzle]:not([data-answer]) .rows")
    shown = visitor.page.locator("main").get_attribute("data-puzzle")
    seat = int(visitor.page.locator("[data-training]").get_attribute("data-seat") or 0)
    puzzles = read_puzzles((SHIPPED / f"{game}.json").read_text("utf-8"), load(game))
    return next(puzzle for puzzle in puzzles if (puzzle.position, puzzle.seat) == (shown, seat))


def words_for(puzzle: Puzzle, action: str, language: str) -> str:
    """Return the reason, as Python gives it."""
    game = Game.from_position(puzzle.position)
    (reasons,) = reasons_of(game, puzzle.seat, [each for each in game.legal(puzzle.seat) if each.text == action])
    text = joined([sentence(game.variant, reason, language) for reason in reasons], language)
    return text[0].upper() + text[1:] + "."


def test_the_training_screen(browser: Browser, server: Server) -> None:
    """A wrong answer comes again until it is right; values and reasons equal Python's, in all languages and offline."""
    for size, game in ((PHONE, "classic"), (DESKTOP, "duel")):
        visitor = Visitor(browser, server, size=size, keeps=True)
        page = visitor.page
        visitor.go("/")
        page.evaluate(KEPT)
        page.click(f"[data-game={game}]")
        page.click("[data-train]")
        puzzle = puzzle_on(visitor, game)
        check_fits(visitor)
        page.evaluate(DECIDE, puzzle.choices[-1][0])
        page.wait_for_selector("main[data-right=no] [data-why]")
        assert page.locator("[data-choice]").first.get_attribute("data-choice") == puzzle.best
        assert page.locator("[data-why]").inner_text() == words_for(puzzle, puzzle.best, "en")
        page.click(f"[data-choice='{puzzle.choices[1][0]}']")
        assert page.locator("[data-why]").inner_text() == words_for(puzzle, puzzle.choices[1][0], "en")
        check_fits(visitor)
        check_axe(visitor)
        visitor.context.set_offline(True)
        page.click("[data-next]")
        assert puzzle_on(visitor, game) != puzzle
        page.click("[data-wish=again]")
        page.wait_for_selector(f"main[data-puzzle='{puzzle.position}'][data-seat='{puzzle.seat}']:not([data-answer])")
        page.evaluate(DECIDE, puzzle.best)
        page.wait_for_selector("main[data-right=yes]")
        for language in LANGUAGES:
            page.evaluate(KEEP, ["settings", {"language": language, "guard": 0}])
            page.reload()
            other = puzzle_on(visitor, game)
            assert other != puzzle
            found = LANGUAGES.index(language) + 1  # earlier results are kept
            assert str(found) in page.locator("[data-found]").inner_text()
            page.evaluate(DECIDE, other.best)
            page.wait_for_selector("main[data-right=yes] [data-why]")
            assert page.locator("[data-why]").inner_text() == words_for(other, other.best, language)
            check_words(visitor)
        visitor.close()
    visitor = Visitor(browser, server)
    visitor.go("/train/chess")
    visitor.page.wait_for_selector("[data-missing]")
    visitor.context.add_init_script("delete globalThis.WebAssembly")
    visitor.go("/train")
    visitor.page.wait_for_selector("[data-no-training]")
    visitor.close()


@pytest.mark.parametrize(("size", "place"), [(PHONE, "server"), (DESKTOP, "here")])
def test_hints_while_playing(browser: Browser, server: Server, size: tuple[int, int], place: str) -> None:
    """Against a bot, a tap or a key asks for a hint; it ranks and highlights legal actions and is in the history."""
    visitor = Visitor(browser, server, size=size, settings={**AT_ONCE, "place": place, "roll": "self"})
    page = visitor.page
    visitor.play_now("classic")
    page.click("[data-ask-hint]") if size == PHONE else page.wait_for_selector("[data-ask-hint]")
    if size == DESKTOP:
        page.keyboard.press("h")
    page.wait_for_selector("[data-hint] [data-why]")
    best = page.locator("[data-hint]").get_attribute("data-hint")
    legal = page.evaluate("[...document.querySelectorAll('[data-lit=yes]')].map((cell) => cell.dataset.cell)")
    listed = page.evaluate("[...document.querySelectorAll('[data-choice]')].map((each) => each.dataset.choice)")
    assert best == listed[0]
    assert set(legal) <= set(listed) | {"pass"}
    lit = page.evaluate("[...document.querySelectorAll('[data-lit=yes]:not(.aside)')].map((cell) => cell.dataset.cell)")
    assert lit == ([] if best == "pass" else [best])
    check_fits(visitor)
    check_axe(visitor)
    check_words(visitor)
    page.wait_for_selector(".story:has-text('hint')")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-hint]", state="detached")
    page.reload()
    page.wait_for_selector(".story:has-text('hint')")
    visitor.close()


def test_a_hint_survives_a_lost_connection(browser: Browser, server: Server) -> None:
    """A hint that was requested without a connection is requested once more after the reconnect."""
    visitor = Visitor(browser, server, settings={**AT_ONCE, "place": "server", "roll": "self"})
    page = visitor.page
    visitor.play_now("classic")
    page.wait_for_selector("[data-ask-hint]")
    with server.silent():
        page.click("[data-ask-hint]")
        page.wait_for_selector("[data-banner]")
    page.wait_for_selector("[data-hint] [data-why]")
    page.wait_for_selector(".story:has-text('hint')")
    visitor.close()


def test_hints_in_the_lobby(browser: Browser, server: Server) -> None:
    """With other people hints are off until somebody turns them on; all see it; offline there is a message."""
    anna, ben = Visitor(browser, server), Visitor(browser, server, size=DESKTOP)
    code = anna.open_table("duel", "Anna")
    ben.sit(code, "Ben")
    ben.page.wait_for_selector("[data-guest]")
    ben.unfold()
    anna.page.wait_for_selector("[data-hints]:not(:checked)")
    ben.page.check("[data-hints]")
    anna.page.wait_for_selector("[data-hints]:checked")
    anna.begin()
    ben.page.wait_for_selector("main.play")
    active = one_of([anna, ben], "[data-status].mine")
    active.page.wait_for_selector("[data-ask-hint]")
    for visitor in (anna, ben):
        visitor.close()
