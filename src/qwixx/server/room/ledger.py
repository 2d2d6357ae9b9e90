"""
The ledger: every roll and decision of a table as lines of a game record.

It is the source of truth: a game in memory is a replay of its ledger. A changed choice overwrites the line of the
earlier choice, so that a game has one line for each choice that counts. A decision that was undone after its phase
stays as a remark, which readers of records skip; so does a hint that a seat took.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import qwixx
from qwixx.fair.commitment import remarks
from qwixx.game.events import (
    Dealt,
    GameOver,
    Hinted,
    NumberShown,
    PhaseBegan,
    Played,
    Rolled,
    Shuffled,
    TableEvent,
    TakenBack,
    Took,
)
from qwixx.server.base.errors import Refused
from qwixx.server.room.room import Room
from qwixx.text.record import FIRST_LINE

IRREVERSIBLE = frozenset((Rolled, Dealt, Shuffled, Took, NumberShown, Played, GameOver))
"""Events that show dice or hidden cards, or end the game: decisions before them cannot be undone."""
BEGINNING = frozenset((PhaseBegan, GameOver))
"""Events that begin a phase; the end of the game counts as one."""
TAKEN_BACK = "# taken back: "
_UNDONE = re.compile(TAKEN_BACK + r"([0-9]) [!-~]{1,80}")
HINT = "# hint: "
_HINTED = re.compile(HINT + r"([0-9])")


def start_game(room: Room) -> qwixx.Game:
    """Create the game of a room; first seat and lucky numbers are random unless they were chosen."""
    room.locked = False
    room.seals = [seat.seal for seat in room.seats]
    room.words = [seat.words if seat.seal else "" for seat in room.seats]
    game = new_game(room)
    room.opening = opening(game)
    return game


def new_game(room: Room) -> qwixx.Game:
    """Return a game with the seats and options of a room. Raises `Refused` if there is none."""
    seats, rules = len(room.seats), room.rules
    if seats not in rules.seats:
        raise Refused("too-few")
    lucky = room.fair.lucky(rules, seats) if room.options.lucky is None else room.options.lucky
    try:
        return qwixx.Game(rules, seats, first=room.fair.first(seats), lucky=lucky)
    except qwixx.QwixxError:
        raise Refused("bad-options") from None


def opening(game: qwixx.Game) -> dict[str, str]:
    """Return the facts at the start of a record of this game."""
    lines = game.record().splitlines()[1:]
    return dict(line.split(" ", 1) for line in lines)


def record_text(room: Room, lines: Iterable[str], scores: Sequence[int] | None = None) -> str:
    """Write the game of a room as a record; with scores, also the seed, so that its dice can be verified."""
    head = [FIRST_LINE, *(f"{key} {fact}" for key, fact in room.opening.items())]
    if scores is not None and room.is_fair:
        head += remarks(room.fair, is_lucky_chosen=room.options.lucky is not None)
    tail = [] if scores is None else ["scores " + " ".join(map(str, scores))]
    return "\n".join([*head, *lines, *tail]) + "\n"


@dataclass(frozen=True, slots=True)
class Moment:
    """A game after one of its lines; line 0 is the opening."""

    line: int
    game: qwixx.Game
    events: list[qwixx.Event]
    """The events of this line."""
    began: int
    """How many phases it began."""
    seat: int | None
    """The seat that decided, None for chance and for the opening."""
    replaces: int | None
    """The line of the first choice of this seat in the phase, if this line changes that choice."""
    asides: tuple[TableEvent, ...]
    """Events outside the game just before this line: undone decisions and hints."""


def moments(room: Room, lines: Sequence[str]) -> Iterator[Moment]:
    """Replay a game: yield it after its opening and after every line."""
    seen = 0
    chosen: dict[int, int] = {}
    places = [0, *(number for number, line in enumerate(lines, 1) if not is_remark(line))]
    for before, number, game in zip(
        [0, *places], places, qwixx.Game.replay(record_text(room, lines), copies=False), strict=False
    ):
        events = list(game.events[seen:])
        seen += len(events)
        began = count_phases(events)
        seat = game.last_step.seat if game.last_step else None
        remarks = lines[before : max(number - 1, 0)]
        asides = tuple(asides_in(remarks))
        yield Moment(number, game, events, began, seat, None if seat is None else chosen.get(seat), asides)
        if began:
            chosen.clear()
        elif seat is not None:
            chosen.setdefault(seat, number)


def asides_in(lines: Iterable[str]) -> Iterator[TableEvent]:
    """Yield the events of the remarks among some lines."""
    for line in lines:
        if found := _UNDONE.fullmatch(line):
            yield TakenBack(int(found[1]))
        elif found := _HINTED.fullmatch(line):
            yield Hinted(int(found[1]))


def is_remark(line: str) -> bool:
    """Return whether a line records an undone decision or a hint, which is not part of the game."""
    return (_UNDONE.fullmatch(line) or _HINTED.fullmatch(line)) is not None


def undo_line(seat: int, text: str) -> str:
    """Return the line that records that a decision was undone."""
    return f"{TAKEN_BACK}{seat} {text}"


def hint_line(seat: int) -> str:
    """Return the line that records that a seat took a hint."""
    return f"{HINT}{seat}"


def is_irreversible(events: Iterable[qwixx.Event]) -> bool:
    """Return whether players have seen something that an undo cannot hide again."""
    return not IRREVERSIBLE.isdisjoint(map(type, events))


def count_phases(events: Iterable[qwixx.Event]) -> int:
    """Count the phases that began in these events; the number of a phase is the count of phases before it."""
    return sum([type(event) in BEGINNING for event in events])
