"""Starting the server: a free port, the address and its QR code, the browser, and a calm end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import logging
import mimetypes
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import chain, repeat
from types import FrameType
from typing import Literal, TextIO

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool

import qwixx
from qwixx.errors import QwixxError
from qwixx.kernel import takeover
from qwixx.players import find
from qwixx.server import pages, versions
from qwixx.server.app import make_app
from qwixx.server.catalogue import catalogue
from qwixx.server.descriptors import ACCEPTED_AT_ONCE, room_for
from qwixx.server.gate import Gate
from qwixx.server.guards import gate_of, guard
from qwixx.server.hosts import is_loopback
from qwixx.server.limits import HARD_LIMIT
from qwixx.server.listener import Listener
from qwixx.server.logs import set_up
from qwixx.server.players import Allowed
from qwixx.server.reach import EVERYWHERE, lan_address
from qwixx.server.settings import Settings

log = logging.getLogger("qwixx.run")
_PORTS_TRIED = 20
_WARM_TURNS = 4
_COLLECT = (1_000, 5, 1_600)
"""
A move makes hundreds of objects and hardly a cycle; looking for cycles every few moves would be a waste.
Requests make many cycles, and a thousand objects are freed in about a millisecond, during which everybody waits.
"""
_TICK = 0.05
_LEAVING_SECONDS = 5.0
"""For all tables to write what they are doing when the server stops."""
_QUEUE = 1024
"""Connections that may wait in the system's queue to be accepted."""
SEND_BUFFER = 128 * 1024
"""What the system keeps for a peer that does not read; left to itself it would be megabytes."""


def serve(settings: Settings, *, open_page: bool = True, out: TextIO | None = None) -> None:
    """Serve until somebody presses Ctrl-C. Raises `QwixxError` with a sentence if it cannot start."""
    set_up(settings.log, settings.log_level, settings.log_lines)
    with contextlib.closing(listen(settings.host, settings.port)) as listener:
        port = listener.getsockname()[1]
        app = make_app(settings, port)
        warm_up(app.state.tables.allowed)
        if settings.proxies and not settings.hosts:
            log.warning("QWIXX_PROXIES is set and QWIXX_HOSTS is not: names that the proxy passes on will be refused")
        link = announce(settings.host, port, out or sys.stdout, is_proxied=bool(settings.proxies or settings.hosts))
        if open_page:
            opener = threading.Timer(0.5, webbrowser.open, [link])
            opener.daemon = True
            opener.start()
        with contextlib.suppress(KeyboardInterrupt):
            config = server_config(app, settings)
            if app.state.metrics:
                app.state.metrics.gate = gate_of(config)
            server = Server(config)
            server.leave = app.state.tables.leave
            server.stop_soon, server.drain_seconds = app.state.tables.stop_soon, settings.drain_seconds
            app.state.reach.listen_also = partial(server.listen_also, port)
            with _failing_in_a_sentence(app):
                server.run(sockets=[listener])


@contextlib.contextmanager
def _failing_in_a_sentence(app: Starlette) -> Iterator[None]:
    """Say why the server cannot start, in place of all that uvicorn would log about it."""

    def is_worth_logging(_: logging.LogRecord) -> bool:
        return app.state.failure is None

    uvicorn_log = logging.getLogger("uvicorn.error")
    uvicorn_log.addFilter(is_worth_logging)
    try:
        yield
    except SystemExit:
        if app.state.failure is None:
            raise
        raise QwixxError(str(app.state.failure)) from None
    finally:
        uvicorn_log.removeFilter(is_worth_logging)


class Server(uvicorn.Server):
    """uvicorn, with a long queue of those who wait and few of them accepted at once."""

    leave: Callable[[], Awaitable[None]] | None = None
    """What to do when it is asked to stop, before it waits for anybody: other servers may go on with the tables."""

    stop_soon: Callable[[], None] | None = None
    """What to do before that, so that proxies notice in time that newcomers should be led elsewhere."""
    drain_seconds = 0.0
    """How long they have for it, after SIGTERM; nobody waits who presses Ctrl-C."""
    _drains = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal that asks the server to stop; one more while it drains ends that."""
        if self._drains:
            self._drains = False
            return
        self._drains = sig == signal.SIGTERM and not self.should_exit
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; asyncio takes one number for both, so that the queue is made longer afterwards."""
        for listener in sockets or []:
            if isinstance(listener, Listener):
                listener.lets_in = gate_of(self.config).lets_in
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(_QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let proxies notice, then let nobody in any more, leave the tables, and wait for the rest."""
        if self.stop_soon is not None:
            self.stop_soon()
        end = time.monotonic() + self.drain_seconds
        while self._drains and time.monotonic() < end:
            await asyncio.sleep(_TICK)
        self._drains = False
        for server in self.servers:
            server.close()
        if self.leave is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LEAVING_SECONDS):
                    await self.leave()
        await super().shutdown(sockets)

    async def listen_also(self, port: int, host: str) -> None:
        """Listen on one more address, until the server stops. Raises `OSError` if that cannot be."""
        listener = _bound(host, port)
        listener.lets_in = gate_of(self.config).lets_in
        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(self._protocol, sock=listener, backlog=self.config.backlog))
        listener.listen(_QUEUE)

    def _protocol(self) -> asyncio.Protocol:
        """Make what talks to one connection, as uvicorn does for its own listeners."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, _loop=None
        )


def warm_up(allowed: Allowed) -> None:
    """Load all that play and pages need, so that nobody waits while somebody is the first to ask for it."""
    for name in qwixx.games():
        game = qwixx.Game(name, 2, first=0)
        # One who has learned takes its time until compiled code takes over: one decision loads all it needs.
        learned, quick = (find(player).sit(game.variant, 2) for player in ("normal", "random"))
        players = chain([learned], repeat(quick))
        while game.turn < _WARM_TURNS and not game.is_over:
            if game.awaits_chance:
                game.roll()
            for seat in game.deciders():
                game.view()
                game.view(seat)
                game.foretell(seat, game.legal(seat)[0])
                game.decide(seat, next(players).answer(game.question(seat)))
    pages.packed(catalogue(allowed))
    # The page's files are read by threads, and what that takes is loaded when the first of them is wanted.
    asyncio.run(run_in_threadpool(mimetypes.init))
    keep_for_good()
    takeover.begin(then=gc.freeze)  # of what the compiler brings, too


def keep_for_good() -> None:
    """Let what has been made by now stay for good: the collector need not look at it again and again during play."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


def announce(host: str, port: int, out: TextIO, *, is_proxied: bool = False) -> str:
    """Say where the game is, with a QR code for phones if they can reach it; gives the link."""
    shown = lan_address() if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}/"
    with contextlib.suppress(OSError):  # a server does its work also where nobody reads what it says
        out.write(f"\nqwixx is at {link}\n")
        if host in EVERYWHERE:
            out.write(_scannable(link, out))
        elif is_loopback(host) and not is_proxied:
            out.write("Only this machine can open it; --lan lets friends in, and so does the page if you ask it to.\n")
        out.write("Ctrl-C stops it; every game is kept.\n\n")
        out.flush()
    return link


def _scannable(link: str, out: TextIO) -> str:
    """Draw a link as a QR code, with what there is: half blocks, or colors at a terminal that only knows ASCII."""
    drawn = io.StringIO()
    blocks = (out.encoding or "utf-8").lower().startswith("utf")
    if not blocks and not out.isatty():
        return "Phones on the same network can open it.\n"
    segno.make(link, error="l", micro=False).terminal(out=drawn, compact=blocks, border=2)
    return f"Phones on the same network can scan this:\n\n{drawn.getvalue()}"


def server_config(app: object, settings: Settings) -> uvicorn.Config:
    """
    Give uvicorn's settings, with guards before its protocols.

    Small messages are not compressed: that costs more than it saves.
    """
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application
        ws=websocket_protocol(),
        ws_per_message_deflate=False,
        ws_max_size=HARD_LIMIT * settings.message_size,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=10,
        h11_max_incomplete_event_size=16 * 1024,
        backlog=ACCEPTED_AT_ONCE,
    )
    guard(config, Gate(settings, room_for(settings.connections_in_all)))
    return config


def websocket_protocol() -> type[asyncio.Protocol] | Literal["websockets-sansio"]:
    """Give uvicorn the short way to the pages if it fits, else its own."""
    if not versions.fits():
        log.warning("sockets take the plain way", extra={"made_for": str(versions.MADE_FOR)})
        return "websockets-sansio"
    # It leans on the inside of uvicorn, so that it is not even loaded with another version.
    from qwixx.server.sockets import Wire  # noqa: PLC0415

    return Wire


def listen(host: str, port: int) -> Listener:
    """Take the port, or one of the next if it is taken."""
    for tried in range(port, min(port + _PORTS_TRIED, 65536)) if port else (0,):
        try:
            return _bound(host, tried)
        except OSError as error:
            last = error
    raise QwixxError(f"The server cannot listen on {host}, port {port} or the next ones: {last.strerror}.")


def _bound(host: str, port: int) -> Listener:
    """Take one port. Raises `OSError` if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named: only then are small answers sent at once (TCP_NODELAY) instead of after 40 ms.
    listener = Listener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.bind((host, port))
        listener.listen(_QUEUE)
    except OSError:
        listener.close()
        raise
    return listener
