"""Names: everybody can read them, and nobody is taken for somebody else."""

# ruff: noqa: RUF001 - letters that look alike are what this is about

from __future__ import annotations

from pathlib import Path

import pytest

from guests import sit, some_tables
from qwixx.server import protocol
from qwixx.server.names import clean_name, looks, take_name
from qwixx.server.room import Refused
from serving import run

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
def test_what_shows_nothing_is_no_name(name: str) -> None:
    """Letters that cannot be seen make no name, alone or together."""
    for text in (name, name * 5, f" {name} "):
        with pytest.raises(Refused, match="bad-name"):
            take_name(text, 24)


def test_towers_of_marks_are_refused() -> None:
    """A letter carries as many marks as a language needs, and no more."""
    for tower in ("Z" + "\u0337" * 5, "Anna" + "\u0300\u0301" * 12, "\u20dd" * 23 + "x"):
        with pytest.raises(Refused, match="bad-name"):
            take_name(tower, 24)
    for name in ("Nguyễn Thị Hằng", "ที่นี่", "שָׁלוֹם", "Zoë Dvořák", "مُحَمَّد"):
        assert take_name(name, 24)


@pytest.mark.parametrize("name", [FAMILY, PIRATE, WALES, "1\ufe0f\u20e3", "👍🏽", "Ana ❤\ufe0f", "🧑🏿\u200d🚀"])
def test_emoji_stay_whole(name: str) -> None:
    """Joiners, styles and tags stay where they hold a picture together."""
    assert clean_name(name, 24) == name


def test_joiners_elsewhere_go() -> None:
    """Between letters they would only make two names of one; a cut name does not end in one."""
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
    """What a hasty reader takes for the same name is the same name."""
    assert looks(one) == looks(other)
    with pytest.raises(Refused, match="name-taken"):
        take_name(other, 24, ["Ben", one, ""])


def test_names_that_differ() -> None:
    """People with names of their own sit at one table, in any script."""
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
    assert len({looks(name) for name in names}) == len(names)


def test_nobody_takes_the_name_of_another(tmp_path: Path) -> None:
    """Neither when sitting down nor in the middle of a game; one's own name may be spelled anew."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            assert await ben.refusal(protocol.Sit("ANNA")) == "name-taken"
            await anna.ask(protocol.Start())
            assert await ben.refusal(protocol.Rename(1, "Аnna")) == "name-taken"
            assert await ben.refusal(protocol.Rename(1, "\u3164")) == "bad-name"
            assert await ben.refusal(protocol.Rename(1, "BEN")) == ""
            assert [seat.name for seat in table.room.seats] == ["Anna", "BEN"]

    run(look())
