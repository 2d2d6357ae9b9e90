"""The codes of tables: a long one for links, and its first letters as a short one to type in while people gather."""

from __future__ import annotations

import secrets

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""32 letters and digits that are not confused when a code is read aloud, so that a byte selects one evenly."""
JOIN_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of join codes: without vowels, so that they spell no words, and without digits."""
JOIN_LENGTH = 5
CODE_LENGTH = 10
"""
After the join code there are 25 bits: with the few wrong codes that an address may try, a guess does not find a table,
not even the guess of somebody who has seen its join code.
"""
_OLD_CODE_LENGTHS = (8, 5)
"""Tables of older versions keep their codes."""


def new_code() -> str:
    """Draw a code; its first letters are a join code."""
    join = [secrets.choice(JOIN_LETTERS) for _ in range(JOIN_LENGTH)]
    rest = secrets.token_bytes(CODE_LENGTH - JOIN_LENGTH)
    return "".join([*join, *(ALPHABET[byte % len(ALPHABET)] for byte in rest)])


def is_code(text: str) -> bool:
    """Return whether a text has the form of a table code."""
    return len(text) in (CODE_LENGTH, *_OLD_CODE_LENGTHS) and all(letter in ALPHABET for letter in text)


def is_join_code(text: str) -> bool:
    """Return whether a text has the form of a join code."""
    return len(text) == JOIN_LENGTH and all(letter in JOIN_LETTERS for letter in text)


def join_code(code: str) -> str:
    """Return the join code of a table; empty for tables of older versions, whose codes do not begin with one."""
    join = code[:JOIN_LENGTH]
    return join if len(code) == CODE_LENGTH and is_join_code(join) else ""
