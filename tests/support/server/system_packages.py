"""Programs of the system that the tests need, from Debian's packages where those can be had without asking anything."""

from __future__ import annotations

import os
import shutil
import subprocess

_WAITING = ("-o", "DPkg::Lock::Timeout=300")
"""A machine that has just started may be installing updates of its own."""


def install(*packages: str) -> None:
    """Have packages installed; whoever needs them looks whether they are there then."""
    if shutil.which("apt-get"):
        apt = (*(() if os.geteuid() == 0 else ("sudo", "-n")), "apt-get", *_WAITING)
        if succeeds(*apt, "update", "-qq"):
            succeeds(*apt, "install", "-y", "-qq", "--no-install-recommends", *packages)


def succeeds(*command: str) -> bool:
    """Run a command without a word; tell whether it did what it should."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0
