"""
The daily game: one solitaire game a day for each dice game, with the same dice for all players of this server.

The dice come from a secret that never leaves the server (`qwixx.fair.daily_dice`). A day begins and ends at midnight
UTC. A game that was started on its day counts if it ends before the next day does; until then its dice are secret.
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
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, UnsetType

import qwixx
from qwixx.errors import QwixxError
from qwixx.fair.daily_dice import Day
from qwixx.players import Player, find
from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import BEST_SCORES, DAILY_GAMES
from qwixx.server.room.display_names import checked_name
from qwixx.server.room.room import Room, new_room
from qwixx.server.room.seats import hash_token
from qwixx.server.today.scores import DailyScores
from qwixx.server.wire.message_parts import Payload
from qwixx.solver.known_values import known_value, known_values

if TYPE_CHECKING:
    from qwixx.server.base.settings import Settings
    from qwixx.server.store.interface import Store
    from qwixx.server.workers.pools import Pools

log = logging.getLogger("qwixx.days")
_SECRET_BYTES = 32
_MARK_LETTERS = 3
"""Letters of the hash of an address, 18 bits: so many addresses share one that it does not reveal an address."""
_DAY = timedelta(days=1)
_OPEN = 2 * _DAY
"""How long the games of a day count after it has begun; their rows are stored at least that long."""
_BAR_POINTS = 10
"""Points in one bar of the histogram of scores."""
_MASTER_TIMEOUT = 2.0
"""Seconds that a comparison waits for the game of the master; with the first compilation it takes longer."""


class PlayedToday(Payload):
    """The number of players who have finished a game today."""

    variant: str
    players: int


class Today(Payload):
    """The day: its date, the seconds until the next one, and its games."""

    date: str
    ends: float
    games: list[PlayedToday]


class BegunDay(Payload):
    """The table of a daily game, and the token of its seat."""

    code: str
    token: str
    date: str


class ScoreBar(Payload):
    """One bar of the histogram: the number of scores from `least` on."""

    least: int
    count: int


class DayResult(Payload):
    """A score compared with all scores of its day."""

    date: str
    variant: str
    code: str
    score: int
    players: int
    """How many have finished the same game, this one included; 0 if they are not counted."""
    better: int
    """How many have more points."""
    average: float
    best: int
    step: int
    """How many points a bar spans."""
    bars: list[ScoreBar]
    optimum: float
    """The expected score of optimal play before the first roll."""
    master: int | UnsetType | None = UNSET
    """The score of the player `master` with the same dice; null if it cannot play here, absent while it plays."""


class DailyTables(Protocol):
    """The tables of a server, as far as the daily game needs them."""

    @property
    def settings(self) -> Settings:
        """Return the settings of the server."""

    @property
    def store(self) -> Store:
        """Return the store of the server."""

    @property
    def pools(self) -> Pools:
        """Return the pools that run work outside the event loop."""

    async def open_begun(self, room: Room) -> str:
        """Open a table whose game has begun; return its code."""


class DailyGames:
    """The daily games of one server."""

    def __init__(self, tables: DailyTables) -> None:
        """Open tables in this registry. The secret is read or created when it is first needed."""
        self._tables = tables
        self._scores = DailyScores(tables.store)
        self._secret = b""
        self._opening = asyncio.Lock()
        self._masters: OrderedDict[Day, asyncio.Task[int | None]] = OrderedDict()
        self.now: Callable[[], float] = time.time
        """The clock, in seconds since 1970; tests replace it."""

    # ---- the date

    @property
    def today(self) -> str:
        """The date, in UTC."""
        return self._moment().date().isoformat()

    def _moment(self) -> datetime:
        return datetime.fromtimestamp(self.now(), UTC)

    def is_secret(self, room: Room) -> bool:
        """Return whether a table is still secret for others: a daily game, on its day and on the next one."""
        return bool(room.day) and self._is_open(room.day)

    def _is_open(self, day: str) -> bool:
        return self._moment().date() < date.fromisoformat(day) + _OPEN

    # ---- playing

    async def ready(self) -> None:
        """Load the secret, or create it."""
        if not self._secret:
            self._secret = bytes.fromhex(await self._scores.secret(secrets.token_hex(_SECRET_BYTES)))

    def roll(self, room: Room, game: qwixx.Game) -> str:
        """Return the next roll of a table."""
        assert self._secret, "`ready` is called before a daily game is loaded"
        return Day(room.day, room.variant, self._secret).throw(game)

    async def state(self) -> Today:
        """Return the date, the time left, and how many have played."""
        moment, played = self._moment(), await self._scores.played(self.today)
        midnight = datetime.combine(moment.date() + _DAY, datetime.min.time(), UTC)
        games = [PlayedToday(variant, played.get(variant, 0)) for variant in known_values()]
        return Today(moment.date().isoformat(), (midnight - moment).total_seconds(), games)

    async def begin(
        self, variant: str, device: str, name: str, admit: Callable[[], None], address: str = ""
    ) -> BegunDay:
        """
        Return the daily game of a device; start it if necessary. A device has one game per day and variant.

        `admit` is called before a table is opened, and may refuse. An address may begin a limited number of games,
        because after the first one the dice are known. The store counts them: a restart does not forget them.
        """
        _check_game(variant)
        await self.ready()
        async with self._opening:  # two tabs at the same time get the same table
            day = self.today
            key, token = self._device_key(day, variant, device), self._device_key(day, variant, device, "seat")
            found = await self._scores.find(day, variant, key)
            if found is not None:
                return BegunDay(found[0], token, day)
            mark = self._device_key(day, variant, address, "address")[:_MARK_LETTERS]
            if await self._scores.begun(day, mark) >= self._tables.settings.days_per_address:
                raise Refused(DAILY_GAMES.refusal)
            admit()
            room = new_room(variant, "")
            room.day = day
            room.options.late = False
            dice = Day(day, variant, self._secret)
            room.options.lucky = dice.lucky()
            room.add_person(checked_name(name, self._tables.settings.name_length), hash_token(token))
            code = await self._tables.open_begun(room)
            await self._scores.start(day, variant, key, code, mark)
            self._start_master(dice)  # so that it is finished before the first player
            found = await self._scores.find(day, variant, key)  # another process may have started one at the same time
            return BegunDay(code if found is None else found[0], token, day)

    def _device_key(self, day: str, variant: str, device: str, purpose: str = "device") -> str:
        """Return a keyed hash of the token of a device, for this day and game only."""
        words = f"{purpose} {day} {variant} {device}".encode()
        return base64.urlsafe_b64encode(hmac.digest(self._secret, words, "sha256")[:24]).decode()

    async def count(self, room: Room, score: int) -> None:
        """Store the score of a finished game, unless its dice are public already."""
        if self._is_open(room.day):
            await self._scores.score(room.day, room.variant, room.code, score)

    # ---- comparing

    async def result(self, day: str, variant: str, device: str) -> DayResult:
        """Compare the score of a device with all scores of its day. Raises `Refused` before there is one."""
        _check_game(variant)
        await self.ready()
        found = await self._scores.find(day, variant, self._device_key(day, variant, device))
        if found is None:
            raise Refused("no-such-table")
        code, score = found
        if score is None:
            raise Refused("not-now")
        scores = await self._scores.scores(day, variant)
        players = sum(scores.values())
        dice = Day(day, variant, self._secret)
        master = self._start_master(dice)
        await asyncio.wait([master], timeout=_MASTER_TIMEOUT)
        bars: dict[int, int] = {}
        for each, count in scores.items():
            least = each // _BAR_POINTS * _BAR_POINTS
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
            _BAR_POINTS,
            [ScoreBar(least, count) for least, count in bars.items()],
            optimum(dice),
            master.result() if master.done() else UNSET,
        )

    def _start_master(self, dice: Day) -> asyncio.Task[int | None]:
        """Start the game of the master with the dice of a day, once, in a thread."""
        if dice not in self._masters:
            self._masters[dice] = asyncio.create_task(self._master(dice))
            while len(self._masters) > BEST_SCORES.fixed:
                self._masters.popitem(last=False)
        return self._masters[dice]

    async def _master(self, dice: Day) -> int | None:
        try:
            return await self._tables.pools.run("days", lambda: master_score(dice))
        except QwixxError as error:
            log.warning("no game of the master: %s", error, extra={"variant": dice.variant})
        except Exception:  # players get their own scores without the master
            log.exception("no game of the master", extra={"variant": dice.variant})
        return None

    # ---- cleanup

    async def clean(self) -> None:
        """Delete scores that are older than the operator wants."""
        retention = scores_retention(self._tables.settings)
        await self._scores.delete_before((self._moment() - retention).date().isoformat())
        await self._scores.forget_before(self.today)


def scores_retention(settings: Settings) -> timedelta:
    """Return for how long scores are kept."""
    return max(timedelta(days=settings.keep_scores_days), _OPEN)


def _check_game(variant: str) -> None:
    if variant not in known_values():
        raise Refused("no-such-game")


def optimum(dice: Day) -> float:
    """Return the expected score of optimal play in a daily game; in Longo with the pad of that day."""
    return known_value(dice.variant, *(dice.lucky() or ()))


def master_score(dice: Day) -> int:
    """Return the score of the master in a daily game. Raises `QwixxError` if it has no network for this game."""
    pad = dice.pad()
    player = find("master").sit(qwixx.variant(dice.variant), 1, pads=None if pad is None else [pad])
    return score_with(dice, player)


def score_with(dice: Day, player: Player) -> int:
    """Play a daily game with a player; return the score."""
    game = qwixx.Game(dice.variant, 1, first=0, lucky=dice.lucky())
    while not game.is_over:
        if game.awaits_chance:
            game.set_roll(dice.throw(game))
        else:
            game.decide(0, player.answer(game.question(0)))
    return game.scores()[0]
