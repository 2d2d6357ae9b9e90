"""
All nine games for OpenSpiel, registered under the name `qwixx`.

    import pyspiel
    import qwixx.rl.openspiel                                       # registers the game

    game = pyspiel.load_game("qwixx(variant=classic,players=2)")
    state = game.new_initial_state()

Parameters: `variant`, `players`, `sheet` (card games), `rewards` (margin, win or score), `simultaneous`, and
`position`, a line at which every game begins.

Chance is explicit, in small nodes: which seat begins, Longo's pads, each die, each card of a deck. In the window the
seats decide one after the other, and a choice is only in the observation of its own seat until all have chosen; with
`simultaneous=True` the window is one simultaneous node instead, and OpenSpiel's `convert_to_turn_based` splits it.
Information states have perfect recall, and `resample_from_infostate` draws all that a player cannot know again: ISMCTS
and CFR run on all nine games.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from qwixx.errors import QwixxError
from qwixx.game.position import write_position
from qwixx.kernel.state.records import COLORS, Records
from qwixx.rl import chance_nodes
from qwixx.rl.chance_game import Progress, Rules, rules_for
from qwixx.rl.information_state import Memory, Resampling
from qwixx.rl.spaces import Field, Space
from qwixx.rl.stepping import pay_one

_LONGEST: Final = 10_000
"""Decisions in a duel: captures can alternate without end, so no bound follows from the rules."""


class QwixxGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A variant with its number of players and its rewards."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Compile the variant. Raises `pyspiel.SpielError` for an unknown variant or a wrong number of players."""
        given = {**_DEFAULTS, **(params or {})}
        position = unquote(given["position"])
        given["position"] = quote(position)  # OpenSpiel splits a game's name at commas
        try:
            self.rules = rules_for(
                given["variant"], given["players"], given["sheet"], given["rewards"], given["simultaneous"], position
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

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, position: str | None = None) -> QwixxState:
        """
        Begin a game; OpenSpiel's chance player has the first move if there is a random draw.

        With a position line the game begins there. Raises `pyspiel.SpielError` for a line of another game or number of
        seats, or of a finished game.
        """
        if position is None:
            return QwixxState(self, self.rules.start)
        try:
            return QwixxState(self, self.rules.read(position))
        except QwixxError as error:
            raise pyspiel.SpielError(str(error)) from None

    def max_chance_nodes_in_history(self) -> int:
        """Bound the number of chance nodes in a game."""
        return _bounds(self.space)[1]

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Return an observer of the current view of a player, or of all that it knows with perfect recall."""
        if params:
            raise pyspiel.SpielError(f"Observations take no parameters, not {params}.")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return RecallObserver(self.rules) if recalls else Observer(self.rules)


class QwixxState(Progress, pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A game in progress, chance included. Everything it holds is copied with it and pickled."""

    def __init__(self, game: QwixxGame, start: Records | None) -> None:
        """Begin; called by `Game.new_initial_state`."""
        pyspiel.State.__init__(self, game)
        self.begin(game.rules, start)
        self._memory: Memory | None = None

    # ---- who is next

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's numbers for chance and for the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == chance_nodes.TERMINAL

    # ---- deciding

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal(player)

    def _apply_action(self, action: int) -> None:
        try:
            self.take(action)
        except QwixxError as error:
            raise pyspiel.SpielError(str(error)) from None

    def _apply_actions(self, actions: list[int]) -> None:
        try:
            self.take_together(actions)
        except QwixxError as error:
            raise pyspiel.SpielError(str(error)) from None

    # ---- the end

    def returns(self) -> list[float]:
        """Return every seat's reward, 0 until the game is over."""
        rules = self._rules
        seats = rules.space.seats
        if self._player != chance_nodes.TERMINAL:
            return [0.0] * seats
        rewards = np.zeros((1, seats))
        pay_one(rules.layouts, self._states, rules.kind, np.zeros((1, seats), np.int32), rewards)
        paid: list[float] = rewards[0].tolist()
        return paid

    # ---- what players know

    def memory(self) -> Memory:
        """Return the memory of this game, continued from the last call."""
        self._memory = (self._memory or Memory(self._rules, self._start)).after(self.history())
        return self._memory

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> QwixxState:
        """
        Return a state that looks the same to a player: what it cannot know is drawn again, uniformly.

        Hidden cards are consistent with all that the player has seen, and others have chosen any legal action in the
        open window. The state has its own consistent history.
        """
        draw = Random(int(sampler() * (1 << 53)))  # noqa: S311 - for play, not for secrets
        resampling = Resampling(self.memory(), self.history(), player, draw)
        other = QwixxState(self.get_game(), resampling.start())
        for actions in resampling.steps(other):
            if other.is_simultaneous_node():
                other.apply_actions(list(actions))
            else:
                other.apply_action(actions[0])
        return other

    # ---- text

    def _action_to_string(self, player: int, action: int) -> str:
        return self.text_of(player, action)

    def __str__(self) -> str:
        drawn = " ".join(self.text_of(chance_nodes.CHANCE, outcome) for outcome in self._drawn)
        position = write_position(self._rules.space.variant, self._states)
        return f"{position} # chance: {drawn}" if self._player == chance_nodes.CHANCE else position


class Observer:
    """The observation of a player in OpenSpiel's form: a tensor, its parts by name, and a text."""

    def __init__(self, rules: Rules) -> None:
        """Allocate an observation."""
        self._space = rules.space
        self._seen = np.zeros((1, rules.space.size), np.int8)
        fields = [*rules.space.fields, *self._more_fields()]
        self.tensor = np.zeros(fields[-1].start + fields[-1].size, np.float32)
        self.dict = {field.name: self.tensor[field.slice] for field in fields}

    def _more_fields(self) -> list[Field]:
        """List the fields after the observation."""
        return []

    def set_from(self, state: QwixxState, player: int) -> None:
        """Write the observation of a player."""
        chance_nodes.observe_into(self._space.layouts, state._states, player, self._seen)
        self.tensor[: self._space.size] = self._seen[0]

    def string_from(self, state: QwixxState, player: int) -> str:
        """Return the observation as a text: every field that is not all zeros."""
        chance_nodes.observe_into(self._space.layouts, state._states, player, self._seen)
        return self._space.observation_text(self._seen[0])


class RecallObserver(Observer):
    """
    All that a player knows, with perfect recall.

    The text has all of it, in the order in which it became known. The tensor has what matters for the rest of the game:
    the observation, and in the card games what follows from remembered cards.
    """

    def _more_fields(self) -> list[Field]:
        if self._space.variant.deck is None:
            return []
        self._deck = self._space.layouts[0].deck[: self._space.layouts[0].deck_size].tolist()
        meaning = "1: shuffled into the last pile, and not seen by this seat since"
        return [Field("shuffled", self._space.size, len(self._deck), 1, meaning)]

    def set_from(self, state: QwixxState, player: int) -> None:
        """Write what a player knows in a state."""
        super().set_from(state, player)
        if self._space.variant.deck is None:
            return
        self.tensor[self._space.size :] = 0
        for card in state.memory().shuffled_for(player):
            self.dict["shuffled"][self._deck.index(card)] = 1

    def string_from(self, state: QwixxState, player: int) -> str:
        """Return all public information, and the player's own cards and choices."""
        return state.memory().text_for(player)


def _bounds(space: Space) -> tuple[int, int]:
    """
    Bound the decisions and the chance nodes of a game.

    The active seat crosses a cell or takes a miss (C6, K6), so a seat has no more turns than cells and misses.
    """
    variant = space.variant
    deck = int(space.layouts[0].deck_size)
    opening = 1 + space.seats + deck
    if variant.is_duel:
        return _LONGEST, opening + 6 * _LONGEST
    marks = sum(len(row.cells) for row in variant.rows) * (1 + variant.twice) + len(variant.track)
    marks += sum(len(variant.rows[bonus.above].cells) for bonus in variant.bonus_rows)
    turns = space.seats * (marks + variant.end_misses)
    per_turn = space.seats + (2 if variant.is_cards else 1)
    chance = deck if variant.is_cards else 2 + COLORS
    return turns * per_turn, opening + turns * chance


_DEFAULTS: Final[dict[str, Any]] = {
    "variant": "classic",
    "players": 2,
    "sheet": "",
    "rewards": "margin",
    "simultaneous": False,
    "position": "",
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
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


pyspiel.register_game(_game_type(zero_sum=True, hides=True, together=False), QwixxGame)
