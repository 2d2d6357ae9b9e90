"""The public names of the package: verbs are functions, parts are packages, and no name is both."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

import qwixx


@pytest.mark.parametrize("name", ["variants", "sim", "solver", "puzzles"])
def test_parts_are_packages(name: str) -> None:
    """`import qwixx.sim` and the attribute `qwixx.sim` give the same package."""
    assert isinstance(getattr(qwixx, name), ModuleType)
    assert import_module(f"qwixx.{name}") is getattr(qwixx, name)


@pytest.mark.parametrize("name", ["advise", "games", "variant", "simulate", "solve", "ladder", "train", "verify"])
def test_verbs_are_functions(name: str) -> None:
    """Callable names are functions, also after all packages have been imported."""
    for package in ("sim", "solver", "variants", "cli"):
        import_module(f"qwixx.{package}")
    assert callable(getattr(qwixx, name))
    assert not isinstance(getattr(qwixx, name), ModuleType)


def test_games_are_listed() -> None:
    """The nine games of the family, in the order of the rule book."""
    assert qwixx.games() == qwixx.variants.names()
    assert qwixx.games()[0] == "classic"
    assert len(qwixx.games()) == 9


def test_everything_the_face_promises_is_there() -> None:
    """Every public name can be had, and an unknown one is refused."""
    assert {*qwixx.__all__, "analysis", "coach", "fair", "notation", "rl", "testing"} <= {*dir(qwixx)}
    assert [name for name in dir(qwixx) if not hasattr(qwixx, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        qwixx.nonsense  # type: ignore[attr-defined] # noqa: B018 - on purpose


def test_playing_does_not_import_study_tools() -> None:
    """A program that only plays does not import the simulator, the solver or the environments."""
    program = (
        "import qwixx, sys; print([n for n in ('sim', 'solver', 'rl', 'precompile') if f'qwixx.{n}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
