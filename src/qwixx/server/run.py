"""Runs the server: finds a free port, shows the address and a QR code, opens the browser, shuts down gracefully."""

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
from types import FrameType
from typing import Literal, TextIO

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool

import qwixx
from qwixx.errors import QwixxError
from qwixx.jit import tiering
from qwixx.jit.decorators import interpret_budget
from qwixx.players import find
from qwixx.server.app import make_app
from qwixx.server.base.settings import Settings
from qwixx.server.base.url_prefix import read_prefix
from qwixx.server.http import static_files
from qwixx.server.limits.allowed_hosts import is_loopback
from qwixx.server.limits.connection_limits import ConnectionLimiter
from qwixx.server.limits.declared import (
    ACCEPTS,
    CONNECTIONS,
    HEADER_SIZE,
    KEEP_ALIVE,
    PONG_TIME,
    SYSTEM_BUFFER,
    UNREAD_SIZE,
)
from qwixx.server.limits.limiter import Limiter
from qwixx.server.operate.logs import configure_logging
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.catalogue import catalogue
from qwixx.server.wire import uvicorn_versions
from qwixx.server.wire.file_descriptors import raise_open_file_limit
from qwixx.server.wire.listener import Listener
from qwixx.server.wire.public_address import EVERYWHERE, lan_address
from qwixx.server.wire.uvicorn_guards import install_guards, limiter_of
from qwixx.server.workers.precompile import compile_judges

log = logging.getLogger("qwixx.run")
_PORTS_TRIED = 20
_WARM_TURNS = 4
_GC_THRESHOLD = (1_000, 5, 1_600)
"""
A move creates hundreds of objects and almost no cycles; a garbage collection every few moves would be a waste.
Requests create many cycles. Freeing a thousand objects takes about a millisecond, during which everyone waits.
"""
_TICK = 0.05
_LEAVE_SECONDS = 5.0
"""Time for all tables to finish their writes when the server stops."""
_BACKLOG = 1024
"""Connections that may wait in the system's queue until they are accepted."""
SEND_BUFFER = SYSTEM_BUFFER.fixed
"""Bytes that the system buffers for a client that does not read; the default would be megabytes."""


def serve(settings: Settings, *, open_page: bool = True, out: TextIO | None = None) -> None:
    """Serve until Ctrl-C or SIGTERM. Raises `QwixxError` with a sentence if the server cannot start."""
    configure_logging(settings.log, settings.log_level, settings.log_lines)
    with contextlib.closing(bind(settings.host, settings.port)) as listener:
        port = listener.getsockname()[1]
        app = make_app(settings, port)
        warm_up(app.state.tables.allowed)
        if settings.proxies and not settings.hosts:
            log.warning("QWIXX_PROXIES is set and QWIXX_HOSTS is not: host names from the proxy will be refused")
        with contextlib.suppress(KeyboardInterrupt):
            config = server_config(app, app.state.tables.limiter)
            if app.state.metrics:
                app.state.metrics.limiter = limiter_of(config)
            server = Server(config)
            server.on_ready = partial(_begin, settings, port, out or sys.stdout, open_page=open_page)
            server.leave = app.state.tables.unload_all
            server.stop_soon, server.drain_seconds = app.state.tables.announce_stop, settings.drain_seconds
            app.state.public_address.listen_also = partial(server.listen_also, port)
            with _failing_in_a_sentence(app):
                server.run(sockets=[listener])


def _begin(settings: Settings, port: int, out: TextIO, *, open_page: bool) -> None:
    """Print the address of the server, open the page in the browser, and compile in the background."""
    threading.Thread(target=_warm_up_in_background, daemon=True).start()
    link = announce(settings.host, port, out, is_proxied=bool(settings.proxies or settings.hosts), path=settings.path)
    if open_page:
        threading.Thread(target=webbrowser.open, args=[link], daemon=True).start()


@contextlib.contextmanager
def _failing_in_a_sentence(app: Starlette) -> Iterator[None]:
    """Raise why the server cannot start as one sentence, instead of everything that uvicorn would log about it."""

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
    """uvicorn with a long queue of waiting connections, a drain period, and further listeners."""

    leave: Callable[[], Awaitable[None]] | None = None
    """Called when the server stops, before it waits for clients: releases the tables for other servers."""

    on_ready: Callable[[], None] | None = None
    """Called when the server accepts connections."""

    stop_soon: Callable[[], None] | None = None
    """Called before the drain period, so that proxies notice in time to send new visitors elsewhere."""
    drain_seconds = 0.0
    """The drain period after SIGTERM; there is none after Ctrl-C."""
    _drains = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to stop; a second one ends the drain period."""
        if self._drains:
            self._drains = False
            return
        self._drains = sig == signal.SIGTERM and not self.should_exit
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """
        Start, and accept connections when they can be answered. Raises `QwixxError` if another program was faster.

        asyncio has one number for the backlog and for accepts per turn, so the backlog is raised later.
        """
        for listener in sockets or []:
            if isinstance(listener, Listener):
                listener.may_connect = limiter_of(self.config).may_connect
        try:
            await super().startup(sockets)
        except OSError as error:
            raise QwixxError(f"The server cannot listen: {error.strerror}.") from None
        for listener in sockets or []:
            listener.listen(_BACKLOG)
        if self.on_ready is not None:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain, stop accepting connections, release the tables, and wait for the rest."""
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
                async with asyncio.timeout(_LEAVE_SECONDS):
                    await self.leave()
        await super().shutdown(sockets)

    async def listen_also(self, port: int, host: str) -> None:
        """Listen on one more address, until the server stops. Raises `OSError` if that is not possible."""
        listener = _bound(host, port)
        listener.may_connect = limiter_of(self.config).may_connect
        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(self._protocol, sock=listener, backlog=self.config.backlog))
        listener.listen(_BACKLOG)

    def _protocol(self) -> asyncio.Protocol:
        """Create the protocol of one connection, as uvicorn does for its own listeners."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, _loop=None
        )


def warm_up(allowed: AllowedBots) -> None:
    """Load everything that games of people and pages need, so that the first request is as fast as the others."""
    interpret_budget.lift()  # the compiler would take its time from this, and is started when the server is ready
    for name in qwixx.games():
        game = qwixx.Game(name, 2, first=0)
        player = find("random").sit(game.variant, 2)
        while game.turn < _WARM_TURNS and not game.is_over:
            if game.awaits_chance:
                game.roll()
            for seat in game.deciders():
                game.view()
                game.view(seat)
                game.preview(seat, game.legal(seat)[0])
                game.decide(seat, player.answer(game.question(seat)))
    static_files.compressed(catalogue(allowed))
    # Threads read the page's files; the modules for that would be loaded with the first file.
    asyncio.run(run_in_threadpool(mimetypes.init))
    freeze_objects()


def _warm_up_in_background() -> None:
    """Load bots with neural networks, which are slow until compiled code takes over; then compile."""
    for name in qwixx.games():
        game = qwixx.Game(name, 2, first=0, seed=1)  # chance of its own: tables of people draw theirs meanwhile
        game.roll()
        try:
            find("normal").sit(game.variant, 2).answer(game.question(game.deciders()[0]))
        except QwixxError as error:  # for example a damaged file of weights
            log.error("a bot cannot be loaded: %s", error, extra={"variant": name})
    tiering.start_background_compile(_on_compiled)


def _on_compiled() -> None:
    """Freeze the compiler's objects, too; then compile the code for hints and reviews, before a player asks."""
    gc.freeze()
    compile_judges()


def freeze_objects() -> None:
    """Freeze all objects so far, so that the garbage collector does not scan them during play."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLD)


def announce(host: str, port: int, out: TextIO, *, is_proxied: bool = False, path: str = "") -> str:
    """Print the address of the server, with a QR code for phones if they can reach it; return the link."""
    shown = lan_address() if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}{read_prefix(path)}/"
    with contextlib.suppress(OSError):  # the server also runs if its output is closed
        out.write(f"\nqwixx is at {link}\n")
        if host in EVERYWHERE:
            out.write(_scannable(link, out))
        elif is_loopback(host) and not is_proxied:
            out.write(
                "Only this machine can open it. Start with --lan, or use the page's invite dialog, to let friends in.\n"
            )
        out.write("Ctrl-C stops it. Every game is saved.\n\n")
        out.flush()
    return link


def _scannable(link: str, out: TextIO) -> str:
    """Draw a link as a QR code: with half blocks, or with colors in a terminal that has only ASCII."""
    drawn = io.StringIO()
    blocks = (out.encoding or "utf-8").lower().startswith("utf")
    if not blocks and not out.isatty():
        return "Phones on the same network can open it.\n"
    segno.make(link, error="l", micro=False).terminal(out=drawn, compact=blocks, border=2)
    return f"Phones on the same network can scan this:\n\n{drawn.getvalue()}"


def server_config(app: object, limiter: Limiter) -> uvicorn.Config:
    """
    Return uvicorn's configuration, with guards around its protocols that use the limiter of the application.

    Small messages are not compressed: that costs more than it saves.
    """
    proxies = limiter.settings.proxies
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application
        ws=websocket_protocol(),
        ws_per_message_deflate=False,
        ws_max_size=limiter.most(UNREAD_SIZE),
        ws_ping_timeout=PONG_TIME.fixed,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=KEEP_ALIVE.fixed,
        h11_max_incomplete_event_size=HEADER_SIZE.fixed,
        backlog=ACCEPTS.fixed,
    )
    limiter.lower(CONNECTIONS, raise_open_file_limit(limiter.most(CONNECTIONS)))
    install_guards(config, ConnectionLimiter(limiter))
    return config


def websocket_protocol() -> type[asyncio.Protocol] | Literal["websockets-sansio"]:
    """Return the fast path for sockets if the installed versions support it, else uvicorn's own protocol."""
    if not uvicorn_versions.is_supported():
        log.warning("the fast path for sockets is off", extra={"made_for": str(uvicorn_versions.SUPPORTED)})
        return "websockets-sansio"
    # It uses internals of uvicorn, so it is not even imported with another version.
    from qwixx.server.wire.uvicorn_fast_socket import FastWebSocketProtocol  # noqa: PLC0415

    return FastWebSocketProtocol


def bind(host: str, port: int) -> Listener:
    """Reserve the port, or one of the next if it is taken. Nobody can connect before the server listens on it."""
    for tried in range(port, min(port + _PORTS_TRIED, 65536)) if port else (0,):
        try:
            return _bound(host, tried)
        except OSError as error:
            last = error
    raise QwixxError(f"The server cannot listen on {host}, port {port} or the next ones: {last.strerror}.")


def _bound(host: str, port: int) -> Listener:
    """Reserve one port. Raises `OSError` if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With IPPROTO_TCP: only then asyncio sets TCP_NODELAY, and small messages leave immediately, not after 40 ms.
    listener = Listener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.reserve(host, port)
    except OSError:
        listener.close()
        raise
    return listener
