"""Griffe extension: show the examples in docstrings as code on the docs site."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Module, Object

_EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^\S.*\n?)*)+", re.MULTILINE)
"""A prompt and everything up to the next empty line."""


def fenced(text: str) -> str:
    """Put fences around every example of a docstring."""
    return _EXAMPLE.sub(lambda found: f"\n```pycon\n{found[0].rstrip()}\n```\n", text)


class Examples(Extension):
    """The extension; Griffe calls it when it has read the package."""

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """Fence the examples of all docstrings."""
        waiting: list[Object] = [pkg]
        while waiting:
            current = waiting.pop()
            if current.docstring:
                current.docstring.value = fenced(current.docstring.value)
            waiting += [member for member in current.members.values() if isinstance(member, Object)]
