"""The example `maskable_ppo.py`: a short training where sb3-contrib is installed, and a sentence where it is not."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from support.paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qwixx/Classic-v0", "qwixx/DuelAgainst-v0"])
def test_it_learns_for_some_hundred_steps(name: str) -> None:
    """PyTorch is too large for the development tools, so without it the example has to say what is missing."""
    words = ["--id", name, "--steps", "256", "--length", "64", "--games", "2"]
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "maskable_ppo.py"), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    if find_spec("sb3_contrib"):
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("2 games of seed 1000003: mean return ")
    else:
        assert done.returncode == 1
        assert done.stderr == "This example needs sb3-contrib, which brings PyTorch: pip install sb3-contrib\n"
