"""
Today's roll: one solitaire a day for each dice game, with the same dice for everybody on this server.

The dice come from a secret that never leaves the server (`recipe`). A day begins and ends at midnight UTC; a game that
was begun on its day counts if it is over before the next day is, and only then are the dice told to others.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

import qwixx
from qwixx.errors import QwixxError
from qwixx.players import Player, find
from qwixx.server.day_book import DayBook
from qwixx.server.names import take_name
from qwixx.server.pieces import Part
from qwixx.server.recipe import Day
from qwixx.server.room import Refused, Room, new_room
from qwixx.server.seats import hashed
from qwixx.solver.known import known_value, known_values

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

log = logging.getLogger("qwixx.days")
_SECRET_BYTES = 32
_DAY = timedelta(days=1)
_OPEN = 2 * _DAY
"""How long a day's games count after it has begun; whoever has begun one is remembered at least as long."""
_STEP = 10
"""Points that a bar of the picture of all scores spans."""
_PATIENCE = 2.0
"""Seconds for which a comparison waits for the master; compiled for the first time it takes longer."""
_MASTERS = 64
"""Games of the master that are remembered; there are six a day."""


class PlayedToday(Part):
    """How many have finished a game today."""

    variant: str
    players: int


class Today(Part):
    """The day: its date, the seconds until the next one, and its games."""

    date: str
    ends: float
    games: list[PlayedToday]


class BegunDay(Part):
    """The table of somebody's game of a day, and the token of its seat."""

    code: str
    token: str
    date: str


class ScoreBar(Part):
    """How many scores lie in a span of points, from its least on."""

    least: int
    count: int


class DayResult(Part):
    """A score among all of its day."""

    date: str
    variant: str
    code: str
    score: int
    players: int
    """How many have finished the same dice, this one among them; 0 if nobody counts them."""
    better: int
    """How many have more points."""
    average: float
    best: int
    step: int
    """How many points a bar spans."""
    bars: list[ScoreBar]
    optimum: float
    """What best play expects before the first roll."""
    master: int | UnsetType | None = UNSET
    """What the player `master` makes of the same dice; None if it cannot play here, nothing while it still plays."""


class Days:
    """The days of one server."""

    def __init__(self, tables: Tables) -> None:
        """Open tables among these. The secret is read, or made, when it is first needed."""
        self._tables = tables
        self._book = DayBook(tables.store)
        self._secret = b""
        self._opening = asyncio.Lock()
        self._masters: OrderedDict[Day, asyncio.Task[int | None]] = OrderedDict()
        self.now: Callable[[], float] = time.time
        """The clock, in seconds since 1970."""

    # ---- the date

    @property
    def today(self) -> str:
        """The date, in UTC."""
        return self._moment().date().isoformat()

    def _moment(self) -> datetime:
        return datetime.fromtimestamp(self.now(), UTC)

    def hides(self, room: Room) -> bool:
        """Tell whether what is played at a table may not be seen by others yet: on its day, and on the next one."""
        return bool(room.day) and self._is_open(room.day)

    def _is_open(self, day: str) -> bool:
        return self._moment().date() < date.fromisoformat(day) + _OPEN

    # ---- playing

    async def ready(self) -> None:
        """Have the secret at hand."""
        if not self._secret:
            self._secret = bytes.fromhex(await self._book.secret(secrets.token_hex(_SECRET_BYTES)))

    def throw(self, room: Room, game: qwixx.Game) -> str:
        """Write the dice of a table's turn."""
        assert self._secret, "whoever loads a table of a day gets ready first"
        return Day(room.day, room.variant, self._secret).throw(game)

    async def state(self) -> Today:
        """Say which day it is, and how many have played."""
        moment, played = self._moment(), await self._book.played(self.today)
        midnight = datetime.combine(moment.date() + _DAY, datetime.min.time(), UTC)
        games = [PlayedToday(variant, played.get(variant, 0)) for variant in known_values()]
        return Today(moment.date().isoformat(), (midnight - moment).total_seconds(), games)

    async def begin(self, variant: str, device: str, name: str, admit: Callable[[], None]) -> BegunDay:
        """
        Give a device its game of today: one, however often it asks.

        `admit` is called before a table is opened, and may refuse.
        """
        _check_game(variant)
        await self.ready()
        async with self._opening:  # two tabs that ask at once get the same table
            day = self.today
            key, token = self._mark(day, variant, device), self._mark(day, variant, device, "seat")
            found = await self._book.find(day, variant, key)
            if found is not None:
                return BegunDay(found[0], token, day)
            admit()
            room = new_room(variant, "")
            room.day = day
            room.options.late = False
            dice = Day(day, variant, self._secret)
            room.options.lucky = dice.lucky()
            room.add_person(take_name(name, self._tables.settings.name_length), hashed(token))
            code = await self._tables.open_begun(room)
            await self._book.begin(day, variant, key, code)
            self._let_master_play(dice)  # so that it is done when the first one is
            found = await self._book.find(day, variant, key)  # another process may have begun one in the same moment
            return BegunDay(code if found is None else found[0], token, day)

    def _mark(self, day: str, variant: str, device: str, purpose: str = "device") -> str:
        """Make a word of a device's token that nobody else can make, and that fits this day and game alone."""
        words = f"{purpose} {day} {variant} {device}".encode()
        return base64.urlsafe_b64encode(hmac.digest(self._secret, words, "sha256")[:24]).decode()

    async def count(self, room: Room, score: int) -> None:
        """Keep the score of a finished game, unless its dice have been told already."""
        if self._is_open(room.day):
            await self._book.score(room.day, room.variant, room.code, score)

    # ---- comparing

    async def result(self, day: str, variant: str, device: str) -> DayResult:
        """Compare a device's score with all others of its day. Raises `Refused` before there is one."""
        _check_game(variant)
        await self.ready()
        found = await self._book.find(day, variant, self._mark(day, variant, device))
        if found is None:
            raise Refused("no-such-table")
        code, score = found
        if score is None:
            raise Refused("not-now")
        scores = await self._book.scores(day, variant)
        players = sum(scores.values())
        dice = Day(day, variant, self._secret)
        master = self._let_master_play(dice)
        await asyncio.wait([master], timeout=_PATIENCE)
        bars: dict[int, int] = {}
        for each, count in scores.items():
            least = each // _STEP * _STEP
            bars[least] = bars.get(least, 0) + count
        return DayResult(
            day,
            variant,
            code,
            score,
            players,
            sum(count for each, count in scores.items() if each > score),
            sum(each * count for each, count in scores.items()) / players,
            max(scores),
            _STEP,
            [ScoreBar(least, count) for least, count in bars.items()],
            optimum(dice),
            master.result() if master.done() else UNSET,
        )

    def _let_master_play(self, dice: Day) -> asyncio.Task[int | None]:
        """Have the master play a day's dice, once, beside the tables."""
        if dice not in self._masters:
            self._masters[dice] = asyncio.create_task(self._master(dice))
            while len(self._masters) > _MASTERS:
                self._masters.popitem(last=False)
        return self._masters[dice]

    async def _master(self, dice: Day) -> int | None:
        try:
            return await self._tables.pools.run("days", lambda: master_score(dice))
        except QwixxError as error:
            log.warning("no game of the master: %s", error, extra={"variant": dice.variant})
        except Exception:  # whatever it was, people are told their own scores
            log.exception("no game of the master", extra={"variant": dice.variant})
        return None

    # ---- tidying up

    async def clean(self) -> None:
        """Forget scores that are older than the operator wants."""
        kept = timedelta(days=self._tables.settings.keep_scores_days)
        await self._book.forget((self._moment() - max(kept, _OPEN)).date().isoformat())


def _check_game(variant: str) -> None:
    if variant not in known_values():
        raise Refused("no-such-game")


def optimum(dice: Day) -> float:
    """Give what best play expects of a day's game before the first roll; in Longo with the pad of that day."""
    return known_value(dice.variant, *(dice.lucky() or ()))


def master_score(dice: Day) -> int:
    """Let the master play a day's game. Raises `QwixxError` if nobody has taught it."""
    pad = dice.pad()
    player = find("master").sit(qwixx.variant(dice.variant), 1, pads=None if pad is None else [pad])
    return score_with(dice, player)


def score_with(dice: Day, player: Player) -> int:
    """Let somebody play a day's game to its end; gives the score."""
    game = qwixx.Game(dice.variant, 1, first=0, lucky=dice.lucky())
    while not game.is_over:
        if game.awaits_chance:
            game.set_roll(dice.throw(game))
        else:
            game.decide(0, player.answer(game.question(0)))
    return game.scores()[0]
