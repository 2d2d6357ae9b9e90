"""Numbers in the docs equal the output of their commands, or have the date of their measurement."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import numbers_of_docs as numbers
import qwixx
from qwixx.cli import main
from support.paths import ROOT

STUDY = (ROOT / "docs" / "study.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def table(page: str, heading: str, line: str) -> list[str]:
    """Return the entries of a line of the table with this heading, without the line's name."""
    below = page[page.index(f"\n| {heading}") :].split("\n\n", maxsplit=1)[0]
    (found,) = [row for row in below.splitlines() if row.startswith(f"| {line} |")]
    return [entry.strip(" *") for entry in found.strip("|").split("|")[1:]]


def judged(position: str, *roll: str) -> dict[str, float]:
    """Run `qwixx best` on a classic solitaire position: the value of each choice, or of the position under ''."""
    done = CliRunner().invoke(main, ["best", "classic", position, *roll, "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    return {c["action"]: c["expected"] for c in answer["choices"]} if roll else {"": answer["expected"]}


@pytest.fixture
def _solved(solved_classic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QWIXX_CACHE", str(solved_classic.parents[1]))


@pytest.mark.slow
@pytest.mark.usefixtures("_solved")
def test_exact_values_of_the_study() -> None:
    """The first cross, misses and closing of `classic` have exactly the values on the page."""
    empty = judged("-")[""]
    crosses = [judged(f"r={cell}")[""] for cell in range(2, 12)]
    assert table(STUDY, "first cross in red", "expected final score") == [f"{value:.2f}" for value in crosses]
    against = [f"{value - empty:+.2f}" for value in crosses]
    assert table(STUDY, "first cross in red", "against the empty sheet, 115.48") == against
    worth = [empty, *(judged(f"misses={misses}")[""] for misses in (1, 2, 3))]
    costs = [before - after for before, after in pairwise(worth)]
    on_page = table(STUDY, "expected final score | no miss", "classic")
    assert on_page == [f"{value:.2f}" for value in (*worth, *costs)]
    closing, waiting = [], []
    for last in range(6, 12):
        red = ",".join(map(str, range(2, last + 1)))
        choices = judged(f"r={red} y=2,3,4,5,7,8 g=12,11,9 b=12,10,9,8", "66/1111")
        closing.append(f"{choices.pop('r12'):.2f}")
        waiting.append(f"{max(choices.values()):.2f}")
    assert table(STUDY, "red | 2 to 6", "close it now") == closing
    assert table(STUDY, "red | 2 to 6", "best without closing") == waiting


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["gap", "random"])
def test_simple_players_in_solitaire(bot: str) -> None:
    """The study has the results of a million solitaire games of a simple player."""
    mean = f"{qwixx.simulate('classic', seats=1, bots=[bot], games=1_000_000, seed=1).by_player()[0].mean:.1f}"
    best = table(STUDY, "| best play (exact)", "classic")
    assert {"gap": best[1], "random": best[3]}[bot] == mean
    if bot == "gap":
        assert table(STUDY, "mean score | 1 seat", "classic")[0] == mean


def test_speeds_equal_the_measurements() -> None:
    """`python docs/tools/numbers_of_docs.py` would change nothing."""
    page = numbers.PAGE.read_text("utf-8")
    assert "<!-- measured loops -->" in page
    assert numbers.renewed(page, numbers.RESULTS.read_text("utf-8")) == page


def test_policies_equal_the_computation() -> None:
    """The tables of docs/solving.md are those of the pages of bench.policies."""
    page = numbers.SOLVING.read_text("utf-8")
    assert "| optimal | 115.483126 |" in page
    assert numbers.renewed(page) == page


def test_the_benchmark_equals_its_results() -> None:
    """The tables of docs/benchmark.md are those of bench/baselines.json."""
    page = numbers.BENCHMARK.read_text("utf-8")
    assert "| `solitaire/classic-v0` |" in page
    assert numbers.renewed(page) == page


def test_a_block_is_written_again() -> None:
    """The content of a block is replaced by the numbers, the date and the commit of the results."""
    page = numbers.renewed("a\n<!-- measured loops -->\nold\n<!-- end -->\nb", numbers.RESULTS.read_text("utf-8"))
    assert "old" not in page
    assert re.search(r"\| 7\d\d,000 \|", page)
    assert re.search(r"\nMeasured 20\d\d-\d\d-\d\d at commit [0-9a-f]{7} on one core", page)


@pytest.mark.parametrize("page", ["environments", "performance", "server", "study"])
def test_measurements_have_a_date(page: str) -> None:
    """Pages with numbers that no test repeats have the date of the measurement."""
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    assert re.search(r"(?:[Mm]easured|made on) (?:on )?20\d\d-\d\d-\d\d", text)


def test_readme_counts_and_names_the_games() -> None:
    """The table of games has every game with its seats, and the first sentence has the number of games."""
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    assert README.splitlines()[2].startswith(f"{words[len(qwixx.games()) - 1].title()} games")
    seats = dict(re.findall(r"^\| `([\w-]+)` \| .* \| ([\d-]+) \|$", README, re.MULTILINE))
    ranges = {name: qwixx.variant(name).seats for name in qwixx.games()}
    assert seats == {name: f"{r[0]}-{r[-1]}" if len(r) > 1 else str(r[0]) for name, r in ranges.items()}
