"""
Perft: the number of ways to continue a game for a given number of decisions, with scripted chance.

Two implementations of the rules with equal counts have agreed on every legal action on the way. Seats that owe a
decision at the same time are asked in seat order, and no seat changes its decision. When a roll or deal is due, the
next scripted one is used, without the dice that have left. A line of play that ends, or has no scripted roll left,
before the given number of decisions does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from qwixx.errors import NotationError, QwixxError
from qwixx.game.game import Game
from qwixx.game.position import read_position
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLORS, DEAL, DECK, ROLL, SEATS, SHUFFLE, STATE, Ints, Records
from qwixx.text.notation import action_text, read_deck, read_roll
from qwixx.variants.model import Variant

MAX_DEPTH: Final = 64
MAX_FILE_CHARS: Final = 1024 * 1024
ALL_ROLLS: Final = "all-rolls"


def perft(game: Game, depth: int, rolls: Sequence[str] = (), *, all_rolls: bool = False) -> int:
    """
    Return the number of ways to continue a game for `depth` decisions.

    With `all_rolls` the first roll is every possible roll, and the counts are added; the scripted ones come after it.

    >>> perft(Game("classic", seats=1), 2, ["34/2615"])
    41
    """
    walk = _Walk(game, depth, rolls)
    return sum(walk.count(depth) for _ in walk.first_rolls(all_rolls))


def divide(game: Game, depth: int, rolls: Sequence[str] = (), *, all_rolls: bool = False) -> dict[str, int]:
    """
    Return the counts of `perft` by the first decision: where two implementations differ, look there first.

    >>> divide(Game("classic", seats=1), 1, ["34/2615"])
    {'r7': 1, 'y7': 1, 'g7': 1, 'b7': 1, 'pass': 1}
    """
    walk = _Walk(game, depth, rolls)
    counts: dict[str, int] = {}
    for _ in walk.first_rolls(all_rolls):
        for action, nodes in walk.split(depth):
            counts[action] = counts.get(action, 0) + nodes
    return counts


class _Walk:
    """A depth-first walk with one state per level, so that going back up costs nothing."""

    def __init__(self, game: Game, depth: int, rolls: Sequence[str]) -> None:
        if not 0 <= depth <= MAX_DEPTH:
            raise QwixxError(f"Perft counts 0 to {MAX_DEPTH} decisions deep, not {depth}.")
        self.variant = game.variant
        _, self.layouts, start = read_position(game.position(), game.variant)
        self.states: Records = np.zeros(depth + 1, STATE)
        self.states[0] = start[0]
        self.opening = self.states[:1].copy()
        self.rolls = tuple(rolls)
        self.log = new_log()
        self.actions = [np.zeros(ACTIONS, np.int32) for _ in range(depth + 1)]

    def first_rolls(self, all_rolls: bool) -> Iterator[None]:
        """Yield once with the first state, or once for every roll that is possible now."""
        if not all_rolls:
            yield
            return
        if self.opening[0].phase != ROLL:
            raise QwixxError("All rolls are summed up where a roll of dice is due.")
        faces = range(1, int(self.layouts[0].sides) + 1)
        gone = int(self.opening[0].gone)
        dice = [faces, faces, *((0,) if gone >> color & 1 else faces for color in range(COLORS))]
        for roll in product(*dice):
            self.states[0] = self.opening[0]
            api.set_dice(self.layouts, self.states, 0, np.array(roll, np.int32), self.log)
            yield

    def count(self, depth: int, at: int = 0, used: int = 0) -> int:
        """Return the number of ways to make `depth` more decisions from level `at`, after `used` scripted rolls."""
        if depth == 0:
            return 1
        used = self._resolve_chance(at, used)
        if used < 0:
            return 0
        seat = self._decider(at)
        choices = api.legal(self.layouts, self.states, at, seat, self.actions[at])
        if depth == 1:
            return choices
        return sum(self._after(depth, at, used, seat, choice) for choice in range(choices))

    def split(self, depth: int) -> Iterator[tuple[str, int]]:
        """Yield the counts of `count` from the first state, action by action."""
        used = self._resolve_chance(0, 0) if depth else -1
        if used < 0:
            return
        seat = self._decider(0)
        hand = [int(card) for card in self.states[0].hands[seat, : self.states[0].held[seat]]]
        for choice in range(api.legal(self.layouts, self.states, 0, seat, self.actions[0])):
            action = action_text(self.variant, hand, int(self.actions[0][choice]))
            yield action, self._after(depth, 0, used, seat, choice)

    def _after(self, depth: int, at: int, used: int, seat: int, choice: int) -> int:
        self.states[at + 1] = self.states[at]
        api.decide(self.layouts, self.states, at + 1, seat, self.actions[at][choice], self.log)
        return self.count(depth - 1, at + 1, used)

    def _decider(self, at: int) -> int:
        """Return the first seat that owes a decision; -1, which has no legal action, when the game is over."""
        waiting = int(self.states[at].waiting)
        return next((seat for seat in range(SEATS) if waiting >> seat & 1), -1)

    def _resolve_chance(self, at: int, used: int) -> int:
        """Use scripted rolls while chance is due; return how many are used, -1 if one is missing."""
        while self.states[at].phase in (ROLL, DEAL, SHUFFLE):
            if used == len(self.rolls):
                return -1
            self._chance(at, self.rolls[used])
            used += 1
        return used

    def _chance(self, at: int, roll: str) -> None:
        state = self.states[at]
        if state.phase == ROLL:
            dice = read_roll(roll)
            for color in range(COLORS):
                if state.gone >> color & 1:
                    dice[2 + color] = 0
            refused = api.set_dice(self.layouts, self.states, at, dice, self.log)
        else:
            layout = self.layouts[0]
            whole = (
                layout.deck[: layout.deck_size] if state.phase == DEAL else sorted(state.discards[: state.discarded])
            )
            cards = read_deck(roll, [int(card) for card in whole])
            deck: Ints = np.array((cards + [0] * DECK)[:DECK], np.int32)
            refused = api.set_deck(self.layouts, self.states, at, deck, len(cards), self.log)
        if refused:
            raise QwixxError(f"The scripted roll {roll[:40]!r} cannot fall there.")


# ---- the file


@dataclass(slots=True)
class Count:
    """One count of a perft file: the expected number of ways at a depth."""

    depth: int
    nodes: int
    all_rolls: bool
    line: int


@dataclass(slots=True)
class Block:
    """A position, the moves since, the rolls to come, and the expected counts."""

    position: str
    line: int
    after: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    counts: list[Count] = field(default_factory=list)

    def game(self, variant: str | Path | Variant | None = None) -> Game:
        """Return the game at the position after the moves since; a custom sheet needs `variant`."""
        game = Game.from_position(self.position, variant=variant, seed=0)
        for word in self.after:
            if game.awaits_chance:
                game.set_roll(word)
            elif game.is_over:
                raise QwixxError("The game is over before all of 'after' is played.")
            else:
                game.decide(min(game.deciders()), word)
        return game


def read_perft(text: str, source: str = "The perft file") -> list[Block]:
    """Read a perft file; docs/formats.md describes it. Raises `NotationError` naming the line."""
    blocks: list[Block] = []
    block: Block | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line:
            block = None
        if not line or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "position" and block is None:
            block = Block(rest.strip(), number)
            blocks.append(block)
        elif block is None or word not in ("rolls", "after", "perft"):
            wanted = "'position ...'" if block is None else "'after ...', 'rolls ...' or 'perft DEPTH NODES'"
            raise NotationError(f"{source}, line {number}: expected {wanted}, found {line[:40]!r}.")
        elif word == "perft":
            block.counts.append(_read_count(rest.split(), number, source))
        else:
            setattr(block, word, getattr(block, word) + tuple(rest.split()))
    return blocks


def _read_count(words: list[str], number: int, source: str) -> Count:
    plain = [word for word in words if word != ALL_ROLLS]
    fits = len(plain) == 2 and words[2:] in ([], [ALL_ROLLS])
    if not fits or not all(word.isascii() and word.isdecimal() and len(word) < 16 for word in plain):
        raise NotationError(f"{source}, line {number}: expected 'perft DEPTH NODES', such as 'perft 2 41'.")
    depth = int(plain[0])
    if not 1 <= depth <= MAX_DEPTH:
        raise NotationError(f"{source}, line {number}: the depth is from 1 to {MAX_DEPTH}, not {depth}.")
    return Count(depth, int(plain[1]), len(words) == 3, number)
