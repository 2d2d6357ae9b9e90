"""Repairs standard input, output and error: closed streams, and encodings without some characters."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
import unicodedata
from typing import TextIO

_PLAIN = {
    "\u00b1": "+-",  # plus or minus
    "\u2022": "*",  # the dot before an entry of a list
    "\u2026": "...",
    "\u00d7": "x",  # times
    **dict.fromkeys("\u2212\u2013\u2014\u2500\u2501", "-"),  # minus, dashes, lines
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
}
_HANDLER = "qwixx-plain"


def prepare() -> None:
    """
    Make all three streams usable, once at the start.

    A closed stream is replaced, so that the next opened file does not get its file descriptor: a closed standard input
    is empty, and writing to a closed standard output fails as on a full disk. Characters that the encoding does not
    have are replaced by similar ones.
    """
    if sys.stdin is None:
        sys.stdin = _reopened(0, os.O_RDONLY, "r")
    if sys.stdout is None:
        sys.stdout = _reopened(1, os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _reopened(2, os.O_WRONLY, "w")
    codecs.register_error(_HANDLER, _in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors != _HANDLER:
            stream.reconfigure(errors=_HANDLER)


def _reopened(number: int, flags: int, mode: str) -> TextIO:
    """Open the null device with the file descriptor of a closed stream."""
    device = os.open(os.devnull, flags)
    if device != number:
        os.dup2(device, number)
        os.close(device)
    return io.TextIOWrapper(open(number, f"{mode}b", closefd=False), "utf-8")


def _in_plain_letters(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace characters that an encoding does not have by ASCII: without accents, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_plain, letters)), error.end


def _plain(letter: str) -> str:
    known = _PLAIN.get(letter)
    if known is not None:
        return known
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return bare or "?"


def discard_output(stream: TextIO) -> None:
    """Redirect a failed stream to the null device: otherwise Python reports the failure again at exit."""
    with contextlib.suppress(OSError, ValueError):
        device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(device, stream.fileno())
        os.close(device)
