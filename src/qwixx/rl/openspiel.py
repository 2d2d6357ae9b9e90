"""
All nine games for OpenSpiel, registered under the name `qwixx`.

    import pyspiel
    import qwixx.rl.openspiel                                       # registers the game

    game = pyspiel.load_game("qwixx(variant=classic,players=2)")
    state = game.new_initial_state()

Parameters: `variant`, `players`, `sheet` (card games), `rewards` (margin, win or score), `simultaneous`.

Chance is explicit and comes in small nodes: who begins, Longo's pads, each die on its own, each card of a deck on its
own. In the window the seats decide one after the other, and what they have chosen is in nobody's observation but their
own until all have chosen; with `simultaneous=True` the window is one simultaneous node instead, and OpenSpiel's
`convert_to_turn_based` takes it apart.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pyspiel

from qwixx.errors import QwixxError
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, COLORS, DECK, SHUFFLE, STATE, Records
from qwixx.notation import action_text, card_text
from qwixx.position import write_position
from qwixx.rl import nodes
from qwixx.rl.advance import pay_one
from qwixx.rl.sentences import refused
from qwixx.rl.spaces import Space, check_rewards, describe

REWARDS: Final = ("margin", "win", "score")
_LONGEST: Final = 10_000
"""Decisions in a duel: captures can go to and fro, so that no bound follows from the rules."""
_FIRST, _LUCKY, _PLAY = range(3)
"""What chance decides before the game: who begins, who has which pad; then the game itself."""


class Rules:
    """
    What all states of one game share; never copied with a state, and pickled as its name.

    OpenSpiel copies a state by copying everything in it, and saves it by pickling the same.
    """

    def __init__(self, variant: str, players: int, sheet: str, rewards: str, together: bool) -> None:
        """Compile the variant and lay out one opening, from which states begin."""
        self._named = (variant, players, sheet, rewards, together)
        self.together = int(together)
        self.space: Space = describe(variant, players, sheet or None)
        self.kind = check_rewards(rewards, players, REWARDS)
        self.layouts = self.space.layouts
        self.legal = np.zeros(ACTIONS, np.int32)
        self.opening: Records = np.zeros(1, STATE)
        door.begin(self.layouts, self.opening, 0, np.uint64(0), np.uint64(0), players, 0)
        layout = self.layouts[0]
        self.deck: list[int] = [int(card) for card in layout.deck[: layout.deck_size]]
        self.pads = self.space.variant.lucky
        self.faces = [(face, 1.0 / int(layout.sides)) for face in range(int(layout.sides))]
        """Outcomes of a die; outcomes count from 0, so a die shows one more."""
        self.first_stage = _FIRST if players > 1 else _LUCKY if self.pads else _PLAY

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_for, self._named


@cache
def rules_for(variant: str, players: int, sheet: str, rewards: str, together: bool) -> Rules:
    """Give the rules that go with some parameters, the same object every time."""
    return Rules(variant, players, sheet, rewards, together)


class QwixxGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A variant with its number of players and its rewards."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Compile the variant. Raises `pyspiel.SpielError` if there is no such variant, or not for so many players."""
        given = {**_DEFAULTS, **(params or {})}
        try:
            self.rules = rules_for(
                given["variant"], given["players"], given["sheet"], given["rewards"], given["simultaneous"]
            )
        except QwixxError as error:
            raise pyspiel.SpielError(str(error)) from None
        self.space = self.rules.space
        players = self.space.seats
        low, high = self.space.reward_range(given["rewards"])
        zero_sum = players > 1 and given["rewards"] != "score"
        decisions, _ = _bounds(self.space)
        outcomes = max(players, len(self.rules.faces), len(self.rules.pads), len(self.rules.deck))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.space.actions,
            max_chance_outcomes=outcomes,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=decisions,
        )
        has_window = players > 1 and not self.space.variant.is_duel
        kind = _game_type(zero_sum=zero_sum, hides=has_window, together=has_window and given["simultaneous"])
        super().__init__(kind, info, given)

    def new_initial_state(self, state: None = None) -> QwixxState:
        """Begin a game; OpenSpiel's chance player has the first move if anything is drawn by lot."""
        if state is not None:
            raise pyspiel.SpielError("A game of qwixx begins at its beginning; deserialize_state reads a saved one.")
        return QwixxState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Bound the number of chance nodes in a game."""
        return _bounds(self.space)[1]

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Make an observer of what a player sees now."""
        if params:
            raise pyspiel.SpielError(f"Observations take no parameters, not {params}.")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise pyspiel.SpielError("Observations are of the moment; there are none with perfect recall.")
        return Observer(self.rules)


class QwixxState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A game in progress, chance included. Everything it holds is copied with it and pickled."""

    def __init__(self, game: QwixxGame) -> None:
        """Begin; called by `Game.new_initial_state`."""
        super().__init__(game)
        self._rules = game.rules
        self._states: Records = game.rules.opening.copy()
        self._stage = game.rules.first_stage
        self._drawn: list[int] = []
        """What chance has decided so far of the pads, the roll or the deck."""
        self._rest: list[int] = []
        """What it can still draw, of the seats, the pads or the deck; empty before it has begun."""
        self._gone = 0
        """Dice that have left, as they were when the roll began."""
        self._player: int = nodes.CHANCE

    # ---- who is next

    def current_player(self) -> int:
        """Give the seat that decides, or OpenSpiel's numbers for chance and for the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == nodes.TERMINAL

    # ---- deciding

    def _legal_actions(self, player: int) -> list[int]:
        rules = self._rules
        count = nodes.legal(rules.layouts, self._states, player, rules.legal)
        actions: list[int] = rules.legal[:count].tolist()
        return actions

    def _apply_action(self, action: int) -> None:
        player = self._player
        if player == nodes.CHANCE:
            self._apply_chance(action)
            return
        rules = self._rules
        following = nodes.decide(rules.layouts, self._states, player, action, rules.together)
        if following <= nodes.REFUSED:
            raise pyspiel.SpielError(str(refused(rules.space, self._states, player, action)))
        self._player = following

    def _apply_actions(self, actions: list[int]) -> None:
        rules = self._rules
        for seat, action in enumerate(actions):
            if action not in self._legal_actions(seat):  # all of them before any of them is carried out
                raise pyspiel.SpielError(str(refused(rules.space, self._states, seat, action)))
        for seat, action in enumerate(actions):
            self._player = nodes.decide(rules.layouts, self._states, seat, action, rules.together)

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List what chance can decide next, all of it equally likely."""
        if self._stage == _PLAY and not self._rules.deck:
            return self._rules.faces
        if not self._rest:
            self._rest = self._lots()
        share = 1.0 / len(self._rest)
        return [(outcome, share) for outcome in self._rest]

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

    def _apply_chance(self, outcome: int) -> None:
        rules = self._rules
        drawn = self._drawn
        if self._stage == _FIRST:
            self._states["active"][0] = outcome
            self._stage = _LUCKY if rules.pads else _PLAY
            self._rest = []
            return
        drawn.append(outcome)
        if self._stage == _LUCKY or rules.deck:
            self._rest = self._rest or self._lots()
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
            if len(drawn) == 1:  # reading it once for a roll, not once for a die
                self._gone = int(self._states["gone"][0])
            if len(drawn) == 2 + COLORS - self._gone.bit_count():
                self._roll(self._gone)

    def _roll(self, gone: int) -> None:
        """Put the dice on the table once the last of them is drawn; those that have left show nothing."""
        faces = [outcome + 1 for outcome in self._drawn]
        if gone:
            colors = iter(faces[2:])
            faces = faces[:2] + [0 if gone >> color & 1 else next(colors) for color in range(COLORS)]
        rules = self._rules
        self._player = nodes.roll(rules.layouts, self._states, np.array(faces, np.int32), rules.together)
        self._drawn = []

    def _deal(self) -> None:
        """Deal, or stack the pile, now that the last card is drawn."""
        rules = self._rules
        size = len(self._drawn)
        deck = np.zeros(DECK, np.int32)
        deck[:size] = [rules.deck[place] for place in self._drawn]
        self._player = nodes.deal(rules.layouts, self._states, deck, size, rules.together)
        self._drawn = []

    # ---- the end

    def returns(self) -> list[float]:
        """Give every seat's reward, 0 while the game goes on."""
        rules = self._rules
        seats = rules.space.seats
        if self._player != nodes.TERMINAL:
            return [0.0] * seats
        rewards = np.zeros((1, seats))
        pay_one(rules.layouts, self._states, rules.kind, np.zeros((1, seats), np.int32), rewards)
        paid: list[float] = rewards[0].tolist()
        return paid

    # ---- text

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self._rules
        if player != nodes.CHANCE:
            state = self._states[0]
            number = int(rules.space.kernel_actions[action])
            if door.refusal(rules.layouts, self._states, 0, player, number):
                return rules.space.action_text(action)  # asked about another moment: say it without the cards in hand
            hand = [int(card) for card in state.hands[player, : state.held[player]]]
            return action_text(rules.space.variant, hand, number)
        if self._stage == _FIRST:
            return f"first {action}"
        if self._stage == _LUCKY:
            return "lucky {}/{}".format(*rules.pads[action])
        return f"card {card_text(rules.deck[action])}" if rules.deck else f"die {action + 1}"

    def __str__(self) -> str:
        drawn = " ".join(self._action_to_string(nodes.CHANCE, outcome) for outcome in self._drawn)
        position = write_position(self._rules.space.variant, self._states)
        return f"{position} # chance: {drawn}" if self._player == nodes.CHANCE else position


class Observer:
    """What a player sees, as OpenSpiel wants it: a tensor, its parts by name, and a text."""

    def __init__(self, rules: Rules) -> None:
        """Make room for an observation."""
        space = rules.space
        self._space = space
        self._seen = np.zeros((1, space.size), np.int8)
        self.tensor = np.zeros(space.size, np.float32)
        self.dict = {field.name: self.tensor[field.slice] for field in space.fields}

    def set_from(self, state: QwixxState, player: int) -> None:
        """Write what a player sees of a state."""
        nodes.see(self._space.layouts, state._states, player, self._seen)
        self.tensor[:] = self._seen[0]

    def string_from(self, state: QwixxState, player: int) -> str:
        """Write it as a text: every field that is not all zeros."""
        self.set_from(state, player)
        parts = [(name, values) for name, values in self.dict.items() if values.any()]
        return " ".join(f"{name}={','.join(str(int(value)) for value in values)}" for name, values in parts)


def _bounds(space: Space) -> tuple[int, int]:
    """
    Bound the decisions and the chance nodes of a game.

    Whoever is active crosses a cell or takes a miss (C6, K6), so a seat has no more turns than cells and misses.
    """
    variant = space.variant
    deck = int(space.layouts[0].deck_size)
    opening = 1 + space.seats + deck
    if variant.is_duel:
        return _LONGEST, opening + 6 * _LONGEST
    turns = space.seats * (sum(len(row.cells) for row in variant.rows) + variant.end_misses)
    per_turn = space.seats + (2 if variant.is_cards else 1)
    chance = deck if variant.is_cards else 2 + COLORS
    return turns * per_turn, opening + turns * chance


_DEFAULTS: Final[dict[str, Any]] = {
    "variant": "classic",
    "players": 2,
    "sheet": "",
    "rewards": "margin",
    "simultaneous": False,
}


def _game_type(*, zero_sum: bool, hides: bool, together: bool) -> pyspiel.GameType:
    dynamics = pyspiel.GameType.Dynamics
    information = pyspiel.GameType.Information
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="qwixx",
        long_name="Qwixx",
        dynamics=dynamics.SIMULTANEOUS if together else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


pyspiel.register_game(_game_type(zero_sum=True, hides=True, together=False), QwixxGame)
