"""The application: routes, headers, and what happens when it starts and stops."""

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
from qwixx.server import pages
from qwixx.server.admin import Admin
from qwixx.server.admission import Admission
from qwixx.server.announcing import Announcing
from qwixx.server.api import Api, failed, refused
from qwixx.server.counts import Pulse
from qwixx.server.day_api import DayApi
from qwixx.server.door import Door
from qwixx.server.keys import key_of
from qwixx.server.previews import Previews
from qwixx.server.quotas import Quotas
from qwixx.server.reach import Reach
from qwixx.server.room import Refused
from qwixx.server.security import SecurityHeaders
from qwixx.server.settings import Settings
from qwixx.server.store import StoreFailed
from qwixx.server.stores import open_store
from qwixx.server.tables import Tables
from qwixx.server.tracing import Tracing

if TYPE_CHECKING:
    from qwixx.server.metrics import Metrics
    from qwixx.server.postgres.sharing import Sharing

_WORTH_PACKING = 1024
"""Answers of fewer bytes are sent as they are. Messages of a table are never packed: that costs more than it saves."""
_PACKING_LEVEL = 5
"""Beyond that packing takes twice the time and saves hardly anything."""
_PACKED_ASIDE = 4096
"""Answers of more bytes are packed in a thread, where they keep no table waiting."""
_PAGES = (
    *("/", "/r/{code}", "/r/{code}/review", "/here/t/{code}", "/here/r/{code}", "/here/r/{code}/review"),
    *("/rules", "/rules/{variant}", "/learn/{variant}", "/train", "/train/{variant}", "/count", "/today", "/privacy"),
)


def make_app(settings: Settings, port: int | None = None) -> Starlette:
    """
    Make the application; its database is opened here, so that a bad one is told before anybody is let in.

    The port is the one that is listened on, where it is not that of the settings.
    """
    tables = Tables(settings, open_store(settings, port))
    quotas = Quotas(settings)
    reach = Reach(settings)
    metrics = _metrics(settings, tables)
    admin_key = key_of(settings, "admin_token")
    announcing = Announcing(tables)
    pulse = Pulse(tables.counts)
    sharing = _sharing(tables, quotas, announcing)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            await tables.start()
            if sharing is not None:
                await sharing.start()
        except (QwixxError, StoreFailed) as error:
            app.state.failure = error
            raise
        if metrics or admin_key:
            pulse.start()
        yield
        pulse.stop()
        if sharing is not None:
            sharing.stop()
        await tables.close()

    app = Starlette(
        routes=[
            WebSocketRoute("/ws/{code}", Door(tables, quotas).enter),  # the first: every game begins with some of these
            *DayApi(tables, quotas).routes(),
            *Api(tables, quotas, reach, announcing).routes(),
            *(Admin(tables, announcing, admin_key).routes() if admin_key else ()),
            *(metrics.routes() if metrics else ()),
            Route("/t/{code}", Previews(tables, quotas, reach).document),
            *(Route(path, pages.index) for path in _PAGES),
            Mount("/", pages.Assets(directory=pages.web_directory(), check_dir=False)),
        ],
        middleware=[
            Middleware(Tracing, counts=tables.counts),
            Middleware(SecurityHeaders),
            Middleware(Admission, settings=settings, quotas=quotas, barred=tables.barred),
            Middleware(
                GZipMiddleware,
                minimum_size=_WORTH_PACKING,
                compresslevel=_PACKING_LEVEL,
                thread_minimum_size=_PACKED_ASIDE,
            ),
        ],
        exception_handlers={Refused: refused, HTTPException: failed, StoreFailed: failed, Exception: failed},
        lifespan=lifespan,
    )
    app.state.failure = None
    app.state.tables = tables
    app.state.reach = reach
    app.state.metrics = metrics
    return app


def _metrics(settings: Settings, tables: Tables) -> Metrics | None:
    """Give what a monitor reads, if there is one."""
    key = key_of(settings, "metrics_token")
    if key is None:
        return None
    from qwixx.server.metrics import Metrics  # noqa: PLC0415 - who has no monitor need not have what it takes

    return Metrics(tables, key)


def _sharing(tables: Tables, quotas: Quotas, announcing: Announcing) -> Sharing | None:
    """Give what tells other servers on the same database, if there may be any."""
    if not tables.store.is_shared:
        return None
    from qwixx.server.postgres.sharing import Sharing  # noqa: PLC0415 - only those who use it need what it takes

    return Sharing(tables, quotas, announcing)
