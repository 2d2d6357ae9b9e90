"""Puzzles: the shipped ones are legal, clear and match their sheets; new ones are checked by rollouts."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from qwixx import Game
from qwixx.cli import main
from qwixx.coach.reasons.decision_effects import DecisionEffects, effects_of
from qwixx.errors import QwixxError
from qwixx.players.built_in.master import has_net
from qwixx.puzzles.generate import (
    SHIPPED,
    follows,
    make_puzzles,
    read_puzzles,
    shipped_games,
    shipped_puzzles,
    write_puzzles,
)
from qwixx.puzzles.themes import CAPTURE, CLOSE, DRAW, MISS, PLAY, ROW, SKIP, Theme, answer_of, theme_of
from qwixx.variants import load

OLDER = {"cards-joker"}
"""The game whose puzzles were made before both answers of a theme and games of their own were asked for."""
MOST_BYTES = 100_000
"""The largest size of the puzzles of one game: a page downloads them."""


def test_games_have_enough_puzzles() -> None:
    """About a hundred for each game that has any; only games with a trained network have puzzles."""
    games = list(shipped_games())
    assert "classic" in games
    for name in games:
        assert has_net(load(name), 2)
        assert len(shipped_puzzles(load(name))) >= 99, name
        assert (SHIPPED / f"{name}.json").stat().st_size < MOST_BYTES


@pytest.mark.parametrize("name", list(shipped_games()))
def test_shipped_puzzles_are_clear(name: str) -> None:
    """Every position can be set up, its choices are the legal ones, and the best is better by more than its error."""
    puzzles = shipped_puzzles(load(name))
    assert len({puzzle.position for puzzle in puzzles}) > 60
    assert len({puzzle.theme for puzzle in puzzles}) >= 3
    assert sum(puzzle.is_tricky for puzzle in puzzles) >= 25
    for puzzle in puzzles:
        game = Game.from_position(puzzle.position)
        legal = {action.text for action in game.legal(puzzle.seat)}
        assert legal == {text for text, _, _ in puzzle.choices}
        values = [value for _, value, _ in puzzle.choices]
        assert values == sorted(values, reverse=True)
        assert 0 <= values[-1] <= values[0] <= 1
        assert puzzle.margin >= 0.0299
        assert puzzle.margin + 1e-4 > puzzle.interval >= 0  # both are written with four digits; 0 if the game ends


@pytest.mark.parametrize("name", sorted(set(shipped_games()) - OLDER))
def test_the_theme_does_not_tell_the_answer(name: str) -> None:
    """Where a theme has two answers, both occur: one at most twice as often as the other, and two more."""
    answers: Counter[tuple[Theme, bool]] = Counter()
    for puzzle in shipped_puzzles(load(name)):
        game = Game.from_position(puzzle.position)
        best = next(action for action in game.legal(puzzle.seat) if action.text == puzzle.best)
        answer = answer_of(puzzle.theme, effects_of(game, puzzle.seat, best))
        if answer is not None:
            answers[puzzle.theme, answer] += 1
    for theme, answer in list(answers):
        assert answers[theme, answer] <= 2 * answers[theme, not answer] + 2, (theme, answer)
        assert sum(answers[theme, each] for each in (True, False)) == 1 or answers[theme, not answer], theme


@pytest.mark.parametrize("name", sorted(set(shipped_games()) - OLDER))
def test_no_puzzle_follows_from_another(name: str) -> None:
    """No position can be the same turn of the same game as another, or the next one."""
    games = [Game.from_position(puzzle.position) for puzzle in shipped_puzzles(load(name))]
    assert not any(follows(one, other) for one, other in pairwise(games))


def test_themes_by_hand() -> None:
    """The theme follows from what the best choice and its rival do."""

    def cross(row: int, *, captured: bool = False) -> DecisionEffects:
        return DecisionEffects((row,), captured=captured)

    stay = DecisionEffects(is_pass=True)
    miss = DecisionEffects(is_pass=True, is_miss=True)
    closing = DecisionEffects((0,), locked=(0,))
    assert theme_of(cross(0), [cross(1)]) == ROW
    assert theme_of(cross(0), [cross(0)]) == SKIP
    assert theme_of(cross(0), [stay]) == theme_of(stay, [cross(0)]) == SKIP
    assert theme_of(miss, [cross(0)]) == theme_of(cross(0), [miss]) == MISS
    assert theme_of(closing, [cross(1)]) == theme_of(stay, [closing]) == CLOSE
    assert theme_of(stay, [cross(1), closing]) == CLOSE  # waiting, although closing is not the next best
    assert theme_of(closing, [closing, stay]) == SKIP
    assert theme_of(cross(0, captured=True), [cross(1)]) == CAPTURE
    assert theme_of(DecisionEffects(taken=1), [DecisionEffects(taken=1)]) == DRAW
    assert theme_of(DecisionEffects(played=1), [DecisionEffects(played=1)]) == PLAY
    assert (answer_of(CLOSE, closing), answer_of(CLOSE, stay), answer_of(MISS, miss)) == (True, False, True)
    assert (answer_of(SKIP, stay), answer_of(SKIP, cross(0)), answer_of(ROW, cross(0))) == (True, False, None)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_puzzles() -> None:
    """The same seed makes the same puzzles, and a file of them can be written and read again."""
    variant = load("duel")
    made = make_puzzles(variant, 2, 2, seed=3, games=100)
    assert made == make_puzzles(variant, 2, 2, seed=3, games=100)
    assert read_puzzles(write_puzzles(variant, 2, made, 3, 100), variant) == made


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A file without puzzles, or for another sheet, is refused with a sentence; other files are not overwritten."""
    text = (SHIPPED / "classic.json").read_text("utf-8")
    with pytest.raises(QwixxError, match="not for duel"):
        read_puzzles(text, load("duel"))
    for broken in ("", "[]", "{}", text.replace('"version": 1', '"version": 9'), text.replace('"skip"', '"x"')):
        with pytest.raises(QwixxError, match="not a puzzle file"):
            read_puzzles(broken, load("classic"))
    mine = tmp_path / "mine.txt"
    mine.write_text("dear diary")
    answer = CliRunner().invoke(main, ["puzzles", "classic", "-o", str(mine)])
    assert answer.exit_code == 2
    assert mine.read_text() == "dear diary"


def test_the_command() -> None:
    """`qwixx puzzles` counts by theme, shows one theme, and prints JSON."""
    run = CliRunner().invoke
    assert "row" in run(main, ["puzzles", "classic", "--list"]).output
    shown = run(main, ["puzzles", "classic", "--theme", "close", "--list"]).output
    assert "better than" in shown
    data = json.loads(run(main, ["puzzles", "classic", "--json"]).output)
    assert len(data) >= 100
    assert data[0]["choices"][0]["value"] >= data[0]["choices"][1]["value"]
    assert run(main, ["puzzles", "classic", "--sheet", "gemixxt-a"]).exit_code == 2


def test_the_quiz_knows_right_from_wrong(own_data: Path) -> None:
    """
    The best choice counts, another one says what it costs, and Enter shows the answer; the score is of all asked.

    Solved puzzles are kept: the next quiz asks them last, and a damaged file is no reason to stop.
    """
    order = shipped_puzzles(load("classic"))
    Random(7).shuffle(order)
    first, second, third = order[:3]
    typed = [first.best, "", second.choices[-1][0], "", "nonsense", "", "quit"]
    output = CliRunner().invoke(main, ["puzzles", "classic", "--seed", "7"], input="\n".join(typed) + "\n").output
    loss = 100 * (second.choices[0][1] - second.choices[-1][1])
    parts = output.split("What is your best choice here?")
    assert "Right!" in parts[1]
    assert "1 of 1 solved." in parts[1]
    assert f"Better: {second.best}." in parts[2]
    assert f"lowers your chance of winning by {loss:.1f} %." in parts[2]
    assert f"Better: {third.best}." in parts[3]
    assert f"1 of 3 solved.\nTraining: {load('classic').name}: 1 of {len(order)} solved." in output
    again = CliRunner().invoke(main, ["puzzles", "classic", "--seed", "7"], input=f"{second.best}\nquit\n").output
    assert "Right!" in again, "the first puzzle is solved, so the second one is asked first"
    assert f"2 of {len(order)} solved." in again
    (own_data / "puzzles.json").write_text("{damaged")
    fresh = CliRunner().invoke(main, ["puzzles", "classic", "--seed", "7"], input=f"{first.best}\nquit\n").output
    assert f"1 of {len(order)} solved." in fresh
