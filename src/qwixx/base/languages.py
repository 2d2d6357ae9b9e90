"""The languages of the game; `languages.json` is the list for the package and for the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

LANGUAGES: Final[tuple[str, ...]] = tuple(json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")))
"""The code of each language. English is first: all texts are written in it before they are translated."""
