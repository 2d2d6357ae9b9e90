"""
The layers of the package, and what is generated from them: the folder table and the diagram of ARCHITECTURE.md.

`python docs/tools/architecture.py` writes both; `make golden` does so too. `tests/project/test_architecture.py` checks
every import against `LAYERS`.
"""

from __future__ import annotations

import ast
import re
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "qwixx"
PAGE = ROOT / "ARCHITECTURE.md"
DIAGRAM = ROOT / "docs" / "pictures" / "architecture.svg"

LAYERS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("jit",),
    ("kernel",),
    ("errors",),
    ("variants",),
    ("text",),
    ("game",),
    ("qwixx",),
    ("fair", "tutorial", "solver", "render", "testing"),
    ("printing", "rulebook"),
    ("nets",),
    ("players",),
    ("rl", "sim"),
    ("nets.training",),
    ("coach",),
    ("puzzles",),
    ("precompile",),
    ("server.base",),
    ("server.limits",),
    ("server.wire",),
    ("server.room",),
    ("server.workers", "server.store"),
    ("server.today",),
    ("server.table",),
    ("server.http",),
    ("server.operate",),
    ("server",),
    ("wasm", "web", "mcp"),
    ("cli.terminal",),
    ("cli.table",),
    ("cli", "cli.commands", "__main__"),
)
"""The parts of the package, from the bottom up. A part may import its own layer and the layers below."""
NOT_DRAWN = ("web", "__main__")
"""The built page holds no Python, and a program may import everything."""
_TABLE = re.compile(r"(?<=<!-- folders -->\n).*?(?=<!-- end of folders -->)", re.DOTALL)
_WIDTH, _ROW, _GAP, _MARGIN, _LABEL = 880, 40, 8, 16, 7.4
_COLORS = {"server": "#dbeafe", "cli": "#fef3c7", "kernel": "#dcfce7", "jit": "#dcfce7", "variants": "#dcfce7"}


def part_named(module: str) -> str:
    """Return the part that a module belongs to: the longest prefix of its name that is a part."""
    parts = {part for layer in LAYERS for part in layer}
    names = module.split(".")[1:]
    prefixes = (".".join(names[:length]) for length in range(len(names), 0, -1))
    return next((prefix for prefix in prefixes if prefix in parts), "qwixx")


def layer_of(part: str) -> int:
    """Return the number of a part's layer, counted from the bottom."""
    return next(number for number, layer in enumerate(LAYERS) if part in layer)


def folders() -> list[Path]:
    """List all folders of the package, the top layer first, a folder before the folders in it."""
    found = [path.parent for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE]

    def key(folder: Path) -> tuple[int, str]:
        name = folder.relative_to(SOURCE).as_posix()
        return -layer_of(part_named(f"qwixx.{name.partition('/')[0]}")), name

    return sorted(found, key=key)


def first_paragraph(path: Path) -> str:
    """Return the first paragraph of a module's docstring, in one line."""
    text = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    return " ".join(text.partition("\n\n")[0].split())


def table() -> str:
    """Write the table: a line for each folder, with the first paragraph of its docstring."""
    rows = [
        f"| [`{name}/`](src/qwixx/{name}) | {first_paragraph(folder / '__init__.py')} |"
        for folder in folders()
        for name in (folder.relative_to(SOURCE).as_posix(),)
    ]
    return "\n".join(["| folder | what is in it |", "|---|---|", *rows]) + "\n"


def page() -> str:
    """Return ARCHITECTURE.md with a new table."""
    return _TABLE.sub(lambda _: table(), PAGE.read_text("utf-8"))


def diagram() -> str:
    """Draw the layers as rows of boxes. The layers of the server and of the command line share a row each."""
    rows: list[list[str]] = []
    for layer in reversed(LAYERS):
        parts = [part for part in layer if part not in NOT_DRAWN]
        top = parts[0].partition(".")[0]
        is_shared = top in ("server", "cli") and rows and rows[-1][0].partition(".")[0] == top
        if is_shared:
            rows[-1] += parts
        else:
            rows.append(parts)
    height = 2 * _MARGIN + len(rows) * (_ROW + _GAP) - _GAP
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"',
        ' font-family="sans-serif" font-size="13">',
        "<title>The layers of the package: each imports only what is below it, or right of it</title>",
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
    ]
    for number, parts in enumerate(rows):
        drawn += _row(parts, _MARGIN + number * (_ROW + _GAP))
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _row(parts: list[str], top: int) -> list[str]:
    labels = _labels(parts)
    widths = [len(label) * _LABEL for label in labels]
    free = (_WIDTH - 2 * _MARGIN - _GAP * (len(parts) - 1) - sum(widths)) / len(parts)
    drawn, left = [], float(_MARGIN)
    for part, label, width in zip(parts, labels, widths, strict=True):
        color = _COLORS.get(part.partition(".")[0], "#f3f4f6")
        box = f'x="{left:.1f}" y="{top}" width="{width + free:.1f}" height="{_ROW}" rx="6"'
        drawn.append(f'<rect {box} fill="{color}" stroke="#9ca3af"/>')
        middle = f'x="{left + (width + free) / 2:.1f}" y="{top + _ROW / 2 + 4.5:.1f}"'
        drawn.append(f'<text {middle} text-anchor="middle" fill="#111827">{escape(label)}</text>')
        left += width + free + _GAP
    return drawn


def _labels(parts: list[str]) -> list[str]:
    """Name the boxes of a row; in a row of one package its name is in the first box only."""
    package = parts[0]
    if len(parts) > 1 and all(part.startswith(f"{package}.") for part in parts[1:]):
        return [package, *(part.removeprefix(f"{package}.") for part in parts[1:])]
    return ["import qwixx" if part == "qwixx" else part.replace(".", "/") for part in parts]


def texts() -> dict[Path, str]:
    """Return everything that is generated from the layers, by file."""
    return {PAGE: page(), DIAGRAM: diagram()}


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, "utf-8")
