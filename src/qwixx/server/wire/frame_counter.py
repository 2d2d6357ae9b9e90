"""
Counts WebSocket frames without decoding them, for the rate limit of frames.

A frame costs its sender six bytes and the server much more, whatever its kind: pings are answered, empty parts of a
message are stored. So frames are counted as they arrive, before anything is done with them.
"""

from __future__ import annotations

_FINAL, _CONTROL = 0x80, 0x08
_MASKED, _LENGTH = 0x80, 0x7F
_LONGER, _LONGEST = 126, 127
_MASK_SIZE = 4
TEXT = 0x81
"""The first byte of a text in one frame."""
SHORT_HEADER = 6
"""The bytes before a short text: two, and its mask."""


class FrameCounter:
    """Follows one connection's bytes from frame to frame."""

    __slots__ = ("_left", "_partial_header", "is_short_text", "parts")

    def __init__(self) -> None:
        """Start before the first frame."""
        self._partial_header = b""
        """The first bytes of a header that is not complete yet."""
        self._left = 0
        """Bytes of the current frame that have not arrived yet."""
        self.parts = 0
        """Frames of the current message so far."""
        self.is_short_text = False
        """Whether the bytes that were counted last are one message: a short text in one frame, as nearly all are."""

    def count(self, data: bytes, most: int) -> int:
        """Count the frames that start in these bytes; stop at one more than `most`."""
        self.is_short_text = not (self._left or self._partial_header or self.parts) and _is_short_text(data)
        if self.is_short_text:
            return 1
        if self._partial_header:
            data, self._partial_header = self._partial_header + data, b""
        at, size, found = self._left, len(data), 0
        while at < size and found <= most:
            header = _header_size(data, at)
            if at + header > size:
                self._partial_header = data[at:]
                at = size
                break
            found += 1
            self._count_part(data[at])
            at += header + _payload_size(data, at)
        self._left = at - size
        return found

    def _count_part(self, first: int) -> None:
        if first & _CONTROL:  # pings, pongs and closes may come between the parts of a message
            return
        self.parts = 0 if first & _FINAL else self.parts + 1


def _is_short_text(data: bytes) -> bool:
    """Return whether bytes that begin with a frame are one short masked text."""
    size = len(data)
    return size >= SHORT_HEADER and data[0] == TEXT and size - SHORT_HEADER == data[1] - _MASKED < _LONGER


def _header_size(data: bytes, at: int) -> int:
    """Return the size of a header, as far as its first bytes show it."""
    if at + 1 >= len(data):
        return 2
    length = data[at + 1] & _LENGTH
    more = 2 if length == _LONGER else 8 if length == _LONGEST else 0
    return 2 + more + (_MASK_SIZE if data[at + 1] & _MASKED else 0)


def _payload_size(data: bytes, at: int) -> int:
    length = data[at + 1] & _LENGTH
    if length == _LONGER:
        return int.from_bytes(data[at + 2 : at + 4])
    if length == _LONGEST:
        return int.from_bytes(data[at + 2 : at + 10])
    return length
