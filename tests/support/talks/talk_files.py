"""
The format of talks: golden files with a conversation at a table, who says what and who is sent what.

    # A choice is withdrawn while the window is open (R1).
    game classic
    seats anna=Anna,Ben
    first 0

    dice 34/2615
    anna: start
    -> anna: table playing | Anna, Ben | host 0 mine 0,1
    -> anna: state 1 white 34/2615 active 0 | 0: r7 y7 g7 b7 pass | ...
    anna: decide 0 r7; decide 1 pass
    server -> anna: error too-fast
    because no disk limit

The head names the game, the devices with the people at each, options, the seat that begins, and the seconds to undo a
decision before the next roll. An act is a line with
one or more messages of a device, or something that happens: `dice`, `bot`, `wait`, `restart`, `record`. Below it are
the messages that are sent, as `talk_lines` writes them. If only one host sends a line, its name is before the arrow,
and the step names the reason, one of `DIFFERENCES`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import msgspec

from qwixx.server.wire import messages
from support.paths import GOLDEN

FOLDER = GOLDEN / "tables"
SERVER, DEVICE = "server", "device"
EVERYBODY = "everybody"
LEDGER = "ledger"
"""The name under which the act `record` shows the ledger."""

DIFFERENCES: dict[str, str] = {
    "one device": "All people of a local table share one device: they are always here, see each other's screens and "
    "agree aloud. It has no host, no spectators, no votes, no reactions and nobody to lead through a review.",
    "no late-comers": "A local table has no link, so nobody joins a running game.",
    "no seed": "A local table promises no seed: the people at the device trust it.",
    "no disk limit": "A server limits the changes of a choice, because each is a write to its disk.",
    "names": "A server also refuses names that only look alike, because strangers meet there.",
    "phase numbers": "After a restart a server counts the phases of the ledger again; a device stores their number.",
    "forgotten clock": "A device does not remember for whom the clock has decided.",
}
"""Why the hosts may differ."""

_STRUCTS = {str(kind.__struct_config__.tag): kind for kind in get_args(messages.FromPage)}
_HAPPENINGS = ("dice", "bot", "wait", "restart", "record")
_SENT = re.compile(r"(?:(server|device) )?-> ([a-z,]+): (.+)")
_ACT = re.compile(r"([a-z]+): (.+)")


@dataclass(slots=True)
class Sent:
    """A line with a message that is sent; `host` is empty if both hosts send it."""

    host: str
    who: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Step:
    """An act, and everything that is sent because of it."""

    line: str
    acts: list[dict[str, Any]]
    """For the players of talks: each with `who` and `do`."""
    sent: list[Sent] = field(default_factory=list)
    because: str = ""

    def lines(self, who: str, *hosts: str) -> list[str]:
        """List what one device is sent by these hosts."""
        return [each.text for each in self.sent if who in each.who and each.host in hosts]


@dataclass(slots=True)
class Talk:
    """A whole conversation."""

    path: Path
    head: dict[str, str]
    comments: list[str]
    steps: list[Step]

    @property
    def devices(self) -> list[str]:
        """The names of all devices, those without a seat too, in the order in which they come."""
        named = [word.split("=")[0] for word in self.head.get("seats", "").split()]
        spoken = [act["who"] for step in self.steps for act in step.acts if act["who"]]
        return [who for who in dict.fromkeys([*named, *spoken]) if who != "bot"]

    @property
    def is_shared(self) -> bool:
        """Whether several devices take part."""
        return len(self.devices) > 1

    def setup(self) -> list[dict[str, Any]]:
        """Return the acts that open the table and seat everybody."""
        acts: list[dict[str, Any]] = []
        here: list[str] = []
        for word in self.head.get("seats", "").split():
            who, _, names = word.partition("=")
            if who == "bot":
                acts += [_say(here[0], f"addBot {level}") for level in names.split(",")]
                continue
            for name in names.split(","):
                if not here:
                    acts.append({"who": who, "do": "open", "name": name})
                elif who not in here:
                    acts.append({"who": who, "do": "join"})
                if here:
                    acts.append(_say(who, f"sit {name}"))
                here = list(dict.fromkeys([*here, who]))
        if "options" in self.head:
            acts.append(_say(here[0], f"options {self.head['options']}"))
        return acts

    def script(self) -> dict[str, Any]:
        """Return everything that a player of talks needs, as data."""
        variant, _, sheet = self.head["game"].partition(" on ")
        return {
            "variant": variant,
            "sheet": sheet,
            "first": int(self.head.get("first", 0)),
            "undo": float(self.head.get("undo", 0)),
            "steps": [self.setup(), *(step.acts for step in self.steps)],
        }


def _say(who: str, text: str) -> dict[str, Any]:
    """Read one message: its tag, then its fields by place or by name. The phase is that of the last state."""
    tag, *words = shlex.split(text)
    kind = _STRUCTS[tag]
    names = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
    types = {each.encode_name: each.type for each in msgspec.structs.fields(kind)}
    places = [name for name in names if name != "phase"]
    fields: dict[str, Any] = {}
    for place, word in enumerate(words):
        name, sign, value = word.partition("=")
        if not sign or name not in names:
            name, value = places[place], word
        many = value.split(",") if "list" in str(types[name]) and value != "null" else value
        fields[name] = msgspec.convert(None if many == "null" else many, types[name], strict=False)
    if "phase" in names and "phase" not in fields:
        fields["phase"] = None
    return {"who": who, "do": "say", "message": {"t": tag, **fields}}


def _acts(line: str) -> list[dict[str, Any]]:
    word, _, rest = line.partition(" ")
    if word in _HAPPENINGS:
        seat, _, action = rest.partition(" ")
        facts: dict[str, dict[str, Any]] = {
            "dice": {"texts": rest.split()},
            "bot": {"seat": int(seat) if word == "bot" else 0, "action": action.replace("-", "")},
            "wait": {"seconds": float(seat) if word == "wait" else 0},
        }
        return [{"who": "", "do": word, **facts.get(word, {})}]
    found = _ACT.fullmatch(line)
    if found is None:
        raise ValueError(f"{line!r} is no line of a talk")
    who, text = found.groups()
    acts: list[dict[str, Any]] = []
    for part in text.split("; "):
        verb, _, name = part.partition(" ")
        if verb in ("open", "join", "leave", "follow"):
            acts.append({"who": who, "do": verb, "name": name or None})
        else:
            acts.append(_say(who, part))
    return acts


def read_talk(path: Path) -> Talk:
    """Read a file."""
    talk = Talk(path, {}, [], [])
    for raw in path.read_text("utf-8").splitlines():
        line = raw.strip()
        if line.startswith("#"):
            talk.comments.append(line)
        elif found := _SENT.fullmatch(line):
            who = tuple(found[2].split(",")) if found[2] != EVERYBODY else tuple(talk.devices)
            talk.steps[-1].sent.append(Sent(found[1] or "", who, found[3]))
        elif line.startswith("because"):
            talk.steps[-1].because = line.removeprefix("because").strip()
        elif line.split(" ")[0] in ("game", "seats", "options", "first", "undo") and ":" not in line:
            word, _, rest = line.partition(" ")
            talk.head[word] = rest
        elif line:
            talk.steps.append(Step(line, _acts(line)))
    return talk


def talks() -> Iterator[Talk]:
    """Read all files."""
    return (read_talk(path) for path in sorted(FOLDER.glob("*.talk")))
