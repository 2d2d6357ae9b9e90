"""
What travels over a table's socket: one struct per message, tagged by `t`, keys in camelCase.

Views, events and outcomes are the library's own structs, sent as they are.

The page's TypeScript types are written from these structs and from those of HTTP
(`python -m qwixx.server.typescript`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from qwixx.events import AnyEvent
from qwixx.game import Outcome
from qwixx.view import View

Seat = Annotated[int, Meta(ge=0, le=9)]
Text = Annotated[str, Meta(max_length=256)]
Level = Literal["easy", "normal", "strong", "master"]
Stage = Literal["lobby", "playing", "over"]
Kind = Literal["person", "bot"]


class Message(Struct, tag_field="t", rename="camel"):
    """Any message, either way."""


# ---- from the page


class Hello(Message, tag="hello"):
    """Who I am: the tokens of all seats this device plays; none for a spectator."""

    tokens: Annotated[list[Text], Meta(max_length=10)] = []


class Sit(Message, tag="sit"):
    """Take a free seat in the lobby."""

    name: Text


class Rename(Message, tag="rename"):
    """Give my seat another name."""

    seat: Seat
    name: Text


class Stand(Message, tag="stand"):
    """Give up my seat in the lobby."""

    seat: Seat


class AddBot(Message, tag="addBot"):
    """Add a bot in the lobby."""

    level: Level


class RemoveBot(Message, tag="removeBot"):
    """Remove a bot in the lobby."""

    seat: Seat


class SetOptions(Message, tag="options"):
    """Change the table's options in the lobby; absent keys stay."""

    timer: Annotated[int, Meta(ge=0, le=600)] | UnsetType = UNSET
    sealed: bool | UnsetType = UNSET
    real_dice: bool | UnsetType = UNSET
    sheet: Text | UnsetType = UNSET
    lucky: Annotated[list[Text], Meta(max_length=10)] | UnsetType | None = UNSET


class Start(Message, tag="start"):
    """Begin the game."""


class Decide(Message, tag="decide"):
    """Decide for my seat in this phase."""

    seat: Seat
    phase: int
    action: Text


class Roll(Message, tag="roll"):
    """Real dice: say what lies on the table."""

    dice: Text


class AskWhy(Message, tag="why"):
    """Ask why this is not possible."""

    seat: Seat
    action: Text


class ToBot(Message, tag="toBot"):
    """Give an absent person's seat, or my own, to a bot."""

    seat: Seat


class TakeBack(Message, tag="takeBack"):
    """Take my seat back from the bot."""

    seat: Seat


class Vote(Message, tag="vote"):
    """Vote for a bot in place of somebody who is here and does not move, at a table without a clock."""

    seat: Seat


class Remove(Message, tag="remove"):
    """As the host, send a person away from the lobby; or ban them until the game is over, during it too."""

    seat: Seat
    ban: bool = False


class ForgetName(Message, tag="forgetName"):
    """Take my name out of a finished game."""

    seat: Seat


class DeleteTable(Message, tag="delete"):
    """Delete a finished game with its table, or a table where nobody else sits."""


class Rematch(Message, tag="rematch"):
    """Open the next table with the same people."""


class Ping(Message, tag="ping"):
    """Is anybody there."""


FromPage = (
    Hello
    | Sit
    | Rename
    | Stand
    | AddBot
    | RemoveBot
    | SetOptions
    | Start
    | Decide
    | Roll
    | AskWhy
    | ToBot
    | TakeBack
    | Vote
    | Remove
    | ForgetName
    | DeleteTable
    | Rematch
    | Ping
)


# ---- what the server's messages are made of


class Part(Struct, rename="camel"):
    """A part of a message."""


class Options(Part):
    """How a table plays."""

    timer: int = 0
    sealed: bool = True
    real_dice: bool = False
    sheet: str = ""
    lucky: list[str] | None = None


class SeatInfo(Part):
    """One seat of the room."""

    seat: int
    name: str
    kind: Kind
    level: Level | None
    here: bool
    votes: int
    """How many people want a bot to play here, since this person does not move."""


class Mine(Part):
    """What one of my seats may do."""

    legal: list[str]
    choice: str | None
    pass_cost: int
    """Points that crossing nothing now would cost at once."""
    pass_miss: bool
    """Whether crossing nothing now would take a miss."""
    view: View | UnsetType = UNSET
    """What this seat sees, where that is more than everybody sees."""


# ---- from the server


class TableState(Message, tag="table"):
    """The table as a room."""

    code: str
    variant: str
    sheet: str
    stage: Stage
    host: int | None
    mine: list[int]
    seats: list[SeatInfo]
    options: Options
    watchers: int
    next: str | None
    vote_after: float
    """Seconds without a move after which people may vote for a bot; 0 at a table with a clock."""


class Seated(Message, tag="seated"):
    """A seat is yours; keep the token."""

    seat: int
    token: str


class State(Message, tag="state"):
    """Where the game stands, and what happened since the last `state`."""

    phase: int
    view: View
    mine: dict[str, Mine]
    events: list[AnyEvent]
    deadline: float | None
    rollers: list[int]
    """Real dice: the seats that may say what lies on the table now."""
    outcome: Outcome | None
    choices: dict[str, str] | UnsetType = UNSET
    """In an open window, what has been chosen so far."""
    story: list[AnyEvent] | UnsetType = UNSET
    """For those who come, or come back: the latest turns, each from its `turn` on, up to this very state."""


class Why(Message, tag="why"):
    """Why something is not possible; code `allowed` if it is."""

    seat: int
    action: str
    code: str
    rule: str
    details: dict[str, str | int]


class Error(Message, tag="error", omit_defaults=True):
    """Something was refused; nothing changed."""

    code: str
    rule: str | UnsetType = UNSET
    details: dict[str, str | int] | UnsetType = UNSET


class Pong(Message, tag="pong"):
    """Yes."""


FromServer = TableState | Seated | State | Why | Error | Pong

decoder: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)
encode = msgspec.json.Encoder().encode


def parse(data: bytes) -> FromPage | None:
    """Read a message of the page; None for anything that is none."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
