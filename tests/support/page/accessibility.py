"""Checks that a screen is accessible and shows no raw ids."""

from __future__ import annotations

import re

import pytest

from support.page.catalogues import KEYS
from support.page.page_driver import Visitor
from support.paths import ROOT

AXE = ROOT / "page/node_modules/axe-core/axe.min.js"


def check_axe(visitor: Visitor, where: str = "", *, forced: bool = False) -> None:
    """Run axe-core on the screen. Where the system forces its own colors, axe still computes with the page's colors."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: the page has not been built here")
    # Evaluated by the browser's own tools: the page's Content-Security-Policy is not changed.
    if not visitor.page.evaluate("'axe' in window"):
        visitor.page.evaluate(AXE.read_text("utf-8"))
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": not forced}}}
    found = visitor.page.evaluate("options => axe.run(document, options).then(r => r.violations)", options)
    violations = [
        f"{where} {each['id']}: {each['help']} {[node['html'][:160] for node in each['nodes'][:3]]}" for each in found
    ]
    assert violations == []


def check_words(visitor: Visitor) -> None:
    """Check that no raw id and no unfilled placeholder is on the screen."""
    text = visitor.page.locator("body").inner_text()
    assert not set(re.findall(r"[a-z-]+(?:\.[a-z0-9-]+)+", text)) & KEYS
    assert not re.search(r"\{\w+\}", text)
