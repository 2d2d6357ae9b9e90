"""The table as a room: seats, options, stage. It is stored whole whenever it changes."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import UNSET, Struct, field

import qwixx
from qwixx.errors import QwixxError
from qwixx.fair import Fair, new_seed
from qwixx.server.pieces import Options
from qwixx.server.protocol import SetOptions, Stage
from qwixx.server.seats import Seat


class Refused(Exception):  # noqa: N818 - it is an answer to a client, told by its code
    """Something a client asked for and does not get; `code` is told, and nothing has changed."""

    def __init__(self, code: str, rule: str = "", details: dict[str, str | int] | None = None) -> None:
        """Keep the code, and the rule and details if a rule is the reason."""
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.details = details


class Room(Struct):
    """What is kept of a table beside its ledger."""

    code: str
    variant: str
    stage: Stage = "lobby"
    seats: list[Seat] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    opening: dict[str, str] = field(default_factory=dict)
    """The first facts of the game's record, once it has begun."""
    next: str | None = None
    host: str = ""
    """The key of the person who was made host; empty: whoever came first."""
    seed: str = ""
    """What all chance follows from, told when the game is over; empty at old tables and for games brought along."""
    words: list[str] = field(default_factory=list)
    """What each seat has added to the seed by the beginning of the game."""
    day: str = ""
    """The date whose dice are thrown here, if this is somebody's roll of the day."""

    @property
    def rules(self) -> qwixx.Variant:
        """The variant that is played, on the sheet that was chosen."""
        return rules_of(self.variant, self.options.sheet)

    @property
    def fair(self) -> Fair:
        """What all chance of the game follows from."""
        return Fair(self.seed or new_seed(), tuple(self.words))

    @property
    def is_fair(self) -> bool:
        """Whether the chance of this table can be checked when the game is over."""
        return bool(self.seed) and not self.options.real_dice and not self.day

    @property
    def has_hints(self) -> bool:
        """Whether seats may ask for hints: as the table has chosen, else while one person plays; never on a day."""
        chosen = False if self.day else self.options.hints
        return sum(bool(seat.key) for seat in self.seats) < 2 if chosen is None else chosen

    # ---- the lobby

    def add_person(self, name: str, key: str) -> int:
        """Seat a person; gives the seat."""
        self._check_place()
        self.seats.append(Seat(name, key=key))
        return len(self.seats) - 1

    def add_bot(self, player: str) -> None:
        """Seat a player. Its name at the table is empty: what a bot is called belongs to the reader's language."""
        self._check_place()
        self.seats.append(Seat("", "bot", player))

    def remove(self, seat: int, *, bot: bool) -> None:
        """Free a seat; those behind it move up."""
        self.check_lobby()
        if self.seats[seat].is_person == bot:
            raise Refused("not-now")
        del self.seats[seat]

    def take_over(self, seat: int, name: str, key: str) -> None:
        """Seat somebody who comes late in place of a bot that plays for nobody."""
        found = self.seats[seat]
        if self.stage != "playing" or not self.options.late or found.is_person or found.key:
            raise Refused("not-now")
        self.seats[seat] = Seat(name, key=key)

    def move(self, seat: int, to: int) -> None:
        """Give a seat another place in the order; those between move by one."""
        self.check_lobby()
        self.seats.insert(to, self.seats.pop(seat))

    def change(self, wanted: SetOptions) -> None:
        """Change the options that are named."""
        given = {name: value for name in Options.__struct_fields__ if (value := getattr(wanted, name)) is not UNSET}
        if given.keys() - {"late"}:
            self.check_lobby()
        rules = qwixx.variant(self.variant)
        if "sheet" in given and given["sheet"] not in sheets_of(rules):
            raise Refused("bad-options")
        if given.get("real_dice") and rules.is_cards:
            raise Refused("bad-options")
        if given.get("lucky") is not None:
            check_lucky(rules, given["lucky"])
        self.options = msgspec.structs.replace(self.options, **given)

    def check_lobby(self) -> None:
        """Refuse what can only be done before the game."""
        if self.stage != "lobby":
            raise Refused("not-now")

    def _check_place(self) -> None:
        self.check_lobby()
        if len(self.seats) >= self.rules.most_seats:
            raise Refused("full")


@cache
def rules_of(variant: str, sheet: str) -> qwixx.Variant:
    """Give a variant on a sheet; it is asked for at every table, and there are few."""
    return qwixx.variant(variant, sheet or None)


def new_room(variant: str, sheet: str) -> Room:
    """Make a room for a game, without a code yet. Raises `Refused` if there is no such game or sheet."""
    if variant not in qwixx.games():
        raise Refused("no-such-game")
    rules = qwixx.variant(variant)
    if sheet and sheet not in sheets_of(rules):
        raise Refused("bad-options")
    return Room("", variant, options=Options(sheet=sheet or rules.sheet), seed=new_seed())


def sheets_of(rules: qwixx.Variant) -> tuple[str, ...]:
    """Give the sheets that can be chosen: several in the card games, else none."""
    return rules.deck.sheets if rules.deck else ("",)


def check_lucky(rules: qwixx.Variant, lucky: list[str]) -> None:
    """Refuse lucky pairs that the engine refuses."""
    try:
        qwixx.Game(rules, len(lucky), first=0, lucky=lucky)
    except QwixxError:
        raise Refused("bad-options") from None
