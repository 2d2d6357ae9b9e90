"""Imports games from records that were played elsewhere: on a device without a server, or on another server."""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import GAME_LINES
from qwixx.server.room import ledger
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.display_names import NO_NAME, checked_name
from qwixx.server.room.room import Room, new_room
from qwixx.server.room.seats import Seat, hash_token, new_token
from qwixx.server.wire.message_parts import Payload
from qwixx.text.record import read_record

_FACTS = {"variant", "sheet", "seats", "first", "lucky", "seed"}
"""Facts that a record of a table may have: no custom sheets and no custom positions."""
_SEAT = re.compile(r"# (person|bot) ([0-9]) (.+)")
"""A remark, which readers of records skip: the player of a seat. See docs/formats.md."""


class ImportedGame(Payload):
    """An imported game: its table, the tokens of its people, and whether it is over."""

    code: str
    tokens: list[str]
    over: bool


class CheckedGame(Struct):
    """A record that follows the rules: the facts at its start, the lines for the ledger, and whether it is over."""

    facts: dict[str, str]
    lines: list[str]
    over: bool


CHECKED = msgspec.msgpack.Decoder(CheckedGame)


def check(text: str) -> CheckedGame:
    """
    Replay a record. Raises `Refused` for a text that is not a valid record, or longer than any game.

    The lines are those that a table would have written: a changed choice replaces the earlier one.
    """
    try:
        record = read_record(text)
        lines = _remarks(text)
        if len(record.steps) + len(lines) > GAME_LINES.fixed:
            raise Refused(GAME_LINES.refusal)
        if set(record.facts) - _FACTS or record.facts.get("variant") not in qwixx.games():
            raise Refused("no-record")
        games = qwixx.Game.replay(text, copies=False)
        game = next(games)
        phase, chosen = (game.turn, game.phase), dict[int | None, int]()
        for game, step in zip(games, record.steps, strict=False):  # in this order `replay` also checks the scores
            lines[chosen.setdefault(step.seat, step.line)] = str(step)
            if phase != (phase := (game.turn, game.phase)):
                chosen.clear()
    except QwixxError:
        raise Refused("no-record") from None
    return CheckedGame(record.facts, [lines[number] for number in sorted(lines)], game.is_over)


def _remarks(text: str) -> dict[int, str]:
    """Return the remarks about undone decisions and hints, by line number."""
    lines = enumerate(text.split("\n"), 1)
    return {number: line for number, raw in lines if ledger.is_remark(line := raw.strip())}


def make_room(text: str, checked: CheckedGame, allowed: AllowedBots, name_length: int) -> tuple[Room, list[str]]:
    """Create a room for an imported game, and a token for each of its people."""
    facts = {key: fact for key, fact in checked.facts.items() if key != "seed"}
    room = new_room(facts["variant"], facts.get("sheet", ""))
    room.seed = ""  # its dice were rolled elsewhere, so this server cannot prove them
    seats = int(facts["seats"])
    named = {
        int(found[2]): (found[1], found[3]) for line in text.splitlines() if (found := _SEAT.fullmatch(line.strip()))
    }
    tokens = []
    for place in range(seats):
        kind, word = named.get(place, ("person", NO_NAME))
        if kind == "bot":
            player = allowed.find(word, room.rules, seats)
            if player is None:
                raise Refused("bad-options")
            room.seats.append(Seat("", "bot", player.name))
            continue
        others = [seat.name for seat in room.seats if seat.name != NO_NAME]
        tokens.append(new_token())
        room.seats.append(
            Seat(NO_NAME if word == NO_NAME else checked_name(word, name_length, others), key=hash_token(tokens[-1]))
        )
    room.opening = facts
    room.stage = "over" if checked.over else "playing"
    if checked.over:
        room.promise_next()
    return room, tokens
