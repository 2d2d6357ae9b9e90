"""
Perft: how many ways a game can go on for so many decisions when chance is scripted.

Two implementations of the rules that count the same have agreed on every legal action on the way. Seats that owe a
decision at the same time are asked in seat order, and nobody changes a decision. When chance is due, the next
scripted roll (or deck) falls; dice that have left are put aside. A line of play that is over, or for which no roll
is left, before it has as many decisions as were asked for counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

import numpy as np

from qwixx.errors import NotationError, QwixxError
from qwixx.game import Game
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, COLORS, DEAL, DECK, ROLL, SEATS, SHUFFLE, STATE, Ints, Records
from qwixx.kernel.trail import new_trail
from qwixx.notation import action_text, read_deck, read_roll
from qwixx.position import read_position

DEEPEST: Final = 64
LONGEST_FILE: Final = 1024 * 1024
ALL_ROLLS: Final = "all-rolls"


def perft(game: Game, depth: int, rolls: Sequence[str] = (), *, all_rolls: bool = False) -> int:
    """
    Count the ways a game can go on for `depth` decisions.

    With `all_rolls` the first roll to come is every roll there is, and the counts are summed up; the scripted ones
    come after it.

    >>> perft(Game("classic", seats=1), 2, ["34/2615"])
    41
    """
    walk = _Walk(game, depth, rolls)
    return sum(walk.count(depth) for _ in walk.first_rolls(all_rolls))


def divide(game: Game, depth: int, rolls: Sequence[str] = (), *, all_rolls: bool = False) -> dict[str, int]:
    """
    Count as `perft` does, told apart by the first decision: where two implementations differ, look there first.

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
    """The states on the way down, one below the other, so that going back up is free."""

    def __init__(self, game: Game, depth: int, rolls: Sequence[str]) -> None:
        if not 0 <= depth <= DEEPEST:
            raise QwixxError(f"Perft counts 0 to {DEEPEST} decisions deep, not {depth}.")
        self.variant = game.variant
        _, self.layouts, start = read_position(game.position(), game.variant)
        self.states: Records = np.zeros(depth + 1, STATE)
        self.states[0] = start[0]
        self.opening = self.states[:1].copy()
        self.rolls = tuple(rolls)
        self.trail = new_trail()
        self.actions = [np.zeros(ACTIONS, np.int32) for _ in range(depth + 1)]

    def first_rolls(self, all_rolls: bool) -> Iterator[None]:
        """Set the stage: as it is, or once for every roll that can come now."""
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
            door.set_dice(self.layouts, self.states, 0, np.array(roll, np.int32), self.trail)
            yield

    def count(self, depth: int, at: int = 0, used: int = 0) -> int:
        """Count the ways to make `depth` more decisions from the state at this step, `used` rolls having fallen."""
        if depth == 0:
            return 1
        used = self._let_chance(at, used)
        if used < 0:
            return 0
        seat = self._decider(at)
        choices = door.legal(self.layouts, self.states, at, seat, self.actions[at])
        if depth == 1:
            return choices
        return sum(self._after(depth, at, used, seat, choice) for choice in range(choices))

    def split(self, depth: int) -> Iterator[tuple[str, int]]:
        """Count as `count` does from the first state on, action by action."""
        used = self._let_chance(0, 0) if depth else -1
        if used < 0:
            return
        seat = self._decider(0)
        hand = [int(card) for card in self.states[0].hands[seat, : self.states[0].held[seat]]]
        for choice in range(door.legal(self.layouts, self.states, 0, seat, self.actions[0])):
            action = action_text(self.variant, hand, int(self.actions[0][choice]))
            yield action, self._after(depth, 0, used, seat, choice)

    def _after(self, depth: int, at: int, used: int, seat: int, choice: int) -> int:
        self.states[at + 1] = self.states[at]
        door.decide(self.layouts, self.states, at + 1, seat, self.actions[at][choice], self.trail)
        return self.count(depth - 1, at + 1, used)

    def _decider(self, at: int) -> int:
        """Give the first seat that owes a decision; -1, which has no legal action, when the game is over."""
        waiting = int(self.states[at].waiting)
        return next((seat for seat in range(SEATS) if waiting >> seat & 1), -1)

    def _let_chance(self, at: int, used: int) -> int:
        """Let scripted rolls fall as long as chance is due; give how many have fallen, -1 if one is missing."""
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
            refused = door.set_dice(self.layouts, self.states, at, dice, self.trail)
        else:
            layout = self.layouts[0]
            whole = (
                layout.deck[: layout.deck_size] if state.phase == DEAL else sorted(state.discards[: state.discarded])
            )
            cards = read_deck(roll, [int(card) for card in whole])
            deck: Ints = np.array((cards + [0] * DECK)[:DECK], np.int32)
            refused = door.set_deck(self.layouts, self.states, at, deck, len(cards), self.trail)
        if refused:
            raise QwixxError(f"The scripted roll {roll[:40]!r} cannot fall there.")


# ---- the file


@dataclass(slots=True)
class Count:
    """One promise of a perft file: so many ways at this depth."""

    depth: int
    nodes: int
    all_rolls: bool
    line: int


@dataclass(slots=True)
class Block:
    """A position, what happened since, the rolls to come, and the counts promised for it."""

    position: str
    line: int
    after: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    counts: list[Count] = field(default_factory=list)

    def game(self) -> Game:
        """Set the position up and play what happened since."""
        game = Game.from_position(self.position, seed=0)
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
    if not 1 <= depth <= DEEPEST:
        raise NotationError(f"{source}, line {number}: the depth is from 1 to {DEEPEST}, not {depth}.")
    return Count(depth, int(plain[1]), len(words) == 3, number)
