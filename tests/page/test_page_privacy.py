"""The privacy page: with the values of the server, data export as one file, and messages of the operator."""

from __future__ import annotations

import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

import qwixx
from support.page.page_driver import DESKTOP, PHONE, Browser, Server, Visitor, check_fits, expect, play_out

pytestmark = pytest.mark.browser
TOKEN = "operator-" + "k" * 24


def operate(server: Server, verb: str, path: str, body: str = "{}") -> None:
    """Run a command of the operator."""
    shown = {"Authorization": f"Bearer {TOKEN}"}
    with urlopen(Request(f"{server.base}/api/admin/{path}", body.encode(), shown, method=verb)) as answer:
        assert answer.status == 200


def test_stored_data_and_messages_of_the_operator(browser: Browser, tmp_path: Path) -> None:
    """Values of this server in the reader's language, games as one file, a banner on every screen, a closed table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QWIXX_ADMIN_TOKEN", TOKEN)
        patch.setenv("QWIXX_KEEP_DAYS", "1")
        patch.setenv("QWIXX_KEEP_FINISHED_DAYS", "90")
        patch.setenv("QWIXX_CONTACT", "Club <b>Qwixx</b>")
        server = Server(tmp_path / "qwixx.db")
    try:
        anna, carla = Visitor(browser, server, size=PHONE), Visitor(browser, server, size=DESKTOP, language="it-IT")
        carla.go("/")
        carla.page.click("[data-to-privacy]")
        carla.page.click("[data-download-mine]")
        expect(carla.page.locator("[data-gathered='0']")).to_contain_text("nessuna partita da scaricare")
        expect(carla.page.locator("[data-unfinished='1']")).to_contain_text("1 giorno dopo")
        expect(carla.page.locator("[data-finished='90']")).to_contain_text("90 giorni dopo")
        expect(carla.page.locator("[data-scores='60']")).to_contain_text("per 60 giorni")
        expect(carla.page.locator("[data-device]")).to_contain_text("lezioni")
        expect(carla.page.locator("[data-contact]")).to_have_text("Gestore di questo server: Club <b>Qwixx</b>")
        # One game on the server and one on this device, both of Anna; Carla only watches the first.
        anna.go("/")
        anna.call_oneself("Anna")
        anna.enter("classic", "alone")
        anna.page.wait_for_selector("main.play")
        code = anna.page.url.rpartition("/")[2]
        carla.go(f"/t/{code}")
        operate(
            server,
            "POST",
            "announcement",
            '{"text": "Back at <i>noon</i>, after an update of ten minutes.", "minutes": 5}',
        )
        for visitor, width in ((anna, 390), (carla, 1280)):
            expect(visitor.page.locator("[data-announcement] span")).to_have_text(
                "Back at <i>noon</i>, after an update of ten minutes."
            )
            check_fits(visitor)
            visitor.shot(f"announcement-table-{width}")
        anna.page.click("[data-announcement] button")
        play_out([anna], 4, hurry=True)
        anna.go("/")
        anna.page.wait_for_selector("[data-announcement]")
        check_fits(anna)
        anna.shot("announcement-start-390")
        operate(server, "POST", "announcement", '{"text": ""}')
        expect(carla.page.locator("[data-announcement]")).to_have_count(0)  # her table shows it immediately
        anna.play_here()
        anna.enter("classic", "alone")
        anna.page.wait_for_selector("main.play")
        anna.go("/privacy")
        with anna.page.expect_download() as coming:
            anna.page.click("[data-download-mine]")
        expect(anna.page.locator("[data-gathered='2']")).to_have_text("2 games are in the file.")
        file = tmp_path / coming.value.suggested_filename
        coming.value.save_as(file)
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            records = [archive.read(name).decode() for name in archive.namelist()]
        assert len(records) == 2
        assert any([*qwixx.Game.replay(record)][-1].is_over for record in records)
        for visitor, width in ((anna, 390), (carla, 1280)):
            visitor.go("/privacy")
            visitor.page.wait_for_selector("[data-finished]")
            check_fits(visitor)
            visitor.shot(f"privacy-{width}")
        # The operator closes the table: connected and new visitors see the reason.
        carla.go(f"/t/{code}")
        carla.page.wait_for_selector("main.play")
        operate(server, "POST", f"tables/{code}/close", '{"minutes": 5}')
        carla.page.get_by_text("ha bloccato questo tavolo").wait_for()
        operate(server, "POST", "bans", '{"address": "127.0.0.1", "minutes": 5}')
        anna.go("/")
        anna.enter("classic", "friends")
        anna.page.get_by_text("has blocked you for a while").wait_for()
        anna.page.click("[data-with-friends]")
        anna.page.fill("[data-code]", code)
        anna.page.click("form button[type=submit]")
        anna.page.locator("form [role=alert]", has_text="has blocked you").wait_for()
        assert code in str(anna.page.evaluate("localStorage.getItem('qwixx.tables')"))  # its key is not forgotten
        anna.close()
        carla.close()
    finally:
        server.stop()
