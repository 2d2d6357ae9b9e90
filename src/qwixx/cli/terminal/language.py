"""The language of a command for players: the option --lang, and errors of the command line in that language."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

from qwixx.base.languages import ENGLISH, LANGUAGES, current_language, preferred_language
from qwixx.text.catalogue import t

_LANG = "--lang"
LANG = click.option(
    _LANG,
    type=click.Choice(LANGUAGES),
    expose_value=False,
    help="The language; that of the environment (LC_ALL, LC_MESSAGES, LANG) if not given, else en.",
)
"""The option of every translated command; `current_language` is its value."""
_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)")
_NO_VALUE = "does not take a value"
"""Words of click, for errors that have no class of their own."""


def language_of(command: click.Command, words: Sequence[str]) -> str:
    """
    Return the language of a command line before it is parsed, so that errors are in it, too.

    A command without the option is in English, as is JSON unless a language is named.
    """
    if not any(_LANG in each.opts for each in command.params):
        return ENGLISH
    for word, following in pairwise([*words, ""]):
        named = following if word == _LANG else word.partition("=")[2] if word.startswith(f"{_LANG}=") else ""
        if named[:2] in LANGUAGES:
            return named[:2]
    return ENGLISH if "--json" in words else preferred_language()


def suggested(*words: str) -> str:
    """Return a command to type next, in the language of this one."""
    named = [] if current_language() == preferred_language() else [_LANG, current_language()]
    return shlex.join(["qwixx", *words, *named])


def usage_text(error: click.ClickException) -> str:
    """Return an error of the command line as a sentence."""
    match error:
        case click.NoSuchOption(option_name=option, possibilities=[near, *_]):
            return t("cli.error.no-option.near", option=option, near=near)
        case click.NoSuchOption(option_name=option):
            return t("cli.error.no-option", option=option)
        case click.MissingParameter(param=click.Parameter() as missing):
            return t("cli.error.missing", name=_name(missing))
        case click.BadOptionUsage(option_name=option):
            return t("cli.error.takes-none" if _NO_VALUE in error.message else "cli.error.needs-value", option=option)
        case click.BadParameter(param=click.Parameter() as bad):
            return _value_text(_name(bad), bad.type) or error.format_message()
        case _ if extra := _EXTRA.fullmatch(error.message):
            return t("cli.error.extra", words=extra[1])
        case _:
            return error.format_message()


def _name(parameter: click.Parameter) -> str:
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.human_readable_name


def _plain(bound: float | None) -> str:
    """Return a bound without a fraction of zero."""
    return str(int(bound)) if isinstance(bound, float) and bound.is_integer() else str(bound)


def _value_text(option: str, kind: click.ParamType[Any]) -> str:
    """Return which values an option has; empty for a kind of option that is not listed here."""
    match kind:
        case click.IntRange(min=least, max=None) | click.FloatRange(min=least, max=None):
            return t("cli.error.least", option=option, least=_plain(least))
        case click.IntRange(min=least, max=most) | click.FloatRange(min=least, max=most):
            return t("cli.error.range", option=option, least=_plain(least), most=_plain(most))
        case click.Choice(choices=names):
            return t("cli.error.choice", option=option, names=", ".join(map(str, names)))
        case click.types.IntParamType():
            return t("cli.error.integer", option=option)
        case click.types.FloatParamType():
            return t("cli.error.number", option=option)
    return ""
