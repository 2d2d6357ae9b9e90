"""Lazy names of a package: a name loads its module on first use, so that an import stays fast."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from typing import cast


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """
    Return `__getattr__` and `__dir__` for a package that has its imports in a block `if TYPE_CHECKING:`.

    Each import of the block is done on first use. So every name is written once, where type checkers look for it.
    """

    @cache
    def homes() -> dict[str, tuple[str, str]]:
        import ast  # noqa: PLC0415 - a program that uses no lazy name does not wait for it

        source = cast(InspectLoader, sys.modules[package].__loader__).get_source(package)
        blocks = (node for node in ast.parse(source or "").body if isinstance(node, ast.If))
        lines = [line for line in next(blocks).body if isinstance(line, ast.ImportFrom)]
        return {each.asname or each.name: (line.module or "", each.name) for line in lines for each in line.names}

    def load(name: str) -> object:
        module, own_name = ("", "") if name.startswith("__") else homes().get(name, ("", ""))
        if not module:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if module == package:
            return import_module(f"{package}.{own_name}")
        found = getattr(__import__(module, fromlist=[own_name]), own_name)
        setattr(sys.modules[package], name, found)
        return found

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes()})

    return load, listed
