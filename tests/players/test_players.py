"""Players: found by name everywhere, asked with the view of their seat only, the same in every engine."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import qwixx
from qwixx import Action, Game, QwixxError, View, games, players
from qwixx.game.question import Question, private_seed
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import STATE
from qwixx.players import Player, Registered, find
from qwixx.players.batched_games import BatchedGames
from qwixx.players.custom import CustomPlayer
from qwixx.players.player import InvalidAnswerError, read_answer
from qwixx.sim import replay_game, simulate
from qwixx.text.notation import action_text
from qwixx.variants import load

SHEETS = ("classic", "gemixxt-a", "gemixxt-b", "longo", "bonus-a", "bonus-b")


class Careful(Player):
    """Hashes everything it is shown and draws at random; a leak of hidden data would change its choices."""

    def __init__(self, variant: qwixx.Variant, seats: int, seed: int = 0) -> None:
        """Remember nothing yet."""
        super().__init__(variant, seats, seed)
        self.asked = 0

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Choose by everything visible, all earlier questions, and a random draw."""
        self.asked += 1
        word = f"{view} {self.asked} {self.random.random()}"
        return legal[random.Random(word).randrange(len(legal))]


def played(variant: str, seats: int, bots: Sequence[str], seed: int) -> Game:
    """Play a game with built-in players."""
    game = Game(variant, seats, seed=seed)
    minds = [find(name).sit(game.variant, seats) for name in bots]
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, minds[seat].answer(game.question(seat)))
    return game


# ---- the question to a seat


@pytest.mark.parametrize("variant", games())
def test_a_question_knows_what_is_legal_and_nothing_hidden(variant: str) -> None:
    """The redacted copy gives the same legal actions and view as the game, with any number of seats."""
    chooser = random.Random(variant)
    asked = 0
    for seats in load(variant).seats:
        game = Game(variant, seats, seed=seats)
        while not game.is_over and game.turn < 12:
            if game.awaits_chance:
                game.roll()
            for seat in game.deciders():
                question = game.question(seat)
                assert list(question.legal) == game.legal(seat)
                assert question.view == game.view(seat)
                assert (question.seat, question.seats) == (seat, seats)
                assert question.states["rng"][0] == 0
                assert [question.states["choices"][0, s] for s in range(seats) if s != seat] == [-1] * (seats - 1)
                asked += 1
                game.decide(seat, chooser.choice(question.legal))
    assert asked >= 20


def test_hidden_cards_are_not_in_a_question() -> None:
    """It contains neither colors of other hands or the display, nor the pile below its top card (K2, K11)."""
    game = Game("cards", 3, seed=1, first=0)
    game.roll()
    state = game.question(0).states[0]
    own, others = state.hands[0, :4], state.hands[1:3, :4]
    assert (own < 4 * 17).all()
    assert (others // 17 == 5).all()  # seen from behind
    assert (others == np.sort(others)).all()
    assert (state.hands[:, 4] == -1).all()
    assert (state.display // 17 == 5).all()  # seen from behind
    assert (state.pile[: state.pile_size - 1] == -1).all()


def test_luck_is_the_same_for_the_same_game_only() -> None:
    """The word for the players' own draws follows from seed and number; copies and later positions keep it."""
    game = Game("classic", seed=4, number=7)
    assert game.question(0).luck == game.copy().question(1).luck == Game("classic", seed=4, number=7).question(0).luck
    assert game.question(0).luck != Game("classic", seed=4, number=8).question(0).luck
    assert game.question(0).luck != Game("classic", seed=5, number=7).question(0).luck
    assert private_seed(game.question(0).luck, 0) != private_seed(game.question(0).luck, 1)


# ---- names


def test_all_players_have_a_name() -> None:
    """The built-in players, in the order in which they are listed."""
    assert players.built_in_names() == ("random", "gap", "greedy", "optimal", "master", "easy", "normal", "strong")
    assert [name for name, _ in players.all_players()][:8] == list(players.built_in_names())
    for name, player in players.all_players():
        assert isinstance(player, Registered)
        assert (player.name, bool(player.habit)) == (name, True)


@pytest.mark.parametrize(
    ("name", "able"),
    [
        ("random", games()),
        ("gap", SHEETS),
        ("gap:3", SHEETS),
        ("greedy", ("cards", "cards-joker", "duel")),
        ("optimal", SHEETS),
        ("normal", games()),
        ("easy", games()),
        ("strong", games()),
    ],
)
def test_players_say_what_they_play(name: str, able: Sequence[str]) -> None:
    """Each with every number of seats that the game has, and no other."""
    player = find(name)
    for variant in map(load, games()):
        for seats in range(7):
            assert player.plays(variant, seats) == (variant.id in able and seats in variant.seats)


def test_unknown_names_are_refused() -> None:
    """There is no such player, but one with a similar name; a name alone never opens a file."""
    with pytest.raises(QwixxError, match="did you mean 'random'"):
        find("randon")
    with pytest.raises(QwixxError, match="there are random, gap"):
        find("zzz")
    with pytest.raises(QwixxError, match=r"is a class in a file; find\(..., files=True\) runs that file"):
        find("tests/players/test_players.py:Careful")
    assert find(f"{__file__}:Careful", files=True).name.endswith(":Careful")


def test_the_refusal_of_a_player_lists_those_that_can_play() -> None:
    """The message lists the players that can; where there are none, it shows no empty list."""
    able = "random, greedy, master, easy" if find("master").plays(load("cards"), 2) else "random, greedy, easy"
    for seats, ending in ((2, f"with 2 seats; {able}, normal, strong can."), (9, "with 9 seats.")):
        with pytest.raises(QwixxError) as refusal:
            players.check_plays(find("gap"), load("cards"), seats)
        assert str(refusal.value) == f"The player 'gap' cannot play cards {ending}"


def test_the_widths_of_gap_are_those_of_the_longest_row() -> None:
    """The rows of Longo have fifteen cells, so that fourteen can be skipped (L1)."""
    assert players.parameterized_names() == ("gap:0 to gap:14",)
    assert find("gap:14").plays(load("longo"), 2)


def test_each_game_has_one_heuristic() -> None:
    """The default player of each game."""
    named = {name: players.default_heuristic(load(name)) for name in games()}
    assert named == {name: "gap" if name in SHEETS else "greedy" for name in games()}


@pytest.mark.slow
@pytest.mark.parametrize("variant", games())
def test_strong_beats_chance(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every game; without a trained network, the level without slips plays as the heuristic does."""
    thumb = players.default_heuristic(load(variant))
    with monkeypatch.context() as nobody:
        nobody.setattr("qwixx.players.built_in.levels.has_net", lambda _variant, _seats: False)
        for seed in range(3):
            assert (
                played(variant, 2, ("strong", "random"), seed).record()
                == played(variant, 2, (thumb, "random"), seed).record()
            )
    scores = [played(variant, 2, ("strong", "random"), seed).scores() for seed in range(10)]
    assert sum(one for one, _ in scores) > sum(other for _, other in scores) + 100


# ---- forms of an answer


def question() -> Question:
    """Ask seat 0 about a white sum of seven."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    return game.question(0)


@pytest.mark.parametrize("answer", [20, np.int32(20), "y7", Action(20, "y7")])
def test_an_answer_is_an_action_its_text_or_its_number(answer: object) -> None:
    """The first row has fifteen places, so yellow 7 is 15 + 5."""
    assert read_answer(question(), answer) == Action(20, "y7")


@pytest.mark.parametrize(
    "answer", [21, -1, "y8", "Y7", "", None, True, 20.0, b"y7", [20], np.zeros(3), Action(21, "y8")]
)
def test_any_other_answer_is_refused(answer: object) -> None:
    """Any other value gives an error sentence."""
    with pytest.raises(InvalidAnswerError, match=r"is none of the legal actions \(r7, y7, g7, b7, pass\)"):
        read_answer(question(), answer)


# ---- the same games in every engine


@pytest.mark.slow
@pytest.mark.parametrize("variant", games())
def test_engines_play_the_same_games_with_a_custom_player(variant: str) -> None:
    """Many games side by side, and each as a `Game`: turns and scores are equal.

    The player's choices depend on everything it sees, its own memory and its draws. A different view, memory that is
    shared between games or a choice that is visible too early would change a score.
    """
    seats = 2 if variant == "duel" else 3
    own = f"{__file__}:Careful"
    bots = (own, "strong", own)[:seats]
    results = np.zeros(6, RESULT)
    BatchedGames(load(variant), [find(name, files=True) for name in bots]).play(np.uint64(3), 10, results)
    for place in range(6):
        game = replay_game(variant, seats, bots, 3, 10 + place)
        assert game.turn == results["turns"][place]
        assert game.scores() == tuple(results["score"][place, :seats])


@pytest.mark.slow
def test_a_simulation_does_not_depend_on_workers() -> None:
    """Custom players are created again for each game, so that blocks and workers do not matter."""
    bots = (f"{__file__}:Careful", "gap")
    one = simulate("classic", 2, bots, 60, seed=1, workers=1).to_dict()
    assert one == simulate("classic", 2, bots, 60, seed=1, workers=2).to_dict()
    assert one["bots"] == list(bots)


def test_bulk_answers_are_the_single_answers() -> None:
    """The answers to many states equal the answers to each of them, also with the loop over `choose`."""
    for registered in (
        find("easy"),
        CustomPlayer("careless", type("First", (), {"choose": lambda self, view, legal: legal[0]})),
    ):
        asked = []
        for number in range(20):
            game = Game("bonus-b", 2, seed=2, number=number)
            game.roll()
            asked.append(game.question(number % 2))
        player = registered.sit(game.variant, 2)
        states = np.zeros(len(asked), STATE)
        for at, each in enumerate(asked):
            states[at] = each.states[0]
        seats = np.array([each.seat for each in asked], np.int32)
        lucks = np.array([each.luck for each in asked], np.uint64)
        found = player.answer_many(asked[0].layouts, states, seats, lucks)
        assert found.tolist() == [player.answer(each).id for each in asked]
        assert all(action_text(game.variant, [], int(number)) for number in found)


ADDED = '''
"""A player that was not there before."""

from qwixx.players.heuristics import PAPER, HeuristicPlayer

PLAYERS = (HeuristicPlayer("timid", "no gaps at all", {PAPER: {"most_skipped": 0, "most_skipped_or_miss": 0}}),)
'''
USED = """
import sys
from qwixx import Game, simulate
from qwixx.cli import main
from qwixx.players import find

assert simulate("classic", 2, ("timid", "random"), 3).games == 3
game = Game("classic", 2, first=0)
game.set_roll("11/1111")
assert find("timid").sit(game.variant, 2).answer(game.question(0)).text == "r2"
main(["players"])
"""


@pytest.mark.slow
def test_adding_a_player_is_adding_a_file(tmp_path: Path) -> None:
    """With one more file in `built_in` of a copy of the package the bot is simulated, plays a game, and is listed."""
    package = tmp_path / "qwixx"
    shutil.copytree(Path(qwixx.__file__).parent, package, ignore=shutil.ignore_patterns("web", "__pycache__"))
    (package / "players" / "built_in" / "timid.py").write_text(ADDED)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "QWIXX_JIT": "0"}
    result = subprocess.run(
        [sys.executable, "-c", USED], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert re.search(r"^timid +classic, ", result.stdout, re.MULTILINE)
    assert "no gaps at all" in result.stdout


@pytest.mark.parametrize(
    ("name", "game", "seats", "sentence"),
    [
        ("gap", "cards", 2, "The player 'gap' cannot play cards with 2 seats."),
        ("greedy", "duel", 3, "The player 'greedy' cannot play duel with 3 seats."),
        ("master", "duel", 3, "The player 'master' cannot play duel with 3 seats."),
        ("easy", "duel", 3, "The player 'easy' cannot play duel with 3 seats."),
    ],
)
def test_players_sit_only_at_games_they_play(name: str, game: str, seats: int, sentence: str) -> None:
    """A player refuses a game that it cannot play with a sentence, before anything is loaded."""
    with pytest.raises(QwixxError) as found:
        find(name).sit(load(game), seats)
    assert str(found.value) == sentence


def test_names_and_games_of_a_wrong_type_are_refused() -> None:
    """A name is a text, and a player sits down at a variant, not at its id."""
    with pytest.raises(QwixxError, match="The name of a player is a text such as 'gap', not None"):
        find(None)  # type: ignore[arg-type]
    with pytest.raises(QwixxError, match=r"such as qwixx.variant\('classic'\), not at the text 'classic'"):
        find("greedy").sit("classic", 2)  # type: ignore[arg-type]
