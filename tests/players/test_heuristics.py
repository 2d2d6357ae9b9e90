"""Heuristic players: their choices on positions worked out by hand, and that they use nothing hidden."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from qwixx import Game, QwixxError, Variant
from qwixx.jit.decorators import entry
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import MENU, OVER, SEATS, STATE, Records
from qwixx.players import built_in_names, find
from qwixx.players.built_in.levels import Level
from qwixx.players.game_loop import choice_of
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.text.notation import action_text
from qwixx.variants import load, names
from qwixx.variants.layout import compile_layout
from support.games.game_sources import sheet_file


@entry
def _ask(layouts: Records, states: Records, seat: int, tables: Records, luck: np.uint64, menus: Records) -> int:
    return choice_of(layouts[0], states[0], seat, tables[0], luck, menus[0])


def heuristic_player(name: str) -> HeuristicPlayer:
    """Return a heuristic player; a level is one where the game has no trained network."""
    player = find(name)
    player = player.fallback if isinstance(player, Level) else player
    assert isinstance(player, HeuristicPlayer)
    return player


def choice(variant: Variant, layouts: Records, states: Records, seat: int, bot: HeuristicPlayer, luck: int = 0) -> int:
    """Return the decision of a bot for a seat."""
    tables: Records = np.zeros(1, SEATING)
    tables["players"] = bot.record(variant)
    menus: Records = np.zeros(1, MENU)
    return int(_ask(layouts, states, seat, tables, np.uint64(luck), menus))


def chosen(game: Game, seat: int, bot: str) -> str:
    """Return the decision of a bot as text."""
    layouts, states = game.raw()
    hand = states[0].hands[seat, : states[0].held[seat]].tolist()
    return action_text(game.variant, hand, choice(game.variant, layouts, states, seat, heuristic_player(bot)))


def bots_for(variant: Variant) -> list[HeuristicPlayer]:
    """List the heuristic bots that can play a game."""
    names = [name for name in built_in_names() if isinstance(find(name), HeuristicPlayer | Level)]
    return [heuristic_player(name) for name in names if find(name).plays(variant, 2)]


@pytest.mark.slow
def test_gap_takes_small_gaps_and_the_first_of_equals() -> None:
    """White 3: red 3 and yellow 3 skip one cell, green 3 and blue 3 nine; red comes first."""
    game = Game("classic", 2, first=0)
    game.set_roll("12/6666")
    assert chosen(game, 1, "gap") == "r3"
    assert chosen(game, 1, "gap:1") == "r3"
    assert chosen(game, 1, "gap:0") == "pass"


def test_gap_passes_what_skips_too_much() -> None:
    """White 7 skips five cells in every row: too many at any time for two, not for five."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    assert chosen(game, 0, "gap") == "pass"
    assert chosen(game, 0, "gap:4") == "pass"
    assert chosen(game, 0, "gap:5") == "r7"


def test_gap_takes_more_rather_than_a_miss() -> None:
    """After a pass, green 5 + 4 = 9 skips three: taken by the active seat, which would have a miss otherwise (C6)."""
    game = Game("classic", 1)
    game.set_roll("34/5555")  # color sums 8 and 9: red 8 and 9 skip six and seven, green 9 and 8 three and four
    game.decide(0, "pass")
    assert chosen(game, 0, "gap") == "g9"
    assert chosen(game, 0, "gap:0") == "g9"


def test_gap_does_not_take_more_once_it_has_crossed() -> None:
    """A seat that has crossed the white sum risks no miss, and passes a gap of three."""
    game = Game("classic", 1)
    game.set_roll("34/5555")
    game.decide(0, "b7")  # blue 8 and 9 are lost now, green 9 still skips three
    assert chosen(game, 0, "gap") == "pass"


def test_gap_likes_to_close_a_row() -> None:
    """With crosses up to red 8, the 12 skips three cells but closes the row: as good as no gap at all (C7)."""
    game = Game("classic", 2, first=0)
    layouts, states = game.raw()
    sheet = states[0].sheets[1]
    sheet.marks[0], sheet.next[0], sheet.count[0] = 0b1111100, 7, 5
    sheet.marks[1], sheet.next[1], sheet.count[1] = 0b100000000, 9, 1
    api.set_dice(layouts, states, 0, np.array([6, 6, 1, 1, 1, 1], np.int32), new_log())
    # Red 12 skips 3 and gains 3; yellow 12 is not ripe; green and blue 12 skip nothing: red comes first.
    assert choice(game.variant, layouts, states, 1, heuristic_player("gap")) == 10
    sheet.next[0], sheet.count[0] = 7, 4
    assert choice(game.variant, layouts, states, 1, heuristic_player("gap")) == 30


def test_gap_prefers_marked_cells() -> None:
    """Bonus A: red 3 is boxed, so it beats yellow 3, and its skipped cell does not count (BA1)."""
    game = Game("bonus-a", 2, first=0)
    game.set_roll("12/6666")
    assert chosen(game, 1, "gap:0") == "r3"


@pytest.mark.parametrize(
    ("player", "position", "expected"),
    [
        # Pad A links r6 and y6. Red 6 skips nothing, but yellow 6 skips 2 to 5: four for one cross more.
        ("gap", "roll=24/1111 | r=2,3,4,5 pad=A | -", "pass"),
        # Yellow 6 is next as well, or lost: then it is a gift, worth skipping red 5 for.
        ("gap:0", "roll=24/1111 | r=2,3,4 y=2,4,5 pad=A | -", "r6"),
        ("gap:0", "roll=24/1111 | r=2,3,4 y=7 pad=A | -", "r6"),
        # Pad C does not link r6: it skips red 5, and nothing makes up for that.
        ("gap:0", "roll=24/1111 | r=2,4 y=7 pad=C | -", "pass"),
        # Pad A links g9 and b9, which skips 12 to 10: but not in a row that somebody has closed.
        ("gap:0", "roll=45/1111 | g=12,10 pad=A | -", "pass"),
        ("gap:0", "roll=45/111- | g=12,10 pad=A | b=12,10,9,8,7,2,L pad=B", "g9"),
    ],
)
def test_gap_counts_what_a_linked_cell_skips(player: str, position: str, expected: str) -> None:
    """CB2: the cross on the partner cannot be declined, so its skipped cells are part of the cost."""
    line = f"connected-b active=1 phase=white {position}"
    assert chosen(Game.from_position(line, variant=sheet_file("connected-b")), 0, player) == expected


def test_greedy_draws_what_it_can_use() -> None:
    """A first draw takes the number closest to an end: 12 is first in two rows, 7 in none (K3)."""
    game = Game("cards", 2, first=0, seed=1)
    game.roll()
    layouts, states = game.raw()
    states[0].display[:] = [7, 12, 6, 8]  # the backs of red 7, 12, 6, 8
    assert (
        action_text(game.variant, [], choice(game.variant, layouts, states, 0, heuristic_player("greedy"))) == "take:2"
    )


def test_greedy_plays_many_crosses() -> None:
    """From red 2, 3, 4 and two distant cards it plays the three in a row and crosses them all (K5)."""
    game = Game("cards", 2, first=0, seed=1)
    game.roll()
    game.decide(0, game.legal(0)[0])
    for seat in (0, 1):
        game.decide(seat, "pass")
    layouts, states = game.raw()
    states[0].hands[0] = [2, 3, 4, 17 + 8, 34 + 5]
    answer = action_text(
        game.variant, [2, 3, 4, 25, 39], choice(game.variant, layouts, states, 0, heuristic_player("greedy"))
    )
    assert answer == "play:r2,r3,r4=r2,r3,r4"


def test_greedy_captures_in_the_duel() -> None:
    """Red 3 and yellow 3 skip one cell each; red would come first, but on yellow 3 a lone pawn is captured (D3)."""
    game = Game("duel", 2, first=0)
    game.set_roll("12/6666")
    game.decide(0, "y3")
    game.decide(0, "pass")
    game.set_roll("12/6666")
    assert chosen(game, 1, "greedy") == "y3"


@pytest.mark.parametrize("name", names())
def test_bots_use_nothing_hidden(name: str) -> None:
    """A copy of the game has no hidden data; every bot makes the same choice on the copy."""
    variant = load(name)
    layouts = compile_layout(variant)
    drawn = random.Random(name)
    log = new_log()
    asked = 0
    for game in range(4):
        states: Records = np.zeros(1, STATE)
        api.begin(layouts, states, 0, np.uint64(5), np.uint64(game), 2, 0)
        while states[0].phase != OVER:
            if states[0].waiting == 0:
                api.roll(layouts, states, 0, log)
                continue
            seat = drawn.choice([seat for seat in range(SEATS) if states[0].waiting >> seat & 1])
            seen: Records = np.zeros(1, STATE)
            api.redact(layouts, states, 0, seen, seat)
            luck = drawn.getrandbits(63)
            answers = [choice(variant, layouts, states, seat, bot, luck) for bot in bots_for(variant)]
            assert answers == [choice(variant, layouts, seen, seat, bot, luck) for bot in bots_for(variant)]
            for action in answers:
                assert api.refusal(layouts, states, 0, seat, action) == 0
            asked += 1
            api.decide(layouts, states, 0, seat, drawn.choice(answers), log)
    assert asked > 40


def test_random_takes_every_action_equally_often() -> None:
    """Of 2000 draws among five actions each comes 400 times, within five standard deviations of 18."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    layouts, states = game.raw()
    words = np.random.default_rng(1).integers(1 << 63, size=2000)
    counts = Counter(choice(game.variant, layouts, states, 0, heuristic_player("random"), int(word)) for word in words)
    assert sorted(counts) == [5, 20, 35, 50, 60]
    assert all(abs(count - 400) < 90 for count in counts.values())


@pytest.mark.parametrize(("level", "slips"), [("easy", 0.35), ("normal", 0.12), ("strong", 0.0)])
def test_levels_slip_in_untrained_games(level: str, slips: float) -> None:
    """White 3 and 4 at the start: gap passes, because all four cells skip five.

    Four in five slips cross something, so a level crosses in that share of 4000 draws, within five standard deviations.
    """
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    layouts, states = game.raw()
    words = np.random.default_rng(1).integers(1 << 63, size=4000)
    found = [choice(game.variant, layouts, states, 0, heuristic_player(level), int(word)) for word in words]
    share = 0.8 * slips
    assert abs(sum(action != 60 for action in found) - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5


def test_gap_bots_of_any_width() -> None:
    """`gap:4` skips up to four cells, `gap:9` up to nine to avoid a miss; a width that no row has is refused."""
    assert heuristic_player("gap:4").weights["paper"]["most_skipped"] == 4
    assert heuristic_player("gap:9").weights["paper"]["most_skipped_or_miss"] == 9
    with pytest.raises(QwixxError, match="no player 'gap:15'"):
        find("gap:15")
