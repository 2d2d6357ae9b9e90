"""The browser tests find an installed Chromium, install one if there is none, or print a sentence with the remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.page import find_chromium
from support.paths import TESTS


def program(folder: Path, name: str, script: str) -> Path:
    """Write a program that a test may call."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a system without programs: the only directory on its PATH, and no Chromium of Playwright."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(find_chromium, "playwright_path", lambda: tmp_path / "own" / "chrome")
    monkeypatch.setattr(sys, "executable", str(program(folder, "python", "exit 1")))
    return folder


def test_the_browser_of_the_system_is_first(system: Path) -> None:
    """A Chromium on the PATH is used, and nothing is installed."""
    path = program(system, "chromium", "exit 0")
    program(system, "apt-get", f"touch {system}/asked")
    assert find_chromium.main() is None
    assert find_chromium.find() == str(path)
    assert not (system / "asked").exists()


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_apt_is_asked_next(system: Path, package: str) -> None:
    """If apt works, it installs the headless shell, else the whole Chromium; `cp` simulates the installation."""
    program(system, "working", "exit 0")
    program(
        system,
        "apt-get",
        f'for last; do :; done; [ "$last" != {package} ] || /bin/cp {system}/working {system}/{package}',
    )
    program(system, "sudo", 'shift; exec "$@"')
    assert find_chromium.main() is None
    assert find_chromium.find() == str(system / package)


@pytest.mark.parametrize("apt", [False, True], ids=["no apt", "an apt that fails"])
def test_playwrights_browser_is_last(system: Path, apt: bool) -> None:
    """Without apt, or if apt fails, Playwright installs one, and it is found in Playwright's folder."""
    if apt:
        program(system, "apt-get", "exit 100")
        program(system, "sudo", 'shift; exec "$@"')
    own = find_chromium.playwright_path()
    assert own
    program(system, "working", "exit 0")
    program(
        system,
        "python",
        f"""[ "$*" = "-m playwright install --no-shell chromium" ] || exit 1
        /bin/mkdir {own.parent} && /bin/cp {system}/working {own}""",
    )
    assert find_chromium.main() is None
    assert find_chromium.find() == str(own)


def test_a_sentence_if_there_is_no_browser(system: Path) -> None:
    """Neither installed nor available: the sentence says what is missing and what to do."""
    assert find_chromium.find() is None
    assert find_chromium.main() == find_chromium.MISSING


def test_a_browser_that_does_not_start_is_not_used(system: Path) -> None:
    """A Chromium without its libraries is not used, and the next source is tried."""
    program(system, "chromium", "exit 127")
    assert find_chromium.main() == find_chromium.MISSING
    other = program(system, "chromium-browser", "exit 0")
    assert find_chromium.find() == str(other)


@pytest.mark.slow
def test_the_script_fails_with_the_sentence(tmp_path: Path) -> None:
    """As a program it exits with an error, so that make stops."""
    environment = {**os.environ, "PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    # A proxy that does not run makes every host unreachable.
    environment |= {"HTTPS_PROXY": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(
        [sys.executable, "-m", find_chromium.__name__],
        cwd=TESTS,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == find_chromium.MISSING
