"""The catalogues of the page keep to the terms of the glossary and to the typography of their language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pytest

from qwixx.base.languages import LANGUAGES
from support.page.catalogues import CATALOGUES, glossary

TERMS = (
    *("active player", "bar", "bot", "boxed cell", "capture", "cell", "cross", "discards", "display", "hint", "host"),
    *("joker", "lock", "lucky number", "miss", "number for all", "pair", "pawn", "pile", "record", "replay", "roll"),
    *("row", "seat", "sheet", "stack", "table", "today's roll", "variant", "white sum", "color sum"),
)
SHORT = {
    ("de", "pawn"): "Stein",
    ("de", "pile"): "Stapel",
    ("nl", "pile"): "stapel",
    ("nl", "pair"): "paren",
    ("fr", "display"): "rangée",
    ("it", "cross"): "segni",
    ("it", "capture"): "catturi",
}
"""Shorter words and other forms for the same, where the rest is clear."""
OTHER_SENSE = {
    "row": {"results.streak", "results.head.row", "today.streak", "train.streak"}  # wins in a row
    | {"game.double-b.about"},
    "roll": {"settings.roll", "today.about", "cli.error.no-dice"},  # dice that move; "the same dice"
    "table": {"learn.not-right"},  # a table of numbers
    "sheet": {"count.title", "count.about", "cli.after"},  # paper that is counted; a word to type
    "bar": {"event.bonus", "event.struck", "cli.sheet.bar"}  # clear from the words beside
    | {"event.exchanged", "game.x-change.about", "why.not-exchanged"},  # of X-Change: no bonus bar
    "display": {"cli.sheet.display"},
    "replay": {"cli.replay", "cli.error.over"},  # a verb
    "active player": {"help.misses", "why.not-active"},
    "pawn": {"event.captured", "event.captured.you"},
    "lock": {"start.slogan"},  # a verb
    "host": {"invite.ask-host"},
}
"""Texts in which the English word means something else, or is said in another way."""


def fold(text: str) -> str:
    """Return a text without accents, for comparisons across inflected forms: Fehlwurf, Fehlwürfe."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def said(forms: list[str]) -> str:
    """Return all forms of a text, without placeholders."""
    return re.sub(r"\{\w+\}", "", " | ".join(forms))


def stems(term: str) -> str:
    """Return a pattern for a term with other endings: "lanci a vuoto" for "lancio a vuoto"."""
    words = fold(term).split()
    return r"\W+".join(re.escape(word[: max(3, len(word) - 2)]) + r"\w*" for word in words)


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield every text of a catalogue with its id."""
    yield from ((key, form) for key, forms in CATALOGUES[language].items() for form in forms)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_each_thing_has_the_word_of_the_glossary(language: str) -> None:
    """Wherever the English text has a term, the translation has the glossary's word for it."""
    terms = glossary(language)
    found = []
    for term in TERMS:
        if term not in terms:
            continue
        words = [*terms[term], *([SHORT[language, term]] if (language, term) in SHORT else [])]
        wanted = re.compile("|".join(map(stems, words)))
        english = re.compile(rf"\b{term}(s|es)?\b".replace("'", "\u2019"), re.IGNORECASE)
        for key, forms in CATALOGUES["en"].items():
            if key in OTHER_SENSE.get(term, ()) or not english.search(said(forms)):
                continue
            if not wanted.search(fold(said(CATALOGUES[language][key]))):
                found.append(f"{key}: {words} for {term}: {CATALOGUES[language][key]}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_signs_are_those_of_print(language: str) -> None:
    """Curved apostrophes, a minus before numbers, no space before a percent sign where the language has none."""
    for key, text in texts(language):
        assert "'" not in text, key
        assert not re.search(r"(?<![\w}])-(?=[\d{])", text), key
        if language in ("en", "it"):
            assert not re.search(r"\s%", text), key


def test_french_names_follow_no_word_that_would_be_elided() -> None:
    """A name may begin with a vowel: "de Ada" would be "d'Ada"."""
    for key, text in texts("fr"):
        assert not re.search(r"\b(de|que|le|la|ne|se|jusque|lorsque) \{names?\}", text, re.IGNORECASE), key


def test_the_french_page_says_tu() -> None:
    """It addresses several people only where several people roll their dice."""
    together = {"options.real.hint", "real.ask"}
    assert {key for key, text in texts("fr") if re.search(r"\b(vous|votre|vos)\b", text, re.IGNORECASE)} == together


def test_italian_cells_have_their_article() -> None:
    """In a sentence: "Il 12 rosso chiude la riga". After a colon or a comma a cell is a label."""
    labels = {
        "event.small",
        "event.bonus-cell",
        "cli.cell.small",
        "tie.ask",
        "doubt.yes.cell",
        "advice.tie",
        "together.points",
    }
    for key, text in texts("it"):
        if "{cell}" in text and key not in labels and not key.startswith("cli.help."):  # there it is typed
            assert re.search(r"\b([Ii]l|[Ss]ul|[Dd]el|[Aa]l|[Dd]al|[Nn]el) \{cell\}", text), key
