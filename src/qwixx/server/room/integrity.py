"""
Integrity of a stored table: its room can be read, and its game can be replayed and agrees with the room.

A server checks a table when it loads it. `qwixx check` and the scheduled check compare the dice with the seed as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from qwixx.errors import QwixxError
from qwixx.fair.commitment import as_recorded
from qwixx.server.base.errors import Refused
from qwixx.server.room import ledger
from qwixx.server.room.ledger import Moment
from qwixx.server.room.room import Room

_MAX_REASON = 300


class Damaged(Refused):
    """A stored table that cannot be continued. Clients get the code, operators the reason."""

    def __init__(self, reason: str) -> None:
        """Keep the reason, a clause without a period."""
        super().__init__("damaged")
        self.reason = " ".join(reason.split())[:_MAX_REASON].rstrip(".")


def decode_room(code: str, text: str | bytes) -> Room:
    """Read the room of a table. Raises `Damaged`."""
    try:
        room = msgspec.json.decode(text, type=Room)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Damaged(f"the room cannot be read ({error})") from None
    if room.code != code:
        raise Damaged(f"the room is that of table {room.code}")
    return room


def check_steps(steps: Sequence[int]) -> None:
    """Check that the lines of a ledger are numbered without a gap. Raises `Damaged`."""
    for wanted, step in enumerate(steps):
        if step != wanted:
            raise Damaged(f"step {wanted} of the ledger is missing")


def replay(room: Room, lines: Sequence[str]) -> Iterator[Moment]:
    """
    Replay a stored game: yield it after its opening and after every line, and nothing before it has begun.

    Raises `Damaged` if a line is not possible, or if the game does not agree with the room.
    """
    game, number = None, 0
    if not room.opening and lines:
        raise Damaged("it has lines of a game that did not begin")
    try:
        for moment in ledger.moments(room, lines) if room.opening else ():
            game, number = moment.game, moment.line
            yield moment
    except Exception as error:  # stored data can be wrong in any way
        why = str(error) if isinstance(error, QwixxError) else repr(error)
        raise Damaged(f"the ledger cannot be replayed after line {number}: {why}") from None
    stage = "lobby" if game is None else "over" if game.is_over else "playing"
    if room.stage != stage:
        raise Damaged(f"the stage of the room is {room.stage!r}, and that of its game {stage!r}")
    if game is not None and game.seats != len(room.seats):
        raise Damaged(f"the room has {len(room.seats)} seats, and its game {game.seats}")


def check_game(room: Room, lines: Sequence[str]) -> tuple[int, ...]:
    """Replay a whole game and compare it with its room and its seed; return the scores. Raises `Damaged`."""
    throws, wanted, game = 0, "", None
    for moment in replay(room, lines):
        game = moment.game
        step = game.last_step
        if step is not None and step.seat is None:
            throws += 1
            if wanted and step.text != wanted:
                raise Damaged(
                    f"line {moment.line} of the ledger: the {step.word} is {step.text}, and by the seed {wanted}"
                )
        is_due = room.is_fair and game.awaits_chance
        wanted = as_recorded(game, room.fair.throw(game, throws)) if is_due else ""
    return () if game is None else game.scores()
