"""Italian puts an article before a number, and elides it before a vowel; `page/src/words/italian.ts` does the same."""

from __future__ import annotations

from typing import Final

_BEGIN_WITH_A_VOWEL: Final = frozenset({1, 8, 11, *range(80, 90)})
"""Numbers of at most two digits whose words begin with a vowel: uno, otto, undici, ottanta."""


def italian_with_article(number: int) -> str:
    """
    Return a number with its article.

    >>> italian_with_article(12)
    'il 12'
    """
    return f"l\u2019{number}" if number in _BEGIN_WITH_A_VOWEL else f"il {number}"
