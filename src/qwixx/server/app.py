"""The application: routes, headers, and what happens when it starts and stops."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route, WebSocketRoute

from qwixx.server import pages
from qwixx.server.admission import Admission
from qwixx.server.api import Api, failed, refused
from qwixx.server.door import Door
from qwixx.server.previews import Previews
from qwixx.server.quotas import Quotas
from qwixx.server.reach import Reach
from qwixx.server.room import Refused
from qwixx.server.security import SecurityHeaders
from qwixx.server.settings import Settings
from qwixx.server.store import SqliteStore
from qwixx.server.tables import Tables

_WORTH_PACKING = 1024
"""Answers of fewer bytes are sent as they are. Messages of a table are never packed: that costs more than it saves."""
_PACKING_LEVEL = 5
"""Beyond that packing takes twice the time and saves hardly anything."""
_PACKED_ASIDE = 4096
"""Answers of more bytes are packed in a thread, where they keep no table waiting."""
_PAGES = ("/", "/r/{code}", "/here/t/{code}", "/here/r/{code}", "/rules", "/rules/{variant}")


def make_app(settings: Settings) -> Starlette:
    """Make the application; its database is opened here, so that a bad one is told before anything listens."""
    tables = Tables(settings, SqliteStore(settings.database, settings.sync))
    quotas = Quotas(settings)
    reach = Reach(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        tables.start()
        yield
        await tables.close()

    app = Starlette(
        routes=[
            *Api(tables, quotas, reach).routes(),
            WebSocketRoute("/ws/{code}", Door(tables, quotas).enter),
            Route("/t/{code}", Previews(tables, quotas, reach).document),
            *(Route(path, pages.index) for path in _PAGES),
            Mount("/", pages.Assets(directory=pages.web_directory(), check_dir=False)),
        ],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(Admission, settings=settings, quotas=quotas),
            Middleware(
                GZipMiddleware,
                minimum_size=_WORTH_PACKING,
                compresslevel=_PACKING_LEVEL,
                thread_minimum_size=_PACKED_ASIDE,
            ),
        ],
        exception_handlers={Refused: refused, HTTPException: failed, Exception: failed},
        lifespan=lifespan,
    )
    app.state.tables = tables
    app.state.reach = reach
    return app
