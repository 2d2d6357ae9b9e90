"""
Generates the page's TypeScript types from the server's structs, so that both sides stay the same.

`python -m qwixx.server.generate_types page/src/protocol.ts` writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect

from qwixx.base.atomic_files import write_atomically
from qwixx.base.generator_arguments import parse_paths
from qwixx.coach import Analysis
from qwixx.fair.commitment import MAX_WORDS_CHARS
from qwixx.game.events import AnyEvent
from qwixx.kernel.state.records import STATE
from qwixx.printing.page_layout import COLUMNS, SIZES
from qwixx.printing.print_request import BACKS
from qwixx.puzzles.generate import Puzzle
from qwixx.server.base.errors import RefusalCode
from qwixx.server.base.settings import Settings
from qwixx.server.http import api, http_util, today_api
from qwixx.server.room import bots, codes, ledger
from qwixx.server.room.catalogue import Catalogue
from qwixx.server.room.display_names import NO_NAME
from qwixx.server.room.room import ANNOUNCING
from qwixx.server.table import outgoing
from qwixx.server.today.daily_game import BegunDay, DayChoices, DayResult, Today
from qwixx.server.wire import messages
from qwixx.server.wire.message_parts import Options
from qwixx.server.wire.public_address import PublicLink
from qwixx.server.workers.import_job import ImportedGame
from qwixx.server.workers.replay_job import Replay
from qwixx.text.notation import Action
from qwixx.variants.model import COLORS

_HEAD = "// Generated from the server's structs by `python -m qwixx.server.generate_types`; do not edit.\n"
_TABLE_HEAD = "/** Constants of a table, at a server and on a device, of its dice, and of printed sheets. */"
_LITERALS: dict[str, Any] = {"RefusalCode": RefusalCode}
_UNIONS: dict[str, Any] = {"AnyEvent": AnyEvent, "FromPage": messages.FromPage, "FromServer": messages.FromServer}
"""Literals and unions with a name, which is used instead of the list of their members."""
_REQUESTS = (api.OpenTable, today_api.BeginDay)
_ANSWERS = (
    *(
        Catalogue,
        api.OpenedTable,
        api.TableSummary,
        api.Health,
        api.RetentionInfo,
        http_util.Failure,
        PublicLink,
        ImportedGame,
        Replay,
        Analysis,
        Puzzle,
    ),
    *(Today, BegunDay, DayResult, DayChoices),
)
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}
Declared = inspect.StructType | inspect.DataclassType | inspect.TypedDictType
"""A type with named fields."""


def generate_types() -> str:
    """Return the types of all requests, responses and messages, by HTTP and over the socket."""
    requested = inspect.multi_type_info([*_REQUESTS, *get_args(messages.FromPage)])
    sent = inspect.multi_type_info([*_ANSWERS, *get_args(messages.FromServer)])
    requests = {_class_of(kind) for kind in requested}
    structs: dict[str, Declared] = {}
    for kind in (*requested, *sent):
        for each in structs_in(kind):
            known = structs.setdefault(each.cls.__name__, each)
            assert known.cls is each.cls, f"two structs are called {each.cls.__name__}"
    parts = [_HEAD]
    parts += [interface(kind, is_request=kind.cls in requests) for kind in structs.values()]
    for name, literal in _LITERALS.items():
        # Open: the page has words of its own, and a newer server may send others.
        parts.append(f"export type {name} = {_words(get_args(literal))} | (string & {{}});\n")
    for name, union in _UNIONS.items():
        parts.append(f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(union))};\n")
    parts.append(f"{_TABLE_HEAD}\nexport const TABLE = {_constants()} as const;\n")
    return "\n".join(parts)


def _constants() -> str:
    """Return constants that the page shares with the server: those of a table, of its dice, and of printed sheets."""
    values = {
        "irreversible": sorted(str(kind.__struct_config__.tag) for kind in ledger.IRREVERSIBLE),
        "beginning": sorted(str(kind.__struct_config__.tag) for kind in ledger.BEGINNING),
        "silent": [str(kind.__struct_config__.tag) for kind in outgoing.SILENT],
        "undone": ledger.TAKEN_BACK,
        "hinted": ledger.HINT,
        "announcing": ANNOUNCING,
        "maxStory": outgoing.MAX_HISTORY,
        "maxName": Settings().name_length,
        "maxTimer": messages.MAX_TIMER,
        "maxTokens": messages.MAX_TOKENS,
        "maxWords": MAX_WORDS_CHARS,
        "noName": NO_NAME,
        "alphabet": codes.ALPHABET,
        "codeLength": codes.CODE_LENGTH,
        "bot": bots.DEFAULT,
        "paces": bots.PACES,
        "options": msgspec.to_builtins(Options()),
        "signs": get_args(messages.Sign),
        "dice": [*("w" * (STATE["dice"].shape[0] - len(COLORS))), *COLORS],
        "papers": list(SIZES),
        "perPage": list(COLUMNS),
        "backs": BACKS,
        "botDelay": Settings().bot_delay,
        "undoSeconds": Settings().undo_seconds,
    }
    lines = [f"  {name}: {_literal(value)},\n" for name, value in values.items()]
    return f"{{\n{''.join(lines)}}}"


def _literal(value: object) -> str:
    """Write a value as TypeScript does."""
    match value:
        case dict():
            return "{ " + ", ".join(f"{name}: {_literal(each)}" for name, each in value.items()) + " }"
        case float():
            return f"{value:g}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def structs_in(kind: inspect.Type) -> Iterator[Declared]:
    """Yield all structs within a type, innermost first."""
    match kind:
        case inspect.DataclassType() if kind.cls is Action:
            return  # sent as its text
        case inspect.StructType() | inspect.DataclassType() | inspect.TypedDictType():
            for each in kind.fields:
                yield from structs_in(each.type)
            yield kind
        case inspect.ListType() | inspect.VarTupleType():
            yield from structs_in(kind.item_type)
        case inspect.TupleType():
            for item in kind.item_types:
                yield from structs_in(item)
        case inspect.DictType():
            yield from structs_in(kind.value_type)
        case inspect.UnionType():
            for member in kind.types:
                yield from structs_in(member)
        case inspect.Metadata():
            yield from structs_in(kind.type)


def interface(kind: Declared, *, is_request: bool = False) -> str:
    """Write a struct in TypeScript."""
    lines = [f"/** {(kind.cls.__doc__ or '').strip().splitlines()[0]} */", f"export interface {kind.cls.__name__} {{"]
    if isinstance(kind, inspect.StructType) and kind.tag is not None:
        lines.append(f'  {kind.tag_field}: "{kind.tag}";')
    lines += [f"  {field_text(kind, each, is_request=is_request)};" for each in kind.fields]
    return "\n".join([*lines, "}\n"])


def field_text(kind: Declared, field: inspect.Field, *, is_request: bool = False) -> str:
    """
    Write a field in TypeScript, with a question mark if it may be missing in JSON.

    The server always sends a field, unless its default is UNSET, which msgspec shows as no default at all, or its
    struct omits defaults. A default of null is then never sent.
    """
    is_unset = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
    is_omitted = isinstance(kind, inspect.StructType) and kind.cls.__struct_config__.omit_defaults
    is_optional = not field.required and (is_request or is_unset or is_omitted)
    text = type_text(field.type)
    if is_omitted and field.default is None:
        text = text.removesuffix(" | null")
    return f"{field.encode_name}{'?' if is_optional else ''}: {text}"


def type_text(kind: inspect.Type) -> str:
    """Write a type in TypeScript."""
    match kind:
        case inspect.DataclassType() if kind.cls is Action:
            return "string"
        case inspect.StructType() | inspect.DataclassType() | inspect.TypedDictType():
            return kind.cls.__name__
        case inspect.LiteralType():
            found = [name for name, literal in _LITERALS.items() if set(get_args(literal)) == set(kind.values)]
            return found[0] if found else _words(kind.values)
        case inspect.ListType() | inspect.VarTupleType():
            inner = type_text(kind.item_type)
            return f"({inner})[]" if " | " in inner and "<" not in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(type_text(each) for each in kind.item_types)}]"
        case inspect.DictType():
            return f"Record<{type_text(kind.key_type)}, {type_text(kind.value_type)}>"
        case inspect.UnionType():
            members = {_class_of(each) for each in kind.types}
            for name, union in _UNIONS.items():
                if members == set(get_args(union)):
                    return name
            return _union(type_text(each) for each in kind.types)
        case inspect.Metadata():
            return type_text(kind.type)
    return _PLAIN[type(kind)]


def _words(values: Iterable[Any]) -> str:
    """Write a union of texts."""
    return " | ".join(f'"{value}"' for value in values)


def _class_of(kind: inspect.Type) -> type | None:
    return kind.cls if isinstance(kind, inspect.StructType | inspect.DataclassType) else None


def _union(words: Iterable[str]) -> str:
    """Join the members of a union in a fixed order, null last."""
    return " | ".join(sorted(set(words), key=lambda word: (word == "null", word)))


def main() -> None:
    """Write the types to the named file."""
    (path,) = parse_paths(__doc__, "file")
    write_atomically(path, [generate_types().encode()])


if __name__ == "__main__":
    main()
