"""Seats and their tokens. A token is the only way to act for a seat."""

from __future__ import annotations

import hashlib
import secrets

from msgspec import Struct

from qwixx.server.wire.message_parts import Kind

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
    """The words that this player added to the seed of the dice, with their nonce, once they are opened."""
    seal: str = ""
    """The hash of these words; empty for a player who added none."""
    next_seal: str = ""
    """After the game: the hash of the words that this player adds to the seed of the rematch."""

    @property
    def is_person(self) -> bool:
        """Whether a person decides for this seat now."""
        return self.kind == "person"


def new_token() -> str:
    """Create a random token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the hash of a token, which is stored. A token is long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def owned_seats(seats: list[Seat], keys: list[str]) -> list[int]:
    """Return the seats that belong to hashed tokens; compare in constant time."""
    return [
        place
        for place, seat in enumerate(seats)
        if seat.key and any(secrets.compare_digest(seat.key, key) for key in keys)
    ]
