"""
Metrics for Prometheus, made from `base/counters` and `census` on each request.

docs/operating.md explains each metric. None of them names a person, a table or an address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.base.counters import Histogram
from qwixx.server.limits.connection_limits import ConnectionLimiter
from qwixx.server.limits.operator_tokens import OperatorToken
from qwixx.server.operate.census import Census, census
from qwixx.server.table.registry import Tables
from qwixx.server.wire.messages import Stage

try:
    from prometheus_client import CollectorRegistry, ProcessCollector
    from prometheus_client.exposition import choose_encoder
    from prometheus_client.metrics_core import (
        CounterMetricFamily,
        GaugeMetricFamily,
        HistogramMetricFamily,
        InfoMetricFamily,
        Metric,
    )
except ModuleNotFoundError:
    _is_installed = False
else:
    _is_installed = True

_PREFIX = "qwixx_"


class Metrics:
    """The endpoint `/metrics`, for monitors that have the token."""

    limiter: ConnectionLimiter | None = None
    """Counts connections; None on another ASGI server than ours."""

    def __init__(self, tables: Tables, token: OperatorToken) -> None:
        """Report about these tables. Raises `QwixxError` if prometheus_client is not installed."""
        if not _is_installed:
            raise QwixxError("QWIXX_METRICS_TOKEN needs a package that is not installed: pip install 'qwixx[metrics]'")
        self._tables, self._token = tables, token
        self._process = ProcessCollector(registry=CollectorRegistry())

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route("/metrics", self.answer)]

    async def answer(self, request: Request) -> Response:
        """Send all metrics."""
        self._token.check(request)
        registry = CollectorRegistry()
        registry.register(_Collected([*self._collect(await census(self._tables)), *self._process.collect()]))
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"Content-Type": kind, "Cache-Control": "no-store"})

    def _collect(self, now: Census) -> Iterator[Metric]:
        tables, counts = self._tables, self._tables.counts
        yield InfoMetricFamily(f"{_PREFIX}server", "The version that runs.", {"version": qwixx.__version__})
        yield _gauge("up_and_well", "1 if healthy, 0 if anything fails.", int(not tables.troubles()))
        yield _gauge("tables_kept", "Tables in the database.", tables.store.count)
        yield _gauge("tables_damaged", "Tables that were found damaged and are set aside.", len(tables.store.damaged))
        stages = {stage: now.tables[stage] for stage in get_args(Stage)}
        yield _gauges("tables_loaded", "Tables in memory, by stage.", "stage", stages)
        limits = {"tables": tables.settings.max_tables}
        if self.limiter is not None:
            limits["connections"] = self.limiter.max_connections
        yield _gauges("limit", "Limits: tables in memory, connections.", "of", limits)
        yield _gauge("people", "Seats whose people are connected.", now.people)
        yield _gauge("bots", "Seats that bots play, in unfinished games.", now.bots)
        yield _gauge("watchers", "Connections that watch.", now.watchers)
        yield _gauge("sockets", "Connections at tables.", tables.connections)
        yield _gauge("inbox_messages", "Messages that wait for their tables.", now.waiting)
        yield _gauge("inbox_longest", "The most messages that wait for one table.", now.longest)
        waiting = {str(kind): count for kind, count in tables.pools.waiting.items()}
        yield _gauges("work_in_hand", "Work that runs or waits for a thread, by kind.", "kind", waiting)
        by = {"person": counts.moves.count, "bot": counts.bot_moves}
        yield _counter("moves", "Decisions that were carried out, by whom.", "by", by)
        yield _times(
            "move_seconds", "A person's decision: from receiving it to sending it to all at the table.", counts.moves
        )
        yield _times("bot_thinking_seconds", "A bot's decision, with the wait for a thread.", counts.thinking)
        yield _times("commit_seconds", "Writing to the database; one commit holds many moves.", counts.commits)
        yield _counter("commits_failed", "Commits that failed.", "", {"": counts.commits_failed})
        yield _times("request_seconds", "HTTP requests.", counts.requests)
        answers = {str(status): count for status, count in counts.answers.items()}
        yield _counter("requests", "HTTP requests, by the status of their response.", "status", answers)
        yield _counter("refusals", "Refusals, by code.", "code", counts.refused)
        closed = {str(code): count for code, count in counts.closed.items()}
        yield _counter("sockets_closed", "Sockets that the server closed, by close code.", "code", closed)
        yield _counter("failures", "Unexpected errors, by place.", "where", counts.failed)
        yield _counter("tables_opened", "Tables that were opened, by game.", "game", counts.opened)
        yield _counter("games_finished", "Games that were played to their end, by game.", "game", counts.finished)
        yield _times("loop_late_seconds", "Lag of the event loop, measured four times a second.", counts.loop_lag)
        if self.limiter is not None:
            yield _gauge("connections", "Open connections of every kind.", len(self.limiter.connections))
            refused = self.limiter.refused
            yield _counter("connections_refused", "Connections that were refused, by reason.", "why", refused)
            yield _counter("connections_cut_off", "Connections that were cut off, by reason.", "why", self.limiter.cut)


class _Collected:
    """Metrics that have been collected, for a registry."""

    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> list[Metric]:
        """Return them."""
        return self._metrics


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(_PREFIX + name, about, value=value)


def _gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    metric = GaugeMetricFamily(_PREFIX + name, about, labels=[label])
    for each, value in values.items():
        metric.add_metric([each], value)
    return metric


def _counter(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    metric = CounterMetricFamily(_PREFIX + name, about, labels=[label] if label else [])
    for each, value in values.items():
        metric.add_metric([each] if label else [], value)
    return metric


def _times(name: str, about: str, times: Histogram) -> Metric:
    bounds = [("+Inf" if bound == float("inf") else str(bound), count) for bound, count in times.cumulative()]
    return HistogramMetricFamily(_PREFIX + name, about, buckets=bounds, sum_value=times.sum)
