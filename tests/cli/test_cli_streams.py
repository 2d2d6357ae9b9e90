"""Every command under every failure: no disk, no terminal, ASCII only, Ctrl-C. Never a traceback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import pytest

from qwixx.cli import main
from support.games.small_sheets import tiny_sheet
from support.processes.forked_commands import CLOSED, ForkedCommands

POSITION = "classic active=0 phase=roll | r=2,5 | -"
COMMANDS: dict[str, Sequence[str]] = {
    "help": ["--help"],
    "version": ["--version"],
    "variants": ["variants"],
    "variants-json": ["variants", "--json"],
    "players": ["players"],
    "players-json": ["players", "--json"],
    "learn": ["learn", "duel"],
    "rules": ["rules", "bonus-b"],
    "rules-short": ["rules", "longo", "--short", "--lang", "fr"],
    "rules-json": ["rules", "longo", "--json"],
    "sheet": ["sheet", "classic", "--position", POSITION],
    "sheet-svg": ["sheet", "duel", "--svg", "-"],
    "print": ["print", "duel", "-o", "PAD"],
    "replay": ["replay", "--variant", "cards", "--game", "2"],
    "replay-json": ["replay", "--variant", "duel", "--game", "2", "--json"],
    "replay-stdin": ["replay", "-"],
    "play": ["play", "longo", "--seed", "1"],
    "play-cards": ["play", "cards", "--names", "Jörg,Zoë", "--seed", "1"],
    "play-bots": ["play", "classic", "--seats", "2", "--bots", "2", "--seed", "1"],
    "play-menu": ["play"],
    "simulate": ["simulate", "classic", "--games", "3"],
    "simulate-json": ["simulate", "bonus-a", "--games", "3", "--json"],
    "perft": ["perft", "COUNTS"],
    "mcp": ["mcp"],
    "solve": ["solve", "TINY"],
    "best": ["best", "TINY", "r=2", "11/1111"],
    "best-position": ["best", "TINY", "r=2"],
    "analyse": ["analyse", "RECORD"],
    "verify": ["verify", "RECORD"],  # the file has nothing to check
    "backup": ["backup", "PAD"],  # there is no database
    "restore": ["restore", "RECORD"],  # the file is not a backup
    "check": ["check", "RECORD"],  # the file is not a database
    "admin": ["admin", "stats"],  # no token is set
    "hint": ["hint", "classic active=0 phase=color roll=34/2615 | r=2 | -", "--lang", "fr"],
    "puzzles": ["puzzles", "classic", "--theme", "close", "--list"],
    "site": ["site", "-o", "SITE"],
    "warm": ["warm"],
    "data": ["data", "duel", "--bots", "greedy", "--games", "1", "-o", "ROWS"],
    "ladder": ["ladder", "classic", "--players", "gap,random", "--games", "2", "--workers", "1"],
    "train": ["train", "classic", "--seats", "1,2"],  # these commands need a compiler, or minutes
    "refused": ["play", "nonsense"],
}
REFUSED = ("refused", "replay-stdin", "train", "verify", "backup", "restore", "check", "admin")
SILENT = ("mcp",)
"""Commands that write nothing unless they are asked something."""
OF_EACH_KIND = ("help", "rules", "sheet-svg", "replay-json", "play", "simulate", "solve", "refused")
"""One command for each way of writing: by click, by rich, as JSON, to people, during the work."""
LONG = ("simulate", "solve", "play", "play-bots", "replay", "perft", "rules", "serve")


ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
STARTED = ("help", "simulate", "refused")
"""Commands that run as separate programs with each failure, from the start of Python; all others are forked."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a tiny sheet, where a command can write files."""
    tiny_sheet(tmp_path, "plain")
    (tmp_path / "begun.qwixx").write_text("qwixx record 1\nvariant classic\nseats 2\nfirst 0\n")
    (tmp_path / "counts.perft").write_text("position classic active=0 phase=roll | -\nrolls 34/2615\nperft 2 41\n")
    return tmp_path


def words_of(name: str, place: Path) -> list[str]:
    """Return the arguments of a command; servers use a free port."""
    if name == "serve":
        return ["serve", "--port", "0", "--no-open"]
    files = {
        "TINY": "plain.toml",
        "COUNTS": "counts.perft",
        "SITE": "site",
        "PAD": "pad.pdf",
        "ROWS": "rows.parquet",
        "RECORD": "begun.qwixx",
    }
    return [str(place / files[word]) if word in files else word for word in COMMANDS[name]]


def own_folders(place: Path) -> dict[str, str]:
    """Return variables with which no user data is touched."""
    return {"QWIXX_DATA": str(place / "data"), "QWIXX_CACHE": str(place / "cache")}


def environment(place: Path, **more: str) -> dict[str, str]:
    """Return an environment in which nothing is compiled and no user data is touched."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return {**kept, "QWIXX_JIT": "0", "TERM": "xterm", **own_folders(place), **more}


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedCommands]:
    """Yield a process that is forked for each command."""
    commands = ForkedCommands(environment(tmp_path_factory.mktemp("forked")))
    yield commands
    commands.close()


def fork(
    forked: ForkedCommands, name: str, place: Path, streams: Mapping[str, str], **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a forked process, with other streams."""
    return forked.run(words_of(name, place), place, own_folders(place) | more, streams)


def shell(name: str, place: Path, redirected: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a shell, with redirections."""
    program = ["sh", "-c", f'"$0" -m qwixx "$@" {redirected}', sys.executable, *words_of(name, place)]
    return subprocess.run(
        program, input=b"1\n1\n", capture_output=True, env=environment(place, **more), timeout=120, check=False
    )


def restore_interrupts() -> None:
    """Restore SIGINT as in a foreground program; tests in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press Ctrl-C; return the remaining output."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def test_all_commands_are_known_here() -> None:
    """A new command has to be added to these tests."""
    assert {words[0] for words in COMMANDS.values()} | {"serve"} >= set(main.list_commands(click.Context(main)))


def check_failed(name: str, result: subprocess.CompletedProcess[bytes]) -> None:
    """Check that one sentence and the exit code say that the output cannot be written."""
    errors = result.stderr.decode()
    assert "Traceback" not in errors
    assert "Exception ignored" not in errors
    if name in REFUSED:
        assert result.returncode == 2
    else:
        assert result.returncode == 1
        said = ("Error: The output cannot be written: ", "Erreur\u202f: La sortie ne peut pas être écrite\u202f: ")
        assert errors.splitlines()[-1].startswith(said)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in SILENT])
def test_a_full_disk(name: str, place: Path, forked: ForkedCommands) -> None:
    """If the answer cannot be written, one sentence and the exit code say so."""
    check_failed(name, fork(forked, name, place, {"stdout": "/dev/full"}))
    if name in STARTED:
        check_failed(name, shell(name, place, ">/dev/full"))


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_no_output(name: str, place: Path, forked: ForkedCommands) -> None:
    """A closed output is reported like a full disk."""
    check_failed(name, fork(forked, name, place, {"stdout": CLOSED}))
    if name in STARTED:
        check_failed(name, shell(name, place, ">&-"))


def check_unbroken(result: subprocess.CompletedProcess[bytes]) -> None:
    """Check that Python has nothing to complain about."""
    assert "Traceback" not in (result.stdout + result.stderr).decode()
    assert "Exception ignored" not in result.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_closed_streams(name: str, place: Path, forked: ForkedCommands) -> None:
    """Without stdin and stderr nothing breaks."""
    results = [fork(forked, name, place, {"stdin": CLOSED, "stderr": CLOSED})]
    if name in STARTED:
        results.append(shell(name, place, "<&- 2>&-"))
    for result in results:
        check_unbroken(result)
        assert result.returncode == (2 if name in REFUSED else 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_closed_pipe(name: str, place: Path) -> None:
    """A reader that stops after the first byte breaks nothing."""
    check_unbroken(shell(name, place, "| head -c 1"))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_ascii_terminal(name: str, place: Path, forked: ForkedCommands) -> None:
    """An ASCII terminal gets ASCII, and all of it."""
    results = [fork(forked, name, place, {}, **ASCII)]
    if name in (*STARTED, "play-cards"):
        results.append(shell(name, place, "", **ASCII))
    for result in results:
        assert "Traceback" not in result.stderr.decode()
        assert (result.stdout + result.stderr).isascii()
        assert result.returncode == (2 if name in REFUSED else 0)
        if name == "play-cards":
            assert b"At the table: Jorg, Zoe." in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("flags", [{}, ASCII])
def test_a_server_starts_everywhere(flags: dict[str, str], place: Path) -> None:
    """A server for the local network starts at an ASCII terminal, stores its tables in the given folder, and stops."""
    program = [sys.executable, "-m", "qwixx", "serve", "--lan", "--port", "0", "--no-open"]
    with subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(place, **flags),
        preexec_fn=restore_interrupts,  # noqa: PLW1509 - there are no threads here
    ) as server:
        assert server.stdout is not None
        output = b""
        while b"Ctrl-C stops it" not in output and server.poll() is None:
            output += server.stdout.readline()
        _, complaints = interrupted(server)
    assert b"qwixx is at http://" in output
    assert output.isascii() == bool(flags)
    assert b"Traceback" not in complaints
    assert server.returncode in (0, 130)  # 130 if it had not started completely
    assert (place / "data" / "qwixx.db").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("moment", range(2))
def test_interrupted_at_any_moment(name: str, moment: int, place: Path) -> None:
    """Ctrl-C ends every command with at most one line and exit code 130, also during its imports."""
    chooser = random.Random(f"{name} {moment}")
    words = words_of(name, place)
    if name == "simulate":
        words[-1] = "1000000"
    # The first line comes before any module of the package except the one that handles Ctrl-C.
    program = (
        "from qwixx.base.interrupts import exit_on_interrupt; exit_on_interrupt(); print(1, flush=True); "
        "from qwixx.__main__ import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(place),
        start_new_session=True,
        preexec_fn=restore_interrupts,  # noqa: PLW1509 - there are no threads here
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chooser.uniform(0, 2.5))
        out, complaints = interrupted(process)
    errors = complaints.decode()
    assert "Traceback" not in errors + out.decode()
    assert "Exception ignored" not in errors
    # The command may have ended already, or Python may be exiting; and a server stops normally.
    assert process.returncode in (130, 0, -signal.SIGINT), errors
    if process.returncode == 130 and name != "solve":
        assert len(errors.split("\n")) - errors.split("\n").count("") <= 1
