"""Training: the same weights for any number of workers and after any interruption, and a player that finds them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from click.testing import CliRunner, Result

from qwixx import Game
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.kernel.crossing import score
from qwixx.kernel.state.records import SEATS
from qwixx.nets.feature_tables import copy_to_untrained_seats, empty_net, feature_layout, load_net
from qwixx.nets.network import ENOUGH_UPDATES, POINTS_SCALE, alone, copy_net
from qwixx.nets.sheet_features import turns_of
from qwixx.nets.training import run as running
from qwixx.nets.training.baselines import mean_points
from qwixx.nets.training.lessons import play_lessons, play_own_lessons
from qwixx.nets.training.run import Progress, Report, Settings, checkpoint_path, train
from qwixx.nets.training.schedule import Stage, stage_at
from qwixx.nets.training.self_play import self_play
from qwixx.nets.training.td import td_update
from qwixx.nets.value import value_of
from qwixx.nets.weight_files import find_weights, own_path, read_weights
from qwixx.solver import solve
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.small_sheets import sheet_file
from support.server.dask_workers import output_of, two_workers

SMALL = {"_COMPARISONS": 12, "_PART": 2, "_MIN_ROUNDS": 1}
"""Rounds of a few games, in parts of two."""


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a sheet of three cells a row, for two to five seats; rounds have 6 games with two seats, 2 with three."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))
    for name, value in SMALL.items():
        monkeypatch.setattr(running, name, value)
    return Path(sheet_file(tmp_path, "crowd"))


@pytest.fixture
def lonely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a small sheet for solitaire; rounds have 200 games."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))
    for name, value in {"_COMPARISONS": 200, "_PART": 50, "_MIN_ROUNDS": 1}.items():
        monkeypatch.setattr(running, name, value)
    return Path(sheet_file(tmp_path, "plain"))


def settings_of(path: Path, *seats: int) -> Settings:
    """Train a little, without baselines: the last round is shortened, with two seats, with three and in turns."""
    return Settings(load(path), seats or (2,), 21, seed=4, workers=1, checks=6, check_games=0)


class Killed(Exception):  # noqa: N818 - the name says what happened
    """The program was killed."""


def killed_after(games: int) -> Report:
    """Return a progress callback that kills the program after this many games."""

    def report(progress: Progress) -> None:
        if progress.games >= games:
            raise Killed

    return report


@pytest.mark.slow
@pytest.mark.parametrize("seats", [(2,), (3,), (2, 3)])
def test_weights_do_not_depend_on_workers_or_interruptions(crowd: Path, tmp_path: Path, seats: tuple[int, ...]) -> None:
    """One thread, three threads, and two that are killed in between: the same file, byte by byte."""
    settings = settings_of(crowd, *seats)
    alone = train(replace(settings, out=tmp_path / "alone.net")).read_bytes()
    together = train(replace(settings, workers=3, out=tmp_path / "together.net")).read_bytes()
    assert alone == together
    late = replace(settings, workers=2, out=tmp_path / "late.net")
    for games in (8, 16):
        with pytest.raises(Killed):
            train(late, killed_after(games))
        assert checkpoint_path(late).exists()
    assert train(late).read_bytes() == alone
    assert not checkpoint_path(late).exists()
    assert train(replace(settings, seed=5, out=tmp_path / "other.net")).read_bytes() != alone


@pytest.mark.slow
def test_a_cluster_gives_the_same_weights() -> None:
    """On a real Dask scheduler with two worker processes, one of them killed: the same file, byte by byte."""
    assert output_of("nets.test_training_run", "train_on_a_cluster") == "killed one, equal"


def train_on_a_cluster() -> None:
    """Train on a local cluster, and in one process."""
    for name, value in SMALL.items():
        setattr(running, name, value)
    with TemporaryDirectory() as name, two_workers() as workers:
        folder = Path(name)
        settings = replace(settings_of(Path(sheet_file(folder, "crowd"))), games=120)
        alone = train(replace(settings, out=folder / "alone.net")).read_bytes()

        def kill(progress: Progress) -> None:
            if progress.games >= progress.wanted // 4:
                workers.kill_one()

        together = train(replace(settings, out=folder / "together.net"), kill, workers.executor).read_bytes()
        workers.say(equal=together == alone)


@pytest.mark.slow
def test_a_net_for_one_seat_learns_the_exact_solution(lonely: Path, tmp_path: Path) -> None:
    """After some lessons it has the expected score of best play within half a point, for any number of workers."""
    settings = replace(settings_of(lonely, 1), games=3000, check_games=100)
    points: list[float] = []

    def report(progress: Progress) -> None:
        if progress.points is not None:
            points.append(progress.points)

    alone = train(replace(settings, out=tmp_path / "alone.net"), report)
    together = train(replace(settings, workers=3, out=tmp_path / "together.net"))
    assert alone.read_bytes() == together.read_bytes()
    heading, net = read_weights(alone, load(lonely), 1)
    assert heading.seats == (1,)
    layouts = compile_layout(load(lonely))
    game = Game(lonely, 1, seed=1)
    best = solve(load(lonely)).value
    assert value_of(layouts, net, game.raw()[1]).points[0] == pytest.approx(best, abs=0.5)
    assert points[-1] == pytest.approx(best, abs=3)  # of a hundred games
    with pytest.raises(QwixxError, match="trained without other seats"):
        train(replace(settings, seats=(1, 2)))
    with pytest.raises(QwixxError, match="starts from another one for one seat"):
        train(replace(settings, seats=(2,), start=alone))


@pytest.mark.slow
def test_a_net_for_one_seat_learns_from_its_own_games(lonely: Path, tmp_path: Path) -> None:
    """Without the solution it comes near the expected score of best play, too, for any number of workers."""
    settings = replace(settings_of(lonely, 1), alone=True, games=3000)
    path = train(replace(settings, out=tmp_path / "alone.net"))
    assert train(replace(settings, workers=3, out=tmp_path / "together.net")).read_bytes() == path.read_bytes()
    layouts, net = compile_layout(load(lonely)), read_weights(path, load(lonely), 1)[1]
    best = solve(load(lonely)).value
    assert value_of(layouts, net, Game(lonely, 1, seed=1).raw()[1]).points[0] == pytest.approx(best, abs=2)
    assert mean_points(load(lonely), net, 4000)[0] == pytest.approx(best, abs=2)
    with pytest.raises(QwixxError, match="Only a net for one seat"):
        train(replace(settings, seats=(2,)))


def test_own_lessons_end_at_the_score(lonely: Path) -> None:
    """With lambda 1 all lessons of a game have its final points; with lambda 0 the net's own value a turn later."""
    layouts = compile_layout(load(lonely))
    net = alone(empty_net(feature_layout(layouts), 1))
    arrays = load_net(layouts, net, 1)
    played = [play_own_lessons(arrays, 1, share, seed=2, first=0) for share in (1.0, 0.0)]  # no random decision here
    now = [float(score(layouts[0], lesson["sheet"])) for lesson in played[0]]
    ends, later = (
        [was + lesson["to_come"] * POINTS_SCALE for was, lesson in zip(now, some, strict=True)] for some in played
    )
    assert len(ends) >= 2
    assert ends == pytest.approx([round(ends[0])] * len(ends), abs=1e-3)
    states = Game(lonely, 1, seed=1).raw()[1].copy()
    for place in range(1, len(now)):
        states["sheets"][0, 0] = played[1][place]["sheet"]
        assert later[place - 1] == pytest.approx(value_of(layouts, net, states).points[0], abs=1e-3)
    assert later[-1] == pytest.approx(ends[-1], abs=1e-3)


def test_lessons_are_exact_values(lonely: Path) -> None:
    """Each lesson is a sheet before a roll, and the points that best play still makes from there."""
    variant = load(lonely)
    solution = solve(variant)
    lessons = play_lessons(variant, 4, seed=2, first=0)
    assert len(lessons) >= 8
    game = Game(lonely, 1, seed=1)
    for lesson in lessons:
        states = game.raw()[1].copy()
        states[0].sheets[0] = lesson.sheet
        states[0].closed = lesson.sheet.locks
        to_come = solution.expected(states) - solution.score(states)
        assert float(lesson.to_come * POINTS_SCALE) == pytest.approx(to_come, abs=1e-3)


def test_a_checkpoint_of_another_plan_is_refused(crowd: Path) -> None:
    """A checkpoint belongs to one plan; a damaged one is reported; with `fresh` both start again."""
    settings = settings_of(crowd)
    with pytest.raises(Killed):
        train(settings, killed_after(8))
    with pytest.raises(QwixxError, match="Another training was interrupted"):
        train(replace(settings, seed=9))
    checkpoint_path(settings).write_bytes(b"nonsense")
    with pytest.raises(QwixxError, match="is damaged or of another version"):
        train(settings)
    train(replace(settings, seed=9, fresh=True))


@pytest.mark.slow
def test_three_seats_start_from_the_weights_of_two(crowd: Path, tmp_path: Path) -> None:
    """The weights for two seats fit three: they do not depend on the number of seats."""
    two = train(replace(settings_of(crowd), out=tmp_path / "two.net"))
    three = train(replace(settings_of(crowd, 3), start=two))
    assert three == own_path(load(crowd), (3,))
    assert read_weights(three, load(crowd), 3)[0].seats == (3,)


def test_numbers_of_seats_take_turns(crowd: Path) -> None:
    """Six games with two seats, two with three, and so on; the weights play with both and with no other number."""
    settings = settings_of(crowd, 2, 3)
    games: list[int] = []
    path = train(settings, lambda progress: games.append(progress.games))
    assert games == [6, 8, 14, 16, 21]
    assert path == own_path(load(crowd), (2, 3))
    net = read_weights(path, load(crowd))[1]
    untouched = empty_net(feature_layout(compile_layout(load(crowd))), settings.seed)
    changed = [net.layers[at].tobytes() != untouched.layers[at].tobytes() for at in range(SEATS - 1)]
    assert changed == [True, True, False, False]
    assert [find_weights(load(crowd), seats) for seats in (2, 3, 4)] == [path, path, None]


def test_new_seat_counts_start_from_the_nearest_ones() -> None:
    """With a network for two and three seats, four start with the weights of three, and no learned weight changes."""
    inputs = feature_layout(compile_layout(load("classic")))
    net = empty_net(inputs, 1)
    first = int(inputs["turns_at"][0])
    net.tables[first:] = np.arange(len(net.tables) - first)[:, None]
    before = copy_net(net)
    copy_to_untrained_seats(inputs, net, (2, 3), (2, 3, 4))
    assert net.layers[2].tobytes() == before.layers[1].tobytes()
    assert net.layers[[0, 1, 3]].tobytes() == before.layers[[0, 1, 3]].tobytes()
    # Before seat 0 rolls: of three seats, seat 0 next to seat 1 is copied to any two of four.
    known = before.tables[first + turns_of(3, 0, 0, 1)]
    assert (net.tables[first + turns_of(4, 0, 3, 1)] == known).all()
    assert (net.tables[first + turns_of(3, 0, 1, 2)] == before.tables[first + turns_of(3, 0, 1, 2)]).all()


@pytest.mark.slow
def test_updates_move_the_network_to_the_result() -> None:
    """With the same two games over and over, the network learns to expect their results (C12)."""
    layouts = compile_layout(load("classic"))
    net = empty_net(feature_layout(layouts), 1)
    arrays = load_net(layouts, net, 2)
    positions, scores = self_play(arrays, 2, 2, seed=1, first=0, explore_per_mille=10)
    stage = Stage(lambda_=1.0, softness=0.0, rate=0.02)
    updates = np.full(len(net.tables), ENOUGH_UPDATES)
    errors = [td_update(arrays, updates, positions, scores, 2, stage) for _ in range(25)]
    assert errors[-1] < errors[0] / 5
    for game in range(2):
        last = positions[positions["game"] == game][-1]
        states = Game("classic", 2, first=0).raw()[1].copy()
        states[0].sheets[:SEATS] = last.sheets
        states[0].active, states[0].closed = last.active, last.closed
        found = value_of(layouts, net, states)
        assert (found.win_probabilities[0] > 0.5) == (scores[game, 0] > scores[game, 1])
        assert found.points == pytest.approx(scores[game, :2].tolist(), abs=20)


def test_the_schedule() -> None:
    """Lambda from 0.8 to 0.6; results are soft first and hard in the last part; the rate falls in the second half."""
    first, middle, last = (stage_at(done) for done in (0.0, 0.5, 1.0))
    assert [first.lambda_, last.lambda_] == pytest.approx([0.8, 0.6])
    assert first.softness > middle.softness > last.softness == 0
    assert first.rate == middle.rate > last.rate > 0
    assert stage_at(0.0, soft=False).softness == 0


# ---- the command


def run(*words: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words))


@pytest.mark.slow
def test_a_custom_sheet_is_trained_and_then_played(crowd: Path) -> None:
    """`qwixx train my-sheet.toml` makes a master that plays there and in `simulate`, with these seats only."""
    refused = run("simulate", str(crowd), "--bots", "master,gap", "--games", "4")
    assert refused.exit_code == 2
    assert "“master” cannot play small-crowd with 2 seats" in refused.stderr
    done = run("train", str(crowd), "--games", "8", "--workers", "1", "--json")
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1]["games"] == 8
    assert set(lines[-1]["win_shares"]["2"]) == {"gap:1", "gap:2"}
    played = run("simulate", str(crowd), "--bots", "master,gap", "--games", "4", "--json")
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["games"] == 4
    assert run("simulate", str(crowd), "--seats", "3", "--bots", "master", "--games", "4").exit_code == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["classic", "--seats", "1,2"], "A net for one seat learns from the exact solution"),
        (["classic", "--seats", "9"], "is played with 1 to 5 seats."),
        (["classic", "--seats", "2,x"], "'2,x' is not a number of seats; write one, or several like 3,4,5."),
        (["classic", "--seats", ""], "'' is not a number of seats"),
        (["classic", "--seats", "2,2"], "A number of seats is trained once"),
        (["cards", "--seats", "1"], "is played with 2 to 5 seats."),
        (["classic", "--games", "0"], "The number of games must be from 1"),
        (["classic", "--seed", "-1"], "A seed is a whole number"),
        (["classic", "--workers", "0"], "The number of workers is from 1"),
        (["classic", "--from", "nowhere.net"], "cannot be read"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    """Before any game is played, with exit code 2."""
    result = run("train", *words, "--out", str(tmp_path / "out.net"))
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert not list(tmp_path.iterdir())


def test_weights_need_a_folder(tmp_path: Path) -> None:
    """A training does not make folders, as other commands do not; nothing is played before."""
    with pytest.raises(QwixxError, match=r"There is no folder '.*missing' for the weights"):
        train(Settings(load("classic"), games=10, out=tmp_path / "missing" / "y.net"))
    assert not (tmp_path / "missing").exists()
