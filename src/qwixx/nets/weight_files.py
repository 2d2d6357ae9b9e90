"""
Weights in files: what was learned for a sheet and some numbers of seats. What does not fit is refused.

A file is one line of JSON, which says what it is for and has a checksum of the rest, and then the rest, compressed:
which rows of the tables were ever learned, a scale for each of them, their values as bytes, and the layers behind
them. Rows that no game ever touched are left out and read as zeros; so are those that say least, if a file would get
too large to be fetched by a page.
"""

from __future__ import annotations

import glob
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.files import write_whole
from qwixx.kernel.records import SEATS, Records
from qwixx.learn.net import HIDDEN, LAYERS, Net
from qwixx.learn.tables import VERSION, lay_out, more_tables
from qwixx.places import data_directory
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Variant

FORMAT: Final = 1
"""Raised whenever the form of the file changes."""
MAGIC: Final = "qwixx-net"
_LONGEST_HEADING: Final = 4096
SHIPPED: Final = Path(__file__).parent / "nets"
"""Where the weights of the package are."""
MOST_BYTES: Final = 950_000
"""Bytes of the content at most: a page fetches the weights of a game when it is first played there."""
_STEPS: Final = 127
"""A value is one of so many steps up or down, as large as the largest of its row needs them to be."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says about itself."""

    variant: str
    layout: str
    seats: tuple[int, ...]
    """Numbers of seats that it has learned."""
    rows: int
    games: int
    """Games it has learned from."""
    seed: int
    made_by: str
    """The command that made it."""


def sheet_key(variant: Variant) -> str:
    """
    Name the sheet that weights belong to: its layout, whatever lucky numbers are dealt.

    Any lucky numbers can be set by hand (L5); they are an input of the net.
    """
    layouts = compile_layout(variant).copy()
    layouts["lucky"] = 0
    layouts["lucky_pads"] = layouts["lucky_pads"] > 0
    return layout_hash(layouts)


def file_name(variant: Variant, seats: Sequence[int]) -> str:
    """Name the file of a game and the numbers of seats that were learned together."""
    return f"{variant.id}-{''.join(map(str, seats))}-{sheet_key(variant)}.net"


def own_path(variant: Variant, seats: Sequence[int]) -> Path:
    """Say where weights are kept that were trained here."""
    return own_directory() / file_name(variant, seats)


def own_directory() -> Path:
    """Say where all weights are kept that were trained here."""
    return data_directory() / "nets"


def find_weights(variant: Variant, seats: int, *, only_shipped: bool = False) -> Path | None:
    """
    Find the weights for a game, if there are any: those that were trained here come before those of the package.

    Of several for this number of seats those come first that have learned the fewest others.
    """
    key = sheet_key(variant)
    for directory in (SHIPPED,) if only_shipped else (own_directory(), SHIPPED):
        found = [
            path
            for path in directory.glob(f"{glob.escape(variant.id)}-*-{key}.net")
            if str(seats) in path.name.removeprefix(f"{variant.id}-").removesuffix(f"-{key}.net")
        ]
        if found:
            return min(found, key=lambda path: (len(path.name), path.name))
    return None


# ---- writing


def _pack(net: Net) -> bytes:
    """Write a net in no more bytes than a page should have to fetch: rows that say least are left out first."""
    sizes = np.abs(net.tables).sum(axis=1)
    content = _packed(net, sizes > 0)
    if len(content) <= MOST_BYTES:
        return content
    order = np.sort(sizes[sizes > 0])
    too_few, enough = 0, len(order) - 1  # how many of the least have to go
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        tried = _packed(net, sizes > order[middle - 1])
        if len(tried) > MOST_BYTES:
            too_few = middle
        else:
            enough, content = middle, tried
    return content


def _packed(net: Net, kept: npt.NDArray[np.bool_]) -> bytes:
    rows = net.tables[kept]
    scales = (np.abs(rows).max(axis=1) / _STEPS).astype("<f4")
    steps = np.rint(rows / np.maximum(scales, 1e-30)[:, None]).astype(np.int8)
    parts = (np.packbits(kept).tobytes(), scales.tobytes(), steps.tobytes(), net.layers.tobytes())
    return zlib.compress(b"".join(parts), 9)


def write_weights(path: Path, heading: Heading, net: Net) -> None:
    """Write weights so that a reader finds the old file or the new one. Raises `QwixxError` if that cannot be done."""
    content = _pack(net)
    facts = {"magic": MAGIC, "format": FORMAT, "inputs": VERSION, "checksum": "", **asdict(heading)}
    facts["checksum"] = _checksum(facts, content)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, [json.dumps(facts).encode() + b"\n", content])
    except OSError as error:
        raise QwixxError(f"The weights cannot be kept in {str(path)!r}: {error.strerror}.") from None


def _checksum(facts: dict[str, object], content: bytes) -> str:
    """Sum up a file: what it says about itself, but for this sum, and all the rest."""
    said = json.dumps({name: fact for name, fact in facts.items() if name != "checksum"}).encode()
    return hashlib.blake2b(said + content, digest_size=16).hexdigest()


# ---- reading


def _unpack(content: bytes, rows: int) -> Net:
    """Read what `_pack` has written."""
    bits = (rows + 7) // 8
    touched = np.unpackbits(np.frombuffer(content, np.uint8, bits), count=rows).astype(np.bool_)
    kept = int(touched.sum())
    scales = np.frombuffer(content, "<f4", kept, bits)
    steps = np.frombuffer(content, np.int8, kept * HIDDEN, bits + 4 * kept).reshape(kept, HIDDEN)
    tables = np.zeros((rows, HIDDEN), np.float32)
    tables[touched] = steps * scales[:, None]
    layers: Records = np.frombuffer(content, LAYERS, SEATS - 1, bits + kept * (4 + HIDDEN)).copy()
    return Net(tables, layers)


def read_weights(
    path: Path, variant: Variant, seats: int | None = None, *, to_begin: bool = False
) -> tuple[Heading, Net]:
    """
    Read weights for a game; with `seats` also for this number of seats.

    With `to_begin` they are where a training begins: so they may come from another game with the same tables, as a game
    with jokers has those of the one without on the same sheet, and more behind them.

    Raises `QwixxError` with what is wrong about the file.
    """
    try:
        with path.open("rb") as file:
            line, content = file.readline(_LONGEST_HEADING), file.read()
    except OSError as error:
        raise QwixxError(f"The weights in {str(path)!r} cannot be read: {error.strerror}.") from None
    try:
        facts = json.loads(line)
        known = isinstance(facts, dict) and facts.get("magic") == MAGIC
    except ValueError:
        known = False
    if not known:
        raise QwixxError(f"{str(path)!r} holds no weights.")
    if (facts.get("format"), facts.get("inputs")) != (FORMAT, VERSION):
        raise QwixxError(f"The weights in {str(path)!r} belong to another version of this program.")
    if facts.get("checksum") != _checksum(facts, content):
        raise QwixxError(f"The weights in {str(path)!r} are damaged.")
    try:
        named = {name: facts[name] for name in Heading.__dataclass_fields__}
        heading = Heading(**named | {"seats": tuple(facts["seats"])})
    except (KeyError, TypeError):
        raise QwixxError(f"The weights in {str(path)!r} belong to another version of this program.") from None
    _check_fit(path, heading, variant, to_begin=to_begin)
    if seats is not None:
        check_seats(path, heading, seats)
    net = _unpack(zlib.decompress(content), heading.rows)
    return heading, more_tables(lay_out(compile_layout(variant)), net)


def _check_fit(path: Path, heading: Heading, variant: Variant, *, to_begin: bool) -> None:
    inputs = lay_out(compile_layout(variant))[0]
    if heading.layout != sheet_key(variant):
        if not to_begin or heading.rows not in (inputs.first_rows, inputs.rows):
            raise QwixxError(f"The weights in {str(path)!r} were learned on another sheet than {variant.id}.")
    elif heading.rows != inputs.rows:  # inputs were added since
        raise QwixxError(f"The weights in {str(path)!r} belong to another version of this program.")


def check_seats(path: Path, heading: Heading, seats: int) -> None:
    """Refuse weights that know nothing about a number of seats. Raises `QwixxError`."""
    if seats not in heading.seats:
        known = ", ".join(map(str, heading.seats))
        raise QwixxError(f"The weights in {str(path)!r} are for {known} seats, not {seats}.")
