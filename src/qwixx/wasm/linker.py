"""
The linker: turns the one object file from LLVM into a WebAssembly module that a browser runs.

There is one object, all of it is needed, and it must not import anything, so this is a small part of a linker. The
formats are those of WebAssembly and of its object file conventions: a section is a kind, a size and its bytes; a
relocation gives the address or index to fill in. The stack is at the start of memory, so that a stack overflow traps
and overwrites nothing; then follow the data, and then the memory that the page uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from qwixx.errors import QwixxError

_HEADER: Final = b"\0asm\1\0\0\0"
_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _MEMORY, _GLOBAL, _EXPORT = 0, 1, 2, 3, 5, 6, 7
_CODE, _DATA, _DATA_COUNT = 10, 11, 12
"""Kinds of sections."""
_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _GLOBAL_INDEX = 0, 3, 4, 7
"""Kinds of relocations in code without function pointers."""
_SEGMENT_INFO, _SYMBOLS = 5, 8
"""Subsections of the `linking` section."""
_FUNCTIONS, _DATA_SYMBOLS, _GLOBALS = 0, 1, 2
"""Kinds of symbols."""
_UNDEFINED, _NAMED = 0x10, 0x40
_NONE: Final = b"\0"
"""An empty list."""
_PADDED: Final = 5
"""Bytes of a padded LEB128 number at a relocation."""
_I32, _CONSTANT, _END = 0x7F, 0x41, 0x0B
_STACK: Final = 64 * 1024
_PAGE: Final = 64 * 1024


def link(module: bytes, exports: Iterable[str]) -> bytes:
    """Link an object; export these functions, the memory, and the address where free memory begins."""
    sections = _sections(module)
    segments = list(_segments(_Reader(sections.get(_DATA, _NONE))))
    symbols = _read_names(_Reader(sections["linking"]), segments)
    functions = {symbol.name: symbol.index for symbol in symbols if symbol.kind == _FUNCTIONS}
    missing = [*_imported(_Reader(sections.get(_IMPORT, _NONE))), *(s.name for s in symbols if s.is_missing_data)]
    missing += [f"section {name}" for name in sections if name not in _UNDERSTOOD]
    if missing:
        raise QwixxError(f"The object has undefined symbols or unknown sections: {', '.join(missing)}.")
    free = _place(segments)
    visible = [_text("memory") + bytes([2, 0]), _text("free") + bytes([3, 1])]
    visible += [_text(name) + b"\0" + _number(functions[name]) for name in exports]
    code = _filled_in(_Reader(sections[_CODE]), _relocations(sections), symbols, segments)
    return b"".join(
        [
            _HEADER,
            _section(_TYPE, sections[_TYPE]),
            _section(_FUNCTION, sections[_FUNCTION]),
            _section(_MEMORY, _listed([b"\0" + _number(-(-free // _PAGE))])),
            _section(_GLOBAL, _listed([_global(_STACK, is_mutable=True), _global(free, is_mutable=False)])),
            _section(_EXPORT, _listed(visible)),
            _section(_CODE, _listed(code)),
            _section(_DATA, _listed(each.written() for each in segments if any(each.data))),
        ]
    )


def custom_section(name: str, data: bytes) -> bytes:
    """Return a custom section."""
    return _section(_CUSTOM, _text(name) + data)


# ---- numbers in LEB128: groups of seven bits, the lowest first


class _Reader:
    """Reads bytes from first to last."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, *, is_signed: bool = False) -> int:
        found = shift = 0
        byte = 0x80
        while byte & 0x80:
            byte = self.take(1)[0]
            found |= (byte & 0x7F) << shift
            shift += 7
        return found - (1 << shift) if is_signed and byte & 0x40 else found

    def text(self) -> str:
        return self.take(self.number()).decode()

    def parts(self) -> Iterator[tuple[int, bytes]]:
        """Yield the kind and the bytes of each part; a part begins with its kind and size."""
        while self.at < len(self.data):
            kind = self.take(1)[0]
            yield kind, self.take(self.number())


def _number(value: int, *, is_signed: bool = False) -> bytes:
    groups = bytearray()
    while value >= 0x80 or (is_signed and value >= 0x40):
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value])


def _text(text: str) -> bytes:
    return _number(len(text.encode())) + text.encode()


def _listed(parts: Iterable[bytes]) -> bytes:
    listed = list(parts)
    return _number(len(listed)) + b"".join(listed)


def _section(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + _number(len(body)) + body


def _global(value: int, *, is_mutable: bool) -> bytes:
    return bytes([_I32, is_mutable, _CONSTANT]) + _number(value, is_signed=True) + bytes([_END])


# ---- reading the object

_UNDERSTOOD: Final = {
    *(_TYPE, _IMPORT, _FUNCTION, _CODE, _DATA, _DATA_COUNT, "linking", "reloc.CODE", "producers", "target_features"),
}


@dataclass(slots=True)
class _Segment:
    """A data segment."""

    data: bytes
    alignment: int = 1
    address: int = 0

    def written(self) -> bytes:
        """Write it as the module has it."""
        where = bytes([0, _CONSTANT]) + _number(self.address, is_signed=True) + bytes([_END])
        return where + _number(len(self.data)) + self.data


@dataclass(slots=True)
class _Symbol:
    """A symbol: a function or global by its index, or data by its segment and its offset there."""

    kind: int
    name: str
    index: int = 0
    place: int = 0
    is_missing_data: bool = False


def _sections(module: bytes) -> dict[int | str, bytes]:
    """Read the sections by their kinds, and those with a name by their names."""
    found: dict[int | str, bytes] = {}
    for kind, body in _Reader(module[len(_HEADER) :]).parts():
        read = _Reader(body)
        name = read.text() if kind == _CUSTOM else kind
        found[name] = body[read.at :]
    return found


def _imported(read: _Reader) -> Iterator[str]:
    """Yield the imports of the object except memory and stack pointer, which the linker defines."""
    for _ in range(read.number()):
        read.text()
        name, kind = read.text(), read.take(1)[0]
        if name == "__linear_memory":
            read.take(1)
            read.number()
        elif name == "__stack_pointer":
            read.take(2)
        else:
            assert kind == 0, name
            read.number()
            yield name


def _segments(read: _Reader) -> Iterator[_Segment]:
    for _ in range(read.number()):
        read.take(2)
        read.number(is_signed=True)
        read.take(1)
        yield _Segment(read.take(read.number()))


def _read_names(read: _Reader, segments: list[_Segment]) -> list[_Symbol]:
    """Read the alignment of segments, and all symbols."""
    assert read.number() == 2, "the version of the conventions"
    symbols: list[_Symbol] = []
    for kind, body in read.parts():
        part = _Reader(body)
        if kind == _SEGMENT_INFO:
            for each in segments[: part.number()]:
                part.text()
                each.alignment = 1 << part.number()
                part.number()
        elif kind == _SYMBOLS:
            symbols = [_symbol(part) for _ in range(part.number())]
    return symbols


def _symbol(read: _Reader) -> _Symbol:
    kind, flags = read.take(1)[0], read.number()
    if kind == _DATA_SYMBOLS:
        name = read.text()
        if flags & _UNDEFINED:
            return _Symbol(kind, name, is_missing_data=True)
        segment, place, _ = read.number(), read.number(), read.number()
        return _Symbol(kind, name, segment, place)
    index = read.number()
    is_named = kind in (_FUNCTIONS, _GLOBALS) and (not flags & _UNDEFINED or flags & _NAMED)
    return _Symbol(kind, read.text() if is_named else "", index)


def _relocations(sections: dict[int | str, bytes]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the relocations of the code in order: kind, offset, symbol, and addend."""
    read = _Reader(sections.get("reloc.CODE", _NONE + _NONE))
    read.number()
    for _ in range(read.number()):
        kind, place, symbol = read.take(1)[0], read.number(), read.number()
        if kind not in (_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _GLOBAL_INDEX):
            raise QwixxError(f"The object has a relocation of the unsupported kind {kind}.")
        yield kind, place, symbol, read.number(is_signed=True) if kind in (_ADDRESS, _SIGNED_ADDRESS) else 0


# ---- relocation


def _place(segments: list[_Segment]) -> int:
    """Set the address of every segment, those of zeros last, and return the start of free memory."""
    at = _STACK
    for each in sorted(segments, key=lambda each: not any(each.data)):
        each.address = -(-at // each.alignment) * each.alignment
        at = each.address + len(each.data)
    return -(-at // 16) * 16


def _filled_in(
    read: _Reader, relocations: Iterator[tuple[int, int, int, int]], symbols: list[_Symbol], segments: list[_Segment]
) -> Iterator[bytes]:
    """Yield the bodies of all functions, with every index and address filled in as a short LEB128 number."""
    waiting = next(relocations, None)
    for _ in range(read.number()):
        end = read.number() + read.at
        body = b""
        while waiting is not None and waiting[1] < end:
            kind, place, symbol, more = waiting
            meant = symbols[symbol]
            is_index = kind in (_FUNCTION_INDEX, _GLOBAL_INDEX)
            value = meant.index if is_index else segments[meant.index].address + meant.place + more
            body += read.take(place - read.at) + _number(value, is_signed=kind == _SIGNED_ADDRESS)
            read.take(_PADDED)
            waiting = next(relocations, None)
        body += read.take(end - read.at)
        yield _number(len(body)) + body
