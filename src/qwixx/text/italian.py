"""Italian articles before a number; `page/src/words/italianElision.ts` does the same."""

from __future__ import annotations

import re
from typing import Final

_BEFORE_A_VOWEL: Final = {
    "il": "l\u2019",
    **{word: f"{word}l\u2019" for word in ("al", "dal", "del", "nel", "sul")},
    **{"i": "gli ", "ai": "agli ", "dai": "dagli ", "dei": "degli ", "nei": "negli ", "sui": "sugli "},
}
_ARTICLES: Final = re.compile(rf"\b({'|'.join(_BEFORE_A_VOWEL)}) (?=(?:8\d{{0,2}}|11?)(?!\d|\.\d))", re.IGNORECASE)
"""An article before 1, 8, 11, 80 to 89 or 800 to 899, whose words begin with a vowel."""


def elide_articles(text: str) -> str:
    """Return the text with the right article before each number: texts write "il {number}", and the number decides."""
    return _ARTICLES.sub(_elided, text)


def _elided(found: re.Match[str]) -> str:
    form = _BEFORE_A_VOWEL[found[1].lower()]
    return form if found[1].islower() else form[0].upper() + form[1:]
