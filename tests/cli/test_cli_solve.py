"""The commands solve and best, on a sheet that is small enough for the naive solver to check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qwixx import Game
from qwixx.cli import main
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.naive_solver import Naive, decided, rolled

pytestmark = pytest.mark.slow

SHEET = '''
id = "tiny"
like = "classic"
name = "Tiny"
title = "Two cells a row."
seats = "1-2"
sheet = """
r 2 | 3 L
y 2 | 3 L
g 4 | 3 L
b 4 | 3 L
"""
[dice]
sides = 2
[closing]
crosses = 1
[end]
rows = 2
misses = 2
[score]
rows = [1, 3, 6]
miss = 2
'''


@pytest.fixture
def tiny(tmp_path: Path, fresh_cache: Path) -> str:
    """Write the sheet, and use a separate cache for solved tables."""
    path = tmp_path / "tiny.toml"
    path.write_text(SHEET)
    return str(path)


def run(*words: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words))


def test_solve_gives_the_naive_value(tiny: str) -> None:
    """`qwixx solve` prints the value of plain expectimax, and the first rolls average to it."""
    naive = Naive(compile_layout(load(tiny)))
    answer = json.loads(run("solve", tiny, "--json").stdout)

    assert answer["value"] == pytest.approx(naive.value(naive.begin()))
    rolls = answer["first_rolls"]
    assert sum(roll["chance"] for roll in rolls) == pytest.approx(1)
    assert sum(roll["chance"] * roll["expected"] for roll in rolls) == pytest.approx(answer["value"], abs=1e-5)


def test_solve_writes_its_table_to_the_named_file(tiny: str, tmp_path: Path) -> None:
    """With --table the table is stored in that file and read from there the next time."""
    table = tmp_path / "here.qwixx"
    first = run("solve", tiny, "--table", str(table))
    written = table.read_bytes()
    second = run("solve", tiny, "--table", str(table))

    assert "points with best play" in first.stdout
    assert first.stdout == second.stdout
    assert table.read_bytes() == written


def test_best_judges_every_choice(tiny: str) -> None:
    """`qwixx best` lists exactly the legal choices with the naive solver's values, best first."""
    layouts = compile_layout(load(tiny))
    naive = Naive(layouts)
    states = rolled(layouts, naive.begin(), (1, 2, 1, 2, 1, 2))
    game = Game(tiny, seats=1)
    game.set_roll("12/1212")
    answer = json.loads(run("best", tiny, "-", "12/1212", "--json").stdout)
    found = {line["action"]: line["expected"] for line in answer["choices"]}

    wanted = {str(a): naive.value(decided(layouts, states, a.id)) for a in game.legal(0)}
    assert found == pytest.approx(wanted, abs=1e-5)
    assert [line["loss"] for line in answer["choices"]] == sorted(line["loss"] for line in answer["choices"])
    assert answer["choices"][0]["loss"] == 0


def test_best_takes_a_whole_position_line(tiny: str) -> None:
    """A position in the middle of a turn needs no roll."""
    result = run("best", tiny, "tiny active=0 phase=color roll=12/1212 crossed=yes | r=2")

    assert result.exit_code == 0
    assert "best" in result.stdout


def test_best_without_a_roll_judges_the_position(tiny: str) -> None:
    """Before a roll the answer is the naive solver's value of the position, and the white dice average to it."""
    layouts = compile_layout(load(tiny))
    naive = Naive(layouts)
    states = decided(layouts, decided(layouts, rolled(layouts, naive.begin(), (1, 2, 1, 2, 1, 2)), 60), 60)  # a miss
    answer = json.loads(run("best", tiny, "misses=1", "--json").stdout)

    assert answer["expected"] == pytest.approx(naive.value(states), abs=1e-5)
    rolls = answer["white_rolls"]
    assert sum(roll["chance"] * roll["expected"] for roll in rolls) == pytest.approx(answer["expected"], abs=1e-5)
    assert "points expected with best play" in run("best", tiny, "misses=1").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("solve", "cards"), "not played alone with dice"),
        (("solve", "duel"), "not played alone with dice"),
        (("solve", "classic", "--lucky", "6/11"), "no lucky numbers"),
        (("solve", "longo", "--lucky", "six"), "look like 6/11"),
        (("best", "classic", "r=3,2", "12/1234"), "right of every cross in row r (C1)"),
        (("best", "classic", "classic active=0 phase=over | misses=4"), "the game is over"),
        (("best", "classic", "-", "nonsense"), "is no roll"),
        (("best", "cards", "-"), "not played alone with dice"),
        (("best", "longo", "r=2"), "Add the lucky numbers"),
        (("solve", "classic", "--table", "/dev/null"), "is none"),
        (("simulate", "classic", "--bots", ""), "There is no bot “”"),
        (("simulate", "classic", "--bots", "gap:15"), "gap:0 to gap:14"),
        (("best", "classic", "classic phase=roll | - | -", "12/1234"), "solitaire only"),
    ],
)
def test_bad_questions_get_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    """Bad input gets one sentence and exit code 2, before any work is done."""
    result = run(*words)

    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
