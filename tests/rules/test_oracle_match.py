"""The package against the naive oracle: thousands of random games, compared at every decision."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random

import pytest

from support.games.engine_pair import SETTINGS, SHEET_FILE_SETTINGS, DifferenceError, EnginePair, Setting
from support.games.random_positions import prepared

pytestmark = pytest.mark.slow(10)

GROUPS = {
    "-".join(key): list(settings)
    for key, settings in groupby(
        (*SETTINGS, *SHEET_FILE_SETTINGS), key=lambda s: (s.variant, s.sheet) if s.is_cards else (s.variant,)
    )
}
"""The settings of each game on each sheet: all its seat counts."""

_ALWAYS = {"ending rows", "ending misses", "missed", "locked"}
_WINDOW = _ALWAYS | {"change of mind"}
_SHARED = _WINDOW | {"shared closing", "closed in action 1, then action 2"}
_CARDS = _WINDOW | {"personal closing", "shuffle"}
RARE_EVENTS = {
    "classic": _SHARED | {"third row in one window"},
    "gemixxt-a": _SHARED | {"third row in one window"},
    "gemixxt-b": _SHARED,  # its rows close with 11, 10, 3 and 4: one number never closes two of them
    "bonus-a": _SHARED | {"third row in one window", "bonus chain of three", "struck", "lost"},
    "bonus-b": _SHARED
    | {"third row in one window", "tie", "lost", "pair sets off pair", "the fewest crosses are in a closed row"},
    "longo": _SHARED | {"third row in one window", "lucky"},
    "cards": _CARDS,
    "cards-joker": _CARDS | {"joker and its double cross one cell"},
    "big-points": _SHARED | {"third row in one window", "bonus-cell"},
    "connected-a": _SHARED | {"third row in one window"},
    "connected-b": _SHARED | {"third row in one window", "linked"},
    "double-a": _SHARED | {"third row in one window", "second"},
    "double-b": _SHARED | {"third row in one window"},
    "x-change": _SHARED | {"third row in one window", "exchanged"},
    "lucky-15": _SHARED | {"third row in one window", "track"},
    "connect-15": _SHARED | {"third row in one window", "small"},
    "duel": _ALWAYS | {"captured", "stacked", "closed without a pawn for the lock", "ending pawns"},
}
"""Events that must happen at least once in the games below, or they would prove little."""


@pytest.mark.parametrize("group", GROUPS)
def test_both_engines_agree_at_every_decision(group: str) -> None:
    """Legal actions, events, states, scores and winners agree in random games, from the start and from the middle."""
    rare_events: Counter[str] = Counter()
    games = 0
    for setting in GROUPS[group]:
        for seed in range(16 // setting.seats if setting.variant != "duel" else 60):
            pair = EnginePair.new(setting, seed)
            pair.play(Random(f"play {setting} {seed}"))
            rare_events.update(pair.rare_events)
            games += 1
        for seed in range(30 if setting.variant != "duel" else 200):
            rng = Random(f"prepared {setting} {seed}")
            pair = EnginePair.prepared(setting, prepared(setting, rng), seed)
            pair.play(rng)
            rare_events.update(pair.rare_events)
            games += 1
    missing = {event for event in RARE_EVENTS[GROUPS[group][0].variant] if not rare_events[event]}
    assert not missing, f"{games} games without {missing}; there were {dict(rare_events)}"
    assert games >= 140


def test_a_difference_is_reported_with_all_details() -> None:
    """A difference names the game, the seed and the step, shows both sides, and has the record so far."""
    pair = EnginePair.new(Setting("classic", 2), 3)
    pair.chance()
    pair.oracle.table.turn = 9
    with pytest.raises(DifferenceError) as found:
        pair.decide(0, "pass")
    message = str(found.value)
    assert "position differ in classic-2, seed 3, step 2" in message
    assert "turn=9" in message
    assert message.endswith("0 pass\n")
