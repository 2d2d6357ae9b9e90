"""Games start immediately, interpreted; compiled rules take over during a game, and only the speed changes."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qwixx import variants
from qwixx.base.user_dirs import cache_directory
from qwixx.errors import QwixxError
from qwixx.jit import cache, decorators
from qwixx.kernel import api
from qwixx.precompile import PARTS, Part
from qwixx.server import run as run_server

needs_the_compiler = pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")

GAMES = """
import hashlib, json, random, sys
import qwixx
from qwixx.jit import tiering
from qwixx.jit.decorators import interpret_budget
from qwixx.players import find

def play(number):
    name = qwixx.games()[number % 9]
    chooser = random.Random(number)
    game = qwixx.Game(name, 2, seed=number)
    player = find("easy").sit(game.variant, 2)
    digest = hashlib.sha256()
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.view(seat)
            legal = game.legal(seat)
            wish = player.answer(game.question(seat)) if chooser.random() < 0.5 else chooser.choice(legal)
            digest.update(repr((legal, game.decide(seat, wish))).encode())
        if number == 9:
            tiering.start_background_compile()
    digest.update(repr((game.scores(), game.position())).encode())
    return digest.hexdigest() + game.record()

played, before = [], 0
while len(played) < 21:
    before += not interpret_budget.has_ended
    played.append(play(len(played)))
    if len(played) == 12 and sys.argv[1] == "wait":
        tiering.wait_for_compile()
print(json.dumps({"before": before, "compiled": interpret_budget.has_ended, "games": played}))
"""


def run(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in its own process, with the default settings for the rules."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "QWIXX_JIT": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@needs_the_compiler
@pytest.mark.slow(30)
def test_games_are_the_same_before_during_and_after() -> None:
    """Games of all kinds; compiled rules take over in the middle of one, at the latest after the 12th."""
    changed = run(GAMES, "wait")
    assert changed.returncode == 0, changed.stderr
    interpreted = run(GAMES, "go on", QWIXX_JIT="0")
    facts, plain = json.loads(changed.stdout), json.loads(interpreted.stdout)
    assert facts["compiled"]
    assert not plain["compiled"]
    assert 0 < facts["before"] <= 12
    assert plain["before"] == 21
    assert facts["games"] == plain["games"]


@needs_the_compiler
@pytest.mark.slow
def test_a_program_that_plays_for_long_gets_the_compiled_rules_by_itself() -> None:
    """A quarter of a second of interpreted rules is enough, and the program can end during the change."""
    program = """
import qwixx
from qwixx.jit import tiering
from qwixx.jit.decorators import interpret_budget
number = 0
while tiering._thread is None:
    game = qwixx.Game("classic", seed=number)
    number += 1
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, "pass")
print("began", number > 1, interpret_budget.has_ended)
"""
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "began True False\n", "")


@pytest.mark.slow
def test_nothing_is_loaded_that_is_not_needed() -> None:
    """`import qwixx` and its help need neither NumPy nor the compiler; a first decision does not need the compiler."""
    heavy = "[n for n in ('numpy', 'numba', 'rich', 'msgspec') if n in sys.modules]"
    assert run(f"import sys, qwixx; dir(qwixx); print({heavy})").stdout == "[]\n"
    helped = run(
        f"import sys\nfrom qwixx.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    print({heavy})"
    )
    assert helped.stdout.endswith("[]\n")
    first = "game = qwixx.Game(seed=1)\ngame.roll()\ngame.decide(0, 'pass')"
    decided = run(f"import sys, qwixx\n{first}\nprint('numba' in sys.modules)")
    assert decided.stdout == "False\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["normal", "master"])
def test_a_learned_player_waits_for_no_compiler(name: str) -> None:
    """The first decision of a bot is interpreted, as the rules are."""
    first = f"game = qwixx.Game(seed=1)\ngame.roll()\nbot = find({name!r}).sit(game.variant, 2)"
    decided = "bot.answer(game.question(0)) in game.legal(0), 'numba' in sys.modules"
    assert run(f"import sys, qwixx\nfrom qwixx.players import find\n{first}\nprint({decided})").stdout == "True False\n"


SERVER = """
import sys
from qwixx.jit import tiering
from qwixx.players.built_in import master
from qwixx.server import run
from qwixx.server.base.settings import Settings
from qwixx.server.room.bots import AllowedBots
from threading import Event
started, is_started = [], Event()
def start(then=None):
    started.append(then)
    is_started.set()
tiering.start_background_compile = start
run.warm_up(AllowedBots("easy,master"))
print('numba' in sys.modules, started, master._read.cache_info().currsize)
run._begin(Settings(), 8321, sys.stderr, open_page=False)
is_started.wait(60)
print(started == [run._on_compiled], master._read.cache_info().currsize > 0)
"""


@pytest.mark.slow
def test_a_server_gives_its_address_before_anything_is_compiled(tmp_path: Path) -> None:
    """No visitor waits for neural networks or the compiler: both are loaded when the server is ready."""
    done = run(SERVER, QWIXX_CACHE=str(tmp_path))
    assert done.stdout == "False [] 0\nTrue True\n"
    assert "qwixx is at http://127.0.0.1:8321/" in done.stderr


def test_a_bot_that_cannot_be_loaded_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged file of weights keeps neither the server from its start nor the compiler from its work."""
    started: list[object] = []

    def damaged(name: str) -> None:
        raise QwixxError("The weights are damaged.")

    monkeypatch.setattr(run_server, "find", damaged)
    monkeypatch.setattr("qwixx.games", lambda: ["duel"])
    monkeypatch.setattr("qwixx.jit.tiering.start_background_compile", started.append)
    run_server._warm_up_in_background()
    assert [record.getMessage() for record in caplog.records] == ["a bot cannot be loaded: The weights are damaged."]
    assert started == [run_server._on_compiled]


@needs_the_compiler
@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.folder)
def test_warming_uses_every_function_that_python_calls(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """`qwixx warm` uses every entry of its part; a missing one would be compiled later, while a user waits."""
    used: set[str] = set()

    def counting(entry: decorators.Entry) -> Callable[..., Any]:
        run, name = entry.run, f"{entry.function.__module__}.{entry.function.__name__}"

        def counted(*args: Any) -> Any:
            used.add(name)
            return run(*args)

        return counted

    home = f"qwixx.{part.folder}."
    entries = [entry for entry in decorators.ENTRIES if entry.function.__module__.startswith(home)]
    assert entries
    for entry in entries:
        monkeypatch.setattr(entry, "run", counting(entry))
    variants._builtin.cache_clear()  # a variant that was used before would hide calls
    part.use()
    assert {f"{entry.function.__module__}.{entry.function.__name__}" for entry in entries} - used == set()


BULK = """
import qwixx.kernel.game_end as ends
from qwixx.jit.decorators import eager_entry

@eager_entry
def rows(mask):
    return ends.count_rows(mask)

print(rows(0b1011))
"""


@pytest.mark.slow
@needs_the_compiler
def test_the_compiler_is_announced_once(tmp_path: Path) -> None:
    """The first run prints one line that it compiles, the second prints nothing."""
    program = tmp_path / "rows.py"
    program.write_text(BULK)
    runs = [run(f"import runpy; runpy.run_path({str(program)!r})", QWIXX_CACHE=str(tmp_path / "c")) for _ in range(2)]
    assert [done.stdout for done in runs] == ["3\n", "3\n"]
    assert re.fullmatch(r"Compiling \S+\.rows for this machine, once \.\.\. \d+ s\n", runs[0].stderr)
    assert runs[1].stderr == ""


WITHOUT = """
import sys
sys.modules["numba"] = None
from qwixx.cli import main
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simulate", "duel", "--games", "2"), "pip install 'qwixx[fast]'"),
        (("warm",), "pip install 'qwixx[fast]'"),
        (("rules", "classic"), ""),
        (("variants",), ""),
        (("sheet", "bonus-a"), ""),
        (("players",), ""),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_everything_works_without_the_compiler(arguments: tuple[str, ...], words: str) -> None:
    """It is only slower; where that matters, a message says what would help."""
    done = run(WITHOUT, *arguments)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout + done.stderr
    assert ("fast" in done.stdout + done.stderr) == bool(words)


def test_code_is_cached_elsewhere_if_the_cache_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code is stored in a private temporary folder then, never in one that others can write to."""
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "shared").mkdir()
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "shared"))
    own = tmp_path / "shared" / f"qwixx-{os.getuid()}"
    assert cache.cache_root() == own / "compiled"
    assert own.stat().st_mode & 0o777 == 0o700
    cache._writable.cache_clear()
    own.chmod(0o777)
    assert cache.cache_root() is None


@needs_the_compiler
def test_warm_says_where_to_put_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling ahead is useless without a cache; a sentence says what helps."""
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(cache, "cache_root", lambda: None)
    from click.testing import CliRunner  # noqa: PLC0415

    from qwixx.cli.commands.study.warm import warm_command  # noqa: PLC0415

    found = CliRunner().invoke(warm_command, ["rules"])
    assert isinstance(found.exception, QwixxError)
    assert "set QWIXX_CACHE to a folder" in str(found.exception)
    assert str(cache_directory()) in str(found.exception)


TWO_WRITINGS = """
from qwixx.jit.decorators import eager_entry, compiled_from, kernel

@kernel
def _compiled(n):
    return 10 * n

@compiled_from(_compiled)
def times_ten(n):
    return int(str(n) + "0")

@eager_entry
def work(n):
    return times_ten(n) + 1

print(work(4), times_ten(4))
"""


@pytest.mark.slow
@needs_the_compiler
def test_a_function_with_another_version_for_the_compiler(tmp_path: Path) -> None:
    """The compiler uses the version that it can read; interpreted code calls the other one."""
    program = tmp_path / "writings.py"
    program.write_text(TWO_WRITINGS)
    done = run(f"import runpy; runpy.run_path({str(program)!r})", QWIXX_CACHE=str(tmp_path / "c"))
    assert (done.returncode, done.stdout) == (0, "41 40\n"), done.stderr


NEIGHBOUR = """
from qwixx.jit.decorators import kernel

@kernel
def more(n):
    return n + 1
"""
EDITED = """
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import neighbour
from qwixx.jit.decorators import eager_entry

@eager_entry
def work(n):
    return neighbour.more(n)

if "edit" in sys.argv:
    file = pathlib.Path(neighbour.__file__)
    file.write_text(file.read_text().replace("n + 1", "n + 1 + 1"))  # another size: Python notices edits by the second
print(work(1))
"""


@pytest.mark.slow
@needs_the_compiler
def test_old_code_of_an_edited_file_is_not_cached(tmp_path: Path) -> None:
    """A program that runs the old source while the file has the new one must not cache its code for later programs."""
    (tmp_path / "neighbour.py").write_text(NEIGHBOUR)
    program = tmp_path / "edited.py"
    program.write_text(EDITED)
    start = f"import runpy, sys; runpy.run_path({str(program)!r}, run_name='__main__')"
    output = [run(start, *words, QWIXX_CACHE=str(tmp_path / "c")).stdout for words in (["edit"], [], [])]
    assert output == ["2\n", "3\n", "3\n"]


BACKGROUND = """
import os, sys, time
from qwixx.jit import tiering
from qwixx.jit.decorators import entry, interpret_budget

@entry
def of_words(words):
    return len(words)

@entry
def twice(n):
    return 2 * n

print(of_words({"a": 1}), twice(2), flush=True)
tiering.is_uncached = lambda part: False
tiering.start_background_compile()
"""


@pytest.mark.slow
@needs_the_compiler
def test_one_function_that_cannot_be_compiled_stops_no_other(tmp_path: Path) -> None:
    """The compiler does not support a dictionary; everything else is compiled all the same."""
    program = tmp_path / "words.py"
    program.write_text(
        BACKGROUND
        + "tiering.wait_for_compile()\n"
        + "print(interpret_budget.has_ended, of_words({'a': 1}), type(twice.run).__name__)\n"
    )
    done = run(f"import runpy; runpy.run_path({str(program)!r})", QWIXX_CACHE=str(tmp_path / "c"))
    assert (done.stdout, done.stderr) == ("1 4\nTrue 1 CPUDispatcher\n", "")


@pytest.mark.slow
@needs_the_compiler
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_that_is_forked_during_compilation(tmp_path: Path) -> None:
    """A process that is forked during compilation can use the compiled code later."""
    program = tmp_path / "fork.py"
    program.write_text(
        BACKGROUND
        + """
time.sleep(0.2)
child = os.fork()
if child == 0:
    from qwixx.jit.decorators import compile_now
    ready = tiering._thread is None and interpret_budget._limit < 1
    compile_now()
    print(ready, twice(3), flush=True)
    os._exit(0)
for _ in range(600):
    if os.waitpid(child, os.WNOHANG)[0]:
        break
    time.sleep(0.1)
else:
    os.kill(child, 9)
    print("hangs")
"""
    )
    done = run(f"import runpy; runpy.run_path({str(program)!r})", QWIXX_CACHE=str(tmp_path / "c"))
    assert done.stdout == "1 4\nTrue 6\n", done.stderr


@pytest.mark.slow
@needs_the_compiler
def test_the_compiler_ignores_the_current_folder(tmp_path: Path) -> None:
    """The process that compiles does not import from the current folder."""
    (tmp_path / "random.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\nraise SystemExit(1)")
    program = (
        "import sys; sys.path[:] = [path for path in sys.path if path]\n"
        "from qwixx.jit import tiering\n"
        "print(tiering.compile_in_subprocess(['nothing of the kind']))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={**os.environ, "QWIXX_JIT": "1", "QWIXX_CACHE": str(tmp_path / "c")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout == "True\n", done.stderr
    assert not (tmp_path / "was-run").exists()


def test_a_game_continues_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache and a temporary folder nothing is stored, and no error is raised."""
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path / "file" / "cache"))

    def none() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    assert cache.cache_root() is None


def test_entries_are_pickled_by_name() -> None:
    """Entries are pickled by name, as functions are, for other processes and machines."""
    assert pickle.loads(pickle.dumps(api.score)) is api.score


@pytest.mark.skipif(not decorators.COMPILES, reason="needs the compiler")
def test_one_hint_and_one_review_need_no_compiler(tmp_path: Path) -> None:
    """With an empty cache they are interpreted: compiling for one answer would take thirty times as long."""
    program = (
        "import sys, qwixx\n"
        "game = qwixx.Game('classic', seed=1)\n"
        "game.roll()\n"
        "assert qwixx.hint(game, 0).best in game.legal(0)\n"
        "assert qwixx.analyse(game).seats == 2\n"
        "print('numba' in sys.modules)\n"
    )
    around = {**os.environ, "QWIXX_JIT": "1", "QWIXX_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=around, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")
