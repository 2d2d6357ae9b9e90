"""Who sits at the table: people and bots, and how that is kept in a record."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from qwixx.errors import QwixxError
from qwixx.players import check_plays, find, is_file, rule_of_thumb
from qwixx.variants.model import Variant
from qwixx.wanted import counted

_LONGEST_NAME = 24
_LINE = re.compile(r"#\s*player (\d) (person|bot (\S{1,400})) (.+)")
_PLAIN = "/\\:._-~"
"""What may stand in the name of a bot as it is; blanks and the like are written as %20 in a record."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody with a seat; `bot` is the name of the player that decides for it, empty for a person."""

    name: str
    bot: str = ""

    @property
    def is_person(self) -> bool:
        """Whether somebody at the keyboard decides."""
        return not self.bot


def seat_participants(variant: Variant, seats: int | None, invited: str | None, names: str | None) -> list[Participant]:
    """
    Seat people first, then bots. By default one person plays against one bot.

    `invited` is a number of bots or their names, `names` are the names of the people.
    """
    people = [_checked(name) for name in names.split(",")] if names is not None else None
    usual = rule_of_thumb(variant)
    minds = None if invited is None else _minds(invited, usual)
    if seats is None:
        present = 1 if people is None else len(people)
        if minds is None:  # who comes alone gets a partner; two people want to be among themselves
            minds = [usual] * max(max(variant.fewest_seats, 2) - present, 0)
        seats = present + len(minds)
    elif minds is None:
        minds = [usual] * max(seats - (1 if people is None else len(people)), 0)
    persons = seats - len(minds)
    if persons < 0:
        raise QwixxError(f"{counted(len(minds), 'bot')} do not fit on {counted(seats, 'seat')}.")
    if people is None:
        people = [f"Player {number + 1}" for number in range(persons)] if persons != 1 else ["Player"]
    if len(people) != persons:
        given = f"{counted(len(people), 'name')} and {counted(len(minds), 'bot')}"
        raise QwixxError(f"{given} do not make {counted(seats, 'seat')}.")
    variant.check_seats(seats)
    participants = [Participant(name) for name in people]
    for mind in minds:
        check_plays(find(mind, files=True), variant, seats)
        called = f"{mind.rpartition(':')[2] if is_file(mind) else mind}-bot"[:_LONGEST_NAME]
        participants.append(Participant(_free_name(called, participants), mind))
    if len({each.name for each in participants}) != len(participants):
        raise QwixxError("Give everybody at the table another name.")
    return participants


def _minds(invited: str, usual: str) -> list[str]:
    if invited.strip().isdecimal() and len(invited.strip()) < 3:
        return [usual] * int(invited)
    return [name.strip() for name in invited.split(",")]


def _checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise QwixxError(f"A name has 1 to {_LONGEST_NAME} letters; {name[:40]!r} has not.")
    return name


def _free_name(wanted: str, participants: list[Participant]) -> str:
    taken = {each.name for each in participants}
    candidates = [wanted, *(f"{wanted} {number}" for number in range(2, 10))]
    return next(name for name in candidates if name not in taken)


# ---- in a record


def participants_text(participants: list[Participant]) -> str:
    """Write the participants as comment lines of a record."""
    lines = []
    for seat, each in enumerate(participants):
        kind = f"bot {quote(each.bot, safe=_PLAIN)}" if each.bot else "person"
        lines.append(f"# player {seat} {kind} {each.name}\n")
    return "".join(lines)


def read_participants(record: str, seats: int) -> list[Participant] | None:
    """Find the participants in a record's comments; None if they are not all there. No file is opened for this."""
    found: dict[int, Participant] = {}
    for line in record.split("\n"):
        match = _LINE.fullmatch(line.strip())
        bot = unquote(match[3] or "") if match else ""
        if match and f"{bot}{match[4]}".isprintable():  # a record is a stranger's text, and its names are shown
            found[int(match[1])] = Participant(match[4][:_LONGEST_NAME].strip(), bot)
    return [found[seat] for seat in range(seats)] if set(found) == set(range(seats)) else None


def invite_again(
    variant: Variant, participants: list[Participant], invited: str | None, command: Callable[[list[str]], str]
) -> list[Participant]:
    """
    Let everybody of a record go on, if all bots can.

    A record must not run files: a bot that is a class in a file has to be named again, as `invited`. The file may have
    moved; the class is what counts. `command` writes the command that names them. Raises `QwixxError` for bots that
    cannot be had, and for names that did not play.
    """
    names = _minds(invited, "") if invited else []
    named = {_class_of(name): name for name in names if is_file(name)}
    own = [each.bot for each in participants if is_file(each.bot)]
    others = {each.bot for each in participants if each.bot} - set(own)
    for name in names:
        if name not in others and not (is_file(name) and _class_of(name) in map(_class_of, own)):
            raise QwixxError(
                f"{name or 'A number of bots'!r} did not play in this game. A game that goes on keeps its players; "
                "only bots of your own are named again."
            )
    going_on = []
    for each in participants:
        bot = each.bot
        if is_file(bot):
            bot = named.get(_class_of(bot), "")
            if not bot:
                raise QwixxError(f"{each.name} is a bot of your own; name its file again: {command(own)}")
        if bot:
            check_plays(find(bot, files=bool(named)), variant, len(participants))
        going_on.append(replace(each, bot=bot))
    return going_on


def _class_of(bot: str) -> str:
    """Give the class of a bot in a file."""
    return bot.rpartition(":")[2]
