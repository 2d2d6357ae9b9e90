"""Games for the browser's engine: the steps of Python, and checksums of its texts at every step.

`page/tests/engine_programs/compare.ts` plays the same games and writes the same texts.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

import qwixx
from qwixx.errors import QwixxError, RecordError, RefusedError
from qwixx.players import built_in_names, find
from qwixx.players.built_in.levels import Level
from qwixx.players.built_in.master import MASTER, has_net
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.players.player import Player, Registered
from qwixx.server.table.outgoing import seat_part
from qwixx.server.workers.replay_job import Frame
from qwixx.text.notation import cell_text
from qwixx.variants.layout import compile_layout
from qwixx.wasm.page_tables import variants
from support.games.mutate_text import mutate

POOLED = 3
THOUGHTFUL = 0.9
"""The share of decisions that are not random: random games end early, with few closed rows and few bonuses."""
_GARBAGE = (
    *("", " ", "r", "r99", "r07", "x7", "pass ", "PASS", "take:", "take:5", "take:1,1", "play:", "r7>", "b2>q"),
    *("play:r4,r4", "play:r4=r4,r4", "r7\u2028", "\ufeffr7", "r\u0667", "=" * 201),
)
_PLAYERS = tuple(
    name for name in built_in_names() if name == MASTER.name or isinstance(find(name), (Level, HeuristicPlayer))
)
_encode = msgspec.json.encode
_IN_HAND = re.compile(r"\{([0-4])\}")
"""In a text: a card of the deciding seat."""


def rounds(count: int, seed: int) -> Iterator[ScriptedGame]:
    """Play every game on every sheet with every number of seats, this many times."""
    for number in range(count):
        for variant in variants():
            for seats in variant.seats:
                yield ScriptedGame(variant, seats, seed + number, frames=number == 0 and seats == variant.seats[-1])


def script(games: Iterable[ScriptedGame], records: int = 0) -> dict[str, Any]:
    """Return the script for the page, with the expected results: games, and records with errors."""
    games = list(games)
    draw = random.Random(len(games))
    spoiled = [mutate(_beginning(draw.choice(games).record, draw), draw) for _ in range(records)]
    return {
        "games": [each.script() for each in games],
        "records": [{"text": text, "line": _line_of(text)} for text in spoiled if not _UNKNOWN.search(text)],
        "wishes": [{"options": wish, "isGood": _begins(**wish)} for wish in WISHES],
    }


_UNKNOWN = re.compile(r"^\s*(start|layout|\|)", re.MULTILINE)
"""The page does not play custom positions and sheets."""
WISHES: tuple[dict[str, Any], ...] = (
    *({"variant": "classic", "seats": seats} for seats in (-1, 0, 1, 5, 6, 2.5)),
    *({"variant": "classic", "seats": 2, "first": first} for first in (-1, 0, 1, 2)),
    *({"variant": "cards", "seats": 2, "sheet": sheet} for sheet in ("classic", "gemixxt-a", "longo", "x")),
    *(
        {"variant": "longo", "seats": 2, "lucky": lucky}
        for lucky in (["6/11", "5/7"], ["6/11"], ["6/6", "5/7"], ["a", "b"])
    ),
    {"variant": "longo", "seats": 1, "lucky": ["16/17"]},
    {"variant": "longo", "seats": 1, "lucky": ["2/16"]},
    {"variant": "classic", "seats": 1, "lucky": ["6/11"]},
    {"variant": "classic", "seats": 1, "sheet": "classic"},
    {"variant": "nope", "seats": 1},
    {"variant": "duel", "seats": 3},
)
"""Texts that a player could try, and many invalid ones."""


def _begins(**wish: Any) -> bool:
    try:
        qwixx.Game(**wish)
    except QwixxError:
        return False
    return True


def _beginning(record: str, draw: random.Random) -> str:
    """Return the first lines of a record, or all of it."""
    lines = record.splitlines(keepends=True)
    return "".join(lines[: draw.choice((6, 10, 20, len(lines)))])


def _line_of(record: str) -> int:
    """Return the line of the first error in a record, 0 if it is valid."""
    try:
        qwixx.Game.from_record(record)
    except RecordError as error:
        return error.line
    return 0


def _plays(player: Registered, variant: qwixx.Variant, seats: int) -> bool:
    """Return whether a player plays a game in a page, where `master` has no solved tables for solitaire."""
    return has_net(variant, seats) if player is MASTER else player.plays(variant, seats)


class ScriptedGame:
    """A game that plays itself, with all of its texts."""

    def __init__(self, variant: qwixx.Variant, seats: int, seed: int, *, frames: bool = False) -> None:
        """Play it to its end."""
        self.variant = variant
        self._draw = random.Random(f"{variant.id} {variant.sheet} {seats} {seed}")
        self._game = qwixx.Game(variant, seats, seed=self._draw.getrandbits(64))
        self._players = {n: find(n).sit(variant, seats) for n in _PLAYERS if _plays(find(n), variant, seats)}
        self.options = {"variant": variant.id, "seats": seats, "seed": self._game.record().split("seed ")[1].split()[0]}
        if variant.is_cards:
            self.options["sheet"] = variant.sheet
        self.pool = texts(variant, self._draw)
        self.moves: list[str] = []
        self.texts = [self._texts_now([])]
        while not self._game.is_over:
            self.texts.append(self._texts_now(self._move()))
        self.events = " ".join(map(str, self._game.events))
        self.kinds = {type(each) for each in self._game.events}
        self.record = self._game.record()
        self.frames = _encode(list(_frames(self.record))).decode() if frames else ""

    def script(self) -> dict[str, Any]:
        """Return the steps, with checksums of all texts."""
        return {
            "options": self.options,
            "moves": self.moves,
            "pool": self.pool,
            "players": list(self._players),
            "checksums": [checksum(text) for text in self.texts],
            "record": checksum(self.record),
            "frames": checksum(self.frames) if self.frames else 0,
        }

    def _move(self) -> list[qwixx.Event]:
        game = self._game
        if game.awaits_chance:
            if self._draw.random() < 0.7:
                self.moves.append("")
                return game.roll()
            thrown = game.copy()
            thrown.roll()
            assert thrown.last_step is not None
            self.moves.append(f"={thrown.last_step.text}")
            return game.set_roll(thrown.last_step.text)
        seat = self._draw.choice(game.deciders() if self._draw.random() < 0.9 else range(game.seats))
        legal = game.legal(seat) or game.legal(seat := game.deciders()[0])
        action = self._draw.choice(legal).text
        if self._draw.random() < THOUGHTFUL:
            action = self._players["strong"].answer(game.question(seat)).text
        self.moves.append(f"{seat} {action}")
        return game.decide(seat, action)

    def _texts_now(self, done: list[qwixx.Event]) -> str:
        """Return all texts about the current state of the game."""
        game, step = self._game, len(self.moves)
        watcher, seat, deciders = step % (game.seats + 1), step % game.seats, game.deciders()
        asked = [self.pool[(step * POOLED + n) % len(self.pool)] for n in range(POOLED)]
        player = list(self._players.values())[step % len(self._players)] if self._players else None
        view = game.view(None if watcher == game.seats else watcher)
        has_chosen = deciders and seat not in deciders
        mine = seat_part(game, seat, game.view(seat).choice if has_chosen else None)
        last = "" if game.last_step is None else str(game.last_step)
        parts = [
            str(zlib.crc32(game.raw()[1].tobytes())).encode(),
            _encode(done),
            _encode([[action.text for action in game.legal(each)] for each in range(game.seats)]),
            _encode(view),
            _encode([_refused(game, seat, text) for text in asked]),
            _encode([_chosen(player, game, each) for each in deciders[:1]]),
            mine,
            _encode([game.scores(), game.outcome(), deciders, game.phase, game.turn, game.active, last]),
        ]
        return b"\n".join(parts).decode()


def checksum(text: str) -> int:
    """Return the checksum of a text."""
    return zlib.crc32(text.encode())


def _chosen(player: Player | None, game: qwixx.Game, seat: int) -> str:
    return "" if player is None else player.answer(game.question(seat)).text


def _refused(game: qwixx.Game, seat: int, text: str) -> dict[str, Any] | None:
    """Return the reason of a refusal, as the page writes it; None if there is none."""
    is_chance = text.startswith("=")
    hand = (game.view(seat).sheets[seat].hand or ()) if "{" in text else ()
    try:
        if is_chance:
            game.copy().set_roll(text[1:])
            return None
        found = game.why_not(seat, _IN_HAND.sub(lambda place: dict(enumerate(hand)).get(int(place[1]), "r4"), text))
    except RefusedError as error:
        assert is_chance
        found = error.refusal
    except QwixxError:
        return {"error": "unreadable", "code": "", "rule": "", "details": {}}
    if found is None:
        return None
    kind = "illegal" if not found.is_about_turn else "not-now" if is_chance else "not-your-turn"
    return {"error": kind, "code": found.code, "rule": found.rule, "details": found.details}


def _frames(record: str) -> Iterator[Frame]:
    seen = 0
    for game in qwixx.Game.replay(record):
        step = "" if game.last_step is None else str(game.last_step)
        yield Frame(step, list(game.events[seen:]), game.reveal())  # type: ignore[arg-type]  # all of them are events
        seen = len(game.events)


def texts(variant: qwixx.Variant, draw: random.Random) -> list[str]:
    """Return texts to ask about: cells, ties, draws, plays of cards, dice, and texts that are not actions."""
    positions = compile_layout(variant)["value"].shape[-1]
    rows = list(enumerate(variant.rows))
    cells = [cell_text(variant, index * positions + at) for index, row in rows for at in range(len(row.cells))]
    keys = [row.key for _, row in rows]
    found = [*cells, "pass", "take:1", "take:2,3", " take:4,1", "=34/2615", "=99/1111", "=r4,*", "=?", *_GARBAGE]
    found += [f"{draw.choice(cells)}>{draw.choice(keys)}" for _ in range(20)]
    if variant.is_cards:
        found += [_play(draw, cells) for _ in range(120)]
    found += [mutate(draw.choice(found), draw) for _ in range(40)]
    draw.shuffle(found)
    return found


def _play(draw: random.Random, cells: list[str]) -> str:
    """Name cards of the hand, rarely others, and cells that they may cross."""
    held = [f"{{{place}}}" for place in range(5)]
    named = [f"{draw.choice('rygbj')}{draw.randint(2, 12)}" for _ in range(2)]
    cards = draw.sample([*held, *named] if draw.random() < 0.2 else held, draw.choice((1, 2, 2, 2, 3, 3, 4)))
    crossed = draw.sample([*cards, *draw.sample(cells, 1)], draw.randint(0, len(cards)))
    return f"play:{','.join(cards)}" + (f"={','.join(crossed)}" if crossed else "")
