"""The limit of open files: each connection takes a file descriptor, and so do files and the database."""

from __future__ import annotations

import logging

from qwixx.server.limits.declared import RESERVED_FILES

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger("qwixx.descriptors")


def raise_open_file_limit(connections: int) -> int:
    """Raise the limit of open files for this many connections; return how many connections fit."""
    if resource is None:
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVED_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    except (OSError, ValueError):
        allowed = soft
    if allowed < wanted:
        log.warning("the system allows fewer connections", extra={"wanted": connections, "open_files": allowed})
    return max(1, min(connections, allowed - RESERVED_FILES))
