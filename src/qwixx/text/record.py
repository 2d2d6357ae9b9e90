"""The game record: a whole game as lines of text, and back. docs/formats.md describes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from qwixx.errors import RecordError
from qwixx.text.arguments import require_text
from qwixx.variants.parse import MAX_FILE_CHARS

MAX_RECORD_CHARS = 4 * 1024 * 1024
FIRST_LINE = "qwixx record 1"
HEADER = ("variant", "sheet", "layout", "seats", "first", "lucky", "pads", "seed", "start")
_CHANCE = ("roll", "deal", "shuffle")
DRAWING = "|"
"""The key of a custom sheet; in a record each line of its text begins with this sign."""


class Step(Struct, frozen=True, gc=False):
    """One line of a game: a roll, deal or shuffle (`seat` is None), or the decision of a seat."""

    text: str
    seat: int | None = None
    word: str = ""
    """For chance: roll, deal or shuffle."""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.word} {self.text}" if self.seat is None else f"{self.seat} {self.text}"


@dataclass(slots=True)
class GameRecord:
    """A whole game: its setup, then every roll and decision."""

    facts: dict[str, str]
    steps: list[Step] = field(default_factory=list)
    scores: tuple[int, ...] | None = None
    scores_line: int = 0

    def __str__(self) -> str:
        lines = [FIRST_LINE, *(f"{key} {self.facts[key]}" for key in HEADER if key in self.facts)]
        lines += [f"{DRAWING} {line}".rstrip() for line in self.facts.get(DRAWING, "").split("\n") if line]
        lines += [str(step) for step in self.steps]
        if self.scores is not None:
            lines.append("scores " + " ".join(map(str, self.scores)))
        return "\n".join(lines) + "\n"


def read_record(text: str) -> GameRecord:
    """Parse a record. The moves are checked later, by a replay."""
    if len(text) > MAX_RECORD_CHARS:
        raise RecordError(1, f"a record has at most {MAX_RECORD_CHARS} characters.")
    record = GameRecord({})
    started = False
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if not started:
            if line != FIRST_LINE:
                raise RecordError(number, f"a record starts with {FIRST_LINE!r}.")
            started = True
        elif record.scores is not None:
            raise RecordError(number, "nothing comes after the scores.")
        else:
            _read_line(record, line, number)
    if not started:
        raise RecordError(1, f"a record starts with {FIRST_LINE!r}.")
    if "start" not in record.facts:
        for key in ("variant", "seats", "first"):
            if key not in record.facts:
                raise RecordError(1, f"the record does not say its {key!r}.")
    return record


def _read_line(record: GameRecord, line: str, number: int) -> None:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if line.startswith(DRAWING):
        if record.steps:
            raise RecordError(number, "the sheet is drawn before the first move.")
        drawn = record.facts.get(DRAWING, "")
        if len(drawn) > MAX_FILE_CHARS:
            raise RecordError(number, f"a sheet has at most {MAX_FILE_CHARS} characters.")
        record.facts[DRAWING] = drawn + line[len(DRAWING) :].removeprefix(" ") + "\n"
    elif word in HEADER:
        if record.steps or word in record.facts:
            raise RecordError(number, f"{word!r} stands once, before the first move.")
        if word in ("seats", "first") and not re.fullmatch(r"[0-9]", rest):
            raise RecordError(number, f"{word!r} should be a small whole number.")
        if word == "seed" and not re.fullmatch(r"[0-9]{1,20}", rest):
            raise RecordError(number, "'seed' should be a whole number.")
        record.facts[word] = rest
    elif word in _CHANCE:
        record.steps.append(Step(rest, None, word, number))
    elif word == "scores":
        if not re.fullmatch(r"-?[0-9]{1,6}( -?[0-9]{1,6})*", rest):
            raise RecordError(number, "'scores' should be a whole number for each seat.")
        record.scores = tuple(int(score) for score in rest.split())
        record.scores_line = number
    elif re.fullmatch(r"[0-9]", word) and rest:
        record.steps.append(Step(rest, int(word), "", number))
    else:
        raise RecordError(number, f"{line[:40]!r} is no line of a record.")


def record_text(source: str | Path) -> str:
    """Return the text of a record; only a `Path` is read from its file."""
    if not isinstance(source, Path):
        return require_text(source, "A record is a text, or a file as a Path")
    try:
        with source.open(encoding="utf-8") as file:
            return file.read(MAX_RECORD_CHARS + 1)
    except OSError as error:
        raise RecordError(0, f"the file {str(source)!r} cannot be read: {error.strerror}.") from None
    except ValueError:  # not UTF-8, or not the name of a file
        raise RecordError(0, f"the file {str(source)!r} is not a text in UTF-8.") from None
