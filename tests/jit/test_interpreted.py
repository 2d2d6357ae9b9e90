"""Compiled and interpreted rules give the same results, bit for bit."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from qwixx.jit.decorators import COMPILES
from support.games.game_digest import fingerprint
from support.paths import TESTS

pytestmark = pytest.mark.slow

PROGRAM = "support.games.game_digest"
WITHOUT_NUMBA = (
    "import runpy, sys; sys.modules['numba'] = None; sys.argv = ['digest', sys.argv[1]];"
    f" runpy.run_module({PROGRAM!r}, run_name='__main__')"
)


def run(word: str, *, numba: bool) -> str:
    """Run the program in its own process with an interpreted kernel; return its output."""
    environment = {**os.environ, "QWIXX_JIT": "0" if numba else "1"}
    command = [sys.executable, "-m", PROGRAM, word] if numba else [sys.executable, "-c", WITHOUT_NUMBA, word]
    done = subprocess.run(command, cwd=TESTS, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not COMPILES, reason="compares with compiled rules, which need numba and no QWIXX_JIT=0")
@pytest.mark.parametrize("numba", [True, False], ids=["switched-off", "not-installed"])
def test_interpreted_games_equal_compiled_ones(numba: bool) -> None:
    """Every state, log, refusal, view and score of a game of every kind is the same without the compiler."""
    assert run("digest", numba=numba) == f"interpreted {fingerprint()}"


def test_the_interpreted_kernel_agrees_with_the_oracle() -> None:
    """Interpreted too, the package and the naive oracle agree at every decision."""
    assert run("compare", numba=True) == "interpreted 110"
