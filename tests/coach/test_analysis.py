"""Analysis: luck and skill sum to the result, values equal brute force, and nothing hidden is used."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bench.grades import chance_in_band
from click.testing import CliRunner

from qwixx import Game, analyse
from qwixx.cli import main
from qwixx.coach import Analysis, find_judge
from qwixx.coach.grades import BEST, BLUNDER, GOOD, MISTAKE, SLIP, accuracy, grade, is_close
from qwixx.coach.judges.exact import ExactJudge
from qwixx.coach.judges.judge import POINTS, WIN, ranked
from qwixx.coach.judges.rollout_judge import RolloutJudge
from qwixx.coach.judges.rollouts import Rollouts
from qwixx.coach.review.chart import graph_svg
from qwixx.errors import QwixxError, RecordError
from qwixx.players import find
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.sim import replay_game
from qwixx.solver import solve
from qwixx.text.record import read_record
from qwixx.variants import load
from support.games.naive_solver import Naive
from support.games.random_games import play_on
from support.games.small_sheets import tiny_sheet

LEARNED = [("classic", 2), ("classic", 4), ("gemixxt-a", 2), ("gemixxt-b", 3), ("bonus-a", 2), ("bonus-b", 2)]
LEARNED += [("longo", 2), ("duel", 2), ("cards", 2)]
WEIGHER = "greedy"


def check_sums(found: Analysis, game: Game) -> None:
    """Check the sums: every change between moments is luck or a loss of some seat, and their total is the result."""
    before = found.start
    for swing in found.swings:
        for seat in range(found.seats):
            parts = swing.luck[seat] + swing.own[seat] + swing.others[seat]
            assert swing.values[seat] - before[seat] == pytest.approx(parts, abs=1e-9)
            assert swing.own[seat] <= 1e-12
        before = swing.values
    outcome = game.outcome()
    for account in found.accounts:
        total = account.start + account.luck + account.own + account.others
        assert account.final == pytest.approx(total, abs=1e-9)
        if outcome is not None and found.measure == WIN:
            share = 1 / len(outcome.winners) if account.seat in outcome.winners else 0
            assert account.final == pytest.approx(share)
        lost = sum(each.loss for each in found.decisions if each.seat == account.seat)
        assert account.own == pytest.approx(-lost, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), LEARNED)
def test_luck_and_skill_add_up(name: str, seats: int) -> None:
    """Start value, luck, own losses and losses of others sum to the result, in random games."""
    rng = Random(f"{name} {seats}")
    for seed in range(1 if name == "cards" else 2):
        game = play_on(Game(name, seats, seed=seed), rng)
        found = analyse(game)
        check_sums(found, game)
        assert found.source == "learned"
        steps = [step.seat for step in read_record(game.record()).steps]
        assert len(found.decisions) == sum(seat is not None for seat in steps)
        for swing in found.swings:
            if swing.kind in ("roll", "deal", "shuffle"):
                assert swing.own == swing.others == (0.0,) * seats
            elif name != "cards":
                assert all(abs(part) < 1e-9 for part in swing.luck)
            if name != "cards":  # with dice all seats see the same, so the win probabilities are those of one game
                assert sum(swing.values) == pytest.approx(1, abs=0.02)


def test_luck_of_two_seats_cancels_out() -> None:
    """With two seats and dice, the luck of one is the bad luck of the other, and so are losses with color sums (C4)."""
    game = play_on(Game("classic", 2, seed=5), Random(5))
    for swing in analyse(game).swings:
        assert sum(swing.luck) == pytest.approx(0, abs=0.02)
        if swing.kind == "color":
            assert swing.own[0] + swing.own[1] == pytest.approx(-sum(swing.others), abs=1e-6)


@pytest.mark.parametrize("name", ["classic", "duel", "bonus-a", "cards"])
def test_the_judging_player_makes_no_mistakes(name: str) -> None:
    """A player that follows the network makes no mistakes by its own values, except for approximations."""
    found = analyse(replay_game(name, 2, ("master",), 3, 1))
    free = [each for each in found.decisions if each.had_choice]
    assert free
    assert sum(each.grade in (BEST, GOOD) for each in free) >= 0.97 * len(free)
    assert min(account.accuracy or 0 for account in found.accounts) > 95


# ---- against brute force


def every_end(game: Game, seat: int, action: str) -> dict[tuple[str, ...], float]:
    """Continue from a seat's choice in every possible way to the end; return its win share, by all other choices."""
    found: dict[tuple[str, ...], float] = {}

    def go_on(at: Game, path: tuple[str, ...]) -> None:
        outcome = at.outcome()
        if outcome is not None:
            found[path] = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            return
        assert not at.awaits_chance, "the position should end in this turn"
        who = at.deciders()[0]
        for choice in at.legal(who):
            twin = at.copy()
            twin.decide(who, choice)
            go_on(twin, (*path, f"{who} {choice.text}"))

    start = game.copy()
    start.decide(seat, action)
    go_on(start, ())
    return found


LAST_TURNS = [
    # One row is closed, the active seat has three misses: it closes a second row, or takes the fourth miss (C11).
    "classic active=0 phase=color turn=30 roll=65/6-11 | r=2,3,4,5,11 y=2,3,4,5,6,7,12,L g=5 b=5 misses=3"
    " | g=12,11,10,9 y=2,3",
    "classic active=0 phase=color turn=30 roll=65/6-11 | r=2,3,4,5,11 y=2,3,4,5,6,7,12,L g=5 b=5 misses=3"
    " | g=12,11,10,9,8,7,6,5,4,3",
    # All decide about the white sum: a seat that crosses the 12 ends the game, and a seat that passes may take a miss.
    "classic active=0 phase=white turn=30 roll=66/6-66 | r=2,3,4,5,6 y=2,3,4,5,6,7,12,L g=12 b=12 misses=3"
    " | r=2,3,4,5,6,7 g=12 b=12 misses=1",
]


@pytest.mark.parametrize("line", LAST_TURNS)
def test_last_turns_equal_brute_force(line: str) -> None:
    """Where a game ends in this turn, every choice is worth what it gets against the best replies."""
    game = Game.from_position(line)
    evaluated = find_judge(game).action_values(game)
    asked = game.deciders()
    tables = {(seat, a.text): every_end(game, seat, a.text) for seat in asked for a in game.legal(seat)}
    replies = {seat: [w.action.text for w in evaluated.choices[seat]] for seat in asked}
    best = {seat: ranked(evaluated.choices[seat], seat)[0] for seat in asked}
    assert any(len(texts) > 1 for texts in replies.values())
    for seat in asked:
        for weight in evaluated.choices[seat]:
            ends = tables[seat, weight.action.text]
            value = weight.values[seat]
            assert min(ends.values()) - 1e-6 <= value <= max(ends.values()) + 1e-6, weight
            if len(asked) == 1 and len(set(ends.values())) == 1:
                assert value == pytest.approx(next(iter(ends.values())))
        # No seat gains by another choice while the others keep theirs.
        if len(asked) > 1:
            (other,) = (each for each in asked if each != seat)
            stays = f"{other} {best[other].action.text}"
            for action in replies[seat]:
                against = [share for path, share in tables[seat, action].items() if path[0] == stays]
                assert max(against) <= best[seat].value + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["bar", "lucky-mixed"])
def test_solitaire_values_are_exact(sheet: str, tmp_path: Path) -> None:
    """In solitaire, values of every moment and choice equal the naive solver, and luck and losses are points."""
    path = tiny_sheet(tmp_path, sheet)
    variant = load(str(path))
    lucky = variant.lucky[0] if variant.lucky else None
    judge = ExactJudge(solve(variant, lucky, table=tmp_path / "table"))
    pads = None if lucky is None else [f"{lucky[0]}/{lucky[1]}"]
    game = play_on(Game(variant, 1, seed=2, lucky=pads), Random(2))
    found = analyse(game, by=judge)
    check_sums(found, game)
    naive = Naive(game.raw()[0], lucky)
    moments = [naive.value(each.raw()[1]) for each in Game.replay(game.record(), variant=variant)]
    assert [found.start[0], *(swing.values[0] for swing in found.swings)] == pytest.approx(moments)
    for decision, before in zip(found.decisions, _before_decisions(game), strict=True):
        for choice in decision.choices:
            twin = before.copy()
            twin.decide(0, choice.action)
            assert choice.value == pytest.approx(naive.value(twin.raw()[1]))
    assert found.accounts[0].final == game.scores()[0]


def _before_decisions(game: Game) -> list[Game]:
    return [each.copy() for each in Game.replay(game.record(), variant=game.variant) if each.deciders()]


# ---- hidden data


def test_nothing_hidden_is_used() -> None:
    """A card game with different hidden cards gets the same values, decision by decision (K2)."""
    game = Game("cards", 2, seed=3, first=0)
    rng = Random(3)
    judge = find_judge(game)
    phases: set[str] = set()
    while not game.is_over and len(phases) < 3:
        play_on(game, rng, 1)
        while game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            if len(game.legal(seat)) < 2:
                continue
            phases.add(game.phase)
            choices = ranked(judge.action_values(game).choices[seat], seat)
            other = game.imagine(seat, 11)
            assert other != game
            assert ranked(judge.action_values(other).choices[seat], seat) == choices
    assert phases == {"draw", "number", "play"}


def test_an_open_window_reveals_nothing() -> None:
    """Choices of others in an open window do not change the values for those who still choose (C3)."""
    values = []
    for choice in ("r7", "pass"):
        game = Game("classic", 2, first=0)
        game.set_roll("34/2615")
        game.decide(1, choice)
        values.append(ranked(find_judge(game).action_values(game).choices[0], 0))
    assert values[0] == values[1]


# ---- close calls


@pytest.mark.slow
def test_close_calls_get_rollouts() -> None:
    """With `deep` close calls are decided by rollouts, with an interval each, and the sums are still right."""
    game = play_on(Game("classic", 2, seed=1, first=0), Random(1), 30)
    progress: list[tuple[int, int]] = []
    found = analyse(game, deep=60, progress=lambda done, total: progress.append((done, total)))
    check_sums(found, game)
    assert progress[-1][0] == progress[-1][1] == len(read_record(game.record()).steps)
    settled = [each for each in found.decisions if each.source == "rollouts"]
    assert settled
    assert any(choice.interval > 0 for each in settled for choice in each.choices)
    assert all(each.source == "learned" for each in found.decisions if not each.had_choice)


def test_a_measured_grade_is_true_within_its_interval() -> None:
    """A slip is 2 to 4 %. With 400 rollouts of deviation 0.4 the interval is 3.92 % to each side."""
    sure = [chance_in_band(SLIP, loss, 0.4, 400, 400) for loss in (-0.02, -0.019, 0.079, 0.0795)]
    assert sure == [0, 1, 1, 0]
    # After 100 rollouts the mean of 400 deviates by 0.4 * sqrt(1/100 - 1/400) = 3.46 %: 4.92 % are 1.42 deviations.
    assert chance_in_band(SLIP, 0.03, 0.4, 100, 400) == pytest.approx(0.844, abs=0.001)
    assert chance_in_band(SLIP, 0.25, 0.4, 100, 400) < 0.001
    assert chance_in_band(BLUNDER, 0.25, 0.4, 100, 400) > 0.999


def test_rollouts_can_be_continued() -> None:
    """Eight games are the same as three and then five more."""
    game = Game("classic", 2, seed=3, first=0)
    game.roll()
    gap = find("gap")
    assert isinstance(gap, HeuristicPlayer)
    rollouts = Rollouts(game.variant, 2, gap, worlds=1)
    starts, action = rollouts.starts(game, 0, 8), game.legal(0)[0]
    whole = rollouts.play(starts, 8, 0, action).points
    parts = [rollouts.play(starts, 3, 0, action).points, rollouts.play(starts, 5, 0, action, first=3).points]
    assert whole.tolist() == np.concatenate(parts).tolist()


def test_grades_by_hand() -> None:
    """Thresholds as documented; a loss within the error is no mistake, and a loss of zero is the best."""
    losses = (0.0, 0.0004, 0.019, 0.02, 0.039, 0.04, 0.08)
    assert [grade(WIN, loss, 0.01) for loss in losses] == [BEST, BEST, GOOD, SLIP, SLIP, MISTAKE, BLUNDER]
    assert grade(WIN, 0.05, 0.06) == GOOD
    assert is_close(WIN, 0.05, 0.06)
    assert not is_close(WIN, 0.05, 0.04)
    assert not is_close(WIN, 0.0, 0.04)
    assert [grade(POINTS, loss, 0.0) for loss in (0.4, 0.5, 1.5, 4.0)] == [GOOD, SLIP, MISTAKE, BLUNDER]
    assert accuracy(WIN, [0.0, 0.04]) == pytest.approx(75)
    assert accuracy(WIN, []) is None


# ---- games without a trained network


def test_untrained_games_get_rollouts(tmp_path: Path) -> None:
    """A custom sheet with two seats is judged by a heuristic, with intervals; the sums are right too."""
    variant = load(str(tiny_sheet(tmp_path, "plain")))
    game = play_on(Game(variant, 2, seed=1), Random(1))
    found = analyse(game)
    assert (found.source, found.measure) == ("played on", WIN)
    check_sums(found, game)


def test_rollouts_with_cards() -> None:
    """With or without a trained network for jokers and two seats, rollouts judge from each seat's view."""
    weigher = find(WEIGHER)
    assert isinstance(weigher, HeuristicPlayer)
    game = play_on(Game("cards-joker", 3, seed=1), Random(1), 7)
    found = analyse(game, by=RolloutJudge(game.variant, 3, weigher, games=4))
    check_sums(found, game)
    assert found.scores is None


# ---- any input


def test_invalid_input_is_refused_with_a_sentence() -> None:
    """A broken record, one of another layout or another file is refused with its line; so are bad numbers of games."""
    record = replay_game("classic", 2, ("gap",), 1, 0).record()
    with pytest.raises(RecordError, match="Line 6"):
        analyse(record.replace("roll ", "roll 9", 1))
    with pytest.raises(RecordError):
        analyse("nonsense")
    with pytest.raises(RecordError, match="another version"):
        analyse(record.replace("seats 2", "seats 2\nlayout 123", 1))
    with pytest.raises(QwixxError, match="number of games"):
        analyse(record, deep=-1)


def test_a_game_that_has_just_begun() -> None:
    """A record without steps has only a start value; an open window is left out."""
    game = Game("classic", 2, first=0)
    assert analyse(game).swings == ()
    game.set_roll("34/2615")
    game.decide(0, "pass")
    found = analyse(game)
    assert [swing.kind for swing in found.swings] == ["roll"]
    assert found.decisions == ()


def test_the_picture_has_every_seat() -> None:
    """The picture names every seat, has a curve for each, and is the same each time."""
    found = analyse(replay_game("classic", 3, ("gap",), 1, 0))
    picture = graph_svg(found, ["Anna", "Ben & Co", "Zoë"])
    assert picture.count("<polyline") == 3
    assert "Ben &amp; Co" in picture
    assert picture == graph_svg(found, ["Anna", "Ben & Co", "Zoë"])
    assert np.isfinite([value for swing in found.swings for value in swing.values]).all()


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    """`qwixx analyse` prints sums, grades and the costliest decisions; as JSON every choice; and it draws a picture."""
    run = CliRunner().invoke
    game = tmp_path / "game.qwixx"
    game.write_text(replay_game("classic", 2, ("easy",), 1, 0).record())
    shown = run(main, ["analyse", str(game), "--svg", str(tmp_path / "game.svg")]).output
    assert "Costliest decisions" in shown
    assert (tmp_path / "game.svg").read_text("utf-8").startswith("<svg")
    listed = run(main, ["analyse", str(game), "--all"]).output
    assert listed.count("Turn ") > shown.count("Turn ")
    data = json.loads(run(main, ["analyse", str(game), "--json"]).output)
    assert {len(each["choices"]) > 0 for each in data["decisions"]} == {True}
    broken = run(main, ["analyse", str(tmp_path / "nowhere")])
    assert broken.exit_code != 0
    ended = run(main, ["analyse", str(game), "--hindsight"])
    assert ended.exit_code == 2
    assert "no longer part of a review" in ended.output
