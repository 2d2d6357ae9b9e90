"""Views and events as values: compared, stored, converted, copied, and sent to the page."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import get_args

import msgspec
import pytest

from qwixx import Event, Game
from qwixx.game import events
from qwixx.game.view import RowView, SheetView, View
from support.games.random_games import SETTINGS, Setting, new_game, play_on

CLOSED = "r=2,3,4,5,6,12,L"


def snake(data: object) -> object:
    """Convert the names of plain data to snake_case."""
    if isinstance(data, dict):
        return {"".join(f"_{c.lower()}" if c.isupper() else c for c in name): snake(v) for name, v in data.items()}
    return tuple(snake(each) for each in data) if isinstance(data, list | tuple) else data


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_page_gets_the_view_of_the_library(setting: Setting) -> None:
    """A view on the wire is the view with names in camelCase; reading it gives an equal view."""
    game = play_on(new_game(setting), Random(3), 25)
    for seat in (None, 0):
        view = game.view(seat)
        data = msgspec.json.encode(view)
        assert msgspec.json.decode(data, type=View) == view
        assert snake(msgspec.json.decode(data)) == view.to_dict()
    encoded = msgspec.json.encode(game.events)
    assert msgspec.json.decode(encoded, type=tuple[events.AnyEvent, ...]) == game.events
    assert [each["e"] for each in msgspec.json.decode(encoded)] == [event.word for event in game.events]


def test_an_event_on_the_wire() -> None:
    """Its word is `e`, its names are in camelCase; every kind differs from every other."""
    assert msgspec.json.encode(events.BonusUsed(1, 3)) == b'{"e":"bonus","seat":1,"barCell":3}'
    assert msgspec.json.encode(events.Took(0, (3, 5))) == b'{"e":"took","seat":0,"numbers":[3,5]}'
    assert set(get_args(events.AnyEvent)) == set(Event.__subclasses__())


def test_values_behave_like_values() -> None:
    """Equal values have equal hashes; they are immutable, and copies and pickles are equal to them."""
    game = Game("longo", 2, first=0, lucky=["6/11", "5/10"])
    game.set_roll("12/3456")
    for value, twin in (
        (game.view(0), game.view(0)),
        (game.view(0).sheets[0], game.view(1).sheets[0]),
        (events.Crossed(0, "r7"), events.Crossed(seat=0, cell="r7")),
    ):
        assert value == twin
        assert len({value, twin}) == 1
        assert value != game.view(1)
        assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value
        with pytest.raises(AttributeError):
            value.seat = 1  # type: ignore[misc]
    different: list[Event] = [events.Missed(0), events.Decided(0)]
    assert different[0] != different[1]
    row = RowView("r", (7,), (1,), False, 1, 1)
    assert repr(row) == "RowView(key='r', crosses=(7,), heights=(1,), locked=False, count=1, points=1, small=())"
    sheet = SheetView(0, (row,), 0, 1)
    assert (sheet.used, sheet.pawns_left, sheet.hand, sheet.hand_size) == ((), None, None, 0)
    match events.Crossed(1, "r7"):
        case events.Crossed(seat, cell):
            assert (seat, cell) == (1, "r7")


def test_removed_dice() -> None:
    """C8, G3, K7: a view names the removed dice in the order of the dice, whichever row closed first."""
    assert Game("classic", 2).gone == Game("classic", 2).view().gone == ()
    assert Game.from_position(f"classic active=0 phase=roll | {CLOSED} | -").view(1).gone == ("r",)
    game = Game.from_position("classic active=0 phase=color roll=66/611- | r=2,3,4,5,6 | b=12,11,10,9,8,2,L")
    assert game.view().gone == ("b",)
    game.decide(0, "r12")
    assert game.gone == game.view().gone == ("r", "b")
    mixed = Game.from_position("gemixxt-a active=0 phase=roll | B=2,3,4,5,6,12,L | -")
    assert mixed.view().gone == ("y",)
    discards = ",".join(f"{color}{number}" for color in "ygb" for number in range(2, 13))
    table = f"cards active=0 phase=draw display=r7,r8,r9,r10 pile=r11,r12 discards={discards}"
    assert Game.from_position(f"{table} | hand=r2,r3,r4 {CLOSED} | hand=r5,r6").view().gone == ()
