"""
The ledger: every roll and decision of a table as lines of a game record.

It is the source of truth: a game in memory is a replay of its ledger. A changed choice overwrites the line of the
earlier choice, so that a game has one line for each choice that counts. A decision that was undone after its phase
stays as a remark, which readers of records skip; so does a hint that a seat took.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

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

_IRREVERSIBLE = frozenset((Rolled, Dealt, Shuffled, Took, NumberShown, Played, GameOver))
"""Events that show dice or hidden cards, or end the game: decisions before them cannot be undone."""
_BEGINNING = frozenset((PhaseBegan, GameOver))
"""Events that begin a phase; the end of the game counts as one."""
_TAKEN_BACK = "# taken back: "
_UNDONE = re.compile(_TAKEN_BACK + r"([0-9]) [!-~]{1,80}")
_HINT = "# hint: "
_HINTED = re.compile(_HINT + r"([0-9])")


def start_game(room: Room) -> qwixx.Game:
    """Create the game of a room; first seat and lucky numbers are random unless they were chosen."""
    seats = len(room.seats)
    rules = room.rules
    if seats not in rules.seats:
        raise Refused("too-few")
    room.words = [seat.words for seat in room.seats]
    lucky = room.fair.lucky(rules, seats) if room.options.lucky is None else room.options.lucky
    try:
        game = qwixx.Game(rules, seats, first=room.fair.first(seats), lucky=lucky)
    except qwixx.QwixxError:
        raise Refused("bad-options") from None
    room.opening = opening(game)
    return game


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
    for before, number, game in zip([0, *places], places, qwixx.Game.replay(record_text(room, lines)), strict=False):
        events = list(game.events[seen:])
        seen += len(events)
        began = count_phases(events)
        seat = game.last_step.seat if game.last_step else None
        remarks = lines[before : max(number - 1, 0)]
        asides = tuple(_asides_in(remarks))
        yield Moment(number, game, events, began, seat, None if seat is None else chosen.get(seat), asides)
        if began:
            chosen.clear()
        elif seat is not None:
            chosen.setdefault(seat, number)


def _asides_in(lines: Iterable[str]) -> Iterator[TableEvent]:
    """Yield the events of the remarks among some lines."""
    for line in lines:
        if found := _UNDONE.fullmatch(line):
            yield TakenBack(int(found[1]))
        elif found := _HINTED.fullmatch(line):
            yield Hinted(int(found[1]))


def is_remark(line: str) -> bool:
    """Return whether a line records an undone decision or a hint, which is not part of the game."""
    return _UNDONE.fullmatch(line) is not None or is_hint(line)


def is_hint(line: str) -> bool:
    """Return whether a line records a hint."""
    return _HINTED.fullmatch(line) is not None


def hint_line(seat: int) -> str:
    """Return the line that records that a seat took a hint."""
    return f"{_HINT}{seat}"


class UndoableDecision(Struct, frozen=True, gc=False):
    """A decision that can still be undone: no dice and nothing hidden were shown since."""

    seat: int
    text: str
    phase: int
    """The number of its phase."""
    phase_start: int
    """The step of the ledger where that phase began."""

    @property
    def remark(self) -> str:
        """The line that records that it was undone."""
        return f"{_TAKEN_BACK}{self.seat} {self.text}"


def is_irreversible(events: Iterable[qwixx.Event]) -> bool:
    """Return whether players have seen something that an undo cannot hide again."""
    return not _IRREVERSIBLE.isdisjoint(map(type, events))


@dataclass(slots=True)
class Resumed:
    """A game that was replayed from its ledger, None before it has started; and what a dealer needs to continue."""

    game: qwixx.Game | None = None
    steps: int = 0
    """Number of lines of the ledger."""
    phase: int = 0
    """Number of phases that have begun."""
    choice_steps: dict[int, int] = field(default_factory=dict)
    """By seat: the step of its choice in the open phase, which a changed choice overwrites."""
    undoable: list[UndoableDecision] = field(default_factory=list)
    """Decisions that can still be undone."""
    phase_start: int = 0
    """The step where the open phase begins."""
    chance_count: int = 0
    """Number of rolls, deals and shuffles so far."""
    hints: dict[int, str] = field(default_factory=dict)
    """By step: the lines that record hints."""
    asides: list[tuple[int, TableEvent]] = field(default_factory=list)
    """Events outside the game that the ledger records, each with the number of game events before it."""


def resume(room: Room, lines: Sequence[str]) -> Resumed:
    """Replay a whole ledger."""
    resumed = Resumed(steps=len(lines), phase_start=len(lines))
    resumed.hints = {step: line for step, line in enumerate(lines) if is_hint(line)}
    last = 0
    for moment in moments(room, lines):
        resumed.game, last = moment.game, moment.line
        before = len(moment.game.events) - len(moment.events)
        resumed.asides += [(before, event) for event in moment.asides]
        resumed.chance_count += moment.line > 0 and moment.seat is None
        if moment.seat is not None:
            resumed.phase_start = min(resumed.phase_start, moment.line - 1)  # steps are counted from 0
        if is_irreversible(moment.events):
            resumed.undoable.clear()
        elif moment.seat is not None and moment.game.last_step is not None:
            resumed.undoable.append(
                UndoableDecision(moment.seat, moment.game.last_step.text, resumed.phase, resumed.phase_start)
            )
        resumed.phase += moment.began
        if moment.began:
            resumed.choice_steps.clear()
            resumed.phase_start = len(lines)
        elif moment.seat is not None:
            resumed.choice_steps[moment.seat] = moment.line - 1
    if resumed.game is not None:
        resumed.asides += [(len(resumed.game.events), event) for event in _asides_in(lines[last:])]
    return resumed


def count_phases(events: Iterable[qwixx.Event]) -> int:
    """Count the phases that began in these events; the number of a phase is the count of phases before it."""
    return sum([type(event) in _BEGINNING for event in events])
