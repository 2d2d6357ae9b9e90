"""What somebody wants to print, and what cannot be printed; nothing is drawn here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from qwixx.errors import QwixxError
from qwixx.languages import LANGUAGES
from qwixx.printing.inks import INKS
from qwixx.printing.papers import COLUMNS, SIZES
from qwixx.variants.model import Pad, Variant

MOST_SHEETS: Final = 200
USUAL_SHEETS: Final = 20
LONGEST_LINK: Final = 200
BACKS: Final = ("duplex", "fold", "none")
ONLY: Final = ("sheets", "pieces")


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to print; what is left out is what most people want."""

    paper: str = "a4"
    per_page: int | None = None
    """Sheets on a page; if not said two, but one of large type and one board."""
    sheets: int | None = None
    """How many sheets; if not said twenty, but one board."""
    languages: tuple[str, ...] = ("en",)
    """The words of the sheets, in turn; cards and the file's own words are in the first."""
    ink: str = "color"
    large: bool = False
    link: str = ""
    """A code on every sheet leads there."""
    lucky: tuple[Pad, ...] = ()
    """Longo: the lucky numbers of the sheets, in turn; without any, all pads of the game, so that neighbors differ."""
    only: str = ""
    """Only the sheets, or only the pieces: cards, pawns."""
    backs: str = "duplex"
    """Backs of cards: on the other side of the paper, beside their fronts to fold, or none."""


def check_wish(variant: Variant, wish: Wish) -> None:
    """Refuse what cannot be printed."""
    for name, value, known in (
        ("paper", wish.paper, tuple(SIZES)),
        ("ink", wish.ink, INKS),
        *(("language", language, LANGUAGES) for language in wish.languages),
        ("part", wish.only, ("", *ONLY)),
        ("kind of backs", wish.backs, BACKS),
    ):
        if value not in known:
            raise QwixxError(f"There is no {name} {value[:20]!r}; there are {', '.join(filter(None, known))}.")
    if wish.per_page not in (None, *COLUMNS):
        raise QwixxError(f"A page holds {', '.join(map(str, COLUMNS))} sheets, not {wish.per_page}.")
    if wish.large and wish.per_page not in (None, 1):
        raise QwixxError("Sheets of large type fill a page each.")
    if wish.sheets is not None and not 1 <= wish.sheets <= MOST_SHEETS:
        raise QwixxError(f"Print 1 to {MOST_SHEETS} sheets at once, not {wish.sheets}.")
    if wish.only == "pieces" and not (variant.is_cards or variant.is_duel):
        raise QwixxError(f"{variant.id} has no cards or pawns to cut out.")
    for pad in wish.lucky:
        variant.check_lucky(pad)
    _check_link(wish.link)


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


def per_page_of(variant: Variant, wish: Wish) -> int:
    """Say how many sheets are on a page."""
    return wish.per_page or (1 if wish.large or variant.is_duel else 2)


def sheets_of(variant: Variant, wish: Wish) -> int:
    """Say how many sheets are printed."""
    return wish.sheets or (1 if variant.is_duel else USUAL_SHEETS)
