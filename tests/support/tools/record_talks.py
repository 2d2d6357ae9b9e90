"""
Write what both hosts send into talks: `python -m support.tools.record_talks [name ...]`, in the folder `tests`.

Read every line that is new against the rules before it is committed. A difference of the hosts needs a reason by hand.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest


def main(names: list[str]) -> None:
    """Record the named talks, or all."""
    from support.talks.at_device import play_at_device  # noqa: PLC0415 - after QWIXX_JIT has been set
    from support.talks.at_server import play_at_server  # noqa: PLC0415
    from support.talks.compare import sent_lines, text_of  # noqa: PLC0415
    from support.talks.talk_files import talks  # noqa: PLC0415

    chosen = [talk for talk in talks() if not names or talk.path.stem in names]
    with tempfile.TemporaryDirectory() as folder:
        devices = play_at_device(chosen, Path(folder))
        for number, (talk, device) in enumerate(zip(chosen, devices, strict=True)):
            with pytest.MonkeyPatch.context() as patch:
                own = Path(folder) / str(number)
                own.mkdir()
                server = play_at_server(talk, own, patch)
            talk.path.write_text(text_of(talk, sent_lines(talk, server, device)), "utf-8")
            sys.stdout.write(f"wrote {talk.path.name}\n")


if __name__ == "__main__":
    os.environ.setdefault("QWIXX_JIT", "0")  # a few games are faster than the compiler
    main(sys.argv[1:])
