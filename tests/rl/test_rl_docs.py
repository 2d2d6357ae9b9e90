"""docs/environments.md: its tables equal the code, and nothing is left out."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import numbers_of_docs as numbers
import qwixx
import qwixx.rl.gymnasium as adapter
from qwixx.rl import doc_tables, openspiel
from qwixx.rl.single_game import RENDER_MODES
from qwixx.rl.spaces import REWARDS, describe
from support.paths import ROOT

PAGE = ROOT / "docs" / "environments.md"
TEXT = PAGE.read_text("utf-8")


def test_the_tables_are_those_of_the_spaces() -> None:
    """`python -m qwixx.rl.doc_tables docs/environments.md` would change nothing."""
    assert doc_tables.renewed(TEXT) == TEXT


def test_the_measured_blocks_are_those_of_their_files() -> None:
    """`python docs/tools/numbers_of_docs.py` would change nothing."""
    assert re.findall(r"<!-- measured (\S+) -->", TEXT) == ["adapters"]
    assert numbers.renewed(TEXT) == TEXT


def test_the_page_can_be_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that generates the tables of the page fills in what is missing."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table sizes -->\nold\n<!-- end -->\nafter\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["tables", str(page)])
    runpy.run_path(str(Path(doc_tables.__file__)), run_name="__main__")
    assert page.read_text("utf-8").splitlines()[2] == "| variant | actions | 1 seat | 2 | 3 | 4 | 5 |"


def test_every_variant_has_its_tables() -> None:
    """The page has the observation and actions of every game, in its own table or in a shared one."""
    shown = re.findall(r"<!-- table (\S+) -->", TEXT)
    for kind, write in (("observation", doc_tables.observation_table), ("action", doc_tables.action_table)):
        written = {doc_tables.table(name) for name in shown if name.startswith(kind)}
        for variant in qwixx.games():
            table = write(describe(variant, 2)).replace("0 is A2", "0 is r2").replace("0 is r10", "0 is r2")
            assert table in written, f"{kind} of {variant}"


def test_names_on_the_page_are_the_names_of_the_code() -> None:
    """Ids, rewards, render modes and parameters on the page exist in the code."""
    assert dict(re.findall(r"\| `(qwixx/\S+)` \| (\S+) \|", TEXT)) == adapter.ids()
    section = TEXT.split("## Rewards")[1].split("##")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == REWARDS
    modes = re.search(r"`render_mode`: (.*)", TEXT)
    assert modes is not None
    assert tuple(re.findall(r"`(\w+)`", modes[1])) == RENDER_MODES
    section = TEXT.split("## OpenSpiel")[1].split("## Many")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(openspiel._DEFAULTS)


def test_the_arrays_of_a_batch_are_described() -> None:
    """The page has every public array of a batch."""
    section = TEXT.split("## Many games at once")[1].split("##")[0]
    from qwixx.rl.batch import Env  # noqa: PLC0415 - its annotations are what is compared

    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(Env.__annotations__)
