"""
The core of a table: the decisions of a game, and the lines of the ledger that record them.

`decide`, `withdraw` and `undo` return a `Change`: new lines, events, and the step from which the lines replace the
ledger. Nothing here knows about seats of people, clocks, sockets or disks. Local tables have the same core in
`page/src/local/core.ts`; `tests/golden/core.txt` proves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

import qwixx
from qwixx.game.events import Hinted, TableEvent, TakenBack, TimedOut
from qwixx.server.base.errors import Refused
from qwixx.server.room import integrity, ledger
from qwixx.server.room.room import Room
from qwixx.server.table.change import NOTHING, Change
from qwixx.server.table.preview import rows_closed


class _Decision(NamedTuple):
    """A decision that can still be undone: no dice and nothing hidden were shown since."""

    seat: int
    text: str
    phase: int
    start: int
    """Where in the tail of the ledger its phase begins."""


class Core:
    """A game, None before it has started, with the decisions that can still be changed or undone."""

    def __init__(self, game: qwixx.Game | None = None) -> None:
        """Start with an empty ledger."""
        self.game = game
        self.phase = 0
        """How many phases have begun; a decision names its phase."""
        self.chance_count = 0
        """Number of rolls, deals and shuffles so far: each has its own random numbers."""
        self.asides: list[tuple[int, TableEvent]] = []
        """Events at the table that are not part of the game, each with the number of game events before it."""
        self._decisions: list[_Decision] = []
        """Decisions since dice or hidden cards were last shown, oldest first; changed choices too."""
        self._choices: dict[int, str] = {}
        """The choices in the open phase, by seat."""
        self._collected = -1
        """The phase for which they were collected; -1: there are other decisions since."""
        self._final = 0
        """Number of lines of the ledger that stay as they are."""
        self._tail: list[str] = []
        """The lines after these."""
        self._window = 0
        """Where in the tail the open phase begins."""

    @property
    def steps(self) -> int:
        """Number of lines of the ledger."""
        return self._final + len(self._tail)

    @property
    def can_undo(self) -> bool:
        """Whether any decision can still be changed or undone."""
        return bool(self._decisions)

    def choices(self) -> dict[int, str]:
        """Return the choices in the open phase, by seat."""
        if self._collected != self.phase:
            self._collected = self.phase
            self._choices = {made.seat: made.text for made in self._decisions if made.phase == self.phase}
        return self._choices

    def closings(self) -> dict[int, list[str]]:
        """Return the rows that the choices in the open phase close, by seat: what their players announce (C14)."""
        if self.game is None or not self.choices():
            return {}
        rows = {seat: rows_closed(self.game, seat, text) for seat, text in sorted(self.choices().items())}
        return {seat: closed for seat, closed in rows.items() if closed}

    def undoable(self) -> list[int]:
        """
        Return the seats that may undo their last decision after its phase.

        After a roll, shown cards or the end of the game there are none: players cannot forget what they have seen.
        """
        if not self._decisions or self._decisions[0].phase == self.phase:  # the oldest is first
            return []
        return sorted({made.seat for made in self._decisions if made.phase < self.phase})

    def decided_since(self, seat: int) -> set[int]:
        """Return the seats that have decided in the phase of this seat's last decision, or later."""
        last = next(made for made in reversed(self._decisions) if made.seat == seat and made.phase < self.phase)
        return {made.seat for made in self._decisions if made.phase >= last.phase}

    def in_phase(self, phase: int) -> qwixx.Game:
        """Return the game. Raises `Refused` unless this phase is open."""
        if self.game is None or self.game.is_over:
            raise Refused("not-now")
        if phase != self.phase:
            raise Refused("late")
        return self.game

    def decide(self, seat: int, phase: int, action: str, *, announces: bool = False) -> Change:
        """
        Decide for a seat in an open phase; a changed choice replaces the line of the earlier one.

        At a table that announces closings, a choice that closes a row is binding.
        """
        game = self.in_phase(phase)
        chosen = self.choices()
        if chosen.get(seat) == action:
            return NOTHING
        if announces:
            self._check_binding(seat)
        try:
            events = game.decide(seat, action)
        except qwixx.NotYourTurn:
            raise Refused("not-your-turn") from None
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule, error.refusal.details) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        assert game.last_step is not None
        line, place = str(game.last_step), len(self._tail)
        if seat in chosen:
            own = f"{seat} "
            place = max([at for at in range(self._window, place) if self._tail[at].startswith(own)], default=place)
        change = Change((line, *self._tail[place + 1 :]), tuple(events), self._cut(place))
        self._tail[place:] = change.lines
        self._follow(seat, game.last_step.text, events)
        return change

    def roll(self, text: str) -> Change:
        """Take over a roll, deal or shuffle."""
        assert self.game is not None
        try:
            events = self.game.set_roll(text)
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule, error.refusal.details) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        line = str(self.game.last_step)
        self._tail.append(line)
        self._follow(None, "", events)
        return Change((line,), tuple(events))

    def withdraw(self, seat: int, phase: int, *, announces: bool = False) -> Change:
        """Withdraw the choice of a seat while the phase is open, unless it is binding; the choices of others stay."""
        self.in_phase(phase)
        if seat not in self.choices():
            return NOTHING
        if announces:
            self._check_binding(seat)
        return self._rewind(phase, self._window, seat, [])

    def _check_binding(self, seat: int) -> None:
        """Refuse to change a choice that closes a row: the others know of it (C14)."""
        if seat in self.choices() and seat in self.closings():
            raise Refused("announced", "C14")

    def check_undo(self, seat: int, phase: int) -> None:
        """Refuse if a seat has no decision to undo."""
        self.in_phase(phase)
        if seat not in self.undoable():
            raise Refused("no-undo")

    def undo(self, seat: int) -> Change:
        """Undo the last decision of a seat, and all later phases; decisions of others in its phase stay."""
        last = next(made for made in reversed(self._decisions) if made.seat == seat and made.phase < self.phase)
        later = [m for m in self._decisions if m.phase > last.phase or (m.phase == last.phase and m.seat == seat)]
        undone = {(made.phase, made.seat): ledger.undo_line(made.seat, made.text) for made in later}  # the last of each
        self.phase += 1  # messages that are under way for an earlier phase must not count here
        change = self._rewind(last.phase, last.start, seat, list(undone.values()))
        return replace(change, events=(self._aside(TakenBack(seat)),))

    def note_hint(self, seat: int) -> Change:
        """Record that a seat took a hint."""
        line = ledger.hint_line(seat)
        self._tail.append(line)
        return Change((line,), (self._aside(Hinted(seat)),))

    def note_late(self, seat: int) -> Change:
        """Note that the clock decides for a seat. The ledger does not record it."""
        return Change(events=(self._aside(TimedOut(seat)),))

    def _cut(self, place: int) -> int | None:
        """Return the step of a place in the tail, None for its end."""
        return None if place == len(self._tail) else self._final + place

    def _aside(self, event: TableEvent) -> TableEvent:
        """Keep an event that is not part of the game, for clients that connect later."""
        assert self.game is not None
        self.asides.append((len(self.game.events), event))
        return event

    def _rewind(self, phase: int, start: int, seat: int, remarks: list[str]) -> Change:
        """Go back to the start of a phase and repeat the choices of all seats but one; the remarks stay."""
        assert self.game is not None
        choices = {made.seat: made.text for made in self._decisions if made.phase == phase and made.seat != seat}
        self._collected = -1
        while self._decisions and self._decisions[-1].phase >= phase:
            self._decisions.pop()
            self.game.undo()
        # Hints and earlier undos stay, although the decisions after them are gone.
        left = len(self.game.events)
        asides = [each for each in self.asides if each[0] < left or not isinstance(each[1], TimedOut)]
        self.asides = [(min(before, left), event) for before, event in asides]
        remarks = [*filter(ledger.is_remark, self._tail[start:]), *remarks]
        lines = (*remarks, *(f"{other} {choice}" for other, choice in choices.items()))
        self._window = start + len(remarks)
        for other, choice in choices.items():
            self.game.decide(other, choice)
            self._decisions.append(_Decision(other, choice, self.phase, self._window))
        change = Change(lines, (), self._cut(start))
        self._tail[start:] = lines
        return change

    def _follow(self, seat: int | None, text: str, events: Sequence[qwixx.Event]) -> None:
        """Note a step whose line is in the tail: what can be undone, and the phases that it began."""
        self._collected = -1
        if seat is None:
            self.chance_count += 1
        else:
            self._decisions.append(_Decision(seat, text, self.phase, self._window))
        began = ledger.count_phases(events)
        self.phase += began
        if ledger.is_irreversible(events):
            self._decisions.clear()
            self._final, self._tail = self.steps, []
        if began or not self._tail:
            self._window = len(self._tail)

    def replay(self, moment: ledger.Moment, lines: Sequence[str]) -> None:
        """Take over a step from the ledger, with its line and the remarks before it."""
        self.game = moment.game
        before = len(moment.game.events) - len(moment.events)
        self.asides += [(before, event) for event in moment.asides]
        self._tail += lines
        if moment.game.last_step is not None:
            self._follow(moment.seat, moment.game.last_step.text, moment.events)

    def add_remarks(self, lines: Sequence[str]) -> None:
        """Take over the remarks after the last step of the ledger."""
        self._tail += lines
        for event in ledger.asides_in(lines):
            self._aside(event)


def resume(room: Room, lines: Sequence[str]) -> Core:
    """Replay a whole ledger. Raises `Damaged` if that is not possible, or if the game does not agree with the room."""
    core, last = Core(), 0
    for moment in integrity.replay(room, lines):
        core.replay(moment, lines[last : moment.line])
        last = moment.line
    core.add_remarks(lines[last:])
    return core
