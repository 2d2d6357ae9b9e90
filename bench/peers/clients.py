"""
Two players in a room of each server: one sends a move, both receive the new state, then the next move follows.

All servers get the same driver and the same WebSocket client, so that a comparison shows the servers. The rooms of the
peers take their moves in a fixed order (both players in the white phase, then the active one), as their rules ask.
"""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from functools import partial
from itertools import cycle
from typing import Any

import httpx
import msgspec
from bench.server import Heard, cpu_seconds
from bench.websocket_client import BINARY, WebSocketClient

_PASS = 4
"""The peers' action without a cross; 0 to 3 are rows."""
_ORDER = (0, 1, 0, 0, 1, 1)
"""The seats that move, over two turns of the peers' game."""
_ENTER = 20.0
"""Seconds in which two players enter a room."""
_WARM_UP = 2.0


class Load:
    """All rooms of a server, and their measurements."""

    def __init__(self, address: str) -> None:
        """Start without rooms."""
        self.address = address
        self.random = random.Random(1)
        self.rooms: list[Room] = []
        self.is_paced, self.is_measuring, self.is_over = True, False, False
        self.latencies: list[float] = []
        self.received = 0
        """Bytes that players received during the measurement."""

    async def fill(self, kind: type[Room], count: int) -> None:
        """Open rooms with two players each."""
        async with httpx.AsyncClient(base_url=f"http://{self.address}", trust_env=False, timeout=_ENTER) as client:
            for _ in range(count):
                room = kind(self)
                await room.open(client)
                await asyncio.wait_for(room.is_ready.wait(), _ENTER)
                self.rooms.append(room)

    async def measure(self, server: int, seconds: float) -> dict[str, float]:
        """Warm up, then measure."""
        await asyncio.sleep(_WARM_UP)
        self.latencies, self.received, self.is_measuring = [], 0, True
        cpu, begin = cpu_seconds(server), time.perf_counter()
        await asyncio.sleep(seconds)
        self.is_measuring = False
        used, took = cpu_seconds(server) - cpu, time.perf_counter() - begin
        if not self.latencies or not used:
            raise SystemExit("No move reached both players, or the server used no CPU time.")
        ordered, moves = sorted(self.latencies), len(self.latencies)
        return {
            "moves/s": moves / took,
            "moves per CPU second": moves / used,
            "p50 ms": ordered[moves // 2] * 1000,
            "p99 ms": ordered[int(moves * 0.99)] * 1000,
            "bytes to both": self.received / moves,
        }


class Player(WebSocketClient):
    """A player of a room."""

    def __init__(self, room: Room, seat: int, path: str) -> None:
        """Connect a seat of a room."""
        super().__init__(room.load.address, path)
        self.room, self.seat = room, seat
        self._now = 0.0

    def opened(self) -> None:
        """Enter the room."""
        self.room.connected(self)

    def heard(self, message: bytes) -> None:
        """Pass a message on, with the time at which its bytes arrived."""
        self.room.heard(self, message, self._now)

    def data_received(self, data: bytes) -> None:
        """Count the bytes, and read them."""
        self._now, load = time.perf_counter(), self.room.load
        if load.is_measuring:
            load.received += len(data)
        super().data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        """Stop the measurement: nobody leaves before its end."""
        if not self.room.load.is_over:
            self.room.load.is_over = True
            asyncio.get_running_loop().call_exception_handler({"message": "A server closed a connection."})


class Room(ABC):
    """Two players who move in turn; `waiting` has the seats that have not seen the last move."""

    def __init__(self, load: Load) -> None:
        """Start without players."""
        self.load = load
        self.people: list[Player] = []
        self.waiting: set[int] = set()
        self.is_ready = asyncio.Event()
        self._meant = 0.0
        self._due: list[float] = []

    @abstractmethod
    async def open(self, client: httpx.AsyncClient) -> None:
        """Create the room and connect both players."""

    @abstractmethod
    def connected(self, player: Player) -> None:
        """Say hello on a new socket."""

    @abstractmethod
    def heard(self, player: Player, data: bytes, now: float) -> None:
        """Read a message."""

    @abstractmethod
    def move(self) -> bool:
        """Send one move, if a seat may move."""

    async def connect(self, seat: int, path: str) -> None:
        """Connect a seat."""
        host, port = self.load.address.split(":")
        loop = asyncio.get_running_loop()
        _, player = await loop.create_connection(partial(Player, self, seat, path), host, int(port))
        self.people.append(player)

    def saw(self, seat: int, now: float) -> None:
        """Note that a player has received the state after the last move."""
        if seat in self.waiting:
            self.waiting.discard(seat)
            if not self.waiting:
                if self.load.is_measuring:
                    self.load.latencies.append(now - self._meant)
                self.go_on(now)

    def go_on(self, now: float) -> None:
        """Make the next move if it is time, and if both have seen the last one."""
        if self.waiting or self.load.is_over or (self.load.is_paced and not self._due):
            return
        self.waiting = {0, 1}
        if self.move():
            self._meant = self._due.pop(0) if self._due else now
        else:
            self.waiting = set()

    def tick(self) -> None:
        """Plan one move for now, and the next for a second later."""
        if self.load.is_paced and not self.load.is_over:
            now = time.perf_counter()
            self._due.append(now)
            self.go_on(now)
            asyncio.get_running_loop().call_later(1.0, self.tick)


class SeatNews(msgspec.Struct):
    """What a seat may do, as our rules tell it in the room of a peer."""

    legal: list[str]
    choice: str | None
    passMiss: bool  # noqa: N815 - the name in the message


class RoomNews(msgspec.Struct):
    """A message of such a room."""

    mine: dict[int, SeatNews]


_SEAT_NEWS = msgspec.msgpack.Decoder(RoomNews, strict=False)


class News(Heard):
    """The fields of our messages that the driver needs."""

    choices: dict[str, str] = msgspec.field(default_factory=dict)


_NEWS = msgspec.json.Decoder(News)


class OurRoom(Room):
    """A table of our server whose choices are open, so that every move is shown to both at once."""

    def __init__(self, load: Load) -> None:
        """Start without a table."""
        super().__init__(load)
        self._code = ""
        self._tokens = ["", ""]
        self._latest: list[News | None] = [None, None]
        self._moved = (0, 0)
        """Seat and phase of the last move."""

    async def open(self, client: httpx.AsyncClient) -> None:
        """Open a table."""
        answer = await client.post("/api/tables", json={"variant": "classic", "name": "P0"})
        facts = answer.raise_for_status().json()
        self._code, self._tokens[0] = facts["code"], facts["token"]
        for seat in (0, 1):
            await self.connect(seat, f"/ws/{self._code}")

    def connected(self, player: Player) -> None:
        """Say hello; the second player sits down."""
        self._greet(player)
        if player.seat:
            self._say(player, t="sit", name="P1")
        else:
            self._say(player, t="options", sealed=False)

    def _say(self, player: Player, **message: object) -> None:
        player.send_frame(msgspec.json.encode(message))

    def _greet(self, player: Player) -> None:
        tokens = [token for token in (self._tokens[player.seat],) if token]
        self._say(player, t="hello", tokens=tokens, changes=True, table=self._code)

    def heard(self, player: Player, data: bytes, now: float) -> None:
        """Follow the game, and agree to another one at its end."""
        news = _NEWS.decode(data)
        seat = player.seat
        if news.t == "seated" and seat:
            self._tokens[seat] = news.token
            self._say(self.people[0], t="start")
        elif news.t == "table" and news.next and news.next != self._code:
            self._code, self._latest = news.next, [None, None]
            for each in self.people:
                self._greet(each)
        elif news.t in ("state", "change"):
            before = self._latest[seat]
            if before is None and (news.t == "change" or news.outcome is not None):
                return  # of the table before
            if news.t == "change" and before is not None:
                news.mine = {**before.mine, **news.mine}  # type: ignore[dict-item]
            self._latest[seat] = news
            if news.outcome is not None:
                self._say(player, t="rematch")
            if all(self._latest):
                self.is_ready.set()
            moved, phase = self._moved
            if not self.waiting:
                self.go_on(now)
            elif news.phase > phase or str(moved) in news.choices or news.outcome is not None:
                self.saw(seat, now)

    def move(self) -> bool:
        """Choose any legal action for a seat that has not decided; no miss if there is another choice."""
        for seat, state in enumerate(self._latest):
            if state is None or state.outcome is not None or not all(self._latest):
                return False
            mine = state.mine.get(str(seat)) if isinstance(state.mine, dict) else None
            if mine and mine.legal and mine.choice is None:
                is_passing = not mine.pass_miss and "pass" in mine.legal and self.load.random.random() < 0.6
                action = "pass" if is_passing else mine.legal[0]
                self._moved = seat, state.phase
                self._say(self.people[seat], t="decide", seat=seat, phase=state.phase, action=action)
                return True
        return False


class PeerRoom(Room):
    """A room of another server: its players choose rows at random, and pass as often as ours."""

    def __init__(self, load: Load) -> None:
        """Start before the first turn."""
        super().__init__(load)
        self._order = cycle(_ORDER)
        self._arrived: set[int] = set()

    def arrived(self, seat: int) -> None:
        """Note that a player has the first state."""
        self._arrived.add(seat)
        if self._arrived == {0, 1}:
            self.is_ready.set()

    def move(self) -> bool:
        """Send the move of the seat whose turn it is."""
        seat = next(self._order)
        row = _PASS if self.load.random.random() < 0.6 else self.load.random.randrange(_PASS)
        self.decide(seat, row)
        return True

    @abstractmethod
    def decide(self, seat: int, row: int) -> None:
        """Send a move."""


class ColyseusRoom(PeerRoom):
    """A room of Colyseus; a message begins with a byte for its kind."""

    _NAME = "simple"
    _JOINED, _DATA, _STATE, _PATCH = 10, 13, 14, 15

    async def open(self, client: httpx.AsyncClient) -> None:
        """Reserve both seats and connect."""
        way = f"create/{self._NAME}"
        for seat in (0, 1):
            answer = await client.post(f"/matchmake/{way}", json={"seat": seat})
            facts = answer.raise_for_status().json()
            await self.connect(seat, f"/{facts['processId']}/{facts['roomId']}?sessionId={facts['sessionId']}")
            way = f"joinById/{facts['roomId']}"

    def connected(self, player: Player) -> None:
        """Wait for the server."""

    def heard(self, player: Player, data: bytes, now: float) -> None:
        """Confirm that the player has joined; count patches of the state."""
        if data[0] == self._JOINED:
            player.send_frame(bytes([self._JOINED]), BINARY)
        elif data[0] == self._STATE:
            self.arrived(player.seat)
        elif data[0] == self._PATCH:
            self.saw(player.seat, now)

    def decide(self, seat: int, row: int) -> None:
        """Send a move: the kind, then the name and the row in MessagePack."""
        self.people[seat].send_frame(bytes([self._DATA]) + msgspec.msgpack.encode("decide") + bytes([row]), BINARY)


class SameRoom(ColyseusRoom):
    """A room of Colyseus that plays by the complete rules; its players choose as ours do."""

    _NAME = "same"
    _TOLD = msgspec.msgpack.encode("state")

    def __init__(self, load: Load) -> None:
        """Start without a state."""
        super().__init__(load)
        self._latest: list[SeatNews | None] = [None, None]

    def heard(self, player: Player, data: bytes, now: float) -> None:
        """Confirm that the player has joined; follow the game."""
        if data[0] != self._DATA:
            super().heard(player, data, now)
            return
        news = _SEAT_NEWS.decode(data[1 + len(self._TOLD) :])
        self._latest[player.seat] = news.mine[player.seat]
        self.arrived(player.seat)
        self.saw(player.seat, now)

    def move(self) -> bool:
        """Choose as at our table."""
        for seat, mine in enumerate(self._latest):
            if mine and mine.legal and mine.choice is None:
                is_passing = not mine.passMiss and "pass" in mine.legal and self.load.random.random() < 0.6
                action = "pass" if is_passing else mine.legal[0]
                words = msgspec.msgpack.encode("decide") + msgspec.msgpack.encode(action)
                self.people[seat].send_frame(bytes([self._DATA]) + words, BINARY)
                return True
        return False


class BoardgameRoom(PeerRoom):
    """A match of boardgame.io, by Socket.IO."""

    def __init__(self, load: Load) -> None:
        """Start without a match."""
        super().__init__(load)
        self._match, self._secrets = "", ["", ""]
        self._state = 0
        """The number of the state, which a move has to name."""

    async def open(self, client: httpx.AsyncClient) -> None:
        """Create a match, join it twice and connect."""
        answer = await client.post("/games/qwixx/create", json={"numPlayers": 2})
        self._match = answer.raise_for_status().json()["matchID"]
        for seat in (0, 1):
            who = {"playerID": str(seat), "playerName": f"P{seat}"}
            answer = await client.post(f"/games/qwixx/{self._match}/join", json=who)
            self._secrets[seat] = answer.raise_for_status().json()["playerCredentials"]
            await self.connect(seat, "/socket.io/?EIO=4&transport=websocket")

    def connected(self, player: Player) -> None:
        """Enter the namespace of the game."""
        player.send_frame(b"40/qwixx,")

    def _emit(self, seat: int, *words: Any) -> None:
        self.people[seat].send_frame(b"42/qwixx," + msgspec.json.encode(words))

    def heard(self, player: Player, data: bytes, now: float) -> None:
        """Synchronize once, then count updates."""
        if data == b"2":  # a ping of Engine.IO
            player.send_frame(b"3")
        elif data.startswith(b"40/qwixx,"):
            self._emit(player.seat, "sync", self._match, str(player.seat), self._secrets[player.seat], 2)
        elif data.startswith(b'42/qwixx,["sync"'):
            self.arrived(player.seat)
        elif data.startswith(b'42/qwixx,["update"'):
            self._state = msgspec.json.decode(data[len(b"42/qwixx,") :])[2]["_stateID"]
            self.saw(player.seat, now)

    def decide(self, seat: int, row: int) -> None:
        """Send a move."""
        move = {"type": "decide", "args": [row], "playerID": str(seat), "credentials": self._secrets[seat]}
        action = {"type": "MAKE_MOVE", "payload": move}
        self._emit(seat, "update", action, self._state, self._match, str(seat))
