"""The ASGI application: routes, middleware, start and stop."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route, WebSocketRoute

from qwixx.errors import QwixxError
from qwixx.server.base.counters import LoopLagMonitor
from qwixx.server.base.errors import Refused, StoreFailed
from qwixx.server.base.settings import Settings
from qwixx.server.http import static_files
from qwixx.server.http.admission import Admission
from qwixx.server.http.api import Api, error_response
from qwixx.server.http.below_path import check_free
from qwixx.server.http.http_util import refusal_response
from qwixx.server.http.link_previews import LinkPreviews
from qwixx.server.http.socket_endpoint import SocketEndpoint
from qwixx.server.http.today_api import TodayApi
from qwixx.server.limits.client_address import SecurityHeaders
from qwixx.server.limits.operator_tokens import operator_token
from qwixx.server.operate.admin import Admin
from qwixx.server.operate.check import ScheduledCheck
from qwixx.server.store.open_store import open_store
from qwixx.server.table.registry import Tables
from qwixx.server.wire.public_address import PublicAddress
from qwixx.server.wire.request_ids import RequestIds

if TYPE_CHECKING:
    from qwixx.server.operate.cluster_sync import ClusterSync
    from qwixx.server.operate.metrics import Metrics

_GZIP_MIN_SIZE = 1024
"""Smaller responses are not compressed. Messages of a table never are: that costs more than it saves."""
_GZIP_LEVEL = 5
"""Higher levels take twice the time and save almost nothing."""
_GZIP_THREAD_SIZE = 4096
"""Larger responses are compressed in a thread, so that no table waits for it."""
_PAGES = (
    *("/", "/index.html", "/t/{code}/tv", "/r/{code}", "/r/{code}/review"),
    *("/here/t/{code}", "/here/r/{code}", "/here/r/{code}/review"),
    *(
        "/rules",
        "/rules/{variant}",
        "/learn/{variant}",
        "/train",
        "/train/{variant}",
        "/count",
        "/board",
        "/today",
        "/privacy",
    ),
)


def make_app(settings: Settings, port: int | None = None) -> Starlette:
    """
    Create the application; it opens the database here, so that a bad one fails before the server accepts connections.

    `port` is the port that the server listens on, if it is not that of the settings.
    """
    tables = Tables(settings, open_store(settings, port))
    public_address = PublicAddress(settings)
    metrics = _metrics(tables)
    admin_token = operator_token(tables.limiter, "admin_token")
    lag_monitor = LoopLagMonitor(tables.counts)
    cluster_sync = _cluster_sync(tables)
    scheduled_check = ScheduledCheck(tables)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            check_free(settings, own_names(app))
            await tables.start()
            if cluster_sync is not None:
                await cluster_sync.start()
            scheduled_check.start()
        except (QwixxError, StoreFailed) as error:
            app.state.failure = error
            raise
        if metrics or admin_token:
            lag_monitor.start()
        yield
        lag_monitor.stop()
        scheduled_check.stop()
        if cluster_sync is not None:
            cluster_sync.stop()
        await tables.close()

    app = Starlette(
        routes=[
            # First in the list: every game starts with several sockets.
            WebSocketRoute("/ws/{code}", SocketEndpoint(tables).handle),
            *TodayApi(tables).routes(),
            *Api(tables, public_address).routes(),
            *(Admin(tables, admin_token).routes() if admin_token else ()),
            *(metrics.routes() if metrics else ()),
            Route("/t/{code}", LinkPreviews(tables, public_address).document),
            *(Route(path, static_files.index) for path in _PAGES),
            Mount("/", static_files.Assets(directory=static_files.web_directory(), check_dir=False)),
        ],
        middleware=[
            Middleware(RequestIds, counts=tables.counts),
            Middleware(SecurityHeaders),
            Middleware(Admission, limiter=tables.limiter, banned=tables.banned),
            Middleware(
                GZipMiddleware,
                minimum_size=_GZIP_MIN_SIZE,
                compresslevel=_GZIP_LEVEL,
                thread_minimum_size=_GZIP_THREAD_SIZE,
            ),
        ],
        exception_handlers={
            Refused: refusal_response,
            HTTPException: error_response,
            StoreFailed: error_response,
            Exception: error_response,
        },
        lifespan=lifespan,
    )
    app.state.failure = None
    app.state.tables = tables
    app.state.public_address = public_address
    app.state.metrics = metrics
    return app


def own_names(app: Starlette) -> set[str]:
    """Return the first names of all paths of the server."""
    paths = (str(getattr(route, "path", "")) for route in app.routes)
    return static_files.names() | {path.strip("/").partition("/")[0] for path in paths}


def _metrics(tables: Tables) -> Metrics | None:
    """Return the metrics endpoint, if there is a token for it."""
    token = operator_token(tables.limiter, "metrics_token")
    if token is None:
        return None
    from qwixx.server.operate.metrics import Metrics  # noqa: PLC0415 - it needs an optional package

    return Metrics(tables, token)


def _cluster_sync(tables: Tables) -> ClusterSync | None:
    """Return the sync with other servers, if the database can be shared."""
    if not tables.store.is_shared:
        return None
    from qwixx.server.operate.cluster_sync import ClusterSync  # noqa: PLC0415 - only a cluster needs it

    return ClusterSync(tables)
