"""Deletes old tables in PostgreSQL: in two steps as in `retention`, by the clock of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from qwixx.server.base import retention
from qwixx.server.base.retention import RetentionPolicy

_NOW = "$1::double precision"
_DUE = f"""((stage <> 'over' AND touched < {_NOW} - $2::double precision)
    OR (stage = 'over' AND $3::double precision > 0 AND touched < {_NOW} - $3::double precision))
    AND NOT code = ANY($4::text[]) AND NOT EXISTS (SELECT FROM leases WHERE leases.code = tables.code)"""
# A mark in the future does not count: the clock was wrong then.
_UNMARK = f"""DELETE FROM due WHERE marked > {_NOW}
    OR NOT EXISTS (SELECT FROM tables WHERE tables.code = due.code AND {_DUE})"""  # noqa: S608 - our own text
_GONE = f"""WITH old AS (SELECT code FROM tables JOIN due USING (code)
        WHERE marked <= {_NOW} - $5::double precision AND {_DUE} LIMIT $6::integer FOR UPDATE OF tables SKIP LOCKED),
    gone AS (DELETE FROM tables USING old WHERE tables.code = old.code RETURNING tables.code),
    lines AS (DELETE FROM ledger USING gone WHERE ledger.code = gone.code),
    marks AS (DELETE FROM due USING gone WHERE due.code = gone.code)
    SELECT count(*) FROM gone"""  # noqa: S608 - our own text
_MARK = f"INSERT INTO due SELECT code, {_NOW} FROM tables WHERE {_DUE} ON CONFLICT (code) DO NOTHING"  # noqa: S608 - our own text


async def clean(connection: Any, keep: RetentionPolicy, spare: Collection[str] = (), later: float = 0.0) -> int:
    """Delete tables that were marked long enough ago and are still due, then mark those due now; return the number."""
    moment = later + float(await connection.fetchval("SELECT extract(epoch FROM clock_timestamp())"))
    facts = (moment, keep.unfinished, keep.finished, list(spare))
    await connection.execute(_UNMARK, *facts)
    gone = 0
    while some := int(await connection.fetchval(_GONE, *facts, retention.GRACE_SECONDS, retention.BATCH_SIZE)):
        gone += some
        await asyncio.sleep(retention.PAUSE_SECONDS)
    await connection.execute(_MARK, *facts)
    return gone
