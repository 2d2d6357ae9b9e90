"""The effects of marked cells in words; the page uses the same file of texts."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from qwixx.base.languages import form_for
from qwixx.kernel.effects import find_effect


@cache
def _texts() -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads(resources.files("qwixx.text").joinpath("effects.toml").read_text("utf-8"))


def effect_text(word: str, language: str = "en") -> str:
    """
    Return an effect, given by its word in a sheet file, as the end of a sentence.

    >>> effect_text("plus-13")
    '13 more points'
    """
    effect, number = find_effect(word)
    return form_for(_texts()[language][effect.name], number, language).format(n=number)


def effect_sign(word: str) -> str:
    """Return the badge of an effect in plain text: `+13`."""
    effect, number = find_effect(word)
    return effect.sign.format(n=number)
