"""Run `qwixx` at a pseudo-terminal of a given size: type lines, and read the screens between them."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
from collections.abc import Callable, Mapping, Sequence

from support.processes.forked_commands import ForkedCommands

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")
_ERASED = re.compile(r"[^\n]*\n\r?\x1b\[1A\x1b\[2K")
"""A line that is erased after the cursor went up to it, such as a progress bar at its end."""
_PROMPTS = ("> ", ": ", "? ", ") ")
_BAR = "\N{BOX DRAWINGS HEAVY HORIZONTAL}"
_SECONDS = 120
"""A command that writes nothing for so long has stopped."""
_QUIET_SECONDS = 0.05
_MOST_SCREENS = 1000
"""A command that shows more of them asks the same question for ever."""
Answer = Callable[[str], str]


def _plain(text: str) -> str:
    """Return what a terminal shows: without escapes, and of a line that is written again only the last writing."""
    lines = _ESCAPES.sub("", _ERASED.sub("", text)).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in lines)


def screens(
    forked: ForkedCommands,
    words: Sequence[str],
    size: tuple[int, int],
    answer: Answer,
    env: Mapping[str, str],
    pause: str,
) -> list[str]:
    """
    Run a command at a terminal with so many columns and lines; return what it shows before each line is typed.

    `answer` gets a screen, whose last line is a prompt, and returns the line to type. The end of the text is the last
    screen. `pause` is the last word of the prompt between two pages. The terminal does not echo.
    """
    master, slave = pty.openpty()
    columns, lines = size
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    settings = termios.tcgetattr(slave)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    forked.start(words, {**env, "TERM": "xterm"}, dict.fromkeys(("stdin", "stdout", "stderr"), os.ttyname(slave)))
    found, text = [], ""
    try:
        while True:
            # The slave stays open here, so that the terminal outlives the command: its end is the status.
            ready = select.select([master, forked.fileno()], [], [], _SECONDS)[0]
            assert ready, f"no answer after:\n{text}"
            if master not in ready:
                break
            text += os.read(master, 65536).decode("utf-8", "replace")
            shown = _plain(text)
            asks = shown.endswith((*_PROMPTS, f"{pause} ")) and _BAR not in shown.rsplit("\n", 1)[-1]
            if asks and not select.select([master], [], [], _QUIET_SECONDS)[0]:
                found.append(shown)
                assert len(found) < _MOST_SCREENS, f"asked again and again:\n{shown}"
                text = ""
                os.write(master, f"{answer(shown)}\n".encode())
        found.append(_plain(text))
    except BaseException:
        forked.kill()
        raise
    finally:
        os.close(slave)
        os.close(master)
    assert forked.wait() == 0, found[-1]
    return found
