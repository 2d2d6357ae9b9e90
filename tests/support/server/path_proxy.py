"""A reverse proxy that shows a server below a path: it takes the path off requests, or leaves it there."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

_HEAD_END = b"\r\n\r\n"
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class PathProxy:
    """The proxy, while it runs. Everything outside its path is not found."""

    def __init__(self, port: int, prefix: str, *, removes: bool, header: str = "") -> None:
        """Show the server on this port below a prefix; name the prefix in a header, if one is given."""
        self._port, self._prefix, self._removes, self._header = port, prefix, removes, header
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept)]
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}{prefix}"
        self._threads[0].start()

    def stop(self) -> None:
        """Stop it, and close all connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listener.close()
        for each in list(self._open):
            _shut(each)
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                thread = threading.Thread(target=self._serve, args=[client])
                self._threads.append(thread)
                thread.start()

    def _serve(self, client: socket.socket) -> None:
        """Pass on the one request of a connection, or its socket."""
        with contextlib.suppress(OSError), self._kept(client):
            received = b""
            while _HEAD_END not in received:
                data = client.recv(65536)
                if not data:
                    return
                received += data
            head, _, rest = received.partition(_HEAD_END)
            wanted = self._rewritten(head.decode("latin-1"))
            if not wanted:
                client.sendall(_NOT_FOUND)
                return
            with self._kept(socket.create_connection(("127.0.0.1", self._port))) as server:
                server.sendall(wanted.encode("latin-1") + rest)
                upload = threading.Thread(target=_copy, args=[client, server])
                upload.start()
                _copy(server, client)
                _shut(client)
                upload.join()

    @contextlib.contextmanager
    def _kept(self, each: socket.socket) -> Iterator[socket.socket]:
        """Close a connection afterwards; until then `stop` can end it."""
        self._open.add(each)
        try:
            yield each
        finally:
            self._open.discard(each)
            each.close()

    def _rewritten(self, head: str) -> str:
        """Return the request for the server; an empty text if it is not for the server."""
        method, path, version = head.partition("\r\n")[0].split(" ")
        if path != self._prefix and not path.startswith((f"{self._prefix}/", f"{self._prefix}?")):
            return ""
        lines = head.rstrip("\r\n").split("\r\n")[1:]
        if not any(line.lower().startswith("upgrade:") for line in lines):
            lines = [line for line in lines if not line.lower().startswith("connection:")] + ["Connection: close"]
        if self._header:
            lines.append(f"{self._header}: {self._prefix}")
        shown = (path.removeprefix(self._prefix) or "/") if self._removes else path
        return "\r\n".join([f"{method} {shown} {version}", *lines]) + "\r\n\r\n"


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Copy everything until one side has ended."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _shut(target)


def _shut(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def proxied(port: int, prefix: str, *, removes: bool, header: str = "") -> Iterator[PathProxy]:
    """Run a proxy during a test."""
    proxy = PathProxy(port, prefix, removes=removes, header=header)
    try:
        yield proxy
    finally:
        proxy.stop()
