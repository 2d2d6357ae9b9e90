"""
The meaning of the numbers of observations and actions: one description for every adapter, the docs and the tests.

>>> from qwixx.rl.spaces import describe
>>> space = describe("classic", seats=2)
>>> space.actions, space.size
(61, 137)
>>> space.action_text(5), space.action_text(60)
('r7', 'pass')
>>> [field.name for field in space.fields][:3]
['own.cells', 'own.locks', 'own.counts']
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from qwixx.errors import NotationError, QwixxError
from qwixx.kernel.effects import LEARNERS
from qwixx.kernel.state.records import (
    ACTIONS,
    COLORS,
    CROSSINGS,
    DISPLAY,
    HAND,
    JOKER,
    MORE,
    PASS,
    PLAYS,
    POSITIONS,
    ROWS,
    SMALLS,
    SUBSETS,
    TAKES,
    TIES,
    TRACK,
    WITH_SMALL,
    Ints,
    PlacedEntry,
    Record,
    Records,
    seat_entries,
    table_entries,
)
from qwixx.kernel.window import cell_of, tie_of
from qwixx.rl.encode import IN_HAND, Bytes, has_more, to_kernel
from qwixx.text.notation import action_text, cell_text, read_mark
from qwixx.variants import variant_of
from qwixx.variants.features import declared_fields, features_of, supported_by
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import COLOR_NAMES, Variant

Entry = tuple[str, int, int, str]
"""A field without its position: name, size, largest value, meaning."""
ENCODABLE: Final = supported_by(LEARNERS) | {
    *("cards", "jokers", "personal-rows", "shared-board", "pawns"),
    *("twice", "stairs", "chain", "exchange", "track", "small-fields", "bonus-rows"),
}
"""The supported features (`variants.features`); new fields are found automatically, any other feature is refused."""
VERSIONS: Final = (0, 1)
"""The versions of the dice games and of the card games, in the ids of environments (docs/environments.md)."""
REWARDS: Final = ("margin", "win", "score", "gain")
"""Kinds of rewards: at the end by margin, win or score, or at every step by the gain of the current score."""


@dataclass(frozen=True, slots=True)
class Field:
    """Some neighboring entries of an observation: their position, their largest value and their meaning."""

    name: str
    start: int
    size: int
    high: int
    """The largest value; the smallest is 0."""
    meaning: str

    @property
    def slice(self) -> slice:
        """The position of the entries in the vector."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True)
class Space:
    """A variant at a number of seats, as an environment: its actions and its observation."""

    variant: Variant
    seats: int

    @cached_property
    def layouts(self) -> Records:
        """The compiled variant."""
        return compile_layout(self.variant)

    @property
    def version(self) -> int:
        """The version of observations and actions, which environments have in their ids."""
        return version_of(self.variant)

    # ---- actions

    @property
    def actions(self) -> int:
        """The number of actions; they are numbered from 0."""
        if self.variant.is_cards:
            return MORE - (TAKES - TIES)
        if has_more(self.layouts[0]):
            return ACTIONS - (MORE - TIES)
        return TAKES if self.layouts[0].has_ties else TIES

    @cached_property
    def kernel_actions(self) -> Ints:
        """The kernel's number for each compact action (`qwixx.Game` takes these)."""
        compact = np.arange(self.actions, dtype=np.int32)
        layout = self.layouts[0]
        return np.array([int(to_kernel(layout, int(action))) for action in compact], np.int32)

    @cached_property
    def compact_actions(self) -> Ints:
        """The compact number for each of the kernel's actions, -1 where this variant has no such action."""
        compact = np.full(ACTIONS, -1, np.int32)
        compact[self.kernel_actions] = np.arange(self.actions)
        return compact

    def action_text(self, action: int) -> str:
        """
        Return the text of a compact action: `r7`, `pass`, `y11>r`, `take:1,3`, or for any hand `play:1,2 as r=1`.

        Plays name places of the hand, counted from 1, the color they are played as, and the places that are crossed.
        Numbers of cells that this sheet does not have are '-'.
        """
        if not 0 <= action < self.actions:
            raise QwixxError(f"{action} is no action; {self.variant.id} has the actions 0 to {self.actions - 1}.")
        number = int(self.kernel_actions[action])
        if number == PASS:
            return "pass"
        if number >= MORE:
            return self._more_text(number)
        if number < TAKES:
            tie, cell = int(tie_of(number)), int(cell_of(number))
            if cell % POSITIONS >= len(self.variant.rows[cell // POSITIONS].cells):
                return "-"
            return cell_text(self.variant, cell) + ("" if tie < 0 else f">{self.variant.rows[tie].key}")
        if number < PLAYS:
            return "take:" + _places(number - TAKES)
        subset, rest = divmod(number - PLAYS, COLORS * CROSSINGS)
        color, crosses = divmod(rest, CROSSINGS)
        held = [place for place in range(HAND) if SUBSETS[subset] >> place & 1]
        crossed = sum(1 << place for index, place in enumerate(held) if crosses >> index & 1)
        return f"play:{_places(SUBSETS[subset])} as {list(COLOR_NAMES)[color]}={_places(crossed) or '-'}"

    def _more_text(self, number: int) -> str:
        """Return the text of an action that is not one cell of a row, `-` if this sheet has no such action."""
        try:
            text = action_text(self.variant, (), number)
            return text if read_mark(self.variant, text) == number else "-"
        except (IndexError, NotationError):
            return "-"

    # ---- observations

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The entries of an observation, in the order in which `rl.encode` writes them."""
        return _fields(_entries(self.variant, self.seats))

    @property
    def size(self) -> int:
        """How many entries an observation has."""
        return self.fields[-1].start + self.fields[-1].size

    def high(self) -> Bytes:
        """Return the largest value of each entry; the smallest is 0."""
        return _high(self.fields)

    def state_high(self) -> Bytes:
        """Return the largest value of each entry of the whole state; the smallest is 0."""
        return _high(self.state_fields)

    def named(self, observation: Bytes) -> dict[str, Bytes]:
        """Split an observation into its fields; the parts are views of it."""
        return {field.name: observation[..., field.slice] for field in self.fields}

    def observation_text(self, observation: Bytes) -> str:
        """Return an observation as a text: every field that is not all zeros."""
        parts = [(name, values) for name, values in self.named(observation).items() if values.any()]
        return " ".join(f"{name}={','.join(map(str, values.tolist()))}" for name, values in parts)

    # ---- the full state

    @cached_property
    def state_fields(self) -> tuple[Field, ...]:
        """The entries of the full state, including hidden information, by seat: for critics that may see everything."""
        return _fields(_state_entries(self.variant, self.seats))

    @property
    def state_size(self) -> int:
        """The number of entries of the full state."""
        return self.state_fields[-1].start + self.state_fields[-1].size

    # ---- rewards

    def score_range(self) -> tuple[int, int]:
        """Return generous bounds of a seat's score: every row full, every bonus paid; every miss."""
        layout = self.layouts[0]
        longest = int(layout.points[: layout.points_crosses + 1].max())
        doubled = int("double-fewest" in self.variant.pairs.values())
        bonus = int(layout.pair_points.sum()) + int(layout.track.max())
        rows = ROWS + doubled + int(bool(self.variant.stairs))
        return -int(layout.end_misses * layout.miss_points), rows * longest + bonus

    def reward_range(self, rewards: str) -> tuple[float, float]:
        """Return bounds of the sum of a seat's rewards over a game."""
        low, high = self.score_range()
        if self.seats == 1 or rewards in ("score", "gain"):
            return float(low), float(high)
        return (-1.0, 1.0) if rewards == "win" else (float(low - high), float(high - low))


def describe(
    variant: str | Path | Variant = "classic", seats: int | None = None, sheet: str | Path | None = None
) -> Space:
    """
    Describe a variant as an environment; the default for `seats` is two.

    Raises `QwixxError`, a `ValueError`, for a game that does not exist, is not played with this number of seats, or has
    a feature that observations do not show.
    """
    found = variant_of(variant, sheet)
    wanted = 2 if seats is None else seats
    found.check_seats(wanted)
    space = Space(found, int(wanted))
    unknown = features_of(space.layouts) - ENCODABLE - declared_fields()
    if unknown:
        raise QwixxError(f"{found.id!r} cannot be shown to learners: they would not see {', '.join(sorted(unknown))}.")
    return space


def version_of(variant: Variant) -> int:
    """Return the version of a variant's observations and actions."""
    return VERSIONS[variant.is_cards]


def check_rewards(rewards: str, seats: int, known: tuple[str, ...] = REWARDS) -> int:
    """Return the number of a kind of rewards. Raises `QwixxError` for an unknown one, or one that needs opponents."""
    if rewards not in known:
        raise QwixxError(f"There are no rewards {rewards!r}; there are {', '.join(known)}.")
    if rewards == "win" and seats == 1:
        raise QwixxError("With one seat there is nobody to win against; rewards are score, margin (the same) or gain.")
    return REWARDS.index(rewards)


def _places(mask: int) -> str:
    return ",".join(str(place + 1) for place in range(HAND) if mask >> place & 1)


def _fields(entries: list[Entry]) -> tuple[Field, ...]:
    """Assign positions to entries, one after the other."""
    fields: list[Field] = []
    for name, size, high, meaning in entries:
        start = fields[-1].start + fields[-1].size if fields else 0
        fields.append(Field(name, start, size, high, meaning))
    return tuple(fields)


def _high(fields: tuple[Field, ...]) -> Bytes:
    return np.concatenate([np.full(field.size, field.high, np.int8) for field in fields])


def _entries(variant: Variant, seats: int) -> list[Entry]:
    """List the fields of an observation."""
    entries = _open_entries(variant, seats, ["own.", *(f"next{seat}." for seat in range(1, seats))])
    if seats > 1 and not variant.is_duel:
        entries += _choice_entries(variant)
    if variant.deck is not None:
        for place in range(HAND):
            entries.append((f"hand{place + 1}.number", 1, variant.deck.numbers[-1], "number of the card; 0 for none"))
            entries.append((f"hand{place + 1}.color", JOKER + 1, 1, "one of red, yellow, green, blue, joker"))
    return entries


def _state_entries(variant: Variant, seats: int) -> list[Entry]:
    """List the fields of the full state."""
    names = [f"seat{seat}." for seat in range(seats)]
    entries = _open_entries(variant, seats, names)
    if seats > 1 and not variant.is_duel:
        for name in names:
            entries += [(name + field, size, high, meaning) for field, size, high, meaning in _choice_entries(variant)]
    if variant.deck is not None:
        meaning = "where each card lies: pile, on top of it, the display's places, discards, the hands by seats"
        entries.append(("cards", _deck_size(variant), IN_HAND + seats - 1, meaning))
    return entries


def _open_entries(variant: Variant, seats: int, names: list[str]) -> list[Entry]:
    """List the public fields: all sheets, under the names of their seats, and the table."""
    entries: list[Entry] = []
    layout = compile_layout(variant)[0]
    for name in names:
        entries += _declared(layout, seat_entries(layout), name)
    entries += _table_entries(variant, seats)
    return entries + _card_entries(variant) if variant.deck is not None else entries


def _choice_entries(variant: Variant) -> list[Entry]:
    """List the fields of a choice in the open window."""
    longest = max(len(row.cells) for row in variant.rows)
    entries = [
        ("choice.made", 1, 1, "1: this seat has decided in the open window"),
        ("choice.row", 1, ROWS, "row it chose, from 1; 0 for a pass or nothing yet"),
        ("choice.position", 1, longest, "position it chose, from 1; 0 for a pass or nothing yet"),
    ]
    if compile_layout(variant)[0].has_ties:
        entries.append(("choice.tie", 1, ROWS, "row it named for a tie, from 1; 0 for none"))
    if has_more(compile_layout(variant)[0]):
        meaning = f"bonus cell it chose, from 1; {TRACK - MORE + 1}: track; above: small field"
        entries.append(("choice.more", 1, WITH_SMALL - MORE + SMALLS, meaning))
    return entries


def _table_entries(variant: Variant, seats: int) -> list[Entry]:
    phases = ("draw", "number", "play", "over") if variant.is_cards else ("white", "color", "over")
    layout = compile_layout(variant)[0]
    entries = [
        ("phase", len(phases), 1, f"one of {', '.join(phases)}; none while chance has its turn"),
        ("active", seats, 1, "one of the seats, this one first, then clockwise"),
        *_declared(layout, table_entries(layout)),
    ]
    if variant.is_duel:
        longest = max(len(row.cells) for row in variant.rows)
        entries += [
            ("first.row", 1, ROWS, "row of the pawn placed in action 1 of this turn, from 1; 0 for none"),
            ("first.position", 1, longest, "its position, from 1; 0 for none"),
        ]
    return entries


def _declared(layout: Record, placed: list[PlacedEntry], prefix: str = "") -> list[Entry]:
    """List the entries that are declared beside the fields of sheets and table."""
    entries = [each.entry for each in placed]
    return [(prefix + entry.name, entry.size(layout), entry.high(layout), entry.meaning) for entry in entries]


def _deck_size(variant: Variant) -> int:
    assert variant.deck is not None
    return len(variant.deck.numbers) * (COLORS + int(variant.deck.jokers))


def _card_entries(variant: Variant) -> list[Entry]:
    assert variant.deck is not None
    most = variant.deck.numbers[-1]
    deck = _deck_size(variant)
    return [
        ("display", DISPLAY, most, "numbers of the display; 0 for an empty place"),
        ("top", 1, most, "number on top of the pile; 0 for an empty pile"),
        ("pile", 1, deck, "cards in the pile"),
        ("discards", deck, 1, "1: the card lies in the discards; red, yellow, green, blue, jokers, small ones first"),
    ]
