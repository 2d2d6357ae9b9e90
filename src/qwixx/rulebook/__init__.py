"""The rules in words: pages in four languages, played examples, and a quick reference for each game."""

from __future__ import annotations

from qwixx.rulebook.pages import Fence, rule_book, rules_page, segments, without_ids

__all__ = ["Fence", "rule_book", "rules_page", "segments", "without_ids"]
