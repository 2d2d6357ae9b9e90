"""The log: one line per thing that happened, as key=value or as JSON."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts = {"level": record.levelname.lower(), "at": record.name, "what": record.getMessage()}
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


def set_up(form: str, level: str) -> None:
    """Send the log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # who came and went is no news
