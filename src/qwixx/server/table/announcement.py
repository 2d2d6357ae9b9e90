"""The announcement of the operator: one text, shown on all pages until it expires."""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from qwixx.server.base.errors import Refused
from qwixx.server.wire.messages import Announcement, encode

if TYPE_CHECKING:
    from qwixx.server.table.registry import Tables
    from qwixx.server.wire.connection import Connection

MAX_LENGTH = 280


class Announcer:
    """The announcement of one server. It ends with the process, unless other servers have it too."""

    def __init__(self, tables: Tables) -> None:
        """Start without an announcement."""
        self._tables = tables
        self._text, self._until = "", 0.0
        self._was_set = False
        """Whether the text was set or cleared since the start."""
        self.unsent: Announcement | None = None
        """The message for the other servers."""

    def current(self) -> Announcement:
        """Return the current text with its seconds left; an empty text if there is none."""
        left = self._until - time.monotonic()
        return Announcement(self._text, max(1, round(left))) if self._text and left > 0 else Announcement("", 0)

    def send_to(self, newcomers: Iterable[Connection]) -> None:
        """
        Send the current announcement to connections that have just joined a table.

        Their pages asked for it over HTTP before the sockets were open; a change in between would not reach them.
        """
        if self._was_set:
            for connection in newcomers:
                connection.send_message(self.current())

    def set(self, text: str, minutes: float) -> Announcement:
        """Set the text, or clear it with an empty one, and send it to all tables."""
        words = " ".join(text.split())
        if len(words) > MAX_LENGTH or any(unicodedata.category(letter)[0] == "C" for letter in words):
            raise Refused("unreadable")
        announcement = self._send(words, minutes * 60)
        self.unsent = Announcement(words, math.ceil(minutes * 60))
        return announcement

    def merge_remote(self, texts: Mapping[str, float]) -> None:
        """Take over the announcements of all servers, with their seconds left; of two the one that lasts longer."""
        if self.unsent is None:
            text = max(texts, key=lambda each: texts[each], default="")
            if text != self.current().text:
                self._send(text, texts.get(text, 0.0))

    def _send(self, words: str, seconds: float) -> Announcement:
        self._text, self._until = words, time.monotonic() + seconds
        self._was_set = True
        announcement = self.current()
        data = encode(announcement)
        for table in list(self._tables.loaded.values()):
            for connection in table.connections:
                connection.send(data)
        return announcement
