"""Messages of a table as lines of a talk: short enough to be read against the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from qwixx.game.events import Event
from qwixx.server.wire.message_parts import Options

Message = dict[str, Any]
_MAX_LEGAL = 13
"""Legal actions that a line lists; of more it gives the number."""
_DEFAULTS = msgspec.to_builtins(Options())
_HOST_ONLY = ("code", "joinCode", "promise", "seed", "nextPromise", "voteAfter", "follows")
"""Fields of `table` that are random, or that only a server has; talks do not compare them."""


def line_of(message: Message) -> str:
    """Write a message."""
    kind = message["t"]
    match kind:
        case "table":
            return " | ".join(_table(message))
        case "state":
            return " | ".join(_state(message))
        case "error" | "why":
            words = [
                message[name] for name in ("seat", "action", "code", "rule") if message.get(name) not in (None, "")
            ]
            details = [f"{name}={value}" for name, value in message.get("details", {}).items()]
            return " ".join(map(str, [kind, *words, *details]))
        case "hint":
            choices = " ".join(each["action"] for each in message["choices"])
            return f"hint {message['seat']} in {message['phase']}: {choices}"
        case "ledger":
            return "; ".join(message["lines"]) or "nothing"
        case _:
            return " ".join(str(value) for name, value in message.items() if name != "token")


def _numbers(values: Iterable[Any]) -> str:
    return ",".join(map(str, values))


def _events(events: Iterable[Message]) -> str:
    return "; ".join(str(Event.from_dict(each)) for each in events)


def _table(message: Message) -> list[str]:
    seats = []
    for seat in message["seats"]:
        bot = "" if seat["kind"] == "person" else f"{seat['level']} bot"
        name = f"{seat['name']} ({bot})" if seat["name"] and bot else seat["name"] or bot
        votes = f" ({seat['votes']} votes)" if seat["votes"] else ""
        seats.append(name + ("" if seat["here"] else " (away)") + votes + (" sealed" if seat["seal"] else ""))
    parts = [f"table {message['stage']}", ", ".join(seats) or "nobody"]
    parts.append(f"host {message['host']} mine {_numbers(message['mine']) or '-'}")
    given = {name: value for name, value in message["options"].items() if value != _DEFAULTS[name] and name != "late"}
    if message["sheet"] != message["variant"] and not given.get("sheet"):
        given["sheet"] = message["sheet"]
    parts += [" ".join(f"{name}={_plain(value)}" for name, value in given.items())] if given else []
    if message["undo"]:
        parts.append(f"undo {message['undo']['seat']} waits for {_numbers(message['undo']['waiting'])}")
    parts += [f"again {_numbers(message['again'])}"] if message["again"] else []
    parts += [f"{message['watchers']} watching"] if message["watchers"] else []
    parts += [f"leader {message['leader']}"] if message["leader"] is not None else []
    if message["waiting"]:
        parts.append(f"waiting {', '.join(message['waiting'])} mine {_numbers(message['waits']) or '-'}")
    return parts + [word for word in ("hints", "next") if message[word]]


def _plain(value: Any) -> str:
    return _numbers(value) if isinstance(value, list) else str(value).lower()


def _state(message: Message) -> list[str]:
    view = message["view"]
    shown = [view["phase"], view["dice"] or "", f"number {view['number']}" if view["number"] else ""]
    parts = [" ".join(["state", str(message["phase"]), *filter(None, shown), f"active {view['active']}"])]
    for seat, mine in message["mine"].items():
        legal = " ".join(mine["legal"]) if len(mine["legal"]) <= _MAX_LEGAL else f"{len(mine['legal'])} actions"
        chosen = f" = {mine['choice']}" if mine["choice"] else ""
        if legal or chosen:
            parts.append(f"{seat}{chosen}: {legal}")
        if mine["closes"]:
            parts.append("closes " + " ".join(f"{action}({_numbers(rows)})" for action, rows in mine["closes"].items()))
        parts += [f"pass costs {mine['passCost']}"] if mine["passMiss"] else []
        parts += [f"ends {' '.join(mine['ends'])}"] if mine["ends"] else []
    parts += [f"{_events(message['events'])}"] if message["events"] else []
    for name in ("rollers", "undoable"):
        parts += [f"{name} {_numbers(message[name])}"] if message[name] else []
    parts += [f"{message['undoLeft']:g} seconds to undo"] if message.get("undoLeft") else []
    parts += [f"{message['deadline']:g} seconds"] if message["deadline"] is not None else []
    if message.get("choices"):
        parts.append("open " + " ".join(f"{seat}={text}" for seat, text in message["choices"].items()))
    if message.get("announced"):
        parts.append("announced " + " ".join(f"{seat}={_numbers(rows)}" for seat, rows in message["announced"].items()))
    if message["outcome"]:
        end = message["outcome"]
        parts.append(f"over {end['ending']} scores {_numbers(end['scores'])} won by {_numbers(end['winners'])}")
    return parts + ([f"story {_events(message['story'])}"] if "story" in message else [])


def _whole(value: Any) -> Any:
    """Copy data, with whole numbers as integers: JavaScript writes them so."""
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def comparable(message: Message, *, mine: list[int] | None = None) -> Message:
    """
    Return a message without the parts that hosts need not share.

    With `mine`, also without the seats of other devices, and without who is connected: at a local table all people
    share one device, so it is sent everything.
    """
    found: Message = _whole(message)
    if found["t"] == "table":
        for name in _HOST_ONLY:
            found[name] = None
        found["next"] = bool(found["next"])
        found["options"]["late"] = found["lateSeats"] = None
        if mine is not None:
            found["mine"] = [seat for seat in found["mine"] if seat in mine]
            found["host"] = found["watchers"] = None
            for seat in found["seats"]:
                seat["here"] = None
    if found["t"] == "state" and mine is not None:
        found["mine"] = {seat: part for seat, part in found["mine"].items() if int(seat) in mine}
    return found
