"""The cache of compiled code on disk: its folders, its keys, and whether a part of the package is complete in it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from qwixx.base.os_locks import locked
from qwixx.base.user_dirs import cache_directory
from qwixx.jit.decorators import COMPILES, LOADED_AT
from qwixx.jit.source_key import is_compiled, name_of, source_key, sources_of

_KERNEL = Path(__file__).parents[1] / "kernel"
_KEY_LENGTH = 16
_STALE_DAYS = 60
"""Days after its last use until code of other sources is deleted: another version of the package may use it."""
_DAY = 86400.0
_OWNER_ONLY = 0o700


@cache
def _versions() -> str:
    """Return the versions of Python and the compiler, which change the code. Numba's cache distinguishes processors."""
    versions = [sys.version]
    for package in ("numba", "llvmlite"):
        with contextlib.suppress(PackageNotFoundError):
            versions.append(version(package))
    return " ".join(versions)


def _key(files: tuple[Path, ...]) -> str:
    return hashlib.sha256(f"{_versions()} {source_key(files)}".encode()).hexdigest()[:_KEY_LENGTH]


def cache_root() -> Path | None:
    """
    Return the folder of all compiled code: in the user's cache, else a private folder among the temporary files.

    None if neither is writable; then every run compiles.
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
    # A user who can write there can run code in this process: it must be a private folder.
    try:
        private = Path(tempfile.gettempdir()) / f"qwixx-{getattr(os, 'getuid', lambda: 'user')()}"
        private.mkdir(mode=_OWNER_ONLY, exist_ok=True)
        stat = private.lstat()
        is_private = private.is_dir() and not private.is_symlink() and not stat.st_mode & 0o077
        if hasattr(os, "getuid") and stat.st_uid != os.getuid():
            is_private = False
        if is_private and os.access(private, os.W_OK):
            (private / "compiled").mkdir(exist_ok=True)
            return private / "compiled"
    except OSError:
        pass
    return None


@cache
def compiled_directory(file: Path) -> Path | None:
    """
    Return the cache folder of a module's compiled functions; its name has a key of all sources.

    None if nothing can be written, or if the module has no source file: then every run compiles.
    """
    files, folder = sources_of(file), cache_root()
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
    """Return whether a file changed after the rules were loaded: old code must not be cached under the new key."""
    try:
        return any(file.stat().st_mtime > LOADED_AT for file in files)
    except OSError:
        return True


def sources_changed(part: Path) -> bool:
    """Return whether the sources of a part changed after this process loaded them."""
    return _is_newer(file for file in part.rglob("*.py") if is_compiled(file))


def _remove_stale(current: Path) -> None:
    """Delete cached code of other sources of the same module that was not used for a long time."""
    name = current.name[: -_KEY_LENGTH - 1]
    for other in current.parent.glob(f"{name}-{'?' * _KEY_LENGTH}"):
        if other != current and time.time() - other.stat().st_mtime > _STALE_DAYS * _DAY:
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink(missing_ok=True)


def _marker(parts: tuple[Path, ...], kind: str = "complete") -> Path | None:
    """Return the path of a marker file for some parts and their current sources; "complete" means all is compiled."""
    folder = cache_root()
    if folder is None:
        return None
    modules = (file for part in parts for file in part.rglob("*.py") if is_compiled(file))
    files = tuple(sorted({source for module in modules for source in sources_of(module)}))
    return folder / f"{kind}-{'-'.join(part.name for part in parts)}-{_key(files)}"


def is_uncached(*parts: Path) -> bool:
    """Return whether the next use of some parts (default: the kernel) has to wait for the compiler."""
    if not COMPILES:
        return False
    marker = _marker(parts or (_KERNEL,))
    return marker is None or not marker.exists()


def mark_cached(*parts: Path) -> None:
    """Mark some parts (default: the kernel) as completely compiled."""
    marker = _marker(parts or (_KERNEL,)) if COMPILES else None
    if marker is not None:
        with contextlib.suppress(OSError):
            marker.touch()
            _remove_stale(marker)


@contextlib.contextmanager
def compile_lock(*parts: Path) -> Iterator[None]:
    """
    Hold the lock for compiling some parts (default: the kernel); wait while another process holds it.

    Several servers may start at the same time with one cache. After the wait, check `is_uncached` again.
    """
    marker = _marker(parts or (_KERNEL,), "compiling")
    if marker is None:
        yield
        return
    with locked(marker):
        with contextlib.suppress(OSError):
            os.utime(marker)
            _remove_stale(marker)
        yield
