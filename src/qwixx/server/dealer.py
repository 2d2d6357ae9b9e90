"""The dealer of a table: moves the game on, writes down every step, and lets chance have its turn."""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from typing import TYPE_CHECKING

import qwixx
from qwixx.events import TimedOut
from qwixx.server import chance, ledger
from qwixx.server.ledger import Resumed
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
        self._changes: Counter[int] = Counter()
        self.late: list[tuple[int, int]] = []
        """Seats that the clock decided for while this table was in memory, each with the number of events before it."""
        self.since = time.monotonic()
        """When the open phase began, or the table came into memory."""
        if game is not None:
            self.choices = {s: c for s in range(game.seats) if (c := game.view(s).choice) is not None}
            game.make_final()

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
        game = self.game
        if game is None or game.is_over:
            raise Refused("not-now")
        if phase != self.phase:
            raise Refused("late")
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

    def decide_for_bot(self, seat: int, phase: int, action: str) -> None:
        """Decide for a bot, unless a person has taken the seat back or the phase is over."""
        if phase != self.phase or self._table.room.seats[seat].is_person:
            return
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
            self._note(game.set_roll(chance.throw(game)))
            return
        for seat in game.deciders():
            if phase == self.phase:
                self.late.append((len(game.events), seat))
                self._table.round.events.append(TimedOut(seat))
                self.decide_somehow(seat)

    def committed(self) -> None:
        """Know that everything so far is on disk: nothing of it will be taken back."""
        if self.game is not None:
            self.game.make_final()

    def _let_chance(self) -> None:
        """Roll or shuffle as long as the game waits for it, unless people roll real dice."""
        game = self.game
        while game is not None and game.awaits_chance and not self.rollers():
            self._note(game.set_roll(chance.throw(game)))

    def _note(self, events: list[qwixx.Event]) -> None:
        """Keep what just happened, to be written and told."""
        assert self.game is not None
        assert self.game.last_step is not None
        work = self._table.round
        began = ledger.phases_in(events)
        self._write(str(self.game.last_step), None if began else self.game.last_step.seat)
        work.events += events
        work.moved = True
        if began:
            self.phase += began
            self.since = time.monotonic()
            self.choices = {}
            self._written = {}
            self._changes.clear()
        if self.game.is_over:
            log.info("game over", extra={"code": self._table.room.code, "turns": self.game.turn})
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
