"""Who sits where: names, and the tokens that are the only way to act for a seat."""

from __future__ import annotations

import hashlib
import secrets

from msgspec import Struct

from qwixx.server.pieces import Kind

_TOKEN_BYTES = 24


class Seat(Struct):
    """One seat of a table, as it is stored. A person's `key` stays when a bot plays for them."""

    name: str
    kind: Kind = "person"
    level: str | None = None
    """The name of the player that decides here, None for a person."""
    key: str = ""
    """The hash of the seat's token; empty for a bot that was never a person."""
    words: str = ""
    """What they have added to the seed of the dice."""

    @property
    def is_person(self) -> bool:
        """Whether a person decides for this seat now."""
        return self.kind == "person"


def new_token() -> str:
    """Make a token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """Give what is stored of a token. It is long and random, so that one round of a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def owned(seats: list[Seat], keys: list[str]) -> list[int]:
    """Find the seats that belong to hashed tokens, comparing in constant time."""
    return [
        place
        for place, seat in enumerate(seats)
        if seat.key and any(secrets.compare_digest(seat.key, key) for key in keys)
    ]
