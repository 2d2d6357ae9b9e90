"""The bots that sit at tables: three levels of care."""

from __future__ import annotations

import random
from collections.abc import Sequence

import qwixx
from qwixx import bots
from qwixx.server.protocol import Level

_SLIPS: dict[Level, float] = {"easy": 0.35, "normal": 0.12, "strong": 0.0}
"""How often a bot of each level takes anything that is legal instead of thinking."""


class Careless:
    """A bot that does not always look: now and then it takes anything."""

    def __init__(self, bot: bots.Bot, slips: float) -> None:
        """Let a bot slip in so many decisions out of one."""
        self._bot, self._slips = bot, slips

    def choose(self, view: qwixx.View, legal: Sequence[qwixx.Action]) -> qwixx.Action:
        """Choose well, or anything."""
        if random.random() < self._slips:  # noqa: S311 - nothing to guess here
            return random.choice(legal)  # noqa: S311 - as above
        return self._bot.choose(view, legal)


def invite(level: Level, variant: qwixx.Variant) -> bots.Bot:
    """Give the bot of a level: the same mind, with more or less care."""
    return Careless(bots.make_bot("gap", variant), _SLIPS[level])


def choose(bot: bots.Bot, view: qwixx.View, legal: Sequence[qwixx.Action]) -> str:
    """Let a bot think. It may take long: call this outside the event loop."""
    return str(bot.choose(view, legal))
