"""How many connections the system has room for: each takes a descriptor, and so do files and the database."""

from __future__ import annotations

import logging

try:
    import resource
except ImportError:  # on Windows there is no such bound
    resource = None  # type: ignore[assignment]

log = logging.getLogger("qwixx.descriptors")
ACCEPTED_AT_ONCE = 4
"""Connections that are taken from the system's queue in one go, before the gate sees the first of them."""
RESERVE = 96 + ACCEPTED_AT_ONCE
"""Descriptors kept for the database, the page's files, threads, and connections that are about to be refused."""


def room_for(connections: int) -> int:
    """Ask the system for room for so many connections; gives for how many there is."""
    if resource is None:
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):
        allowed = soft
    if allowed < wanted:
        log.warning("the system allows fewer connections", extra={"wanted": connections, "open_files": allowed})
    return max(1, min(connections, allowed - RESERVE))
