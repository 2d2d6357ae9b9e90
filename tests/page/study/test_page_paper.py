"""Paper and page: printing sheets from the page, and scoring sheets that were filled in by hand."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pypdf import PdfReader

from qwixx.base.languages import LANGUAGES
from qwixx.server.http.static_site import write_site
from support.page.page_driver import DESKTOP, GAMES, KEPT, PHONE, Browser, Server, Visitor, check_fits, expect
from support.page.static_host import Host

pytestmark = pytest.mark.browser
NARROW = (320, 568)


def tap(visitor: Visitor, *cells: str) -> None:
    """Tap cells of the front sheet."""
    for cell in cells:
        visitor.page.click(f"[data-cell={cell}]")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_table_is_counted_kept_and_cleared(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Two sheets of classic by hand (C12), offline: 10 + 6 and two misses against a closed row of 28."""
    anna = Visitor(browser, server, size=size, keeps=True)
    anna.go("/")
    anna.page.evaluate(KEPT)
    anna.context.set_offline(True)
    anna.page.click("[data-count]")
    anna.page.select_option("[data-count-game]", "classic")
    anna.page.fill("[data-count-name]", "Anna")
    tap(anna, "r2", "r3", "r5", "r9", "y2", "y4", "y7")
    anna.page.click("[data-miss='2']")
    expect(anna.page.locator("[data-count-total]")).to_have_text("6")
    anna.page.click("[data-count-add]")
    tap(anna, "g12", "g11", "g10", "g9", "g2")
    expect(anna.page.locator("[data-slips='1']")).to_contain_text("5")
    expect(anna.page.locator("[data-cell=g2]")).to_have_attribute("data-wrong", "yes")
    anna.page.locator("[data-cell=g8]").focus()
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator("[data-count-total]")).to_have_text("28")
    expect(anna.page.locator("[data-count-lock=g]")).to_have_attribute("data-locked", "yes")
    assert not anna.page.locator("[data-slips]").count()
    expect(anna.page.locator("[data-count-closed]")).to_contain_text("(Player 2)")
    check_fits(anna)
    anna.shot(f"count-{size[0]}")
    anna.page.reload()
    expect(anna.page.locator("[data-final='0']")).to_have_text("6")
    expect(anna.page.locator("[data-final='1']")).to_have_text("28")
    expect(anna.page.locator("[data-count-winner]")).to_contain_text("28")
    # Another game has its own sheets, and with empty ones nobody has won. The earlier sheets are still there.
    anna.page.select_option("[data-count-game]", "bonus-a")
    expect(anna.page.locator("[data-final='1']")).to_have_text("0")
    assert not anna.page.locator("[data-count-winner]").count()
    anna.page.reload()
    anna.page.select_option("[data-count-game]", "classic")
    expect(anna.page.locator("[data-final='1']")).to_have_text("28")
    anna.page.click("[data-count-clear]")
    anna.page.click("[data-count-clear]")
    expect(anna.page.locator("[data-count-total]")).to_have_text("0")
    assert anna.page.input_value("[data-count-name]") == "Anna"
    anna.close()


def test_every_game_can_be_counted_in_every_language(browser: Browser, server: Server) -> None:
    """Nine games, all languages, the narrowest phone: nothing overflows, the first cell counts 1."""
    anna = Visitor(browser, server, size=NARROW)
    anna.go("/count")
    for language in LANGUAGES:
        anna.page.evaluate(
            """language => {
              localStorage.setItem('qwixx.settings', JSON.stringify({guard: 0, language}));
              localStorage.removeItem('qwixx.count');
            }""",
            language,
        )
        anna.page.reload()
        for game in GAMES:
            anna.page.select_option("[data-count-game]", game)
            anna.page.locator(".rows [data-cell]").first.click()
            expect(anna.page.locator("[data-count-total]")).to_have_text("1")
            check_fits(anna)
            words = anna.page.inner_text("main")
            assert "count." not in words
            assert "{" not in words
    anna.shot("count-narrow")
    anna.close()


def test_the_duel_stacks_and_removes_pawns(browser: Browser, server: Server) -> None:
    """Another tap stacks a pawn; a cell cannot have pawns of both players (D2)."""
    anna = Visitor(browser, server)
    anna.go("/count")
    anna.page.select_option("[data-count-game]", "duel")
    tap(anna, "r2", "r5", "r5", "r5")
    expect(anna.page.locator("[data-count-total]")).to_have_text("10")
    anna.page.locator("label:has([data-taking=yes])").click()
    tap(anna, "r5")
    expect(anna.page.locator("[data-count-total]")).to_have_text("6")
    anna.page.click("[data-count-seat='1']")
    anna.page.locator("label:has([data-taking=no])").click()
    tap(anna, "r5")
    expect(anna.page.locator("[data-slips]")).to_contain_text("the red row")
    assert not anna.page.locator("[data-count-winner]").count()
    anna.shot("count-duel")
    anna.close()


def test_sheets_are_printed_from_the_page(browser: Browser, server: Server) -> None:
    """The dialog saves a PDF with the options, in the reader's language; an unreachable server gives a message."""
    anna = Visitor(browser, server, language="fr-FR")
    anna.go("/rules/longo")
    anna.page.click("[data-print=longo]")
    anna.page.select_option("[data-print-choice=paper]", "a5")
    anna.page.select_option("[data-print-choice=ink]", "gray")
    anna.page.select_option("[data-print-choice=perPage]", "1")
    anna.page.select_option("[data-print-choice=qr]", "rules")
    anna.page.fill("[data-print-choice=sheets]", "3")
    check_fits(anna)
    wide, shown = anna.page.evaluate(
        "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('dialog'))"
    )
    assert wide <= shown
    anna.shot("print")
    with anna.page.expect_download() as saved:
        anna.page.click("[data-print-now]")
    pad = PdfReader(io.BytesIO(Path(saved.value.path()).read_bytes()))
    assert len(pad.pages) == 3
    assert round(float(pad.pages[0].mediabox.width)) == 595
    assert "coups manqués" in pad.pages[0].extract_text()
    anna.page.wait_for_load_state("networkidle")  # a part of the page whose download was interrupted would be an error
    anna.context.set_offline(True)
    anna.page.click("[data-print-now]")
    expect(anna.page.locator("[data-print-trouble]")).to_be_visible()
    anna.page.get_by_text("qwixx print longo --lang fr -o longo.pdf").wait_for()
    anna.context.set_offline(False)
    anna.close()


def test_a_static_site_offers_its_own_files(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without files it shows the command; with files it saves that of the reader's language."""
    monkeypatch.setattr("qwixx.games", lambda: ("classic",))
    write_site(tmp_path / "site")
    host = Host(tmp_path / "site")
    anna = Visitor(browser, host, language="it-IT")
    anna.go("/")
    anna.page.click("[data-print=classic]")
    expect(anna.page.locator("[data-print-none]")).to_be_visible()
    anna.page.get_by_text("qwixx print classic --lang it -o classic.pdf").wait_for()
    anna.close()
    write_site(tmp_path / "site", pads=True)
    ben = Visitor(browser, host, language="it-IT")
    ben.go("/")
    ben.page.click("[data-print=classic]")
    with ben.page.expect_download() as saved:
        ben.page.click("[data-print-now]")
    assert "lanci a vuoto" in PdfReader(Path(saved.value.path())).pages[0].extract_text()
    ben.close()
    host.stop()
