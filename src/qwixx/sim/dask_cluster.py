"""
Simulations on a Dask cluster, for runs that are too large for one machine. Needs Dask: `pip install qwixx[dask]`.

The cluster's workers need this package too. Blocks of games go to idle workers; if a worker dies, another one plays
its blocks again.
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
    Connect to a Dask scheduler such as `tcp://host:8786`; yield its executor and the number of its workers' threads.

    Pass both to `simulate` as `executor` and `workers`.
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
        worker_count = sum(client.nthreads().values())
        if worker_count == 0:
            raise QwixxError(f"The Dask cluster at {address!r} has no workers.")
        yield client.get_executor(pure=False), worker_count
