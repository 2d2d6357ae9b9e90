"""
The dealer of a table: applies decisions to the game, and rolls the dice.

`Dealer.decide` carries out a tap of a player. `commands.handle` calls it after checking the seat; the table writes the
lines of the change to the store and then sends the new state.
"""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

import qwixx
from qwixx.server.base.errors import RefusalCode, Refused
from qwixx.server.limits.declared import GAME_LINES
from qwixx.server.room import ledger
from qwixx.server.table.change import NOTHING, ROOM, STATE, Change
from qwixx.server.table.core import Core

if TYPE_CHECKING:
    from qwixx.server.table.table import Table

log = logging.getLogger("qwixx.dealer")
_MAX_REVISIONS = 30
"""How often a seat may change its choice in one phase; each change is a write to the disk."""
OPENING_SECONDS = 5.0
"""For how long the start of a game waits for sealed words; pages open them by themselves."""


class Dealer:
    """Plays the game of one table: its core, with the dice of the room and the limits of a server."""

    def __init__(self, table: Table, core: Core) -> None:
        """Continue a game that was replayed from its ledger."""
        self._table: Table = weakref.proxy(table)
        self.core = core
        self._revisions: Counter[int] = Counter()
        """By seat: the changes of its choice in the open phase."""
        self._roll_after = 0.0
        """No dice are rolled before, by `time.monotonic`: a person may undo their last decision until then."""
        self._start_phase()
        self.on_committed()

    @property
    def game(self) -> qwixx.Game | None:
        """The game, None before it has started."""
        return self.core.game

    @property
    def phase(self) -> int:
        """The number of the open phase."""
        return self.core.phase

    def _start_phase(self) -> None:
        self.phase_began = time.monotonic()
        self._revisions.clear()

    def resume(self) -> Change:
        """Continue after loading: a roll may be due."""
        return self._finished(NOTHING) if self.game is not None else NOTHING

    def start_game(self) -> Change:
        """Start the game of the room, or lock the room until sealed words are opened. Raises `Refused`."""
        ledger.new_game(self._table.room)  # refused before anything is locked
        return ROOM if self._table.room.lock() else self._start_game()

    def open_words(self, seat: int, words: str) -> Change:
        """Open the sealed words of a seat; the last ones start the game. Raises `Refused`."""
        self._table.room.open_words(seat, words)
        return self._start_game() if self._table.room.is_opened else ROOM

    def _start_game(self) -> Change:
        room = self._table.room
        self.core.game = ledger.start_game(room)
        room.stage = "playing"
        return replace(self._finished(NOTHING), room=True)

    def announced(self) -> dict[int, list[str]]:
        """Return the rows that players have announced to close in the open window, by seat (C14)."""
        return self.core.closings() if self._table.room.announces else {}

    def decide_for_person(self, seat: int, phase: int, action: str) -> Change:
        """Decide for a person; the next roll waits a moment, so that they can undo it. Raises `Refused`."""
        return self.decide(seat, phase, action, wait=self._table.settings.undo_seconds)

    def decide(self, seat: int, phase: int, action: str, *, wait: float = 0.0) -> Change:
        """
        Decide for a seat in an open phase. Raises `Refused`; then nothing has changed.

        The next roll waits for some seconds from now.
        """
        if self.core.choices().get(seat) != action:
            self._check_revisions(seat, phase)
        change = self.core.decide(seat, phase, action, announces=self._table.room.announces)
        self._revisions[seat] += change is not NOTHING
        if wait:
            self._roll_after = time.monotonic() + wait
        return self._finished(change, phase)

    def withdraw(self, seat: int, phase: int) -> Change:
        """Withdraw the choice of a seat while the phase is open; a repeated request gets the state again."""
        if seat in self.core.choices():
            self._check_revisions(seat, phase)
        change = self.core.withdraw(seat, phase, announces=self._table.room.announces)
        self._revisions[seat] += change is not NOTHING
        return replace(change, state=True)

    def _check_revisions(self, seat: int, phase: int) -> None:
        if phase == self.phase and self._revisions[seat] > _MAX_REVISIONS:
            raise Refused("too-fast")

    def _check_lines(self, code: RefusalCode) -> None:
        """Refuse what would let the ledger grow without end."""
        if self.core.steps >= GAME_LINES.fixed:
            raise Refused(code)

    def record_hint(self, seat: int) -> Change:
        """Record in the ledger that a seat took a hint, and report it to all."""
        self._check_lines("no-hint")
        return replace(self.core.note_hint(seat), state=True)

    def check_undo(self, seat: int, phase: int) -> None:
        """Refuse if a seat has no decision to undo."""
        self.core.check_undo(seat, phase)
        self._check_lines("no-undo")

    def undo(self, seat: int) -> Change:
        """Undo the last decision of a seat."""
        change = self.core.undo(seat)
        self._start_phase()
        return replace(change, state=True)

    def decide_for_bot(self, seat: int, phase: int, action: str) -> Change:
        """Decide for a bot, unless a person has taken the seat, its choice is binding, or the phase is over."""
        if phase != self.phase or self._table.room.seats[seat].is_person or seat in self.announced():
            return NOTHING
        self._table.tables.counts.bot_moves += 1
        try:
            return self.decide(seat, phase, action)
        except Refused:
            return self.decide_by_default(seat)

    def decide_by_default(self, seat: int) -> Change:
        """Decide for a seat that gave no valid answer: pass, or else the first legal action."""
        assert self.game is not None
        legal = [str(action) for action in self.game.legal(seat)]
        return self.decide(seat, self.phase, "pass" if "pass" in legal else legal[0]) if legal else NOTHING

    def roll(self, dice: str) -> Change:
        """Enter the roll of real dice. Raises `Refused`."""
        if not self.rollers():
            raise Refused("not-now")
        return self._finished(self.core.roll(dice))

    def undo_left(self) -> float:
        """Return the seconds for which the next roll waits, so that a person can undo a decision; 0: it does not."""
        game, seats = self.game, self._table.room.seats
        if game is None or not game.awaits_chance or self.rollers():
            return 0
        if not any(seats[seat].is_person for seat in self.core.undoable()):
            return 0
        return max(0.0, self._roll_after - time.monotonic())

    def roll_after_wait(self, phase: int) -> Change:
        """Roll: the time to undo, or to open sealed words, is over."""
        if self._table.room.locked:
            return self._start_game()
        if phase != self.phase:
            return NOTHING
        self._roll_after = 0.0
        return self._finished(NOTHING, phase)

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

    def time_up(self, phase: int) -> Change:
        """Decide for all seats that have not decided in time."""
        game, change = self.game, STATE
        if game is None or game.is_over or phase != self.phase:
            return NOTHING
        if game.awaits_chance:
            return self._finished(self._throw(game))
        for seat in game.deciders():
            if phase == self.phase:
                change = change.then(self.core.note_late(seat)).then(self.decide_by_default(seat))
        return change

    def on_committed(self) -> None:
        """Drop the history for undo after a commit, if nothing can be undone any more."""
        if self.game is not None and not self.core.can_undo:
            self.game.make_final()

    def _finished(self, change: Change, phase: int | None = None) -> Change:
        """
        Roll or shuffle while the game waits for it; note a new phase and the end.

        No roll if people roll real dice, or while a decision can be undone.
        """
        game, room = self.game, self._table.room
        assert game is not None
        while game.awaits_chance and not self.rollers() and not self.undo_left():
            change = change.then(self._throw(game))
        if phase != self.phase:
            self._start_phase()
        is_over = game.is_over and room.stage != "over"
        if is_over:
            log.info("game over", extra={"code": room.code, "turns": game.turn})
            self._table.tables.counts.finished[room.variant] += 1
            room.stage = "over"
            room.promise_next()
        return replace(change, state=True, room=is_over)

    def _throw(self, game: qwixx.Game) -> Change:
        """Roll or deal: from the committed seed of the table, or the dice of the day."""
        room, tables = self._table.room, self._table.tables
        return self.core.roll(
            tables.daily_games.roll(room, game) if room.day else room.fair.throw(game, self.core.chance_count)
        )
