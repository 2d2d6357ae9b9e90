"""
Processes that are divided while the compiler works in one of their threads.

The hooks of a fork run from the youngest to the oldest. The compiler uses loggers, and `logging` takes its lock before
a fork too: it is loaded here first, so that whoever forks waits for the compiler before it has that lock. The other way
round each would wait for the other for ever.
"""

from __future__ import annotations

import logging  # noqa: F401 - only so that its hooks are older than these
import os
from threading import RLock
from typing import Final

at_work: Final = RLock()
"""Held while the compiler works; a process is not divided then, or its child would wait for the compiler for ever."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=at_work.acquire, after_in_parent=at_work.release, after_in_child=at_work.release)
