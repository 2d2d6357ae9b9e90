"""
Information states with perfect recall, and resampling of hidden information.

A `Memory` follows the history of a game, roll by roll and decision by decision. Its text for a player identifies the
player's information state, with perfect recall: what was visible and when, decisions once they were shown, the numbers
of all hands, and the cards that came into its own hand (C3, K2, K3, K11). A `Resampling` is another game with the same
text for the player, in which hidden cards and open choices are drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from qwixx.game.determinize import CARD_PHASES, CardTracker, TrackedCard, determinize_choices, redealt
from qwixx.kernel import api
from qwixx.kernel.state.records import DEAL, NO_CARD, NO_CHOICE, PLAY, SHUFFLE, TOTALS, Records
from qwixx.rl import chance_nodes
from qwixx.rl.chance_game import Progress, Rules
from qwixx.text.action_parser import read_action
from qwixx.text.notation import action_text, card_text, roll_text


class Memory(Progress):
    """
    The public information up to a point of a game's history, and where every card has been.

    It does not change once a state holds it, so that copies of the state share it; `after` returns the next one.
    """

    def __init__(self, rules: Rules, start: Records | None) -> None:
        """Begin with the game."""
        self.begin(rules, start)
        self.followed = 0
        """How many entries of the history have been followed: decisions, and outcomes of chance."""
        self.public_text = ""
        self.open: dict[int, str] = {}
        """The decisions of seats in the open window: not shown to others yet (C3)."""
        self.tracker = CardTracker()
        if start is not None:
            self._read_start()

    def _read_start(self) -> None:
        """Read the position in which the game begins, and the decisions in its window."""
        state, variant = self._states[0], self._rules.space.variant
        if self._rules.deck and state.phase != DEAL:
            self.tracker.update(state)
        for seat, choice in enumerate(state.choices[: state.seats].tolist()):
            if choice != NO_CHOICE:
                self.open[seat] = action_text(variant, (), choice)

    def __deepcopy__(self, memo: dict[int, Any]) -> Memory:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()  # rebuilt from the history when it is needed

    @property
    def hidden(self) -> int:
        """How many entries at the end of the history are not public: open choices, or an unfinished roll or deal."""
        if self.is_before_play:
            return 0
        before = 0 if self.public_text or self._start is None else int((self._start["choices"] != NO_CHOICE).sum())
        return len(self._drawn) + len(self.open) - before

    # ---- following a game

    def after(self, history: Sequence[int]) -> Memory:
        """Follow a game to the end of its history, of which this is a part."""
        if len(history) == self.followed:
            return self
        later = Memory.__new__(Memory)
        vars(later).update(vars(self))
        later._states = self._states.copy()
        later._drawn, later._rest, later.open = self._drawn.copy(), self._rest.copy(), self.open.copy()
        later.tracker = self.tracker.copy()
        for actions in later.steps(history[self.followed :]):
            later.follow(actions)
        later.followed = len(history)
        return later

    def steps(self, history: Sequence[int]) -> Iterator[Sequence[int]]:
        """Split a history: an action for each step, or one for each seat at a simultaneous node."""
        at = 0
        while at < len(history):
            size = self._rules.space.seats if self._player == chance_nodes.TOGETHER else 1
            yield history[at : at + size]
            at += size

    def follow(self, actions: Sequence[int]) -> None:
        """Follow one step, and add what becomes public."""
        phase = int(self._states["phase"][0])
        if self._player == chance_nodes.CHANCE:
            self._follow_lot(actions[0], phase)
            return
        seats = range(len(actions)) if self._player == chance_nodes.TOGETHER else [self._player]
        waiting = int(self._states["waiting"][0])
        for seat, action in zip(seats, actions, strict=True):
            self.open[seat] = self.text_of(seat, action)
            waiting &= ~(1 << seat)
        if self._player == chance_nodes.TOGETHER:
            self.take_together(actions)
        else:
            self.take(actions[0])
        if not waiting:
            self.public_text += "".join(f" {seat}:{text}" for seat, text in sorted(self.open.items()))
            self.open = {}
            self._read_table(phase)

    def _follow_lot(self, outcome: int, phase: int) -> None:
        """Follow an outcome of chance: dice and cards become public when the last of them is drawn."""
        before_play = self.is_before_play
        words = self.text_of(chance_nodes.CHANCE, outcome)
        self.take(outcome)
        if before_play:
            self.public_text += f" {words}"
        elif not self._drawn:
            if not self._rules.deck:
                self.public_text += f" {roll_text(self._states[0].dice)}"
            self._read_table(phase)

    def _read_table(self, phase: int) -> None:
        """Read the table where cards have moved, and add the numbers there and in new hands (K2, K3, K11)."""
        if self._rules.deck and phase in CARD_PHASES:
            state = self._states[0]
            self.tracker.update(state)
            if phase == DEAL:
                hands = [sorted(state.hands[seat, : state.held[seat]] % TOTALS) for seat in range(state.seats)]
                self.public_text += f" hands {' '.join(map(_numbers, hands))}"
            if phase != PLAY:
                numbers = _numbers("-" if card == NO_CARD else card % TOTALS for card in state.display.tolist())
                self.public_text += f" [{numbers} {api.number_for_all(self._states, 0)}]"

    # ---- what a player knows

    def text_for(self, seat: int) -> str:
        """Return all that a player knows: public information, its own open choice, and when it got which cards."""
        got: dict[int, list[str]] = {}
        for sighting in sorted(self._cards()):
            if sighting.owner == seat:
                got.setdefault(sighting.since, []).append(card_text(sighting.card))
        own = "".join(f" {since}:{','.join(cards)}" for since, cards in sorted(got.items()))
        chosen = f" chose {self.open[seat]}" if seat in self.open else ""
        return f"seat {seat}{self._start_for(seat)}{self.public_text}{chosen}{own and ' got' + own}"

    def _start_for(self, seat: int) -> str:
        """Return what a seat saw of the position in which the game began, if that was not the opening."""
        if self._start is None:
            return ""
        seen = np.zeros((1, self._rules.space.size), np.int8)
        chance_nodes.observe_into(self._rules.layouts, self._start, seat, seen)
        return f" from {self._rules.space.observation_text(seen[0])};"

    def shuffled_for(self, seat: int) -> list[int]:
        """List the cards of the last shuffle that a seat has not seen since: none of them is in an older hand (K3)."""
        seen = self.tracker
        return [
            each.card
            for each in seen.now.values()
            if each.shuffle == seen.shuffles > 0 and each.owner != seat and each.played < 0
        ]

    def _cards(self) -> tuple[TrackedCard, ...]:
        return (*self.tracker.before, *self.tracker.now.values())


def _numbers(numbers: Iterable[int | str]) -> str:
    return ",".join(map(str, numbers))


# ---- resampling


class Resampling:
    """Another game that looks the same to a player: hidden cards and open choices are drawn again."""

    def __init__(self, memory: Memory, history: Sequence[int], seat: int, draw: Random) -> None:
        """Draw the hidden cards of a game, for a seat."""
        self._memory, self._history, self._seat, self._draw = memory, history, seat, draw
        self._rules = memory._rules
        self._cards = redealt(memory._states[0], memory.tracker, seat, draw) if self._rules.deck else {}

    def start(self) -> Records | None:
        """Return the state in which the other game began; None for one that began at its opening."""
        memory = self._memory
        if memory._start is None:
            return None
        start = memory._start.copy()
        state, lies = start[0], self._cards.get(0, {})
        for hand, held in zip(state.hands[: state.seats], state.held.tolist(), strict=False):
            hand[:held] = sorted(lies.get(card, card) for card in hand[:held].tolist())
        for place in (state.display, state.pile[: state.pile_size]):
            place[:] = [lies.get(card, card) for card in place.tolist()]
        if not memory.public_text:  # the window in which it began is still open
            determinize_choices(self._rules.layouts, start, self._seat, self._draw)
        return start

    def steps(self, other: Progress) -> Iterator[Sequence[int]]:
        """
        Yield the steps of the other game; `other` plays it, and has to take each of them before the next.

        Public information stays, and so do the decisions of the seat. Others decide as they did, with the cards that
        they hold now. Everything that is not public yet is drawn again: open choices, an unfinished roll or deal.
        """
        memory = self._memory
        real = Memory(self._rules, memory._start)
        shown = len(self._history) - memory.hidden
        at = shuffles = 0
        for actions in real.steps(self._history):
            phase = int(real._states["phase"][0])
            shuffles += phase == SHUFFLE and real._player == chance_nodes.CHANCE and not real._drawn
            if at >= shown and real._player != self._seat:
                yield [self._draw_again(other)]
            elif real._player == chance_nodes.CHANCE and self._rules.deck and not real.is_before_play:
                yield [self._outcome(actions[0], shuffles)]
            elif phase == PLAY and real._player != self._seat:
                yield [self._play(real, other, actions[0])]
            else:
                yield actions
            real.follow(actions)
            at += len(actions)

    def _draw_again(self, other: Progress) -> int:
        """Draw an outcome of chance, or a decision that is not public yet."""
        player = other._player
        if player == chance_nodes.CHANCE:
            return self._draw.choice(other.chance_outcomes())[0]
        return self._draw.choice(other.legal(player))

    def _outcome(self, outcome: int, shuffles: int) -> int:
        """Return the card that is dealt instead of another one."""
        deck = self._rules.deck
        card = deck[outcome]
        return deck.index(self._cards.get(shuffles, {}).get(card, card))

    def _play(self, real: Progress, other: Progress, action: int) -> int:
        """Return the action that plays the same cards from another hand (K5)."""
        seat, state = real._player, other._states[0]
        hand = state.hands[seat, : state.held[seat]].tolist()
        number = read_action(self._rules.space.variant, hand, real.text_of(seat, action))
        return int(self._rules.space.compact_actions[number])
