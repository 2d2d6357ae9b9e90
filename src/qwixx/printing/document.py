"""Make the PDF for a print request."""

from __future__ import annotations

from typing import Final

from qwixx.printing.cutouts import CARD, PAWN_STEP, back, deck, front, paper_pawn
from qwixx.printing.ink_modes import Ink
from qwixx.printing.labels import game_name
from qwixx.printing.page_layout import Page, pieces_page, sheets_page
from qwixx.printing.pdf_writer import Document
from qwixx.printing.print_request import PrintRequest, check_request, per_page_of, sheets_of
from qwixx.printing.sheets import Sheet, fit_sheet, pawn_size
from qwixx.printing.style import Style
from qwixx.variants.model import Pad, Variant

_LARGE: Final = 1.45
_CARD_UNITS: Final = 63.0
_PAWN_UNITS: Final = 100.0


def make_pad(variant: Variant, request: PrintRequest) -> bytes:
    """
    Return a PDF to print: sheets, and the cards or pawns of this game.

    The same request always gives the same bytes. Raises `QwixxError` for an invalid request.
    """
    check_request(variant, request)
    styles = [Style(language, Ink(request.ink), _LARGE if request.large else 1.0) for language in request.languages]
    style = styles[0]
    document = Document(game_name(variant, style.language), style.language)
    if request.only != "pieces":
        _print_sheets(document, variant, request, styles)
    if request.only != "sheets":
        if variant.is_cards:
            if request.only != "pieces" and request.backs == "duplex":
                _fill_leaf(document, variant, request)
            _print_deck(document, variant, request, style)
        if variant.is_duel:
            _print_pawns(document, variant, request, style)
    return document.data()


# ---- sheets


def _print_sheets(document: Document, variant: Variant, request: PrintRequest, styles: list[Style]) -> None:
    page = sheets_page(request.paper, per_page_of(variant, request))
    pads: tuple[Pad | None, ...] = request.lucky or variant.lucky or (None,)
    names = request.pads or variant.pads or ("",)
    drawn: dict[tuple[str, Pad | None, str], Sheet] = {}
    for number in range(sheets_of(variant, request)):
        at = number % len(page.slots)
        if at == 0:
            _begin(document, page, cut=len(page.slots) > 1)
        style, pad, slot = styles[number % len(styles)], pads[number % len(pads)], page.slots[at]
        name = names[number % len(names)]
        if (style.language, pad, name) not in drawn:
            drawn[style.language, pad, name] = fit_sheet(variant, style, page.slots[0], pad, request.link, name)
        sheet = drawn[style.language, pad, name]
        document.draw(sheet.x + slot.x, sheet.y + slot.y, sheet.scale, sheet.ink)
        if sheet.code:
            document.draw(sheet.x + slot.x + sheet.code_x, sheet.y + slot.y, sheet.scale, sheet.code)


def _fill_leaf(document: Document, variant: Variant, request: PrintRequest) -> None:
    """Add an empty page after an odd number of pages, so that each front of the deck begins a leaf of paper."""
    page = sheets_page(request.paper, per_page_of(variant, request))
    pages = -(-sheets_of(variant, request) // len(page.slots))
    if pages % 2:
        _begin(document, page, cut=False)


def _begin(document: Document, page: Page, *, cut: bool) -> None:
    document.begin_page(page.width, page.height)
    if cut:
        document.draw(0, 0, 1, page.cut_marks())


# ---- cards and pawns


def _print_deck(document: Document, variant: Variant, request: PrintRequest, style: Style) -> None:
    """Print all cards: a page of fronts, then its backs mirrored, so that they match in duplex printing."""
    width, height = CARD
    folds = request.backs == "fold"
    page = pieces_page(request.paper, 2 * width if folds else width, height)
    scale, cards, count = width / _CARD_UNITS, deck(variant), len(page.slots)
    for first in range(0, len(cards), count):
        shown = list(zip(cards[first : first + count], page.slots, strict=False))
        _begin(document, page, cut=True)
        for card, slot in shown:
            document.draw(slot.x, slot.y, scale, front(style, card))
            if folds:
                document.draw(slot.x + width, slot.y, scale, back(card[1:]))
        if request.backs == "duplex":
            _begin(document, page, cut=False)
            for card, slot in shown:
                document.draw(page.width - slot.x - slot.width, slot.y, scale, back(card[1:]))


def _print_pawns(document: Document, variant: Variant, request: PrintRequest, style: Style) -> None:
    """Print the pawns of both players, as large as the cells of the board allow (D1)."""
    board = sheets_page(request.paper, per_page_of(variant, request))
    size = pawn_size(variant, fit_sheet(variant, style, board.slots[0], None, request.link))
    page = pieces_page(request.paper, size * PAWN_STEP, size * PAWN_STEP)
    pawns = [seat for seat in range(variant.most_seats) for _ in range(variant.pawns)]
    for first in range(0, len(pawns), len(page.slots)):
        _begin(document, page, cut=False)
        for seat, slot in zip(pawns[first : first + len(page.slots)], page.slots, strict=False):
            edge = size * (PAWN_STEP - 1) / 2
            document.draw(slot.x + edge, slot.y + edge, size / _PAWN_UNITS, paper_pawn(seat))
