"""Custom bots, good and bad, in a file and as an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

BOTS = '''
import time
from qwixx import Player

class Fine(Player):
    """Passes, or takes the first thing."""
    def choose(self, view, legal):
        return "pass" if "pass" in map(str, legal) else legal[0]

class Raises(Fine):
    def choose(self, view, legal):
        if view.turn > 2:
            raise KeyError("lost my sheet")
        return super().choose(view, legal)

class Dawdles(Fine):
    def choose(self, view, legal):
        while view.turn > 2:
            time.sleep(0.01)
        return super().choose(view, legal)

class Babbles(Fine):
    def choose(self, view, legal):
        return "r99" if view.turn > 2 else super().choose(view, legal)

class Leaves(Fine):
    def choose(self, view, legal):
        raise SystemExit("good night")

class Unbuildable(Fine):
    def __init__(self, variant, seats, seed):
        raise RuntimeError("no room")

class Plain:
    """Knows nothing of the package."""
    def choose(self, view, legal):
        return legal[-1].id

class Picky(Fine):
    habit = "only the duel"
    @staticmethod
    def plays(variant, seats):
        return variant.is_duel

class NoChoice(Player):
    pass

def function(view, legal):
    return legal[0]
'''


def install(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with players; one cannot be loaded and one takes a built-in name."""
    facts = site / "qwixx_extra-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: qwixx-extra\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[qwixx.players]\nfine = extra_bots:Fine\nraises = extra_bots:Raises\ndawdles = extra_bots:Dawdles\n"
        "broken = no_such_module:Bot\nodd = extra_bots:function\nregistered = extra_entry:ENTRY\n"
        "gap = extra_bots:Babbles\n"
    )
    (site / "extra_bots.py").write_text(BOTS)
    (site / "extra_entry.py").write_text(
        "from extra_bots import Fine\n"
        "class Entry:\n"
        "    habit = 'a class behind an entry'\n"
        "    is_built_in = True\n"
        "    def plays(self, variant, seats):\n        return seats == 2\n"
        "    def sit(self, variant, seats, *, seed=0, pads=None):\n        return Fine(variant, seats, seed)\n"
        "ENTRY = Entry()\n"
    )
    monkeypatch.syspath_prepend(str(site))
