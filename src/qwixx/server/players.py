"""The bots that sit at tables: three levels, each played by one of `qwixx.bots`."""

from __future__ import annotations

import random
from collections.abc import Sequence

import qwixx
from qwixx import bots
from qwixx.server.protocol import Level

_BY_LEVEL: dict[Level, tuple[str, ...]] = {
    "easy": ("gap",),
    "normal": ("gap",),
    "strong": ("strong", "gap"),
}
"""For each level the bots that can play it, the best first; the first one that exists is taken."""
_SLIPS = 0.3
"""How often the easy bot takes anything that is legal."""


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
    """Give the bot of a level."""
    known = bots.names()
    bot = bots.make_bot(next(name for name in _BY_LEVEL[level] if name in known), variant)
    return Careless(bot, _SLIPS) if level == "easy" else bot


def choose(bot: bots.Bot, view: qwixx.View, legal: Sequence[qwixx.Action]) -> str:
    """Let a bot think. It may take long: call this outside the event loop."""
    return str(bot.choose(view, legal))
