"""The built page and the rule pages: static files of the package."""

from __future__ import annotations

import gzip
import html
import json
import os
import re
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.server.base.url_prefix import prefix_of

_IMMUTABLE = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-[\w-]{8,}\.\w+$")
_NETS = "nets.json"
"""The list of the nets that the page uses, written by hatch_build.py."""
_FOR_PROGRAMS = ("/api/", "/ws/", "/assets/")
_FIRST_TAG = '<meta charset="utf-8" />'
_NOT_BUILT = (
    "The page has not been built yet: run `make play` in the repository, or install the package from a wheel.\n"
)


def web_directory() -> Path:
    """Return the folder of the built page."""
    return Path(str(resources.files("qwixx"))) / "web"


def names() -> set[str]:
    """Return the names of the page's files and folders."""
    folder = web_directory()
    return {each.name for each in folder.iterdir()} if folder.is_dir() else set()


@lru_cache(4)
def shared_nets(web: Path) -> dict[str, Path]:
    """Return the nets of the page by their paths in it: the package has one copy, which bots and browsers use."""
    try:
        listed: dict[str, str] = json.loads((web / _NETS).read_text("utf-8"))
    except OSError:  # the page has not been built
        return {}
    return {path: Path(str(resources.files("qwixx"))) / "nets" / "trained" / name for path, name in listed.items()}


def document(prefix: str) -> str | None:
    """Return the page's only HTML document, for a server below a path; None if the page has not been built."""
    try:
        text = (web_directory() / "index.html").read_text("utf-8")  # a kilobyte: a thread would take longer
    except OSError:
        return None
    return below(text, prefix, f'<meta name="qwixx-path" content="{html.escape(prefix)}" />') if prefix else text


def below(text: str, prefix: str, *tags: str) -> str:
    """Return the document with this prefix of all its addresses, and with further tags at its head."""
    return text.replace('"/', f'"{prefix}/').replace(_FIRST_TAG, "\n    ".join([_FIRST_TAG, *tags]), 1)


async def index(request: Request) -> Response:
    """Send the HTML document; the page itself reads the path."""
    text = document(prefix_of(request.scope))
    if text is None:
        return PlainTextResponse(_NOT_BUILT, 503)
    return cached(request, text.encode(), "text/html")


async def not_found(request: Request) -> Response | None:
    """Send the HTML document, which shows a translated "not found"; None for programs."""
    is_ours = request.url.path.startswith(_FOR_PROGRAMS)
    if request.method != "GET" or is_ours or "text/html" not in request.headers.get("accept", ""):
        return None
    answer = await index(request)
    if answer.status_code == 200:  # otherwise the page has not been built
        answer.status_code = 404
    return answer


def cached(request: Request, body: bytes, media_type: str) -> Response:
    """Send one of the few texts of the package, from a cache of compressed texts."""
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if not _accepts_gzip(request.headers):
        return Response(body, media_type=media_type, headers=headers)
    return Response(compressed(body), media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})


@lru_cache(256)
def compressed(body: bytes) -> bytes:
    """Compress a text of the package, once: doing it for every request would take time from the players."""
    return gzip.compress(body, mtime=0)


def _accepts_gzip(headers: Headers) -> bool:
    return "gzip" in headers.get("accept-encoding", "")


class Assets(StaticFiles):
    """The page's files. Browsers cache those with a hash in their name; they ask again for the others."""

    async def check_config(self) -> None:
        """Accept a page that has not been built: its files are then not found."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file of the page; nets are elsewhere in the package."""
        shared = shared_nets(Path(str(self.directory))).get(path.replace(os.sep, "/"))
        return super().lookup_path(path) if shared is None else (str(shared), shared.stat())

    def file_response(self, full_path: str, stat_result: object, scope: Scope, status_code: int = 200) -> Response:  # type: ignore[override]
        """Send a file, compressed if possible, with the right `Cache-Control` header."""
        answer = super().file_response(full_path, stat_result, scope, status_code)  # type: ignore[arg-type]
        asked = Headers(scope=scope)
        if isinstance(answer, FileResponse) and "range" not in asked and _accepts_gzip(asked):
            about = {name: answer.headers[name] for name in ("etag", "last-modified")}
            body = compressed(Path(full_path).read_bytes())
            about |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            answer = Response(body, media_type=answer.media_type, headers=about)
        answer.headers["Cache-Control"] = _IMMUTABLE if _HASHED.search(Path(full_path).name) else "no-cache"
        return answer


async def rules(request: Request) -> Response:
    """Send the rules of a game in the reader's language, in English where they are not translated."""
    name = request.path_params["variant"]
    language = request.query_params.get("lang", "en")
    if name not in qwixx.games() or language not in LANGUAGES:
        raise HTTPException(404)
    # By the package itself: naming the folder as a module would load it while people play.
    pages = resources.files("qwixx").joinpath("rulebook", "pages")
    found = _first(pages.joinpath(language, f"{name}.md"), pages.joinpath("en", f"{name}.md"))
    if found is None:
        raise HTTPException(404)
    return cached(request, found.read_bytes(), "text/markdown")


def _first(*files: Traversable) -> Traversable | None:
    return next((file for file in files if file.is_file()), None)
