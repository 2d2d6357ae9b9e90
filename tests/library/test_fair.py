"""Verifiable dice: the recipe by hand, equal shares, and modified records."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import qwixx
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.fair.commitment import Fair, UnfairError, new_seed, promise_of, remarks, seal_of, verify
from qwixx.variants import names

NOUGHT = "0" * 64
DICE = "46/4623"


def test_the_recipe_by_hand() -> None:
    """Computed with `sha256sum` and a calculator.

    The hashes of `000...0 2 a ["",""]` and `... 2 b ["",""]` start with d2c15fcd and dc0da953; in base six their digits
    end, from the last, with 3 5 3 5 1 2; the number of draw 0 is odd.
    """
    fair = Fair(NOUGHT, ("", ""))
    assert promise_of(NOUGHT) == "9c73475d315c683ecae7a58b7cd893a10ec25461edfb7e7c5db862606ce50080"
    assert fair.first(2) == 1
    assert fair.throw(qwixx.Game("classic", 2, first=0), 0) == DICE
    assert fair.throw(qwixx.Game("classic", 2, first=0), 1) != fair.throw(qwixx.Game("classic", 2, first=0), 2)
    assert Fair(NOUGHT, ("mine", "")).throw(qwixx.Game("classic", 2, first=0), 0) != DICE


def test_dice_come_in_equal_shares() -> None:
    """A removed die has no face; dice with eight sides have eight faces."""
    fair, game = Fair(new_seed()), qwixx.Game("classic", 2, seed=1)
    faces = Counter(face for number in range(3000) for face in fair.throw(game, number) if face != "/")
    assert set(faces) == set("123456")
    assert all(abs(count - 3000) < 300 for count in faces.values())
    longo = qwixx.Game("longo", 2)
    assert {face for number in range(200) for face in fair.throw(longo, number) if face != "/"} == set("12345678")
    closed = qwixx.Game.from_position("classic active=0 phase=roll | r=2,3,4,5,6,12,L | -")
    assert re.fullmatch(r"[1-6]{2}/-[1-6]{3}", fair.throw(closed, 0))


@pytest.mark.parametrize("variant", ["cards", "cards-joker"])
def test_decks_are_complete(variant: str) -> None:
    """A deal has all cards of the game in an order that differs from deal to deal; any card may be first or last."""
    fair = Fair(new_seed())
    decks = [fair.throw(qwixx.Game(variant, 2), number) for number in range(1000)]
    assert len(set(decks)) == 1000
    qwixx.Game(variant, 2).set_roll(decks[0])
    for place in (0, -1):
        assert len({deck.split(",")[place] for deck in decks}) == len(decks[0].split(","))


def test_lots_reach_every_seat() -> None:
    """Every seat is first in some games, and every pad of lucky numbers is dealt, none of them twice."""
    fairs = [Fair(new_seed()) for _ in range(300)]
    assert {fair.first(3) for fair in fairs} == {0, 1, 2}
    rules = qwixx.variant("longo")
    dealt = [tuple(fair.lucky(rules, 2) or ()) for fair in fairs]
    assert len({pad for pads in dealt for pad in pads}) == len(rules.lucky)
    assert all(len(set(pads)) == 2 for pads in dealt)
    assert fairs[0].lucky(qwixx.variant("classic"), 2) is None


def played(variant: str, fair: Fair, seats: int = 2) -> str:
    """Play a game with passes and first choices only, and write its record as a server does."""
    rules = qwixx.variant(variant)
    game = qwixx.Game(rules, seats, first=fair.first(seats), lucky=fair.lucky(rules, seats))
    throws = 0
    while not game.is_over:
        if game.awaits_chance:
            game.set_roll(fair.throw(game, throws))
            throws += 1
        for seat in game.deciders():
            game.decide(seat, game.legal(seat)[0])
    first, *rest = game.record().splitlines()
    return "\n".join([first, *remarks(fair, is_lucky_chosen=False), *rest]) + "\n"


@pytest.mark.parametrize("variant", names())
def test_a_record_is_checked(variant: str) -> None:
    """As it is, with a noted commitment, and with each kind of modification."""
    fair = Fair(new_seed(), ("für Oma", ""))
    text = played(variant, fair)
    found = verify(text, promise_of(fair.seed).upper())
    assert found == verify(text)
    assert found.words == ("für Oma", "")
    assert found.throws == sum(line.startswith(("roll ", "deal ", "shuffle ")) for line in text.splitlines())
    other = new_seed()
    for changed, reason in (
        (text.replace(fair.seed, other), "not the one that was promised"),
        (text.replace(fair.seed, other).replace(promise_of(fair.seed), promise_of(other)), "had to"),
        (text.replace("für Oma", "für Opa"), "had to"),
    ):
        with pytest.raises(UnfairError, match=reason):
            verify(changed)
    with pytest.raises(UnfairError, match="not the one"):
        verify(text, promise_of(other))


def test_sealed_words() -> None:
    """Words have to be the sealed ones; those that were not opened are named; old records have no seals.

    The hash was computed with `printf 'qwixx words 000...0 mine' | sha256sum`.
    """
    mine = f"{'0' * 32} mine"
    assert seal_of(mine) == "1fa971e9537d4a1e28550c1f173520dfc8b7d5e82cd9063ea4d705afd5f53484"
    seals = (seal_of(mine), seal_of(f"{'1' * 32} yours"), "")
    opened = Fair(NOUGHT, (mine, "", ""), seals)
    text = played("classic", opened, seats=3)
    found = verify(text)
    assert (found.words, found.seals, found.left_out) == (("mine", "", ""), seals, (1,))
    ground = f"{'2' * 32} chosen last"
    for words in ((mine, ground, ""), (mine, "", ground), (mine, "", f"{'0' * 32} mine")):
        with pytest.raises(UnfairError, match="are not the ones that were sealed"):
            verify(played("classic", Fair(NOUGHT, words, seals), seats=3))
    with pytest.raises(QwixxError, match="cannot be read"):
        verify(played("classic", Fair(NOUGHT, (mine, "", ""), seals[:2]), seats=3))
    old = verify(played("classic", Fair(NOUGHT, ("mine", "", "")), seats=3))
    assert (old.words, old.seals, old.left_out) == (("mine", "", ""), (), ())


def test_a_roll_that_was_changed() -> None:
    """The error names the line and both rolls, also on the command line."""
    fair = Fair(NOUGHT, ("", ""))
    game = qwixx.Game("classic", 2, first=fair.first(2))
    head, *rest = game.record().splitlines()
    text = "\n".join([head, *remarks(fair, is_lucky_chosen=False), *rest, "roll 11/1111"]) + "\n"
    with pytest.raises(UnfairError, match=f"the roll is 11/1111, and had to be {DICE}"):
        verify(text)


def test_the_command(tmp_path: Path) -> None:
    """Exit codes: 0 verified, 1 not, 2 cannot be verified."""
    file = tmp_path / "game.qwixx"
    fair = Fair(new_seed(), ("a", "b"))

    def run(text: str, *options: str) -> tuple[int, str]:
        file.write_text(text, encoding="utf-8")
        done = CliRunner().invoke(main, ["verify", str(file), *options])
        return done.exit_code, done.output

    text = played("duel", fair)
    code, output = run(text)
    assert code == 0
    assert promise_of(fair.seed) in output
    assert "'a', 'b'" in output
    assert "were not sealed" in output
    assert "before the game is over" not in output
    assert json.loads(run(text, "--json")[1]).items() >= {"fair": True, "over": True}.items()
    cut = text[: text.rindex("\nroll ") + 1]  # the last turn is missing
    code, output = run(cut)
    assert (code, "before the game is over" in output) == (0, True)
    assert json.loads(run(cut, "--json")[1])["over"] is False
    nonce = "0" * 32
    sealed = Fair(fair.seed, (f"{nonce} a", ""), (seal_of(f"{nonce} a"), seal_of(f"{nonce} b")))
    output = run(played("duel", sealed))[1]
    assert "Seat 1 did not open its sealed words in time" in output
    assert "Players added: 'a'." in output
    assert "were not sealed" not in output
    assert run(text, "--promise", "1234")[0] == 1
    assert run(text.replace(fair.seed, "x" * 64))[0] == 2
    assert run(qwixx.Game("classic", 2).record()) == (2, "Error: This record has no seed: it cannot be checked.\n")
