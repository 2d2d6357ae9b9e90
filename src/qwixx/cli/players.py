"""Who sits at the table: people and bots, and how that is kept in a record."""

from __future__ import annotations

import re
from dataclasses import dataclass

from qwixx import bots
from qwixx.errors import QwixxError
from qwixx.variants.model import Variant

_LONGEST_NAME = 24
_LINE = re.compile(r"#\s*player (\d) (person|bot ([\w-]+)) (.+)")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody with a seat; `bot` is the name of the bot that thinks for it, empty for a person."""

    name: str
    bot: str = ""

    @property
    def is_person(self) -> bool:
        """Whether somebody at the keyboard decides."""
        return not self.bot


def seat_players(variant: Variant, seats: int | None, invited: str | None, names: str | None) -> list[Player]:
    """
    Seat people first, then bots. By default one person plays against one bot.

    `invited` is a number of bots or their names, `names` are the names of the people.
    """
    people = [_checked(name) for name in names.split(",")] if names is not None else None
    minds = None if invited is None else _minds(invited)
    if seats is None:
        present = 1 if people is None else len(people)
        if minds is None:  # who comes alone gets a partner; two people want to be among themselves
            minds = ["gap"] * max(max(variant.fewest_seats, 2) - present, 0)
        seats = present + len(minds)
    elif minds is None:
        minds = ["gap"] * max(seats - (1 if people is None else len(people)), 0)
    persons = seats - len(minds)
    if persons < 0:
        raise QwixxError(f"{len(minds)} bots do not fit on {seats} seats.")
    if people is None:
        people = [f"Player {number + 1}" for number in range(persons)] if persons != 1 else ["Player"]
    if len(people) != persons:
        raise QwixxError(f"{len(people)} names and {len(minds)} bots do not make {seats} seats.")
    players = [Player(name) for name in people]
    for mind in minds:
        players.append(Player(_free_name(f"{mind}-bot", players), mind))
    if len({player.name for player in players}) != len(players):
        raise QwixxError("Give everybody at the table another name.")
    return players


def _minds(invited: str) -> list[str]:
    if invited.strip().isdecimal() and len(invited.strip()) < 3:
        return ["gap"] * int(invited)
    minds = [name.strip() for name in invited.split(",")]
    for mind in minds:
        bots.check_name(mind)
    return minds


def _checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise QwixxError(f"A name has 1 to {_LONGEST_NAME} letters; {name[:40]!r} has not.")
    return name


def _free_name(wanted: str, players: list[Player]) -> str:
    taken = {player.name for player in players}
    candidates = [wanted, *(f"{wanted} {number}" for number in range(2, 10))]
    return next(name for name in candidates if name not in taken)


def players_text(players: list[Player]) -> str:
    """Write the players as comment lines of a record."""
    lines = []
    for seat, player in enumerate(players):
        kind = f"bot {player.bot}" if player.bot else "person"
        lines.append(f"# player {seat} {kind} {player.name}\n")
    return "".join(lines)


def read_players(record: str, seats: int) -> list[Player] | None:
    """Find the players in a record's comments; None if they are not all there."""
    found: dict[int, Player] = {}
    for line in record.split("\n"):
        match = _LINE.fullmatch(line.strip())
        if match and (not match[3] or match[3] in bots.names()):
            found[int(match[1])] = Player(match[4][:_LONGEST_NAME].strip(), match[3] or "")
    return [found[seat] for seat in range(seats)] if set(found) == set(range(seats)) else None
