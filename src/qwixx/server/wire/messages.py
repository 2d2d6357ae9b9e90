"""
The messages on a table's socket: one struct per message, tagged by `t`, keys in camelCase.

Views, events and outcomes are the library's own structs, sent unchanged. The page's TypeScript types are generated from
these structs and those of HTTP (`python -m qwixx.server.generate_types`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from qwixx.coach.judges.judge import Measure, Source
from qwixx.game.events import AnyEvent
from qwixx.game.game import Outcome
from qwixx.game.view import View
from qwixx.server.base.errors import RefusalCode
from qwixx.server.wire.message_parts import Level, Options, Pace, RankedChoice, SeatInfo, SeatState, UndoRequest

Seat = Annotated[int, Meta(ge=0, le=9)]
Text = Annotated[str, Meta(max_length=256)]
Cell = Annotated[str, Meta(max_length=8, pattern=r"\A[a-z0-9]*\Z")]
MAX_FRAME = 4_000
"""The longest record of a game: no review has more moments."""
MAX_TIMER = 600
MAX_TOKENS = 10
Stage = Literal["lobby", "playing", "over"]
Sign = Literal["bravo", "laugh", "wow", "ouch", "hurry", "thanks"]


class Message(Struct, tag_field="t", rename="camel", gc=False):
    """Any message, either way."""


# ---- from the page


class Hello(Message, tag="hello"):
    """Identify this client. It is the first message on a socket; a later one replaces the tokens."""

    tokens: Annotated[list[Text], Meta(max_length=MAX_TOKENS)] = []
    """The tokens of all seats that this device plays; none for a spectator."""
    changes: bool = False
    """Whether the client understands `change` (only what is new) instead of a whole `state`."""
    table: Text = ""
    """In a later `hello`: the code of another table, to which the socket moves. The first `hello` ignores it."""


class Sit(Message, tag="sit"):
    """
    Take a free seat in the lobby; send it again to seat another person on the same device.

    A spectator of a running or finished game reserves a seat in the next game: the numbers of these seats follow those
    of the table. The token that comes with `seated` is for the table `next`.
    """

    name: Text
    """Name of the person."""
    seat: Seat | UnsetType = UNSET
    """During a game: the seat of a bot that plays for nobody, if the option `late` allows it."""


class Rename(Message, tag="rename"):
    """Rename my seat; in the lobby the host may rename any seat."""

    seat: Seat
    name: Text


class Stand(Message, tag="stand"):
    """Give up my seat in the lobby, or my seat in the next game."""

    seat: Seat


class AddBot(Message, tag="addBot"):
    """Add a bot in the lobby."""

    level: Level


class RemoveBot(Message, tag="removeBot"):
    """Remove a bot in the lobby."""

    seat: Seat


class Move(Message, tag="move"):
    """As the host, in the lobby: move a seat to another place in the order of turns."""

    seat: Seat
    to: Seat
    """The new place."""


class MakeHost(Message, tag="makeHost"):
    """As the host: make another person the host, who stays host from then on."""

    seat: Seat


class SetOptions(Message, tag="options"):
    """Change the options of the table in the lobby (see `Options`). Missing keys do not change."""

    timer: Annotated[int, Meta(ge=0, le=MAX_TIMER)] | UnsetType = UNSET
    """0 to 600."""
    sealed: bool | UnsetType = UNSET
    real_dice: bool | UnsetType = UNSET
    sheet: Text | UnsetType = UNSET
    lucky: Annotated[list[Text], Meta(max_length=10)] | UnsetType | None = UNSET
    late: bool | UnsetType = UNSET
    """The host may also change it during the game."""
    hints: bool | UnsetType = UNSET
    announce: bool | UnsetType = UNSET
    pace: Pace | UnsetType = UNSET
    """The host may also change it during the game."""


class SealWords(Message, tag="sealWords"):
    """
    Add my own words to the seed of the dice, in the lobby, as a hash. It replaces the earlier one.

    After the game, until the next table is open, they are for the game there.
    """

    seat: Seat
    seal: Text
    """SHA-256 of `qwixx words NONCE WORDS` in hexadecimal digits; empty to add none."""


class OpenWords(Message, tag="openWords"):
    """
    Open my sealed words while the table is `locked`: note the seals of all seats first.

    The game starts when all are opened, or after 5 seconds without the others.
    """

    seat: Seat
    words: Text
    """The nonce, 32 hexadecimal digits; a blank; up to 60 letters, without control characters."""


class Start(Message, tag="start"):
    """Start the game, as the host: the person who was made host, or the first person who is here."""


class Decide(Message, tag="decide"):
    """Decide for my seat in this phase. Until the phase resolves I may decide again, unless my choice is announced."""

    seat: Seat
    phase: int
    """Number of the phase, from `state`. A decision for a past phase is refused with `late`."""
    action: Text
    """Text of the action, such as `r7`."""


class Withdraw(Message, tag="withdraw"):
    """Withdraw my seat's choice while the phase is open, unless it is `announced`. The choices of others stay."""

    seat: Seat
    phase: int


class Undo(Message, tag="undo"):
    """
    Ask to undo my seat's last decision, while it is in `undoable`.

    All other people must agree, also those who left less than the grace time ago. A no holds for the phase. Nobody has
    to agree during `undoLeft`, unless another person has decided in the phase of this decision or later.
    """

    seat: Seat
    phase: int


class AgreeUndo(Message, tag="agreeUndo"):
    """Answer a request to undo, for all my seats. One no is enough to decline it."""

    yes: bool


class Roll(Message, tag="roll"):
    """Real dice: enter the roll, as one of the `rollers`."""

    dice: Text
    """The roll, such as `34/2615`."""


class AskWhy(Message, tag="why"):
    """Ask why an action is not possible. The answer is `why`."""

    seat: Seat
    action: Text


class AskHint(Message, tag="hint"):
    """
    Ask for the best choice of my seat, if `table.hints` allows it. The answer is `hint`.

    Everybody is notified by the event `hinted`, and the record notes it. The same request in the same phase is
    answered again, and noted once.
    """

    seat: Seat
    phase: int
    quiet: bool = False
    """Whether it is only noted, without an answer: the tutor of a page has warned of a choice, by its own values."""


class ToBot(Message, tag="toBot"):
    """Give a seat to a bot: mine, or that of a person who left 30 seconds ago or more (`QWIXX_GRACE_SECONDS`)."""

    seat: Seat


class TakeBack(Message, tag="takeBack"):
    """Take my seat back from the bot."""

    seat: Seat


class Vote(Message, tag="vote"):
    """
    Vote for a bot in place of a person who does not move, at a table without a clock.

    Votes are possible after 90 seconds without a move (`QWIXX_VOTE_SECONDS`). The bot takes over when more than half of
    the other people have voted. Votes end with the phase.
    """

    seat: Seat


class Remove(Message, tag="remove"):
    """As the host: send a person away from the lobby, or from a seat in the next game."""

    seat: Seat
    ban: bool = False
    """Ban the person until the game is over. This is also possible during the game; a bot then plays for them."""


class ForgetName(Message, tag="forgetName"):
    """Remove my name from a finished game. `—` appears instead, in the replay too."""

    seat: Seat


class DeleteTable(Message, tag="delete"):
    """Delete a finished game with its table, as anyone who sat there; or a table where nobody else sits."""


class Rematch(Message, tag="rematch"):
    """
    Agree to another game. When all who are here have agreed, the next table opens, with its game started.

    It has the same people, bots and options. Its code is in `table.next`, and the tokens of this table work there. Bots
    play for people who have not agreed, until they take their seats back. People who are `waiting` sit down after the
    others, and take the place of bots that play for nobody if there are too many.
    """

    now: bool = False
    """Open the next table immediately, without waiting for the others."""


class React(Message, tag="react"):
    """Show everybody a reaction from my seat. More than one in 0.7 seconds is not shown."""

    seat: Seat
    sign: Sign


class Lead(Message, tag="lead"):
    """
    After the game, lead its review from my seat, so that all at the table can follow. `table.leader` shows the leader.

    Possible while nobody leads, or when the leader has left. As the leader: hand the lead over to another seat.
    """

    seat: Seat


class PointAt(Message, tag="point"):
    """As the leader of a review: show the others where I am. The last one is sent as `pointer`."""

    frame: Annotated[int, Meta(ge=0, le=MAX_FRAME)]
    """The frame of the replay. 0 to 4000."""
    seat: Seat
    """The seat that the review is about."""
    cell: Cell = ""
    """A cell that I point at; empty for none."""
    tried: Text = ""
    """Another choice that I try in this moment, as the text of its action; empty for none."""


class StopLeading(Message, tag="stopLeading"):
    """End the review together: as its leader, or with any seat when the leader has left."""


class Ping(Message, tag="ping"):
    """Ask for `pong`, which comes after the answers to all earlier messages."""


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
    | SealWords
    | OpenWords
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
    | Lead
    | PointAt
    | StopLeading
    | Ping
)


# ---- from the server


class TableState(Message, tag="table"):
    """The table with its seats and options. Sent after `hello` and after every change."""

    code: str
    variant: str
    sheet: str
    stage: Stage
    host: int | None
    """Seat of the host; null if there is none."""
    mine: list[int]
    """The seats of this client, also while a bot plays for them."""
    seats: list[SeatInfo]
    options: Options
    watchers: int
    """Number of spectators."""
    next: str | None
    """Code of the next table, once it is open."""
    vote_after: float
    """Seconds without a move after which people may vote for a bot; 0 at a table with a clock."""
    undo: UndoRequest | None
    """An open request to undo a decision."""
    again: list[int] = []
    """After a game: the seats whose people have agreed to another one."""
    promise: str = ""
    """Hash of the seed of all dice and cards of this table; empty if it cannot be checked."""
    seed: str = ""
    """The seed, once the game is over."""
    next_promise: str = ""
    """Once the game is over: the `promise` of the next table, before anybody agrees to it."""
    day: str = ""
    """The date, if this is a table of today's roll."""
    hints: bool = False
    """Whether seats may ask for hints now: as `options.hints`, or if that is null, while only one person plays."""
    late_seats: list[int] = []
    """The seats of bots that a spectator may take now, with `sit`."""
    announces: bool = False
    """Whether choices that close a row are announced now: as `options.announce`; if that is null, with two people."""
    follows: bool = False
    """
    Whether a client should move its socket to `next` with a `hello` instead of opening a new one. False if several
    servers share the tables, because a proxy sends new sockets to the right server.
    """
    locked: bool = False
    """Whether the game is about to start, and people open their sealed words with `openWords`."""
    join_code: str = ""
    """Five letters by which `GET /api/tables/{code}` finds the table while it is in its lobby; empty afterwards."""
    waiting: list[str] = []
    """Names of the people who have reserved a seat in the next game."""
    waits: list[int] = []
    """The places of this client in `waiting`."""
    leader: int | None = None
    """After a game: the seat that leads its review; null if nobody does."""


class Seated(Message, tag="seated"):
    """You own a seat. Keep the token."""

    seat: int
    token: str


class State(Message, tag="state"):
    """The whole state of the game. Several moves that come at the same time may share one `state`."""

    phase: int
    """Number of the phase; decisions must name it."""
    view: View
    """The view of everybody."""
    mine: dict[str, SeatState]
    """The legal actions of this client, by seat; without seats that a bot plays."""
    events: list[AnyEvent]
    """The events since the last `state`."""
    deadline: float | None
    """Seconds until the clock decides; null without a clock."""
    rollers: list[int]
    """Real dice: the seats that may enter the roll: the active one, or all people if a bot is active."""
    undoable: list[int]
    """
    The seats that may undo their last decision: since then no dice were rolled, no cards shown, and the game has not
    ended. An `undo` gives the phase a new number.
    """
    outcome: Outcome | None
    """Ending, scores and winners; null during the game."""
    choices: dict[str, str] | UnsetType = UNSET
    """In an open window that is not sealed: the choices so far, by seat."""
    announced: dict[str, list[str]] | UnsetType = UNSET
    """In an open window: the rows that choices will close, by seat, if `table.announces`. These choices are binding."""
    undo_left: float | UnsetType = UNSET
    """Seconds for which the next roll waits, so that the last decision can be undone; missing if it does not wait."""
    story: list[AnyEvent] | UnsetType = UNSET
    """After `hello`: the events of the latest whole turns up to this state, without `decided` and `phase`."""


ViewChange = msgspec.defstruct(
    "ViewChange",
    [(each.name, each.type | UnsetType, UNSET) for each in msgspec.structs.fields(View)],
    rename="camel",
    namespace={"__doc__": "The changes of a `View`; of its sheets those that have changed."},
)


class StateChange(Message, tag="change"):
    """
    The changes since the last `state` or `change`, for clients whose `hello` had `changes`.

    `view` and `mine` are partial; all other fields are complete, as in `state`.
    """

    phase: int
    view: ViewChange  # type: ignore[valid-type]  # made from the fields of View, so that none is forgotten
    """The keys of the view that have changed; of its sheets, the changed ones."""
    mine: dict[str, SeatState]
    """The seats of this client for which anything has changed."""
    events: list[AnyEvent]
    deadline: float | None
    rollers: list[int]
    undoable: list[int]
    outcome: Outcome | None
    choices: dict[str, str] | UnsetType = UNSET
    announced: dict[str, list[str]] | UnsetType = UNSET
    undo_left: float | UnsetType = UNSET


class Why(Message, tag="why"):
    """The answer to `why`: why an action is not possible."""

    seat: int
    action: str
    code: str
    """The reason; `allowed` if the action is possible after all."""
    rule: str
    """Id of the rule."""
    details: dict[str, str | int]
    """Values for a sentence, as far as they apply: `cell`, `row`, `need`, `have`, `sum`, `number`, `color`."""


class Hint(Message, tag="hint"):
    """The answer to `hint`, only for the client that asked."""

    seat: int
    phase: int
    source: Source
    """How the values were obtained: `exact`, `learned` or `played on`."""
    measure: Measure
    """What `value` means: win probability, or in solitaire points."""
    choices: list[RankedChoice]
    """All legal choices, best first."""


class Reaction(Message, tag="reaction"):
    """A seat shows a reaction."""

    seat: int
    sign: Sign


class Pointer(Message, tag="pointer"):
    """Where the leader of the review points. Sent when it changes, and after the `table` that answers a `hello`."""

    frame: int
    seat: int
    cell: str
    tried: str


class Error(Message, tag="error", omit_defaults=True):
    """A refusal; nothing changed. If the table refused it, a `state` follows, so that the client is up to date."""

    code: RefusalCode
    rule: str | UnsetType = UNSET
    """Id of the rule, if the rules refused it."""
    details: dict[str, str | int] | UnsetType = UNSET
    """Values for a sentence, as in `why`, or `seconds`."""


class Pong(Message, tag="pong"):
    """The answer to `ping`."""


class Announcement(Message, tag="announcement"):
    """
    A message from the operator to everybody.

    Also sent after the `table` that answers a `hello`, if anything was announced since the server started.
    """

    text: str
    """The text; empty if the announcement has ended."""
    seconds: int
    """For how long it is shown."""


FromServer = TableState | Seated | State | StateChange | Why | Hint | Reaction | Pointer | Error | Pong | Announcement

decoder: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)
encode = msgspec.json.Encoder().encode


def parse(data: bytes) -> FromPage | None:
    """Parse a message of a page; None if it is not valid."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
