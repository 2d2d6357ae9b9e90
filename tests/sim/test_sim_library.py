"""The simulator as a library: default players, players as classes and objects, results as tables."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner

from qwixx import Player, QwixxError, View, games
from qwixx.cli import main
from qwixx.players import default_heuristic
from qwixx.players.built_in.gap import GAP
from qwixx.sim import Results, replay_game, simulate
from qwixx.text.notation import Action
from qwixx.variants import load


class Passes(Player):
    """Never crosses anything."""

    def choose(self, _view: View, legal: list[Action]) -> Action:  # type: ignore[override]  # a list is a sequence
        """Pass, or take the first action."""
        return next((action for action in legal if action.text == "pass"), legal[0])


class Counting:
    """Does not derive from `Player`, and counts its calls."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, _view: View, legal: list[Action]) -> int:
        """Take the first action."""
        self.asked += 1
        return legal[0].id


@pytest.mark.parametrize("variant", games())
def test_one_default_for_library_and_command_line(variant: str) -> None:
    """The default players are the heuristic of the game, at two seats, in every interface."""
    results = simulate(variant, games=8, seed=3)
    assert results.bots == (default_heuristic(load(variant)),) * 2
    words = ["simulate", variant, "--games", "8", "--seed", "3", "--json"]
    printed = json.loads(CliRunner().invoke(main, words).stdout)
    assert printed == results.to_dict()


def test_as_many_seats_as_bots() -> None:
    """Three names are three seats; one name is two."""
    assert simulate("classic", bots="gap,random,gap:0", games=2).seats == 3
    assert simulate("classic", bots="random", games=2).seats == 2
    assert simulate("classic", 4, "random", games=2).seats == 4


def test_a_class_plays_as_one_in_a_file_does() -> None:
    """C6: a player who always passes makes a miss in each of its turns: four are -20 points, and the end."""
    results = simulate("classic", 2, (Passes, "gap"), 6, seed=1)
    assert results.bots == ("Passes", "gap")
    assert results.histogram(player=0).keys() <= {-20, -15}
    assert simulate("classic", bots=Passes, games=3).histogram() == {-20: 3, -15: 3}
    game = replay_game("classic", 2, (Passes, "gap"), 1, 0)
    assert game.scores()[0] in (-20, -15)


@pytest.mark.slow
def test_an_object_plays_all_its_games_itself() -> None:
    """An existing object is asked for all its seats, for any number of workers."""
    bot = Counting()
    results = simulate("classic", 2, (bot, "random"), 5, workers=4)
    assert results.bots == ("Counting", "random")
    decisions = 0
    for number in range(5):
        game = replay_game("classic", 2, (Counting, "random"), 0, number)
        own = number % 2  # each player moves one seat further from game to game
        decisions += sum(line.startswith(f"{own} ") for line in game.record().splitlines())
    assert bot.asked == decisions
    assert simulate("classic", 2, (Counting, "random"), 5).to_dict() == results.to_dict()
    passing = Passes(load("classic"), 1)
    assert simulate("classic", 1, [passing], 3).histogram() == {-20: 3}


def test_a_player_of_the_registry_plays_as_its_name() -> None:
    """The registered object of a name is accepted too."""
    assert simulate("classic", 2, [GAP], 20).to_dict() == simulate("classic", 2, "gap", 20).to_dict()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"bots": 5}, "A bot is a name, a class with choose(view, legal) or an object of one, not 5."),
        ({"bots": [None]}, "A bot is a name, a class with choose(view, legal) or an object of one, not None."),
        ({"bots": dict}, "The player 'dict' is not a class with a method choose(view, legal)."),
        ({"bots": Player}, "The player 'Player' is not a class with a method choose(view, legal)."),
        ({"seats": "2"}, "The number of seats is a whole number, not the text '2'."),
        ({"games": 10.0}, "The number of games is a whole number, not 10.0."),
        ({"seed": None}, "A seed is a whole number, not None."),
        ({"workers": "all"}, "The number of workers is a whole number, not the text 'all'."),
    ],
)
def test_wrong_types_get_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    """Invalid bots are refused with an error."""
    with pytest.raises(QwixxError) as found:
        simulate("classic", **arguments)
    assert str(found.value) == sentence


# ---- results as tables


@pytest.fixture(scope="module")
def results() -> Results:
    """Play a few games."""
    return simulate("classic", 2, "gap,random", 50, seed=2)


def test_print_is_short(results: Results) -> None:
    """A line for the run and one for each player; at a prompt one line."""
    lines = str(results).splitlines()
    assert lines[0] == "50 games of classic, seed 2"
    gap, chance = results.by_player()
    assert lines[1] == f"  gap: {gap.mean:.2f} ± {gap.interval:.2f} points, {gap.win_share:.1%} of the wins"
    assert lines[2].startswith(f"  random: {chance.mean:.2f} ")
    assert len(lines) == 3
    assert repr(results) == "<Results: 50 games of classic, seed 2, gap, random>"
    assert "wins" not in str(simulate("classic", 1, games=2))
    alone = simulate("classic", 1, games=1)
    assert "±" not in str(alone)
    assert json.loads(alone.to_json())["by_player"][0]["interval"] is None


def test_rows(results: Results) -> None:
    """A row for each player or seat with its numbers, and one for each score of a player on a seat."""
    gap, chance = results.to_dicts()
    line = results.by_player()[0]
    assert (gap["name"], chance["name"]) == ("gap", "random")
    assert (gap["mean"], gap["q50"], gap["games"]) == (line.mean, line.quantiles[50], 50)
    assert [row["name"] for row in results.to_dicts("seat")] == ["seat 0", "seat 1"]
    scores = results.to_dicts("score")
    assert sum(row["games"] for row in scores) == 100
    again: Counter[int] = Counter()
    for row in scores:
        if (row["player"], row["place"]) == ("random", 1):
            again[row["score"]] += row["games"]
    assert again == results.histogram(player=1)
    with pytest.raises(QwixxError, match="by 'player', 'seat' or 'score', not by 'color'"):
        results.to_dicts("color")


@pytest.mark.slow
@pytest.mark.parametrize("by", ["player", "seat", "score"])
def test_pandas(results: Results, by: str) -> None:
    """The same rows as a data frame."""
    frame = results.to_pandas(by)
    assert frame.to_dict("records") == results.to_dicts(by)


@pytest.mark.parametrize("by", ["player", "seat", "score"])
def test_polars(results: Results, by: str) -> None:
    """The same rows as a data frame of the other kind, where it is installed."""
    pytest.importorskip("polars", reason="an extra that tests do without")
    assert results.to_polars(by).to_dicts() == results.to_dicts(by)


def test_a_missing_package(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("qwixx.sim.results.import_module", missing)
    with pytest.raises(QwixxError, match="That takes pandas, which is not installed: pip install pandas"):
        results.to_pandas()
    with pytest.raises(QwixxError, match="That takes polars"):
        results.to_polars()
