"""The page's types of the compiled functions."""

from __future__ import annotations

from qwixx.wasm.generate_types import generate_exports
from support.paths import ROOT


def test_types_of_the_functions_are_fresh() -> None:
    """The page's types are those of the exported functions."""
    path = ROOT / "page/src/engine/exports.ts"
    assert path.read_text("utf-8") == generate_exports(), "run: python -m qwixx.wasm.generate_types " + str(path)
