"""
Who computes where: a server has a core of its own, and an attacker only what the people leave of the other.

In life an attacker has a machine of their own. Here they would take the server's time, or that of the people who
measure, just by sitting beside them; what others notice of an attack would then be the machine and not the server.
"""

from __future__ import annotations

import os
import sys


def take_the_servers_core() -> None:
    """Compute on the first core from now on; threads started later do so, too."""
    _take(first=True)


def leave_the_servers_core() -> None:
    """Compute on the other cores from now on; processes started later do so, too."""
    _take(first=False)


def _take(*, first: bool) -> None:
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[:1] if first else cores[1:])


def stand_back() -> None:
    """Compute only while nobody else on this core has anything to do."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif sys.platform != "win32":
        os.nice(19)
