"""What the operator has to say to everybody: one text, shown on all pages until its time is over."""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from qwixx.server.protocol import Announcement, encode
from qwixx.server.room import Refused

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

LONGEST = 280


class Announcing:
    """The announcement of one server. It ends with the process, unless others have heard of it."""

    def __init__(self, tables: Tables) -> None:
        """Begin with none."""
        self._tables = tables
        self._text, self._until = "", 0.0
        self.unsent: Announcement | None = None
        """What other servers should hear of."""

    def now(self) -> Announcement:
        """Give what is announced now, with the seconds it has left; an empty text if there is nothing."""
        left = self._until - time.monotonic()
        return Announcement(self._text, max(1, round(left))) if self._text and left > 0 else Announcement("", 0)

    def set(self, text: str, minutes: float) -> Announcement:
        """Announce something, or with an empty text nothing any more; whoever is at a table is told at once."""
        words = " ".join(text.split())
        if len(words) > LONGEST or any(unicodedata.category(letter)[0] == "C" for letter in words):
            raise Refused("unreadable")
        told = self._say(words, minutes * 60)
        self.unsent = Announcement(words, math.ceil(minutes * 60))
        return told

    def hear(self, texts: Mapping[str, float]) -> None:
        """Take over what all servers announce, with the seconds left; the latest if there are two for a moment."""
        if self.unsent is None:
            text = max(texts, key=lambda each: texts[each], default="")
            if text != self.now().text:
                self._say(text, texts.get(text, 0.0))

    def _say(self, words: str, seconds: float) -> Announcement:
        self._text, self._until = words, time.monotonic() + seconds
        told = self.now()
        data = encode(told)
        for table in list(self._tables.loaded.values()):
            for connection in table.connections:
                connection.tell(data)
        return told
