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
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

import msgspec
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
from qwixx.server.today.choices import FEWEST_OTHERS, CountedChoices, choices_in
from qwixx.server.today.scores import DailyScores
from qwixx.server.wire.message_parts import Payload
from qwixx.solver.known_values import known_value, known_values

if TYPE_CHECKING:
    from qwixx.server.base.settings import Settings
    from qwixx.server.store.interface import Store
    from qwixx.server.workers.pools import Pools
    from qwixx.server.workers.tasks import GameFormat

log = logging.getLogger("qwixx.days")
_SECRET_BYTES = 32
_MARK_LETTERS = 3
"""Letters of the hash of an address, 18 bits: so many addresses share one that it does not reveal an address."""
_DAY = timedelta(days=1)
_OPEN = 2 * _DAY
"""How long the games of a day count after it has begun; their rows are stored at least that long."""
_CLOSED_LATELY = timedelta(days=3)
"""For how long after the end of a day its rare choices are looked for."""
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


class ChoiceCount(Payload):
    """How many other players made a choice."""

    action: str
    players: int


class OthersChoices(Payload):
    """What other players chose in one of my decisions."""

    step: int
    """The index of the decision among the steps of the record."""
    same_sheet: bool
    """Whether they had the same sheet; else they had the same dice and any sheet."""
    players: int
    choices: list[ChoiceCount]
    """The most frequent first."""


class DayChoices(Payload):
    """What others chose with the dice of a day, and what it cost them, for a player who has finished."""

    decisions: list[OthersChoices]
    """The decisions that enough others had to take."""
    players: int
    """How many other games the averages are from; 0 if there are too few."""
    lost: float
    """The points that the decisions of the others have cost, on average."""
    luck: float
    """How many points luck has brought them, on average."""


class _Account(msgspec.Struct):
    own: float
    luck: float


class _Accounts(msgspec.Struct):
    """The part of a review that is noted."""

    accounts: list[_Account]


class FinishedGameFiles(Protocol):
    """The finished games of a server as files."""

    async def uncompressed(
        self, code: str, what: GameFormat, keys: Sequence[str] = (), address: str = ""
    ) -> tuple[Room, bytes]:
        """Return a finished game. Raises `Refused`."""


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

    @property
    def finished_games(self) -> FinishedGameFiles:
        """Return the finished games as files."""

    async def open_begun(self, room: Room) -> str:
        """Open a table whose game has begun; return its code."""


class DailyGames:
    """The daily games of one server."""

    def __init__(self, tables: DailyTables) -> None:
        """Open tables in this registry. The secret is read or created when it is first needed."""
        self._tables = tables
        self._scores = DailyScores(tables.store)
        self._choices = CountedChoices(tables.store)
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

    async def count(self, room: Room, game: qwixx.Game) -> None:
        """Store the score of a finished game and count its choices, unless its dice are public already."""
        if self._is_open(room.day):
            record = game.record()
            made = await self._tables.pools.run("waking", lambda: choices_in(record), room.code)
            await self._choices.count(room.day, room.variant, room.code, made)
            await self._scores.score(room.day, room.variant, room.code, game.scores()[0])

    # ---- comparing

    async def _finished(self, day: str, variant: str, device: str) -> tuple[str, int]:
        """Return the table of a device and its score. Raises `Refused` before there is one."""
        _check_game(variant)
        await self.ready()
        found = await self._scores.find(day, variant, self._device_key(day, variant, device))
        if found is None:
            raise Refused("no-such-table")
        code, score = found
        if score is None:
            raise Refused("not-now")
        return code, score

    async def result(self, day: str, variant: str, device: str) -> DayResult:
        """Compare the score of a device with all scores of its day. Raises `Refused` before there is one."""
        code, score = await self._finished(day, variant, device)
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

    async def choices(self, day: str, variant: str, device: str, address: str) -> DayChoices:
        """Return what others chose where this device decided. Raises `Refused` before its game is over."""
        code, _ = await self._finished(day, variant, device)
        files, keys = self._tables.finished_games, [hash_token(self._device_key(day, variant, device, "seat"))]
        _, record = await files.uncompressed(code, "record", keys, address)
        made = await self._tables.pools.run("days", lambda: choices_in(record.decode()), address)
        is_counted, is_valued = await self._choices.is_counted(day, variant, code)
        if is_counted and not is_valued:
            await self._note_loss(day, variant, code, keys, address)
        numbers = await self._choices.find(day, variant)
        decisions = []
        for choice in made:
            for place in filter(None, (choice.sheet, choice.dice)):
                others = dict(numbers.get(place, {}))
                if is_counted and choice.action in others:
                    others[choice.action] -= 1
                players = sum(others.values())
                if players >= FEWEST_OTHERS:
                    ranked = sorted(others.items(), key=lambda each: (-each[1], each[0]))
                    counts = [ChoiceCount(action, number) for action, number in ranked if number]
                    decisions.append(OthersChoices(choice.step, place == choice.sheet, players, counts))
                    break
        valued = await self._choices.others(day, variant, code)
        return DayChoices(decisions, *(valued or (0, 0.0, 0.0)))

    async def _note_loss(self, day: str, variant: str, code: str, keys: list[str], address: str) -> None:
        """Note what the decisions of a game have cost, by its review; without a judge the averages lack this game."""
        try:
            _, review = await self._tables.finished_games.uncompressed(code, "analysis", keys, address)
        except Refused:
            return
        account = msgspec.json.decode(review, type=_Accounts).accounts[0]
        await self._choices.note_loss(day, variant, code, -account.own, account.luck)

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
        oldest = (self._moment() - retention).date().isoformat()
        await self._choices.delete_before(oldest)
        await self._scores.delete_before(oldest)
        closed = self._moment().date() + _DAY - _OPEN
        await self._choices.delete_rare((closed - _CLOSED_LATELY).isoformat(), closed.isoformat())
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
