"""The exception that a client gets as a refusal."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - it is an answer to a client, not an error of the server
    """A request of a client that is refused: the client gets `code`, and nothing has changed."""

    def __init__(self, code: str, rule: str = "", details: dict[str, str | int] | None = None) -> None:
        """Store the code, and the rule and details if a rule is the reason."""
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.details = details
