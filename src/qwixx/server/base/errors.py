"""The exception that a client gets as a refusal, and that of a store that fails."""

from __future__ import annotations

from typing import Literal

RefusalCode = Literal[
    "announced", "bad-name", "bad-options", "banned", "barred", "bot-plays", "busy", "closed", "damaged",
    "foreign-host", "foreign-origin", "full", "illegal", "late", "name-taken", "no-hint", "no-hints", "no-judge",
    "no-network", "no-record", "no-such-game", "no-such-seat", "no-such-table", "no-undo", "not-host", "not-now",
    "not-your-seat", "not-your-turn", "removed", "still-here", "too-fast", "too-few", "too-large", "too-many-tables",
    "too-soon", "trouble", "undo-declined", "unreadable",
]  # fmt: skip
"""Every code of a refusal. The page has a text for each (`error.CODE`), and docs/protocol.md names them."""


class Refused(Exception):  # noqa: N818 - it is an answer to a client, not an error of the server
    """A request of a client that is refused: the client gets `code`, and nothing has changed."""

    def __init__(self, code: RefusalCode, rule: str = "", details: dict[str, str | int] | None = None) -> None:
        """Store the code, and the rule and details if a rule is the reason."""
        super().__init__(code)
        self.code: RefusalCode = code
        self.rule = rule
        self.details = details


class StoreFailed(Exception):  # noqa: N818 - it names the event
    """
    A statement failed: nothing was written, or it is not known yet whether it was.

    The store has logged the reason, in one line; nobody else logs it above the level `info`.
    """
