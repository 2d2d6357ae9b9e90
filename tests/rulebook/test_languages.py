"""Texts in all languages: punctuation, plural forms and terms, and no code among the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click
import pytest
from click.testing import CliRunner

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.text.arguments import with_noun
from support.page.catalogues import CODE, HEADINGS
from typesetting import ROOT, Words, all_words, catalogue, plain, typeset

TEXTS = all_words()
CATALOGUES = {language: catalogue(language) for language in LANGUAGES}

NOT_OURS = {
    "en": r"colou?rless|colour|\bgrey\b|licence|shortest (open )?row|law of the pencil",
    "fr": r"feuille|\bferm(?!ement)|coloré|porte-bonheur|encadr|avalanche|captur|étalage|plus courte"
    r"|pren\w* un coup manqué",
    "de": r"\bBl[aä]tt|farbige\w* Würfel|\bgeschlossen|kürzeste|Reihe ist zu\b",
    "it": r"(?<!di )\bfila\b|\b(le|delle|nelle|alle|tue|due|tre|quattro) file\b|\bbarra(re|t[aeio]|no|rl\w)\b"
    r"|\bcroc[ei]\b|\bfoglio?\b|più corta",
    "nl": r"\bveld|hangslot|\bpion|misser|misworp|\bpotje|\bblaadje|\bafsluit|\bafgesloten|kleurdobbel|kortste rij"
    r"|(door|af)(ge)?kruis|\buw?\b",
}
"""Words that docs/glossary.md replaces with others."""
NOT_ON_RULE_PAGES = {
    "en": r"\bshut\b|\bwindow|\bthrow|\bRows? (?-i:[A-D])\b|(?-i:\bWhite) \d+[.:,]",
    "fr": r"\bdé\b[^.;:]*\b(sort|parti?|quitte)\b|\bverso|\brecto|chez un joueur|plus grand total|barres barrées"
    r"|\brangées? (?-i:[A-D])\b|(?-i:\bBlanc) \d+\u202f?[.:,]",
    "de": r"bei irgendwem|jemands|Ausspielens|Feldes\b|Plan für|kostet einen Fehlwurf|nochmals|\bReihen? (?-i:[A-D])\b"
    r"|(?-i:\bWeiß) \d+[.:,]",
    "it": r"\bdado\b[^.;:]*\b(esce|uscito|lascia)\b|sulla carta\b|\bcancell|affar tuo|\bmett\w+ [^.;:]*pedin"
    r"|\b(il|del|al|dal|nel|sul) (8|11)\b|\brigh?[ae] (?-i:[A-D])\b|(?-i:\bBianco) \d+[.:,]",
    "nl": r"\brij(en)? (?-i:[A-D])\b|(?-i:\bWit) \d+[.:,]|kost een mislukte worp",
}
"""Words and forms that are wrong or unclear in rules: dice that "come up" where they are removed, numbers without their
article, letters for rows that people count, faces in place of the white sum."""
ALLOWED = {("fr", "dialog.close")}
"""Places where such a word means something else: a window is fermée, a row is clôturée."""

QUOTES = {"en": "“”", "fr": "«»", "de": "„“", "it": "«»", "nl": "“”"}
PLACE = re.compile(r"\{[a-z]\w*(:[^{}|]+\|[^{}|]+)?\}")
"""Placeholders; in tables also a number with its noun, for one and for many."""
LETTERS = {"en": "rygb", "fr": "rgb", "de": "rygb", "it": "rygb", "nl": "rygb"}
"""The letters of colors in sheet files; "y" is a French word."""


def wrong(found: Iterable[tuple[Words, object]]) -> list[str]:
    """List the findings with their places."""
    return [f"{words.path.relative_to(ROOT)} {words.name}: {what}: {words.text}" for words, what in found]


# ---- form


def test_signs_are_set_as_the_language_does() -> None:
    """French spaces, ellipses, apostrophes; `python docs/tools/typesetting.py` sets them."""
    # English pages are also docs, where an apostrophe is straight.
    texts = [w for w in TEXTS if not (w.language == "en" and w.path.suffix == ".md")]
    assert not wrong((w, wanted) for w in texts if (wanted := typeset(w.language, w.text)) != w.text)


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("fr", "Fiche : {name}", "Fiche\u202f: {name}"),
        ("fr", "Tu joues ? « Oui », dit-il ; bravo!", "Tu joues\u202f? «\u202fOui\u202f», dit-il\u202f; bravo\u202f!"),
        ("fr", "https://example à 12:30", "https://example à 12:30"),
        ("fr", "Un instant …", "Un instant…"),
        ("de", "Einen Moment …", "Einen Moment …"),
        ("de", "Neu hier? Ja!", "Neu hier? Ja!"),
        ("it", "Di' che l'ultima va …", "Di' che l\u2019ultima va…"),
        ("nl", "Ada's beurt: zo'n worp …", "Ada\u2019s beurt: zo\u2019n worp…"),
    ],
)
def test_how_signs_are_set(language: str, text: str, wanted: str) -> None:
    """Examples by hand, by the rules of typography."""
    assert typeset(language, text) == wanted
    assert typeset(language, wanted) == wanted


def test_no_blank_or_quote_is_astray() -> None:
    """No double space, none at the ends, quotes of the language, and every opening quote is closed."""
    found = []
    for words in TEXTS:
        text, quotes = plain(words.text), QUOTES[words.language]
        if words.path.suffix != ".md" and words.text != words.text.strip():
            found.append((words, "a space at its end"))
        if words.path.suffix != ".md" and "  " in words.text:
            found.append((words, "two spaces"))
        if set(text) & (set('“”„«»"') - set(quotes)) or (words.path.suffix == ".po" and "..." in text):
            found.append((words, "signs of another language"))
        if quotes[0] != quotes[1] and text.count(quotes[0]) != text.count(quotes[1]):
            found.append((words, "a quote that stands alone"))
    assert not wrong(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_have_a_form_for_one_and_for_many(language: str) -> None:
    """A counted noun after {n} has two forms; in French 0 takes the singular, so this form contains {n}."""
    for key, forms in CATALOGUES[language].items():
        # "Bot {n}" and "Turn {n}: Anna" are names; "{n} of 2", "{n} in the pile" and "{n} below" count nothing.
        if len(forms) == 1 and re.search(
            r"\{n\} (?!of\b|von\b|sur\b|su\b|di\b|van\b|in\b|im\b|nel\b|dans\b|now\b|maintenant\b|ora\b"
            r"|below\b|unter\b|sous\b|sotto\b|onder\b)[^\W\d_]",
            forms[0],
        ):
            pytest.fail(f"{language} {key} has one form: {forms[0]}")
        if language == "fr" and len(forms) == 2:
            assert set(re.findall(r"\{\w+\}", forms[0])) == set(re.findall(r"\{\w+\}", forms[1])), key


def test_the_terminal_counts_too() -> None:
    """The terminal has a singular, too."""
    assert [with_noun(n, "game") for n in (0, 1, 2, 1000)] == ["0 games", "1 game", "2 games", "1,000 games"]
    assert (with_noun(1, "miss"), with_noun(4, "miss"), with_noun(-1, "point")) == ("1 miss", "4 misses", "-1 point")


# ---- terms


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    """Texts use the terms of the glossary."""
    texts = [words for words in TEXTS if words.language == language and (language, words.name) not in ALLOWED]
    no = re.compile(NOT_OURS[language], re.IGNORECASE)
    assert not wrong((words, match[0]) for words in texts if (match := no.search(words.text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_say_what_they_mean(language: str) -> None:
    """Rule pages, lessons, the quick reference, hints and prints have no form that misleads a player."""
    texts = [words for words in TEXTS if words.language == language and words.path.suffix != ".po"]
    assert len(texts) > 500
    no = re.compile(NOT_ON_RULE_PAGES[language], re.IGNORECASE)
    assert not wrong((words, match[0]) for words in texts if (match := no.search(words.text)))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A closed row is shut for everybody."),
        ("en", "Several players close red in the same window."),
        ("en", "Blue 8 is in row B."),
        ("en", "White 12. Close the red row."),
        ("fr", "La rangée est clôturée et son dé sort aussitôt."),
        ("fr", "Le dé rouge est parti."),
        ("de", "Ein vierter Fehlwurf bei irgendwem beendet die Partie."),
        ("it", "Il suo dado esce subito."),
        ("it", "Conti le caselle come stanno sulla carta."),
        ("it", "Poi viene il 8 nella riga rossa."),
        ("it", "Metti una pedina sul 9."),
        ("nl", "De blauwe 8 staat in rij B."),
    ],
)
def test_misleading_forms_are_found(language: str, text: str) -> None:
    """Sentences that were once on our pages, by hand."""
    assert re.search(NOT_ON_RULE_PAGES[language], text, re.IGNORECASE)


TRANSLATED = [language for language in LANGUAGES if language != "en"]


NOT_SAID = {"offer", "pad", "position", "resolve"}
"""Words of the glossary for programmers; players do not read them."""


def glossary(language: str, *chapters: str) -> dict[str, str]:
    """Return the terms of a language in the glossary, or in some of its chapters, by the English word."""
    terms: dict[str, str] = {}
    for chapter in re.split(r"^## ", (ROOT / "docs/glossary.md").read_text("utf-8"), flags=re.MULTILINE):
        table = [[cell.strip() for cell in line.split("|")] for line in chapter.splitlines() if line.startswith("| ")]
        if table and HEADINGS[language] in table[0] and (not chapters or chapter.startswith(chapters)):
            terms |= {row[1]: row[table[0].index(HEADINGS[language])] for row in table[1:]}
    return terms


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_glossary_has_no_word_that_is_not_ours(language: str) -> None:
    """The glossary itself uses only the terms of the project."""
    terms = glossary(language).values()
    assert len(terms) > 60
    assert all(terms)
    assert not [term for term in terms if re.search(NOT_OURS[language], term)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_terms_of_the_glossary_are_used(language: str) -> None:
    """Each term of the game occurs in the texts of its language: every word of it, up to its ending, in one text."""
    texts = [words.text.casefold() for words in TEXTS if words.language == language]
    for word, term in glossary(language, "On the sheet", "Dice, cards and pawns", "Verbs").items():
        stems = [part[: max(3, len(part) - 2)] for part in re.findall(r"\w+", term.casefold())]
        assert word in NOT_SAID or any(all(stem in text for stem in stems) for text in texts), term


# ---- no code among the words


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_is_among_the_words(language: str) -> None:
    """No ids of effects, reasons or games, no cells in notation, no names of fields."""
    texts = [words for words in TEXTS if words.language == language]
    assert not wrong((words, match[0]) for words in texts if (match := CODE.search(PLACE.sub("", words.text))))
    lone = re.compile(rf"(?<![\w\u2019'&/-])[{LETTERS[language]}](?![\w\u2019'&/.-])")
    assert not wrong((words, match[0]) for words in texts if (match := lone.search(plain(words.text))))


def test_texts_have_no_keys_and_no_broken_places() -> None:
    """A text is not the id of a text, and braces hold a name each; pages have none."""
    keys = set(CATALOGUES["en"])
    found = [(words, "a key") for words in TEXTS if words.text in keys - {"page.title"} and "." in words.text]
    for words in TEXTS:
        rest = plain(words.text) if words.path.suffix == ".md" else PLACE.sub("", words.text)
        if set("{}") & set(rest):
            found.append((words, "a brace"))
    assert not wrong(found)


def commands() -> Iterator[tuple[str, ...]]:
    """Return the help of every command, and the output of the short ones."""
    yield ("--help",)
    context = click.Context(main)
    yield from ((name, "--help") for name in main.list_commands(context))
    yield ("variants",)
    yield from ((what, name) for name in qwixx.games() for what in ("rules", "sheet"))


@pytest.mark.slow
def test_the_command_line_shows_no_code() -> None:
    """Help, rules and sheets have no ids of effects or reasons, and no escape sequences."""
    games = set(qwixx.games())
    leaks = []
    for words in commands():
        text = CliRunner().invoke(main, list(words)).output
        assert len(text) > 100, words
        ids = [match[0] for match in CODE.finditer(text) if match[0] not in games]
        # A position or a record in an example is meant to be typed.
        leaks += [(words, found) for found in ids if not re.fullmatch(r"[rygbj]\d+|[a-z]_[a-z]", found)]
    assert not leaks
