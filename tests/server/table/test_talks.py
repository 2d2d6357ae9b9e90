"""One table, two hosts: every talk is played at the server's table and at the page's, and both send the same."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import qwixx
from qwixx.server.wire.messages import FromPage
from support.talks import core_file
from support.talks.at_device import play_at_device
from support.talks.at_server import Transcript, play_at_server
from support.talks.compare import has_reason, sent_lines, text_of
from support.talks.talk_files import DIFFERENCES, Talk, talks

TALKS = list(talks())
FEWEST = 50


@pytest.fixture(scope="module")
def devices(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Transcript]:
    """Play all talks at local tables, in one Node process."""
    played = play_at_device(TALKS, tmp_path_factory.mktemp("talks"))
    return {talk.path.stem: transcript for talk, transcript in zip(TALKS, played, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.path.stem)
def test_both_hosts_say_what_the_talk_says(
    talk: Talk, devices: dict[str, Transcript], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole messages of both hosts are equal except where the file marks a difference; its lines are theirs."""
    server = play_at_server(talk, tmp_path, monkeypatch)
    assert text_of(talk, sent_lines(talk, server, devices[talk.path.stem])) == talk.path.read_text("utf-8")


def test_every_difference_has_a_reason() -> None:
    """A step in which the hosts differ names one of the reasons, no other step does, and every reason is needed."""
    steps = [(talk.path.stem, step) for talk in TALKS for step in talk.steps]
    assert [f"{name}: {step.line}" for name, step in steps if not has_reason(step, DIFFERENCES)] == []
    assert {step.because for _, step in steps if step.because} == set(DIFFERENCES)


def test_there_are_talks_about_everything() -> None:
    """At least fifty talks, of all games, with every message that a page can send."""
    assert len(TALKS) >= FEWEST
    assert {talk.script()["variant"] for talk in TALKS} == set(qwixx.games())
    acts = [act for talk in TALKS for step in (talk.setup(), *(step.acts for step in talk.steps)) for act in step]
    said = {act["message"]["t"] for act in acts if act["do"] == "say"}
    assert said == {kind.__struct_config__.tag for kind in get_args(FromPage)}


def test_the_core_says_what_its_file_says() -> None:
    """The page's core plays the same file in `page/tests/local/core.test.ts`."""
    assert core_file.answers() == core_file.FILE.read_text("utf-8").splitlines()
