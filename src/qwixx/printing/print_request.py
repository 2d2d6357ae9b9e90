"""Print requests and their checks; nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from qwixx.base.languages import LANGUAGES
from qwixx.errors import QwixxError
from qwixx.printing.ink_modes import INKS
from qwixx.printing.page_layout import COLUMNS, SIZES
from qwixx.variants.model import Pad, Variant

MOST_SHEETS: Final = 200
USUAL_SHEETS: Final = 20
LONGEST_LINK: Final = 200
BACKS: Final = ("duplex", "fold", "none")
ONLY: Final = ("sheets", "pieces")


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """The options of a print; the defaults suit most people."""

    paper: str = "a4"
    per_page: int | None = None
    """Sheets on a page; by default two, but one of large type and one board."""
    sheets: int | None = None
    """How many sheets; by default twenty, but one board."""
    languages: tuple[str, ...] = ("en",)
    """The languages of the sheets, in turn; cards and the metadata use the first."""
    ink: str = "color"
    large: bool = False
    link: str = ""
    """The link of the QR code on every sheet."""
    lucky: tuple[Pad, ...] = ()
    """Longo: the lucky numbers of the sheets, in turn; without any, all pads of the game, so that neighbors differ."""
    pads: str = ""
    """Where seats have different pads: those of the sheets, in turn, such as `CAB`; all of them if empty (FR8)."""
    only: str = ""
    """Only the sheets, or only the pieces: cards, pawns."""
    backs: str = "duplex"
    """Backs of cards: on the other side of the paper, beside their fronts to fold, or none."""


def check_request(variant: Variant, request: PrintRequest) -> None:
    """Raise `QwixxError` for an invalid request."""
    if request.pads:
        variant.check_has_pads()
    for name, value, known in (
        ("paper", request.paper, tuple(SIZES)),
        ("ink", request.ink, INKS),
        *(("language", language, LANGUAGES) for language in request.languages),
        *(("pad", pad, variant.pads) for pad in request.pads),
        ("part", request.only, ("", *ONLY)),
        ("kind of backs", request.backs, BACKS),
    ):
        if value not in known:
            raise QwixxError(f"There is no {name} {value[:20]!r}; there are {', '.join(filter(None, known))}.")
    if request.per_page not in (None, *COLUMNS):
        raise QwixxError(f"A page holds {', '.join(map(str, COLUMNS))} sheets, not {request.per_page}.")
    if request.large and request.per_page not in (None, 1):
        raise QwixxError("Sheets of large type fill a page each.")
    if request.sheets is not None and not 1 <= request.sheets <= MOST_SHEETS:
        raise QwixxError(f"Print 1 to {MOST_SHEETS} sheets at once, not {request.sheets}.")
    if request.only == "pieces" and not (variant.is_cards or variant.is_duel):
        raise QwixxError(f"{variant.id} has no cards or pawns to cut out.")
    for pad in request.lucky:
        variant.check_lucky(pad)
    _check_link(request.link)


def _check_link(link: str) -> None:
    if not link:
        return
    try:
        parts = urlsplit(link)
        is_link = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_link = False
    if not is_link or len(link) > LONGEST_LINK or not link.isprintable() or " " in link:
        raise QwixxError(
            f"A code leads to an address such as https://games.example/rules/classic, of up to {LONGEST_LINK}"
            " characters."
        )


def per_page_of(variant: Variant, request: PrintRequest) -> int:
    """Return the number of sheets on a page."""
    return request.per_page or (1 if request.large or variant.is_duel else 2)


def sheets_of(variant: Variant, request: PrintRequest) -> int:
    """Return the number of sheets."""
    return request.sheets or (1 if variant.is_duel else USUAL_SHEETS)
