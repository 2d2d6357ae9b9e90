"""
Typography of all translated texts.

`python docs/tools/typesetting.py` corrects French spaces, ellipses and apostrophes in the catalogues, the rule pages,
and the tables of sentences (`de = "..."`) in the package. With `--count` it only counts the texts.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from qwixx.base.languages import LANGUAGES
from qwixx.text.catalogue import FOLDER, read_catalogue

ROOT = Path(__file__).parents[2]
NARROW = "\u202f"
"""The narrow no-break space that French uses before ; : ! ? and inside quotes, and German and French before %."""
APOSTROPHE = "\u2019"
_SPACES = "[ \u00a0\u202f]"
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")


class Words(NamedTuple):
    """One text with its file, its name there and its language."""

    path: Path
    name: str
    language: str
    text: str


def typeset(language: str, text: str) -> str:
    """Correct the typography of a sentence for its language."""
    text = re.sub(r"(?<=\w)'(?=\w)", APOSTROPHE, text)
    # German has a space where words are left out, other languages have none.
    text = re.sub(f"(?<=\\w){_SPACES}*…", " …" if language == "de" else "…", text)
    if language in ("de", "fr"):
        text = re.sub(f"(?<=[\\d}}]){_SPACES}?%", NARROW + "%", text)
    if language == "fr":
        text = re.sub(f"{_SPACES}*([;!?»]|:(?!//))(?=\\s|[,.)*]|$)", NARROW + r"\1", text)
        text = re.sub(f"«{_SPACES}*", "«" + NARROW, text)
    return text


def catalogue(language: str) -> dict[str, list[str]]:
    """Read a catalogue: every id with its plural forms; the texts of effects are a file of the package."""
    effects = tomllib.loads((ROOT / "src/qwixx/text/effects.toml").read_text("utf-8"))[language]
    return read_catalogue(language) | {
        f"effect.{name}": [text] if isinstance(text, str) else text for name, text in effects.items()
    }


def all_words() -> list[Words]:
    """Return every translated text."""
    return [*_of_catalogues(), *_of_pages(), *_of_tables()]


def _of_catalogues() -> Iterator[Words]:
    for language in LANGUAGES:
        path = FOLDER / f"{language}.po"
        yield from (Words(path, key, language, form) for key, forms in catalogue(language).items() for form in forms)


def _of_pages() -> Iterator[Words]:
    """Yield the lines of the rule pages, without fenced blocks."""
    for path in sorted((ROOT / "src/qwixx/rulebook/pages").glob("*/*.md")):
        language = path.parent.name
        text = _FENCE.sub("", path.read_text("utf-8"))
        yield from (Words(path, "line", language, line) for line in text.splitlines() if line.strip(" |:-"))


def _of_tables() -> Iterator[Words]:
    for path in sorted((ROOT / "src/qwixx").rglob("*.toml")):
        for name, language, text in _by_language(tomllib.loads(path.read_text("utf-8")), "", ""):
            yield Words(path, name, language, text)


def _by_language(node: Any, name: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Find texts below a key that is a language."""
    if isinstance(node, str):
        if language:
            yield name, language, node
        return
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in parts:
        yield from _by_language(part, f"{name}.{key}".strip("."), str(key) if key in LANGUAGES else language)


def plain(text: str) -> str:
    """Remove the code of a line."""
    return _CODE.sub("", text)


def count() -> None:
    """Print how much there is to translate, counted in English."""
    kinds = {".po": "texts of the page and the terminal", ".md": "lines of rule pages", ".toml": "sentences in tables"}
    for suffix, what in kinds.items():
        texts = [words.text for words in all_words() if words.language == "en" and words.path.suffix == suffix]
        sys.stdout.write(f"{len(texts):,} {what}, {sum(len(text.split()) for text in texts):,} words\n")


def set_all() -> None:
    """Correct all texts, and print the changed ones."""
    for words in all_words():
        wanted = typeset(words.language, words.text)
        if wanted != words.text:
            before = words.path.read_text("utf-8")
            words.path.write_text(before.replace(words.text, wanted), "utf-8")
            sys.stdout.write(f"{words.path.relative_to(ROOT)}: {wanted}\n")


if __name__ == "__main__":
    count() if "--count" in sys.argv else set_all()
