"""Structs within the messages of a table (`messages`), and the base of all response structs."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from qwixx.coach.reasons.sentences import Reason
from qwixx.game.view import View

Level = Literal["easy", "normal", "strong", "master"]
Kind = Literal["person", "bot"]
Pace = Literal["calm", "normal", "fast"]


class Payload(Struct, rename="camel", gc=False):
    """The base of everything that is sent to a page, except whole messages."""


class Options(Payload):
    """The options of a table."""

    timer: int = 0
    """Seconds to decide; 0: no limit."""
    sealed: bool = True
    """Whether choices are secret until all have decided."""
    real_dice: bool = False
    """Whether people roll real dice and enter the result."""
    sheet: str = ""
    """Card games: the sheet."""
    lucky: list[str] | None = None
    """Longo: the pads, seat by seat; null: drawn at random."""
    late: bool = True
    """Whether latecomers may take the seat of a bot that plays for nobody; not in a card game with other people."""
    hints: bool | None = None
    """Whether seats may ask for hints; null: while only one person plays."""
    announce: bool | None = None
    """Whether a choice that closes a row is announced and binding (C14); null: while two or more people play."""
    pace: Pace = "normal"
    """How long bots wait before they decide."""


class SeatInfo(Payload):
    """One seat of the table."""

    seat: int
    name: str
    """Name of the person; a bot has none, unless it plays for a person."""
    kind: Kind
    level: Level | None
    """Level of the bot."""
    here: bool
    """Whether the person is connected."""
    votes: int
    """How many people want a bot to play here, because this person does not move."""
    words: str = ""
    """Words that the person added to the seed of the dice, once they are opened; without their nonce."""
    seal: str = ""
    """The hash of these words. If the game has started without `words`, they were left out."""
    next_seal: str = ""
    """After the game: the hash of words that the person added to the seed of the next one."""
    plain: bool = False
    """Whether the bot has played by rules of thumb: on a device without a network that lacks its neural network."""


class UndoRequest(Payload):
    """A request to undo a decision."""

    seat: int
    waiting: list[int]
    """The seats whose people have not answered yet."""


class SeatState(Payload):
    """The choices of one seat of this client."""

    legal: list[str]
    """Texts of the legal actions."""
    choice: str | None
    """The choice in the open phase; null if there is none."""
    pass_cost: int
    """Points that crossing nothing would cost immediately, also for a play of cards without a cross."""
    pass_miss: bool
    """Whether crossing nothing would take a miss."""
    closes: dict[str, list[str]]
    """The actions that would close rows, with the keys of these rows, if nobody else crosses anything."""
    ends: list[str]
    """The actions that would end the game, if nobody else crosses anything."""
    view: View | UnsetType = UNSET
    """The view of this seat, if it sees more than everybody (card games)."""


class RankedChoice(Payload):
    """One legal choice with its value and its reasons."""

    action: str
    value: float
    """Win probability, or in solitaire the expected points; see `measure`."""
    points: float
    """Expected final points."""
    loss: float
    """Value of the best choice minus this value."""
    reasons: list[Reason]
