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
from qwixx.server.pieces import Advised, Level, Mine, Options, SeatInfo, UndoWish
from qwixx.view import View

Seat = Annotated[int, Meta(ge=0, le=9)]
Text = Annotated[str, Meta(max_length=256)]
Stage = Literal["lobby", "playing", "over"]
Measure = Literal["win", "points"]
Sign = Literal["bravo", "laugh", "wow", "ouch", "hurry", "thanks"]


class Message(Struct, tag_field="t", rename="camel", gc=False):
    """Any message, either way."""


# ---- from the page


class Hello(Message, tag="hello"):
    """Who I am: the tokens of all seats this device plays; none for a spectator."""

    tokens: Annotated[list[Text], Meta(max_length=10)] = []
    changes: bool = False
    """Whether `change` is understood: what is new, in place of a whole `state`."""
    table: Text = ""
    """In a later hello, the code of another table: the socket goes on there. Empty, or its own: it stays."""


class Sit(Message, tag="sit"):
    """Take a free seat in the lobby; or, coming late, the named seat of a bot that plays for nobody."""

    name: Text
    seat: Seat | UnsetType = UNSET


class Rename(Message, tag="rename"):
    """Give my seat another name; as the host, in the lobby, anybody's."""

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


class Move(Message, tag="move"):
    """As the host, in the lobby, move a seat to another place in the order of turns."""

    seat: Seat
    to: Seat


class MakeHost(Message, tag="makeHost"):
    """As the host, hand that over to another person."""

    seat: Seat


class SetOptions(Message, tag="options"):
    """Change the table's options in the lobby; absent keys stay. Late-comers can be let in or kept out at any time."""

    timer: Annotated[int, Meta(ge=0, le=600)] | UnsetType = UNSET
    sealed: bool | UnsetType = UNSET
    real_dice: bool | UnsetType = UNSET
    sheet: Text | UnsetType = UNSET
    lucky: Annotated[list[Text], Meta(max_length=10)] | UnsetType | None = UNSET
    late: bool | UnsetType = UNSET
    hints: bool | UnsetType = UNSET


class AddWords(Message, tag="words"):
    """Add words of my own to the seed of the dice, in the lobby; the ones before are forgotten."""

    seat: Seat
    words: Text


class Start(Message, tag="start"):
    """Begin the game."""


class Decide(Message, tag="decide"):
    """Decide for my seat in this phase."""

    seat: Seat
    phase: int
    action: Text


class Withdraw(Message, tag="withdraw"):
    """Take my seat's choice back while the phase is open."""

    seat: Seat
    phase: int


class Undo(Message, tag="undo"):
    """Take my seat's last decision back after its phase; people who are here are asked, bots are not."""

    seat: Seat
    phase: int


class AgreeUndo(Message, tag="agreeUndo"):
    """Answer somebody who wants to take a decision back."""

    yes: bool


class Roll(Message, tag="roll"):
    """Real dice: say what lies on the table."""

    dice: Text


class AskWhy(Message, tag="why"):
    """Ask why this is not possible."""

    seat: Seat
    action: Text


class AskHint(Message, tag="hint"):
    """Ask what is best for my seat in this phase; everybody is told that I did, and the record notes it."""

    seat: Seat
    phase: int


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
    """Say yes to another game: it begins with the last yes of those here; or `now`, with bots for the others."""

    now: bool = False


class React(Message, tag="react"):
    """Show the others a sign, from my seat."""

    seat: Seat
    sign: Sign


class Ping(Message, tag="ping"):
    """Is anybody there."""


FromPage = (
    Hello
    | Sit
    | Rename
    | Stand
    | AddBot
    | RemoveBot
    | Move
    | MakeHost
    | SetOptions
    | AddWords
    | Start
    | Decide
    | Withdraw
    | Undo
    | AgreeUndo
    | Roll
    | AskWhy
    | AskHint
    | ToBot
    | TakeBack
    | Vote
    | Remove
    | ForgetName
    | DeleteTable
    | Rematch
    | React
    | Ping
)


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
    undo: UndoWish | None
    """A wish to take a decision back, until all have answered."""
    again: list[int] = []
    """After a game, the seats whose people have said yes to another."""
    promise: str = ""
    """The hash of the seed that all chance of this table follows from; empty if it cannot be checked."""
    seed: str = ""
    """The seed, once the game is over."""
    day: str = ""
    """The date whose dice are thrown here, if this is somebody's roll of the day."""
    hints: bool = False
    """Whether seats may ask for hints now."""
    follows: bool = False
    """Whether a socket had better go on to the next table by a `hello` there than be opened anew."""


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
    undoable: list[int]
    """The seats that may take their last decision back though its phase is over."""
    outcome: Outcome | None
    choices: dict[str, str] | UnsetType = UNSET
    """In an open window, what has been chosen so far."""
    story: list[AnyEvent] | UnsetType = UNSET
    """For those who come, or come back: the latest turns, each from its `turn` on, up to this very state."""


ViewChange = msgspec.defstruct(
    "ViewChange",
    [(each.name, each.type | UnsetType, UNSET) for each in msgspec.structs.fields(View)],
    rename="camel",
    namespace={"__doc__": "What is new in a `View`; of its sheets those that have changed."},
)


class Change(Message, tag="change"):
    """What has become of the last `state` or `change`, for pages that understand it: all else is as it was."""

    phase: int
    view: ViewChange  # type: ignore[valid-type]  # made from the fields of View, so that none is forgotten
    mine: dict[str, Mine]
    """Those of my seats for which anything has changed."""
    events: list[AnyEvent]
    deadline: float | None
    rollers: list[int]
    undoable: list[int]
    outcome: Outcome | None
    choices: dict[str, str] | UnsetType = UNSET


class Why(Message, tag="why"):
    """Why something is not possible; code `allowed` if it is."""

    seat: int
    action: str
    code: str
    rule: str
    details: dict[str, str | int]


class Hint(Message, tag="hint"):
    """What a seat asked for: all its legal choices, best first."""

    seat: int
    phase: int
    source: str
    """How the values were obtained: `exact`, `learned` or `played on`."""
    measure: Measure
    choices: list[Advised]


class Reaction(Message, tag="reaction"):
    """Somebody shows a sign."""

    seat: int
    sign: Sign


class Error(Message, tag="error", omit_defaults=True):
    """Something was refused; nothing changed."""

    code: str
    rule: str | UnsetType = UNSET
    details: dict[str, str | int] | UnsetType = UNSET


class Pong(Message, tag="pong"):
    """Yes."""


class Announcement(Message, tag="announcement"):
    """What the operator has to say to everybody, and for how many seconds; an empty text: nothing any more."""

    text: str
    seconds: int


FromServer = TableState | Seated | State | Change | Why | Hint | Reaction | Error | Pong | Announcement

decoder: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)
encode = msgspec.json.Encoder().encode


def parse(data: bytes) -> FromPage | None:
    """Read a message of the page; None for anything that is none."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
