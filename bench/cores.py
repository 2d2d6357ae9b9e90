"""
Cores of processes: a server has its own core, and an attacker gets only what the people leave of the other.

A real attacker has another machine. Here the attacker would take CPU time from the server, or from the people who
measure, only because it runs on the same machine. The measurement would then show the machine and not the server.
"""

from __future__ import annotations

import os
import sys


def take_the_servers_core() -> None:
    """Use the first core from now on; later threads do so, too."""
    _take(first=True)


def leave_the_servers_core() -> None:
    """Use the other cores from now on; later processes do so, too."""
    _take(first=False)


def _take(*, first: bool) -> None:
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[:1] if first else cores[1:])


def stand_back() -> None:
    """Run only while no other process on this core has work."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif sys.platform != "win32":
        os.nice(19)
