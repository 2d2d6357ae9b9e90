"""The languages in which people are spoken to; the first is the one that everything is written in first."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "de", "fr", "it")
