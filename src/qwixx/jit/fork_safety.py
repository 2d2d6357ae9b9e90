"""
Fork safety: a process does not fork while one of its threads compiles.

Hooks that run before a fork are called in the reverse order of their registration. The compiler uses loggers, and
`logging` takes its own lock before a fork. So `logging` is imported here first: a thread that forks then waits for the
compiler before it takes the lock of `logging`. In the other order the two threads could deadlock.
"""

from __future__ import annotations

import logging  # noqa: F401 - only so that its hooks are registered before these
import os
from threading import RLock
from typing import Final

COMPILE_LOCK: Final = RLock()
"""Held while the compiler works. A fork waits for it; otherwise the child would deadlock on the compiler's locks."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=COMPILE_LOCK.acquire, after_in_parent=COMPILE_LOCK.release, after_in_child=COMPILE_LOCK.release
    )
