"""A static file host below a path, without custom headers and with common MIME types only."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PATH = "/some/where"


TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class _Files(SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        """Find a file below our path; other paths do not exist."""
        inside = path.removeprefix(PATH) if path.startswith(f"{PATH}/") else "/there/is/none"
        return super().translate_path(inside)

    def guess_type(self, path: Any) -> str:
        """Know the types that every host knows."""
        return TYPES.get(Path(path).suffix, "application/octet-stream")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Log nothing."""


class Host:
    """A folder on the web, while it runs."""

    def __init__(self, folder: Path) -> None:
        """Serve a folder."""
        self.folder = folder
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}{PATH}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
