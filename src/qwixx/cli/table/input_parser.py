"""Parses a typed line as an action: tolerant of case, spaces and short forms, without guessing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from qwixx.errors import NotationError, QwixxError, Refusal
from qwixx.game.game import Game
from qwixx.text.catalogue import t
from qwixx.text.labels import refusal_text
from qwixx.text.notation import Action
from qwixx.variants.model import Variant


def example_cell(variant: Variant) -> str:
    """Return a cell in the middle of the first row, for examples of what to type."""
    row = variant.rows[0]
    return f"{row.key}{row.cells[len(row.cells) // 2].value}"


def numbered(legal: Sequence[Action]) -> list[Action]:
    """Return choices in the order of their numbers: pass is the last one, but the first where cards are chosen."""
    if any(":" in action.text for action in legal):  # take:1,3 and play:r4,r5
        return list(legal)
    return sorted(legal, key=lambda action: action.text == "pass")


def read_choice(game: Game, seat: int, legal: Sequence[Action], line: str) -> str:
    """Return the legal action that a line means. Raises `QwixxError` with the reason if there is none."""
    legal = numbered(legal)
    word = "".join(line.split())
    if word.isdecimal() and word.isascii():
        if len(word) < 6 and 1 <= int(word) <= len(legal):
            return legal[int(word) - 1].text
        raise QwixxError(t("cli.numbered", most=len(legal)))
    spellings = _spellings(game.phase, word)
    for action in legal:
        if action.text in spellings:
            return action.text
    spelled, refusal = _check(game, seat, spellings)
    if refusal is not None:
        raise QwixxError(refusal_text(refusal))
    return spelled


def read_why(game: Game, seat: int, line: str) -> str:
    """Return a sentence: why an action is illegal now, or that it is legal."""
    word = "".join(line.split())
    if not word:
        return t("cli.why.example", example=f"why {example_cell(game.variant)}")
    try:
        spelled, refusal = _check(game, seat, _spellings(game.phase, word))
    except QwixxError as error:
        return str(error)
    return t("cli.why.allowed", action=spelled) if refusal is None else refusal_text(refusal)


def _spellings(phase: str, word: str) -> list[str]:
    """Return possible spellings of a word: in lower and upper case, with an omitted `take:` or `play:` added."""
    if word.lower() == "p":
        return ["pass"]
    words = [word]
    if phase == "draw" and word.replace(",", "").isdecimal():
        words = [f"take:{word}"]
    elif phase == "play" and ":" not in word:
        words = [f"play:{word}"]
    return list(dict.fromkeys(spelled for w in words for spelled in (w, w.lower(), w.upper(), _keyed(w))))


def _keyed(word: str) -> str:
    """Return cards in lower case and cells in upper case, for sheets whose rows are named A to D."""
    cards, equals, cells = word.partition("=")
    return cards.lower() + equals + cells.upper()


def _check(game: Game, seat: int, spellings: list[str]) -> tuple[str, Refusal | None]:
    """Check the first spelling that the game can parse. Raises `QwixxError` if it can parse none."""
    for spelled in spellings:
        with suppress(NotationError):
            return spelled, game.why_not(seat, spelled)
    raise QwixxError(t("cli.unreadable", text=spellings[0][:40]))
