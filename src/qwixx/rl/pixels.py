"""A small picture of the table as an array of pixels, for `render_mode="rgb_array"`: no drawing library is needed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from qwixx.game.view import View
from qwixx.render.palette import PAPER, PAWNS, PENCIL, QUIET, TONES
from qwixx.render.sheet_content import CellInk, dice_faces, read_rows
from qwixx.variants.model import Variant

Pixels = npt.NDArray[np.uint8]
Corner = tuple[int, int]
"""The first line and column of a square."""

_CELL = 14
_GAP = 2
_DIGITS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717",
    "6": "74757", "7": "71122", "8": "75757", "9": "75717", "-": "00700", "L": "44447",
}  # fmt: skip
"""Five rows of three pixels each, as octal digits."""


def picture(variant: Variant, view: View) -> Pixels:
    """Paint the dice, or the numbers on the table, and below them every sheet."""
    longest = max(len(row.cells) for row in variant.rows) + 1
    seats = 1 if variant.is_duel else view.seats
    step = _CELL + _GAP
    band = (len(variant.rows) + 1) * step
    pixels = np.empty((step + seats * band + _GAP, longest * step + _GAP, 3), np.uint8)
    pixels[:] = _rgb(PAPER)
    numbers = [*view.display, view.number] if variant.is_cards else []
    strip = list(dice_faces(view)) or [("w", str(number)) for number in numbers if number is not None]
    for at, (letter, face) in enumerate(strip):
        _square(pixels, _corner(0, at, 0), TONES[letter].band, TONES[letter].on_band, face)
    for seat in range(seats):
        top = step + seat * band
        for down, row in enumerate(read_rows(variant, view, seat)):
            for right, cell in enumerate(row.cells):
                _paint(pixels, _corner(top, down, right), cell)
            locked = TONES[row.lock_color]
            corner, ground = _corner(top, down, len(row.cells)), locked.band if row.closed else locked.cell
            _square(pixels, corner, ground, locked.number, "L")
        for miss in range(view.sheets[seat].misses):
            _square(pixels, _corner(top, len(variant.rows), miss), QUIET, PAPER, "-")
    return pixels


def _paint(pixels: Pixels, corner: Corner, cell: CellInk) -> None:
    """Paint a cell: pale while it is open, in its color once crossed, gray when lost; pawns in their owner's color."""
    tone = TONES[cell.printed.color]
    ground, ink = (tone.band, tone.on_band) if cell.crossed else (tone.cell, tone.number)
    if cell.lost:
        ground, ink = PAPER, QUIET
    if cell.owner is not None:
        ground, ink = PAWNS[cell.owner]
    _square(pixels, corner, ground, ink, str(cell.height if cell.owner is not None else cell.printed.value))
    if cell.crossed and cell.owner is None:
        y, x = corner
        line = np.arange(_CELL)
        pixels[y + line, x + line] = pixels[y + line, x + line[::-1]] = _rgb(PENCIL)


def _square(pixels: Pixels, corner: Corner, ground: str, ink: str, text: str) -> None:
    """Paint a square with a number of one or two digits in its middle."""
    y, x = corner
    pixels[y : y + _CELL, x : x + _CELL] = _rgb(ground)
    left = x + (_CELL - 4 * len(text) + 1) // 2
    for digit in text:
        for line, bits in enumerate(_DIGITS.get(digit, "00000")):
            for column in range(3):
                if int(bits) >> (2 - column) & 1:
                    pixels[y + 4 + line, left + column] = _rgb(ink)
        left += 4


def _corner(top: int, down: int, right: int) -> Corner:
    return top + _GAP + down * (_CELL + _GAP), _GAP + right * (_CELL + _GAP)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
