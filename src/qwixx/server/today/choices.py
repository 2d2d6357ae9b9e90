"""
The choices of a daily game, counted: how many players crossed what with the same dice. No devices, no tables, no times.

A choice is counted twice: among all who had these dice, and among those who also had the same sheet. Positions differ
after a few decisions, so the second count is for the first decisions only.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from typing import Final, NamedTuple, cast

import qwixx
from qwixx.server.limits.declared import COUNTED_CHOICES
from qwixx.server.store.interface import Store
from qwixx.text.record import read_record

FEWEST_OTHERS: Final = 3
"""Choices are shown if at least this many other players had the same decision."""
_SAME_SHEET: Final = 12
"""Decisions of a game that are also counted by their position, from the first on."""
_HASH_BYTES: Final = 9
_COUNT_ROWS = "SELECT count(*) FROM choices WHERE date = ? AND variant = ?"
_FIND = "SELECT place, action, number FROM choices WHERE date = ? AND variant = ?"
# The game is counted with its score or not at all: both are in one commit, and a score is stored once.
_UNCOUNTED = "EXISTS (SELECT 1 FROM days WHERE date = ? AND variant = ? AND code = ? AND score IS NULL)"
_ADD = f"""INSERT INTO choices (date, variant, place, action, number)
    SELECT ?, ?, place, action, 1 FROM ({{made}}) AS made WHERE {_UNCOUNTED}
    ON CONFLICT (date, variant, place, action) DO UPDATE SET number = choices.number + 1"""  # noqa: S608 - our own text
_ADD_LOSS = f"""INSERT INTO losses (date, variant, code) SELECT ?, ?, ? WHERE {_UNCOUNTED}
    ON CONFLICT DO NOTHING"""
_LOSS = "SELECT lost, luck FROM losses WHERE date = ? AND variant = ? AND code = ?"
_NOTE_LOSS = "UPDATE losses SET lost = ?, luck = ? WHERE date = ? AND variant = ? AND code = ?"
_OTHERS = """SELECT count(lost), sum(lost), sum(luck) FROM losses
    WHERE date = ? AND variant = ? AND code <> ? AND lost IS NOT NULL"""
_DELETE_BEFORE = ("DELETE FROM choices WHERE date < ?", "DELETE FROM losses WHERE date < ?")
_DELETE_RARE = f"""DELETE FROM choices WHERE date >= ? AND date < ? AND (SELECT sum(number) FROM choices AS same
    WHERE same.date = choices.date AND same.variant = choices.variant AND same.place = choices.place)
    <= {FEWEST_OTHERS}"""  # noqa: S608 - our own number
_SCALE: Final = 1000
"""Losses are stored in thousandths of a point."""


class Choice(NamedTuple):
    """One decision of a game, if there was a choice."""

    step: int
    """Its index among the steps of the record."""
    dice: str
    """The key of everybody with the same dice: the turn and the phase."""
    sheet: str
    """The key of those who also had the same sheet; empty after the first decisions."""
    action: str


class Valued(NamedTuple):
    """What the decisions of other players have cost, and how lucky they were."""

    players: int
    lost: float
    luck: float


def choices_in(record: str) -> list[Choice]:
    """Replay a daily game; return its decisions."""
    steps, found = read_record(record).steps, list[Choice]()
    for number, (step, game) in enumerate(zip(steps, qwixx.Game.replay(record, copies=False), strict=False)):
        if step.seat is None or len(game.legal(0)) < 2:
            continue
        dice, sheet = f"{game.turn} {game.phase}", ""
        if len(found) < _SAME_SHEET:
            digest = hashlib.sha256(game.position().encode()).digest()[:_HASH_BYTES]
            sheet = f"{dice} {base64.urlsafe_b64encode(digest).decode()}"
        found.append(Choice(number, dice, sheet, step.text))
    return found


class CountedChoices:
    """The counted choices of all daily games, in a store."""

    def __init__(self, store: Store) -> None:
        """Use this store."""
        self._store = store

    async def count(self, date: str, variant: str, code: str, made: list[Choice]) -> None:
        """
        Count the choices of a game that has no score yet, in the commit of the next write.

        Above the limit of a day, sheets are not counted any more; dice are, since their number has a bound.
        """
        ((rows,),) = await self._store.query(_COUNT_ROWS, (date, variant))
        is_full = cast(int, rows) >= COUNTED_CHOICES.fixed
        pairs = {(choice.dice, choice.action) for choice in made}
        if not is_full:
            pairs |= {(choice.sheet, choice.action) for choice in made if choice.sheet}
        game = date, variant, code
        if pairs:
            rows_made = " UNION ALL ".join(["SELECT ? AS place, ? AS action"] * len(pairs))
            words = [word for pair in sorted(pairs) for word in pair]
            self._store.execute(_ADD.format(made=rows_made), (date, variant, *words, *game))
        self._store.execute(_ADD_LOSS, (*game, *game))

    async def find(self, date: str, variant: str) -> dict[str, dict[str, int]]:
        """Return how many players made each choice, by the key of the decision."""
        found: dict[str, dict[str, int]] = {}
        for place, action, number in await self._store.query(_FIND, (date, variant)):
            found.setdefault(cast(str, place), {})[cast(str, action)] = cast(int, number)
        return found

    async def is_counted(self, date: str, variant: str, code: str) -> tuple[bool, bool]:
        """Return whether the choices of a game are counted, and whether its losses are noted."""
        rows = await self._store.query(_LOSS, (date, variant, code))
        return bool(rows), bool(rows) and rows[0][0] is not None

    async def note_loss(self, date: str, variant: str, code: str, lost: float, luck: float) -> None:
        """Note what the decisions of a counted game have cost, and its luck, in points."""
        values = round(lost * _SCALE), round(luck * _SCALE)
        await asyncio.shield(self._store.execute(_NOTE_LOSS, (*values, date, variant, code)))

    async def others(self, date: str, variant: str, code: str) -> Valued | None:
        """Return the averages of all other games; None if there are too few."""
        ((players, lost, luck),) = await self._store.query(_OTHERS, (date, variant, code))
        count = cast(int, players)
        if count < FEWEST_OTHERS:
            return None
        return Valued(count, cast(int, lost) / count / _SCALE, cast(int, luck) / count / _SCALE)

    async def delete_before(self, date: str) -> None:
        """Delete everything before a date."""
        for statement in _DELETE_BEFORE:
            self._store.execute(statement, (date,))

    async def delete_rare(self, since: str, before: str) -> None:
        """Delete the choices of these dates that too few players had to be shown; no more games of them count."""
        await asyncio.shield(self._store.execute(_DELETE_RARE, (since, before)))
