"""
The dealer of a table: applies decisions to the game, rolls the dice, and records every step for the ledger.

`Dealer.decide` carries out a tap of a player. `commands.handle` calls it after checking the seat; the table writes the
recorded lines to the store and then sends the new state.
"""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from typing import TYPE_CHECKING

import qwixx
from qwixx.game.events import Hinted, TableEvent, TakenBack, TimedOut
from qwixx.server.base.errors import Refused
from qwixx.server.room import ledger
from qwixx.server.room.ledger import Resumed, UndoableDecision

if TYPE_CHECKING:
    from qwixx.server.table.table import Table

log = logging.getLogger("qwixx.dealer")
_MAX_REVISIONS = 30
"""How often a seat may change its choice in one phase; each change is a write to the disk."""


class Dealer:
    """Plays the game of one table. It records changes in `table.change`; the table writes and sends them."""

    def __init__(self, table: Table, resumed: Resumed) -> None:
        """Continue a game that was replayed from its ledger."""
        self._table: Table = weakref.proxy(table)
        self.game = game = resumed.game
        self.steps = resumed.steps
        """Number of lines of the ledger on disk."""
        self.phase = resumed.phase
        self.choices: dict[int, str] = {}
        """By seat: the choice in the open phase."""
        self._choice_steps = resumed.choice_steps
        """By seat: the step of the ledger that holds this choice."""
        self._decisions = resumed.undoable
        """Decisions that can still be undone, also changed choices: no dice and nothing hidden were shown since."""
        self._phase_start = resumed.phase_start
        """The step of the ledger where the open phase begins."""
        self._chance_count = resumed.chance_count
        """Number of rolls, deals and shuffles so far: each has its own random numbers."""
        self._hints = resumed.hints
        """By step of the ledger: the lines that record hints."""
        self._revisions: Counter[int] = Counter()
        self.asides = resumed.asides
        """Events at the table that are not part of the game, each with the number of game events before it."""
        self.phase_began = time.monotonic()
        """When the open phase began, or the table was loaded."""
        if game is not None:
            self.choices = {s: c for s in sorted(self._choice_steps) if (c := game.view(s).choice) is not None}
            self.on_committed()

    def resume(self) -> None:
        """Continue after loading: a roll may be due."""
        self._resolve_chance()

    def start_game(self) -> None:
        """Start the game of the room."""
        room = self._table.room
        self.game = ledger.start_game(room)
        room.stage = "playing"
        self._table.change.room_changed = True
        self._table.change.state_changed = True
        self._resolve_chance()

    def decide(self, seat: int, phase: int, action: str) -> None:
        """Decide for a seat in an open phase. Raises `Refused`; then nothing has changed."""
        game = self.game_in_phase(phase)
        if self.choices.get(seat) == action:
            self._table.change.state_changed = True  # nothing is new, but the client waits for an answer
            return
        if self._revisions[seat] > _MAX_REVISIONS:
            raise Refused("too-fast")
        try:
            events = game.decide(seat, action)
        except qwixx.NotYourTurn:
            raise Refused("not-your-turn") from None
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule, error.refusal.details) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        self._record_events(events)
        if phase == self.phase:
            assert game.last_step is not None
            self.choices[seat] = game.last_step.text
            self._revisions[seat] += 1
        else:
            self._resolve_chance()

    def withdraw(self, seat: int, phase: int) -> None:
        """Withdraw the choice of a seat while the phase is open; the choices of the others stay."""
        self.game_in_phase(phase)
        self._table.change.state_changed = True
        if seat not in self.choices:
            return  # a repeated request gets the state again
        if self._revisions[seat] > _MAX_REVISIONS:
            raise Refused("too-fast")
        self._revisions[seat] += 1
        self._phase_start = self._rewind(self.phase, self._phase_start, seat, [])

    def record_hint(self, seat: int) -> None:
        """Record in the ledger that a seat took a hint, and report it to all."""
        change = self._table.change
        line = ledger.hint_line(seat)
        self._hints[self.steps + len(change.lines)] = line
        change.lines.append(line)
        self._record_aside(Hinted(seat))
        change.state_changed = True

    def _record_aside(self, event: TableEvent) -> None:
        """Keep an event that is not part of the game, for the clients of now and of later."""
        assert self.game is not None
        self.asides.append((len(self.game.events), event))
        self._table.change.events.append(event)

    def undoable(self) -> list[int]:
        """
        Return the seats that may undo their last decision after its phase.

        After a roll, shown cards or the end of the game there are none: players cannot forget what they have seen.
        """
        return sorted({made.seat for made in self._decisions if made.phase < self.phase})

    def check_undo(self, seat: int, phase: int) -> None:
        """Refuse if a seat has no decision to undo."""
        self.game_in_phase(phase)
        if seat not in self.undoable():
            raise Refused("no-undo")

    def undo(self, seat: int) -> None:
        """Undo the last decision of a seat, and all later phases; decisions of others in its phase stay."""
        last = next(made for made in reversed(self._decisions) if made.seat == seat and made.phase < self.phase)
        later = [m for m in self._decisions if m.phase > last.phase or (m.phase == last.phase and m.seat == seat)]
        undone = {(made.phase, made.seat): made for made in later}.values()  # the last choice of each seat
        self.phase += 1  # messages that are under way for an earlier phase must not count here
        self.phase_began = time.monotonic()
        self._revisions.clear()
        self._phase_start = self._rewind(last.phase, last.phase_start, seat, [made.remark for made in undone])
        self._record_aside(TakenBack(seat))
        self._table.change.state_changed = True

    def _rewind(self, phase: int, first: int, seat: int, remarks: list[str]) -> int:
        """Go back to the start of a phase and repeat the choices of all seats but one; return its first step."""
        assert self.game is not None
        choices = {made.seat: made.text for made in self._decisions if made.phase == phase and made.seat != seat}
        while self._decisions and self._decisions[-1].phase >= phase:
            self._decisions.pop()
            self.game.undo()
        # Hints and earlier undos stay on record, although the decisions after them are gone.
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
            self._decisions.append(UndoableDecision(other, choice, self.phase, begin))
        self.choices = choices
        self._choice_steps = {other: begin + place for place, other in enumerate(choices)}
        self._rewrite(first, [*remarks, *(f"{other} {choice}" for other, choice in choices.items())])
        return begin

    def game_in_phase(self, phase: int) -> qwixx.Game:
        """Return the game. Raises `Refused` unless this phase is open."""
        if self.game is None or self.game.is_over:
            raise Refused("not-now")
        if phase != self.phase:
            raise Refused("late")
        return self.game

    def decide_for_bot(self, seat: int, phase: int, action: str) -> None:
        """Decide for a bot, unless a person has taken the seat or the phase is over."""
        if phase != self.phase or self._table.room.seats[seat].is_person:
            return
        self._table.tables.counts.bot_moves += 1
        try:
            self.decide(seat, phase, action)
        except Refused:
            self.decide_by_default(seat)

    def decide_by_default(self, seat: int) -> None:
        """Decide for a seat that gave no valid answer: pass, or else the first legal action."""
        assert self.game is not None
        legal = [str(action) for action in self.game.legal(seat)]
        if legal:
            self.decide(seat, self.phase, "pass" if "pass" in legal else legal[0])

    def roll(self, dice: str) -> None:
        """Enter the roll of real dice. Raises `Refused`."""
        game = self.game
        if game is None or not self.rollers():
            raise Refused("not-now")
        try:
            events = game.set_roll(dice)
        except qwixx.IllegalAction as error:
            raise Refused("illegal", error.rule, error.refusal.details) from None
        except qwixx.QwixxError:
            raise Refused("unreadable") from None
        self._record_events(events)

    def rollers(self) -> list[int]:
        """Return the seats that may enter the roll of real dice now: the active one, or all people if that is a bot."""
        game = self.game
        if game is None or not self._table.room.options.real_dice or game.phase != "roll":
            return []
        seats = self._table.room.seats
        if seats[game.active].is_person:
            return [game.active]
        return [place for place, seat in enumerate(seats) if seat.is_person]

    @property
    def seconds(self) -> float:
        """Seconds of the clock in this phase, 0 without a clock."""
        return 0 if self.game is None or self.game.is_over else self._table.room.options.timer

    def time_up(self, phase: int) -> None:
        """Decide for all seats that have not decided in time."""
        game = self.game
        if game is None or game.is_over or phase != self.phase:
            return
        if game.awaits_chance:
            self._record_events(game.set_roll(self._roll_dice(game)))
            return
        for seat in game.deciders():
            if phase == self.phase:
                self._record_aside(TimedOut(seat))
                self.decide_by_default(seat)

    def on_committed(self) -> None:
        """Drop the history for undo after a commit, if nothing can be undone any more."""
        if self.game is not None and not self._decisions:
            self.game.make_final()

    def _resolve_chance(self) -> None:
        """Roll or shuffle while the game waits for it, unless people roll real dice."""
        game = self.game
        while game is not None and game.awaits_chance and not self.rollers():
            self._record_events(game.set_roll(self._roll_dice(game)))

    def _roll_dice(self, game: qwixx.Game) -> str:
        """Return the next roll or deal: from the committed seed of the table, or the dice of the day."""
        room = self._table.room
        return (
            self._table.tables.daily_games.roll(room, game) if room.day else room.fair.throw(game, self._chance_count)
        )

    def _record_events(self, events: list[qwixx.Event]) -> None:
        """Record the last step of the game and its events, to be written and sent."""
        assert self.game is not None
        assert self.game.last_step is not None
        change = self._table.change
        began = ledger.count_phases(events)
        step = self.game.last_step
        self._chance_count += step.seat is None
        self._write(str(step), None if began else step.seat)
        if ledger.is_irreversible(events):
            self._decisions.clear()
        elif step.seat is not None:
            self._decisions.append(UndoableDecision(step.seat, step.text, self.phase, self._phase_start))
        change.events += events
        change.state_changed = True
        if began:
            self.phase += began
            self.phase_began = time.monotonic()
            self.choices = {}
            self._choice_steps = {}
            self._phase_start = self.steps + len(change.lines)
            self._revisions.clear()
        if self.game.is_over:
            log.info("game over", extra={"code": self._table.room.code, "turns": self.game.turn})
            self._table.tables.counts.finished[self._table.room.variant] += 1
            self._table.room.stage = "over"
            change.room_changed = True

    def _write(self, line: str, seat: int | None) -> None:
        """Record a line. A choice in an open phase replaces the line of the earlier choice of this seat."""
        change = self._table.change
        step = self.steps + len(change.lines)
        written = step if seat is None else self._choice_steps.setdefault(seat, step)
        if written < self.steps:
            change.replaced[written] = line
        elif written < step:
            change.lines[written - self.steps] = line
        else:
            change.lines.append(line)

    def _rewrite(self, first: int, lines: list[str]) -> None:
        """Replace the ledger from a step on by these lines."""
        change = self._table.change
        if first < self.steps:
            change.cut = first
            change.replaced = {step: line for step, line in change.replaced.items() if step < first}
            change.lines.clear()
            self.steps = first
        change.lines[first - self.steps :] = lines
