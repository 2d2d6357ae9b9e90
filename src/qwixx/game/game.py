"""
The front desk: names in, names out, no rules.

A `Game` holds one state and asks the kernel everything: what is legal, what happens, who has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from qwixx.chance import WORDS, chance_text, scripted_deck, take_seed
from qwixx.errors import PositionError, QwixxError, RecordError
from qwixx.events import Event
from qwixx.imagining import MOVING, Sightings, imagine
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, COLORS, ROLL, STATE, Records, word_of
from qwixx.kernel.refusals import NO_CHANCE_NOW
from qwixx.kernel.rng import luck_of
from qwixx.kernel.trail import new_trail
from qwixx.notation import Action, lucky_text, read_lucky, read_roll, roll_text
from qwixx.phrases import phrases_of
from qwixx.position import read_position, write_position
from qwixx.question import hand_of
from qwixx.reasons import explain_chance
from qwixx.record import DRAWING, GameRecord, Step, read_record
from qwixx.standing import Outcome, Standing, copied
from qwixx.variants import read_variant, variant_of
from qwixx.variants.compile import compile_layout, layout_hash
from qwixx.variants.model import Variant
from qwixx.variants.write import variant_text
from qwixx.wanted import described, whole_number
from qwixx.wanted import text as wanted_text

__all__ = ["Game", "Outcome"]

_PHASE, _DICE = (word_of(STATE, name) for name in ("phase", "dice"))
_MADE_ANEW = ("_layouts", "_states", "_words", "_room", "_trial", "_watching", "_trail", "_phrases", "_drawn")
"""Attributes that a pickle leaves out: they follow from the variant and the words of the state."""


class Game(Standing):
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
        self.variant = variant_of(variant, sheet)
        seats = whole_number(seats, "The number of seats")
        self.variant.check_seats(seats)
        begins = -1 if first is None else whole_number(first, "The first seat")
        if first is not None and not 0 <= begins < seats:
            raise QwixxError(f"The first seat is from 0 to {seats - 1}, not {first}.")
        number = whole_number(number, "The number of a game")
        if not 0 <= number < 1 << 63:
            raise QwixxError(f"Games of a run are counted from 0; there is no game {number}.")
        chance = take_seed(seed)
        self._luck = int(luck_of(chance, np.uint64(number)))
        self._layouts = compile_layout(self.variant)
        states: Records = np.zeros(1, STATE)
        door.begin(self._layouts, states, 0, chance, np.uint64(number), seats, begins)
        self._stand(states)
        if lucky is not None:
            self._set_lucky(lucky)
        self._start(GameRecord(self._opening(seed)))

    def _start(self, record: GameRecord) -> None:
        """Begin to write down what happens."""
        self._phrases = phrases_of(self.variant, self._layouts)
        self._trail = new_trail()
        self._record = record
        self._events: list[Event] = []
        self._past: list[tuple[bytes, int]] = []
        """For each step that can be taken back: the state before it, and how many events there were."""
        self._future: list[tuple[bytes, Step, list[Event]]] = []
        """For each step taken back: the state after it, what it was, and what happened."""
        self._origin = b""
        """The state at which the game began, if that was no opening."""
        self._first_seen = Sightings()
        self._seen = 0, self._first_seen
        """Card games: how many steps have been followed, and what was seen of the cards up to there."""

    def _set_lucky(self, lucky: Sequence[str]) -> None:
        wanted = f"Lucky numbers are a pair for each of the {self.seats} seats, such as '6/11'"
        if isinstance(lucky, str) or not isinstance(lucky, Sequence):
            raise QwixxError(f"{wanted}, not {described(lucky)}.")
        pairs = [read_lucky(self.variant, wanted_text(each, wanted)) for each in lucky]
        if len(pairs) != self.seats:
            raise QwixxError(f"{wanted}.")
        for seat, pair in enumerate(pairs):
            self._states[0].sheets[seat].lucky[:] = pair

    def _opening(self, seed: int | None) -> dict[str, str]:
        facts = {"variant": self.variant.id, "seats": str(self.seats), "first": str(self.active)}
        if self.variant.is_cards and self.variant.sheet != "classic":
            facts["sheet"] = self.variant.sheet
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

    # ---- chance

    def roll(self) -> list[Event]:
        """Let chance have its turn: roll the dice, deal, or shuffle the discards."""
        before = self._words.tobytes()
        return self._chance(before, door.roll(self._layouts, self._states, 0, self._trail))

    def set_roll(self, text: str) -> list[Event]:
        """Script chance: dice such as `34/2615`, or in the card games a deck such as `r4,g12,...`."""
        wanted_text(text, "A roll is a text such as '34/2615', a deck one such as 'r4,g12,...'")
        before = self._words.tobytes()
        phase = self._words.item(_PHASE)
        if phase not in WORDS:
            return self._chance(before, NO_CHANCE_NOW)
        if phase == ROLL:
            return self._chance(before, door.set_dice(self._layouts, self._states, 0, read_roll(text), self._trail))
        deck, size = scripted_deck(self._layouts[0], self._states[0], text)
        return self._chance(before, door.set_deck(self._layouts, self._states, 0, deck, size, self._trail))

    def _chance(self, before: bytes, reason: int) -> list[Event]:
        """Write down what chance did, or say why it could not."""
        if reason:
            raise explain_chance(self.variant, self._states[0], reason).error()
        was = np.frombuffer(before, np.int32).item(_PHASE)
        if was == ROLL:
            text = roll_text(self._words[_DICE : _DICE + 2 + COLORS].tolist())
        else:
            text = chance_text(np.frombuffer(before, STATE)[0], self._states[0])
        return self._happened(before, Step(text, None, WORDS[was]), text)

    def imagine(self, seat: int | None, seed: int | None = None) -> Self:
        """
        Give a game as it could be for all that a seat knows: everything hidden from it is drawn anew.

        Other hands, the colors of the display and the pile (K2), what others have chosen in an open window (C3) and the
        chance to come are drawn so that they fit what the seat has seen since the game began: the numbers that others
        took, the cards that were played, and which cards were shuffled again. All deals and shuffles that look alike to
        the seat have the same chance. Nothing can be taken back in the new game, and its record begins with its
        position. Without a seat it is what a spectator could imagine.
        """
        whose = -1 if seat is None else self._seat(seat)
        chance = take_seed(seed)
        twin = self.copy()
        states, seen = imagine(self._layouts, self._states, self._sightings(), whose, int(chance))
        twin._stand(states)
        twin._luck = int(luck_of(chance, np.uint64(0)))
        twin._start(GameRecord({}))
        twin._origin = twin._words.tobytes()
        twin._events = list(self._events)
        twin._first_seen, twin._seen = seen, (0, seen)
        return twin

    def _sightings(self) -> Sightings:
        """Follow the cards up to now, from where they were followed before."""
        steps = len(self._record.steps)
        followed, sightings = self._seen
        if self.variant.is_cards and (followed < steps or not sightings.looks):
            states = [before for before, _ in self._past]
            if len(states) < steps:  # they were made final
                states = [game._words.tobytes() for game in Game.replay(self.record(), variant=self.variant)][:-1]
            states.append(self._words.tobytes())
            sightings = sightings.copy()
            if not sightings.looks:
                sightings.look(np.frombuffer(states[0], STATE)[0])
            for before, after in zip(states[followed:], states[followed + 1 :], strict=False):
                if np.frombuffer(before, np.int32).item(_PHASE) in MOVING:
                    sightings.look(np.frombuffer(after, STATE)[0])
            self._seen = steps, sightings
        return sightings

    # ---- deciding

    def decide(self, seat: int, action: str | int | Action) -> list[Event]:
        """
        Decide for a seat; the last decision of a phase resolves it. Gives what happened.

        Raises `NotationError` for text that is no action, `NotYourTurn` if the seat is not asked, and
        `IllegalAction`, both with their `refusal`; then nothing has changed.
        """
        if type(seat) is not int or not 0 <= seat < self._count:
            seat = self._seat(seat)
        number = self._quickly(action)
        if number is None:
            number, refusal = self._ask(seat, action)
            if refusal is not None:
                raise refusal.error()
        before = self._words.tobytes()
        if door.decide(self._layouts, self._states, 0, seat, number, self._trail):
            _, refusal = self._ask(seat, action)
            assert refusal is not None, "refused twice"
            raise refusal.error()
        step = self._phrases.steps.get((seat, number))
        if step is None:
            step = self._phrases.step(seat, number, hand_of(np.frombuffer(before, STATE), seat))
        return self._happened(before, step)

    def _quickly(self, action: object) -> int | None:
        """Give the number of an action that needs no reading; whether it is allowed is the kernel's to say."""
        if type(action) is str:
            return self._phrases.numbers.get(action)
        number = action.id if type(action) is Action else action
        return number if type(number) is int and 0 <= number < ACTIONS else None

    # ---- history

    def _happened(self, before: bytes, step: Step, roll: str = "") -> list[Event]:
        self._past.append((before, len(self._events)))
        self._future.clear()
        self._record.steps.append(step)
        events = self._phrases.events(self._trail[1 : self._trail.item(0)].tolist(), roll)
        self._events += events
        return events

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened so far."""
        return tuple(self._events)

    @property
    def last_step(self) -> Step | None:
        """The last roll or decision as the record writes it, None at the start."""
        return self._record.steps[-1] if self._record.steps else None

    def make_final(self) -> None:
        """Make everything so far final: it cannot be taken back any more, and the memory for that is free again."""
        self._past.clear()
        self._future.clear()

    def undo(self) -> None:
        """Take back the last roll or decision, whatever it caused."""
        if not self._past:
            raise QwixxError("There is nothing to take back.")
        before, events = self._past.pop()
        self._future.append((self._words.tobytes(), self._record.steps.pop(), self._events[events:]))
        self._words[:] = np.frombuffer(before, np.int32)
        del self._events[events:]
        if self._seen[0] > len(self._record.steps):
            self._seen = 0, self._first_seen

    def redo(self) -> list[Event]:
        """Do again what was taken back last, dice and all. Gives what happened; a new roll or decision forgets it."""
        if not self._future:
            raise QwixxError("There is nothing to do again.")
        after, step, events = self._future.pop()
        self._past.append((self._words.tobytes(), len(self._events)))
        self._words[:] = np.frombuffer(after, np.int32)
        self._record.steps.append(step)
        self._events += events
        return list(events)

    def copy(self) -> Self:
        """Give a game that goes on from here on its own, with all that can be taken back."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._stand(copied(self._words))
        twin._trail = new_trail()
        twin._record = GameRecord(dict(self._record.facts), list(self._record.steps))
        twin._events, twin._past, twin._future = list(self._events), list(self._past), list(self._future)
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self.copy()  # what it shares with the first nobody can change

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in _MADE_ANEW}
        return {**kept, "state": self._words.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        words = np.frombuffer(kept.pop("state"), np.int32)
        self.__dict__.update(kept)
        self._stand(copied(words))
        self._layouts = compile_layout(self.variant)
        self._phrases = phrases_of(self.variant, self._layouts)
        self._trail = new_trail()

    # ---- text

    @classmethod
    def from_position(cls, text: str, *, variant: str | Path | Variant | None = None, seed: int | None = None) -> Self:
        """Set up a game from a position line; a sheet of your own has to be named. Raises `PositionError`."""
        if not isinstance(text, str):
            raise PositionError([f"it is a text such as 'classic | - | -', not {described(text)}"])
        given = None if variant is None else variant_of(variant)
        game = cls.__new__(cls)
        chance = take_seed(seed)
        game.variant, game._layouts, states = read_position(text, given)
        door.reseed(states, 0, chance)
        game._stand(states)
        game._luck = int(luck_of(chance, np.uint64(0)))
        game._start(GameRecord({}))
        game._origin = states.tobytes()
        return game

    def _facts(self) -> dict[str, str]:
        """Give what the record says before its first step; what takes long to write is written when it is asked for."""
        facts = self._record.facts
        if not facts:
            facts["start"] = write_position(self.variant, np.frombuffer(self._origin, STATE))
        if not self.variant.builtin and DRAWING not in facts:
            facts |= self._own_sheet()
        return facts

    def record(self) -> str:
        """Write the game so far as a record; `from_record` replays it."""
        scores = self.scores() if self.is_over else None
        return str(GameRecord(self._facts(), self._record.steps, scores))

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
        record = read_record(wanted_text(text, "A record is a text"))
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
        elif self.awaits_chance and step.word != WORDS[self._words.item(_PHASE)]:
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
        game._record.facts = dict(facts)
        if not game.variant.builtin:
            game._record.facts |= game._own_sheet()
        return game
