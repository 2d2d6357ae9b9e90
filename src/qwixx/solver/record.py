"""Record types for the solver's tables."""

from __future__ import annotations

import numpy as np

Kind = type | np.dtype[np.record]
Field = tuple[str, Kind] | tuple[str, Kind, tuple[int, ...]]


def aligned_record(fields: list[Field]) -> np.dtype[np.record]:
    """
    Make a record type whose 64-bit fields stand where the processor wants them.

    Compiled code takes arrays inside a record for aligned. The kernel's own records need no such care, all their
    fields but one have 32 bits.
    """
    return np.dtype((np.record, np.dtype(fields, align=True)))  # type: ignore[return-value]  # the stubs miss this form
