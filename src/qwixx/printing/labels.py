"""The words of printed paper in the languages of the rule book."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from qwixx.rulebook import rules_page
from qwixx.variants.model import Variant


@cache
def _book() -> dict[str, dict[str, str]]:
    return tomllib.loads(resources.files("qwixx.printing").joinpath("labels.toml").read_text("utf-8"))


def word(language: str, key: str) -> str:
    """Return the word for a key."""
    return _book()[language][key]


@cache
def _heading(game: str, language: str) -> str:
    return rules_page(game, language).partition("\n")[0].lstrip("# ").strip()


def game_name(variant: Variant, language: str) -> str:
    """Return the name of a game: the heading of its rules, or the name in a custom sheet file."""
    return _heading(variant.id, language) if variant.builtin else variant.name
