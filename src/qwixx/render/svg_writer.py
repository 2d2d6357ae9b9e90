"""Write SVG: elements, escaped text, and strokes that look drawn by hand."""

from __future__ import annotations

import html
import re
from hashlib import blake2b
from typing import Final

from qwixx.render.palette import PENCIL, TEXT

FONT: Final = "'Avenir Next','Segoe UI','Helvetica Neue',Arial,'Liberation Sans',sans-serif"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain, even escaped."""


def clean(text: str) -> str:
    """Return a text that is valid in XML."""
    return html.escape(_NOT_XML.sub("\ufffd", text))


def num(value: float) -> str:
    """Format a length, as short as possible."""
    return f"{round(value, 1):g}"


def el(tag: str, *inside: str, **attributes: str | float | None) -> str:
    """Write an element. `class_` is class, `stroke_width` is stroke-width; None leaves an attribute out."""
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else num(value)
            words.append(f'{name.rstrip("_").replace("_", "-")}="{clean(text)}"')
    content = "".join(inside)
    return f"<{' '.join(words)}>{content}</{tag}>" if content else f"<{' '.join(words)}/>"


def place(x: float, y: float, *inside: str, **attributes: str | float | None) -> str:
    """Move a drawing around (0, 0) to (x, y)."""
    return el("g", *inside, transform=f"translate({num(x)} {num(y)})", **attributes)


def words(
    x: float, y: float, text: str, size: float, *, fill: str = TEXT, anchor: str = "middle", bold: bool = False
) -> str:
    """Write words whose middle line is at y."""
    return el(
        "text",
        clean(text),
        x=x,
        y=y + size * 0.355,  # half a capital's height: all viewers place baselines alike, but not middles
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "middle" else anchor,
        font_weight="700" if bold else None,
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float,
    *,
    fill: str = "none",
    stroke: str | None = None,
    stroke_width: float | None = None,
    class_: str | None = None,
) -> str:
    """Draw a box with round corners."""
    return el(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width,
        class_=class_,
    )


def _tremble(key: str) -> list[float]:
    """Return sixteen numbers from -1 to 1: always the same for the same key, so that a picture never changes."""
    return [byte / 127.5 - 1 for byte in blake2b(key.encode(), digest_size=16).digest()]


def cross(key: str, reach: float, class_: str, *, name: str | None = None) -> str:
    """Draw a cross around (0, 0): two strokes, each slightly bent and displaced, as if drawn by hand."""
    t = [reach * 0.17 * value for value in _tremble(key)]
    down = (-reach + t[0], -reach + t[1], t[2] * 1.5, t[3] * 1.5, reach + t[4], reach + t[5])
    up = (reach + t[6], -reach + t[7], t[8] * 1.5, t[9] * 1.5, -reach + t[10], reach + t[11])
    path = "".join(f"M{num(a)} {num(b)}Q{num(c)} {num(d)} {num(e)} {num(f)}" for a, b, c, d, e, f in (down, up))
    return el(
        "path",
        class_=class_,
        d=path,
        fill="none",
        stroke=PENCIL,
        stroke_width=reach * (0.235 + 0.025 * _tremble(key)[12]),
        stroke_linecap="round",
        **{"data-cell": name},
    )


def strike(key: str, reach: float, class_: str) -> str:
    """Draw one stroke through (0, 0), from left to right."""
    t = [reach * 0.12 * value for value in _tremble(key)]
    path = f"M{num(-reach + t[0])} {num(reach * 0.3 + t[1])}Q{num(t[2])} {num(t[3])} {num(reach)} {num(-reach * 0.3)}"
    return el(
        "path", class_=class_, d=path, fill="none", stroke=PENCIL, stroke_width=reach * 0.2, stroke_linecap="round"
    )
