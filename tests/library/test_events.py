"""Events: one value and one text for each thing that can happen."""

from __future__ import annotations

import pytest

from qwixx import Event, Game
from qwixx.game import events


def texts(happened: list[Event]) -> list[str]:
    """Return the texts of the events."""
    return [str(event) for event in happened]


def test_every_kind_has_its_own_word() -> None:
    """A word means one kind of event, and every kind has one."""
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    words = [kind.word for kind in kinds if kind is not Event]
    assert len(words) == 31
    assert "" not in words
    assert len(set(words)) == len(words)


def test_a_turn_of_dice() -> None:
    """C3, C4, C13: rolled, decided, crossed, and then the next seat."""
    game = Game("classic", 2, first=1)
    assert texts(game.set_roll("41/1116")) == ["rolled 41/1116", "phase white"]
    assert game.decide(0, "y5") == [events.Decided(0)]
    assert texts(game.decide(1, "r5")) == ["decided 1", "crossed 0 y5", "crossed 1 r5", "phase color"]
    assert texts(game.decide(1, "b10")) == ["decided 1", "crossed 1 b10", "turn 0", "phase roll"]
    assert texts(list(game.events))[-1] == "phase roll"


def test_a_closing() -> None:
    """C7, C8: the lock, the row, the die."""
    game = Game.from_position("classic active=0 phase=white roll=66/1111 | r=2,3,4,5,6 | -")
    game.decide(1, "pass")
    assert game.decide(0, "r12")[1:] == [
        events.Crossed(0, "r12"),
        events.Locked(0, "r"),
        events.RowClosed("r"),
        events.DieLeft("r"),
        events.PhaseBegan("color"),
    ]


def test_a_bonus() -> None:
    """BA2, BA4, BA5: the used bar cell, its cross made or lost, bar cells struck when a row closes."""
    game = Game.from_position("bonus-a active=0 phase=color roll=56/1151 | r=11 | -")
    assert texts(game.decide(0, "g11")) == [
        "decided 0",
        "crossed 0 g11",
        "bonus 0 1",
        "lost 0 r",
        "turn 1",
        "phase roll",
    ]
    assert game.events[2:4] == (events.BonusUsed(0, 1), events.BonusLost(0, "r"))


def test_a_pair() -> None:
    """BB1: a completed pair is named by its effect."""
    game = Game.from_position("bonus-b active=0 phase=color roll=22/4111 | b=4 | -")
    assert game.decide(0, "r6")[2] == events.PairCompleted(0, "plus-13")


def test_a_miss_and_the_end() -> None:
    """C6, C11: the fourth miss is a miss, then the game is over and no further turn starts."""
    game = Game.from_position("classic active=0 phase=color roll=11/1111 | misses=3 | -")
    assert texts(game.decide(0, "pass")) == ["decided 0", "missed 0", "over misses"]


def test_a_turn_of_cards() -> None:
    """K3, K4, K5: taken numbers without colors, the number for all, the cards played."""
    game = Game("cards", 2, first=0)
    assert texts(game.set_roll("r2,r3,r4,r5,y2,y3,y4,y5,g2,g3,g4,g5,b9,b7,*")) == ["dealt", "phase draw"]
    assert game.decide(0, "take:2") == [
        events.Decided(0), events.Took(0, (3,)), events.NumberShown(7), events.PhaseBegan("number"),
    ]  # fmt: skip
    game.decide(0, "pass")
    assert texts(game.decide(1, "pass")) == ["decided 1", "phase play"]
    assert texts(game.decide(0, "play:r2,r3=r2,r3")) == [
        "decided 0", "played 0 r2,r3", "crossed 0 r2", "crossed 0 r3", "turn 1", "phase draw",
    ]  # fmt: skip


def test_a_shuffle() -> None:
    """K3: an empty pile is replaced immediately by the discards, which are counted."""
    discards = ",".join(f"{color}{number}" for color in "ygb" for number in range(2, 13))
    table = f"cards active=0 phase=draw display=r7,r8,r9,r10 pile=r11,r12 discards={discards}"
    game = Game.from_position(f"{table} | hand=r2,r3,r4 | hand=r5,r6")
    assert texts(game.decide(0, "take:1,2")) == ["decided 0", "took 0 7,8", "phase shuffle"]
    assert texts(game.set_roll(discards)) == ["shuffled 33", "number 2", "phase number"]


@pytest.mark.parametrize(
    ("line", "cell", "event"),
    [
        ("duel active=0 phase=white roll=34/1111 | - | -", "r7", events.Placed(0, "r7")),
        ("duel active=0 phase=white roll=34/1111 | r=7 | -", "r7", events.Stacked(0, "r7")),
        ("duel active=0 phase=white roll=34/1111 | - | r=7", "r7", events.Captured(0, "r7")),
    ],
)
def test_pawns(line: str, cell: str, event: Event) -> None:
    """D2, D3, D4: a pawn is placed, stacked, or captures."""
    assert Game.from_position(line).decide(0, cell)[1] == event
