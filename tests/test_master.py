"""The learned player: its decisions are the best of what really follows, its games the same in every lane."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nets import heading_of, keep_random_net, random_net
from play import choose
from qwixx import Game
from qwixx.errors import QwixxError
from qwixx.kernel.records import COLOR, DRAW, NUMBER, PASS, PLAY, WHITE
from qwixx.kernel.results import RESULT
from qwixx.learn.bench import BENCH
from qwixx.learn.deciding import look_at
from qwixx.learn.games import POSITION, keep
from qwixx.learn.hand import TURN
from qwixx.learn.net import WIN, Net
from qwixx.learn.tables import lay_out
from qwixx.learn.value import Value, value_of
from qwixx.learn.weights import SHIPPED, file_name, find_weights, own_path, read_weights, write_weights
from qwixx.players import find
from qwixx.players.house.master import MASTER, MasterPlayer, net_of
from qwixx.players.side_by_side import SideBySide
from qwixx.sim.block import Block, lane_of
from qwixx.variants import load, names

DICE_GAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the nets of a test in a folder of its own."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path))


def positions(name: str, seats: int, phase: int, seed: int = 0) -> Iterator[Game]:
    """Give positions of a random game in one phase."""
    rng = Random(f"{name} {seats} {seed}")
    game = Game(name, seats, seed=seed, first=0)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            continue
        if game.raw()[1][0].phase == phase:
            yield game.copy()
        for seat in game.deciders():
            game.decide(seat, choose(game, seat, rng))


def worth(game: Game, seat: int, variant: str, seats: int) -> float:
    """Ask the net what a position is worth to a seat, where chance is next or the game is over."""
    layouts, states = game.raw()
    return value_of(layouts, net_of(load(variant), seats), states).chances[seat]


@pytest.mark.parametrize("name", [*DICE_GAMES, "duel"])
def test_the_color_sum_is_the_best_of_all_that_follow(name: str) -> None:
    """Every legal color sum is decided in a copy of the game; none leaves a better chance than the one chosen (C4)."""
    keep_random_net(name, 2)
    player = MasterPlayer(load(name), 2)
    compared = 0
    for game in list(positions(name, 2, COLOR))[:8]:
        seat = game.deciders()[0]
        chances = {}
        for action in game.legal(seat):
            twin = game.copy()
            twin.decide(seat, action)
            chances[action.id] = worth(twin, seat, name, 2)
        chosen = player.answer(game.question(seat))
        assert chances[chosen.id] == pytest.approx(max(chances.values()), abs=1e-5), game.position()
        compared += len(chances) > 1
    assert compared > 3


@pytest.mark.parametrize("name", ["classic", "duel"])
def test_white_and_color_are_weighed_together(name: str) -> None:
    """The active seat's white sum is the one with the best color sum, if the other cannot use the number (C5, D5)."""
    keep_random_net(name, 2)
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


def test_a_won_game_is_ended() -> None:
    """Ahead by far, with one row closed and another ready: the game is won by closing, whatever the net says (C11)."""
    keep_random_net("classic", 2)
    player = MasterPlayer(load("classic"), 2)
    line = "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,7,12,L y=2,3,4,5,6 | r=2"
    game = Game.from_position(line)
    assert player.answer(game.question(0)).text == "y12"


def test_a_lost_game_is_not_ended() -> None:
    """Far behind, the same closing would lose at once, and anything else may still win."""
    keep_random_net("classic", 2)
    player = MasterPlayer(load("classic"), 2)
    line = (
        "classic active=0 phase=white roll=66/-111 | r=2,3,4,5,6,7,12,L y=2,3,4,5,6 misses=3"
        " | g=12,11,10,9,8,7,6,5,4,3 b=12,11,10,9,8,7,6,5,4,3"
    )
    game = Game.from_position(line)
    assert player.answer(game.question(0)).text != "y12"


def logit(game: Game, seat: int, kind: int, net: Net) -> float:
    """Ask the net about a table with cards, for a seat whose hand is known."""
    layouts, states = game.raw()
    kept, benches = np.zeros(1, POSITION), np.zeros(1, BENCH)
    keep(layouts[0], states[0], kept[0], 0, kind)
    look_at(layouts[0], lay_out(layouts)[0], net.tables, net.layers[0], benches[0], kept[0], game.seats, seat)
    return float(benches["desk"]["outputs"][0, WIN])


@pytest.mark.parametrize("name", ["cards", "cards-joker"])
def test_cards_are_played_as_is_best(name: str) -> None:
    """Every legal play is made in a copy of the game; none leaves a better chance than the one chosen (K5)."""
    keep_random_net(name, 2)
    player, net = MasterPlayer(load(name), 2), net_of(load(name), 2)
    for game in list(positions(name, 2, PLAY))[:4]:
        seat = game.deciders()[0]
        chances = {}
        for action in game.legal(seat):
            twin = game.copy()
            twin.decide(seat, action)
            chances[action.id] = logit(twin, seat, TURN, net) if not twin.is_over else None
        chosen = chances[player.answer(game.question(seat)).id]
        assert chosen is None or chosen == pytest.approx(max(c for c in chances.values() if c is not None), abs=1e-5)


@pytest.mark.parametrize("name", ["cards", "cards-joker"])
@pytest.mark.parametrize("phase", [DRAW, NUMBER, PLAY])
def test_hands_of_others_and_colors_of_backs_change_nothing(name: str, phase: int) -> None:
    """The answer to what a seat may see is the answer to the whole state (K2)."""
    keep_random_net(name, 3)
    player = MasterPlayer(load(name), 3)
    for game in list(positions(name, 3, phase))[:5]:
        layouts, states = game.raw()
        for seat in game.deciders():
            whole = player.answer_many(layouts, states, np.array([seat], np.int32), np.zeros(1, np.uint64))
            assert player.answer(game.question(seat)).id == whole[0]


def test_the_value_of_a_table_with_cards_is_not_told() -> None:
    """Nobody knows all hands."""
    with pytest.raises(QwixxError, match="hands that nobody sees"):
        value(Game("cards", 2, seed=1, first=0), random_net(load("cards")))


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("name", ["classic", "bonus-b", "longo"])
def test_what_is_hidden_changes_nothing(name: str, seats: int) -> None:
    """Others have decided already in an open window: with and without their choices the answer is the same (C3)."""
    keep_random_net(name, seats)
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
def test_lanes_play_the_same_games(name: str, bots: tuple[str, ...]) -> None:
    """The compiled loop, which plans once for all, plays what redacted question after redacted question leads to."""
    keep_random_net(name, len(bots))
    games = 3
    block = Block(load(name), bots, True, 11, 0, games)
    fast, slow = np.zeros(games, RESULT), np.zeros(games, RESULT)
    lane_of(block)(np.uint64(11), 0, fast)
    SideBySide(load(name), [find(bot) for bot in bots]).play(np.uint64(11), 0, slow)
    assert fast.tobytes() == slow.tobytes()
    assert lane_of(block).__qualname__ == "Company.play"


@pytest.mark.parametrize("seats", [2, 4])
def test_values_of_all_seats(seats: int) -> None:
    """Chances add up to one, before the dice and after; at the end they are the win itself (C12)."""
    net = random_net(load("classic"))
    game = Game("classic", seats, seed=3, first=0)
    assert sum(value(game, net).chances) == pytest.approx(1)
    game.roll()
    before = game.raw()[1].tobytes()
    after = value(game, net)
    assert sum(after.chances) == pytest.approx(1)
    assert len(after.points) == seats
    assert game.raw()[1].tobytes() == before
    over = Game.from_position("classic active=0 phase=over | r=2,3 misses=4 | r=2")
    found = value(over, net)
    assert found.chances == (0, 1)
    assert found.points == (3 - 20, 1)


def value(game: Game, net: Net) -> Value:
    """Ask a net about a game."""
    layouts, states = game.raw()
    return value_of(layouts, net, states)


# ---- weights


def test_weights_come_back_as_they_were() -> None:
    """Values are rounded to steps of a 127th of the largest in their row; rows of zeros stay zeros."""
    variant = load("classic")
    net = random_net(variant)
    net.tables[100:200] = 0
    path = own_path(variant, 2)
    write_weights(path, heading_of(variant, 2, net), net)
    heading, found = read_weights(path, variant, 2)
    assert heading == heading_of(variant, 2, net)
    largest = np.abs(net.tables).max(axis=1, keepdims=True)
    assert np.all(np.abs(found.tables - net.tables) <= largest / 127 / 2 + 1e-7)
    assert not found.tables[100:200].any()
    assert found.layers.tobytes() == net.layers.tobytes()


def test_weights_that_do_not_fit_are_refused() -> None:
    """Another sheet, another number of seats, another version, damage, something else: a sentence for each."""
    path = keep_random_net("classic", 2)
    with pytest.raises(QwixxError, match="learned on another sheet than gemixxt-b"):
        read_weights(path, load("gemixxt-b"))
    with pytest.raises(QwixxError, match="are for 2 seats, not 3"):
        read_weights(path, load("classic"), 3)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(QwixxError, match="are damaged"):
        read_weights(path, load("classic"))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(QwixxError, match="are damaged"):
        read_weights(path, load("classic"))
    path.write_bytes(whole.replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(QwixxError, match="another version"):
        read_weights(path, load("classic"))
    for nonsense in (b"", b"hello\n", b"[]\n", b"\xff\xfe\n"):
        path.write_bytes(nonsense)
        with pytest.raises(QwixxError, match="holds no weights"):
            read_weights(path, load("classic"))


def test_longo_with_other_lucky_numbers_has_the_same_weights() -> None:
    """Lucky numbers can be set by hand (L5): the net is that of the sheet."""
    keep_random_net("longo", 2)
    block = Block(load("longo"), ("master", "gap"), True, 1, 0, 2, lucky=(3, 9))
    results = np.zeros(2, RESULT)
    lane_of(block)(np.uint64(1), 0, results)
    assert results["turns"].all()


def test_it_plays_what_it_has_learned() -> None:
    """Own weights are found; solitaire is left to the optimal player, and what no net can learn yet is not played."""
    assert not MASTER.plays(load("classic"), 1)
    assert not MASTER.plays(load("cards"), 1)
    assert MASTER.plays(load("longo"), 5) == (find_weights(load("longo"), 5) is not None)
    keep_random_net("longo", 5)
    assert MASTER.plays(load("longo"), 5)
    with pytest.raises(QwixxError, match="needs two seats"):
        net_of(load("classic"), 1)


def test_weights_of_the_package() -> None:
    """Every file that is shipped can be read and belongs to a game; together they are small (the wheel has 20 MB)."""
    known = {file_name(load(name), seats): (name, seats) for name in names() for seats in load(name).seats}
    files = sorted(SHIPPED.glob("*.net"))
    assert files
    assert sum(file.stat().st_size for file in files) < 15_000_000
    for file in files:
        name, seats = known[file.name]
        assert read_weights(file, load(name), seats)[0].made_by.startswith(f"qwixx train {name} --seats {seats}")
        assert MASTER.plays(load(name), seats)
