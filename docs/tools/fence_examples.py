"""Examples in docstrings, from their prompt on, are shown as code on the docs site."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Module, Object

_EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^\S.*\n?)*)+", re.MULTILINE)
"""A prompt, and what follows it up to the next empty line."""


def fenced(text: str) -> str:
    """Put every example of a docstring between fences."""
    return _EXAMPLE.sub(lambda found: f"\n```pycon\n{found[0].rstrip()}\n```\n", text)


class Examples(Extension):
    """Griffe, which reads the docstrings for the site, calls this once it has read the package."""

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """Fence the examples of all docstrings."""
        waiting: list[Object] = [pkg]
        while waiting:
            current = waiting.pop()
            if current.docstring:
                current.docstring.value = fenced(current.docstring.value)
            waiting += [member for member in current.members.values() if isinstance(member, Object)]
