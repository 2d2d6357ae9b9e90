"""
The front desk: names in, names out, no rules.

A `Game` holds one state and asks the kernel everything: what is legal, what happens, who has won.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from qwixx.actions import read_action
from qwixx.chance import all_rolls, chance_text, take_seed
from qwixx.errors import IllegalAction, NotationError, QwixxError, RecordError, Refusal
from qwixx.events import Event, read_trail
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, DEAL, DECK, ENDINGS, OVER, PHASES, ROLL, SEATS, SHUFFLE, STATE, Records
from qwixx.kernel.refusals import NO_CHANCE_NOW
from qwixx.kernel.rng import luck_of
from qwixx.kernel.trail import new_trail
from qwixx.notation import Action, action_text, lucky_text, read_deck, read_lucky, read_roll
from qwixx.position import read_position, write_position
from qwixx.question import Question, hand_of, legal_actions
from qwixx.reasons import explain, explain_chance
from qwixx.record import DRAWING, GameRecord, Step, read_record
from qwixx.variants import read_variant, variant_of
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import COLORS, Variant
from qwixx.variants.write import variant_text
from qwixx.view import Drawn, View, bits, dice_text, make_view, read_view, redacted

_WORDS = {ROLL: "roll", DEAL: "deal", SHUFFLE: "shuffle"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, with what scores, and who won; equal totals share the win (C12)."""

    ending: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Game:
    """
    One playing of one variant.

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
        number: int = 0,
    ) -> None:
        """
        Set up a game: a variant by its id, or a sheet file of your own.

        Without a `seed` chance comes from the operating system's entropy. Without `first` the first active seat
        is drawn by lot (C2). `sheet` is for the card games (K10), `lucky` for Longo: a pair for each seat (L5).
        `number` picks one of the games that share a seed, as a simulation does.
        """
        self.variant: Variant = variant_of(variant, sheet)
        self.variant.check_seats(seats)
        if first is not None and not 0 <= first < seats:
            raise QwixxError(f"The first seat is from 0 to {seats - 1}, not {first}.")
        if not 0 <= number < 1 << 63:
            raise QwixxError(f"Games of a run are counted from 0; there is no game {number}.")
        self._layouts: Records = compile_layout(self.variant)
        self._states: Records = np.zeros(1, STATE)
        chance = take_seed(seed)
        self._luck = int(luck_of(chance, np.uint64(number)))
        door.begin(self._layouts, self._states, 0, chance, np.uint64(number), seats, -1 if first is None else first)
        if lucky is not None:
            self._set_lucky(lucky)
        self._start(GameRecord(self._opening(seed)))

    def _start(self, record: GameRecord) -> None:
        self._record = record
        self._events: list[Event] = []
        self._undo: list[tuple[bytes, int, int]] = []
        self._drawn: Drawn = {}
        self._trail = new_trail()
        self._actions = np.zeros(ACTIONS, np.int32)

    def _set_lucky(self, lucky: Sequence[str]) -> None:
        pairs = [read_lucky(self.variant, text) for text in lucky]
        if len(pairs) != self.seats:
            raise QwixxError(f"Lucky numbers are a pair for each of the {self.seats} seats, such as '6/11'.")
        for seat, pair in enumerate(pairs):
            self._states[0].sheets[seat].lucky[:] = pair

    def _opening(self, seed: int | None) -> dict[str, str]:
        facts = {"variant": self.variant.id, "seats": str(self.seats), "first": str(self.active)}
        if self.variant.is_cards and self.variant.sheet != "classic":
            facts["sheet"] = self.variant.sheet
        if not self.variant.builtin:
            facts |= self._own_sheet()
        if self.variant.lucky:
            sheets = self._states[0].sheets
            facts["lucky"] = " ".join(lucky_text(sheet.lucky) for sheet in sheets[: self.seats])
        if seed is not None:
            facts["seed"] = str(seed)
        return facts

    def _own_sheet(self) -> dict[str, str]:
        """Give what a record says about a sheet of one's own: all of it, and what was compiled from it."""
        facts = {"layout": layout_hash(self._layouts), DRAWING: variant_text(self.variant)}
        return facts if self.variant.sheet in ("", "classic") else {**facts, "sheet": self.variant.sheet}

    # ---- where the game stands

    def _fact(self, name: str) -> int:
        """Read one number of the state: by the array's column, ten times as fast as by the record's attribute."""
        return int(self._states[name][0])

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._fact("seats")

    @property
    def active(self) -> int:
        """The active seat."""
        return self._fact("active")

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        return self._fact("turn")

    @property
    def phase(self) -> str:
        """Where in the turn the game stands: roll, white, color, over; deal, draw, shuffle, number, play."""
        return PHASES[self._fact("phase")]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._fact("phase") == OVER

    @property
    def awaits_chance(self) -> bool:
        """Whether dice have to be rolled or cards shuffled before anybody can decide."""
        return self._fact("phase") in _WORDS

    @property
    def dice(self) -> str | None:
        """The dice on the table as text, None if none lie there."""
        return dice_text(self._states[0])

    @property
    def closed(self) -> tuple[str, ...]:
        """The keys of the rows that are closed for all (C8)."""
        return tuple(self.variant.rows[row].key for row in bits(self._fact("closed"), len(self.variant.rows)))

    @property
    def gone(self) -> tuple[str, ...]:
        """The colors of the dice that have left, in the order of the dice (C8)."""
        return tuple(COLORS[color] for color in bits(self._fact("gone"), len(COLORS)))

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened so far."""
        return tuple(self._events)

    def deciders(self) -> tuple[int, ...]:
        """Give the seats that owe a decision now."""
        return bits(self._fact("waiting"), SEATS)

    def scores(self) -> tuple[int, ...]:
        """Count up every seat as it stands (C12, L3, D9)."""
        return tuple(door.score(self._layouts, self._states, 0, seat) for seat in range(self.seats))

    def outcome(self) -> Outcome | None:
        """Tell how the game ended, None while it goes on."""
        if not self.is_over:
            return None
        scores = self.scores()
        winners = door.winners(np.array(scores, np.int32))
        return Outcome(ENDINGS[self._fact("ending")], scores, bits(winners, SEATS))

    def view(self, seat: int | None = None) -> View:
        """Show the game as a seat sees it; without a seat, as a spectator does."""
        if seat is not None:
            self._check_seat(seat)
        return make_view(self.variant, self._layouts, self._states, seat, self._drawn)

    def reveal(self) -> View:
        """Show everything, hidden cards too: for the keeper of a game and for replays, never for a player."""
        return read_view(self.variant, self._layouts, self._states, None)

    def raw(self) -> tuple[Records, Records]:
        """Give the kernel's own arrays, the layout and a copy of the state, for studies that speak its language."""
        return self._layouts, self._states.copy()

    # ---- chance

    def roll(self) -> list[Event]:
        """Let chance have its turn: roll the dice, deal, or shuffle the discards."""
        return self._chance(lambda states: door.roll(self._layouts, states, 0, self._trail))

    def set_roll(self, text: str) -> list[Event]:
        """Script chance: dice such as `34/2615`, or in the card games a deck such as `r4,g12,...`."""
        phase = self._fact("phase")
        if phase not in _WORDS:
            raise explain_chance(self.variant, self._states[0], NO_CHANCE_NOW).error()
        if phase == ROLL:
            dice = read_roll(text)
            return self._chance(lambda states: door.set_dice(self._layouts, states, 0, dice, self._trail))
        layout, state = self._layouts[0], self._states[0]
        whole = layout.deck[: layout.deck_size] if phase == DEAL else sorted(state.discards[: state.discarded])
        cards = read_deck(text, [int(card) for card in whole])
        if len(cards) > DECK:
            raise NotationError(f"A deck has at most {DECK} cards.")
        deck = np.array(cards + [0] * (DECK - len(cards)), np.int32)
        return self._chance(lambda states: door.set_deck(self._layouts, states, 0, deck, len(cards), self._trail))

    def _chance(self, happen: Callable[[Records], int]) -> list[Event]:
        phase = self._fact("phase")
        before = self._states.tobytes()
        reason = happen(self._states)
        if reason:
            raise explain_chance(self.variant, self._states[0], reason).error()
        text = chance_text(np.frombuffer(before, STATE)[0], self._states[0])
        return self._happened(before, Step(text, None, _WORDS[phase]))

    def outcomes(self) -> Iterator[tuple[str, float]]:
        """List every roll that can come now with its probability, for dice games in phase `roll`."""
        if self._states[0].phase != ROLL:
            raise QwixxError("Only a roll of dice can be listed; shuffled decks are too many.")
        return all_rolls(self.variant.sides, int(self._states[0].gone))

    # ---- deciding

    def legal(self, seat: int) -> list[Action]:
        """List what a seat may decide now; empty if it is not asked."""
        self._check_seat(seat)
        return legal_actions(self.variant, self._layouts, self._states, seat, self._actions)

    def question(self, seat: int) -> Question:
        """Ask a seat what it decides: all that it may know, for whoever plays there."""
        self._check_seat(seat)
        seen = redacted(self._layouts, self._states, seat)
        return Question(self.variant, self._layouts, seen, seat, self._luck, self._drawn)

    def why_not(self, seat: int, action: str | int | Action) -> Refusal | None:
        """Say why a seat may not decide this now: the rule's id and a sentence. None if it may."""
        return self._ask(seat, action)[1]

    def decide(self, seat: int, action: str | int | Action) -> list[Event]:
        """
        Decide for a seat; the last decision of a phase resolves it. Gives what happened.

        Raises `NotationError` for text that is no action, `NotYourTurn` if the seat is not asked, and
        `IllegalAction`, both with their `refusal`; then nothing has changed.
        """
        number, refusal = self._ask(seat, action)
        if refusal is not None:
            raise refusal.error()
        step = Step(action_text(self.variant, hand_of(self._states, seat), number), seat)
        before = self._states.tobytes()
        door.decide(self._layouts, self._states, 0, seat, number, self._trail)
        return self._happened(before, step)

    def _ask(self, seat: int, action: str | int | Action) -> tuple[int, Refusal | None]:
        """Read an action and ask the kernel about it: gives its number, and why it is refused if it is."""
        self._check_seat(seat)
        is_asked = door.asked(self._layouts, self._states, 0) >> seat & 1
        try:
            number = self._read(seat, action) if is_asked else 0  # from a seat that is not asked, nothing is right
        except IllegalAction as error:  # a play of cards that has no number
            return 0, error.refusal
        reason = door.refusal(self._layouts, self._states, 0, seat, number)
        if not reason:
            return number, None
        return number, explain(self.variant, self._layouts[0], self._states[0], seat, number, reason)

    def _read(self, seat: int, action: str | int | Action) -> int:
        if isinstance(action, str):
            return read_action(self.variant, hand_of(self._states, seat), action)
        if not 0 <= int(action) < ACTIONS:
            raise NotationError(f"{int(action)} is no action; actions are numbered from 0 to {ACTIONS - 1}.")
        return int(action)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise QwixxError(f"Seats are numbered from 0 to {self.seats - 1}; there is no seat {seat}.")

    # ---- history

    def _happened(self, before: bytes, step: Step) -> list[Event]:
        self._undo.append((before, len(self._record.steps), len(self._events)))
        self._record.steps.append(step)
        events = read_trail(self.variant, self._states[0], self._trail)
        self._events += events
        return events

    @property
    def last_step(self) -> Step | None:
        """The last roll or decision as the record writes it, None at the start."""
        return self._record.steps[-1] if self._record.steps else None

    def make_final(self) -> None:
        """Make everything so far final: it cannot be taken back any more, and the memory for that is free again."""
        self._undo.clear()

    def undo(self) -> None:
        """Take back the last roll or decision, whatever it caused."""
        if not self._undo:
            raise QwixxError("There is nothing to take back.")
        before, steps, events = self._undo.pop()
        self._states = np.frombuffer(before, STATE).copy()
        del self._record.steps[steps:]
        del self._events[events:]

    def copy(self) -> Self:
        """Give a game that goes on from here on its own."""
        twin = type(self).__new__(type(self))
        twin.variant = self.variant
        twin._layouts = self._layouts
        twin._luck = self._luck
        twin._states = self._states.copy()
        twin._start(GameRecord(dict(self._record.facts), list(self._record.steps)))
        twin._events = list(self._events)
        twin._undo = list(self._undo)
        return twin

    # ---- text

    def position(self) -> str:
        """Write where the game stands as one line; `from_position` reads it."""
        return write_position(self.variant, self._states)

    @classmethod
    def from_position(cls, text: str, *, variant: str | Path | Variant | None = None, seed: int | None = None) -> Self:
        """Set up a game from a position line; a sheet of your own has to be named. Raises `PositionError`."""
        given = None if variant is None else variant_of(variant)
        game = cls.__new__(cls)
        chance = take_seed(seed)
        game.variant, game._layouts, game._states = read_position(text, given)
        door.reseed(game._states, 0, chance)
        game._luck = int(luck_of(chance, np.uint64(0)))
        game._start(GameRecord({"start": game.position()}))
        if not game.variant.builtin:
            game._record.facts |= game._own_sheet()
        return game

    def record(self) -> str:
        """Write the game so far as a record; `from_record` replays it."""
        scores = self.scores() if self.is_over else None
        return str(GameRecord(self._record.facts, self._record.steps, scores))

    @classmethod
    def from_record(cls, text: str, *, variant: str | Path | Variant | None = None) -> Self:
        """Replay a record to its end. Raises `RecordError` with the line that cannot be replayed."""
        game = None
        for game in cls.replay(text, variant=variant):  # noqa: B007 - the last one is wanted
            pass
        assert game is not None
        return game

    @classmethod
    def replay(cls, text: str, *, variant: str | Path | Variant | None = None) -> Iterator[Self]:
        """Go through a record: give the same game after its opening and again after every step."""
        record = read_record(text)
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
        elif self.awaits_chance and step.word != _WORDS[self._fact("phase")]:
            raise RecordError(step.line, f"{step.word!r} does not fit phase {self.phase!r}.")
        else:
            self.set_roll(step.text)

    @classmethod
    def _open(cls, record: GameRecord, variant: str | Path | Variant | None) -> Self:
        facts = record.facts
        try:
            if variant is None and DRAWING in facts:
                variant = read_variant(facts[DRAWING], facts.get("sheet"))
            if "start" in facts:
                game = cls.from_position(facts["start"], variant=variant)
            else:
                source = facts["variant"] if variant is None else variant
                for named in (source, facts.get("sheet", "")):
                    if variant is None and str(named).endswith(".toml"):  # a text must not open files
                        raise QwixxError(f"{str(named)!r} is no id of a game or sheet.")
                lucky = facts["lucky"].split() if "lucky" in facts else None
                game = cls(
                    source, int(facts["seats"]), first=int(facts["first"]), sheet=facts.get("sheet"), lucky=lucky
                )
                played = (game.variant.id, game.variant.sheet or "classic")
                if played != (facts["variant"], facts.get("sheet", "classic")):
                    raise QwixxError(f"The record is of {facts['variant']!r}, not of {game.variant.id!r}.")
        except QwixxError as error:
            raise RecordError(1, str(error)) from None
        if facts.get("layout", layout_hash(game._layouts)) != layout_hash(game._layouts):
            raise RecordError(1, "it was played on another version of this sheet.")
        game._record.facts = dict(facts) if game.variant.builtin else {**facts, **game._own_sheet()}
        return game

    # ---- drawing, done elsewhere and only when asked for

    def __str__(self) -> str:
        from qwixx.render.text import table_text  # noqa: PLC0415 - drawing stands above the game

        return table_text(self.variant, self.view())

    def _repr_svg_(self) -> str:
        from qwixx.render.svg import table_svg  # noqa: PLC0415 - as above

        return table_svg(self.variant, self.view())
