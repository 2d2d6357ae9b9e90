"""The threat model: every promise of docs/security.md has tests, and they exist."""

import ast
import re

from support.paths import ROOT

TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_promise_has_tests_that_exist() -> None:
    """Each row of the tables of promises names at least one function of the suite."""
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    promised = text.partition("## What is promised")[2].partition("## What is not promised")[0]
    rows = [line for line in promised.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) >= 20
    for row in rows:
        named = TEST.findall(row)
        assert named, f"no test holds: {row}"
        for file, name in named:
            functions = [each.name for each in ast.parse((ROOT / file).read_bytes()).body if hasattr(each, "name")]
            assert name in functions, f"{file} has no {name}"
