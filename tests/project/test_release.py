"""A release: one place for the version, and a workflow that publishes what was tested, with few rights."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import qwixx
from support.paths import ROOT

FILE = ROOT / ".github" / "workflows" / "release.yml"
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text("utf-8"))
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]
ON = True
"""The key `on`, as YAML 1.1 reads it."""


def steps(job: str) -> str:
    """Return the steps of a job as text, in their order."""
    return str(yaml.safe_dump(JOBS[job]["steps"], sort_keys=False, width=1000))


def test_the_version_is_in_one_place() -> None:
    """Only `__version__` states it. Home Assistant wants a copy in its file, which another test compares."""
    stated = re.compile(rf"""version\w*["']?\s*[:=]+\s*["']?v?{re.escape(qwixx.__version__)}\b""", re.IGNORECASE)
    folders = ("src", "page", "deploy", "docs", ".github")
    files = [path for name in folders for path in (ROOT / name).rglob("*") if "node_modules" not in path.parts]
    files += [path for path in ROOT.iterdir() if path.is_file() and path.name != "constraints.txt"]
    kinds = {".py", ".json", ".toml", ".yml", ".yaml", ".cff", ".md", ".ts", ".js", ""}
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.is_file()
        and path.suffix in kinds
        and "web" not in path.parts
        and path.name not in {"package-lock.json", ".git"}
        and stated.search(path.read_text("utf-8"))
    }
    assert found == {"src/qwixx/__init__.py", "deploy/home-assistant/config.yaml"}


def test_the_citation_is_complete() -> None:
    """CITATION.cff has what its format requires, and the license of the package; it states no version a second time."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["cff-version"], citation["type"], citation["license"]) == ("1.2.0", "software", "MIT")
    assert all(citation[key] for key in ("message", "title", "authors"))
    assert "version" not in citation


def test_a_tag_releases() -> None:
    """Only a tag of a version starts the workflow, and the build stops if the tag is not the version."""
    assert WORKFLOW[ON] == {"push": {"tags": ["v*"]}}
    assert "qwixx.__version__" in steps("build")
    assert "$GITHUB_REF_NAME" in steps("build")


def test_what_is_published_was_tested() -> None:
    """One job tests and builds; the others publish its files, and the release page comes last."""
    build = steps("build")
    places = [build.index(f"run: make {target}\n") for target in ("test", "reproduce", "dist", "site")]
    assert places == sorted(places)
    assert set(JOBS) == {"build", "python", "npm", "container", "site", "files"}
    for name in ("python", "npm", "container", "site"):
        assert JOBS[name]["needs"] == "build"
    for name in ("python", "npm", "files"):
        assert "download-artifact" in steps(name)
        assert "checkout" not in steps(name)
    assert set(JOBS["files"]["needs"]) == {"python", "npm", "container", "site"}


def test_every_job_has_only_the_rights_it_needs() -> None:
    """Trusted publishing instead of secrets: an identity token where something is published, in its environment."""
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in JOBS.items()} == {
        "build": None,
        "python": {"id-token": "write"},
        "npm": {"id-token": "write"},
        "container": {"contents": "read", "packages": "write"},
        "site": {"pages": "write", "id-token": "write"},
        "files": {"contents": "write"},
    }
    assert "secrets." not in FILE.read_text("utf-8")
    assert all(JOBS[name]["environment"] == name for name in ("python", "npm", "container", "site"))
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(f"`{name}`" in guide for name in ("python", "npm", "container", "site", "CONTAINER_REGISTRY"))


def test_the_image_is_for_both_processors() -> None:
    """Servers and small computers: amd64 and arm64, from the Containerfile of the repository."""
    (built,) = (step["with"] for step in JOBS["container"]["steps"] if "build-push" in step.get("uses", ""))
    assert built["platforms"] == "linux/amd64,linux/arm64"
    assert (ROOT / built["file"]).is_file()


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_workflows_are_well_formed(path: Path) -> None:
    """Jobs have a time limit, steps one action with a version or one script, and `make` is called with its targets."""
    workflow: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    targets = set(re.findall(r"^([a-z]+)(?= |:).*:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert set(job) <= {"needs", "runs-on", "timeout-minutes", "environment", "permissions", "strategy", "steps"}
        assert job["timeout-minutes"] <= 180
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= set(workflow["jobs"]) - {name}
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", step["uses"])
                continue
            for called in re.findall(r"\bmake ([\w. /-]+)", step["run"]):
                assert {word for word in called.split() if word.isalpha()} <= targets
            shell = shutil.which("bash")
            assert shell is not None
            script = re.sub(r"\$\{\{.*?\}\}", "x", step["run"])
            subprocess.run([shell, "-n"], input=script, text=True, check=True)
