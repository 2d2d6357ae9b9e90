"""Run commands of `qwixx` in forked processes.

To start Python and to import the package takes a second, most commands take a few milliseconds. So one process imports
everything once, and each command runs in a fork of it, with its own streams and its own end of the interpreter.
"""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TextIO, cast

CLOSED = "closed"
"""In place of the file of a stream: the stream is closed."""
_NAMES = ("stdin", "stdout", "stderr")
_USED_LATER = (
    *("qwixx.sim", "qwixx.solver", "qwixx.coach.review", "qwixx.players", "rich.progress"),
    *("qwixx.printing.document", "qwixx.server.http.static_site", "qwixx.server.operate.check"),
    *("pyarrow.parquet", "mcp.server.lowlevel"),
)
"""What commands import when they need it."""


class ForkedCommands:
    """A process that has imported the package, and is forked for each command."""

    def __init__(self, environment: Mapping[str, str], *, compiled: bool = False) -> None:
        """Start it with this environment, and with compiled code that is loaded once for all commands."""
        paths = os.pathsep.join([str(Path(__file__).parents[2]), environment.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *(["compiled"] if compiled else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment, "PYTHONPATH": paths},
            start_new_session=True,
        )

    def run(
        self, words: Sequence[str], folder: Path, more: Mapping[str, str], streams: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command with more variables. The streams are files in the folder, unless others are given."""
        files = {name: str(folder / name) for name in _NAMES}
        Path(files["stdin"]).write_bytes(b"1\n1\n")
        self.start(words, more, files | dict(streams))
        status = self.wait()
        out, err = (Path(files[name]).read_bytes() if Path(files[name]).exists() else b"" for name in _NAMES[1:])
        return subprocess.CompletedProcess(list(words), status, out, err)

    def start(self, words: Sequence[str], more: Mapping[str, str], streams: Mapping[str, str]) -> None:
        """Start a command; `wait` has to be called before the next one."""
        task = {"words": list(words), "more": dict(more), "streams": dict(streams)}
        requests = cast(IO[bytes], self._process.stdin)
        requests.write(json.dumps(task).encode() + b"\n")
        requests.flush()

    def wait(self) -> int:
        """Return the exit status of the command that was started."""
        return int(cast(IO[bytes], self._process.stdout).readline())

    def fileno(self) -> int:
        """Return what can be read when the command has ended."""
        return cast(IO[bytes], self._process.stdout).fileno()

    def kill(self) -> None:
        """End the process and the command at once."""
        os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process."""
        with self._process:
            cast(IO[bytes], self._process.stdin).close()


def _become(streams: Mapping[str, str]) -> None:
    """Give this process other streams, as a shell and a starting Python do."""
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    for number, name in enumerate(_NAMES):
        os.close(number)
        stream: TextIO | None = None
        if streams[name] != CLOSED:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            opened = os.open(streams[name], flags)
            if opened != number:  # a stream before this one is closed
                os.dup2(opened, number)
                os.close(opened)
            errors = "backslashreplace" if name == "stderr" else "strict"
            binary = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 - open until the end
            is_terminal = os.isatty(number)
            stream = io.TextIOWrapper(binary, encoding, errors, None, is_terminal, write_through=name == "stderr")
            if is_terminal:  # readline draws the line again; without it only the terminal's own driver is in play
                sys.modules["readline"] = cast(ModuleType, None)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _load_compiled() -> None:
    """Play and advise one game of each kind: this loads what most commands need."""
    from qwixx import Game, advise  # noqa: PLC0415 - only some of these processes

    for name in ("classic", "cards", "duel"):
        game = Game(name, seats=2, seed=1)
        while not game.deciders():
            game.roll()
        advise(game, game.deciders()[0])


def _serve(requests: IO[bytes], answers: IO[bytes]) -> dict[str, Any]:
    """Fork for each request and answer with its exit status; return only in a fork, with its task."""
    for line in requests:
        child = os.fork()
        if not child:
            requests.close()
            answers.close()
            task: dict[str, Any] = json.loads(line)
            return task
        answers.write(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        answers.flush()
    sys.exit()


if __name__ == "__main__":
    import click

    from qwixx.__main__ import main
    from qwixx.cli import main as group

    for known in group.list_commands(click.Context(group)):
        group.get_command(click.Context(group), known)
    for module in _USED_LATER:
        import_module(module)
    if "compiled" in sys.argv:
        _load_compiled()
    gc.freeze()  # a fork would visit, and so copy, everything that is loaded when it ends
    # The streams of the requests are moved away: a command has its own.
    wanted = _serve(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    os.environ.update(wanted["more"])
    _become(wanted["streams"])
    sys.argv = ["qwixx", *wanted["words"]]
    main()
