"""From a wish to a file: how many sheets of what, on which paper."""

from __future__ import annotations

from typing import Final

from qwixx.printing.inks import Ink
from qwixx.printing.look import Look
from qwixx.printing.papers import Page, pieces_page, sheets_page
from qwixx.printing.pdf import Document
from qwixx.printing.pieces import CARD, PAWN_STEP, back, deck, front, paper_pawn
from qwixx.printing.sheets import Sheet, fit_sheet, pawn_size
from qwixx.printing.wish import Wish, check_wish, per_page_of, sheets_of
from qwixx.printing.words import game_name
from qwixx.variants.model import Pad, Variant

_LARGE: Final = 1.45
_CARD_UNITS: Final = 63.0
_PAWN_UNITS: Final = 100.0


def make_pad(variant: Variant, wish: Wish) -> bytes:
    """
    Make a PDF to print: sheets, and what else this game is played with.

    The same wish always gives the same bytes. Raises `QwixxError` for what cannot be printed.
    """
    check_wish(variant, wish)
    looks = [Look(language, Ink(wish.ink), _LARGE if wish.large else 1.0) for language in wish.languages]
    look = looks[0]
    document = Document(game_name(variant, look.language), look.language)
    if wish.only != "pieces":
        _print_sheets(document, variant, wish, looks)
    if wish.only != "sheets":
        if variant.is_cards:
            _print_deck(document, variant, wish, look)
        if variant.is_duel:
            _print_pawns(document, variant, wish, look)
    return document.data()


# ---- sheets


def _print_sheets(document: Document, variant: Variant, wish: Wish, looks: list[Look]) -> None:
    page = sheets_page(wish.paper, per_page_of(variant, wish))
    pads: tuple[Pad | None, ...] = wish.lucky or variant.lucky or (None,)
    drawn: dict[tuple[str, Pad | None], Sheet] = {}
    for number in range(sheets_of(variant, wish)):
        at = number % len(page.slots)
        if at == 0:
            _begin(document, page, cut=len(page.slots) > 1)
        look, pad, slot = looks[number % len(looks)], pads[number % len(pads)], page.slots[at]
        if (look.language, pad) not in drawn:
            drawn[look.language, pad] = fit_sheet(variant, look, page.slots[0], pad, wish.link)
        sheet = drawn[look.language, pad]
        document.draw(sheet.x + slot.x, sheet.y + slot.y, sheet.scale, sheet.ink)
        if sheet.code:
            document.draw(sheet.x + slot.x + sheet.code_x, sheet.y + slot.y, sheet.scale, sheet.code)


def _begin(document: Document, page: Page, *, cut: bool) -> None:
    document.begin_page(page.width, page.height)
    if cut:
        document.draw(0, 0, 1, page.cut_marks())


# ---- cards and pawns


def _print_deck(document: Document, variant: Variant, wish: Wish, look: Look) -> None:
    """Print all cards: a page of fronts, then its backs mirrored, so that they meet when the paper is turned over."""
    width, height = CARD
    folds = wish.backs == "fold"
    page = pieces_page(wish.paper, 2 * width if folds else width, height)
    scale, cards, count = width / _CARD_UNITS, deck(variant), len(page.slots)
    for first in range(0, len(cards), count):
        shown = list(zip(cards[first : first + count], page.slots, strict=False))
        _begin(document, page, cut=True)
        for card, slot in shown:
            document.draw(slot.x, slot.y, scale, front(look, card))
            if folds:
                document.draw(slot.x + width, slot.y, scale, back(card[1:]))
        if wish.backs == "duplex":
            _begin(document, page, cut=False)
            for card, slot in shown:
                document.draw(page.width - slot.x - slot.width, slot.y, scale, back(card[1:]))


def _print_pawns(document: Document, variant: Variant, wish: Wish, look: Look) -> None:
    """Print the pawns of both players, as large as the cells of the board allow (D1)."""
    board = sheets_page(wish.paper, per_page_of(variant, wish))
    size = pawn_size(variant, fit_sheet(variant, look, board.slots[0], None, wish.link))
    page = pieces_page(wish.paper, size * PAWN_STEP, size * PAWN_STEP)
    pawns = [seat for seat in range(variant.most_seats) for _ in range(variant.pawns)]
    for first in range(0, len(pawns), len(page.slots)):
        _begin(document, page, cut=False)
        for seat, slot in zip(pawns[first : first + len(page.slots)], page.slots, strict=False):
            edge = size * (PAWN_STEP - 1) / 2
            document.draw(slot.x + edge, slot.y + edge, size / _PAWN_UNITS, paper_pawn(seat))
