"""The scenario format: golden files written by hand from the rules, read line by line.

    scenario C9 two players close the same row in one window
      start   classic active=0 phase=roll | r=2,3,4,5,6 | r=2,3,4,5,6 | -
      roll    66/1111
      decide  0 r12
      ...

Blank lines and lines that start with `#` are skipped. A header names one rule id, or several joined by `+`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qwixx.rulebook import rule_book
from support.paths import GOLDEN

FOLDER = GOLDEN / "scenarios"

RULES: tuple[str, ...] = tuple(rule_book())
"""Every id of the rule book; R are its rulings, M the mistakes it warns of."""

CARDS = r"\*|[rygbj]\d+(,[rygbj]\d+)*(,\*)?"
SEAT = r"\d+"
SEATS = r"-|\d+( \d+)*"

COMMANDS: dict[str, re.Pattern[str]] = {
    word: re.compile(pattern)
    for word, pattern in {
        "start": r"[a-z0-9-]+ .*\|.*",
        "new": r"[a-z0-9-]+( [a-z]+=\S+)+",
        "roll": r"\d\d/[\d-]{4}",
        "deal": CARDS,
        "shuffle": CARDS,
        "decide": rf"{SEAT} \S+",
        "refused": rf"{SEAT} \S+ [A-Z]+\d*",
        "whynot": rf"{SEAT} \S+ [A-Z]+\d*",
        "unreadable": rf"{SEAT} \S.*",
        "unchanged": r"",
        "legal": rf"{SEAT}: \S+( \S+)*",
        "deciders": SEATS,
        "phase": r"[a-z]+",
        "active": SEAT,
        "dice": r"-|\d\d/[\d-]{4}",
        "closed": r"-|\w+( \w+)*",
        "over": r"rows|misses|pawns",
        "winners": SEATS,
        "scores": r"-?\d+( -?\d+)*",
        "sheet": rf"{SEAT}: \S.*",
        "hand": rf"{SEAT}: ({CARDS})",
        "backs": rf"{SEAT}: \d+(,\d+)*",
        "display": r"\S+",
        "top": r"\d+",
        "events": r"\S.*",
    }.items()
}
"""Each command with the form of its arguments."""

HEADER = re.compile(r"scenario (?P<rules>[A-Z]+\d+a?(?:\+[A-Z]+\d+a?)*) (?P<title>\S.*)")


class ScenarioError(Exception):
    """A scenario file cannot be read; the message has file and line."""


@dataclass(frozen=True)
class Step:
    """One line of a scenario: a command and its arguments."""

    where: str
    word: str
    rest: str

    @property
    def seat(self) -> int:
        """The seat in the line."""
        return int(re.split(r"[: ]", self.rest, maxsplit=1)[0])

    @property
    def text(self) -> str:
        """The text after the seat."""
        return re.split(r"[: ]+", self.rest, maxsplit=1)[1]

    def __str__(self) -> str:
        return f"{self.where}: {self.word} {self.rest}"


@dataclass(frozen=True)
class Scenario:
    """A short example with one point: the rules it shows, a title, its steps."""

    where: str
    rules: tuple[str, ...]
    title: str
    steps: tuple[Step, ...]

    @property
    def game(self) -> str:
        """The id of its game."""
        return self.steps[0].rest.split()[0]

    @property
    def id(self) -> str:
        """The name under which pytest lists it: `C9-two-players-close-...`."""
        return f"{'+'.join(self.rules)}-{re.sub(r'[^A-Za-z0-9]+', '-', self.title).strip('-')}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(text.splitlines(), start=1):
        line = " ".join(raw.split())
        if line and not line.startswith("#"):
            yield number, line


def _step(where: str, line: str) -> Step:
    word, _, rest = line.partition(" ")
    shape = COMMANDS.get(word)
    if shape is None:
        raise ScenarioError(f"{where}: there is no command {word!r}")
    if shape.fullmatch(rest) is None:
        raise ScenarioError(f"{where}: {word!r} cannot be followed by {rest!r}")
    return Step(where, word, rest)


def parse(text: str, name: str) -> list[Scenario]:
    """Read all scenarios of one file; error messages call it `name`."""
    found: list[Scenario] = []
    rules: tuple[str, ...] = ()
    title, opened = "", ""
    steps: list[Step] = []

    def finish() -> None:
        if not opened:
            return
        if not steps or steps[0].word not in {"start", "new"}:
            raise ScenarioError(f"{opened}: a scenario begins with 'start' or 'new'")
        found.append(Scenario(opened, rules, title, tuple(steps)))

    for number, line in _lines(text):
        where = f"{name}:{number}"
        if not line.startswith("scenario"):
            if not opened:
                raise ScenarioError(f"{where}: before the first scenario")
            steps.append(_step(where, line))
            continue
        finish()
        header = HEADER.fullmatch(line)
        if header is None:
            raise ScenarioError(f"{where}: a header is 'scenario RULE[+RULE] description'")
        rules, title, opened, steps = tuple(header["rules"].split("+")), header["title"], where, []
        unknown = [rule for rule in rules if rule not in RULES]
        if unknown:
            raise ScenarioError(f"{where}: no such rule: {', '.join(unknown)}")
    finish()
    return found


def read_all(folder: Path = FOLDER) -> list[Scenario]:
    """Read every scenario of the folder, file by file in the order of their names."""
    return [
        scenario
        for path in sorted(folder.glob("*.txt"))
        for scenario in parse(path.read_text(encoding="utf-8"), path.name)
    ]
