"""The log: one line per event, as key=value or as JSON, with a rate limit for repeated lines."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from qwixx.server.wire.request_ids import current_request_id

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts = {"level": record.levelname.lower(), "at": record.name, "what": record.getMessage()}
    if request := current_request_id.get():
        facts["request"] = request
    return facts | {key: value for key, value in vars(record).items() if key not in _PLAIN}


class KeyValueFormatter(logging.Formatter):
    """`2026-01-31T12:00:00 level=info at=qwixx.tables what="old tables deleted" count=3`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; line breaks within values are escaped."""
        words = [f"{key}={_quoted(value)}" for key, value in _facts(record).items()]
        line = " ".join([self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), *words])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """The same facts as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one JSON object."""
        facts = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"), **_facts(record)}
        if record.exc_info:
            facts["trace"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False, default=str)


def _quoted(value: object) -> str:
    text = str(value)
    return text if text and text.replace(".", "").replace("-", "").isalnum() else json.dumps(text, ensure_ascii=False)


class RateLimitFilter(logging.Filter):
    """A rate limit for each kind of log line; the first line of the next minute says how many were left out."""

    def __init__(self, lines: int, seconds: float = 60.0) -> None:
        """Allow this many lines of each kind in a period; the kind is the place in the source that logs the line."""
        super().__init__()
        self._lines, self._seconds = lines, seconds
        self._kinds: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        # The text is not the kind: a text with values in it would be a new kind each time.
        kind = (record.pathname, record.lineno, record.name)
        now = time.monotonic()
        since, count = self._kinds.get(kind, (now, 0))
        if now - since >= self._seconds:
            if count > self._lines:
                record.left_out = count - self._lines
            since, count = now, 0
        self._kinds[kind] = (since, count + 1)
        return count < self._lines


def configure_logging(form: str, level: str, lines: int) -> None:
    """Send the log to standard error, with a rate limit of lines of one kind in a minute."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RateLimitFilter(lines))
    handler.setFormatter(JsonFormatter() if form == "json" else KeyValueFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # connects and disconnects are not worth a line
