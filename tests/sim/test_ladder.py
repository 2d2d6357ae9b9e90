"""The ladder: ratings from win shares, compared with values by hand where possible."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path

import pytest
from click.testing import CliRunner

from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.sim.ladder import Match, ladder, run_ladder, strengths
from qwixx.variants import load


def match(player: str, others: str, share: float, games: int = 1000) -> Match:
    """Make up a match."""
    return Match(player, others, games, share, 0.0, 60.0, 50.0)


def test_two_players_by_hand() -> None:
    """Ten wins to one are 400 Elo points. The default heuristic has rating 0 and no interval."""
    ratings = strengths(("a", "gap"), [match("a", "gap", 10 / 11)], 2, "gap")
    assert [rating.player for rating in ratings] == ["a", "gap"]
    assert ratings[0].elo == pytest.approx(400)
    # A share p of n games has the deviation 1 / sqrt(n p (1 - p)) as a logit; 400 / ln 10 points each.
    assert ratings[0].interval == pytest.approx(1.96 * 173.72 / (1000 * 10 / 121) ** 0.5, rel=1e-3)
    assert (ratings[1].elo, ratings[1].interval) == (0, 0)
    assert (ratings[0].mean, ratings[1].mean) == (60, 50)


def test_a_fair_share_among_many_is_no_better() -> None:
    """With four seats a quarter of the wins is fair; half of them is three times as strong."""
    ratings = strengths(("a", "b", "gap"), [match("a", "gap", 0.25), match("b", "gap", 0.5)], 4, "gap")
    elo = {rating.player: rating.elo for rating in ratings}
    assert elo["a"] == pytest.approx(0, abs=1e-6)
    assert elo["b"] == pytest.approx(400 * log10(3))


def test_a_player_who_always_loses_is_not_infinitely_weak() -> None:
    """A player who never won counts as having won half a game."""
    ratings = strengths(("a", "gap"), [match("a", "gap", 0.0)], 2, "gap")
    assert ratings[-1].elo == pytest.approx(400 * log10(0.5 / 999.5))


def test_a_round_robin_with_the_same_dice() -> None:
    """All players meet, once with two seats and both ways with three; the better one has the higher rating."""
    found = run_ladder(load("classic"), 2, ("random", "gap", "gap:4"), 200, seed=3)
    assert len(found.matches) == 3
    assert [rating.player for rating in found.rungs] == ["gap", "gap:4", "random"]
    assert len(run_ladder(load("classic"), 3, ("random", "gap"), 30).matches) == 2
    assert found == run_ladder(load("classic"), 2, ("random", "gap", "gap:4"), 200, seed=3, workers=1)


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    """As a table, as JSON and as a picture; bad input is one sentence."""
    words = ["ladder", "classic", "--players", "gap,random", "--games", "60"]
    table = CliRunner().invoke(main, words)
    assert table.exit_code == 0, table.output
    assert "Elo" in table.stdout
    picture = tmp_path / "ladder.svg"
    result = CliRunner().invoke(main, [*words, "--json", "--plot", str(picture)])
    assert [rating["player"] for rating in json.loads(result.stdout)["rungs"]] == ["gap", "random"]
    assert picture.read_text().startswith("<?xml")
    for more, sentence in (
        (["classic", "--players", "gap"], "A ladder needs two different players or more."),
        (["classic", "--players", "gap,gap"], "two different players or more. Each player takes part once."),
        (["classic", "--seats", "1"], "needs two seats"),
        (["classic", "--players", "gap,greedy"], "cannot play classic"),
        (["classic", "--plot", "x.bmp"], "A picture is written as"),
    ):
        refused = CliRunner().invoke(main, ["ladder", *more, "--games", "10"])
        assert refused.exit_code == 2
        assert sentence in refused.stderr


def test_a_ladder_needs_somebody_to_beat() -> None:
    """A ladder in solitaire is refused: there is no winner."""
    with pytest.raises(QwixxError, match="needs two seats"):
        run_ladder(load("classic"), 1, ("gap", "random"), 10)


def test_a_ladder_by_names_is_readable() -> None:
    """The function takes the id of a game; its text has a heading and a line for each player, the best first."""
    found = ladder("classic", players=("random", "gap"), games=100, seed=3)
    assert found == run_ladder(load("classic"), 2, ("random", "gap"), 100, seed=3)
    assert repr(found) == "<Ladder of classic with 2 seats: gap, random>"
    heading, first, second = str(found).splitlines()
    assert heading == "classic with 2 seats, 100 games in each match, seed 3"
    assert first == "  gap          +0 ± 0 Elo"
    assert second.startswith("  random  ")
    names = [rung.player for rung in ladder("duel", games=4).rungs]
    assert "greedy" in names
    assert "optimal" not in names
    assert "gap" not in names
    with pytest.raises(QwixxError, match="1 to 5 seats"):
        ladder("classic", 9)


def test_a_match_of_two_games_has_no_sure_result() -> None:
    """Two wins in two games are not certain: the interval is that of a rating with half a game lost."""
    rating, anchor = strengths(("a", "gap"), [match("a", "gap", 1.0, games=2)], 2, "gap")
    assert rating.elo == pytest.approx(400 * log10(1.5 / 0.5))
    assert rating.interval > 300
    assert anchor.interval == 0
