"""The variants: sheet files, read, checked and compiled to layouts. The rules themselves belong to `kernel`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from qwixx.errors import Problem, QwixxError, SheetError, UnknownVariant
from qwixx.variants.model import Cell, Deck, Row, Variant
from qwixx.variants.parse import MAX_FILE_CHARS, Facts, parse_variant, read_facts

__all__ = ["Cell", "Deck", "Row", "Variant", "load", "names", "read_variant", "variant_of"]

_NAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo", "cards", "cards-joker", "duel")
_MAX_DEPTH = 8
"""The longest chain of files that inherit through `like`."""


def names() -> tuple[str, ...]:
    """Return the ids of the built-in games, in the order of the rule book."""
    return _NAMES


def _text(name: str) -> str:
    return resources.files("qwixx.variants").joinpath("sheets", f"{name}.toml").read_text("utf-8")


def _inherited(name: str, depth: int = 0) -> Facts:
    """Return all facts of a built-in variant, inherited ones included."""
    if name not in _NAMES or depth > _MAX_DEPTH:
        raise LookupError(f"'like' names {name!r}; known are {', '.join(_NAMES)}")
    facts = read_facts(f"{name}.toml", _text(name)).facts
    return {**_inherited(facts["like"], depth + 1), **facts} if "like" in facts else facts


@cache
def _builtin(name: str) -> Variant:
    return parse_variant(f"{name}.toml", _text(name), _inherited, builtin=True)


def _read_file(path: Path) -> Variant:
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE_CHARS + 1).decode("utf-8")
    except OSError as error:
        raise UnknownVariant(f"The sheet file {str(path)!r} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SheetError(str(path), [Problem(0, "a sheet file is UTF-8 text")]) from None
    except ValueError:
        raise UnknownVariant(f"{str(path)!r} cannot be the name of a file.") from None
    variant = parse_variant(str(path), text, _inherited, builtin=False)
    if variant.id in _NAMES:
        raise _reserved_id(str(path), variant)
    return variant


def _reserved_id(source: str, variant: Variant) -> SheetError:
    return SheetError(source, [Problem(1, f"the id {variant.id!r} belongs to a game of the family")])


def read_variant(text: str, sheet: str | None = None) -> Variant:
    """
    Read a custom sheet from its text, as a record contains it; no file is opened.

    With a `sheet` it is a card game on a custom sheet of that name (K10). Raises `SheetError` with all problems.
    """
    source = "The sheet in the record"
    variant = parse_variant(source, text, _inherited, builtin=False)
    if variant.id in _NAMES and (variant.deck is None or sheet is None or sheet in variant.deck.sheets):
        raise _reserved_id(source, variant)
    return variant if sheet is None or variant.deck is None else replace(variant, sheet=sheet)


def _is_file(name: str | Path) -> bool:
    return isinstance(name, Path) or str(name).endswith(".toml")


def load(name: str | Path, sheet: str | Path | None = None) -> Variant:
    """
    Load a game by its id, or a custom sheet by its file; the card games take a `sheet` to play on.

    Raises `UnknownVariant` if there is no such game and `SheetError` with all problems of a file.
    """
    text = str(name)
    if text in _NAMES:
        variant = _builtin(text)
    elif _is_file(name):
        variant = _read_file(Path(name))
    else:
        raise UnknownVariant(
            f"There is no game {text[:60]!r}; there are {', '.join(_NAMES)}, or a file ending in .toml."
        )
    if sheet is None:
        return variant
    if variant.deck is None:
        text = f"Only the card games choose a sheet; {variant.id!r} has its own."
        raise QwixxError(text, "own-sheet", game=variant.id)
    return _on_sheet(variant, sheet) if _is_file(sheet) else _on_builtin_sheet(variant, str(sheet))


def variant_of(source: str | Path | Variant, sheet: str | Path | None = None) -> Variant:
    """Return a variant, given by its id, by its file, or as a `Variant`."""
    return source if isinstance(source, Variant) else load(source, sheet)


def _on_sheet(variant: Variant, sheet: str | Path) -> Variant:
    """Return a card game on another sheet (K10)."""
    assert variant.deck is not None
    if not _is_file(sheet) and str(sheet) not in variant.deck.sheets:
        sheets = ", ".join(variant.deck.sheets)
        text = f"{variant.id!r} is played on {sheets}, not on {str(sheet)!r}."
        raise QwixxError(text, "other-sheet", game=variant.id, sheets=sheets)
    drawn = load(sheet)
    if drawn.bar or drawn.pairs or drawn.lucky or drawn.extras or drawn.is_duel or drawn.is_cards:
        raise QwixxError(f"The card game is played on sheets of plain numbers, not on {drawn.id!r}.")
    numbers = {cell.value for row in drawn.rows for cell in row.cells}
    if not numbers <= set(variant.deck.numbers):
        raise QwixxError(f"The sheet {drawn.id!r} has numbers that no card shows.")
    return replace(
        variant,
        rows=drawn.rows,
        closing_crosses=drawn.closing_crosses,
        points=drawn.points,
        most_counted=drawn.most_counted,
        sheet=drawn.id,
        builtin=variant.builtin and drawn.builtin,
    )


_on_builtin_sheet = lru_cache(maxsize=64)(_on_sheet)
"""The same once for each sheet of the package, so that all games share what is derived from the variant."""
