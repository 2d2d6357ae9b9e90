"""The learned player: its decisions are the best of all results, and its games are the same in every engine."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from qwixx import Game
from qwixx.coach.advice import advise
from qwixx.errors import QwixxError
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import COLOR, DRAW, HAND, NO_CARD, NUMBER, PASS, PLAY, TAKES, TOTALS, WHITE, Records
from qwixx.nets.feature_tables import load_net
from qwixx.nets.hand_features import NUMBER_OVER, TURN
from qwixx.nets.network import WIN, LoadedNet, Net
from qwixx.nets.policy import evaluate_position
from qwixx.nets.scratch import POSITION, store_position
from qwixx.nets.value import Value, value_of
from qwixx.nets.weight_files import own_path, write_weights
from qwixx.players import find
from qwixx.players.batched_games import BatchedGames
from qwixx.players.built_in.levels import seat_kind
from qwixx.players.built_in.master import MASTER, LearnedPlayer, MasterPlayer, net_of
from qwixx.players.built_in.optimal import OptimalPlayer
from qwixx.players.net_games import NetFollower
from qwixx.sim import replay_game
from qwixx.sim.block import Block, engine_for
from qwixx.solver import solve
from qwixx.solver.build.table_files import Heading, is_complete, write_table
from qwixx.variants import load, names
from support.games.random_games import choose
from support.games.random_nets import header_of, positions, random_network, store_random_network
from support.games.small_sheets import sheet_file

DICE_GAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")


pytestmark = pytest.mark.usefixtures("own_data")


def worth(game: Game, seat: int, variant: str, seats: int) -> float:
    """Return the network's value of a position for a seat, where chance is next or the game is over."""
    layouts, states = game.raw()
    return value_of(layouts, net_of(load(variant), seats), states).win_probabilities[seat]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DICE_GAMES, "duel"])
def test_the_color_sum_is_the_best_of_all_that_follow(name: str) -> None:
    """Every legal color sum is tried in a copy of the game; none has a higher win probability than the choice (C4)."""
    store_random_network(name, 2)
    player = MasterPlayer(load(name), 2)
    compared = 0
    for game in list(positions(name, 2, COLOR))[:8]:
        seat = game.deciders()[0]
        win_probabilities = {}
        for action in game.legal(seat):
            twin = game.copy()
            twin.decide(seat, action)
            win_probabilities[action.id] = worth(twin, seat, name, 2)
        chosen = player.answer(game.question(seat))
        assert win_probabilities[chosen.id] == pytest.approx(max(win_probabilities.values()), abs=1e-5), game.position()
        compared += len(win_probabilities) > 1
    assert compared > 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "duel"])
def test_white_and_color_are_planned_together(name: str) -> None:
    """The active seat takes the white sum with the best color sum, if the other cannot use the number (C5, D5)."""
    store_random_network(name, 2)
    player = MasterPlayer(load(name), 2)
    compared = 0
    for seed in range(3):
        for game in list(positions(name, 2, WHITE, seed))[:20]:
            active = game.view(0).active
            other = 1 - active
            if any(action.id != PASS for action in game.legal(other)):
                continue
            best = {}
            for white in game.legal(active):
                twin = game.copy()
                if other in twin.deciders():
                    twin.decide(other, "pass")
                twin.decide(active, white)
                if twin.awaits_chance or twin.is_over:
                    best[white.id] = worth(twin, active, name, 2)
                    continue
                values = []
                for color in twin.legal(active):
                    end = twin.copy()
                    end.decide(active, color)
                    values.append(worth(end, active, name, 2))
                best[white.id] = max(values)
            chosen = player.answer(game.question(active))
            assert best[chosen.id] == pytest.approx(max(best.values()), abs=1e-5), game.position()
            compared += len(best) > 1
    assert compared > 5


@pytest.mark.slow
def test_a_won_game_is_ended() -> None:
    """Far ahead, with one row closed and another ready: closing wins, whatever the network says (C11)."""
    store_random_network("classic", 2)
    player = MasterPlayer(load("classic"), 2)
    line = "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,7,12,L y=2,3,4,5,6 | r=2"
    game = Game.from_position(line)
    assert player.answer(game.question(0)).text == "y12"


@pytest.mark.slow
def test_a_lost_game_is_not_ended() -> None:
    """Far behind, the same closing would lose immediately, and anything else may still win."""
    store_random_network("classic", 2)
    player = MasterPlayer(load("classic"), 2)
    line = (
        "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,7,12,L y=2,3,4,5,6 misses=3"
        " | g=12,11,10,9,8,7,6,5,4,3 b=12,11,10,9,8,7,6,5,4,3"
    )
    game = Game.from_position(line)
    assert player.answer(game.question(0)).text != "y12"


def logit(game: Game, seat: int, kind: int, net: Net) -> float:
    """Return the network's value of a card table, for a seat whose hand is known."""
    return logit_of(*game.raw(), seat, kind, net)


def logit_of(layouts: Records, states: Records, seat: int, kind: int, net: Net) -> float:
    """Return its value for the arrays of the kernel."""
    seats = int(states["seats"][0])
    kept, arrays = np.zeros(1, POSITION), load_net(layouts, net, seats)
    store_position(layouts[0], states[0], kept[0], 0, kind)
    records = LoadedNet(layouts[0], arrays.inputs[0], arrays.tables, arrays.layers[0], arrays.scratches[0])
    evaluate_position(records, kept[0], kind, seats, seat)
    return float(arrays.scratches["buffers"]["outputs"][0, WIN])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards", "cards-joker"])
def test_a_draw_is_worth_the_mean_over_all_colors(name: str) -> None:
    """A draw is worth the mean over all cards that the seat has not seen (K2, K3).

    With several cards not all combinations of colors are tried: the draw is then nearly the best.
    """
    store_random_network(name, 2)
    player, net = MasterPlayer(load(name), 2), net_of(load(name), 2)
    lost, to_lose = 0.0, 0.0
    drawn = set()
    for game in [game for seed in range(3) for game in positions(name, 2, DRAW, seed)][:12]:
        layouts, states = game.raw()
        state, seat = states[0], game.active
        own = state.hands[seat][: state.held[seat]].tolist()
        unseen = set(layouts[0].deck[: layouts[0].deck_size].tolist()) - {
            *own,
            *state.discards[: state.discarded].tolist(),
        }
        means = {}
        backs = HAND - len(own)
        drawn.add(backs)
        for action in game.legal(seat):
            places = [place for place in range(4) if action.id - TAKES >> place & 1]
            numbers = [state.display[place] % TOTALS for place in places]
            logits = []
            for cards in permutations(unseen, len(places)):
                if [card % TOTALS for card in cards] == numbers:
                    after = states.copy()
                    after[0].hands[seat][:] = [*own, *cards]
                    after[0].held[seat] = 5
                    after[0].display[places] = NO_CARD
                    logits.append(logit_of(layouts, after, seat, NUMBER_OVER, net))
            means[action.id] = sum(logits) / len(logits)
        chosen = means[player.answer(game.question(seat)).id]
        if backs == 1:
            assert chosen == pytest.approx(max(means.values()), abs=1e-4)
        lost += max(means.values()) - chosen
        to_lose += max(means.values()) - sum(means.values()) / len(means)
    assert drawn >= {1, 2}
    assert lost < to_lose / 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards", "cards-joker"])
def test_cards_are_played_as_is_best(name: str) -> None:
    """Every legal play is made in a copy of the game; none has a higher win probability than the choice (K5)."""
    store_random_network(name, 2)
    player, net = MasterPlayer(load(name), 2), net_of(load(name), 2)
    for game in list(positions(name, 2, PLAY))[:4]:
        seat = game.deciders()[0]
        win_probabilities = {}
        for action in game.legal(seat):
            twin = game.copy()
            twin.decide(seat, action)
            win_probabilities[action.id] = logit(twin, seat, TURN, net) if not twin.is_over else None
        chosen = win_probabilities[player.answer(game.question(seat)).id]
        assert chosen is None or chosen == pytest.approx(
            max(c for c in win_probabilities.values() if c is not None), abs=1e-5
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards", "cards-joker"])
def test_the_number_for_all_is_planned_with_the_play(name: str) -> None:
    """Where the other can only pass, the active seat uses the number so that its best play is worth most (K4, K5)."""
    store_random_network(name, 2)
    player, net = MasterPlayer(load(name), 2), net_of(load(name), 2)
    checked = 0
    for game in (game for seed in range(4) for game in positions(name, 2, NUMBER, seed)):
        seat, other = game.active, 1 - game.active
        if len(game.legal(other)) > 1 or len(game.legal(seat)) == 1 or checked == 3:
            continue
        win_probabilities = {}
        for action in game.legal(seat):
            twin = game.copy()
            twin.decide(seat, action)
            twin.decide(other, "pass")
            left = []
            for play in [play for play in twin.legal(seat) if "=" in play.text] or twin.legal(seat):
                after = twin.copy()
                after.decide(seat, play)
                assert not after.is_over
                left.append(logit(after, seat, TURN, net))
            win_probabilities[action.id] = max(left)
        assert win_probabilities[player.answer(game.question(seat)).id] == pytest.approx(
            max(win_probabilities.values()), abs=1e-5
        )
        checked += 1
    assert checked >= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards", "cards-joker"])
@pytest.mark.parametrize("phase", [DRAW, NUMBER, PLAY])
def test_hands_of_others_and_colors_of_backs_change_nothing(name: str, phase: int) -> None:
    """The decision from the view of a seat equals the decision from the whole state (K2)."""
    store_random_network(name, 3)
    player = MasterPlayer(load(name), 3)
    for game in list(positions(name, 3, phase))[:5]:
        layouts, states = game.raw()
        for seat in game.deciders():
            whole = player.answer_many(layouts, states, np.array([seat], np.int32), np.zeros(1, np.uint64))
            assert player.answer(game.question(seat)).id == whole[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cards", "cards-joker"])
def test_values_of_a_table_with_cards(name: str) -> None:
    """Win probabilities sum to one in every phase; they depend on the own hand only, and a spectator sees none (K2)."""
    net = random_network(load(name))
    for phase in (DRAW, NUMBER, PLAY):
        game = list(positions(name, 3, phase))[2]
        layouts, states = game.raw()
        imagined = game.imagine(0, 5).raw()[1]
        assert imagined["hands"].tobytes() != states["hands"].tobytes()
        own, twin, seen = (value_of(layouts, net, each, 0) for each in (states, imagined, game.question(0).states))
        assert own == twin == seen
        assert sum(own.win_probabilities) == pytest.approx(1)
        assert all(chance > 0 for chance in own.win_probabilities)
        stranger = value_of(layouts, net, states)
        assert stranger == value_of(layouts, net, imagined)
        assert sum(stranger.win_probabilities) == pytest.approx(1)
        assert stranger != own
        other = value_of(layouts, net, states, 1)
        assert other != own


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("name", ["classic", "bonus-b", "longo"])
def test_hidden_choices_change_nothing(name: str, seats: int) -> None:
    """Others have decided already in an open window: with and without their choices the answer is the same (C3)."""
    store_random_network(name, seats)
    player = MasterPlayer(load(name), seats)
    rng = Random(f"hidden {name} {seats}")
    for game in list(positions(name, seats, WHITE))[:8]:
        asked = rng.randrange(seats)
        before = player.answer(game.question(asked)).id
        for seat in range(seats):
            if seat != asked:
                game.decide(seat, choose(game, seat, rng))
        assert player.answer(game.question(asked)).id == before
        layouts, states = game.raw()
        open_to_all = player.answer_many(layouts, states, np.array([asked], np.int32), np.zeros(1, np.uint64))
        assert open_to_all[0] == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("classic", ("master", "gap")),
        ("classic", ("master", "master", "easy")),
        ("gemixxt-a", ("gap:2", "master")),
        ("bonus-a", ("master", "master")),
        ("bonus-b", ("master", "random", "master")),
        ("longo", ("master", "gap")),
        ("duel", ("master", "greedy")),
        ("cards", ("master", "greedy")),
        ("cards-joker", ("master", "easy", "master")),
    ],
)
def test_engines_play_the_same_games(name: str, bots: tuple[str, ...]) -> None:
    """The compiled loop, which plans once for all, plays the same games as redacted questions one by one."""
    store_random_network(name, len(bots))
    games = 3
    block = Block(load(name), bots, True, 11, 0, games)
    fast, slow = np.zeros(games, RESULT), np.zeros(games, RESULT)
    engine_for(block)(np.uint64(11), 0, fast)
    BatchedGames(load(name), [find(bot) for bot in bots]).play(np.uint64(11), 0, slow)
    assert fast.tobytes() == slow.tobytes()
    assert engine_for(block).__qualname__ == "NetGames.play"


@pytest.mark.parametrize("seats", [2, 4])
def test_values_of_all_seats(seats: int) -> None:
    """Win probabilities sum to one, before the dice and after; at the end they are the result (C12)."""
    net = random_network(load("classic"))
    game = Game("classic", seats, seed=3, first=0)
    assert sum(value(game, net).win_probabilities) == pytest.approx(1)
    game.roll()
    before = game.raw()[1].tobytes()
    after = value(game, net)
    assert sum(after.win_probabilities) == pytest.approx(1)
    assert len(after.points) == seats
    assert game.raw()[1].tobytes() == before
    over = Game.from_position("classic active=0 phase=over | r=2,3 misses=4 | r=2")
    found = value(over, net)
    assert found.win_probabilities == (0, 1)
    assert found.points == (3 - 20, 1)


def value(game: Game, net: Net) -> Value:
    """Return the network's value of a game."""
    layouts, states = game.raw()
    return value_of(layouts, net, states)


# ---- solitaire


@pytest.mark.slow
def test_solitaire_uses_the_solved_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solved sheet is played by its table, others by a network for one seat; without either it is refused."""
    variant = load(sheet_file(tmp_path, "plain"))
    with monkeypatch.context() as unsolved:
        unsolved.setattr("qwixx.players.built_in.master.is_solved", lambda _variant, _pads=None: False)
        assert not MASTER.plays(variant, 1)
        net = random_network(variant)
        write_weights(own_path(variant, (1,)), header_of(variant, (1,), net), net)
        assert MASTER.plays(variant, 1)
        assert isinstance(MASTER.sit(variant, 1), LearnedPlayer)
        unsolved.setattr("qwixx.players.built_in.levels.is_solved", lambda _variant, _pads=None: False)
        assert isinstance(seat_kind(MASTER, variant, 1), NetFollower)
        results = np.zeros(3, RESULT)
        engine_for(Block(variant, ("master",), True, 4, 0, 3))(np.uint64(4), 0, results)
        alone = [replay_game(variant, 1, ("master",), 4, number).scores()[0] for number in range(3)]
        assert alone == results["score"][:, 0].tolist()
    solve(variant, workers=1)
    assert isinstance(MASTER.sit(variant, 1), OptimalPlayer)
    assert seat_kind(MASTER, variant, 1) is None
    own_path(variant, (1,)).unlink()
    assert MASTER.plays(variant, 1)


def test_an_unfinished_table_is_not_used(tmp_path: Path) -> None:
    """A checkpoint of the solver is not a finished table; only a finished table is used."""
    path = tmp_path / "table"
    for reach, is_there in ((3, False), (0, True)):
        write_table(path, Heading("key", (), 2, 2, reach, 0, 0.0, 0.0), np.zeros((2, 2)))
        assert is_complete(path) == is_there
    for nonsense in (b"", b"[]\n", b'{"reach": 0}\n'):
        path.write_bytes(nonsense)
        assert not is_complete(path)
    assert not is_complete(tmp_path / "nowhere")


# ---- values of actions


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_decisions_follow_the_values(name: str) -> None:
    """Every legal action has a win probability, in every phase, and the player takes the best."""
    store_random_network(name, 2)
    player = MasterPlayer(load(name), 2)
    compared = 0
    for phase in (WHITE, COLOR) if not load(name).is_cards else (DRAW, NUMBER, PLAY):
        for game in list(positions(name, 2, phase))[:4]:
            for seat in game.deciders():
                question = game.question(seat)
                win_probabilities = player.values(question)
                assert all(0 <= chance <= 100 for chance in win_probabilities)
                best = question.legal[int(np.argmax(win_probabilities))]
                assert win_probabilities[question.legal.index(player.answer(question))] == pytest.approx(
                    max(win_probabilities)
                ), best
                compared += len(set(win_probabilities)) > 1
    assert compared > 3


@pytest.mark.slow
def test_master_gives_advice() -> None:
    """By name, and by default where the game has a network: win probabilities from 0 to 1, the best first."""
    store_random_network("classic", 2)
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    advice = advise(game, 1)
    assert (advice.by, advice.measure) == ("master", "win probability")
    assert advice == advise(game, 1, by="master")
    assert advice.best == MasterPlayer(load("classic"), 2).answer(game.question(1))
    with pytest.raises(QwixxError, match="'easy' decides, but does not evaluate actions"):
        advise(game, 1, by="easy")
