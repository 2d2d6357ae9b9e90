"""Workflow files run only on the host of the repository, so what can break in them is checked here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = {
    target.replace("$(VENV)", ".venv")
    for line in re.findall(r"^([^\s#:=][^:=]*):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for target in line.split()
}
_MAY_HAVE = {"strategy", "needs", "environment", "permissions"}
_CRON = re.compile(r"([0-9]{1,2}) ([0-9]{1,2}) \* \* ([0-6]|\*)")


def read(path: Path) -> dict[Any, Any]:
    """Read a workflow. In YAML 1.1 the key `on` is the word for true."""
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {("on" if key is True else key): value for key, value in found.items()}


def commands(path: Path) -> list[str]:
    """List all lines that a workflow runs."""
    jobs = read(path)["jobs"].values()
    return [line for job in jobs for step in job["steps"] for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_complete(path: Path) -> None:
    """It has keys that the host knows, may only read by default, ends by itself, and uses fixed actions."""
    found = read(path)
    assert found.keys() - {"concurrency"} == {"name", "on", "permissions", "jobs"}
    assert found["name"] == path.stem
    assert found["permissions"] == {"contents": "read"}
    assert set(found["on"]) <= {"push", "pull_request", "schedule", "workflow_dispatch"}
    for each in (found["on"].get("schedule") or []) if isinstance(found["on"], dict) else []:
        minute, hour, _ = _CRON.fullmatch(each["cron"]).groups()  # type: ignore[union-attr]  # a test may fail here
        assert int(minute) < 60
        assert int(hour) < 24
    for job in found["jobs"].values():
        assert job.keys() - _MAY_HAVE == {"runs-on", "timeout-minutes", "steps"}
        assert set(re.findall(r"[a-z]+", str(job.get("needs", "")))) <= found["jobs"].keys()
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert step.keys() <= {"name", "id", "uses", "with", "run", "env"}
            assert re.fullmatch(r"[a-z-]+/[a-z-]+@(release/)?v[0-9]+", step.get("uses", "actions/checkout@v4"))
            assert all(name in job["strategy"]["matrix"] for name in re.findall(r"\{\{ matrix\.(\w+)", str(step)))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_exists(path: Path) -> None:
    """Every target of make and every module with its options exists."""
    named = [line for line in commands(path) if "make " in line or "python -m " in line]
    assert named
    for line in named:
        if found := re.search(r"\bmake ([^&]+)", line):
            assert set(found[1].split()) <= TARGETS
        else:
            module, *rest = line.removeprefix(".venv/bin/python -m ").split()
            asked = subprocess.run(
                [sys.executable, "-m", module, "--help"], capture_output=True, text=True, cwd=ROOT, check=True
            )
            assert {word for word in rest if word.startswith("-")} <= set(re.findall(r"--[a-z-]+", asked.stdout))
