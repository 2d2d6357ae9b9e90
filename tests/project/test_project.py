"""The project files agree on Python versions, commands and pinned packages."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import yaml

from support.paths import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def text(name: str) -> str:
    """Read a file of the project."""
    return (ROOT / name).read_text("utf-8")


def test_the_same_pythons_everywhere() -> None:
    """The package metadata promises the versions that CI tests; README and make require the lowest of them."""
    classifiers = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line) for line in PROJECT["classifiers"]]
    promised = [found[1] for found in classifiers if found]
    (matrix,) = re.findall(r"python: \[(.*)\]", text(".github/workflows/test.yml"))
    assert re.findall(r'"([\d.]+)"', matrix) == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"
    assert f"Python {promised[0]} or newer" in text("README.md")
    assert f"version_info < ({promised[0].replace('.', ', ')})" in text("Makefile")


def test_every_command_of_make_is_explained() -> None:
    """`make help` lists every command for people, and CONTRIBUTING those for contributors."""
    commands = set(re.findall(r"^([a-z]+):.*## ", text("Makefile"), re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    steps = {"lint", "lintpage", "testcode", "alltests", "quicktests", "browser", "database"}  # of other commands
    assert set(phony.split()) - commands == steps
    explained = set(re.findall(r"`make ([a-z]+)`", text("CONTRIBUTING.md")))
    assert explained <= commands
    assert commands - explained == {"help", "play", "pins", "clean"}


def test_pre_commit_runs_what_make_check_runs() -> None:
    """A commit that passes its hooks passes `make check`, which is what CI runs."""
    (steps,) = re.findall(r"^check: (.*) ##", text("Makefile"), re.MULTILINE)
    hooks = [hook for repo in yaml.safe_load(text(".pre-commit-config.yaml"))["repos"] for hook in repo["hooks"]]
    assert {hook["entry"] for hook in hooks} == {f"make {step}" for step in steps.split()}
    assert not any(hook["pass_filenames"] for hook in hooks)


def test_every_dependency_is_pinned() -> None:
    """A package without an exact version would make two environments differ."""
    wanted = [
        *PROJECT["dependencies"],
        *(name for extra in PROJECT["optional-dependencies"].values() for name in extra),
    ]
    names = {re.split(r"[\[<>=]", name)[0].lower() for name in wanted} - {"qwixx"}
    pinned = set(re.findall(r"^([\w-]+)==", text("constraints.txt").lower(), re.MULTILINE))
    assert len(names) > 20
    assert names - pinned == set()
