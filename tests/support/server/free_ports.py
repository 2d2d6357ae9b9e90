"""Ports for servers whose port must be known before they start, or that restart on the same port."""

from __future__ import annotations

import os
import socket
from itertools import count

_FIRST, _COUNT, _EACH = 20_000, 12_000, 40
"""Below the ports that systems give to outgoing connections: one of those could take a port between two servers."""
_tried = count()


def free_port() -> int:
    """Return a port that no program uses and that this process has not used before; other processes start elsewhere."""
    for _ in range(_COUNT):
        port = _FIRST + (os.getpid() * _EACH + next(_tried)) % _COUNT
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
