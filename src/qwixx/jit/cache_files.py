"""
Files of compiled code that are checked before they are used.

A file may be damaged: by a full disk, a crash, or a copy that stopped halfway. Numba would raise an error at every
start, or run damaged code. Here each file ends with a checksum; a damaged one is deleted and its code compiled again.
"""

from __future__ import annotations

import contextlib
import pickle
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, Final

_caching: Any = import_module("numba.core.caching")  # numba has no type stubs
_SUM_BYTES: Final = 16


def _checksum(data: bytes) -> bytes:
    return blake2b(data, digest_size=_SUM_BYTES).digest()


class CheckedCacheFile(_caching.IndexDataCacheFile):  # type: ignore[misc]  # as above
    """The files of one function: an index of its signatures, and the code for each of them."""

    def _load_index(self) -> dict[Any, str]:
        try:
            index: dict[Any, str] = super()._load_index()
        except OSError:
            raise
        except Exception:  # pickle raises almost anything
            self._drop(self._index_path)
            return {}
        return index

    def _load_data(self, name: str) -> Any:
        path = Path(self._data_path(name))
        stored = path.read_bytes()
        data = stored[:-_SUM_BYTES]
        if _checksum(data) != stored[-_SUM_BYTES:]:
            self._drop(path)
            raise FileNotFoundError(path)  # numba compiles what is missing
        return pickle.loads(data)  # noqa: S301 - this user's own folder, see `cache_root`

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(content + _checksum(content))

    def _drop(self, path: str | Path) -> None:
        with contextlib.suppress(OSError):
            Path(path).unlink()


def check_files(function: Any) -> Any:
    """Check the cached files of a compiled function from now on; return it."""
    files = function._cache._cache_file
    checked = CheckedCacheFile(files._cache_path, files._index_name.removesuffix(".nbi"), files._source_stamp)
    function._cache._cache_file = checked
    return function
