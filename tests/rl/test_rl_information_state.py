"""OpenSpiel's information states: perfect recall, resampling, and the algorithms that use them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts, outcome_sampling_mccfr

import qwixx
import qwixx.rl.openspiel
from qwixx import Game
from qwixx.rl.spaces import describe

pytestmark = pytest.mark.slow

PLAYED = [
    *((name, 2, False) for name in qwixx.games()),
    ("classic", 1, False),
    ("longo", 3, False),
    ("cards", 5, False),
    ("cards-joker", 3, False),
    ("cards", 2, True),
    ("classic", 3, True),
]
"""Games, players, and whether the window is one simultaneous node. Card games with five players have shuffles."""


@pytest.fixture(autouse=True)
def _quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Hide OpenSpiel's long output."""
    yield
    capfd.readouterr()


def load(variant: str, players: int = 2, **more: object) -> Any:
    """Load a game with its parameters."""
    return pyspiel.load_game("qwixx", {"variant": variant, "players": players, **more})


def on(state: Any, random: Random) -> None:
    """Take one random step, of chance or of all players together."""
    if state.is_simultaneous_node():
        seats = range(state.get_game().num_players())
        state.apply_actions([random.choice(state.legal_actions(seat)) for seat in seats])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def moments(game: Any, seed: int, share: float) -> Iterator[Any]:
    """Play a game at random; return some of its states."""
    random, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        on(state, random)
        if random.random() < share and not state.is_terminal():
            yield state


def cards_of(state: Any) -> list[str]:
    """List every card that a position line has, wherever it lies."""
    facts = [word.split("=") for word in str(state).split(" #")[0].split() if "=" in word]
    return sorted(
        card for key, value in facts if key in ("hand", "display", "pile", "discards") for card in value.split(",")
    )


# ---- resampling


@pytest.mark.parametrize(("variant", "players", "together"), PLAYED)
def test_resampled_states_look_the_same(variant: str, players: int, together: bool) -> None:
    """C3, K2: text, tensor, observation and legal actions of the player stay the same, and no card is missing."""
    game = load(variant, players, simultaneous=together)
    seen = 0
    for number, state in enumerate(moments(game, 7, 0.05)):
        before = str(state)
        for player in range(players):
            twin = state.resample_from_infostate(player, Random(number).random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            assert twin.current_player() == state.current_player()
            assert len(twin.history()) == len(state.history())
            if state.current_player() == player or state.is_simultaneous_node():
                assert twin.legal_actions(player) == state.legal_actions(player)
            if qwixx.variant(variant).is_cards and "display=" in before and not state.is_chance_node():
                deck = 55 if variant == "cards-joker" else 44
                assert len(set(cards_of(twin))) == deck
                assert len(cards_of(twin)) == deck
            replayed = game.new_initial_state()
            for action in twin.history() if not together else []:
                replayed.apply_action(action)
            assert together or str(replayed) == str(twin), "its history leads to it"
        assert str(state) == before
        seen += 1
    assert seen > 1


def test_games_with_shuffles_are_among_them() -> None:
    """K3: with five players the pile runs out in the game above, and the tensor has the shuffled cards."""
    states = list(moments(load("cards", 5), 7, 0.05))
    assert any(np.array(states[-1].information_state_tensor(seat))[-44:].any() for seat in range(5))


def dealt(deck: str, players: int = 2, first: int = 1) -> Any:
    """Deal a deck to a new card game; cards that are not named follow in their order."""
    state = load("cards", players).new_initial_state()
    whole = [f"{color}{number}" for color in "rygb" for number in range(2, 13)]
    named = deck.split(",")
    state.apply_action(first)
    for card in [*named, *(card for card in whole if card not in named)]:
        state.apply_action(whole.index(card))
    return state


def do(state: Any, *words: str) -> None:
    """Decide by the texts of actions."""
    for word in words:
        player = state.current_player()
        (action,) = [each for each in state.legal_actions() if state.action_to_string(player, each) == word]
        state.apply_action(action)


DECK = "r2,r3,r5,r6,b2,b3,b5,b6,y4,y8,g9,g10,r12,b12"
"""Seat 0 holds red 2, 3, 5, 6, seat 1 blue ones; the display shows 4, 8, 9, 10, the pile two 12s on top (K2)."""


def test_hidden_cards_are_resampled() -> None:
    """K3, K11: seat 1 shows 2 to 6; for seat 0, which holds other red ones, the 4 may have any color."""
    state = dealt(DECK)
    do(state, "take:1")
    random = Random(1)
    hands = [str(state.resample_from_infostate(0, random.random)).split("hand=")[2] for _ in range(60)]
    assert len(set(hands)) > 30
    assert all(sorted(card[1:] for card in hand.split(",")) == ["2", "3", "4", "5", "6"] for hand in hands)
    assert not any(card in hand.split(",") for card in ("r2", "r3", "r5", "r6") for hand in hands)
    assert {card for hand in hands for card in hand.split(",") if card[1:] == "4"} == {"r4", "y4", "g4", "b4"}
    own = [str(state.resample_from_infostate(1, random.random)).split("hand=")[2] for _ in range(5)]
    assert set(own) == {"y4,b2,b3,b5,b6"}


def test_open_choices_are_resampled() -> None:
    """C3: seat 0 has chosen red 7; seat 1 cannot know that, and every choice is possible."""
    state = load("classic").new_initial_state("classic active=0 phase=white roll=34/2615 | - | -")
    do(state, "r7")
    random = Random(2)
    for player, expected in ((0, {"r7"}), (1, {"r7", "y7", "g7", "b7", "pass"})):
        found = set()
        for _ in range(60):
            twin = state.resample_from_infostate(player, random.random)
            found.add(str(twin).split("choices=")[1].split(",")[0])
            do(twin, "pass")
            assert twin.is_chance_node() or twin.current_player() == 0
        assert found == expected


# ---- the knowledge of a player


def test_hands_show_their_backs() -> None:
    """K11: hands that differ in a number look different to others; those that differ in colors or order do not."""
    one, alike, other = dealt(DECK), dealt(DECK.replace("b2,b3", "g3,y2")), dealt(DECK.replace("b2", "b7"))
    assert one.information_state_string(0) == alike.information_state_string(0) != other.information_state_string(0)
    assert one.observation_string(0) == alike.observation_string(0) != other.observation_string(0)
    (backs,) = [field.slice for field in describe("cards", 2).fields if field.name == "next1.backs"]
    assert one.information_state_tensor(0)[backs] == alike.information_state_tensor(0)[backs] == [2, 3, 5, 6, 0]
    assert other.information_state_tensor(0)[backs] == [3, 5, 6, 7, 0]


def test_the_text_has_only_what_a_player_knows() -> None:
    """K2 to K5, K11: the visible numbers, all takes, decisions and plays, and its own cards; nothing else."""
    state = dealt(DECK)
    common = "first 1 hands 2,3,5,6 2,3,5,6 [4,8,9,10 12]"
    assert state.information_state_string(0) == f"seat 0 {common} got 1:r2,r3,r5,r6"
    assert state.information_state_string(1) == f"seat 1 {common} got 1:b2,b3,b5,b6"
    do(state, "take:1")
    common += " 1:take:1 [12,8,9,10 12]"
    assert state.information_state_string(0) == f"seat 0 {common} got 1:r2,r3,r5,r6"
    assert state.information_state_string(1) == f"seat 1 {common} got 1:b2,b3,b5,b6 2:y4"
    do(state, "pass")
    assert state.information_state_string(0) == f"seat 0 {common} chose pass got 1:r2,r3,r5,r6"
    assert state.information_state_string(1) == f"seat 1 {common} got 1:b2,b3,b5,b6 2:y4"
    do(state, "pass", "play:b2,b3=b3")
    common += " 0:pass 1:pass 1:play:b2,b3=b3"
    assert state.information_state_string(0) == f"seat 0 {common} got 1:r2,r3,r5,r6"


def test_copies_have_their_own_memory() -> None:
    """A copy is independent; neither it nor a saved state changes the information of the other."""
    game = load("cards")
    state = next(moments(game, 3, 0.1))
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    asked = state.information_state_string(0)
    one, two, saved = state.clone(), state.clone(), pickle.loads(pickle.dumps(state))
    for twin, rank in ((one, 0), (two, -1)):
        twin.apply_action(twin.legal_actions()[rank])
    assert state.information_state_string(0) == saved.information_state_string(0) == asked
    mover = state.current_player()
    assert one.information_state_string(mover) != two.information_state_string(mover)
    fresh = game.new_initial_state()
    for action in one.history():
        fresh.apply_action(action)
    assert fresh.information_state_string(mover) == one.information_state_string(mover)


# ---- starting anywhere


def game_moments(variant: str, seats: int, seed: int) -> list[Game]:
    """Return copies of a random game at some of its states."""
    game, random, kept = Game(variant, seats, seed=seed), Random(seed), []
    while not game.is_over:
        if random.random() < 0.12:
            kept.append(game.copy())
        if game.awaits_chance:
            game.roll()
        else:
            seat = random.choice(game.deciders())
            game.decide(seat, random.choice(game.legal(seat)))
    return kept


@pytest.mark.parametrize(("variant", "seats"), [*((name, 2) for name in qwixx.games()), ("cards", 4), ("longo", 3)])
def test_states_start_anywhere(variant: str, seats: int) -> None:
    """From states of a game: the same players have the same decisions, and resampling works from there on."""
    game, compact = load(variant, seats), describe(variant, seats).compact_actions
    for number, moment in enumerate(game_moments(variant, seats, 5)):
        line = moment.position()
        state = game.new_initial_state(line)
        assert str(state).startswith(Game.from_position(line).position())
        if moment.awaits_chance:
            assert state.is_chance_node()
        else:
            asked = moment.deciders()[0]
            assert state.current_player() == asked
            assert state.legal_actions() == [int(compact[action.id]) for action in moment.legal(asked)]
        random = Random(number)
        for _ in range(number % 8):
            if not state.is_terminal():
                on(state, random)
        if state.is_terminal():
            continue
        for player in range(seats):
            twin = state.resample_from_infostate(player, random.random)
            assert twin.information_state_string(player) == state.information_state_string(player)
            assert twin.information_state_tensor(player) == state.information_state_tensor(player)
            assert twin.current_player() == state.current_player()


def test_a_half_decided_window_can_be_a_start() -> None:
    """C3: seat 0 has chosen red 7 before the start; seat 1 cannot know that, until it is shown."""
    line = "classic active=0 phase=white roll=34/2615 choices=r7,- | - | -"
    state = load("classic", position=line).new_initial_state()
    assert state.current_player() == 1
    assert "r7" not in state.information_state_string(1)
    assert state.information_state_string(0).endswith("chose r7")
    chosen = {str(state.resample_from_infostate(1, Random(n).random)).split("choices=")[1][:2] for n in range(60)}
    assert chosen == {"r7", "y7", "g7", "b7", "pa"}
    do(state, "pass")
    assert state.information_state_string(1).endswith("; 0:r7 1:pass")
    twin = state.resample_from_infostate(1, Random(1).random)
    assert twin.information_state_string(1) == state.information_state_string(1)


def test_a_game_can_have_its_start_in_its_name() -> None:
    """Solvers create states: with the parameter `position` these start there, also from the game's own text."""
    line = "classic active=1 phase=roll | r=2,3 | y=5 misses=1"
    game = load("classic", position=line)
    again = pyspiel.load_game(str(game))
    for each in (game, again, pickle.loads(pickle.dumps(game))):
        assert str(each.new_initial_state()).startswith(Game.from_position(line).position())
    state = game.new_initial_state()
    on(state, Random(1))
    assert str(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]) == str(state)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("longo active=0 phase=roll | lucky=5/10 | lucky=6/11", "another game than 'classic'"),
        ("classic | - | - | -", "of 3 seats, and this environment has 2"),
        ("classic phase=over | misses=4 | -", "is over; there is nothing left to decide"),
        ("nonsense", "This position cannot be"),
    ],
)
def test_invalid_starts_are_refused(line: str, sentence: str) -> None:
    """As a parameter and for one state, with OpenSpiel's own error."""
    with pytest.raises(pyspiel.SpielError, match=sentence):
        load("classic", position=line)
    with pytest.raises(pyspiel.SpielError, match=sentence):
        load("classic").new_initial_state(line)


def test_simultaneous_nodes_have_no_earlier_decisions() -> None:
    """A simultaneous node has no half decided window."""
    line = "classic active=0 phase=white roll=34/2615 choices=r7,- | - | -"
    with pytest.raises(pyspiel.SpielError, match="cannot begin half decided"):
        load("classic", simultaneous=True, position=line)


# ---- algorithms


@pytest.mark.parametrize("variant", ["cards", "cards-joker", "classic"])
def test_ismcts_plays_a_whole_game(variant: str) -> None:
    """OpenSpiel's information set search, which resamples before every simulation, plays to the end."""
    game, luck = load(variant, rewards="win"), np.random.RandomState(1)
    search = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, luck), 2.0, 3, random_state=luck)
    state, random = game.new_initial_state(), Random(1)
    searched = 0
    while not state.is_terminal():
        if state.current_player() == 0:
            action = int(search.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)
            searched += 1
        else:
            on(state, random)
    assert searched > 5
    assert sum(state.returns()) == 0


def test_outcome_sampling_learns_from_whole_games_of_cards() -> None:
    """Counterfactual regret minimization with outcome sampling, in Python and in C++."""
    game = load("cards", rewards="win")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    solver.iteration()
    known = len(solver._infostates)
    solver.iteration()
    assert len(solver._infostates) > known > 20
    compiled = pyspiel.OutcomeSamplingMCCFRSolver(game)
    compiled.run_iteration()
    assert compiled.average_policy() is not None


def test_external_sampling_learns_the_end_of_a_game_of_cards() -> None:
    """Only seat 0 can still cross something, yellow 11 (C1, K7); an active seat that cannot cross ends the game.

    The cards are not dealt yet, so that chance deals them in every iteration.
    """
    line = "cards active=0 phase=deal | r=11 y=10 g=3 b=3 misses=3 | r=11 y=11 g=3 b=3 misses=3"
    game = load("cards", rewards="win", position=line)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    for _ in range(2):
        solver.iteration()
    assert len(solver._infostates) > 10
    policy = solver.average_policy()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert sum(policy.action_probabilities(state).values()) == pytest.approx(1)


def test_the_search_in_cpp_reports_that_it_cannot_resample() -> None:
    """OpenSpiel's C++ can only resample its own states; docs/environments.md names the alternative."""
    game = load("cards", rewards="win")
    search = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 5), 2.0, 5)
    with pytest.raises(pyspiel.SpielError, match="not implemented"):
        pyspiel.evaluate_bots(game.new_initial_state(), [search, pyspiel.make_uniform_random_bot(1, 6)], 7)
