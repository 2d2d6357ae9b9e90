"""The participants of a game: people and bots, and their lines in a record."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from qwixx.errors import QwixxError
from qwixx.players import check_plays, find, is_file
from qwixx.text.catalogue import has, t
from qwixx.variants.model import Variant

_LONGEST_NAME = 24
_USUAL = "normal"
"""The level of a bot if none is named, as on the page."""
_LINE = re.compile(r"#\s*player (\d) (person|bot (\S{1,400})) (.+)")
_PLAIN = "/\\:._-~"
"""Special characters of bot names that a record contains unquoted; blanks and others are written as %20."""


@dataclass(frozen=True, slots=True)
class Participant:
    """A person or a bot at a seat; `bot` is the name of the bot's player, empty for a person."""

    name: str
    bot: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person at the keyboard decides."""
        return not self.bot

    @property
    def title(self) -> str:
        """The name; for a built-in bot with its level, such as "Bot 1 (normal)"."""
        if self.is_person or not _is_built_in(self.bot):
            return self.name
        level = f"level.{self.bot}"
        return f"{self.name} ({t(level) if has(level) else self.bot})"


def seat_participants(variant: Variant, seats: int | None, invited: str | None, names: str | None) -> list[Participant]:
    """
    Seat people first, then bots. By default one person plays against one bot.

    `invited` is a number of bots or their names, `names` are the names of the people, both separated by commas.
    """
    people = [_checked(name) for name in names.split(",")] if names is not None else None
    bots = None if invited is None else _bot_names(invited, _USUAL)
    if seats is None:
        present = 1 if people is None else len(people)
        if bots is None:  # one person gets an opponent; several people play without bots
            bots = [_USUAL] * max(max(variant.fewest_seats, 2) - present, 0)
        seats = present + len(bots)
    else:
        variant.check_seats(seats)
    if bots is None:
        bots = [_USUAL] * max(seats - (1 if people is None else len(people)), 0)
    persons = seats - len(bots)
    if persons < 0:
        raise QwixxError(t("cli.error.bots", n=seats, bots=len(bots)))
    if people is None:
        numbered = [t("count.player", n=number + 1) for number in range(persons)]
        people = numbered if persons != 1 else [t("name.default")]
    if len(people) != persons:
        raise QwixxError(t("cli.error.names", n=seats, people=len(people), bots=len(bots)))
    variant.check_seats(seats)
    participants = [Participant(name) for name in people]
    for number, bot in enumerate(bots, 1):
        check_plays(find(bot, files=True), variant, seats)
        own = f"{_class_of(bot) if is_file(bot) else bot}-bot"[:_LONGEST_NAME]
        called = t("bot.name", n=number) if _is_built_in(bot) else own
        participants.append(Participant(_free_name(called, participants), bot))
    if len({each.name for each in participants}) != len(participants):
        raise QwixxError(t("cli.error.same-name"))
    return participants


def _is_built_in(bot: str) -> bool:
    return not is_file(bot) and find(bot).is_built_in


def _bot_names(invited: str, usual: str) -> list[str]:
    if invited.strip().isdecimal() and len(invited.strip()) < 3:
        return [usual] * int(invited)
    return [name.strip() for name in invited.split(",")]


def _checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise QwixxError(t("cli.error.name", most=_LONGEST_NAME, name=name[:40]))
    return name


def _free_name(wanted: str, participants: list[Participant]) -> str:
    taken = {each.name for each in participants}
    candidates = [wanted, *(f"{wanted} {number}" for number in range(2, 10))]
    return next(name for name in candidates if name not in taken)


# ---- in a record


def participants_text(participants: list[Participant]) -> str:
    """Return the participants as comment lines of a record."""
    lines = []
    for seat, each in enumerate(participants):
        kind = f"bot {quote(each.bot, safe=_PLAIN)}" if each.bot else "person"
        lines.append(f"# player {seat} {kind} {each.name}\n")
    return "".join(lines)


def read_participants(record: str, seats: int) -> list[Participant] | None:
    """Read the participants from a record's comments; None if any is missing. This opens no file of a bot."""
    found: dict[int, Participant] = {}
    for line in record.split("\n"):
        match = _LINE.fullmatch(line.strip())
        bot = unquote(match[3] or "") if match else ""
        if match and f"{bot}{match[4]}".isprintable():  # a record is untrusted text, and its names are printed
            found[int(match[1])] = Participant(match[4][:_LONGEST_NAME].strip(), bot)
    return [found[seat] for seat in range(seats)] if set(found) == set(range(seats)) else None


def restore_participants(
    variant: Variant, participants: list[Participant], invited: str | None, command: Callable[[list[str]], str]
) -> list[Participant]:
    """
    Return the participants of a record for a resumed game, if all bots are available.

    A record must not run code from files: a bot that is a class in a file has to be named again, as `invited`. The file
    may have moved; the class name has to match. `command` returns the command that names them. Raises `QwixxError` for
    bots that are not available, and for names that did not play.
    """
    names = _bot_names(invited, "") if invited else []
    named = {_class_of(name): name for name in names if is_file(name)}
    own = [each.bot for each in participants if is_file(each.bot)]
    others = {each.bot for each in participants if each.bot} - set(own)
    for name in names:
        if name not in others and not (is_file(name) and _class_of(name) in map(_class_of, own)):
            raise QwixxError(t("cli.error.not-here", name=name or str(invited)))
    restored = []
    for each in participants:
        bot = each.bot
        if is_file(bot):
            bot = named.get(_class_of(bot), "")
            if not bot:
                raise QwixxError(t("cli.error.bot-file", name=each.name, command=command(own)))
        if bot:
            check_plays(find(bot, files=bool(named)), variant, len(participants))
        restored.append(replace(each, bot=bot))
    return restored


def _class_of(bot: str) -> str:
    """Return the class name of a bot in a file."""
    return bot.rpartition(":")[2]
