"""What somebody meant with the line they typed: as forgiving as it can be without guessing."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.errors import NotationError, QwixxError, Refusal
from qwixx.game import Game
from qwixx.notation import Action


def read_choice(game: Game, seat: int, legal: Sequence[Action], line: str) -> str:
    """Find the legal action that a line means. Raises `QwixxError` with the sentence that says why it means none."""
    word = "".join(line.split())
    if word.isdecimal() and word.isascii():
        if len(word) < 6 and 1 <= int(word) <= len(legal):
            return legal[int(word) - 1].text
        raise QwixxError(f"The choices are numbered from 1 to {len(legal)}.")
    spellings = _spellings(game.phase, word)
    for action in legal:
        if action.text in spellings:
            return action.text
    spelled, refusal = _judged(game, seat, spellings)
    if refusal is not None:
        raise QwixxError(f"{refusal.sentence} ({refusal.rule})")
    return spelled


def read_why(game: Game, seat: int, line: str) -> str:
    """Say why something may not be decided now, or that it may."""
    word = "".join(line.split())
    if not word:
        return "Say what you would like to do, such as: why g2"
    try:
        spelled, refusal = _judged(game, seat, _spellings(game.phase, word))
    except NotationError as error:
        return str(error)
    return f"{spelled} is allowed." if refusal is None else f"{refusal.sentence} ({refusal.rule})"


def _spellings(phase: str, word: str) -> list[str]:
    """Write a word as it may have been meant: in small or capital letters, with what people leave out."""
    if word.lower() == "p":
        return ["pass"]
    words = [word]
    if phase == "draw" and word.replace(",", "").isdecimal():
        words = [f"take:{word}"]
    elif phase == "play" and ":" not in word:
        words = [f"play:{word}"]
    return list(dict.fromkeys(spelled for w in words for spelled in (w, w.lower(), w.upper(), _keyed(w))))


def _keyed(word: str) -> str:
    """Write cards in small letters and cells in capitals, as on sheets whose rows are called A to D."""
    cards, equals, cells = word.partition("=")
    return cards.lower() + equals + cells.upper()


def _judged(game: Game, seat: int, spellings: list[str]) -> tuple[str, Refusal | None]:
    """Ask the game about the first spelling it can read. Raises `NotationError` if it can read none."""
    unreadable: NotationError | None = None
    for spelled in spellings:
        try:
            return spelled, game.why_not(seat, spelled)
        except NotationError as error:
            unreadable = unreadable or error
    raise unreadable or NotationError("There is nothing to decide.")
