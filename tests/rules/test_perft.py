"""Perft: two implementations of the rules count the same sequences of decisions."""

from __future__ import annotations

from functools import cache

import pytest

from oracle import Oracle
from oracle.cards import CardTable
from qwixx import Game, NotationError, QwixxError
from qwixx.jit.decorators import COMPILES
from qwixx.testing.perft import Block, Count, divide, perft, read_perft
from support.games.game_sources import playable, sheet_file
from support.paths import GOLDEN

pytestmark = pytest.mark.slow

FILES = GOLDEN / "perft"


@cache
def blocks(variant: str) -> list[Block]:
    """Read the perft file of a variant."""
    return read_perft((FILES / f"{variant}.perft").read_text("utf-8"), f"{variant}.perft")


ORACLE_CASES = [
    pytest.param(block, count, id=f"{path.stem}-line{count.line}")
    for path in sorted(FILES.glob("*.perft"))
    for block in blocks(path.stem)
    for count in block.counts
    if not count.all_rolls
]
CASES = [
    pytest.param(block, count, id=f"{variant}-line{count.line}")
    for variant in playable()
    for block in blocks(variant)
    for count in block.counts
]


def game_of(block: Block) -> str:
    """Return the id of the game of a block."""
    return block.position.partition(" ")[0]


def start(block: Block) -> Game:
    """Return the game of a block."""
    return block.game(sheet_file(game_of(block)))


class OraclePerft:
    """Perft with the oracle only."""

    def __init__(self, block: Block) -> None:
        """Start a game from an opening line and apply its events."""
        head, *seats = block.position.split(" | ")
        variant, *facts = head.split()
        known = dict(fact.split("=") for fact in facts)
        lucky = [tuple(map(int, seat.removeprefix("lucky=").split("/"))) for seat in seats if "lucky" in seat]
        self.start = Oracle(
            variant,
            len(seats),
            int(known["active"]),
            known.get("sheet", "classic"),
            [(pair[0], pair[1]) for pair in lucky] or None,
        )
        for word in block.after:
            if self.start.deciders():
                self.start.decide(min(self.start.deciders()), word)
            else:
                self.start.chance(word)

    def divide(self, depth: int, rolls: tuple[str, ...]) -> dict[str, int]:
        """Count by the first decision."""
        game, rolls = with_scripted_rolls(self.start.clone(), rolls)
        if not game.deciders():
            return {}
        seat = min(game.deciders())
        return {action: count(decided(game, seat, action), depth - 1, rolls) for action in game.legal(seat)}


def with_scripted_rolls(game: Oracle, rolls: tuple[str, ...]) -> tuple[Oracle, tuple[str, ...]]:
    """Apply the scripted rolls that are due; removed dice are left out, and a star is all other cards."""
    while not game.deciders() and game.phase != "over" and rolls:
        table = game.table
        if isinstance(table, CardTable):
            cards = table.deck if game.phase == "deal" else table.discards
            given = [card for card in rolls[0].split(",") if card != "*"]
            rest = [card for card in table.deck if card in cards and card not in given]
            game.chance(",".join(given + rest))
        else:
            game.chance(table.dice_text(rolls[0]))  # type: ignore[attr-defined]  # both tables with dice have it
        rolls = rolls[1:]
    return game, rolls


def decided(game: Oracle, seat: int, action: str) -> Oracle:
    """Return the game after a decision."""
    after = game.clone()
    after.decide(seat, action)
    return after


def count(game: Oracle, depth: int, rolls: tuple[str, ...]) -> int:
    """Count the sequences of this many decisions."""
    if depth == 0:
        return 1
    game, rolls = with_scripted_rolls(game, rolls)
    if not game.deciders():
        return 0
    seat = min(game.deciders())
    if depth == 1:
        return len(game.legal(seat))
    return sum(count(decided(game, seat, action), depth - 1, rolls) for action in game.legal(seat))


@pytest.mark.parametrize("variant", playable())
def test_every_variant_has_openings_and_middle_games(variant: str) -> None:
    """Each game has a perft file with an opening, a middle game and counts four decisions deep."""
    assert any(not block.after for block in blocks(variant))
    assert any(block.after for block in blocks(variant))
    assert {1, 2, 3, 4} <= {count.depth for block in blocks(variant) for count in block.counts}


@pytest.mark.parametrize(("block", "promised"), CASES)
def test_counts_are_as_promised(block: Block, promised: Count) -> None:
    """The package counts what the file says; if not, the divide of both shows where to look."""
    if promised.all_rolls and not COMPILES:
        pytest.skip("too slow interpreted")
    nodes = perft(start(block), promised.depth, block.rolls, all_rolls=promised.all_rolls)
    if nodes != promised.nodes and not promised.all_rolls:
        ours = divide(start(block), promised.depth, block.rolls)
        theirs = OraclePerft(block).divide(promised.depth, block.rolls)
        pytest.fail(f"{start(block).position()}\npackage {nodes}: {ours}\noracle {promised.nodes}: {theirs}")
    assert nodes == promised.nodes


@pytest.mark.parametrize(("block", "promised"), ORACLE_CASES)
def test_the_oracle_counts_the_same(block: Block, promised: Count) -> None:
    """The oracle agrees with the package, first decision by first decision; it counts games without an engine, too."""
    theirs = OraclePerft(block).divide(promised.depth, block.rolls)
    assert sum(theirs.values()) == promised.nodes
    if game_of(block) in playable():
        assert theirs == divide(start(block), promised.depth, block.rolls)


@pytest.mark.parametrize("variant", playable())
def test_a_position_line_counts_like_the_game(variant: str) -> None:
    """A game set up from its position line has the same counts as the game itself."""
    for block in blocks(variant):
        game = start(block)
        again = Game.from_position(game.position(), variant=sheet_file(variant))
        assert divide(again, 3, block.rolls) == divide(game, 3, block.rolls)


def test_lines_that_end_early_count_nothing() -> None:
    """Without a roll, or after the end, the count is zero."""
    assert perft(Game("classic", seats=1), 1) == 0
    assert perft(Game("classic", seats=1), 3, ["34/2615"]) == 0
    over = Game.from_position("classic active=0 phase=over | misses=4")
    assert (perft(over, 0), perft(over, 1), divide(over, 1)) == (1, 0, {})


def test_a_decision_made_already_is_not_counted_again() -> None:
    """In an open window only the seats without a decision count."""
    game = Game("classic", seats=2, first=0)
    game.set_roll("34/2615")
    assert perft(game, 2) == 25
    game.decide(0, "r7")
    assert perft(game, 1) == 5
    assert game.deciders() == (1,)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("perft 1 5", "line 1: expected 'position ...'"),
        ("position classic | -\nnonsense", "line 2: expected 'after ...', 'rolls ...'"),
        ("position classic | -\nperft x 5", "line 2: expected 'perft DEPTH NODES'"),
        ("position classic | -\nperft 1", "line 2: expected 'perft DEPTH NODES'"),
        ("position classic | -\nperft 1 2 some-rolls", "line 2: expected 'perft DEPTH NODES'"),
        ("position classic | -\nperft 99 5", "line 2: the depth is from 1 to 64"),
    ],
)
def test_an_error_in_the_file_is_reported(text: str, found: str) -> None:
    """The error of an invalid file names the line and what was expected."""
    with pytest.raises(NotationError, match=found):
        read_perft(text)


def test_scripts_that_do_not_fit_are_refused() -> None:
    """Impossible rolls, moves after the end and too large depths are typed errors."""
    with pytest.raises(QwixxError, match="cannot fall"):
        perft(Game("classic", seats=1), 1, ["99/9999"])
    with pytest.raises(QwixxError, match="decisions deep"):
        perft(Game("classic", seats=1), 65)
    with pytest.raises(QwixxError, match="roll of dice"):
        perft(Game("cards", seats=2), 1, all_rolls=True)
    with pytest.raises(QwixxError, match="over"):
        Block("classic active=0 phase=over | misses=4", 1, after=("pass",)).game()
