"""Display names are readable and not confusable."""

# ruff: noqa: RUF001 - this file is about letters that look alike

from __future__ import annotations

from pathlib import Path

import pytest

from qwixx.server.base.errors import Refused
from qwixx.server.room.display_names import checked_name, clean_name, skeleton
from qwixx.server.wire import messages
from support.server.in_process_tables import sit, some_tables
from support.server.live_server import run

FAMILY = "👨\u200d👩\u200d👧"
PIRATE = "🏴\u200d☠\ufe0f"
WALES = "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbwls") + chr(0xE007F)


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800",
        "\ufe0f",
        "\u115f\u1160",
        "\uffa0",
        "\u034f",
        "\u200d",
        "\u0301",
        " \u200b\u2060\t",
        "\U000e0067",
    ],
)
def test_invisible_letters_are_no_name(name: str) -> None:
    """Invisible letters are not a name."""
    for text in (name, name * 5, f" {name} "):
        with pytest.raises(Refused, match="bad-name"):
            checked_name(text, 24)


def test_many_combining_marks_are_refused() -> None:
    """A letter may have as many combining marks as a language needs."""
    for tower in ("Z" + "\u0337" * 5, "Anna" + "\u0300\u0301" * 12, "\u20dd" * 23 + "x"):
        with pytest.raises(Refused, match="bad-name"):
            checked_name(tower, 24)
    for name in ("Nguyễn Thị Hằng", "ที่นี่", "שָׁלוֹם", "Zoë Dvořák", "مُحَمَّد"):
        assert checked_name(name, 24)


def test_wide_signs_go() -> None:
    """A sentence in one sign would make a line of several screens; ordinary Arabic stays."""
    assert clean_name("Anna\ufdfd\u2e3b", 24) == "Anna"
    with pytest.raises(Refused, match="bad-name"):
        checked_name("\ufdfd" * 24, 24)
    assert clean_name("ليلى", 24) == "ليلى"


@pytest.mark.parametrize("name", [FAMILY, PIRATE, WALES, "1\ufe0f\u20e3", "👍🏽", "Ana ❤\ufe0f", "🧑🏿\u200d🚀"])
def test_emoji_stay_whole(name: str) -> None:
    """Joiners, styles and tags stay inside an emoji."""
    assert clean_name(name, 24) == name


def test_joiners_elsewhere_go() -> None:
    """Between letters they are removed, and a shortened name does not end with one."""
    assert clean_name("An\u200dna", 24) == "An na"
    assert clean_name("Anna\ufe0f", 24) == "Anna"
    assert clean_name("x" * 23 + "👩\u200d👧", 25) == "x" * 23 + "👩"
    assert clean_name("\U000e0067Anna", 24) == "Anna"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "Аnnа"),  # Cyrillic A and a
        ("ANNA", "ΑΝΝΑ"),  # Greek
        ("Anna", "Ａｎｎａ"),
        ("Anna", "An na"),
        ("Anna", "Ánna"),
        ("Bill", "BiII"),
        ("Bill", "B1l|"),
        ("Otto", "0tt0"),
        ("Tim", "Tirn"),
        ("Max", "𝐌𝐚𝐱"),
        ("Петр", "петр"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    """Names that look alike count as the same name."""
    assert skeleton(one) == skeleton(other)
    with pytest.raises(Refused, match="name-taken"):
        checked_name(other, 24, ["Ben", one, ""])


def test_names_that_differ() -> None:
    """People with different names can sit at one table, in any script."""
    names = [
        "Anna",
        "Hanna",
        "Ben",
        "Beno",
        "Müller",
        "Meier",
        "Иван",
        "Игорь",
        "花子",
        "太郎",
        "🎲",
        "👾",
        "ليلى",
        "Player 2",
    ]
    assert len({skeleton(name) for name in names}) == len(names)


def test_nobody_takes_the_name_of_another(tmp_path: Path) -> None:
    """Neither when sitting down nor during a game; players may change the spelling of their own name."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            assert await ben.refusal(messages.Sit("ANNA")) == "name-taken"
            await anna.ask(messages.Start())
            assert await ben.refusal(messages.Rename(1, "Аnna")) == "name-taken"
            assert await ben.refusal(messages.Rename(1, "\u3164")) == "bad-name"
            assert await ben.refusal(messages.Rename(1, "BEN")) == ""
            assert [seat.name for seat in table.room.seats] == ["Anna", "BEN"]

    run(look())
