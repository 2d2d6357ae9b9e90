"""The log: one line per thing that happened, as key=value or as JSON."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from qwixx.server.tracing import current

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts = {"level": record.levelname.lower(), "at": record.name, "what": record.getMessage()}
    if request := current.get():
        facts["request"] = request
    return facts | {key: value for key, value in vars(record).items() if key not in _PLAIN}


class TextLines(logging.Formatter):
    """`2026-01-31T12:00:00 level=info at=qwixx.tables what="old tables deleted" count=3`."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line; line breaks of outside texts are escaped."""
        words = [f"{key}={_quoted(value)}" for key, value in _facts(record).items()]
        line = " ".join([self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), *words])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """The same as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one object."""
        facts = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), **_facts(record)}
        if record.exc_info:
            facts["trace"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False, default=str)


def _quoted(value: object) -> str:
    text = str(value)
    return text if text and text.replace(".", "").replace("-", "").isalnum() else json.dumps(text, ensure_ascii=False)


class Sparing(logging.Filter):
    """Lets so many lines of one kind through in a minute; the first line of the next minute tells how many were not."""

    def __init__(self, lines: int, seconds: float = 60.0) -> None:
        """Bound each kind of line: what the program says, whatever it says it about."""
        super().__init__()
        self._lines, self._seconds = lines, seconds
        self._kinds: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is written."""
        # A message that was put together by its sender could be of a new kind each time; where it stands cannot.
        kind = (record.pathname, record.lineno, record.name)
        now = time.monotonic()
        since, count = self._kinds.get(kind, (now, 0))
        if now - since >= self._seconds:
            if count > self._lines:
                record.left_out = count - self._lines
            since, count = now, 0
        self._kinds[kind] = (since, count + 1)
        return count < self._lines


def set_up(form: str, level: str, lines: int) -> None:
    """Send the log to standard error, so many lines of one kind in a minute."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Sparing(lines))
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # who came and went is no news
