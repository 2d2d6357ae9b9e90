"""`Game`, where scenarios do not reach: setup, chance, errors, views, records."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import qwixx
from qwixx import Game, IllegalAction, NotationError, NotYourTurn, QwixxError
from qwixx.kernel.state.records import ACTIONS
from support.games.random_games import SETTINGS, Setting, new_game, play_on


@pytest.mark.parametrize(
    ("variant", "seats", "message"),
    [
        ("classic", 0, "classic is played with 1 to 5 seats, not 0"),
        ("classic", 6, "classic is played with 1 to 5 seats, not 6"),
        ("cards", 1, "cards is played with 2 to 5 seats, not 1"),
        ("duel", 3, "duel is played with 2 seats, not 3"),
    ],
)
def test_seat_counts(variant: str, seats: int, message: str) -> None:
    """D1, K2: each game has its numbers of seats."""
    with pytest.raises(QwixxError, match=message):
        Game(variant, seats)


def test_first_seat_and_seed_are_checked() -> None:
    """An invalid first seat or seed is refused."""
    with pytest.raises(QwixxError, match="first seat must be from 0 to 2, not 3"):
        Game("classic", 3, first=3)
    for seed in (-1, 2**64):
        with pytest.raises(QwixxError, match="A seed is a whole number"):
            Game("classic", 2, seed=seed)
        with pytest.raises(QwixxError, match="A seed is a whole number"):
            Game.from_position("classic | -", seed=seed)
    assert Game("classic", 2, seed=2**64 - 1).seats == 2


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.seats == 2], ids=str)
def test_same_seed_same_game(setting: Setting) -> None:
    """C2: one seed is one game, another seed another."""
    records = [play_on(new_game(setting, seed), Random(3)).record() for seed in (8, 8, 9)]
    assert records[0] == records[1]
    assert records[0] != records[2].replace("seed 9", "seed 8")


def test_the_first_seat_is_drawn_by_lot() -> None:
    """C2: over many seeds every seat is first about equally often."""
    firsts = [Game("classic", 4, seed=seed).active for seed in range(400)]
    assert all(70 <= firsts.count(seat) <= 130 for seat in range(4))


def test_without_a_seed_chance_is_new() -> None:
    """C2: two games without a seed have different rolls."""
    rolls = set()
    for _ in range(8):
        game = Game("longo", 2)
        game.roll()
        rolls.add(game.dice)
    assert len(rolls) > 1


@pytest.mark.slow
def test_faces_come_equally_often() -> None:
    """C2, L1: each of six dice shows each of its faces equally often, six with six and eight with eight sides."""
    for variant, sides in (("classic", 6), ("longo", 8)):
        counts = [[0] * (sides + 1) for _ in range(6)]
        game = Game(variant, 1, seed=4)
        for _ in range(1600):
            game.roll()
            assert game.dice is not None
            for die, face in enumerate(game.dice.replace("/", "")):
                counts[die][int(face)] += 1
            game.undo()
            game._states[0].rng += 1
        expected = 1600 / sides
        for none, *others in counts:
            assert none == 0
            assert all(abs(count - expected) < 6 * expected**0.5 for count in others)


# ---- chance


def test_outcomes_of_the_opening() -> None:
    """C2: 6^6 rolls, each once, with the same probability, which sum to one."""
    rolls = list(Game("classic", 2).chances())
    assert len({text for text, _ in rolls}) == len(rolls) == 46656
    assert sum(share for _, share in rolls) == pytest.approx(1.0)
    assert dict(rolls)["34/2615"] == pytest.approx(1 / 46656)


def test_outcomes_without_removed_dice() -> None:
    """C8: a removed die is a dash in every roll, and the probabilities still sum to one."""
    game = Game.from_position("classic active=0 phase=roll | r=2,3,4,5,6,12,L | -")
    rolls = list(game.chances())
    assert len(rolls) == 6**5
    assert {text[3] for text, _ in rolls} == {"-"}
    assert sum(share for _, share in rolls) == pytest.approx(1.0)
    twin = game.copy()
    twin.set_roll(rolls[-1][0])
    assert twin.dice == "66/-666"


def test_outcomes_only_before_a_roll() -> None:
    """C2, K2: where no roll is due there is nothing to list, and a whole deck has too many orders."""
    game = Game("classic", 1)
    game.roll()
    with pytest.raises(QwixxError, match="Chance has nothing to do in phase 'white'"):
        game.chances()
    with pytest.raises(QwixxError, match=r"The 44 cards have too many orders .* imagine\(seat\)"):
        Game("cards", 2).chances()


SIXTEEN_CARDS = """
id = "sixteen"
like = "cards"
name = "Sixteen cards"
title = "Four numbers in four colors."
seats = "2-2"
sheet = '''
r 2 3 4 | 5 L
y 2 3 4 | 5 L
g 5 4 3 | 2 L
b 5 4 3 | 2 L
'''
[cards]
sheets = ["classic"]
numbers = "2-5"
dealt = 4
left_out = 1
[closing]
crosses = 2
[score]
rows = [1, 3, 6, 10, 15]
miss = 5
"""


def test_outcomes_of_a_few_cards(tmp_path: Path) -> None:
    """K3: three discards to shuffle have six orders, which are equally likely, and each can be taken."""
    file = tmp_path / "sixteen.toml"
    file.write_text(SIXTEEN_CARDS, "utf-8")
    hands = "hand=r2,r3,r4,r5,y2 | hand=y3,y4,y5,g2"
    line = f"sixteen phase=shuffle display=g3,g4,g5,b2 discards=b3,b4,b5 | {hands}"
    game = Game.from_position(line, variant=file)
    orders = dict(game.chances())
    assert set(orders) == {"b3,b4,b5", "b3,b5,b4", "b4,b3,b5", "b4,b5,b3", "b5,b3,b4", "b5,b4,b3"}
    assert set(orders.values()) == {1 / 6}
    for order in orders:
        game.set_roll(order)
        assert game.reveal().number == int(order[1])
        game.undo()


@pytest.mark.parametrize("text", ["34/261", "34/26155", "07/1111", "3a/1111", "34-2615", "", "34/26-5"])
def test_impossible_rolls(text: str) -> None:
    """C2: a roll with a wrong form, a wrong face or a missing die is refused and nothing changes."""
    game = Game("classic", 2)
    before = game._states.tobytes()
    with pytest.raises(QwixxError):
        game.set_roll(text)
    assert game._states.tobytes() == before


def test_rolls_only_when_one_is_due() -> None:
    """C2: no roll is possible while a seat has to decide, nor after the end."""
    game = Game("classic", 1)
    game.set_roll("11/6666")
    for attempt in (game.roll, lambda: game.set_roll("11/6666")):
        with pytest.raises(NotYourTurn, match="Nobody rolls or shuffles in phase 'white'"):
            attempt()
    with pytest.raises(NotYourTurn, match="rolled, or the cards shuffled, first"):
        Game("classic", 1).decide(0, "r7")


def test_a_deck_is_complete() -> None:
    """K1: a deal with a duplicate or missing card is refused; a star means all the others."""
    game = Game("cards", 2, first=0)
    with pytest.raises(IllegalAction, match=r"not exactly the cards.*\(K1\)"):
        game.set_roll("r2,r3,r4,r5")
    with pytest.raises(IllegalAction, match="K1"):
        game.set_roll("r2,r2,*")
    game.set_roll("b12,b11,b10,b9,*")
    assert game.view(0).sheets[0].hand == ("b9", "b10", "b11", "b12")
    assert game.view(1).sheets[1].hand == ("r2", "r3", "r4", "r5")


# ---- decisions


def test_unknown_seats() -> None:
    """An unknown seat gives an error, not the sheet of another player."""
    game = Game("classic", 2)
    game.roll()
    for seat in (-1, 2, 5):
        for ask in (game.legal, game.view, lambda s: game.decide(s, "pass"), lambda s: game.why_not(s, "pass")):
            with pytest.raises(QwixxError, match="there is no seat"):
                ask(seat)


@pytest.mark.parametrize("action", [-1, ACTIONS, 10**9])
def test_numbers_that_are_not_an_action(action: int) -> None:
    """An integer out of range is not an action."""
    game = Game("classic", 1)
    game.roll()
    with pytest.raises(NotationError, match="actions are numbered from 0 to"):
        game.decide(0, action)


def test_actions_by_text_number_and_value() -> None:
    """An action can be given as its text, its id or itself."""
    game = Game("classic", 3, first=0)
    game.set_roll("34/1111")
    seven = game.legal(0)[0]
    assert (str(seven), int(seven), seven.text) == ("r7", seven.id, "r7")
    game.decide(0, seven)
    game.decide(1, seven.id)
    game.decide(2, " r7 ")
    assert [sheet.rows[0].crosses for sheet in game.view().sheets] == [(7,), (7,), (7,)]


@pytest.mark.slow
def test_why_not_for_every_refused_action_of_some_states() -> None:
    """Every refused action has a rule of the rule book and a complete sentence."""
    for setting in (s for s in SETTINGS if s.seats == 2):
        game = play_on(new_game(setting), Random(2), 15)
        if game.awaits_chance:
            game.roll()
        refusals = [game.why_not(game.deciders()[0], action) for action in range(ACTIONS)]
        assert None in refusals
        for refusal in refusals:
            if refusal is not None:
                assert refusal.rule[0] in "CGBLKD"
                assert refusal.sentence.endswith(".")
                assert refusal.code


# ---- lucky numbers


def test_lucky_numbers_by_hand_and_by_lot() -> None:
    """L5: given pairs are used as they are; random ones differ."""
    game = Game("longo", 2, lucky=["2/16", "2/16"])
    assert [sheet.lucky for sheet in game.view().sheets] == [(2, 16), (2, 16)]
    assert "lucky 2/16 2/16" in game.record()
    dealt = [sheet.lucky for sheet in Game("longo", 5, seed=1).view().sheets]
    assert set(dealt) == {(5, 10), (6, 11), (7, 12), (8, 13), (4, 9)}
    assert len({Game("longo", 1, seed=seed).view().sheets[0].lucky for seed in range(60)}) == 5


@pytest.mark.parametrize(
    "lucky",
    [["6/11"], ["6/11", "5/10", "4/9"], ["11/6", "5/10"], ["6/6", "5/10"], ["1/6", "5/10"], ["6/17", "5/10"],
     ["6-11", "5/10"], ["6/11/x", "5/10"], ["", "5/10"], ["6/11 ", "5/10"]],
)  # fmt: skip
def test_impossible_lucky_numbers(lucky: list[str]) -> None:
    """L4: a pair for each seat, small number first, both of them sums."""
    with pytest.raises(
        QwixxError, match=r"Lucky numbers (are a pair for each of the 2 seats|are two different|look like)"
    ):
        Game("longo", 2, lucky=lucky)
    with pytest.raises(QwixxError, match="classic has no lucky numbers"):
        Game("classic", 2, lucky=["6/11", "5/10"])


# ---- views


def test_a_spectator_sees_open_data_only() -> None:
    """K2, K11: no color of a hand or of the display, no choice; numbers, sheets and counts."""
    game = Game("cards", 3, seed=3, first=0)
    game.roll()
    game.decide(0, "take:1")
    game.decide(1, game.legal(1)[0])
    view = game.view()
    assert (view.seat, view.choice) == (None, None)
    assert [sheet.hand for sheet in view.sheets] == [None, None, None]
    assert [sheet.hand_size for sheet in view.sheets] == [5, 4, 4]
    numbers = [tuple(sorted(int(card[1:]) for card in sheet.hand or ())) for sheet in game.reveal().sheets]
    assert [sheet.backs for sheet in view.sheets] == numbers
    assert view.number == int(game.position().partition("pile=")[2].split(",")[0][1:])
    assert view.pile_size == 44 - 12 - 4 - 1
    assert all(2 <= (number or 0) <= 12 for number in view.display)
    assert view.deciders == (0, 2)


def test_a_seat_sees_its_own_hand_and_choice() -> None:
    """K2, C3: the own cards and decision, and no others; `reveal` shows all hands."""
    game = Game("cards", 2, seed=3, first=0)
    game.roll()
    game.decide(0, "take:1")
    game.decide(1, "pass")
    assert (game.view(0).choice, game.view(1).choice) == (None, "pass")
    assert game.view(0).sheets[1].hand is None
    assert len(game.view(1).sheets[1].hand or ()) == 4
    assert [len(sheet.hand or ()) for sheet in game.reveal().sheets] == [5, 4]


def test_after_the_end_all_cards_lie_open() -> None:
    """K8: when the game is over nothing is hidden."""
    game = play_on(Game("cards", 2, seed=5), Random(5))
    assert game.is_over
    assert all(sheet.hand is not None for sheet in game.view().sheets)


def test_a_view_as_plain_data() -> None:
    """A view can be sent as JSON."""
    data = Game("duel", 2, first=1).view(0).to_dict()
    assert (data["variant"], data["active"], data["phase"]) == ("duel", 1, "roll")
    assert data["sheets"][0]["pawns_left"] == 22


# ---- positions


def test_all_errors_of_a_position_are_reported_together() -> None:
    """The error of a line with many mistakes lists all of them."""
    line = "classic active=7 phase=night turn=0 color=red | r=7,5 misses=9 | y=2,12,L x=1 | -"
    with pytest.raises(qwixx.PositionError) as found:
        Game.from_position(line)
    problems = "\n".join(found.value.problems)
    for part in (
        "'color=red' is no fact of the table",
        "'phase' should be one of roll, white, color, over, not 'night'",
        "'active' should be from 0 to 2, not '7'",
        "'turn' should be from 1 to 100000, not '0'",
        "seat 0: r5 does not lie right of every cross in row r (C1)",
        "'misses' should be from 0 to 4, not '9'",
        "seat 1: Closing row y with y12 takes at least 5 crosses in it before; there are 1 (C7)",
        "'x=1' is no fact of seat 1",
    ):
        assert part in problems
    assert len(found.value.problems) == 8


def test_all_errors_of_a_row_are_reported_together() -> None:
    """C1, C7: every impossible cross of a row is listed, but not its consequences."""
    with pytest.raises(qwixx.PositionError) as found:
        Game.from_position("classic | r=5,13,3,x,12,L y=2 | -")
    assert found.value.problems == (
        "seat 0: '13' is no cross in row r",
        "seat 0: r3 does not lie right of every cross in row r (C1)",
        "seat 0: 'x' is no cross in row r",
        "seat 0: Closing row r with r12 takes at least 5 crosses in it before; there are 1 (C7)",
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "the line starts with the id of the variant"),
        ("chess | -", "There is no game 'chess'"),
        ("my.toml | -", "'my.toml' is not the id of a game"),
        ("cards sheet=my.toml | - | -", "'my.toml' is not the id of a sheet"),
        ("cards sheet=longo | - | -", "is played on classic, gemixxt-a, gemixxt-b, not on 'longo'"),
        ("classic", "classic has 1 to 5 seats, a section after a '|' for each, not 0"),
        ("duel | -", "duel has 2 seats, a section after a '|' for each, not 1"),
        ("classic turn=\uff11\uff12 | -", "'turn' should be from 1 to 100000, not '\uff11\uff12'"),
        ("classic | r=\uff17 | -", "'\uff17' is no cross in row r"),
        ("bonus-a | used=\uff11 | -", "'\uff11' is no cell of the bar"),
        ("longo | lucky=\uff16/11 | -", "Lucky numbers look like 6/11, not '\uff16/11'"),
        ("cards phase=play display=y\uff12,y3,y4,y5 pile=* | - | -", "'y\uff12' is no card"),
        ("classic phase=white roll=34/1111 choices=r\uff17,- | - | -", "'r\uff17' is no cell of this sheet"),
        ("classic | | -", "seat 0 is empty; an untouched seat is written '-'"),
        ("classic active=0 active=0 | -", "'active' stands twice at the table"),
        ("classic | misses=4 | -", "The game is over in this position (C11)"),
        ("classic phase=over | - | -", "The game is not over in this position (C11)"),
        ("classic | r=2,3,4,5,6,12 | -", "the lock L of row r goes with its closing cell (C7)"),
        ("classic | r=2,3,4,L | -", "the lock L of row r goes with its closing cell (C7)"),
        ("classic | r=13 | -", "'13' is no cross in row r"),
        ("classic | r=5x2 | -", "'5x2' is no cross in row r"),
        ("classic phase=white | -", "and the roll is missing (C2)"),
        ("classic roll=11/1111 | -", "no dice lie on the table in phase roll"),
        ("classic phase=white roll=11/111 | -", "'11/111' is no roll"),
        (
            "classic phase=white roll=11/-111 | -",
            "Dice show 1 to 6, and exactly the dice of closed rows are missing (C8)",
        ),
        ("classic phase=white roll=11/1111 | r=2,3,4,5,6,12,L | -", "exactly the dice of closed rows are missing (C8)"),
        ("classic phase=white crossed=yes roll=11/1111 | -", "'crossed=yes' belongs to the active seat's last action"),
        ("classic phase=white roll=34/1111 choices=r7 | - | -", "'choices' has a word for each seat"),
        ("classic phase=white roll=34/1111 choices=r8,- | - | -", "seat 0 cannot have chosen 'r8'"),
        ("classic phase=white roll=34/1111 choices=r7,y7 | - | -", "when all have chosen the window is no longer open"),
        ("classic first=r7 | -", "'first' belongs to action 2 of the duel"),
        ("classic pile=r2 | -", "'pile' belongs to the card games"),
        ("bonus-a | used=13 | -", "'13' is no cell of the bar"),
        ("bonus-a | r=3 | -", "seat 0: each crossed boxed cell has used the next free cell of the bonus bar"),
        ("bonus-a | r=3 used=2 | -", "The bar shows something else (BA2)"),
        ("bonus-a | r=2 used=1 | -", "The bar shows something else (BA2)"),
        ("bonus-a | used=1 struck=1 | -", "a cell of the bar both used and struck"),
        ("bonus-a | struck=1 | -", "exactly the unused cells of closed rows are struck (BA4)"),
        ("longo | lucky=11/6 | -", "Lucky numbers are two different sums from 2 to 16, small first, not 11/6"),
        ("longo | lucky=6-11 | -", "Lucky numbers look like 6/11, not '6-11'"),
        ("longo | r=2,3,4,5,6,7,15,16,L | -", "Row r is closed, and r16 comes after that (L2)"),
        ("classic | r=2,3,4,5,6,12,7,L | -", "Row r is closed, and r7 comes after that (C8)"),
        ("duel | r=2,3,4,5,6,12x2,L | -", "Row r is closed, and r12 comes after that (D7)"),
        ("duel | r=7,5 | -", "r5 does not lie right of your pawns in row r (D2)"),
        ("duel | r=2,3,4,5,12,L | -", "takes at least 5 of your own pawns in it; there are 4 (D7)"),
        ("duel | r=5 | r=5", "A cell may hold pawns of only one player: row r (D2)"),
        ("duel | r=5x23 | -", "seat 0 has too many pawns on the board: at most 22 (D1)"),
        ("duel | misses=3 | misses=2", "Both players share the boxes for misses, and there are only 4 (D8)"),
        ("cards phase=deal | hand=r2 | -", "before the deal nobody holds cards"),
        ("cards | hand=r2,r3 | hand=r4,r5", "is no card"),
        ("cards display=y2,y3,y4 pile=* | hand=r2,r3 | hand=r4,r5", "the display has 4 places"),
        ("cards display=y2,y3,y4,r2 pile=* | hand=r2,r3 | hand=r4,r5", "Every card of the deck is in one place"),
        (
            "cards display=y2,y3,y4,y5 pile=* | hand=r2 | hand=r4,r5",
            "seat 0 holds another number of cards at this moment: 2\N{EN DASH}4 (K3)",
        ),
        ("cards phase=play display=y2,y3,y4,y5 pile=* | hand=r2,r3 | hand=r4,r5", "at this moment: 5 (K3)"),
        (
            "cards display=y2,y3,y4,- pile=* | hand=r2,r3 | hand=r4,r5",
            "The display has four cards, and there is a card on the pile (K3)",
        ),
        (
            "cards phase=shuffle display=y2,y3,y4,y5 pile=* | hand=r2,r3,r4,r5,r6 | hand=r7,r8",
            "there is a card on the pile (K3)",
        ),
        ("classic | -" + " " * 9000 + "x", "at most 8192 characters"),
    ],
)
def test_impossible_positions(line: str, problem: str) -> None:
    """Every mistake in a line has its sentence."""
    with pytest.raises(qwixx.PositionError) as found:
        Game.from_position(line)
    assert problem in str(found.value)


def test_a_position_is_of_the_game_that_is_asked_for() -> None:
    """A line of another game than the given one is refused."""
    with pytest.raises(qwixx.PositionError, match="another game than 'longo'"):
        Game.from_position("classic | -", variant="longo")


def test_facts_that_are_left_out_have_their_starting_value() -> None:
    """The shortest line is the opening."""
    game = Game.from_position("classic | - | -")
    assert (game.phase, game.active, game.turn, game.scores()) == ("roll", 0, 1, (0, 0))
    assert game.position() == "classic active=0 phase=roll | - | -"


# ---- records

RECORD = "qwixx record 1\nvariant classic\nseats 2\nfirst 1\nroll 34/2615\n0 r7\n1 pass\n1 b9\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("qwixx record 1", "qwixx record 2", 1, "a record starts with 'qwixx record 1'"),
        ("qwixx record 1\n", "", 1, "a record starts with 'qwixx record 1'"),
        ("variant classic\n", "", 1, "does not say its 'variant'"),
        ("seats 2\n", "", 1, "does not say its 'seats'"),
        ("variant classic", "variant chess", 1, "There is no game 'chess'"),
        ("variant classic", "variant my.toml", 1, "'my.toml' is not the id of a game"),
        ("seats 2", "seats two", 3, "'seats' should be a small whole number"),
        ("seats 2", "seats \uff12", 3, "'seats' should be a small whole number"),
        ("0 r7", "\uff10 r7", 6, "is no line of a record"),
        ("seats 2", "seats 9", 1, "is played with 1 to 5 seats, not 9"),
        ("first 1", "first 1\nfirst 1", 5, "'first' stands once, before the first move"),
        ("first 1", "first 1\nlucky 6/11 5/10", 1, "has no lucky numbers"),
        ("first 1", "first 1\nlayout 123", 1, "another version of this sheet"),
        ("first 1", "first 1\nseed x", 5, "'seed' should be a whole number"),
        ("roll 34/2615", "roll 34/2", 5, "is no roll"),
        ("roll 34/2615", "deal r2", 5, "'deal' does not fit phase 'roll'"),
        ("0 r7", "0 r8", 6, "The white dice make 7"),
        ("0 r7", "0 q7", 6, "is no cell of this sheet"),
        ("0 r7", "7 r7", 6, "there is no seat 7"),
        ("0 r7", "hello", 6, "'hello' is no line of a record"),
        ("1 b9\n", "1 b9\nscores 1 x\n", 9, "'scores' should be a whole number for each seat"),
        ("1 b9\n", "1 b9\n\n# the end\nscores 1 1", 11, "the scores do not come out; replaying gives 1 1"),
        ("1 b9\n", "scores 0 0\n1 b9\n", 9, "nothing comes after the scores"),
    ],
)
def test_records_that_cannot_be_replayed(old: str, new: str, line: int, message: str) -> None:
    """The error of a record names the line."""
    assert old in RECORD
    with pytest.raises(qwixx.RecordError) as found:
        Game.from_record(RECORD.replace(old, new, 1))
    assert found.value.line == line
    assert message in str(found.value)


def test_a_record_may_have_comments_and_blank_lines() -> None:
    """R1: comments are skipped, and a later decision of a seat in a window replaces its earlier one."""
    text = RECORD.replace("0 r7\n", "# a try\n\n0 y7\n0 r7\n")
    game = Game.from_record(text)
    assert [sheet.rows[0].crosses for sheet in game.view().sheets] == [(7,), ()]
    assert [sheet.rows[1].crosses for sheet in game.view().sheets] == [(), ()]


def test_wrong_scores_are_found() -> None:
    """C12: the last line of a finished game is checked."""
    game = play_on(Game("classic", 2, seed=1), Random(1))
    record = game.record()
    assert record.splitlines()[-1] == f"scores {game.scores()[0]} {game.scores()[1]}"
    wrong = record.replace(f"scores {game.scores()[0]}", f"scores {game.scores()[0] + 1}")
    with pytest.raises(qwixx.RecordError, match="the scores do not come out") as found:
        Game.from_record(wrong)
    assert found.value.line == len(record.splitlines())


def test_a_record_of_a_card_game_keeps_its_sheet() -> None:
    """K10: the record contains the sheet, and replaying on another one is refused."""
    game = play_on(Game("cards", 2, seed=1, sheet="gemixxt-b"), Random(1), 20)
    assert "sheet gemixxt-b" in game.record()
    assert Game.from_record(game.record()).position() == game.position()
    with pytest.raises(qwixx.RecordError, match="The record is of"):
        Game.from_record(game.record(), variant=qwixx.variant("cards"))


def test_replay_goes_step_by_step() -> None:
    """The game is yielded after its opening and after every line."""
    phases = [game.phase for game in Game.replay(RECORD)]
    assert phases == ["roll", "white", "white", "color", "roll"]


# ---- history


def test_nothing_to_undo() -> None:
    """Undo stops at the start of the game."""
    game = Game("classic", 1)
    with pytest.raises(QwixxError, match="nothing to take back"):
        game.undo()
    game.roll()
    game.undo()
    with pytest.raises(QwixxError, match="nothing to take back"):
        game.undo()


def test_outcome_only_after_the_end() -> None:
    """C12, R4: before the end there is no outcome; equal totals share the win."""
    game = Game.from_position("classic active=0 phase=color roll=11/6666 | misses=3 r=2 | misses=2")
    assert game.outcome() is None
    game.decide(0, "pass")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.ending, outcome.scores, outcome.winners) == ("misses", (-19, -10), (1,))
    shared = Game.from_position("classic active=0 phase=over | misses=4 | r=2 misses=1 | g=12 misses=1").outcome()
    assert shared is not None
    assert shared.winners == (1, 2)


def test_a_path_is_a_sheet_file(tmp_path: Path) -> None:
    """A game can be named by the path of its sheet file, as text or as a path."""
    path = tmp_path / "mine.toml"
    path.write_text('id = "mine"\nlike = "longo"\n', "utf-8")
    assert Game(path, 2).variant == Game(str(path), 2).variant
    assert Game(path, 2).variant.id == "mine"
