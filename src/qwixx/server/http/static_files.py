"""The built page and the rule pages, from the files of the package."""

from __future__ import annotations

import gzip
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
from qwixx.languages import LANGUAGES

_FOREVER = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-[\w-]{8,}\.\w+$")
_FOR_PROGRAMS = ("/api/", "/ws/", "/assets/")
_NOT_BUILT = (
    "The page has not been built yet: run `make play` in the repository, or install the package from a wheel.\n"
)


def web_directory() -> Path:
    """Give the folder of the built page."""
    return Path(str(resources.files("qwixx"))) / "web"


def document() -> str | None:
    """Give the one document; None if the page has not been built."""
    try:
        return (web_directory() / "index.html").read_text("utf-8")  # a kilobyte: a thread would take longer
    except OSError:
        return None


async def index(request: Request) -> Response:
    """Send the one document; the page itself reads the path."""
    text = document()
    if text is None:
        return PlainTextResponse(_NOT_BUILT, 503)
    return kept(request, text.encode(), "text/html")


async def missing(request: Request) -> Response | None:
    """Send the document, which says in the reader's language that there is nothing here; None to programs."""
    is_ours = request.url.path.startswith(_FOR_PROGRAMS)
    if request.method != "GET" or is_ours or "text/html" not in request.headers.get("accept", ""):
        return None
    answer = await index(request)
    if answer.status_code == 200:  # else there is no page
        answer.status_code = 404
    return answer


def kept(request: Request, body: bytes, media_type: str) -> Response:
    """Send one of the few texts that belong to the package, packed once and for all."""
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if not _takes_packed(request.headers):
        return Response(body, media_type=media_type, headers=headers)
    return Response(packed(body), media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})


@lru_cache(256)
def packed(body: bytes) -> bytes:
    """Pack a text of the package. They are few; packing them again for every reader would take the players' time."""
    return gzip.compress(body, mtime=0)


def _takes_packed(headers: Headers) -> bool:
    return "gzip" in headers.get("accept-encoding", "")


class Assets(StaticFiles):
    """The page's files. Those with a hash in their name never change; the others are asked for again."""

    async def check_config(self) -> None:
        """Let a page that is not built be missing: its files are then simply not found."""

    def file_response(self, full_path: str, stat_result: object, scope: Scope, status_code: int = 200) -> Response:  # type: ignore[override]
        """Send a file with the right words about keeping it."""
        answer = super().file_response(full_path, stat_result, scope, status_code)  # type: ignore[arg-type]
        asked = Headers(scope=scope)
        if isinstance(answer, FileResponse) and "range" not in asked and _takes_packed(asked):
            about = {name: answer.headers[name] for name in ("etag", "last-modified")}
            body = packed(Path(full_path).read_bytes())
            about |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            answer = Response(body, media_type=answer.media_type, headers=about)
        answer.headers["Cache-Control"] = _FOREVER if _HASHED.search(Path(full_path).name) else "no-cache"
        return answer


async def rules(request: Request) -> Response:
    """Send the rules of a game in the reader's language, in English where they are not translated."""
    name = request.path_params["variant"]
    language = request.query_params.get("lang", "en")
    if name not in qwixx.games() or language not in LANGUAGES:
        raise HTTPException(404)
    book = resources.files("qwixx").joinpath("rulebook")
    found = _first(
        book.joinpath(language, f"{name}.md"), book.joinpath(f"{name}.{language}.md"), book.joinpath(f"{name}.md")
    )
    if found is None:
        raise HTTPException(404)
    return kept(request, found.read_bytes(), "text/markdown")


def _first(*files: Traversable) -> Traversable | None:
    return next((file for file in files if file.is_file()), None)
