"""Where compiled code is kept between runs, by all that it was made from, and whether all of it is there."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from qwixx.kernel.jit import COMPILES, LOADED
from qwixx.kernel.sources import is_compiled, name_of, source_key, sources_of
from qwixx.places import cache_directory

_KERNEL = Path(__file__).parent
_KEY_LETTERS = 16
_STALE_DAYS = 60
"""Compiled code of other sources is kept so long after its last use: another version of the package may be using it."""
_DAY = 86400.0
_OWNER_ONLY = 0o700


@cache
def _versions() -> str:
    """Name the compiler: other versions make other code. The compiler itself tells processors apart."""
    found = [sys.version]
    for package in ("numba", "llvmlite"):
        with contextlib.suppress(PackageNotFoundError):
            found.append(version(package))
    return " ".join(found)


def _key(files: tuple[Path, ...]) -> str:
    return hashlib.sha256(f"{_versions()} {source_key(files)}".encode()).hexdigest()[:_KEY_LETTERS]


def base() -> Path | None:
    """
    Give the folder of all compiled code: in the cache, else in a folder of one's own among temporary files.

    None where neither can be written; then it is compiled in every run.
    """
    return _writable(cache_directory() / "compiled")


@cache
def _writable(wanted: Path) -> Path | None:
    try:
        wanted.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass
    else:
        if os.access(wanted, os.W_OK):
            return wanted
    # Whoever could write there could have their code run here: it must be nobody else's.
    try:
        own = Path(tempfile.gettempdir()) / f"qwixx-{getattr(os, 'getuid', lambda: 'user')()}"
        own.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        found = own.lstat()
        is_own = own.is_dir() and not own.is_symlink() and not found.st_mode & 0o077
        if hasattr(os, "getuid") and found.st_uid != os.getuid():
            is_own = False
        if is_own and os.access(own, os.W_OK):
            (own / "compiled").mkdir(exist_ok=True)
            return own / "compiled"
    except OSError:
        pass
    return None


@cache
def compiled_directory(file: Path) -> Path | None:
    """
    Where the compiled functions of a module are kept between runs, by its sources and all that it imports.

    None where nothing can be written, or where the module has no source file: then it is compiled in every run.
    """
    files, folder = sources_of(file), base()
    if not files or folder is None or _is_newer(files):
        return None
    directory = folder / f"{name_of(file)}-{_key(files)}"
    try:
        if not directory.exists():
            directory.mkdir(parents=True, exist_ok=True)
            _remove_stale(directory)
        elif time.time() - directory.stat().st_mtime > _DAY:
            os.utime(directory)  # still in use
    except OSError:
        return None
    return directory if os.access(directory, os.W_OK) else None


def _is_newer(files: Iterable[Path]) -> bool:
    """Whether a file was written after the rules were loaded: what runs here must not be kept as what stands there."""
    try:
        return any(file.stat().st_mtime > LOADED for file in files)
    except OSError:
        return True


def have_changed(part: Path) -> bool:
    """Whether the sources of a part are not those any more that run here."""
    return _is_newer(file for file in part.rglob("*.py") if is_compiled(file))


def _remove_stale(current: Path) -> None:
    """Remove what other sources of the same module left behind, if nobody has used it for a long time."""
    name = current.name[: -_KEY_LETTERS - 1]
    for other in current.parent.glob(f"{name}-{'?' * _KEY_LETTERS}"):
        if other != current and time.time() - other.stat().st_mtime > _STALE_DAYS * _DAY:
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink(missing_ok=True)


def _mark(parts: tuple[Path, ...]) -> Path | None:
    """Name the file that says that all compiled code of some parts is there, as their sources are now."""
    folder = base()
    if folder is None:
        return None
    modules = (file for part in parts for file in part.rglob("*.py") if is_compiled(file))
    files = tuple(sorted({source for module in modules for source in sources_of(module)}))
    key = hashlib.sha256(f"{_key(files)} {_copy(files)}".encode()).hexdigest()[:_KEY_LETTERS]
    return folder / f"complete-{'-'.join(part.name for part in parts)}-{key}"


def _copy(files: Iterable[Path]) -> str:
    """
    Tell one copy of the sources from all others: by where it stands, and by when its files were written.

    The compiler looks at both and compiles for each copy anew, even if they are the same in every letter. What is
    complete for one is therefore not there yet for another.
    """
    stamps = []
    for file in files:
        with contextlib.suppress(OSError):
            stamps.append(f"{file} {file.stat().st_mtime}")
    return "\n".join(stamps)


def is_cold(*parts: Path) -> bool:
    """Whether the first to use some parts, the kernel if none are named, will have to wait for the compiler."""
    if not COMPILES:
        return False
    mark = _mark(parts or (_KERNEL,))
    return mark is None or not mark.exists()


def mark_warm(*parts: Path) -> None:
    """Note that everything the users of some parts need has been compiled."""
    mark = _mark(parts or (_KERNEL,)) if COMPILES else None
    if mark is not None:
        with contextlib.suppress(OSError):
            mark.touch()
            _remove_stale(mark)
