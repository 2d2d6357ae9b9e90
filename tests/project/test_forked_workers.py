"""Workers of the suite: every result is reported, also when a worker dies or hangs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

CONFTEST = """
from support.processes import forked_workers
from support.processes.forked_workers import pytest_addoption, pytest_runtestloop

forked_workers.SILENCE = 1.0
"""
FILES = {
    "test_plain.py": """
import pytest
from pathlib import Path

@pytest.fixture(scope="session")
def shared():
    yield
    Path("closed").touch()

def test_passes(shared, capfd):
    print("seen by the test only")
    assert capfd.readouterr().out

def test_fails(shared):
    print("what the test said")
    assert 1 + 1 == 3

def test_is_skipped():
    pytest.skip("not here")
""",
    "test_killed.py": """
import os, signal

def test_before():
    pass

def test_kills_its_worker():
    os.kill(os.getpid(), signal.SIGKILL)

def test_after():
    pass
""",
    "test_hangs.py": """
import time

def test_never_ends():
    while True:
        time.sleep(1)
""",
}


@pytest.mark.slow
def test_every_test_has_a_result(tmp_path: Path) -> None:
    """A killed or silent worker costs the test that it ran; the rest of its file runs in another one."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "--workers", "2"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests"), "QWIXX_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 failed, 3 passed, 1 skipped" in done.stdout
    for line in (
        "PASSED test_plain.py::test_passes",
        "FAILED test_plain.py::test_fails - assert (1 + 1) == 3",
        "PASSED test_killed.py::test_before",
        "FAILED test_killed.py::test_kills_its_worker - A worker ended with status -9",
        "PASSED test_killed.py::test_after",
        "FAILED test_hangs.py::test_never_ends - A worker ended with status -6",
        "what the test said",
    ):
        assert line in done.stdout, done.stdout
    assert "test_hangs.py" in done.stderr, "where the silent worker was"
    assert (tmp_path / "closed").exists(), "fixtures of a session end with their worker"
