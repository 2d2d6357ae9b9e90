"""
The ledger: every roll and decision of a table as lines of a game record.

It is the truth. A game in memory is only what replaying it gives. A change of mind is written over the choice that it
takes back, so that a game has as many lines as it has choices that counted. A decision that was taken back when its
phase was over stays as a remark, which readers of records skip; so does a hint that a seat has taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

import qwixx
from qwixx.events import (
    Aside,
    Dealt,
    GameOver,
    Hinted,
    NumberShown,
    PhaseBegan,
    Played,
    Rolled,
    Shuffled,
    TakenBack,
    Took,
)
from qwixx.fair import remarks
from qwixx.record import FIRST_LINE
from qwixx.server.room import Refused, Room

_FIXING = frozenset((Rolled, Dealt, Shuffled, Took, NumberShown, Played, GameOver))
"""What shows dice, or what was hidden, or ends the game: whatever was decided before it stays decided."""
_BEGINNING = frozenset((PhaseBegan, GameOver))
"""What a new phase begins with; the end counts as one."""
_TAKEN_BACK = "# taken back: "
_UNDONE = re.compile(_TAKEN_BACK + r"([0-9]) [!-~]{1,80}")
_HINT = "# hint: "
_HINTED = re.compile(_HINT + r"([0-9])")


def begin(room: Room) -> qwixx.Game:
    """Set up the game of a room; first seat and lucky numbers are drawn by lot unless they were chosen."""
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
    """Give the facts that a record of this game starts with."""
    lines = game.record().splitlines()[1:]
    return dict(line.split(" ", 1) for line in lines)


def text(room: Room, lines: Iterable[str], scores: Sequence[int] | None = None) -> str:
    """Write a room's game as a record; once it is over, with what its chance can be checked by."""
    head = [FIRST_LINE, *(f"{key} {fact}" for key, fact in room.opening.items())]
    if scores is not None and room.is_fair:
        head += remarks(room.fair, is_lucky_chosen=room.options.lucky is not None)
    tail = [] if scores is None else ["scores " + " ".join(map(str, scores))]
    return "\n".join([*head, *lines, *tail]) + "\n"


@dataclass(frozen=True, slots=True)
class Moment:
    """A game after one of its lines, or, as line 0, after its opening."""

    line: int
    game: qwixx.Game
    events: list[qwixx.Event]
    """What this line caused."""
    began: int
    """How many phases began by it."""
    seat: int | None
    """Who decided, None for chance and for the opening."""
    replaces: int | None
    """The line of the choice that was taken back by this one, if it is a change of mind: the seat's first."""
    asides: tuple[Aside, ...]
    """What happened beside the game just before this line: who took a decision back, who took a hint."""


def moments(room: Room, lines: Sequence[str]) -> Iterator[Moment]:
    """Go through a game: after its opening, and again after every line."""
    told = 0
    chosen: dict[int, int] = {}
    places = [0, *(number for number, line in enumerate(lines, 1) if not is_remark(line))]
    for before, number, game in zip([0, *places], places, qwixx.Game.replay(text(room, lines)), strict=False):
        events = list(game.events[told:])
        told += len(events)
        began = phases_in(events)
        seat = game.last_step.seat if game.last_step else None
        remarks = lines[before : max(number - 1, 0)]
        asides = tuple(_asides_in(remarks))
        yield Moment(number, game, events, began, seat, None if seat is None else chosen.get(seat), asides)
        if began:
            chosen.clear()
        elif seat is not None:
            chosen.setdefault(seat, number)


def _asides_in(lines: Iterable[str]) -> Iterator[Aside]:
    """Read the remarks among some lines."""
    for line in lines:
        if found := _UNDONE.fullmatch(line):
            yield TakenBack(int(found[1]))
        elif found := _HINTED.fullmatch(line):
            yield Hinted(int(found[1]))


def is_remark(line: str) -> bool:
    """Tell whether a line says what was taken back, or who took a hint; it is no part of what is played."""
    return _UNDONE.fullmatch(line) is not None or is_hint(line)


def is_hint(line: str) -> bool:
    """Tell whether a line says that a seat took a hint."""
    return _HINTED.fullmatch(line) is not None


def hint_line(seat: int) -> str:
    """Write that a seat took a hint."""
    return f"{_HINT}{seat}"


class Made(Struct, frozen=True, gc=False):
    """A decision that can still be taken back: no dice and nothing hidden have been seen since."""

    seat: int
    text: str
    phase: int
    """The number of its phase."""
    first: int
    """The step of the ledger at which that phase began."""

    @property
    def remark(self) -> str:
        """The line that says that it was taken back."""
        return f"{_TAKEN_BACK}{self.seat} {self.text}"


def is_fixing(events: Iterable[qwixx.Event]) -> bool:
    """Tell whether something was seen that nobody can forget again."""
    return not _FIXING.isdisjoint(map(type, events))


@dataclass(slots=True)
class Resumed:
    """A game as its ledger left it; none before it has begun."""

    game: qwixx.Game | None = None
    steps: int = 0
    """How many lines the ledger has."""
    phase: int = 0
    """How many phases have begun."""
    choices: dict[int, int] = field(default_factory=dict)
    """Where the ledger holds what a seat has chosen in the open phase: the step that a change of mind replaces."""
    made: list[Made] = field(default_factory=list)
    """What can still be taken back."""
    first: int = 0
    """The step at which the open phase begins."""
    throws: int = 0
    """How often chance has had its turn."""
    hints: dict[int, str] = field(default_factory=dict)
    """The steps of the ledger that say that a seat took a hint, with these lines."""
    asides: list[tuple[int, Aside]] = field(default_factory=list)
    """What happened at the table beside the game, as far as the ledger tells, each with the number of events before."""


def resume(room: Room, lines: Sequence[str]) -> Resumed:
    """Play a ledger again, from its first line to its last."""
    found = Resumed(steps=len(lines), first=len(lines))
    found.hints = {step: line for step, line in enumerate(lines) if is_hint(line)}
    last = 0
    for moment in moments(room, lines):
        found.game, last = moment.game, moment.line
        before = len(moment.game.events) - len(moment.events)
        found.asides += [(before, event) for event in moment.asides]
        found.throws += moment.line > 0 and moment.seat is None
        if moment.seat is not None:
            found.first = min(found.first, moment.line - 1)  # steps are counted from 0
        if is_fixing(moment.events):
            found.made.clear()
        elif moment.seat is not None and moment.game.last_step is not None:
            found.made.append(Made(moment.seat, moment.game.last_step.text, found.phase, found.first))
        found.phase += moment.began
        if moment.began:
            found.choices.clear()
            found.first = len(lines)
        elif moment.seat is not None:
            found.choices[moment.seat] = moment.line - 1
    if found.game is not None:
        found.asides += [(len(found.game.events), event) for event in _asides_in(lines[last:])]
    return found


def phases_in(events: Iterable[qwixx.Event]) -> int:
    """Count the phases that began in these events; the number of a phase is how many have begun before it."""
    return sum([type(event) in _BEGINNING for event in events])
