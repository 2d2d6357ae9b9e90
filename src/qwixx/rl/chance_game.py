"""
A game with explicit chance nodes: every random draw, die and card is a separate outcome.

The logic of OpenSpiel's states, without OpenSpiel: its adapter is built on `Progress`, and so is `Memory`, which
follows the history of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel import api
from qwixx.kernel.state.records import ACTIONS, COLORS, DECK, NO_CHOICE, SHUFFLE, STATE, Records
from qwixx.rl import chance_nodes
from qwixx.rl.refusals import refused
from qwixx.rl.reset_position import read_start
from qwixx.rl.spaces import Space, check_rewards, describe
from qwixx.text.notation import action_text, card_text

REWARDS: Final = ("margin", "win", "score")
_FIRST, _LUCKY, _PLAY = range(3)
"""The stages of chance: which seat begins, which seat has which pad; then the game itself."""


class Rules:
    """
    The data that all states of one game share; never copied with a state, and pickled as its parameters.

    OpenSpiel copies a state by copying everything in it, and saves it by pickling the same.
    """

    def __init__(self, variant: str, players: int, sheet: str, rewards: str, together: bool, position: str) -> None:
        """Compile the variant and set up one opening, from which states begin unless a position is named."""
        self._named = (variant, players, sheet, rewards, together, position)
        self.together = int(together)
        self.space: Space = describe(variant, players, sheet or None)
        self.start: Records | None = self.read(position) if position else None
        self.kind = check_rewards(rewards, players, REWARDS)
        self.layouts = self.space.layouts
        self.legal = np.zeros(ACTIONS, np.int32)
        self.opening: Records = np.zeros(1, STATE)
        api.begin(self.layouts, self.opening, 0, np.uint64(0), np.uint64(0), players, 0)
        layout = self.layouts[0]
        self.deck: list[int] = [int(card) for card in layout.deck[: layout.deck_size]]
        self.pads = self.space.variant.lucky
        self.faces = [(face, 1.0 / int(layout.sides)) for face in range(int(layout.sides))]
        """Outcomes of a die; outcomes count from 0, so a die shows one more."""
        self.first_stage = _FIRST if players > 1 else _LUCKY if self.pads else _PLAY

    def read(self, position: str) -> Records:
        """Read a position line. Raises `QwixxError` if no game of these rules can begin there."""
        start = read_start(self.space, position)
        if self.together and (start["choices"][0, : self.space.seats] != NO_CHOICE).any():
            raise QwixxError("A window in which all decide at once cannot begin half decided; leave out 'choices'.")
        return start

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_for, self._named


@cache
def rules_for(variant: str, players: int, sheet: str, rewards: str, together: bool, position: str) -> Rules:
    """Return the rules for some parameters, the same object every time."""
    return Rules(variant, players, sheet, rewards, together, position)


class Progress:
    """A game in progress, chance included. It is small, because it is copied with every state of a search."""

    def begin(self, rules: Rules, start: Records | None) -> None:
        """Begin before the first random draw, or from a given state."""
        self._rules = rules
        self._start = start
        self._states: Records = (rules.opening if start is None else start).copy()
        self._stage = rules.first_stage if start is None else _PLAY
        self._drawn: list[int] = []
        """The outcomes so far of the pads, the roll or the deck."""
        self._rest: list[int] = []
        """The remaining seats, pads or cards; empty before the first draw."""
        self._gone = 0
        """Dice that have left, as they were when the roll began."""
        self._player: int = chance_nodes.CHANCE if start is None else chance_nodes.player(self._states, rules.together)

    @property
    def is_before_play(self) -> bool:
        """Whether chance still decides who begins and who has which pad."""
        return self._stage != _PLAY

    # ---- deciding

    def legal(self, player: int) -> list[int]:
        """List the compact actions of a player, in ascending order."""
        rules = self._rules
        count = chance_nodes.legal(rules.layouts, self._states, player, rules.legal)
        actions: list[int] = rules.legal[:count].tolist()
        return actions

    def take(self, action: int) -> None:
        """Carry out the action of the next player. Raises `QwixxError` for an illegal action."""
        player = self._player
        if player == chance_nodes.CHANCE:
            if not self._is_outcome(action):
                raise QwixxError(f"{action} is no outcome of chance here; chance_outcomes() lists them.")
            self._take_lot(action)
            return
        rules = self._rules
        following = chance_nodes.decide(rules.layouts, self._states, player, action, rules.together)
        if following <= chance_nodes.REFUSED:
            raise refused(rules.space, self._states, player, action)
        self._player = following

    def take_together(self, actions: Sequence[int]) -> None:
        """Carry out the simultaneous actions of all players. Raises `QwixxError` before anything has changed."""
        rules = self._rules
        for seat, action in enumerate(actions):
            if action not in self.legal(seat):
                raise refused(rules.space, self._states, seat, action)
        for seat, action in enumerate(actions):
            self._player = chance_nodes.decide(rules.layouts, self._states, seat, action, rules.together)

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the next outcomes of chance, all equally likely."""
        if self._stage == _PLAY and not self._rules.deck:
            return self._rules.faces
        if not self._rest:
            self._rest = self._lots()
        share = 1.0 / len(self._rest)
        return [(outcome, share) for outcome in self._rest]

    def _is_outcome(self, action: int) -> bool:
        """Return whether chance can draw this now."""
        if self._stage == _PLAY and not self._rules.deck:
            return 0 <= action < len(self._rules.faces)
        self._rest = self._rest or self._lots()
        return action in self._rest

    def _lots(self) -> list[int]:
        """List the seats, pads or cards that chance draws from; a card is its place in the sorted deck."""
        rules = self._rules
        if self._stage == _FIRST:
            return list(range(rules.space.seats))
        if self._stage == _LUCKY:
            return list(range(len(rules.pads)))
        state = self._states[0]
        if state.phase == SHUFFLE:
            here = {int(card) for card in state.discards[: state.discarded]}
            return [place for place, card in enumerate(rules.deck) if card in here]
        return list(range(len(rules.deck)))

    def _take_lot(self, outcome: int) -> None:
        rules = self._rules
        drawn = self._drawn
        if self._stage == _FIRST:
            self._states["active"][0] = outcome
            self._stage = _LUCKY if rules.pads else _PLAY
            self._rest = []
            return
        drawn.append(outcome)
        if self._stage == _LUCKY or rules.deck:
            self._rest.remove(outcome)
        if self._stage == _LUCKY:
            self._states[0].sheets[len(drawn) - 1].lucky[:] = rules.pads[outcome]
            if len(drawn) == rules.space.seats:
                self._stage = _PLAY
                self._drawn = []
                self._rest = []
        elif rules.deck:
            if not self._rest:
                self._deal()
        else:
            if len(drawn) == 1:  # read once for a roll, not once for a die
                self._gone = int(self._states["gone"][0])
            if len(drawn) == 2 + COLORS - self._gone.bit_count():
                self._roll(self._gone)

    def _roll(self, gone: int) -> None:
        """Place the dice when the last of them is drawn; dice that have left show nothing."""
        faces = [outcome + 1 for outcome in self._drawn]
        if gone:
            colors = iter(faces[2:])
            faces = faces[:2] + [0 if gone >> color & 1 else next(colors) for color in range(COLORS)]
        rules = self._rules
        self._player = chance_nodes.roll(rules.layouts, self._states, np.array(faces, np.int32), rules.together)
        self._drawn = []

    def _deal(self) -> None:
        """Deal, or stack the pile, when the last card is drawn."""
        rules = self._rules
        size = len(self._drawn)
        deck = np.zeros(DECK, np.int32)
        deck[:size] = [rules.deck[place] for place in self._drawn]
        self._player = chance_nodes.deal(rules.layouts, self._states, deck, size, rules.together)
        self._drawn = []

    # ---- text

    def text_of(self, player: int, action: int) -> str:
        """Return the text of an action of a player, or of an outcome of chance, in this state."""
        rules = self._rules
        if player != chance_nodes.CHANCE:
            state = self._states[0]
            number = int(rules.space.kernel_actions[action])
            if api.refusal(rules.layouts, self._states, 0, player, number):
                return rules.space.action_text(
                    action
                )  # an action of another moment: its text without the cards in hand
            hand = [int(card) for card in state.hands[player, : state.held[player]]]
            return action_text(rules.space.variant, hand, number)
        if self._stage == _FIRST:
            return f"first {action}"
        if self._stage == _LUCKY:
            return "lucky {}/{}".format(*rules.pads[action])
        return f"card {card_text(rules.deck[action])}" if rules.deck else f"die {action + 1}"
