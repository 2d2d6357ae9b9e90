"""Saved games: every game is written to its file after each step, so that it is never lost."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from qwixx.base.user_dirs import data_directory
from qwixx.cli.table.participants import Participant, participants_text
from qwixx.cli.terminal.files import read_text, write_text
from qwixx.cli.terminal.language import suggested
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.text.catalogue import t
from qwixx.text.record import MAX_RECORD_CHARS, read_record

SUFFIX = ".qwixx"


def games_directory() -> Path:
    """Return the folder of saved games."""
    return data_directory() / "games"


def is_default(path: Path) -> bool:
    """Whether `--resume` finds a game without `--record`."""
    return path.parent == games_directory()


def resume_command(path: Path, own_bots: Sequence[str] = ()) -> str:
    """
    Return the command that resumes a game.

    A record never runs code from files, so custom bots have to be named again.
    """
    words = ["play", "--resume"]
    words += ["--bots", ",".join(dict.fromkeys(own_bots))] if own_bots else []
    words += [] if is_default(path) else ["--record", str(path)]
    return suggested(*words)


def new_file(variant: str) -> Path:
    """Return an unused file name for a new game."""
    stem = f"{Path(variant).stem}-{datetime.now():%Y%m%d-%H%M%S}"
    directory = games_directory()
    with contextlib.suppress(OSError):  # if the folder cannot be created, saving reports it
        directory.mkdir(parents=True, exist_ok=True)
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(path for name in names if not (path := directory / f"{name}{SUFFIX}").exists())


def write_game(path: Path, game: Game, players: list[Participant]) -> None:
    """Write a game with its players. Raises `QwixxError` if that fails."""
    first, rest = game.record().split("\n", 1)
    write_text(path, f"{first}\n{participants_text(players)}{rest}")


def unfinished() -> Path:
    """Return the file of the last unfinished game. Raises `QwixxError` if there is none."""
    try:
        files = sorted(games_directory().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        files = []
    skipped = None
    for path in files:
        try:
            if read_record(read_text(str(path), MAX_RECORD_CHARS)).scores is None:
                return path
        except QwixxError:  # a file that is no record
            skipped = skipped or path
    if skipped is not None:
        raise QwixxError(t("cli.error.none-open.damaged", file=repr(str(skipped))))
    raise QwixxError(t("cli.error.none-open", folder=repr(str(games_directory()))))


def _identity(path: Path) -> tuple[int, int, int] | None:
    """Return what differs after each writing of a file; None if there is none, or it is a device or a pipe."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size) if path.is_file() else None


class Saver:
    """
    Writes the game after each step; reports a failure once and then stops trying.

    If two programs have resumed one game, only the first that plays on saves it: the file is then newer than the other
    program knows, and its game must not be overwritten.
    """

    def __init__(self, path: Path, players: list[Participant]) -> None:
        """Save the game in this file."""
        self.path = path
        self.players = players
        self.problem = ""
        self._written = _identity(path)

    def save(self, game: Game) -> str:
        """Write the game; return a sentence if that fails for the first time."""
        if self.problem:
            return ""
        try:
            if _identity(self.path) not in (self._written, None):
                raise QwixxError(t("cli.reason.newer"))
            write_game(self.path, game, self.players)
            self._written = _identity(self.path)
        except QwixxError as error:
            self.problem = str(error)
            return self.where()
        return ""

    def where(self) -> str:
        """Return a sentence with the file of the record, or with the problem."""
        return t("cli.not-saved", reason=self.problem) if self.problem else t("cli.saved", file=str(self.path))
