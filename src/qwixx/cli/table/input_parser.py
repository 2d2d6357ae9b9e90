"""Parses a typed line as an action: tolerant of case, spaces and short forms, without guessing."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.errors import NotationError, QwixxError, Refusal
from qwixx.game.game import Game
from qwixx.text.notation import Action


def read_choice(game: Game, seat: int, legal: Sequence[Action], line: str) -> str:
    """Return the legal action that a line means. Raises `QwixxError` with the reason if there is none."""
    word = "".join(line.split())
    if word.isdecimal() and word.isascii():
        if len(word) < 6 and 1 <= int(word) <= len(legal):
            return legal[int(word) - 1].text
        raise QwixxError(f"The choices are numbered from 1 to {len(legal)}.")
    spellings = _spellings(game.phase, word)
    for action in legal:
        if action.text in spellings:
            return action.text
    spelled, refusal = _check(game, seat, spellings)
    if refusal is not None:
        raise QwixxError(f"{refusal.sentence} ({refusal.rule})")
    return spelled


def read_why(game: Game, seat: int, line: str) -> str:
    """Return a sentence: why an action is illegal now, or that it is legal."""
    word = "".join(line.split())
    if not word:
        return "Add the action, for example: why g2"
    try:
        spelled, refusal = _check(game, seat, _spellings(game.phase, word))
    except NotationError as error:
        return str(error)
    return f"{spelled} is allowed." if refusal is None else f"{refusal.sentence} ({refusal.rule})"


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
    """Check the first spelling that the game can parse. Raises `NotationError` if it can parse none."""
    unreadable: NotationError | None = None
    for spelled in spellings:
        try:
            return spelled, game.why_not(seat, spelled)
        except NotationError as error:
            unreadable = unreadable or error
    raise unreadable or NotationError("There is nothing to decide.")
