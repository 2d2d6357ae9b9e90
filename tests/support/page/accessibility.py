"""Checks that a screen is accessible and shows no raw ids."""

from __future__ import annotations

import re

import pytest

from support.page.catalogues import KEYS
from support.page.page_driver import Visitor
from support.paths import ROOT

AXE = ROOT / "page/node_modules/axe-core/axe.min.js"


def check_axe(visitor: Visitor) -> None:
    """Run axe-core on the screen."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: the page has not been built here")
    # Evaluated by the browser's own tools: the page's Content-Security-Policy is not changed.
    visitor.page.evaluate(AXE.read_text("utf-8"))
    found = visitor.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    violations = [
        f"{each['id']}: {each['help']} {[node['html'][:160] for node in each['nodes'][:3]]}" for each in found
    ]
    assert violations == []


def check_words(visitor: Visitor) -> None:
    """Check that no raw id and no unfilled placeholder is on the screen."""
    text = visitor.page.locator("body").inner_text()
    assert not set(re.findall(r"[a-z-]+(?:\.[a-z0-9-]+)+", text)) & KEYS
    assert not re.search(r"\{\w+\}", text)
