"""
The tables of docs/protocol.md and docs/server.md, generated from the structs of messages, the settings and the limits.

`python -m qwixx.server.generate_docs docs/protocol.md docs/server.md` rewrites the blocks between `<!-- messages NAME
-->` or `<!-- server NAME -->` and `<!-- end -->`; tests compare.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import Field, fields
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent
from typing import get_args

from msgspec import inspect

from qwixx.base.atomic_files import write_atomically
from qwixx.base.generator_arguments import parse_paths
from qwixx.coach.reasons.sentences import Reason
from qwixx.server.base.settings import Settings, variable
from qwixx.server.generate_types import field_text, structs_in
from qwixx.server.limits.declared import LIMITS, Limit
from qwixx.server.wire import message_parts, messages

_BLOCK = re.compile(r"(<!-- (?:messages|server) (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def field_docs(kind: type) -> dict[str, str]:
    """Read the docstrings of a struct's fields from its source, by field name."""
    (definition,) = ast.parse(dedent(getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, below in pairwise(definition.body):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            found[ast.unparse(field.target)] = _one_line(str(below.value.value))
    return found


def table(name: str) -> str:
    """Write the table of a block: messages of one direction, the parts of messages, the settings, or the limits."""
    if name == "settings":
        return _rows("variable | default | meaning", map(_setting, fields(Settings)))
    if name == "limits":
        return _rows("limit | of each | how much | enforced by | when exceeded", map(_limit, LIMITS))
    if name == "from-page":
        return _table("message", inspect.multi_type_info(get_args(messages.FromPage)), is_request=True)
    sent = inspect.multi_type_info(get_args(messages.FromServer))
    if name == "from-server":
        return _table("message", sent)
    assert name == "parts", f"there is no table {name!r}"
    structs = {each.cls: each for message in sent for each in structs_in(message)}
    homes = {message_parts.__name__, Reason.__module__}
    return _table("part", [each for each in structs.values() if each.cls.__module__ in homes])


def _rows(head: str, rows: Iterable[Iterable[str]]) -> str:
    lines = [f"| {head} |", "|---" * (head.count("|") + 1) + "|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def _setting(setting: Field[object]) -> tuple[str, str, str]:
    default = "" if setting.default == "" else f"`{setting.default}`"
    return f"`{variable(setting.name)}`", default, setting.metadata["meaning"]


def _limit(limit: Limit) -> tuple[str, ...]:
    excess = limit.excess or ("refused" if limit.code else "disconnected")
    return limit.counts, limit.per, limit.how_much(), limit.by, excess


def _table(what: str, kinds: Iterable[inspect.Type], *, is_request: bool = False) -> str:
    """Write a table of structs. A field with a docstring has its own line; the others are beside the struct's name."""
    lines = [f"| {what} | fields | meaning |", "|---|---|---|"]
    for kind in kinds:
        assert isinstance(kind, inspect.StructType)
        docs = field_docs(kind.cls)
        texts = {field.name: field_text(kind, field, is_request=is_request) for field in kind.fields}
        written = {name: f"`{text}`".replace("|", "\\|") for name, text in texts.items()}
        plain = ", ".join(text for name, text in written.items() if name not in docs)
        lines.append(f"| **`{kind.tag or kind.cls.__name__}`** | {plain} | {_one_line(kind.cls.__doc__ or '')} |")
        lines += [f"| | {text} | {docs[name]} |" for name, text in written.items() if name in docs]
    return "\n".join(lines)


def _one_line(text: str) -> str:
    return " ".join(cleandoc(text).split())


def renewed(page: str) -> str:
    """Return a page with all its tables written again."""
    return _BLOCK.sub(lambda found: f"{found[1]}{table(found[2])}\n{found[3]}", page)


def main() -> None:
    """Rewrite the tables of the named pages."""
    for path in parse_paths(__doc__, "page", many=True):
        write_atomically(path, [renewed(path.read_text("utf-8")).encode()])


if __name__ == "__main__":
    main()
