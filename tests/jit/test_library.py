"""The library of compiled code, which runs where the compiler is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from qwixx.cli import main
from qwixx.cli.commands.study import warm
from qwixx.jit import build_library
from qwixx.jit.build_library import write_library
from qwixx.jit.decorators import ENTRIES
from qwixx.jit.library import key, symbol_of
from support.games.game_digest import fingerprint
from support.paths import TESTS

pytestmark = pytest.mark.slow

WRITER = """
import sys
from pathlib import Path
from qwixx import Game
from qwixx.jit.build_library import write_library
from qwixx.jit.decorators import ENTRIES
from qwixx.players import find
from qwixx.players.built_in import master
from qwixx.precompile import RULES
RULES.use()
game = Game("classic", 2, seed=1, first=0)
game.roll()
find("master").sit(game.variant, 2).answer(game.question(0))
rules = [each for each in ENTRIES if each.function.__module__ == "qwixx.kernel.api"]
print(write_library(Path(sys.argv[1]), [*rules, master._answer_all]))
"""
WITH_LIBRARY = """
import runpy, sys
sys.modules["numba"] = None
from pathlib import Path
from qwixx.jit import library
library.PATH = Path(sys.argv[1])
sys.argv = sys.argv[1:]
"""
GAMES = """
runpy.run_module("support.games.game_digest", run_name="__main__")
from qwixx.jit.decorators import ENTRIES
print(*sorted(each.function.__name__ for each in ENTRIES if each.run.__module__ == "qwixx.jit.library"))
"""
MASTER = """
from qwixx import Game
from qwixx.players import find
game = Game("cards", 2, seed=1, first=0)
while game.awaits_chance:
    game.roll()
seat = game.deciders()[0]
print(find("master").sit(game.variant, 2).answer(game.question(seat)))
from qwixx.players.built_in import master
print(master._answer_all.run.__module__)
"""
ERRORS = """
import numpy as np
from qwixx.jit.decorators import LIBRARY
from qwixx.kernel import api
print(LIBRARY.find(api.winners.function)(np.array([3, 7, 7], np.int64)), api.winners(np.array([3, 7, 7], np.int32)))
"""


def write(path: Path) -> subprocess.CompletedProcess[str]:
    """Write a library in a new process: in this one, tests may have compiled an entry for other types."""
    command = [sys.executable, "-c", WRITER, str(path)]
    around = {**os.environ, "QWIXX_JIT": "now"}
    return subprocess.run(command, env=around, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a library of the rules and the bot `master`."""
    path = tmp_path_factory.mktemp("library") / "compiled.so"
    done = write(path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20
    return path


def run(program: str, library: Path, *words: str) -> list[str]:
    """Run a program in a process without numba; return the lines of its output."""
    command = [sys.executable, "-c", WITH_LIBRARY + program, str(library), *words]
    around = {**os.environ, "QWIXX_JIT": "1"}
    done = subprocess.run(command, cwd=TESTS, env=around, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_games_are_the_same_without_the_compiler(library: Path) -> None:
    """Every state, log and score of a game of every kind is the same, and the code is that of the library."""
    digest, names = run(GAMES, library, "digest")
    assert digest == f"interpreted {fingerprint()}"
    assert {"begin", "decide", "legal", "redact", "roll", "score"} <= set(names.split())


def test_a_net_decides_the_same(library: Path) -> None:
    """Tuples of arrays, floats and large tables arrive."""
    program = MASTER.replace("print(master._answer_all.run.__module__)", "")
    around = {**os.environ, "QWIXX_JIT": "now"}
    command = [sys.executable, "-c", program[: program.rindex("from")]]
    usual = subprocess.run(command, env=around, capture_output=True, text=True, check=True, timeout=300).stdout
    assert run(MASTER, library) == [usual.strip(), "qwixx.jit.library"]


def test_other_types_are_interpreted(library: Path) -> None:
    """Arguments of types that nobody compiled for get the same answer."""
    assert run(ERRORS, library) == ["6 6"]  # seats 1 and 2, as bits


def test_a_library_of_other_sources_is_not_used(library: Path, tmp_path: Path) -> None:
    """Nor one that is damaged: then everything is interpreted."""
    other, damaged = tmp_path / "other.so", tmp_path / "damaged.so"
    content = library.read_bytes()
    assert content.count(key().encode()) == 1
    other.write_bytes(content.replace(key().encode(), b"0" * 64))
    damaged.write_text("no library")
    program = "from qwixx.jit.decorators import LIBRARY, RUNS_COMPILED; print(LIBRARY, RUNS_COMPILED)"
    for path in (other, damaged, tmp_path / "none.so"):
        assert run(program, path) == ["None False"]


def test_each_entry_has_one_function(tmp_path: Path) -> None:
    """Code for two kinds of arguments is refused with a sentence, and so is a folder that is not there."""
    (winners,) = (each for each in ENTRIES if symbol_of(each.function) == "qwixx.kernel.api.winners")
    for kind in (np.int32, np.int64):
        winners.compile()(np.array([1], kind))
    with pytest.raises(RuntimeError, match=r"compiled for \d kinds of arguments"):
        write_library(tmp_path / "compiled.so", [winners])
    assert "The linker could not write" in write(tmp_path / "missing" / "compiled.so").stderr


def test_the_command_writes_into_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`qwixx warm --library` loads the parts and writes the library; a full disk gets a sentence."""
    written: list[Path] = []
    monkeypatch.setattr(warm, "PATH", tmp_path / "compiled.so")
    monkeypatch.setattr(build_library, "write_library", written.append)
    done = CliRunner().invoke(main, ["warm", "--library", "rules"])
    assert done.output == "Compiled: rules.\nThe package has a library of it, and needs no numba now.\n"
    assert written == [tmp_path / "compiled.so"]

    def fail(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build_library, "write_library", fail)
    done = CliRunner().invoke(main, ["warm", "--library", "rules"])
    assert (done.exit_code, "The library could not be written" in done.output) == (2, True)
