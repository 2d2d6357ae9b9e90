"""The words of printed paper in the languages of the rule book."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from qwixx.variants.model import Variant


@cache
def _book() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files("qwixx.printing").joinpath("words.toml").read_text("utf-8"))


def word(language: str, key: str) -> str:
    """Give one word."""
    return _book()[language][key]


def pair_words(language: str, kind: str) -> str:
    """Say what a pair of marked cells brings (BB1)."""
    plus = kind.removeprefix("plus-")
    return word(language, f"pair.{kind}") if plus == kind else word(language, "pair.plus").format(n=plus)


@cache
def _heading(game: str, language: str) -> str:
    ending = "" if language == "en" else f".{language}"
    page = resources.files("qwixx").joinpath("rulebook", f"{game}{ending}.md").read_text("utf-8")
    return page.partition("\n")[0].lstrip("# ").strip()


def game_name(variant: Variant, language: str) -> str:
    """Name a game: as its rules are headed, or as a sheet of one's own calls itself."""
    return _heading(variant.id, language) if variant.builtin else variant.name
