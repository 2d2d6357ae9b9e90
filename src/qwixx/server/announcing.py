"""What the operator has to say to everybody: one text, shown on all pages until its time is over."""

from __future__ import annotations

import time
import unicodedata
from typing import TYPE_CHECKING

from qwixx.server.protocol import Announcement, encode
from qwixx.server.room import Refused

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

LONGEST = 280


class Announcing:
    """The announcement of one server. It ends with the process."""

    def __init__(self, tables: Tables) -> None:
        """Begin with none."""
        self._tables = tables
        self._text, self._until = "", 0.0

    def now(self) -> Announcement:
        """Give what is announced now, with the seconds it has left; an empty text if there is nothing."""
        left = self._until - time.monotonic()
        return Announcement(self._text, max(1, round(left))) if self._text and left > 0 else Announcement("", 0)

    def set(self, text: str, minutes: float) -> Announcement:
        """Announce something, or with an empty text nothing any more; whoever is at a table is told at once."""
        words = " ".join(text.split())
        if len(words) > LONGEST or any(unicodedata.category(letter)[0] == "C" for letter in words):
            raise Refused("unreadable")
        self._text, self._until = words, time.monotonic() + minutes * 60
        told = self.now()
        data = encode(told)
        for table in list(self._tables.loaded.values()):
            for connection in table.connections:
                connection.tell(data)
        return told
