"""Installs system packages that the tests need with apt, where that works without questions."""

from __future__ import annotations

import os
import shutil
import subprocess

_WAITING = ("-o", "DPkg::Lock::Timeout=300")
"""Wait for the lock: a machine that has just started may be installing updates."""


def install(*packages: str) -> None:
    """Install packages; callers check afterwards whether that worked."""
    if shutil.which("apt-get"):
        apt = (*(() if os.geteuid() == 0 else ("sudo", "-n")), "apt-get", *_WAITING)
        if succeeds(*apt, "update", "-qq"):
            succeeds(*apt, "install", "-y", "-qq", "--no-install-recommends", *packages)


def succeeds(*command: str) -> bool:
    """Run a command without output; return whether it succeeded."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0
