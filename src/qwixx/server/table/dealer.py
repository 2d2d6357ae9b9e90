"""The dealer of a table: moves the game on, writes down every step, and lets chance have its turn."""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from typing import TYPE_CHECKING

import qwixx
from qwixx.events import Aside, Hinted, TakenBack, TimedOut
from qwixx.server import ledger
from qwixx.server.ledger import Made, Resumed
from qwixx.server.room import Refused

if TYPE_CHECKING:
    from qwixx.server.table import Table

log = logging.getLogger("qwixx.dealer")
_CHANGES_OF_MIND = 30
"""How often a seat may decide anew in one phase; each time the disk is written to."""


class Dealer:
    """Carries decisions to the game. What it does is told only after the table has had it written."""

    def __init__(self, table: Table, resumed: Resumed) -> None:
        """Go on with a game where its ledger left it."""
        self._table: Table = weakref.proxy(table)
        self.game = game = resumed.game
        self.steps = resumed.steps
        """How many lines the ledger has on disk."""
        self.phase = resumed.phase
        self.choices: dict[int, str] = {}
        """What seats have chosen in the phase that is open."""
        self._written = resumed.choices
        """The step of the ledger that holds each of these choices."""
        self._made = resumed.made
        """What has been decided since dice, or anything hidden, were last seen; changes of mind among it."""
        self._first = resumed.first
        """The step of the ledger at which the open phase begins."""
        self._throws = resumed.throws
        """How often chance has had its turn."""
        self._hints = resumed.hints
        """The steps of the ledger that say that a seat took a hint, with these lines."""
        self._changes: Counter[int] = Counter()
        self.asides = resumed.asides
        """What happened at the table beside the game, each with the number of the game's events before it."""
        self.since = time.monotonic()
        """When the open phase began, or the table came into memory."""
        if game is not None:
            self.choices = {s: c for s in sorted(self._written) if (c := game.view(s).choice) is not None}
            self.committed()

    def wake(self) -> None:
        """Go on after a restart: chance may be due."""
        self._let_chance()

    def begin(self) -> None:
        """Begin the game of the room."""
        room = self._table.room
        self.game = ledger.begin(room)
        room.stage = "playing"
        self._table.round.room_changed = True
        self._table.round.moved = True
        self._let_chance()

    def decide(self, seat: int, phase: int, action: str) -> None:
        """Decide for a seat. Raises `Refused`; then nothing has changed."""
        game = self.open_in(phase)
        if self.choices.get(seat) == action:
            self._table.round.moved = True  # the same again is no news, but whoever asks is answered
            return
        if self._changes[seat] > _CHANGES_OF_MIND:
            raise Refused("too-fast")
        try:
            events = game.decide(seat, action)
        except qwixx.NotYourTurn:
            raise Refused("not-your-turn") from None
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule, error.refusal.details) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        self._note(events)
        if phase == self.phase:
            assert game.last_step is not None
            self.choices[seat] = game.last_step.text
            self._changes[seat] += 1
        else:
            self._let_chance()

    def withdraw(self, seat: int, phase: int) -> None:
        """Take back what a seat has chosen while the phase is open; what others have chosen stays as it is."""
        self.open_in(phase)
        self._table.round.moved = True
        if seat not in self.choices:
            return  # whoever asks again is answered again
        if self._changes[seat] > _CHANGES_OF_MIND:
            raise Refused("too-fast")
        self._changes[seat] += 1
        self._first = self._go_back(self.phase, self._first, seat, [])

    def note_hint(self, seat: int) -> None:
        """Write down that a seat takes a hint, and tell everybody."""
        work = self._table.round
        line = ledger.hint_line(seat)
        self._hints[self.steps + len(work.lines)] = line
        work.lines.append(line)
        self._note_aside(Hinted(seat))
        work.moved = True

    def _note_aside(self, event: Aside) -> None:
        """Keep what happened beside the game, to be told now and to those who come later."""
        assert self.game is not None
        self.asides.append((len(self.game.events), event))
        self._table.round.events.append(event)

    def undoable(self) -> list[int]:
        """
        Give the seats that may take their last decision back though its phase is over.

        Nobody may once dice were thrown, cards were shown or the game has ended: that cannot be forgotten again.
        """
        return sorted({made.seat for made in self._made if made.phase < self.phase})

    def check_undo(self, seat: int, phase: int) -> None:
        """Refuse to take back what cannot be."""
        self.open_in(phase)
        if seat not in self.undoable():
            raise Refused("no-undo")

    def undo(self, seat: int) -> None:
        """Take a seat's last decision back; those of others in its phase stay, and whatever came after them falls."""
        last = next(made for made in reversed(self._made) if made.seat == seat and made.phase < self.phase)
        later = [m for m in self._made if m.phase > last.phase or (m.phase == last.phase and m.seat == seat)]
        fallen = {(made.phase, made.seat): made for made in later}.values()  # of changes of mind the last
        self.phase += 1  # nothing that is still on its way for the phases before may count here
        self.since = time.monotonic()
        self._changes.clear()
        self._first = self._go_back(last.phase, last.first, seat, [made.remark for made in fallen])
        self._note_aside(TakenBack(seat))
        self._table.round.moved = True

    def _go_back(self, phase: int, first: int, seat: int, remarks: list[str]) -> int:
        """Go back to where a phase began, and let all but one seat choose there as they did; gives its first step."""
        assert self.game is not None
        choices = {made.seat: made.text for made in self._made if made.phase == phase and made.seat != seat}
        while self._made and self._made[-1].phase >= phase:
            self._made.pop()
            self.game.undo()
        # What was taken back is gone, but not that somebody took a hint for it, or has taken something back before.
        left = len(self.game.events)
        asides = [each for each in self.asides if each[0] < left or not isinstance(each[1], TimedOut)]
        self.asides = [(min(before, left), event) for before, event in asides]
        kept = [line for step, line in self._hints.items() if step >= first]
        self._hints = {step: line for step, line in self._hints.items() if step < first}
        remarks = [*remarks, *kept]
        begin = first + len(remarks)
        self._hints |= {begin - len(kept) + place: line for place, line in enumerate(kept)}
        for other, choice in choices.items():
            self.game.decide(other, choice)
            self._made.append(Made(other, choice, self.phase, begin))
        self.choices = choices
        self._written = {other: begin + place for place, other in enumerate(choices)}
        self._rewrite(first, [*remarks, *(f"{other} {choice}" for other, choice in choices.items())])
        return begin

    def open_in(self, phase: int) -> qwixx.Game:
        """Give the game for somebody who wants something in a phase. Raises `Refused` if it is not open."""
        if self.game is None or self.game.is_over:
            raise Refused("not-now")
        if phase != self.phase:
            raise Refused("late")
        return self.game

    def decide_for_bot(self, seat: int, phase: int, action: str) -> None:
        """Decide for a bot, unless a person has taken the seat back or the phase is over."""
        if phase != self.phase or self._table.room.seats[seat].is_person:
            return
        self._table.tables.counts.bot_moves += 1
        try:
            self.decide(seat, phase, action)
        except Refused:
            self.decide_somehow(seat)

    def decide_somehow(self, seat: int) -> None:
        """Decide for a seat that cannot: pass, or the first thing that is legal."""
        assert self.game is not None
        legal = [str(action) for action in self.game.legal(seat)]
        if legal:
            self.decide(seat, self.phase, "pass" if "pass" in legal else legal[0])

    def roll(self, dice: str) -> None:
        """Take the dice that people rolled at their table."""
        game = self.game
        if game is None or not self.rollers():
            raise Refused("not-now")
        try:
            events = game.set_roll(dice)
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        self._note(events)

    def rollers(self) -> list[int]:
        """Give the seats that may say what the real dice show now: the active one, or any person if that is a bot."""
        game = self.game
        if game is None or not self._table.room.options.real_dice or game.phase != "roll":
            return []
        seats = self._table.room.seats
        if seats[game.active].is_person:
            return [game.active]
        return [place for place, seat in enumerate(seats) if seat.is_person]

    @property
    def seconds(self) -> float:
        """How long the clock runs in this phase, 0 for no clock."""
        return 0 if self.game is None or self.game.is_over else self._table.room.options.timer

    def time_up(self, phase: int) -> None:
        """Go on without those who are late."""
        game = self.game
        if game is None or game.is_over or phase != self.phase:
            return
        if game.awaits_chance:
            self._note(game.set_roll(self._throw(game)))
            return
        for seat in game.deciders():
            if phase == self.phase:
                self._note_aside(TimedOut(seat))
                self.decide_somehow(seat)

    def committed(self) -> None:
        """Know that everything so far is on disk; what nobody may take back need not be remembered."""
        if self.game is not None and not self._made:
            self.game.make_final()

    def _let_chance(self) -> None:
        """Roll or shuffle as long as the game waits for it, unless people roll real dice."""
        game = self.game
        while game is not None and game.awaits_chance and not self.rollers():
            self._note(game.set_roll(self._throw(game)))

    def _throw(self, game: qwixx.Game) -> str:
        """Let chance have its turn: by what was promised before the game, or by the day, the same for everybody."""
        room = self._table.room
        return self._table.tables.days.throw(room, game) if room.day else room.fair.throw(game, self._throws)

    def _note(self, events: list[qwixx.Event]) -> None:
        """Keep what just happened, to be written and told."""
        assert self.game is not None
        assert self.game.last_step is not None
        work = self._table.round
        began = ledger.phases_in(events)
        step = self.game.last_step
        self._throws += step.seat is None
        self._write(str(step), None if began else step.seat)
        if ledger.is_fixing(events):
            self._made.clear()
        elif step.seat is not None:
            self._made.append(Made(step.seat, step.text, self.phase, self._first))
        work.events += events
        work.moved = True
        if began:
            self.phase += began
            self.since = time.monotonic()
            self.choices = {}
            self._written = {}
            self._first = self.steps + len(work.lines)
            self._changes.clear()
        if self.game.is_over:
            log.info("game over", extra={"code": self._table.room.code, "turns": self.game.turn})
            self._table.tables.counts.finished[self._table.room.variant] += 1
            self._table.room.stage = "over"
            work.room_changed = True

    def _write(self, line: str, seat: int | None) -> None:
        """Have a line written; a choice in an open phase goes where the one was that it takes back."""
        work = self._table.round
        step = self.steps + len(work.lines)
        written = step if seat is None else self._written.setdefault(seat, step)
        if written < self.steps:
            work.changes[written] = line
        elif written < step:
            work.lines[written - self.steps] = line
        else:
            work.lines.append(line)

    def _rewrite(self, first: int, lines: list[str]) -> None:
        """Have the ledger go on with these lines from a step on, whatever stands there."""
        work = self._table.round
        if first < self.steps:
            work.cut = first
            work.changes = {step: line for step, line in work.changes.items() if step < first}
            work.lines.clear()
            self.steps = first
        work.lines[first - self.steps :] = lines
