"""
The page's types, all of them written from the server's structs, so that neither side can drift from the other.

`python -m qwixx.server.typescript page/src/lib/protocol.ts` writes the file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from qwixx.events import AnyEvent
from qwixx.files import write_whole
from qwixx.server import api, day_api, protocol
from qwixx.server.bringing import Brought
from qwixx.server.catalogue import Catalogue
from qwixx.server.days import BegunDay, DayResult, Today
from qwixx.server.reach import Reached
from qwixx.server.replays import Replay

_HEAD = "// Generated from the server's structs by `python -m qwixx.server.typescript`; do not edit.\n"
_UNIONS: dict[str, Any] = {"AnyEvent": AnyEvent, "FromPage": protocol.FromPage, "FromServer": protocol.FromServer}
"""Unions that have a name, so that it is not their members who stand wherever they are used."""
_REQUESTS = (api.OpenTable, day_api.BeginDay)
_ANSWERS = (
    *(Catalogue, api.Opened, api.TableFacts, api.Health, api.Keeping, api.Failure, Reached, Brought, Replay),
    *(Today, BegunDay, DayResult),
)
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def write_types() -> str:
    """Write everything that travels, both ways: by HTTP and over the socket."""
    asked = inspect.multi_type_info([*_REQUESTS, *get_args(protocol.FromPage)])
    told = inspect.multi_type_info([*_ANSWERS, *get_args(protocol.FromServer)])
    requests = {_class_of(kind) for kind in asked}
    found: dict[str, inspect.StructType | inspect.DataclassType] = {}
    for kind in (*asked, *told):
        for each in _within(kind):
            known = found.setdefault(each.cls.__name__, each)
            assert known.cls is each.cls, f"two structs are called {each.cls.__name__}"
    parts = [_HEAD]
    parts += [_interface(kind, is_asked=kind.cls in requests) for kind in found.values()]
    for name, union in _UNIONS.items():
        parts.append(f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};\n")
    return "\n".join(parts)


def _within(kind: inspect.Type) -> Iterator[inspect.StructType | inspect.DataclassType]:
    """Go through all structs that a type is made of, innermost first."""
    match kind:
        case inspect.StructType() | inspect.DataclassType():
            for each in kind.fields:
                yield from _within(each.type)
            yield kind
        case inspect.ListType() | inspect.VarTupleType():
            yield from _within(kind.item_type)
        case inspect.TupleType():
            for item in kind.item_types:
                yield from _within(item)
        case inspect.DictType():
            yield from _within(kind.value_type)
        case inspect.UnionType():
            for member in kind.types:
                yield from _within(member)
        case inspect.Metadata():
            yield from _within(kind.type)


def _interface(kind: inspect.StructType | inspect.DataclassType, *, is_asked: bool) -> str:
    lines = [f"/** {(kind.cls.__doc__ or '').strip().splitlines()[0]} */", f"export interface {kind.cls.__name__} {{"]
    if isinstance(kind, inspect.StructType) and kind.tag is not None:
        lines.append(f'  {kind.tag_field}: "{kind.tag}";')
    for each in kind.fields:
        # What we send is always there, unless its default is UNSET, which msgspec shows as no default at all.
        is_unset = each.default is msgspec.NODEFAULT and each.default_factory is msgspec.NODEFAULT
        absent = not each.required and (is_asked or is_unset)
        lines.append(f"  {each.encode_name}{'?' if absent else ''}: {_type(each.type)};")
    return "\n".join([*lines, "}\n"])


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.StructType() | inspect.DataclassType():
            return kind.cls.__name__
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in kind.values)
        case inspect.ListType() | inspect.VarTupleType():
            inner = _type(kind.item_type)
            return f"({inner})[]" if " | " in inner and "<" not in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(_type(each) for each in kind.item_types)}]"
        case inspect.DictType():
            return f"Record<string, {_type(kind.value_type)}>"
        case inspect.UnionType():
            members = {_class_of(each) for each in kind.types}
            for name, union in _UNIONS.items():
                if members == set(get_args(union)):
                    return name
            return _union(_type(each) for each in kind.types)
        case inspect.Metadata():
            return _type(kind.type)
    return _PLAIN[type(kind)]


def _class_of(kind: inspect.Type) -> type | None:
    return kind.cls if isinstance(kind, inspect.StructType | inspect.DataclassType) else None


def _union(words: Iterable[str]) -> str:
    """Join the members of a union, null last, whatever order they come in."""
    return " | ".join(sorted(set(words), key=lambda word: (word == "null", word)))


def main() -> None:
    """Write the file that is named, or standard output."""
    text = write_types()
    if len(sys.argv) > 1:
        write_whole(Path(sys.argv[1]), [text.encode()])
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
