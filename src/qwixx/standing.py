"""
Where a game stands: everything that can be asked of it without changing anything.

`Game` adds what can be done. Every answer is the kernel's; here it is put into words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qwixx.actions import read_action
from qwixx.chance import WORDS, all_decks, all_rolls, sorted_cards
from qwixx.errors import IllegalAction, NotationError, QwixxError, Refusal
from qwixx.kernel import door
from qwixx.kernel.facts import FACTS, look
from qwixx.kernel.records import (
    ACTIONS,
    ENDINGS,
    OVER,
    PHASES,
    PLAYS,
    ROLL,
    ROWS,
    SEATS,
    STATE,
    TAKES,
    Ints,
    Records,
    word_of,
)
from qwixx.notation import Action
from qwixx.phrases import Phrases
from qwixx.position import write_position
from qwixx.question import Question, hand_of, legal_actions
from qwixx.reasons import explain
from qwixx.variants.model import COLORS, Variant
from qwixx.view import SEATS_OF, Drawn, View, Watching, bits, dice_text, make_view, read_view, redacted
from qwixx.wanted import described, whole_number

_SEATS, _ACTIVE, _TURN, _PHASE = (word_of(STATE, name) for name in ("seats", "active", "turn", "phase"))
_WAITING, _CLOSED, _GONE, _ENDING = (word_of(STATE, name) for name in ("waiting", "closed", "gone", "ending"))
_ROWS_OF = tuple(bits(mask, ROWS) for mask in range(1 << ROWS))
_LOCKED, _IS_MISS, _ENDS, _POINTS = (word_of(FACTS, name) for name in ("locked", "is_miss", "ends", "points"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, with what scores, and who won; equal totals share the win (C12)."""

    ending: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a decision would lead to at once, if nobody else crossed anything."""

    closes: tuple[str, ...]
    """The keys of the rows that its seat would close (C7)."""
    ends: bool
    """Whether the game would be over (C11)."""
    misses: bool
    """Whether its seat would take a miss (C6)."""
    points: int
    """Points that its seat would have more, or fewer."""


class _Trial:
    """Room to try a decision out: the kernel copies the state there, and writes down what follows."""

    __slots__ = ("facts", "twins", "words")

    def __init__(self) -> None:
        self.twins: Records = np.zeros(1, STATE)
        self.facts: Records = np.zeros(1, FACTS)
        self.words: Ints = self.facts.view(np.int32)


class Standing:
    """A game as far as one may ask and not act. Two are equal if they stand alike."""

    variant: Variant
    _layouts: Records
    _states: Records
    _words: Ints
    """The same memory as `_states`, as numbers: reading one takes a tenth of the time."""
    _phrases: Phrases
    _drawn: Drawn
    _room: Ints
    """Room for the longest list of actions."""
    _trail: Ints
    """What happened by the last step, in the kernel's words; trying a decision out uses it up."""
    _trial: _Trial | None
    """Room to try decisions out, once one was."""
    _watching: Watching | None
    """What spectators see, once somebody looked."""
    _luck: int

    _count: int
    """How many seats play."""

    def _stand(self, states: Records) -> None:
        """Stand at a state from now on."""
        self._states = states
        self._words = states.view(np.int32)
        self._count = self._words.item(_SEATS)
        self._drawn = {}
        self._room = np.zeros(ACTIONS, np.int32)
        self._trial = None
        self._watching = None

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._count

    @property
    def active(self) -> int:
        """The active seat."""
        return self._words.item(_ACTIVE)

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        return self._words.item(_TURN)

    @property
    def phase(self) -> str:
        """Where in the turn the game stands: roll, white, color, over; deal, draw, shuffle, number, play."""
        return PHASES[self._words.item(_PHASE)]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._words.item(_PHASE) == OVER

    @property
    def awaits_chance(self) -> bool:
        """Whether dice have to be rolled or cards shuffled before anybody can decide."""
        return self._words.item(_PHASE) in WORDS

    @property
    def dice(self) -> str | None:
        """The dice on the table as text, None if none lie there."""
        return dice_text(self._states[0])

    @property
    def closed(self) -> tuple[str, ...]:
        """The keys of the rows that are closed for all (C8)."""
        return tuple(self.variant.rows[row].key for row in bits(self._words.item(_CLOSED), len(self.variant.rows)))

    @property
    def gone(self) -> tuple[str, ...]:
        """The colors of the dice that have left, in the order of the dice (C8)."""
        return tuple(COLORS[color] for color in bits(self._words.item(_GONE), len(COLORS)))

    def deciders(self) -> tuple[int, ...]:
        """Give the seats that owe a decision now."""
        return SEATS_OF[self._words.item(_WAITING)]

    def scores(self) -> tuple[int, ...]:
        """Count up every seat as it stands (C12, L3, D9)."""
        return tuple(door.score(self._layouts, self._states, 0, seat) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        """Tell how the game ended, None while it goes on."""
        if not self.is_over:
            return None
        scores = self.scores()
        winners = door.winners(np.array(scores, np.int32))
        return Outcome(ENDINGS[self._words.item(_ENDING)], scores, bits(winners, SEATS))

    # ---- what seats see, and may do

    def view(self, seat: int | None = None) -> View:
        """Show the game as a seat sees it; without a seat, as a spectator does."""
        if seat is not None:
            return make_view(self.variant, self._layouts, self._states, self._seat(seat), self._drawn)
        if self._watching is None:
            self._watching = Watching()
        return self._watching.look(self.variant, self._layouts, self._states, self._drawn)

    def reveal(self) -> View:
        """Show everything, hidden cards too: for the keeper of a game and for replays, never for a player."""
        return read_view(self.variant, self._layouts, self._states, None)

    def raw(self) -> tuple[Records, Records]:
        """Give the kernel's own arrays, the layout and a copy of the state, for studies that speak its language."""
        return self._layouts, copied(self._words)

    def outcomes(self) -> Iterator[tuple[str, float]]:
        """
        List what chance can do now with the probability of each: every roll, or in the card games every deck.

        Orders of more than eight cards are too many; see `Game.imagine`.
        """
        phase = self._words.item(_PHASE)
        if phase not in WORDS:
            raise QwixxError(f"Chance has nothing to do in phase {PHASES[phase]!r}.")
        if phase == ROLL:
            return all_rolls(self.variant.sides, self._words.item(_GONE))
        return all_decks(self._layouts[0], self._states[0])

    def legal(self, seat: int) -> list[Action]:
        """List what a seat may decide now; empty if it is not asked."""
        if type(seat) is not int or not 0 <= seat < self._count:
            seat = self._seat(seat)
        return legal_actions(self._phrases, self._layouts, self._states, seat, self._room)

    def foretell(self, seat: int, action: str | int | Action) -> Foretold:
        """
        Say what a decision would lead to, if everybody else who is asked crossed nothing.

        What others have chosen in the open window does not show. Of a draw nothing is said: nobody has seen these cards
        (K3). Raises what `decide` raises if the seat may not decide this.
        """
        seat = self._seat(seat)
        number = action.id if type(action) is Action else None
        if type(number) is not int or not (0 <= number < TAKES or PLAYS <= number < ACTIONS):
            number, refusal = self._ask(seat, action)
            if refusal is not None:
                raise refusal.error()
        trial = self._trial
        if trial is None:
            trial = self._trial = _Trial()
        self._trail[0] = 0
        look(self._layouts, self._states, 0, seat, number, trial.twins, self._trail, trial.facts)
        if self._trail.item(0) == 1:  # nothing has happened on the copy, not even a decision
            _, refusal = self._ask(seat, action)
            assert refusal is not None, "refused on a copy"
            raise refusal.error()
        word = trial.words.item
        rows = self.variant.rows
        closes = tuple([rows[row].key for row in _ROWS_OF[word(_LOCKED)]])
        return Foretold(closes, bool(word(_ENDS)), bool(word(_IS_MISS)), word(_POINTS))

    def question(self, seat: int) -> Question:
        """Ask a seat what it decides: all that it may know, for whoever plays there."""
        seat = self._seat(seat)
        seen = redacted(self._layouts, self._states, seat)
        return Question(self.variant, self._layouts, seen, seat, self._luck, self._drawn)

    def why_not(self, seat: int, action: str | int | Action) -> Refusal | None:
        """Say why a seat may not decide this now: the rule's id and a sentence. None if it may."""
        return self._ask(self._seat(seat), action)[1]

    def _ask(self, seat: int, action: str | int | Action) -> tuple[int, Refusal | None]:
        """Read an action and ask the kernel about it: gives its number, and why it is refused if it is."""
        given = action if isinstance(action, str) else _number(action)
        is_asked = door.asked(self._layouts, self._states, 0) >> seat & 1
        try:
            number = self._read(seat, given) if is_asked else 0  # from a seat that is not asked, nothing is right
        except IllegalAction as error:  # a play of cards that has no number
            return 0, error.refusal
        reason = door.refusal(self._layouts, self._states, 0, seat, number)
        if not reason:
            return number, None
        return number, explain(self.variant, self._layouts[0], self._states[0], seat, number, reason)

    def _read(self, seat: int, action: str | int) -> int:
        if isinstance(action, str):
            number = self._phrases.numbers.get(action)
            return read_action(self.variant, hand_of(self._states, seat), action) if number is None else number
        if not 0 <= action < ACTIONS:
            raise NotationError(f"{action} is no action; actions are numbered from 0 to {ACTIONS - 1}.")
        return action

    def _seat(self, seat: object) -> int:
        """Take the number of a seat."""
        number = whole_number(seat, "A seat")
        if not 0 <= number < self.seats:
            raise QwixxError(f"Seats are numbered from 0 to {self.seats - 1}; there is no seat {number}.")
        return number

    # ---- standing alike

    def position(self) -> str:
        """Write where the game stands as one line; `from_position` reads it."""
        return write_position(self.variant, self._states)

    def _essence(self) -> bytes:
        """Give what a position line tells, as bytes: neither the chance to come nor what no longer lies there."""
        words = self._words.copy()
        words[:_SEATS] = 0
        if self.variant.is_cards:
            sorted_cards(words.view(STATE)[0])
        return words.tobytes()

    def __eq__(self, other: object) -> bool:
        """
        Whether two games of the same variant stand alike: their position lines are the same.

        Hidden cards and open choices count, as they do in a line. How the games got there, what can be taken back and
        what chance will bring do not.
        """
        if not isinstance(other, Standing):
            return NotImplemented
        return self is other or (self.variant == other.variant and self._essence() == other._essence())

    def __hash__(self) -> int:
        """
        Hash where the game stands now, as `==` compares it; the hash changes whenever the game goes on.

        So put only games into sets and dictionaries that nobody plays on: a `copy()`, say.
        """
        return hash((self.variant.id, self._essence()))

    # ---- drawing, done elsewhere and only when asked for

    def __repr__(self) -> str:
        name = type(self).__name__
        line = self.position()
        return f"{name}.from_position({line!r})" if self.variant.builtin else f"<{name} {line!r}>"

    def __str__(self) -> str:
        from qwixx.render.text import table_text  # noqa: PLC0415 - drawing stands above the game

        return table_text(self.variant, self.view())

    def _repr_svg_(self) -> str:
        from qwixx.render.svg import table_svg  # noqa: PLC0415 - as above

        return table_svg(self.variant, self.view())


def _number(action: object) -> int:
    """Take the number of an action: one of `legal`, or the number itself."""
    try:
        return whole_number(action.id if isinstance(action, Action) else action, "")
    except QwixxError:
        shown = described(action.id if isinstance(action, Action) else action)
        raise NotationError(
            f"An action is one of game.legal(seat), its text such as 'r7', or its number, not {shown}."
        ) from None


def copied(words: Ints) -> Records:
    """Copy a state by its words, in a tenth of the time that copying the record takes."""
    states: Records = words.copy().view(STATE)
    return states
