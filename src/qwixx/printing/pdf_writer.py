"""
Write PDF from the SVG of `render.svg_writer`, so that paper and pictures share their drawings.

It supports the elements that are used here, not all of SVG. Lengths are points, counted from the top left corner.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import reportlab
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PLAIN: Final = "qwixx"
BOLD: Final = "qwixx-bold"
MAKER: Final = "qwixx print"
"""The creator in the metadata of a file."""
_FILES: Final = {PLAIN: "Vera.ttf", BOLD: "VeraBd.ttf"}
_PART: Final = re.compile(r"([MLHVCQAZ])([^MLHVCQAZ]*)")
_TURN: Final = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
_SPACES: Final = str.maketrans("\u202f\u2009\u2011", "\u00a0\u00a0-")
"""Narrow spaces and the non-breaking hyphen, which few fonts have."""
Point = tuple[float, float]


@cache
def _fonts() -> dict[str, Any]:
    """Load the fonts: they come with the library, and may be embedded."""
    folder = Path(reportlab.__file__).parent / "fonts"
    fonts = {name: TTFont(name, str(folder / file)) for name, file in _FILES.items()}
    for font in fonts.values():
        pdfmetrics.registerFont(font)
    return fonts


def is_ours(data: bytes) -> bool:
    """Return whether a file was made by this package."""
    return data.startswith(b"%PDF-") and f"/Creator ({MAKER})".encode() in data


def writable(text: str, font: str = PLAIN) -> str:
    """Return a text with only characters that the font has."""
    known = _fonts()[font].face.charToGlyph
    return "".join(letter if ord(letter) in known else "?" for letter in text.translate(_SPACES))


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text."""
    font = BOLD if bold else PLAIN
    return float(pdfmetrics.stringWidth(writable(text, font), font, size))


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> float:
    """Return the size at which a text fits into its room: the wanted size, or a smaller one."""
    width = width_of(text, size, bold=bold)
    return size if width <= room else size * room / width


_color = cache(HexColor)
"""A cache of colors: a sheet uses few, but often."""


class Document:
    """A PDF that is being written; the same drawings always give the same bytes."""

    def __init__(self, title: str, language: str) -> None:
        """Begin without pages."""
        _fonts()
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, invariant=1, pageCompression=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("qwixx")
        self._canvas.setCreator(MAKER)
        self._height = 0.0
        self._kept: dict[str, str] = {}
        self.pages = 0

    def begin_page(self, width: float, height: float) -> None:
        """Begin a page of this size."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        self._height = height
        self._canvas.setPageSize((width, height))

    def draw(self, x: float, y: float, scale: float, ink: str) -> None:
        """Draw ink at a place; repeated drawings are stored in the file once."""
        canvas = self._canvas
        name = self._kept.get(ink)
        if name is None:
            name = self._kept[ink] = f"ink{len(self._kept)}"
            canvas.beginForm(name, -2000, -4000, 4000, 2000)
            _Reader(canvas).read(ink)
            canvas.endForm()
        canvas.saveState()
        canvas.translate(x, self._height - y)
        canvas.scale(scale, scale)
        canvas.doForm(name)
        canvas.restoreState()

    def data(self) -> bytes:
        """Return the whole file."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


class _Reader:
    """Draws elements on a canvas whose y runs down."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def read(self, ink: str) -> None:
        self._canvas.saveState()
        self._canvas.scale(1, -1)
        self._element(ET.fromstring(f"<g>{ink}</g>"), 1.0)  # noqa: S314 - written by render.svg_writer, not by a user
        self._canvas.restoreState()

    def _element(self, element: ET.Element, seen: float) -> None:
        seen *= float(element.get("opacity", 1))
        if element.tag == "g":
            self._canvas.saveState()
            self._turn(element.get("transform", ""))
            for inside in element:
                self._element(inside, seen)
            self._canvas.restoreState()
        elif element.tag == "text":
            self._text(element)
        else:
            self._shape(element, seen)

    def _turn(self, transform: str) -> None:
        for word, numbers in _TURN.findall(transform):
            first, second, *_ = [*(float(each) for each in numbers.split()), 0.0]
            if word == "translate":
                self._canvas.translate(first, second)
            elif word == "rotate":
                self._canvas.rotate(first)
            else:
                self._canvas.scale(first, first)

    def _text(self, element: ET.Element) -> None:
        canvas, size = self._canvas, float(element.get("font-size", 10))
        font = BOLD if element.get("font-weight") else PLAIN
        canvas.saveState()
        canvas.translate(float(element.get("x", 0)), float(element.get("y", 0)))
        canvas.scale(1, -1)
        canvas.setFont(font, size)
        canvas.setFillColor(_color(element.get("fill", "#000000")))
        write = {"start": canvas.drawString, "end": canvas.drawRightString}
        write.get(element.get("text-anchor", ""), canvas.drawCentredString)(0, 0, writable(element.text or "", font))
        canvas.restoreState()

    def _shape(self, element: ET.Element, seen: float) -> None:
        canvas = self._canvas
        stroke = element.get("stroke", "none")
        fill = element.get("fill", "#000000" if stroke == "none" else "none")
        has_fill, has_stroke = int(fill != "none"), int(stroke != "none")
        canvas.saveState()
        self._turn(element.get("transform", ""))
        if seen < 1:
            canvas.setFillAlpha(seen)
            canvas.setStrokeAlpha(seen)
        if has_fill:
            canvas.setFillColor(_color(fill))
        if has_stroke:
            canvas.setStrokeColor(_color(stroke))
            canvas.setLineWidth(float(element.get("stroke-width", 1)))
            canvas.setLineCap(1 if element.get("stroke-linecap") == "round" else 0)
            canvas.setLineJoin(1 if element.get("stroke-linejoin") == "round" else 0)
            if dashes := element.get("stroke-dasharray"):
                canvas.setDash([float(each) for each in dashes.split()])
        self._outline(element, has_fill, has_stroke)
        canvas.restoreState()

    def _outline(self, element: ET.Element, fill: int, stroke: int) -> None:
        at = {name: float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx", "cx", "cy", "r")}
        if element.tag == "circle":
            self._canvas.circle(at["cx"], at["cy"], at["r"], stroke=stroke, fill=fill)
        elif element.tag == "rect" and at["rx"]:
            size = (at["x"], at["y"], at["width"], at["height"])
            self._canvas.roundRect(*size, at["rx"], stroke=stroke, fill=fill)
        elif element.tag == "rect":
            self._canvas.rect(at["x"], at["y"], at["width"], at["height"], stroke=stroke, fill=fill)
        elif element.tag == "path":
            path = self._canvas.beginPath()
            for word, numbers in path_steps(element.get("d", "")):
                {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}[word](*numbers)
            self._canvas.drawPath(path, stroke=stroke, fill=fill)
        else:
            raise AssertionError(f"unsupported element {element.tag}")


# ---- paths


def path_steps(text: str) -> Iterator[tuple[str, list[float]]]:
    """Split a path into steps that PDF supports: `M`, `L`, `C` and `Z`."""
    x = y = 0.0
    for word, rest in _PART.findall(text):
        numbers = [float(each) for each in rest.split()]
        if word == "Z":
            yield "Z", []
        elif word in "HV":
            x, y = (numbers[0], y) if word == "H" else (x, numbers[0])
            yield "L", [x, y]
        elif word == "Q":
            (a, b, c, d), e, f = numbers, x, y
            yield "C", [e + (a - e) * 2 / 3, f + (b - f) * 2 / 3, c + (a - c) * 2 / 3, d + (b - d) * 2 / 3, c, d]
            x, y = c, d
        elif word == "A":
            for curve in _arc((x, y), numbers):
                yield "C", curve
            x, y = numbers[-2:]
        else:
            yield word, numbers
            x, y = numbers[-2:]


def _arc(start: Point, numbers: list[float]) -> Iterator[list[float]]:
    """Approximate an arc of a circle by curves, each at most a quarter."""
    radius, _, _, large, sweep, x, y = numbers
    half = math.dist(start, (x, y)) / 2
    radius = max(radius, half)
    away = math.sqrt(max(0.0, radius**2 - half**2)) * (1 if large != sweep else -1)
    along = math.atan2(y - start[1], x - start[0])
    cx = (start[0] + x) / 2 - away * math.sin(along)
    cy = (start[1] + y) / 2 + away * math.cos(along)
    begin = math.atan2(start[1] - cy, start[0] - cx)
    turn = (math.atan2(y - cy, x - cx) - begin) % (2 * math.pi)
    turn = turn if sweep else turn - 2 * math.pi
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    step = turn / count
    pull = radius * 4 / 3 * math.tan(step / 4)
    for at in range(count):
        a, b = begin + at * step, begin + (at + 1) * step
        yield [
            *(cx + radius * math.cos(a) - pull * math.sin(a), cy + radius * math.sin(a) + pull * math.cos(a)),
            *(cx + radius * math.cos(b) + pull * math.sin(b), cy + radius * math.sin(b) - pull * math.cos(b)),
            *(cx + radius * math.cos(b), cy + radius * math.sin(b)),
        ]
