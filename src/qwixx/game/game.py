"""
`Game`: the Python object around one game state. It has no rules of its own.

A `Game` holds one state and asks the kernel everything: what is legal, what happens, who has won. This module converts
between texts and objects of the caller and numbers of the kernel, and keeps the record and the steps to undo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from qwixx.base.renamed import renamed
from qwixx.errors import IllegalAction, NotationError, PositionError, QwixxError, RecordError, Refusal
from qwixx.game.chance import CHANCE_WORDS, all_decks, all_rolls, chance_text, normalize_cards, scripted_deck, take_seed
from qwixx.game.determinize import CARD_PHASES, CardTracker, determinize
from qwixx.game.events import Event
from qwixx.game.outcome import Outcome, Preview
from qwixx.game.pads import lucky_pads, pads_of
from qwixx.game.position import read_position, write_position
from qwixx.game.question import Question, hand_of, legal_actions
from qwixx.game.view import (
    SEATS_OF,
    SheetCache,
    SpectatorViewCache,
    View,
    bits,
    dice_text,
    make_view,
    read_view,
    redacted,
)
from qwixx.game.vocabulary import Vocabulary
from qwixx.kernel import api
from qwixx.kernel.decision_effects import FACTS, effects_of
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import (
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
from qwixx.kernel.state.refusals import NO_CHANCE_NOW
from qwixx.kernel.state.rng import player_stream_seed
from qwixx.text.action_parser import read_action
from qwixx.text.arguments import describe_value, require_int, require_text
from qwixx.text.notation import Action, lucky_text, read_roll, roll_text
from qwixx.text.record import DRAWING, GameRecord, Step, read_record, record_text
from qwixx.text.refusal_sentences import explain, explain_chance
from qwixx.variants import read_variant, variant_of
from qwixx.variants.layout import compile_layout, layout_hash
from qwixx.variants.model import COLORS, Variant
from qwixx.variants.serialize import variant_text

__all__ = ["Game", "Outcome", "Preview"]

# The first words of fields: to read a state as 32-bit words is much faster than attributes of a record.
_SEATS, _ACTIVE, _TURN, _PHASE, _DICE = (word_of(STATE, name) for name in ("seats", "active", "turn", "phase", "dice"))
_WAITING, _CLOSED, _GONE, _ENDING = (word_of(STATE, name) for name in ("waiting", "closed", "gone", "ending"))
_LOCKED, _IS_MISS, _ENDS, _POINTS = (word_of(FACTS, name) for name in ("locked", "is_miss", "ends", "points"))
_ROWS_OF = tuple(bits(mask, ROWS) for mask in range(1 << ROWS))
_NOT_PICKLED = (
    *("_layouts", "_states", "_words", "_actions", "_scratch", "_spectator", "_log", "_vocabulary", "_sheet_cache"),
)
"""Attributes that follow from the variant and the words of the state."""


class _Scratch:
    """Scratch memory of a preview: a copy of the state, and the effects of the decision."""

    __slots__ = ("copies", "facts", "words")

    def __init__(self) -> None:
        self.copies: Records = np.zeros(1, STATE)
        self.facts: Records = np.zeros(1, FACTS)
        self.words: Ints = self.facts.view(np.int32)


class Game:
    """
    One game of one variant. Two games are equal if their variants and position lines are equal.

    Properties are what the table shows: `phase`, `active`, `dice`, `closed`. Methods compute something or take a seat:
    `deciders()`, `legal(seat)`, `scores()`, `outcome()`.

    >>> game = Game("classic", seats=2, first=0)
    >>> game.set_roll("34/2615")
    [Rolled(roll='34/2615'), PhaseBegan(phase='white')]
    >>> [str(action) for action in game.legal(seat=0)]
    ['r7', 'y7', 'g7', 'b7', 'pass']
    >>> game.decide(0, "r7")
    [Decided(seat=0)]
    >>> game.decide(1, "pass")
    [Decided(seat=1), Crossed(seat=0, cell='r7'), PhaseBegan(phase='color')]
    """

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        seats: int = 2,
        *,
        seed: int | None = None,
        first: int | None = None,
        sheet: str | Path | None = None,
        lucky: Sequence[str] | None = None,
        pads: Sequence[str] | None = None,
        number: int = 0,
    ) -> None:
        """
        Set up a game: a variant by its id, or a custom sheet by its file.

        Without a `seed` it is random, from the operating system. Without `first` the first active seat is random (C2).
        `sheet` is for the card games (K10), `lucky` for Longo: a pair for each seat (L5). `pads` is for games whose
        seats have different pads: the pad of each seat, such as `"CAB"`, or `"lot"`; otherwise seat 0 has the first
        one, and so on. `number` is the number of the game in a run of games with one seed, as in a simulation.
        """
        self.variant = variant_of(variant, sheet)
        seats = require_int(seats, "The number of seats")
        self.variant.check_seats(seats)
        begins = -1 if first is None else require_int(first, "The first seat")
        if first is not None and not 0 <= begins < seats:
            raise QwixxError(f"The first seat must be from 0 to {seats - 1}, not {first}.")
        number = require_int(number, "The number of a game")
        if not 0 <= number < 1 << 63:
            raise QwixxError(f"Games of a run are counted from 0; there is no game {number}.")
        chance = take_seed(seed)
        self._luck = int(player_stream_seed(chance, np.uint64(number)))
        self._layouts = compile_layout(self.variant)
        states: Records = np.zeros(1, STATE)
        api.begin(self._layouts, states, 0, chance, np.uint64(number), seats, begins)
        self._set_state(states)
        if lucky is not None:
            self._states["sheets"]["lucky"][0, :seats] = lucky_pads(self.variant, seats, lucky)
        if pads is not None:
            self._states["sheets"]["pad"][0, :seats] = pads_of(self.variant, seats, pads, self._luck)
        self._start(GameRecord(self._opening_facts(seed)))

    def _set_state(self, states: Records) -> None:
        """Use this state from now on, with empty caches."""
        self._states = states
        self._words: Ints = states.view(np.int32)
        """The same memory as `_states`, as 32-bit integers: reading one takes a tenth of the time."""
        self._count = self._words.item(_SEATS)
        """How many seats play."""
        self._sheet_cache: SheetCache = {}
        self._actions: Ints = np.zeros(ACTIONS, np.int32)
        """Space for the longest list of actions."""
        self._scratch: _Scratch | None = None
        """Made by the first preview."""
        self._spectator: SpectatorViewCache | None = None
        """Made by the first view of a spectator."""

    def _start(self, record: GameRecord) -> None:
        """Start an empty history."""
        self._vocabulary = self.variant.derived(Vocabulary)
        self._log: Ints = new_log()
        """The kernel's events of the last step; a preview overwrites it."""
        self._record = record
        self._events: list[Event] = []
        self._past: list[tuple[bytes, int]] = []
        """For each step that can be undone: the state before it, and how many events there were."""
        self._future: list[tuple[bytes, Step, list[Event]]] = []
        """For each undone step: the state after it, the step, and its events."""
        self._origin = b""
        """The first state, if the game was set up from a position."""
        self._first_tracker = CardTracker()
        self._tracked = 0, self._first_tracker
        """Card games: how many steps are tracked, and the tracker at that step."""

    def _opening_facts(self, seed: int | None) -> dict[str, str]:
        facts = {"variant": self.variant.id, "seats": str(self.seats), "first": str(self.active)}
        if self.variant.is_cards and self.variant.sheet != "classic":
            facts["sheet"] = self.variant.sheet
        if self.variant.lucky:
            sheets = self._states[0].sheets
            facts["lucky"] = " ".join(lucky_text(sheet.lucky) for sheet in sheets[: self.seats])
        if self.variant.pads:
            sheets = self._states[0].sheets
            facts["pads"] = " ".join(self.variant.pads[sheet.pad] for sheet in sheets[: self.seats])
        if seed is not None:
            facts["seed"] = str(seed)
        return facts

    def _custom_sheet_facts(self) -> dict[str, str]:
        """Return the facts of a custom sheet for a record: its whole text, and the hash of its layout."""
        facts = {"layout": layout_hash(self._layouts), DRAWING: variant_text(self.variant)}
        return facts if self.variant.sheet in ("", "classic") else {**facts, "sheet": self.variant.sheet}

    # ---- the state

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
        """The number of the turn, counted from 1."""
        return self._words.item(_TURN)

    @property
    def phase(self) -> str:
        """The phase of the turn: roll, white, color, over; deal, draw, shuffle, number, play."""
        return PHASES[self._words.item(_PHASE)]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._words.item(_PHASE) == OVER

    @property
    def awaits_chance(self) -> bool:
        """Whether a roll, deal or shuffle is due before any seat can decide."""
        return self._words.item(_PHASE) in CHANCE_WORDS

    @property
    def dice(self) -> str | None:
        """The dice on the table as text, None if there are none."""
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
        """Return the seats that owe a decision now."""
        return SEATS_OF[self._words.item(_WAITING)]

    def scores(self) -> tuple[int, ...]:
        """Return the current score of every seat (C12, L3, D9)."""
        return tuple(api.score(self._layouts, self._states, 0, seat) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        """Return the ending, scores and winners, None while the game is not over."""
        if not self.is_over:
            return None
        scores = self.scores()
        winners = api.winners(np.array(scores, np.int32))
        return Outcome(ENDINGS[self._words.item(_ENDING)], scores, bits(winners, SEATS))

    # ---- views and legal actions

    def view(self, seat: int | None = None) -> View:
        """Return the game as a seat sees it; without a seat, as a spectator sees it."""
        if seat is not None:
            return make_view(self.variant, self._layouts, self._states, self._seat(seat), self._sheet_cache)
        if self._spectator is None:
            self._spectator = SpectatorViewCache()
        return self._spectator.build(self.variant, self._layouts, self._states, self._sheet_cache)

    def reveal(self) -> View:
        """Return a view with everything, hidden cards too: for hosts and replays, never for a player."""
        return read_view(self.variant, self._layouts, self._states, None)

    def raw(self) -> tuple[Records, Records]:
        """Return the kernel's arrays, the layout and a copy of the state, for code that calls the kernel."""
        return self._layouts, copied(self._words)

    def chances(self) -> Iterator[tuple[str, float]]:
        """
        Return all possible outcomes of chance with their probabilities: every roll, or in the card games every deck.

        The orders of more than eight cards are too many to list; see `imagine`.
        """
        phase = self._words.item(_PHASE)
        if phase not in CHANCE_WORDS:
            raise QwixxError(f"Chance has nothing to do in phase {PHASES[phase]!r}.")
        if phase == ROLL:
            return all_rolls(self.variant.sides, self._words.item(_GONE))
        return all_decks(self._layouts[0], self._states[0])

    def chance_outcomes(self) -> Iterator[tuple[str, float]]:
        """Return the same as `chances`, which is its new name."""
        return renamed("chance_outcomes", "chances", self.chances)

    def outcomes(self) -> Iterator[tuple[str, float]]:
        """Return the same as `chances`, which is its new name."""
        return renamed("outcomes", "chances", self.chances)

    def legal(self, seat: int) -> list[Action]:
        """Return the legal actions of a seat; empty if it is not asked."""
        if type(seat) is not int or not 0 <= seat < self._count:
            seat = self._seat(seat)
        return legal_actions(self._vocabulary, self._layouts, self._states, seat, self._actions)

    def preview(self, seat: int, action: str | int | Action) -> Preview:
        """
        Return the immediate effects of a decision, if all other seats that are asked pass.

        Choices of others in the open window do not count: they are secret. A draw shows no effects, because nobody has
        seen these cards (K3). Raises the same errors as `decide` if the seat may not decide this.
        """
        seat = self._seat(seat)
        number = action.id if type(action) is Action else None
        if type(number) is not int or not (0 <= number < TAKES or PLAYS <= number < ACTIONS):
            number, refusal = self._ask(seat, action)
            if refusal is not None:
                raise refusal.error()
        scratch = self._scratch
        if scratch is None:
            scratch = self._scratch = _Scratch()
        self._log[0] = 0
        effects_of(self._layouts, self._states, 0, seat, number, scratch.copies, self._log, scratch.facts)
        if self._log.item(0) == 1:  # the log is empty: the kernel refused the decision
            _, refusal = self._ask(seat, action)
            assert refusal is not None, "refused on a copy"
            raise refusal.error()
        word = scratch.words.item
        rows = self.variant.rows
        closes = tuple([rows[row].key for row in _ROWS_OF[word(_LOCKED)]])
        return Preview(closes, bool(word(_ENDS)), bool(word(_IS_MISS)), word(_POINTS))

    def foretell(self, seat: int, action: str | int | Action) -> Preview:
        """Return the same as `preview`, which is its new name."""
        return renamed("foretell", "preview", partial(self.preview, seat, action))

    def question(self, seat: int) -> Question:
        """Return the question to a seat: everything that a player at this seat may know."""
        seat = self._seat(seat)
        seen = redacted(self._layouts, self._states, seat)
        return Question(self.variant, self._layouts, seen, seat, self._luck, self._sheet_cache)

    def is_legal(self, seat: int, action: str | int | Action) -> bool:
        """Return whether a seat may decide this now; `why_not` says why it may not. A text that is no action is not."""
        try:
            return self.why_not(seat, action) is None
        except NotationError:
            if isinstance(action, str):
                return False
            raise

    def why_not(self, seat: int, action: str | int | Action) -> Refusal | None:
        """Return why a seat may not decide this now: the rule's id and a sentence. None if it may."""
        return self._ask(self._seat(seat), action)[1]

    def _ask(self, seat: int, action: str | int | Action) -> tuple[int, Refusal | None]:
        """Read an action and ask the kernel about it: return its number, and its refusal if it has one."""
        given = action if isinstance(action, str) else _number(action)
        is_asked = api.asked(self._layouts, self._states, 0) >> seat & 1
        try:
            number = self._read(seat, given) if is_asked else 0  # for a seat that is not asked, every action is refused
        except IllegalAction as error:  # a play of cards that is not an action
            return 0, error.refusal
        reason = api.refusal(self._layouts, self._states, 0, seat, number)
        if not reason:
            return number, None
        return number, explain(self.variant, self._layouts[0], self._states[0], seat, number, reason)

    def _read(self, seat: int, action: str | int) -> int:
        if isinstance(action, str):
            number = self._vocabulary.numbers.get(action)
            return read_action(self.variant, hand_of(self._states, seat), action) if number is None else number
        if not 0 <= action < ACTIONS:
            raise NotationError(f"{action} is no action; actions are numbered from 0 to {ACTIONS - 1}.")
        return action

    def _seat(self, seat: object) -> int:
        """Return the number of a seat, or raise `QwixxError`."""
        number = require_int(seat, "A seat")
        if not 0 <= number < self.seats:
            raise QwixxError(f"Seats are numbered from 0 to {self.seats - 1}; there is no seat {number}.")
        return number

    # ---- chance

    def roll(self) -> list[Event]:
        """Roll the dice, deal, or shuffle the discards; return the events."""
        before = self._words.tobytes()
        return self._chance(before, api.roll(self._layouts, self._states, 0, self._log))

    def set_roll(self, text: str) -> list[Event]:
        """Use given dice such as `34/2615`, or in the card games a deck such as `r4,g12,...`; return the events."""
        require_text(text, "A roll is a text such as '34/2615', a deck one such as 'r4,g12,...'")
        before = self._words.tobytes()
        phase = self._words.item(_PHASE)
        if phase not in CHANCE_WORDS:
            return self._chance(before, NO_CHANCE_NOW)
        if phase == ROLL:
            return self._chance(before, api.set_dice(self._layouts, self._states, 0, read_roll(text), self._log))
        deck, size = scripted_deck(self._layouts[0], self._states[0], text)
        return self._chance(before, api.set_deck(self._layouts, self._states, 0, deck, size, self._log))

    def _chance(self, before: bytes, reason: int) -> list[Event]:
        """Add a roll, deal or shuffle to the history, or raise its refusal."""
        if reason:
            raise explain_chance(self.variant, self._states[0], reason).error()
        was = np.frombuffer(before, np.int32).item(_PHASE)
        if was == ROLL:
            text = roll_text(self._words[_DICE : _DICE + 2 + len(COLORS)].tolist())
        else:
            text = chance_text(np.frombuffer(before, STATE)[0], self._states[0])
        return self._add_step(before, Step(text, None, CHANCE_WORDS[was]), text)

    def imagine(self, seat: int | None, seed: int | None = None) -> Self:
        """
        Return a random game that is consistent with all that a seat knows (determinization).

        Everything hidden from the seat is drawn at random: the colors of other hands, of the display and of the pile
        (K2, K11), the choices of others in an open window (C3), and the chance to come. It fits what the seat has seen
        since the game began: the numbers of all hands, the cards that were played, and which were shuffled again. All
        deals and shuffles that look alike to the seat have the same probability. The new game has no steps to undo, and
        its record begins with its position. Without a seat it is what a spectator could know.
        """
        whose = -1 if seat is None else self._seat(seat)
        chance = take_seed(seed)
        game = self.copy()
        states, tracker = determinize(self._layouts, self._states, self._tracker(), whose, int(chance))
        game._set_state(states)
        game._luck = int(player_stream_seed(chance, np.uint64(0)))
        game._start(GameRecord({}))
        game._origin = game._words.tobytes()
        game._events = list(self._events)
        game._first_tracker, game._tracked = tracker, (0, tracker)
        return game

    def _tracker(self) -> CardTracker:
        """Return the tracker of the cards at the current step."""
        steps = len(self._record.steps)
        tracked, tracker = self._tracked
        if self.variant.is_cards and (tracked < steps or not tracker.updates):
            states = [before for before, _ in self._past]
            if len(states) < steps:  # `make_final` dropped them
                states = [game._words.tobytes() for game in Game._replay(self.record(), self.variant)][:-1]
            states.append(self._words.tobytes())
            tracker = tracker.copy()
            if not tracker.updates:
                tracker.update(np.frombuffer(states[0], STATE)[0])
            for before, after in zip(states[tracked:], states[tracked + 1 :], strict=False):
                if np.frombuffer(before, np.int32).item(_PHASE) in CARD_PHASES:
                    tracker.update(np.frombuffer(after, STATE)[0])
            self._tracked = steps, tracker
        return tracker

    # ---- deciding

    def decide(self, seat: int, action: str | int | Action) -> list[Event]:
        """
        Decide for a seat and return the events; the last decision of a phase resolves it.

        Raises `NotationError` for a text that is not an action, and `NotYourTurn` if the seat is not asked or
        `IllegalAction`, both with their `refusal`; then nothing has changed.
        """
        if type(seat) is not int or not 0 <= seat < self._count:
            seat = self._seat(seat)
        number = self._number_if_known(action)
        if number is None:
            number, refusal = self._ask(seat, action)
            if refusal is not None:
                raise refusal.error()
        before = self._words.tobytes()
        if api.decide(self._layouts, self._states, 0, seat, number, self._log):
            _, refusal = self._ask(seat, action)
            assert refusal is not None, "refused twice"
            raise refusal.error()
        step = self._vocabulary.steps.get((seat, number))
        if step is None:
            step = self._vocabulary.step(seat, number, hand_of(np.frombuffer(before, STATE), seat))
        return self._add_step(before, step)

    def _number_if_known(self, action: object) -> int | None:
        """Return the number of an action that needs no parsing; the kernel decides whether it is allowed."""
        if type(action) is str:
            return self._vocabulary.numbers.get(action)
        number = action.id if type(action) is Action else action
        return number if type(number) is int and 0 <= number < ACTIONS else None

    # ---- history

    def _add_step(self, before: bytes, step: Step, roll: str = "") -> list[Event]:
        self._past.append((before, len(self._events)))
        self._future.clear()
        self._record.steps.append(step)
        events = self._vocabulary.events(self._log[1 : self._log.item(0)].tolist(), roll)
        self._events += events
        return events

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def last_step(self) -> Step | None:
        """The last roll or decision, as in the record; None at the start."""
        return self._record.steps[-1] if self._record.steps else None

    def make_final(self) -> None:
        """Make all steps so far final: they cannot be undone any more, and their memory is freed."""
        self._past.clear()
        self._future.clear()

    def undo(self) -> None:
        """Undo the last roll or decision with all its effects."""
        if not self._past:
            raise QwixxError("There is nothing to take back.")
        before, events = self._past.pop()
        self._future.append((self._words.tobytes(), self._record.steps.pop(), self._events[events:]))
        self._words[:] = np.frombuffer(before, np.int32)
        del self._events[events:]
        if self._tracked[0] > len(self._record.steps):
            self._tracked = 0, self._first_tracker

    def redo(self) -> list[Event]:
        """Repeat the step that was undone last, dice included; return its events. A new step clears the undone ones."""
        if not self._future:
            raise QwixxError("There is nothing to do again.")
        after, step, events = self._future.pop()
        self._past.append((self._words.tobytes(), len(self._events)))
        self._words[:] = np.frombuffer(after, np.int32)
        self._record.steps.append(step)
        self._events += events
        return list(events)

    def copy(self) -> Self:
        """Return an independent copy, with all steps that can be undone."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._set_state(copied(self._words))
        copy._log = new_log()
        copy._record = GameRecord(dict(self._record.facts), list(self._record.steps))
        copy._events, copy._past, copy._future = list(self._events), list(self._past), list(self._future)
        return copy

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self.copy()  # the shared parts are immutable

    def __getstate__(self) -> dict[str, Any]:
        pickled = {name: value for name, value in self.__dict__.items() if name not in _NOT_PICKLED}
        return {**pickled, "state": self._words.tobytes()}

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        words = np.frombuffer(pickled.pop("state"), np.int32)
        self.__dict__.update(pickled)
        self._set_state(copied(words))
        self._layouts = compile_layout(self.variant)
        self._vocabulary = self.variant.derived(Vocabulary)
        self._log = new_log()

    # ---- positions and records

    @classmethod
    def from_position(cls, text: str, *, variant: str | Path | Variant | None = None, seed: int | None = None) -> Self:
        """Set up a game from a position line; a custom sheet needs `variant`. Raises `PositionError`."""
        if not isinstance(text, str):
            raise PositionError([f"it is a text such as 'classic | - | -', not {describe_value(text)}"])
        given = None if variant is None else variant_of(variant)
        game = cls.__new__(cls)
        chance = take_seed(seed)
        game.variant, game._layouts, states = read_position(text, given)
        api.reseed(states, 0, chance)
        game._set_state(states)
        game._luck = int(player_stream_seed(chance, np.uint64(0)))
        game._start(GameRecord({}))
        game._origin = states.tobytes()
        return game

    def position(self) -> str:
        """Return the state as one line of text; `from_position` reads it."""
        return write_position(self.variant, self._states)

    def _facts(self) -> dict[str, str]:
        """Return the facts at the start of the record; slow ones are written only when they are needed."""
        facts = self._record.facts
        if not facts:
            facts["start"] = write_position(self.variant, np.frombuffer(self._origin, STATE))
        if not self.variant.builtin and DRAWING not in facts:
            facts |= self._custom_sheet_facts()
        return facts

    def record(self) -> str:
        """Return the game so far as a record; `from_record` replays it."""
        scores = self.scores() if self.is_over else None
        return str(GameRecord(self._facts(), self._record.steps, scores))

    @classmethod
    def from_record(cls, record: str | Path, *, variant: str | Path | Variant | None = None) -> Self:
        """
        Replay a record to its end: its text, or a file as a `Path`. Raises `RecordError` with the first wrong line.

        A text never opens a file, because records come from strangers.
        """
        game = None
        for game in cls._replay(record, variant):  # noqa: B007 - the last one is wanted
            pass
        assert game is not None
        return game

    @classmethod
    def replay(
        cls, record: str | Path, *, variant: str | Path | Variant | None = None, copies: bool = True
    ) -> Iterator[Self]:
        """
        Replay a record, a text or a file as a `Path`: yield the game at its opening and after every step.

        Each is a copy of its own. Without `copies` it is the same game every time, which is faster for long records.
        """
        for game in cls._replay(record, variant):
            yield game.copy() if copies else game

    @classmethod
    def _replay(cls, source: str | Path, variant: str | Path | Variant | None) -> Iterator[Self]:
        """Yield one game at its opening, and the same game after every step."""
        record = read_record(record_text(source))
        game = cls._open(record, variant)
        yield game
        for step in record.steps:
            try:
                game._replay_step(step)
            except RecordError:
                raise
            except QwixxError as error:
                raise RecordError(step.line, str(error)) from None
            yield game
        if record.scores is not None and (not game.is_over or record.scores != game.scores()):
            found = " ".join(map(str, game.scores()))
            raise RecordError(record.scores_line, f"the scores do not come out; replaying gives {found}.")

    def _replay_step(self, step: Step) -> None:
        if step.seat is not None:
            self.decide(step.seat, step.text)
        elif self.awaits_chance and step.word != CHANCE_WORDS[self._words.item(_PHASE)]:
            raise RecordError(step.line, f"{step.word!r} does not fit phase {self.phase!r}.")
        else:
            self.set_roll(step.text)

    @classmethod
    def _open(cls, record: GameRecord, variant: str | Path | Variant | None) -> Self:
        facts = record.facts
        try:
            if DRAWING in facts and "layout" not in facts:
                raise QwixxError(
                    "A record that draws its sheet has a line 'layout', which says that nothing was changed."
                )
            if variant is None and DRAWING in facts:
                variant = read_variant(facts[DRAWING], facts.get("sheet"))
            if "start" in facts:
                game = cls.from_position(facts["start"], variant=variant)
            else:
                source = facts["variant"] if variant is None else variant
                for named in (source, facts.get("sheet", "")):
                    if variant is None and str(named).endswith(".toml"):  # a text must not open files
                        raise QwixxError(f"{str(named)!r} is not the id of a game or a sheet.")
                lucky = facts["lucky"].split() if "lucky" in facts else None
                pads = facts["pads"].split() if "pads" in facts else None
                first, sheet = int(facts["first"]), facts.get("sheet")
                game = cls(source, int(facts["seats"]), first=first, sheet=sheet, lucky=lucky, pads=pads)
                played = (game.variant.id, game.variant.sheet or "classic")
                if played != (facts["variant"], facts.get("sheet", "classic")):
                    raise QwixxError(f"The record is of {facts['variant']!r}, not of {game.variant.id!r}.")
        except QwixxError as error:
            raise RecordError(1, str(error)) from None
        if facts.get("layout", layout_hash(game._layouts)) != layout_hash(game._layouts):
            raise RecordError(1, "it was played on another version of this sheet.")
        game._record.facts = dict(facts)
        if not game.variant.builtin:
            game._record.facts |= game._custom_sheet_facts()
        return game

    # ---- equality

    def _position_bytes(self) -> bytes:
        """Return the content of a position line as bytes: without the random stream and without unused cards."""
        words = self._words.copy()
        words[:_SEATS] = 0
        if self.variant.is_cards:
            normalize_cards(words.view(STATE)[0])
        return words.tobytes()

    def __eq__(self, other: object) -> bool:
        """
        Return whether two games have the same variant and the same position line.

        Hidden cards and open choices count, as they do in a line. The history, the steps to undo and the random stream
        do not.
        """
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.variant == other.variant and self._position_bytes() == other._position_bytes())

    def __hash__(self) -> int:
        """
        Hash the current position, as `==` compares it; the hash changes with every step.

        So put only games into sets and dictionaries that do not change any more, such as a `copy()`.
        """
        return hash((self.variant.id, self._position_bytes()))

    # ---- display

    def __repr__(self) -> str:
        name = type(self).__name__
        line = self.position()
        return f"{name}.from_position({line!r})" if self.variant.builtin else f"<{name} {line!r}>"

    def __str__(self) -> str:
        from qwixx.render.text import table_text  # noqa: PLC0415 - `render` is a layer above

        return table_text(self.variant, self.view())

    def _repr_svg_(self) -> str:
        from qwixx.render.svg import table_svg  # noqa: PLC0415 - as above

        return table_svg(self.variant, self.view())


def _number(action: object) -> int:
    """Return the number of an action: one of `legal`, or the number itself."""
    try:
        return require_int(action.id if isinstance(action, Action) else action, "")
    except QwixxError:
        shown = describe_value(action.id if isinstance(action, Action) else action)
        raise NotationError(
            f"An action is one of game.legal(seat), its text such as 'r7', or its number, not {shown}."
        ) from None


def copied(words: Ints) -> Records:
    """Copy a state by its words, which takes a tenth of the time of copying the record."""
    states: Records = words.copy().view(STATE)
    return states
