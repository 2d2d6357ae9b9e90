"""
What a monitor reads: the numbers of `counts` and `census` in the words of Prometheus.

They are made when somebody asks. docs/operating.md explains each; none of them names a person, a table or an address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.census import Census, census
from qwixx.server.counts import Times
from qwixx.server.gate import Gate
from qwixx.server.keys import Key
from qwixx.server.protocol import Stage
from qwixx.server.tables import Tables

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
    """Answers a monitor that shows the token."""

    gate: Gate | None = None
    """Who counts connections; another ASGI server than ours has none."""

    def __init__(self, tables: Tables, key: Key) -> None:
        """Tell of these tables. Raises `QwixxError` if what writes it down is not installed."""
        if not _is_installed:
            raise QwixxError("QWIXX_METRICS_TOKEN needs a package that is not installed: pip install 'qwixx[metrics]'")
        self._tables, self._key = tables, key
        self._process = ProcessCollector(registry=CollectorRegistry())

    def routes(self) -> list[Route]:
        """List what can be asked."""
        return [Route("/metrics", self.answer)]

    async def answer(self, request: Request) -> Response:
        """Send all numbers."""
        self._key.check(request)
        registry = CollectorRegistry()
        registry.register(_Found([*self._collect(await census(self._tables)), *self._process.collect()]))
        encode, kind = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"Content-Type": kind, "Cache-Control": "no-store"})

    def _collect(self, now: Census) -> Iterator[Metric]:
        tables, counts = self._tables, self._tables.counts
        yield InfoMetricFamily(f"{_PREFIX}server", "The version that runs.", {"version": qwixx.__version__})
        yield _gauge("up_and_well", "1 unless something does not work.", int(not tables.troubles()))
        yield _gauge("tables_kept", "Tables in the database.", tables.store.count)
        stages = {stage: now.tables[stage] for stage in get_args(Stage)}
        yield _gauges("tables_loaded", "Tables in memory, by stage.", "stage", stages)
        limits = {"tables": tables.settings.max_tables}
        if self.gate is not None:
            limits["connections"] = self.gate.most
        yield _gauges("limit", "How many there may be: tables in memory, connections.", "of", limits)
        yield _gauge("people", "Seats whose people are connected.", now.people)
        yield _gauge("bots", "Seats that bots play, in games that go on.", now.bots)
        yield _gauge("watchers", "Connections that watch.", now.watchers)
        yield _gauge("sockets", "Connections at tables.", tables.connections)
        yield _gauge("inbox_messages", "Messages that wait for their tables.", now.waiting)
        yield _gauge("inbox_longest", "The most messages that wait for one table.", now.longest)
        waiting = {str(kind): count for kind, count in tables.pools.waiting.items()}
        yield _gauges("work_in_hand", "Work that runs or waits for a thread, by kind.", "kind", waiting)
        by = {"person": counts.moves.count, "bot": counts.bot_moves}
        yield _counter("moves", "Decisions that were carried out, by whom.", "by", by)
        yield _times(
            "move_seconds", "A person's decision: from coming in to having told all at the table.", counts.moves
        )
        yield _times("bot_thinking_seconds", "A bot's thought, the wait for a thread included.", counts.thinking)
        yield _times("commit_seconds", "Writing to the database; one commit holds many moves.", counts.commits)
        yield _counter("commits_failed", "Commits that failed.", "", {"": counts.commits_failed})
        yield _times("request_seconds", "HTTP requests.", counts.requests)
        answers = {str(status): count for status, count in counts.answers.items()}
        yield _counter("requests", "HTTP requests, by the status of their answer.", "status", answers)
        yield _counter("refusals", "What was refused, by its code.", "code", counts.refused)
        closed = {str(code): count for code, count in counts.closed.items()}
        yield _counter("sockets_closed", "Sockets that the server closed, by its code.", "code", closed)
        yield _counter("failures", "What should never happen, by where it did.", "where", counts.failed)
        yield _counter("tables_opened", "Tables that were opened, by game.", "game", counts.opened)
        yield _counter("games_finished", "Games that were played to their end, by game.", "game", counts.finished)
        yield _times("loop_late_seconds", "How late the event loop was, looked at four times a second.", counts.late)
        if self.gate is not None:
            yield _gauge("connections", "Open connections of every kind.", len(self.gate.visitors))
            turned_away = self.gate.turned_away
            yield _counter("connections_refused", "Connections that were not let in, by reason.", "why", turned_away)
            yield _counter("connections_cut_off", "Connections that were cut off, by reason.", "why", self.gate.ended)


class _Found:
    """Metrics that have been collected, for a registry."""

    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> list[Metric]:
        """Give them."""
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


def _times(name: str, about: str, times: Times) -> Metric:
    bounds = [("+Inf" if bound == float("inf") else str(bound), count) for bound, count in times.up_to()]
    return HistogramMetricFamily(_PREFIX + name, about, buckets=bounds, sum_value=times.sum)
