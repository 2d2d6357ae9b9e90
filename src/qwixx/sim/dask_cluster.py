"""
Simulations on a Dask cluster, for those who outgrow one machine. Needs Dask: `pip install qwixx[dask]`.

The cluster's workers need this package too. Blocks of games go to whoever is free; those of a worker that dies are
played again by another.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

from qwixx.errors import QwixxError

_PATIENCE = 10
"""Seconds to wait for the scheduler."""


@contextmanager
def dask_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """
    Connect to a Dask scheduler such as `tcp://host:8786`; give its executor and the number of its workers' threads.

    Hand both to `simulate` as `executor` and `workers`.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise QwixxError("A Dask cluster needs Dask: pip install 'qwixx[dask]'.") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError):
        raise QwixxError(f"No Dask scheduler answers at {address!r}.") from None
    with client:
        crew = sum(client.nthreads().values())
        if crew == 0:
            raise QwixxError(f"The Dask cluster at {address!r} has no workers.")
        yield client.get_executor(pure=False), crew
