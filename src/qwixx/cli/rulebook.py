"""The rule book as the commands quote it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def rule_book() -> dict[str, dict[str, Any]]:
    """Read all rules: id, title, sentence and the games they hold for."""
    return tomllib.loads(resources.files("qwixx").joinpath("rulebook", "rules.toml").read_text("utf-8"))


def rules_page(game: str) -> str:
    """Read the page of a game of the family."""
    return resources.files("qwixx").joinpath("rulebook", f"{game}.md").read_text("utf-8")
