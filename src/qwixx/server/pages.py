"""The built page and the rule pages, from the files of the package."""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import qwixx

LANGUAGES = ("en", "fr", "de", "it")
_FOREVER = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-[\w-]{8,}\.\w+$")
_NOT_BUILT = (
    "The page has not been built yet: run `make play` in the repository, or install the package from a wheel.\n"
)


def web_directory() -> Path:
    """Give the folder of the built page."""
    return Path(str(resources.files("qwixx"))) / "web"


async def index(request: Request) -> Response:
    """Send the one document; the page itself reads the path."""
    path = web_directory() / "index.html"
    if not path.is_file():
        return PlainTextResponse(_NOT_BUILT, 503)
    return FileResponse(path, headers={"Cache-Control": "no-cache"})


class Assets(StaticFiles):
    """The page's files. Those with a hash in their name never change; the others are asked for again."""

    async def check_config(self) -> None:
        """Let a page that is not built be missing: its files are then simply not found."""

    def file_response(self, full_path: str, stat_result: object, scope: Scope, status_code: int = 200) -> Response:  # type: ignore[override]
        """Send a file with the right words about keeping it."""
        answer = super().file_response(full_path, stat_result, scope, status_code)  # type: ignore[arg-type]
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
    return Response(found.read_text("utf-8"), media_type="text/markdown", headers={"Cache-Control": "no-cache"})


def _first(*files: Traversable) -> Traversable | None:
    return next((file for file in files if file.is_file()), None)
