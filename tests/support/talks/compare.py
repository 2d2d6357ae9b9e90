"""Compares what both hosts have sent with each other and with the lines of a talk, and writes these lines."""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from typing import Any

from support.talks.at_server import Transcript
from support.talks.talk_files import DEVICE, EVERYBODY, LEDGER, SERVER, Sent, Step, Talk
from support.talks.talk_lines import Message, comparable, line_of


def sent_lines(talk: Talk, server: Transcript, device: Transcript) -> list[list[Sent]]:
    """
    Return the lines of every step: without a host what both have sent, word for word, else what one host has sent.

    `server` and `device` begin with the step that seats everybody.
    """
    found = []
    mine: dict[str, list[int]] = {}
    for number, _step in enumerate([None, *talk.steps]):
        lines: list[Sent] = []
        for who in [*talk.devices, LEDGER]:
            own, other = server[number].get(who, []), device[number].get(who, [])
            for message in own:
                if message["t"] == "table":
                    mine[who] = message["mine"]
            lines += _aligned(who, own, other, mine.get(who, []) if talk.is_shared else None)
        found.append(_merged(lines, len(talk.devices)))
    return found[1:]


def _aligned(who: str, server: list[Message], device: list[Message], mine: list[int] | None) -> list[Sent]:
    ours, theirs = (
        [json.dumps(comparable(each, mine=mine), sort_keys=True) for each in sent] for sent in (server, device)
    )
    lines = []
    for change, begin, end, begin2, end2 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        host = "" if change == "equal" else SERVER
        lines += [Sent(host, (who,), line_of(each)) for each in server[begin:end]]
        if change != "equal":
            lines += [Sent(DEVICE, (who,), line_of(each)) for each in device[begin2:end2]]
    return lines


def _merged(lines: list[Sent], devices: int) -> list[Sent]:
    """Put a line that all devices are sent into one."""
    merged: list[Sent] = []
    for line in lines:
        same = [each for each in merged if (each.host, each.text) == (line.host, line.text)]
        if same and line.who[0] not in same[0].who and devices > 1:
            same[0].who = (*same[0].who, *line.who)
        else:
            merged.append(line)
    return merged


def text_of(talk: Talk, sent: list[list[Sent]]) -> str:
    """Write a talk with these lines."""
    lines = [*talk.comments, *(f"{word} {rest}" for word, rest in talk.head.items()), ""]
    for step, found in zip(talk.steps, sent, strict=True):
        lines.append(step.line)
        for each in found:
            who = EVERYBODY if len(each.who) > 1 and set(each.who) == set(talk.devices) else ",".join(each.who)
            lines.append(f"{each.host + ' ' if each.host else ''}-> {who}: {each.text}")
        lines += [f"because {step.because}"] if any(each.host for each in found) else []
    return "\n".join(lines) + "\n"


def has_reason(step: Step, reasons: dict[str, Any]) -> bool:
    """Return whether a step names a known reason if its hosts differ, and none if they do not."""
    return (step.because in reasons) if any(each.host for each in step.sent) else not step.because
