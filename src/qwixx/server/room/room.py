"""The room of a table: seats, options, stage. It is stored as a whole whenever it changes."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import UNSET, Struct, field

import qwixx
from qwixx.errors import QwixxError
from qwixx.fair.commitment import Fair, is_seal, new_seed, opens
from qwixx.rulebook.page_files import rule_book
from qwixx.server.base.errors import Refused
from qwixx.server.room.seats import Seat
from qwixx.server.wire.message_parts import Options
from qwixx.server.wire.messages import SetOptions, Stage
from qwixx.variants import names

ANNOUNCING: tuple[str, ...] = tuple(game for game in rule_book()["C14"]["games"] if game in names())
"""The games in which closing a row is announced: others may close it in the same window."""


class Room(Struct):
    """All stored data of a table except its ledger."""

    code: str
    variant: str
    stage: Stage = "lobby"
    seats: list[Seat] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    opening: dict[str, str] = field(default_factory=dict)
    """The facts at the start of the record, once the game has started."""
    next: str | None = None
    host: str = ""
    """The key of the person who was made host; empty: the first person."""
    seed: str = ""
    """The seed of all dice, published after the game; empty at old tables and for imported games."""
    words: list[str] = field(default_factory=list)
    """The words that each seat had added to the seed when the game started, with their nonces."""
    seals: list[str] = field(default_factory=list)
    """The hashes of these words, and of words that were not opened in time."""
    locked: bool = False
    """Whether the game is about to start: seats, options and seals are fixed, and players open their words."""
    next_seed: str = ""
    """The seed of the rematch, drawn when the game is over, so that its hash is known before anybody agrees to it."""
    day: str = ""
    """The date of a daily game, whose dice are used here; empty for all other games."""
    waiting: list[Seat] = field(default_factory=list)
    """The people who came too late and have a seat in the rematch. Their seats are numbered after those of the game."""

    @property
    def rules(self) -> qwixx.Variant:
        """The variant, with the chosen sheet."""
        return rules_of(self.variant, self.options.sheet)

    @property
    def fair(self) -> Fair:
        """The source of all dice of the game."""
        return Fair(self.seed or new_seed(), tuple(self.words), tuple(self.seals))

    @property
    def is_fair(self) -> bool:
        """Whether the dice of this table can be verified after the game."""
        return bool(self.seed) and not self.options.real_dice and not self.day

    @property
    def is_next_promised(self) -> bool:
        """Whether the seed of the rematch is drawn, and the rematch not open yet."""
        return bool(self.next_seed) and self.next is None

    def promise_next(self) -> None:
        """Draw the seed of the rematch."""
        if not self.options.real_dice and not self.day:
            self.next_seed = new_seed()

    def seal_words(self, seat: int, seal: str) -> None:
        """Note the hash of the words that a player adds to the seed of this game, or after it of the rematch."""
        if not self.is_next_promised:
            self.check_lobby()
        if seal and not is_seal(seal):
            raise Refused("unreadable")
        if self.is_next_promised:
            self.seats[seat].next_seal = seal
        else:
            self.seats[seat].seal = seal

    def lock(self) -> bool:
        """Fix everything if words have to be opened before the game can start; return whether that is so."""
        self.locked = self.is_fair and any(seat.seal for seat in self.seats)
        return self.locked

    def open_words(self, seat: int, words: str) -> None:
        """Take the words of a player, with their nonce. Raises `Refused` unless they are the sealed ones."""
        if not self.locked:
            raise Refused("not-now")
        if not opens(words, self.seats[seat].seal):
            raise Refused("unreadable")
        self.seats[seat].words = words

    @property
    def is_opened(self) -> bool:
        """Whether all sealed words are opened."""
        return all(seat.words for seat in self.seats if seat.seal)

    @property
    def has_hints(self) -> bool:
        """Whether seats may ask for hints: as chosen, else while one person plays; never in a daily game."""
        chosen = False if self.day else self.options.hints
        return not self._is_company if chosen is None else chosen

    @property
    def announces(self) -> bool:
        """Whether closings are announced (C14): as chosen, else with two or more people; never in a daily game."""
        if self.day or self.variant not in ANNOUNCING:
            return False
        return self._is_company if self.options.announce is None else self.options.announce

    @property
    def _is_company(self) -> bool:
        """Whether seats belong to two or more people, also while bots play for them."""
        return len([seat for seat in self.seats if seat.key]) > 1

    @property
    def late_seats(self) -> list[int]:
        """
        The seats of bots that a person who joins late may take; a bot that replaces a player is not among them.

        In a card game with other people there are none: a spectator, or a player with a second browser, could look into
        the hand of a bot.
        """
        is_peeking = self.rules.is_cards and any(seat.key for seat in self.seats)
        if self.stage != "playing" or not self.options.late or is_peeking:
            return []
        return [place for place, seat in enumerate(self.seats) if not seat.is_person and not seat.key]

    # ---- the lobby

    def add_person(self, name: str, key: str) -> int:
        """Seat a person; return the seat."""
        self._check_place()
        self.seats.append(Seat(name, key=key))
        return len(self.seats) - 1

    def reserve(self, name: str, key: str) -> int:
        """Reserve a seat in the rematch; return its number. Bots that play for nobody would make room."""
        if self.stage == "lobby" or self.day or self.next is not None:
            raise Refused("not-now")
        if sum(bool(seat.key) for seat in self.seats) + len(self.waiting) >= self.rules.most_seats:
            raise Refused("full")
        self.waiting.append(Seat(name, key=key))
        return len(self.seats) + len(self.waiting) - 1

    def rematch_seats(self) -> list[tuple[int, Seat]]:
        """List the seats of the rematch with their numbers here; bots that play for nobody make room."""
        seats = list(enumerate([*self.seats, *self.waiting]))
        bots = [place for place, seat in seats if not seat.key]
        spare = bots[len(bots) - max(0, len(seats) - self.rules.most_seats) :]
        return [(place, seat) for place, seat in seats if place not in spare]

    def add_bot(self, player: str) -> None:
        """Seat a bot. Its name is empty: pages show a name in their own language."""
        self._check_place()
        self.seats.append(Seat("", "bot", player))

    def remove(self, seat: int, *, bot: bool) -> None:
        """Free a seat; the seats after it move up."""
        self.check_lobby()
        if self.seats[seat].is_person == bot:
            raise Refused("not-now")
        del self.seats[seat]

    def move(self, seat: int, to: int) -> None:
        """Move a seat to another place in the order; the seats between move by one."""
        self.check_lobby()
        self.seats.insert(to, self.seats.pop(seat))

    def change(self, wanted: SetOptions) -> None:
        """Change the options that are named."""
        given = {name: value for name in Options.__struct_fields__ if (value := getattr(wanted, name)) is not UNSET}
        if given.keys() - {"late", "pace"} or self.day:
            self.check_lobby()
        rules = qwixx.variant(self.variant)
        if "sheet" in given and given["sheet"] not in sheets_of(rules):
            raise Refused("bad-options")
        if given.get("real_dice") and rules.is_cards:
            raise Refused("bad-options")
        if given.get("announce") and self.variant not in ANNOUNCING:
            raise Refused("bad-options")
        if given.get("lucky") is not None:
            check_lucky(rules, given["lucky"])
        self.options = msgspec.structs.replace(self.options, **given)

    def check_lobby(self) -> None:
        """Raise `Refused` if the game has started, or is about to."""
        if self.stage != "lobby" or self.locked:
            raise Refused("not-now")

    def _check_place(self) -> None:
        self.check_lobby()
        if len(self.seats) >= self.rules.most_seats:
            raise Refused("full")


@cache
def rules_of(variant: str, sheet: str) -> qwixx.Variant:
    """Return a variant with a sheet, cached: every table needs it, and there are few."""
    return qwixx.variant(variant, sheet or None)


def new_room(variant: str, sheet: str) -> Room:
    """Create a room without a code. Raises `Refused` if there is no such game or sheet."""
    if variant not in qwixx.games():
        raise Refused("no-such-game")
    rules = qwixx.variant(variant)
    if sheet and sheet not in sheets_of(rules):
        raise Refused("bad-options")
    return Room("", variant, options=Options(sheet=sheet or rules.sheet), seed=new_seed())


def sheets_of(rules: qwixx.Variant) -> tuple[str, ...]:
    """Return the sheets that can be chosen: several in card games, else only the empty name."""
    return rules.deck.sheets if rules.deck else ("",)


def check_lucky(rules: qwixx.Variant, lucky: list[str]) -> None:
    """Raise `Refused` for lucky pairs that the rules do not allow."""
    try:
        qwixx.Game(rules, len(lucky), first=0, lucky=lucky)
    except QwixxError:
        raise Refused("bad-options") from None
