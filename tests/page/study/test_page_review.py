"""After a game: the review equals that of Python, links every moment, and lets people try again, also offline."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from qwixx import analyse
from qwixx.coach import Analysis
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.game.game import Game
from qwixx.server.http.static_site import write_site
from qwixx.sim import replay_game
from support.page.page_driver import (
    AT_ONCE,
    DESKTOP,
    KEPT,
    PHONE,
    Browser,
    Server,
    Visitor,
    check_fits,
    expect,
    play_until,
)
from support.page.static_host import Host

pytestmark = pytest.mark.browser

SMALL = (320, 640)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Yield the page on a static host."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    running = Host(folder)
    yield running
    running.stop()


def import_record(server: Server, game: Game, people: tuple[str, ...] = ("Anna",)) -> tuple[str, list[str]]:
    """Import a finished game into the server; people have the first seats. Return its code and their tokens."""
    seats = "".join(f"# person {seat} {name}\n" for seat, name in enumerate(people))
    answer = httpx.post(f"{server.base}/api/records", content=game.record() + seats, timeout=60).json()
    return str(answer["code"]), list(answer["tokens"])


def seat(visitor: Visitor, code: str, token: str) -> None:
    """Give a device the token of its seat in an imported game."""
    known = json.dumps({code: {"code": code, "variant": "classic", "tokens": [token], "at": 1, "over": True}})
    key = "qwixx.tables"
    visitor.context.add_init_script(f"localStorage.getItem({key!r}) ?? localStorage.setItem({key!r}, {known!r})")


def costly_game(name: str) -> tuple[Game, Analysis]:
    """Play a game in which the first seat makes three mistakes."""
    for number in range(20):
        game = replay_game(name, 2, ("easy",), 5, number)
        found = analyse(game)
        if len(found.costliest(0)) == 3 and found.costliest(0)[0].chosen.action.text[0] in "rygb":
            return game, found
    raise AssertionError("nobody makes mistakes")


@pytest.mark.parametrize(("size", "language"), [(PHONE, "de-DE"), (DESKTOP, "fr-FR")])
def test_the_review_of_a_game(browser: Browser, server: Server, size: tuple[int, int], language: str) -> None:
    """Skill and the costliest decisions equal Python's; every moment has a link; mistakes are guessed first."""
    game, wanted = costly_game("classic")
    code, _ = import_record(server, game)
    anna = Visitor(browser, server, size=size, language=language, settings=AT_ONCE)
    page = anna.page
    anna.go(f"/r/{code}")
    page.click("[data-review-link]")
    page.wait_for_selector("[data-review=learned]")
    check_fits(anna)
    anna.shot(f"review-{size[0]}")
    skills = page.locator("[data-skill]").all_inner_texts()
    assert skills == [f"{min(99, int(account.accuracy + 0.5))}" for account in wanted.accounts if account.accuracy]
    assert all(0 <= int(luck) <= 99 for luck in page.locator("[data-luck]").all_inner_texts())
    mistakes = wanted.costliest(0)
    shown = page.locator("[data-mistake]")
    steps = [shown.nth(at).get_attribute("data-mistake") for at in range(shown.count())]
    assert steps == [str(each.step) for each in mistakes]
    # The answer is not shown before the guess; the question is on the first screens, and each disc opens its question.
    assert page.locator("[data-choice], [data-found]").count() == 0
    page.click("[data-disc='2']")
    page.wait_for_selector(f"[data-guess='{mistakes[1].step}']")
    page.click("[data-open-guess='1']")
    page.wait_for_selector(f"[data-guess='{mistakes[0].step}']")
    box = page.locator("[data-guess]").bounding_box()
    assert box is not None
    assert box["y"] < size[1] / 2
    # Step by step, and by links.
    page.click("[data-luckiest]")
    best = wanted.luckiest(0)
    assert best is not None
    page.wait_for_selector(f"[data-review-moment='{wanted.swings.index(best) + 1}']")
    expect(page.locator("[data-review-graph]")).to_be_in_viewport()
    assert f"at={best.step + 1}" in page.url
    page.reload()
    page.wait_for_selector(f"[data-review-moment='{wanted.swings.index(best) + 1}']")
    page.click("[data-review-forth]")
    page.wait_for_selector(f"[data-review-moment='{wanted.swings.index(best) + 2}']")
    anna.resize(SMALL)
    check_fits(anna)
    anna.resize(size)
    # A wrong answer shows its loss; the better choice ends it, with its reasons.
    wrong = next(each for each in mistakes[0].choices[1:] if each.loss > wanted.error and each != mistakes[0].chosen)
    page.click(f"[data-try='{wrong.action.text}']")
    page.wait_for_selector("[data-tried='1']")
    assert f"{100 * wrong.loss:.0f}" in page.locator("[data-tried]").inner_text()
    anna.shot(f"review-try-{size[0]}")
    page.click("[data-show-best]")
    page.wait_for_selector(f"[data-found='{mistakes[0].best.action.text}']")
    page.wait_for_selector("[data-guess] [data-why]")
    check_fits(anna)
    # Continue from there: the sheet is as it was, and the window is open.
    page.locator("[data-play-on]").first.click()
    page.wait_for_selector("main.play [data-lit=yes]")
    assert "/here/t/" in page.url
    before = next(each for at, each in enumerate(Game.replay(game.record())) if at == mistakes[0].step)
    crossed = sum(len(row.crosses) for row in before.view(0).sheets[0].rows)
    assert page.locator(".sheet .crossed[data-cell]").count() == crossed
    anna.close()


def test_solitaire_and_untrained_games(browser: Browser, server: Server) -> None:
    """Solitaire is reviewed in points, by the neural network if it is not solved; untrained games give a message."""
    alone = replay_game("bonus-a", 1, ("easy",), 5, 1)
    anna = Visitor(browser, server, size=PHONE, language="it-IT")
    anna.go(f"/r/{import_record(server, alone)[0]}/review")
    anna.page.wait_for_selector("[data-review]")
    wanted = analyse(alone, by=NetJudge(alone.variant, 1))
    if anna.page.locator("[data-review=learned]").count():
        skill = int(anna.page.locator("[data-skill-of='0'] b").inner_text())
        assert wanted.accounts[0].accuracy is not None
        assert abs(skill - min(99, wanted.accounts[0].accuracy)) <= 0.5
    check_fits(anna)
    anna.go(f"/r/{import_record(server, replay_game('cards-joker', 5, ('easy',), 5, 1))[0]}/review")
    anna.page.wait_for_selector("[data-no-review], [data-review]")
    check_fits(anna)
    anna.go("/r/ABCDEFGH/review")
    anna.page.wait_for_selector("main.calm h1")
    anna.close()


def test_a_review_together(browser: Browser, server: Server) -> None:
    """Anna leads, Ben and a television follow; all see the value move. The lead is handed over, and taken back."""
    game, wanted = costly_game("classic")
    code, tokens = import_record(server, game, ("Anna", "Ben"))
    anna, ben = (Visitor(browser, server, size=size, language="de-DE", settings=AT_ONCE) for size in (PHONE, DESKTOP))
    television = Visitor(browser, server, size=(1920, 1080), dark=True)
    seat(anna, code, tokens[0])
    seat(ben, code, tokens[1])
    ben.go(f"/t/{code}")
    ben.page.wait_for_selector("[data-review-link]")
    television.go(f"/t/{code}/tv")
    anna.go(f"/r/{code}/review")
    anna.page.click("[data-together=nobody] [data-lead]")
    anna.page.wait_for_selector("[data-together=leads]")
    # The others: one tap, and no tap.
    ben.page.wait_for_selector("[data-review-led='0']")
    check_fits(ben)
    ben.shot("together-invited-1280")
    ben.page.click("[data-follow-review]")
    for visitor in (ben, television):
        visitor.page.wait_for_selector("[data-together=follows]")
    # To a mistake, another choice, and a cell.
    worst = wanted.costliest(0)[0]
    anna.page.click("[data-disc='1']")
    moment = next(at for at, swing in enumerate(wanted.swings, 1) if swing.step >= worst.step)
    anna.page.click("[data-try-other]")
    anna.page.click(f"[data-choice='{worst.best.action.text}']")
    anna.page.locator(".stage svg.drawing").click(position={"x": 12, "y": 12})
    values = set()
    for visitor in (anna, ben, television):
        page = visitor.page
        page.wait_for_selector(f"[data-review-moment='{moment}']")
        page.wait_for_selector(f"[data-tried-here='{worst.best.action.text}']")
        page.wait_for_selector("[data-pointed=r2]")
        values.add(page.locator("[data-moved]").get_attribute("data-moved"))
        check_fits(visitor)
        visitor.shot(f"together-{page.viewport_size['width'] if page.viewport_size else ''}")
    assert len(values) == 1
    anna.resize(SMALL)
    check_fits(anna)
    anna.shot("together-320")
    anna.resize(PHONE)
    # A follower who moves looks alone, until the next tap.
    ben.page.click("[data-review-back]")
    ben.page.click("[data-together=alone] [data-follow]")
    ben.page.wait_for_selector(f"[data-together=follows] ~ .together [data-review-moment='{moment}']")
    anna.page.click("[data-hand-over]")
    anna.shot("together-hand-over-390")
    anna.page.click("[data-heir='1']")
    anna.page.wait_for_selector("[data-together=follows]")
    ben.page.click("[data-together=leads] ~ .together [data-review-back]")
    for visitor in (anna, television):
        visitor.page.wait_for_selector(f"[data-review-moment='{moment - 1}']")
    ben.close()
    anna.page.click("[data-together=left] [data-lead]")
    anna.page.click("[data-together=leads] [data-stop-leading]")
    anna.page.wait_for_selector("[data-together=nobody]")
    television.page.wait_for_selector("main.tv")
    # Ben comes back and wants another game: Anna sees it in the review, and both go there.
    ben = Visitor(browser, server, size=DESKTOP, settings=AT_ONCE)
    seat(ben, code, tokens[1])
    ben.go(f"/t/{code}")
    ben.page.click("[data-rematch]")
    anna.page.wait_for_selector("[data-again='1']")
    check_fits(anna)
    anna.shot("together-rematch-390")
    anna.page.click("[data-rematch]")
    for visitor in (anna, ben):
        visitor.page.wait_for_selector("main.play")
    ben.close()
    anna.close()
    television.close()


def test_a_review_without_a_network(browser: Browser, host: Host) -> None:
    """The review names the missing download, loads it once, and then works offline for good."""
    anna = Visitor(browser, host, size=PHONE, settings=AT_ONCE, keeps=True)
    page = anna.page
    anna.go("/")
    page.evaluate(KEPT)
    anna.context.set_offline(True)
    page.reload()
    anna.enter("classic", "bots")
    page.wait_for_selector("main.play")
    play_until(anna, "[data-end]")
    page.click("[data-review-link]")
    page.wait_for_selector("[data-no-review]")
    assert "Go online once" in page.locator("[data-no-review]").inner_text()
    anna.context.set_offline(False)
    page.reload()
    page.wait_for_selector("[data-review=learned]")
    anna.context.set_offline(True)
    page.reload()
    page.wait_for_selector("[data-review=learned]")
    assert page.locator("[data-account]").count() == 3
    anna.close()
