"""The tools of `qwixx mcp`, called without the protocol."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import qwixx
from qwixx.errors import QwixxError
from qwixx.mcp.desk import Desk
from qwixx.mcp.stdio_server import MAX_LINE
from qwixx.mcp.tools import MAX_GAMES, TOOLS, description, input_schema, read_call
from support.paths import ROOT


def ask(desk: Desk, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; its answer is plain data."""
    answer = desk.answer(read_call(tool, arguments))
    assert json.loads(json.dumps(answer)) == answer
    return answer


def play(desk: Desk, seen: dict[str, Any]) -> dict[str, Any]:
    """Play a game to its end, by the first legal action of every own seat."""
    while "outcome" not in seen:
        seen = ask(desk, "decide", game=seen["game"], seat=seen["seat"], action=seen["legal"][0]["action"])
    return seen


@pytest.mark.parametrize("variant", qwixx.games())
def test_every_game_is_played_to_its_end(variant: str) -> None:
    """Two own seats and a bot, or one of each in the duel; the record replays to the scores that were shown."""
    desk = Desk()
    seats = min(3, max(qwixx.variant(variant).seats))
    started = ask(desk, "start_game", variant=variant, seats=seats, bots=["normal"], seed=5)
    assert started["bots"] == {str(seats - 1): "normal"}
    assert all(each["why"] for each in started["legal"])
    seen = play(desk, started)
    assert seen["deciding"] == seen["legal"] == []
    record = desk._games["g1"].game.record()
    assert list(qwixx.Game.from_record(record).scores()) == seen["scores"]


def test_the_same_seed_gives_the_same_game() -> None:
    """Dice and bots follow from the seed."""
    options = {"variant": "classic", "seats": 3, "bots": ["strong", "easy"], "seed": 11}
    ends = [play(desk, ask(desk, "start_game", **options)) for desk in (Desk(), Desk())]
    assert ends[0] == ends[1]
    other = Desk()
    assert play(other, ask(other, "start_game", **{**options, "seed": 12}))["position"] != ends[0]["position"]


def test_a_seat_sees_what_the_rules_show() -> None:
    """In the card game the colors of another hand are hidden (K2), also in the position line."""
    desk = Desk()
    seen = ask(desk, "start_game", variant="cards", seats=2, bots=["normal"], seed=1, first=0)
    hands = [sheet.hand for sheet in desk._games["g1"].game.reveal().sheets]
    assert hands[0]
    assert hands[1]
    shown = re.findall(r"hand=(\S+)", seen["position"])
    assert shown == [",".join(hands[0]), ",".join(f"?{number}" for number in sorted(int(c[1:]) for c in hands[1]))]
    assert not any(card in json.dumps(seen) for card in set(hands[1]) - set(hands[0]))


def test_a_sealed_choice_stays_sealed() -> None:
    """The bot chooses first in the open window of the white sum, and its choice is in no answer (C3)."""
    desk = Desk()
    seen = ask(desk, "start_game", variant="classic", seats=2, bots=["normal"], seed=2, first=0)
    game = desk._games["g1"].game
    assert game.deciders() == (0,)
    assert "choices=" in game.position()
    assert "choices=" not in json.dumps(seen)


def test_nobody_acts_for_a_bot() -> None:
    """The seats of bots are not decided, looked at or coached."""
    desk = Desk()
    ask(desk, "start_game", variant="classic", seats=2, bots=["normal"], seed=2)
    for tool, more in (
        ("look_at_game", {}),
        ("decide", {"action": "pass"}),
        ("ask_coach", {}),
        ("check_action", {"action": "pass"}),
    ):
        with pytest.raises(QwixxError, match="Seat 1 belongs to the bot normal"):
            ask(desk, tool, game="g1", seat=1, **more)


def test_a_refused_action_names_its_rule_and_changes_nothing() -> None:
    """The white dice show 2 and 6, so a red 2 is refused by C3, and the position stays as it is."""
    desk = Desk()
    seen = ask(desk, "start_game", variant="classic", seed=3)
    assert ask(desk, "check_action", game="g1", action=seen["legal"][0]["action"]) == {"legal": True}
    refused = ask(desk, "check_action", game="g1", action="r2")
    assert "roll=26/" in seen["position"]
    why = "The white dice make 8, so r2 is not possible. (C3)"
    assert refused == {"legal": False, "rule": "C3", "why": why}
    with pytest.raises(QwixxError) as error:
        ask(desk, "decide", game="g1", action="r2")
    assert str(error.value) == why
    assert ask(desk, "look_at_game", game="g1")["position"] == seen["position"]


def test_several_own_seats_have_to_be_named() -> None:
    """Both seats decide about the white sum, so a call without a seat is refused."""
    desk = Desk()
    seen = ask(desk, "start_game", variant="classic", seats=2, seed=3)
    assert seen["deciding"] == [0, 1]
    with pytest.raises(QwixxError, match="Seats 0, 1 have to decide"):
        ask(desk, "decide", game="g1", action="pass")
    assert ask(desk, "decide", game="g1", seat=1, action="pass")["deciding"] == [0]


def test_a_limited_number_of_games_is_kept() -> None:
    """The next game is refused; it replaces a finished one, and fits again after one was dropped."""
    desk = Desk()
    for seed in range(MAX_GAMES):
        ask(desk, "start_game", variant="duel", seats=2, seed=seed)
    with pytest.raises(QwixxError, match=f"At most {MAX_GAMES} games"):
        ask(desk, "start_game", variant="duel", seats=2)
    play(desk, ask(desk, "look_at_game", game="g2"))
    ask(desk, "start_game", variant="duel", seats=2)
    with pytest.raises(QwixxError, match="There is no game 'g2'"):
        ask(desk, "look_at_game", game="g2")
    assert len(ask(desk, "end_game", game="g1")["games"]) == MAX_GAMES - 1
    ask(desk, "start_game", variant="duel", seats=2)


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("fly", {}, "There is no tool 'fly'"),
        ("start_game", {}, "missing required field `variant`"),
        ("start_game", {"variant": "/etc/passwd"}, "There is no game '/etc/passwd'"),
        ("start_game", {"variant": "clasic"}, "did you mean 'classic'"),
        ("start_game", {"variant": "x" * 41}, "length <= 40"),
        ("start_game", {"variant": "classic", "seats": 6}, "<= 5"),
        ("start_game", {"variant": "duel"}, "2 seats"),
        ("start_game", {"variant": "classic", "seats": "2"}, "got `str`"),
        ("start_game", {"variant": "classic", "seats": 1, "bots": ["easy"]}, "leave no seat to you"),
        ("start_game", {"variant": "classic", "seats": 2, "bots": ["bot.py:Bot"]}, "class in a file"),
        ("start_game", {"variant": "classic", "seats": 2, "bots": ["optimal"]}, "choose another bot"),
        ("start_game", {"variant": "classic", "seats": 2, "bots": ["easy"] * 9}, "length <= 5"),
        ("start_game", {"variant": "classic", "seed": -1}, ">= 0"),
        ("start_game", {"variant": "classic", "sheet": "mine.toml"}, "not chosen in this game"),
        ("start_game", {"variant": "cards", "seats": 2, "sheet": "mine.toml"}, "one of classic"),
        ("start_game", {"variant": "classic", "file": "x"}, "unknown field `file`"),
        ("read_rules", {"variant": "classic", "language": "xx"}, "The languages are en"),
        ("look_at_game", {"game": "g7"}, "There is no game 'g7'"),
        ("look_at_game", {"game": "g1", "seat": 3}, "there is no seat 3"),
        ("decide", {"game": "g1", "action": "q99"}, "q99"),
        ("decide", {"game": "g1", "action": "r" * 201}, "length <= 200"),
        ("review_game", {"game": "g1"}, "when the game is over"),
        ("end_game", {"game": 1}, "got `int`"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(tool: str, arguments: dict[str, Any], why: str) -> None:
    """Every refusal is one sentence with the reason, and the game that is kept does not change."""
    desk = Desk()
    before = ask(desk, "start_game", variant="classic", seed=3)
    with pytest.raises(QwixxError) as error:
        ask(desk, tool, **arguments)
    assert why in str(error.value)
    assert re.search(r"[.?]$", str(error.value))
    assert ask(desk, "look_at_game", game="g1") == before


def test_the_tools_describe_themselves() -> None:
    """Every tool and every argument has a description, and every text and list has a bound."""
    assert list(TOOLS) == [
        *("list_games", "read_rules", "start_game", "look_at_game", "check_action"),
        *("decide", "ask_coach", "review_game", "end_game"),
    ]
    for tool in TOOLS.values():
        assert description(tool).endswith(".")
        schema = input_schema(tool)
        assert schema["additionalProperties"] is False
        for field in schema["properties"].values():
            (kind,) = [each for each in field.get("anyOf", [field]) if each["type"] != "null"]
            assert kind["description"].endswith(".")
            bound = {"string": "maxLength", "array": "maxItems", "integer": "minimum"}[kind["type"]]
            assert bound in kind


def test_the_guide_has_every_tool_and_the_limits() -> None:
    """docs/assistants.md lists the tools in their order, with the declared limits."""
    guide = (ROOT / "docs" / "assistants.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE) == list(TOOLS)
    assert f"At most {MAX_GAMES} games" in guide
    assert f"{MAX_LINE:,} characters" in guide


def test_games_and_rules_are_listed() -> None:
    """All nine games with their bots, and the rules in every language."""
    desk = Desk()
    games = {each["variant"]: each for each in ask(desk, "list_games")["games"]}
    assert tuple(games) == qwixx.games()
    assert {"easy", "normal", "strong", "master"} <= set(games["duel"]["bots"])
    assert games["duel"]["seats"] == [2]
    assert games["cards"]["sheets"][0] == "classic"
    assert "C7" in ask(desk, "read_rules", variant="classic", language="de")["rules"]
