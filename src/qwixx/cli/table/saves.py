"""Games kept as they are played, so that nothing ever loses one."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from qwixx.cli.files import read_text, write_text
from qwixx.cli.participants import Participant, participants_text
from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.places import data_directory
from qwixx.record import LONGEST_RECORD, read_record

SUFFIX = ".qwixx"


def games_directory() -> Path:
    """Where games are kept."""
    return data_directory() / "games"


def is_default(path: Path) -> bool:
    """Whether a game lies where `--resume` looks for it by itself."""
    return path.parent == games_directory()


def resume_command(path: Path, own_bots: Sequence[str] = ()) -> str:
    """
    Write the command that goes on with a game.

    A record never runs files, so that bots of one's own are named again.
    """
    words = ["qwixx", "play", "--resume"]
    words += ["--bots", ",".join(dict.fromkeys(own_bots))] if own_bots else []
    words += [] if is_default(path) else ["--record", str(path)]
    return shlex.join(words)


def new_file(variant: str) -> Path:
    """Choose a file for a game that begins now; no two games get the same."""
    stem = f"{Path(variant).stem}-{datetime.now():%Y%m%d-%H%M%S}"
    directory = games_directory()
    with contextlib.suppress(OSError):  # where it cannot be made, saving says so
        directory.mkdir(parents=True, exist_ok=True)
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(path for name in names if not (path := directory / f"{name}{SUFFIX}").exists())


def write_game(path: Path, game: Game, players: list[Participant]) -> None:
    """Write a game with its players. Raises `QwixxError` if that cannot be done."""
    first, rest = game.record().split("\n", 1)
    write_text(path, f"{first}\n{participants_text(players)}{rest}")


def unfinished() -> Path:
    """Find the game that was played last and is not over. Raises `QwixxError` if there is none."""
    try:
        files = sorted(games_directory().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        files = []
    for path in files:
        try:
            if read_record(read_text(str(path), LONGEST_RECORD)).scores is None:
                return path
        except QwixxError:  # somebody else's file does not stand in the way
            continue
    raise QwixxError(f"There is no game to continue in {str(games_directory())!r}.")


class Saver:
    """Writes the game after each step; where nothing can be written it says so once and stays out of the way."""

    def __init__(self, path: Path, players: list[Participant]) -> None:
        """Keep the game in this file."""
        self.path = path
        self.players = players
        self.problem = ""

    def save(self, game: Game) -> str:
        """Write the game; give a sentence if that fails for the first time."""
        if self.problem:
            return ""
        try:
            write_game(self.path, game, self.players)
        except QwixxError as error:
            self.problem = str(error)
            return f"This game is not kept: {error}"
        return ""

    def where(self) -> str:
        """Say where the record lies."""
        return f"The game was not kept: {self.problem}" if self.problem else f"The game is kept in {self.path}"
