"""Every feature of a sheet has a name, also future ones, and code that lacks a feature refuses the sheet."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import qwixx
from qwixx.errors import QwixxError
from qwixx.kernel.state.records import LAYOUT, Records
from qwixx.rl.spaces import describe
from qwixx.sim.block import Block
from qwixx.solver import plan
from qwixx.variants import load
from qwixx.variants.features import features_of
from qwixx.variants.layout import compile_layout

EXPECTED = {
    "classic": {"dice"},
    "gemixxt-a": {"dice", "mixed-colors"},
    "gemixxt-b": {"dice"},
    "bonus-a": {"dice", "bar", "boxed"},
    "bonus-b": {
        "dice",
        "paired",
        "pair-two-in-fewest",
        "pair-one-in-each",
        "pair-double-fewest",
        "pair-plus",
        "pair-free-misses",
    },
    "longo": {"dice", "lucky"},
    "cards": {"cards", "personal-rows"},
    "cards-joker": {"cards", "personal-rows", "jokers"},
    "duel": {"dice", "shared-board", "pawns"},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_features_of_the_family(name: str) -> None:
    """The features of each game beyond the common dice game, and no others."""
    assert features_of(compile_layout(load(name))) == EXPECTED[name]


def edited(name: str, field: str, at: tuple[int, ...], number: int) -> Records:
    """Change one number of a compiled sheet."""
    layouts = compile_layout(load(name)).copy()
    layouts[field][(0, *at)] = number
    return layouts


@pytest.mark.parametrize(
    ("name", "field", "at", "number", "feature"),
    [
        ("classic", "effect", (2, 3), 7, "effect-7"),
        ("bonus-b", "pair_effect", (0,), 9, "pair-effect-9"),
        ("classic", "flow", (), 2, "flow-2"),
        ("classic", "shared", (), 2, "shared-board-2"),
    ],
)
def test_inventions_are_named_and_not_solved(
    monkeypatch: pytest.MonkeyPatch, name: str, field: str, at: tuple[int, ...], number: int, feature: str
) -> None:
    """A number without a rule has its own feature name, and the solver refuses the sheet with it."""
    layouts = edited(name, field, at, number)
    assert feature in features_of(layouts)

    monkeypatch.setattr(import_module("qwixx.solver.build.plan"), "compile_layout", lambda variant: layouts)
    with pytest.raises(QwixxError, match=f"{name!r} cannot be solved: the solver does not know .*{feature}"):
        plan(load(name))


def test_new_fields_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that this version does not know is a feature wherever it is used."""
    wider = np.dtype((np.record, [*((name, LAYOUT[name]) for name in LAYOUT.names or ()), ("road_toll", np.int32)]))
    layouts: Records = np.zeros(1, wider)
    for name in LAYOUT.names or ():
        layouts[name] = compile_layout(load("classic"))[name]
    monkeypatch.setattr(import_module("qwixx.variants.features"), "LAYOUT", wider)
    assert features_of(layouts) == {"dice"}
    layouts["road_toll"] = 1
    assert features_of(layouts) == {"dice", "field-road-toll"}


def test_other_numbers_are_not_features() -> None:
    """Other points, lengths, closing numbers and dice change no rule."""
    for field, at in (("points", (3,)), ("miss_points", ()), ("closes_need", (1,)), ("end_misses", ()), ("sides", ())):
        assert features_of(edited("classic", field, at, 1)) == {"dice"}


@pytest.mark.parametrize("name", ["cards", "duel"])
def test_games_for_several_are_not_solved(name: str) -> None:
    """Multiplayer games are refused with a sentence."""
    with pytest.raises(QwixxError, match="not played alone"):
        plan(qwixx.variant(name))


def test_environments_refuse_unknown_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """All nine games can be observed; a sheet with an invented effect is refused with a sentence."""
    assert {describe(name).variant.id for name in EXPECTED} == set(EXPECTED)
    layouts = edited("classic", "effect", (2, 3), 7)
    monkeypatch.setattr(import_module("qwixx.rl.spaces"), "compile_layout", lambda variant: layouts)
    with pytest.raises(QwixxError, match="'classic' cannot be shown to learners: they would not see effect-7"):
        describe("classic")


def uses_fast_path(name: str) -> bool:
    """Return whether the fast path of the simulator supports games of two gap players."""
    return Block(load(name), ("gap", "gap"), rotate=True, seed=0, first=0, count=1).uses_fast_path


def test_the_fast_path_refuses_unknown_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast path plays all six games with sheets and dice; a sheet with an invented effect uses the slow path."""
    assert [name for name in EXPECTED if load(name).seats[0] == 1 and not uses_fast_path(name)] == []
    for name, field, at in (("classic", "effect", (2, 3)), ("bonus-b", "pair_effect", (0,))):
        layouts = edited(name, field, at, 7)
        monkeypatch.setattr(import_module("qwixx.sim.block"), "compile_layout", lambda variant, one=layouts: one)
        assert not uses_fast_path(name)
