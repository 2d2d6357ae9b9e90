"""
The rules in words: pages in every language (`pages`), played examples, and a quick reference for each game.

Rule ids and sentences are in `rules.toml`. Code that enforces rules is in `qwixx.kernel`, lessons in `qwixx.tutorial`.
"""

from __future__ import annotations

from qwixx.rulebook.page_files import Fence, rule_book, rules_page, segments, without_ids

__all__ = ["Fence", "rule_book", "rules_page", "segments", "without_ids"]
