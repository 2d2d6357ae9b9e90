"""Display names of people: cleaned, readable, and not confusable with another name at the table."""

# ruff: noqa: RUF001 - this module lists letters that look alike

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import groupby

from qwixx.server.base.errors import Refused

NO_NAME = "—"
"""The name of a person who removed their name; it needs no translation."""
_JOINER, _EMOJI_STYLE, _BLACK_FLAG = "\u200d", "\ufe0f", "\U0001f3f4"
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs and show nothing."""
_WIDE = set("\u2e3a\u2e3b\ufdfa\ufdfb\ufdfd")
"""Signs for whole sentences and long dashes: a name of them is several screens wide."""
_TAGS = range(0xE0020, 0xE0080)
"""Invisible letters that turn a black flag into the flag of a region."""
_VARIANTS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x180F))
"""Marks that show nothing by themselves."""
_MOST_MARKS = 4
"""Combining marks on one letter at most; no language needs more, and a stack of them covers other lines."""

# Letters that look like Latin ones. Capitals come first: they look alike more often than small letters do.
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "АВЕЅІЈКМНОРСТУХ", "ABEZHIKMNOPTYX" + "ABESIJKMHOPCTYX")
_SMALL = str.maketrans(
    "αβεζηικμνορτυχ" + "авеѕіјкмнорстух" + "һԁԛԝ" + "ıi1|0",
    "abezhlkmnoptyx" + "abesljkmhopctyx" + "hdqw" + "llllo",
)


def checked_name(text: str, longest: int, others: Iterable[str] = ()) -> str:
    """Return the cleaned name. Raises `Refused` if it is unreadable, or looks like one of the others."""
    name = clean_name(text, longest)
    if not name or _most_marks(name) > _MOST_MARKS:
        raise Refused("bad-name")
    if skeleton(name) in {skeleton(other) for other in others if other}:
        raise Refused("name-taken")
    return name


def clean_name(text: str, longest: int) -> str:
    """Remove characters that are invisible or very wide, and blanks; shorten a name; return "" if nothing is left."""
    shown: list[str] = []
    source = unicodedata.normalize("NFC", text)
    for place, letter in enumerate(source):
        shown.append(_shown(letter, shown[-1] if shown else "", source[place + 1 : place + 2]))
    name = " ".join("".join(shown).split())[:longest].rstrip(f" {_JOINER}")
    return name if any(unicodedata.category(letter)[0] in "LNPS" for letter in name) else ""


def _shown(letter: str, before: str, after: str) -> str:
    """Return what is shown of a letter between two others: itself, a blank, or nothing."""
    if letter == _EMOJI_STYLE:
        return letter if before and (_is_sign(before) or before in "#*0123456789") else ""
    if ord(letter) in _VARIANTS:
        return ""
    if letter == _JOINER:
        return letter if after and _is_emoji(before) and _is_sign(after) else " "
    if ord(letter) in _TAGS:
        return letter if before and (before == _BLACK_FLAG or ord(before) in _TAGS) else ""
    if letter in _BLANK | _WIDE or unicodedata.category(letter)[0] in "CZ":
        return " "
    return letter


def _is_sign(letter: str) -> bool:
    return unicodedata.category(letter[0])[0] == "S"


def _is_emoji(letter: str) -> bool:
    return bool(letter) and (letter == _EMOJI_STYLE or _is_sign(letter))


def _most_marks(name: str) -> int:
    """Return the largest number of combining marks on one letter."""
    marks = groupby(name, lambda letter: unicodedata.category(letter) in ("Mn", "Me") and letter != _EMOJI_STYLE)
    return max((len(list(group)) for is_mark, group in marks if is_mark), default=0)


def skeleton(name: str) -> str:
    """Return the same text for names that look alike, like the skeleton of Unicode UTS #39."""
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITALS).casefold().translate(_SMALL)
    visible = "".join(letter for letter in plain if unicodedata.category(letter)[0] not in "MCZ")
    return visible.replace("rn", "m").replace("vv", "w")
