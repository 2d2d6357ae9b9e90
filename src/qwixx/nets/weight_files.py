"""
Weight files: the trained weights for a sheet and some numbers of seats. A file that does not fit is refused.

A file is one line of JSON, with its purpose and a checksum of the rest, and then the compressed rest: a bit for each
row of the tables that was trained, a scale for each of these rows, their values as bytes (quantized), and the layers.
Rows that no game touched are left out and read as zeros. If a file would be too large for the page to fetch, the rows
that matter least are left out too: small ones, and those that few positions have.
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

from qwixx.base.atomic_files import write_atomically
from qwixx.base.user_dirs import data_directory
from qwixx.errors import QwixxError
from qwixx.kernel.state.records import SEATS, Records
from qwixx.nets.feature_tables import VERSION, add_joker_tables, feature_layout
from qwixx.nets.network import HIDDEN, LAYERS, Floats, Net
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import Variant

FORMAT: Final = 1
"""Increased whenever the file format changes."""
MAGIC: Final = "qwixx-net"
_LONGEST_HEADING: Final = 4096
SHIPPED: Final = Path(__file__).parent / "trained"
"""The folder of the weights in the package."""
MOST_BYTES: Final = 950_000
"""Maximum size of the content: a page fetches the weights of a game when it is first played there."""
_STEPS: Final = 127
"""A value is quantized to this many steps up or down; the largest value of a row determines the size of a step."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The header of a file."""

    variant: str
    layout: str
    seats: tuple[int, ...]
    """The trained numbers of seats."""
    rows: int
    games: int
    """Games of the training."""
    seed: int
    made_by: str
    """The command that made it."""


def sheet_key(variant: Variant) -> str:
    """
    Return a key for the sheet that weights belong to: a hash of its layout without the lucky numbers.

    Any lucky numbers can be set by hand (L5); they are an input of the net.
    """
    layouts = compile_layout(variant).copy()
    layouts["lucky"] = 0
    layouts["lucky_pads"] = layouts["lucky_pads"] > 0
    return layout_hash(layouts)


def file_name(variant: Variant, seats: Sequence[int]) -> str:
    """Return the file name for a game and the numbers of seats that were trained together."""
    return f"{variant.id}-{''.join(map(str, seats))}-{sheet_key(variant)}.net"


def own_path(variant: Variant, seats: Sequence[int]) -> Path:
    """Return the path for weights that are trained on this machine."""
    return own_directory() / file_name(variant, seats)


def own_directory() -> Path:
    """Return the folder of all weights that were trained on this machine."""
    return data_directory() / "nets"


def find_weights(variant: Variant, seats: int, *, only_shipped: bool = False) -> Path | None:
    """
    Return the path of the weights for a game, or None. Those trained on this machine come before those of the package.

    If several files have this number of seats, the one with the fewest other numbers is taken. If none has weights for
    one seat, those for two are taken.
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
    return find_weights(variant, 2, only_shipped=only_shipped) if seats == 1 else None


# ---- writing


def _pack(net: Net, updates: Floats | None) -> bytes:
    """Return the compressed bytes of a net, at most `MOST_BYTES`: the rows that matter least are left out first."""
    sizes = np.abs(net.tables).sum(axis=1)
    if updates is not None:
        sizes *= updates
    content = _packed(net, sizes > 0)
    if len(content) <= MOST_BYTES:
        return content
    order = np.sort(sizes[sizes > 0])
    too_few, enough = 0, len(order) - 1  # how many rows to leave out
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


def write_weights(path: Path, heading: Heading, net: Net, updates: Floats | None = None) -> None:
    """
    Write weights atomically: a reader finds the old file or the new one. Raises `QwixxError` if that fails.

    `updates` counts the updates of each table row: with many of them it matters more.
    """
    content = _pack(net, updates)
    facts = {"magic": MAGIC, "format": FORMAT, "inputs": VERSION, "checksum": "", **asdict(heading)}
    facts["checksum"] = _checksum(facts, content)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, [json.dumps(facts).encode() + b"\n", content])
    except OSError as error:
        raise QwixxError(f"The weights cannot be written to {str(path)!r}: {error.strerror}.") from None


def _checksum(facts: dict[str, object], content: bytes) -> str:
    """Return the checksum of a file: of its header without the checksum, and of its content."""
    said = json.dumps({name: fact for name, fact in facts.items() if name != "checksum"}).encode()
    return hashlib.blake2b(said + content, digest_size=16).hexdigest()


# ---- reading


def _unpack(content: bytes, rows: int) -> Net:
    """Return the net that `_pack` has written."""
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

    With `to_begin` a training starts from them. Then they may come from another game with the same tables: a game with
    jokers has the tables of the game without jokers on the same sheet, and more behind them.

    Raises `QwixxError`, which explains the problem with the file.
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
        raise QwixxError(f"The weights in {str(path)!r} are damaged; delete the file.")
    try:
        named = {name: facts[name] for name in Heading.__dataclass_fields__}
        heading = Heading(**named | {"seats": tuple(facts["seats"])})
    except (KeyError, TypeError):
        raise QwixxError(f"The weights in {str(path)!r} belong to another version of this program.") from None
    _check_fit(path, heading, variant, to_begin=to_begin)
    if seats is not None:
        check_seats(path, heading, seats)
    net = _unpack(zlib.decompress(content), heading.rows)
    return heading, add_joker_tables(feature_layout(compile_layout(variant)), net)


def _check_fit(path: Path, heading: Heading, variant: Variant, *, to_begin: bool) -> None:
    inputs = feature_layout(compile_layout(variant))[0]
    if heading.layout != sheet_key(variant):
        if not to_begin or heading.rows not in (inputs.first_rows, inputs.rows):
            raise QwixxError(f"The weights in {str(path)!r} were trained on another sheet than {variant.id}.")
    elif heading.rows != inputs.rows:  # inputs were added since
        raise QwixxError(f"The weights in {str(path)!r} belong to another version of this program.")


def check_seats(path: Path, heading: Heading, seats: int) -> None:
    """Refuse weights that were not trained for a number of seats. Raises `QwixxError`."""
    if seats not in heading.seats and (seats != 1 or 2 not in heading.seats):
        known = ", ".join(map(str, heading.seats))
        raise QwixxError(f"The weights in {str(path)!r} are for {known} seats, not {seats}.")
