"""The page as a folder for any static host: all games on one device, without a server."""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.errors import QwixxError
from qwixx.printing.print_request import PrintRequest
from qwixx.server.base.url_prefix import read_prefix
from qwixx.server.http.static_files import below, shared_nets, web_directory
from qwixx.server.limits.client_address import HEADERS

_DOCUMENT = "index.html"
_SERVICE_WORKER = "sw.js"
"""Browsers load a new version of the page only if the text of the service worker has changed."""
_HASHED = "assets"
"""The folder of files with a hash in their names; those of an older version are not used."""
_PRINT = "print"
"""The folder of sheets to print."""
_MARK = '<meta name="qwixx-site"'
_ONLY_AS_HEADER = "frame-ancestors"
"""Browsers accept this directive only in a header, and log a complaint about it in a document."""


def write_site(folder: Path, server: str = "", *, pads: bool = False) -> int:
    """
    Write the page into a folder, which is created if needed; return the number of files.

    `server` is the address of a server that the page offers for play with friends. With `pads` the page has sheets to
    print, made now because no server can make them later. Raises `QwixxError` if the page has not been built, or if the
    folder contains other files.
    """
    offered = _checked(server)
    source = web_directory()
    if not (source / _DOCUMENT).is_file():
        raise QwixxError("The page has not been built yet: run `make site`, or install the package from a wheel.")
    _check_free(folder)
    files = {path.relative_to(source): path for path in sorted(source.rglob("*")) if path.is_file()}
    files |= {Path(name): path for name, path in shared_nets(source).items()}
    try:
        shutil.rmtree(folder / _HASHED, ignore_errors=True)
        for name, path in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if name != Path(_DOCUMENT):
                shutil.copyfile(path, folder / name)
        printed = _write_pads(folder / _PRINT, wanted=pads)
        document = _document((source / _DOCUMENT).read_text("utf-8"), offered, pads=pads)
        worker = (source / _SERVICE_WORKER).read_text("utf-8")
        (folder / _SERVICE_WORKER).write_text(_versioned(worker, document), "utf-8")
        # Last, so that a visitor never gets a document without its files.
        (folder / _DOCUMENT).write_text(document, "utf-8")
    except OSError as error:
        raise QwixxError(f"{str(folder)!r} cannot be written: {error.strerror or error}.") from None
    return len(files) + printed


def _write_pads(folder: Path, *, wanted: bool) -> int:
    """
    Write sheets to print: a page of every game, with its cards or pawns, in every language; return how many files.

    Remove those of an older site if `wanted` is false.
    """
    from qwixx.printing.document import make_pad  # noqa: PLC0415 - most sites are written without

    for name, language in product(qwixx.games(), LANGUAGES):
        file, variant = folder / f"{name}-{language}.pdf", qwixx.variant(name)
        if not wanted:
            file.unlink(missing_ok=True)
            continue
        folder.mkdir(exist_ok=True)
        file.write_bytes(make_pad(variant, PrintRequest(languages=(language,), sheets=1 if variant.is_duel else 2)))
    return len(qwixx.games()) * len(LANGUAGES) if wanted else 0


def _document(text: str, server: str, *, pads: bool) -> str:
    """Return the document for a host that does not send our headers, and for any path."""
    rules = HEADERS["Content-Security-Policy"].split("; ")
    policy = "; ".join(rule for rule in rules if not rule.startswith(_ONLY_AS_HEADER))
    marks = [
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy, quote=False)}" />',
        '<meta name="referrer" content="no-referrer" />',
        f'{_MARK} content="{html.escape(server)}" />',
        *(['<meta name="qwixx-pads" content="a4" />'] if pads else []),
    ]
    return below(text, ".", *marks)


def _versioned(worker: str, document: str) -> str:
    """Change the version also if only the document has changed (such as `server`), so that browsers load it."""
    mark = hashlib.sha256(document.encode()).hexdigest()[:6]
    return re.sub(r'(const VERSION = "\w+)"', rf'\1-{mark}"', worker, count=1)


def _checked(server: str) -> str:
    """Return the address of a server, without a slash at its end. Raises `QwixxError` if it is not one."""
    if not server:
        return ""
    try:
        parts = urlsplit(server)
        host, prefix = parts.hostname, read_prefix(parts.path)
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https") or prefix is None or parts.query or parts.fragment:
        raise QwixxError(f"{server!r} is not the address of a server; https://games.example would be one.")
    return f"{parts.scheme}://{parts.netloc}{prefix}"


def _check_free(folder: Path) -> None:
    """Refuse to write among files that are not ours."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise QwixxError(f"{str(folder)!r} is not a folder.")
    document = folder / _DOCUMENT
    is_ours = document.is_file() and _MARK in document.read_text("utf-8", "replace")
    if not is_ours and any(folder.iterdir()):
        raise QwixxError(f"{str(folder)!r} holds something else already; name an empty or a new folder.")
