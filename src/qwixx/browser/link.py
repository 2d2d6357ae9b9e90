"""
The linker: from the one object that LLVM makes to a module that a browser runs.

There is one object, everything in it is needed, and it may ask for nothing from outside, so this is a small part of what
a linker for many objects does. The forms are those of WebAssembly and of its tool conventions for objects: a section is
a kind, a size and its bytes; wherever an address or an index was not known, a relocation says what belongs there.
Memory is the stack first, so that a stack too deep traps and overwrites nothing, then data, then what the page uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from qwixx.errors import QwixxError

STACK: Final = 64 * 1024
PAGE: Final = 64 * 1024
HEADER: Final = b"\0asm\1\0\0\0"
(CUSTOM, TYPE, IMPORT, FUNCTION, _TABLE, MEMORY, GLOBAL, EXPORT, _START, _ELEMENT, CODE, DATA, _DATA_COUNT) = range(13)
_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _ADDRESS_WORD, _GLOBAL_INDEX = 0, 3, 4, 5, 7
"""Relocations that code without pointers to functions has."""
_SEGMENTS, _SYMBOLS = 5, 8
"""Parts of the section that tells a linker about symbols."""
_FUNCTIONS, _DATA, _GLOBALS, _SECTIONS = range(4)
"""Kinds of symbols."""
_UNDEFINED, _NAMED = 0x10, 0x40
_PADDED: Final = 5
"""Bytes of a number that a relocation is about."""
_I32, _MUTABLE, _CONSTANT, _END = 0x7F, 1, 0x41, 0x0B


class _Bytes:
    """Bytes that are read from the first to the last."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        """Read a number in groups of seven bits, the lowest first."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return found

    def signed(self) -> int:
        begin = self.at
        found = self.number()
        bits = 7 * (self.at - begin)
        return found - (1 << bits) if found >> (bits - 1) & 1 else found

    def name(self) -> str:
        return self.take(self.number()).decode()


def number(value: int) -> bytes:
    """Write a number in groups of seven bits, the lowest first."""
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value])


def _signed(value: int) -> bytes:
    groups = bytearray()
    while not -0x40 <= value < 0x40:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value & 0x7F])


def _named(name: str) -> bytes:
    return number(len(name.encode())) + name.encode()


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Go through the sections of an object or a module."""
    if not module.startswith(HEADER):
        raise QwixxError("That is no WebAssembly.")
    read = _Bytes(module, len(HEADER))
    while read.at < len(module):
        kind = read.byte()
        yield kind, read.take(read.number())


def section(kind: int, parts: Iterable[bytes]) -> bytes:
    """Write a section that is a list of parts."""
    listed = list(parts)
    body = number(len(listed)) + b"".join(listed)
    return bytes([kind]) + number(len(body)) + body if listed else b""


def custom(name: str, data: bytes) -> bytes:
    """Write a section of one's own, which nobody but its reader looks at."""
    body = _named(name) + data
    return bytes([CUSTOM]) + number(len(body)) + body


def custom_sections(module: bytes) -> dict[str, bytes]:
    """Read all sections of one's own."""
    found = {}
    for kind, body in sections(module):
        if kind == CUSTOM:
            read = _Bytes(body)
            name = read.name()
            found[name] = body[read.at :]
    return found


@dataclass(slots=True)
class _Symbol:
    """Something with a name: a function or global by its index, or data by its segment and its place there."""

    kind: int
    name: str
    index: int = 0
    place: int = 0
    is_undefined: bool = False


@dataclass(slots=True)
class _Segment:
    """Neighbouring bytes of data."""

    data: bytes
    name: str = ""
    alignment: int = 1
    address: int = 0


@dataclass(slots=True)
class _Object:
    """What the object says."""

    types: bytes = b""
    functions: list[int] = field(default_factory=list)
    """By a function's number: its type."""
    imported: list[str] = field(default_factory=list)
    """Functions that it wants from outside."""
    code: bytes = b""
    data: bytes = b""
    segments: list[_Segment] = field(default_factory=list)
    symbols: list[_Symbol] = field(default_factory=list)
    relocations: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)
    """By a section's kind: the kind of each, its place, its symbol, and what is added."""


def link(module: bytes, exports: Iterable[str]) -> bytes:
    """Link an object; the functions with these names, the memory and where it is free are what a page sees."""
    found = _read(module)
    missing = [symbol.name for symbol in found.symbols if symbol.is_undefined and symbol.kind == _DATA]
    if missing or found.imported:
        raise QwixxError(f"The module would need from outside: {', '.join((*missing, *found.imported))}.")
    free = _place(found.segments)
    return b"".join(
        [
            HEADER,
            bytes([TYPE]) + number(len(found.types)) + found.types,
            section(FUNCTION, [number(kind) for kind in found.functions]),
            section(MEMORY, [b"\0" + number(-(-free // PAGE))]),
            section(GLOBAL, [_global(STACK, _MUTABLE), _global(free, 0)]),
            section(EXPORT, _exports(found, exports)),
            section(CODE, _patched_code(found)),
            section(DATA, _patched_data(found)),
        ]
    )


def _global(value: int, mutable: int) -> bytes:
    return bytes([_I32, mutable, _CONSTANT, *_signed(value), _END])


def _exports(found: _Object, names: Iterable[str]) -> Iterator[bytes]:
    indices = {symbol.name: symbol.index for symbol in found.symbols if symbol.kind == _FUNCTIONS}
    yield _named("memory") + bytes([2, 0])
    yield _named("free") + bytes([3, 1])
    for name in names:
        yield _named(name) + b"\0" + number(indices[name])


def _place(segments: list[_Segment]) -> int:
    """Give every segment its address, those that are nothing but zeros last; give where memory is free."""
    at = STACK
    for each in sorted(segments, key=_is_blank):
        at = -(-at // each.alignment) * each.alignment
        each.address = at
        at += len(each.data)
    return -(-at // 16) * 16


def _is_blank(segment: _Segment) -> bool:
    return not any(segment.data)


# ---- reading the object


def _read(module: bytes) -> _Object:
    found = _Object()
    order: list[int] = []
    for kind, body in sections(module):
        read = _Bytes(body)
        order.append(kind)
        if kind == TYPE:
            found.types = body
        elif kind == IMPORT:
            found.imported = list(_imported_functions(read))
        elif kind == FUNCTION:
            found.functions = [read.number() for _ in range(read.number())]
        elif kind == CODE:
            found.code = body
        elif kind == DATA:
            found.data = body
            found.segments = list(_segments(read))
        elif kind == CUSTOM:
            name = read.name()
            if name == "linking":
                _read_symbols(found, read)
            elif name.startswith("reloc."):
                about = order[read.number()]
                found.relocations[about] = sorted(_relocations(read), key=lambda each: each[1])
        elif kind not in (GLOBAL, _DATA_COUNT):
            raise QwixxError(f"The object has a section {kind}, which is not understood here.")
    return found


def _imported_functions(read: _Bytes) -> Iterator[str]:
    for _ in range(read.number()):
        read.name()
        name, kind = read.name(), read.byte()
        if kind == 0:
            read.number()
            yield name
        elif kind == 2:  # the memory, which is made here
            for _ in range(1 + read.number()):
                read.number()
        elif kind == 3:  # the stack pointer, which is made here
            read.take(2)
        else:
            raise QwixxError(f"The object wants {name!r}, which is not understood here.")


def _segments(read: _Bytes) -> Iterator[_Segment]:
    for _ in range(read.number()):
        assert read.number() == 0, "data of the only memory"
        assert read.byte() == _CONSTANT
        read.signed()
        assert read.byte() == _END
        yield _Segment(read.take(read.number()))


def _read_symbols(found: _Object, read: _Bytes) -> None:
    assert read.number() == 2, "the version of the conventions"
    while read.at < len(read.data):
        kind, size = read.byte(), read.number()
        part = _Bytes(read.take(size))
        if kind == _SEGMENTS:
            for each in found.segments[: part.number()]:
                each.name, each.alignment = part.name(), 1 << part.number()
                part.number()
        elif kind == _SYMBOLS:
            found.symbols = [_symbol(part) for _ in range(part.number())]


def _symbol(read: _Bytes) -> _Symbol:
    kind, flags = read.byte(), read.number()
    is_undefined = bool(flags & _UNDEFINED)
    if kind == _DATA:
        symbol = _Symbol(kind, read.name(), is_undefined=is_undefined)
        if not is_undefined:
            symbol.index, symbol.place = read.number(), read.number()
            read.number()
        return symbol
    index = read.number()
    has_name = kind != _SECTIONS and (not is_undefined or flags & _NAMED)
    return _Symbol(kind, read.name() if has_name else "", index, is_undefined=is_undefined)


def _relocations(read: _Bytes) -> Iterator[tuple[int, int, int, int]]:
    for _ in range(read.number()):
        kind, place, symbol = read.byte(), read.number(), read.number()
        if kind not in (_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _ADDRESS_WORD, _GLOBAL_INDEX):
            raise QwixxError(f"The object has a relocation {kind}, which is not understood here.")
        yield kind, place, symbol, read.signed() if kind in (_ADDRESS, _SIGNED_ADDRESS, _ADDRESS_WORD) else 0


# ---- filling in


def _value(found: _Object, kind: int, symbol: int, more: int) -> bytes:
    """Give what belongs in the place of a relocation, as short as it can be written."""
    meant = found.symbols[symbol]
    if kind in (_FUNCTION_INDEX, _GLOBAL_INDEX):
        return number(meant.index)  # there are no imports before them; the only global of an object is the stack
    address = found.segments[meant.index].address + meant.place + more
    if kind == _ADDRESS_WORD:
        return address.to_bytes(4, "little")
    return _signed(address) if kind == _SIGNED_ADDRESS else number(address)


def _patched_code(found: _Object) -> Iterator[bytes]:
    """Give the bodies of all functions, filled in."""
    relocations = iter(found.relocations.get(CODE, []))
    waiting = next(relocations, None)
    read = _Bytes(found.code)
    for _ in range(read.number()):
        end = read.number() + read.at
        body = bytearray()
        while waiting is not None and waiting[1] < end:
            kind, place, symbol, more = waiting
            body += read.take(place - read.at) + _value(found, kind, symbol, more)
            read.take(4 if kind == _ADDRESS_WORD else _PADDED)
            waiting = next(relocations, None)
        body += read.take(end - read.at)
        yield number(len(body)) + bytes(body)


def _patched_data(found: _Object) -> Iterator[bytes]:
    """Give all data but zeros, filled in."""
    read = _Bytes(found.data)
    relocations = found.relocations.get(DATA, [])
    begins = []
    for _ in range(read.number()):
        read.take(1 + 1)
        read.signed()
        read.take(1)
        size = read.number()
        begins.append(read.at)
        read.take(size)
    for each, begin in zip(found.segments, begins, strict=True):
        data = bytearray(each.data)
        for kind, place, symbol, more in relocations:
            if begin <= place < begin + len(data):
                data[place - begin : place - begin + 4] = _value(found, kind, symbol, more)
        if not _is_blank(each):
            yield b"\0" + bytes([_CONSTANT]) + _signed(each.address) + bytes([_END]) + number(len(data)) + bytes(data)
