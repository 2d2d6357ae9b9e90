"""docs/guides/variants.md describes every key of a sheet file as the reader implements it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qwixx.errors import SheetError
from qwixx.kernel.effects import EFFECTS
from qwixx.kernel.state import records
from qwixx.variants import load, parse
from qwixx.variants.model import Variant
from support.paths import ROOT

PAGE = (ROOT / "docs" / "guides" / "variants.md").read_text("utf-8")
KEYS = dict(
    re.findall(r"^\| `([a-z_.]+)` \| (.+?) \| ", PAGE.split("## Every key")[1].split("## Pairs")[0], re.MULTILINE)
)
"""Every key of the page, with the description of its values."""
LIMITS = {
    key: (int(found[1]), int(found[2]))
    for key, said in KEYS.items()
    if (found := re.match(r"(?:needed: )?(-?\d+) to (\d+)(?:,|$)", said))
}
"""The minimum and maximum of every numeric key."""


def with_value(folder: Path, key: str, value: int) -> Variant:
    """Read a sheet like one of the package, with one number changed."""
    table, _, name = key.partition(".")
    like = {"board": "duel", "cards": "cards"}.get(table, "classic")
    path = folder / "mine.toml"
    path.write_text(f'id = "mine"\nlike = "{like}"\n[{table}]\n{name} = {value}\n')
    return load(path)


def complaints(folder: Path, key: str, value: int) -> list[str]:
    """Return the errors about this number at its own line."""
    try:
        with_value(folder, key, value)
    except SheetError as error:
        return [problem.message for problem in error.problems if repr(key) in problem.message]
    return []


def test_every_key_is_there() -> None:
    """The page has the keys of the reader, in its order, and marks the required ones."""
    assert list(KEYS) == list(parse._KEYS)
    assert [key for key, said in KEYS.items() if said.startswith("needed")] == parse._NEEDED


@pytest.mark.parametrize("key", sorted(LIMITS))
def test_the_limits_are_those_of_the_page(tmp_path: Path, key: str) -> None:
    """Both ends of a range are accepted, and one beyond either is refused with a sentence."""
    least, most = LIMITS[key]
    assert complaints(tmp_path, key, least) == complaints(tmp_path, key, most) == []
    assert complaints(tmp_path, key, least - 1)
    assert complaints(tmp_path, key, most + 1)


def test_all_numbers_have_limits() -> None:
    """Every integer on the page has its range; `score.most` takes it from another key."""
    numbers = {key for key, kind in parse._KEYS.items() if kind is int}
    assert set(LIMITS) == numbers - {"score.most"}


def test_the_other_limits_are_those_of_the_records() -> None:
    """Lengths on the page are those that fit into the records."""
    assert f"up to {records.BAR} row keys" in KEYS["bar"]
    assert f"up to {records.LUCKY} pads" in KEYS["lucky"]
    assert f"up to {records.PAIRS} letters" in KEYS["pairs"]
    assert f"up to {records.POINTS - 1} numbers" in KEYS["score.rows"]
    assert f"2 to {records.POSITIONS} cells" in PAGE
    assert f"`2-{records.TOTALS - 1}`" in KEYS["cards.numbers"]
    assert f"{parse.MAX_FILE_CHARS:,} characters" in PAGE


def test_every_pair_is_there() -> None:
    """The page has all kinds of pairs, points with thirteen as the example."""
    words = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.split("## Pairs")[1], re.MULTILINE)
    assert [word.replace("plus-13", "plus") for word in words] == [effect.name for effect in EFFECTS]


def test_the_example_is_the_sheet_of_the_package() -> None:
    """The file that the page shows in full is the real one."""
    shown = PAGE.split("```toml\n")[1].split("```")[0]
    assert shown == (ROOT / "src/qwixx/variants/sheets/gemixxt-b.toml").read_text("utf-8")
