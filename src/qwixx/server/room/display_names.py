"""What people call themselves: readable, and not to be mistaken for somebody else at the table."""

# ruff: noqa: RUF001 - letters that look alike are what this is about

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import groupby

from qwixx.server.room import Refused

_JOINER, _EMOJI_STYLE, _BLACK_FLAG = "\u200d", "\ufe0f", "\U0001f3f4"
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs and show nothing."""
_TAGS = range(0xE0020, 0xE0080)
"""Invisible letters that make flags of countries out of a black one."""
_VARIANTS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x180F))
"""Marks that show nothing by themselves."""
_MOST_MARKS = 4
"""Marks upon one letter; no language needs more, and a tower of them covers other people's lines."""

# Letters that look like Latin ones. Capitals come first: they look alike more often than small letters do.
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "АВЕЅІЈКМНОРСТУХ", "ABEZHIKMNOPTYX" + "ABESIJKMHOPCTYX")
_SMALL = str.maketrans(
    "αβεζηικμνορτυχ" + "авеѕіјкмнорстух" + "һԁԛԝ" + "ıi1|0",
    "abezhlkmnoptyx" + "abesljkmhopctyx" + "hdqw" + "llllo",
)


def take_name(text: str, longest: int, others: Iterable[str] = ()) -> str:
    """Give the name as it is shown. Raises `Refused` if it cannot be read, or looks like that of one of the others."""
    name = clean_name(text, longest)
    if not name or _most_marks(name) > _MOST_MARKS:
        raise Refused("bad-name")
    if looks(name) in {looks(other) for other in others if other}:
        raise Refused("name-taken")
    return name


def clean_name(text: str, longest: int) -> str:
    """Trim a name: nothing invisible, no long rows of blanks, not too long; empty if nothing is left to be seen."""
    kept: list[str] = []
    source = unicodedata.normalize("NFC", text)
    for place, letter in enumerate(source):
        kept.append(_shown(letter, kept[-1] if kept else "", source[place + 1 : place + 2]))
    name = " ".join("".join(kept).split())[:longest].rstrip(f" {_JOINER}")
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else ""


def _shown(letter: str, before: str, after: str) -> str:
    """Give what is shown of a letter between two others: itself, a blank, or nothing."""
    if letter == _EMOJI_STYLE:
        return letter if before and (_is_sign(before) or before in "#*0123456789") else ""
    if ord(letter) in _VARIANTS:
        return ""
    if letter == _JOINER:
        return letter if after and _is_emoji(before) and _is_sign(after) else " "
    if ord(letter) in _TAGS:
        return letter if before and (before == _BLACK_FLAG or ord(before) in _TAGS) else ""
    if letter in _BLANK or unicodedata.category(letter)[0] in "CZ":
        return " "
    return letter


def _is_sign(letter: str) -> bool:
    return unicodedata.category(letter[0])[0] == "S"


def _is_emoji(letter: str) -> bool:
    return bool(letter) and (letter == _EMOJI_STYLE or _is_sign(letter))


def _most_marks(name: str) -> int:
    """Count the marks of the letter that has most of them."""
    marks = groupby(name, lambda letter: unicodedata.category(letter) in ("Mn", "Me") and letter != _EMOJI_STYLE)
    return max((len(list(group)) for is_mark, group in marks if is_mark), default=0)


def looks(name: str) -> str:
    """Give what a hasty reader sees of a name: two names that look alike give the same."""
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITALS).casefold().translate(_SMALL)
    seen = "".join(letter for letter in plain if unicodedata.category(letter)[0] not in "MCZ")
    return seen.replace("rn", "m").replace("vv", "w")
