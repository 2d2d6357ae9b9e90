"""Fields are declared once: derived code agrees with the declarations, and a new field takes three edits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import qwixx
from qwixx.kernel import api, paper
from qwixx.kernel.state.fields import BITS, COMPUTED, EVERYBODY, SHEET_FIELDS, STATE_FIELDS, VALUES
from qwixx.kernel.state.records import (
    BLANK,
    MENU,
    SHEET,
    SHEET_WORDS,
    STATE,
    STATE_WORDS,
    PlacedEntry,
    Records,
    seat_entries,
    table_entries,
    word_of,
)
from qwixx.rl import stepping
from qwixx.rl.spaces import describe
from support.games.game_sources import SHEETS, playable
from support.games.rl_reference import PAIRS, some_states

SOURCE = Path(qwixx.__file__).parent

# ---- code that derives from the declarations


def test_every_field_is_in_memory_and_has_words() -> None:
    """The records have the declared fields in their order, and their words cover them without a gap."""
    assert SHEET.names == tuple(field.name for field in SHEET_FIELDS)
    assert STATE.names == tuple(field.name for field in STATE_FIELDS)
    for record, fields, size in ((SHEET, SHEET_FIELDS, SHEET_WORDS), (STATE, STATE_FIELDS, STATE_WORDS)):
        assert [word_of(record, field.name) * 4 for field in fields] == np.cumsum(
            [0, *(record[field.name].itemsize for field in fields)]
        )[:-1].tolist()
        assert record.itemsize == 4 * size


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_new_game_resets_every_field(pair: tuple[str, int]) -> None:
    """A game that starts on a used state equals one that starts on an empty state, except for its random stream."""
    space = describe(*pair)
    clean: Records = np.zeros(1, STATE)
    dirty: Records = np.zeros(1, STATE)
    dirty.view(np.int32)[:] = 77
    for states in (clean, dirty):
        api.begin(space.layouts, states, 0, np.uint64(5), np.uint64(6), pair[1], -1)
    assert clean.tobytes() == dirty.tobytes()


def test_blank_values_by_hand() -> None:
    """Nothing is crossed or chosen; there is no card anywhere, and the first turn is number one."""
    blank = BLANK.view(STATE)[0]
    assert (blank.turn, blank.phase, blank.first_cell, blank.closed, blank.held.tolist()) == (1, 0, -1, 0, [0] * 5)
    for cards in (blank.hands, blank.display, blank.pile, blank.discards, blank.choices):
        assert set(cards.ravel().tolist()) == {-1}
    assert not blank.sheets.view(np.int32).any()


def test_a_copied_sheet_has_everything() -> None:
    """A copy has every word of a sheet."""
    sheets: Records = np.zeros(2, SHEET)
    sheets.view(np.int32)[:SHEET_WORDS] = range(1, SHEET_WORDS + 1)
    paper.copy_sheet(sheets[0], sheets[1])
    assert sheets[1].tobytes() == sheets[0].tobytes()


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_observations_show_the_fields_as_they_are_declared(pair: tuple[str, int]) -> None:
    """An observation entry made of values or bits of a field has the numbers of that field."""
    space, states = some_states(*pair, seed=19)
    layout = space.layouts[0]

    def expected(placed: PlacedEntry, words: list[int], who: int) -> list[int]:
        word, size = placed.word + who * placed.stride, placed.entry.size(layout)
        if placed.entry.form == BITS:
            return [words[word] >> bit & 1 for bit in range(size)]
        return words[word : word + size]

    seen, mask = np.zeros((1, space.size), np.int8), np.zeros((1, space.actions), np.int8)
    compared = 0
    for at in range(len(states)):
        state = states[at : at + 1]
        words = state.view(np.int32).tolist()
        stepping.observe_into(space.layouts, state, 1, stepping.NOBODY, np.zeros(1, MENU), seen, mask)
        named = space.named(seen[0])
        shown = [
            (f"{prefix}.", placed, who) for prefix, who in (("own", 1), ("next1", 0)) for placed in seat_entries(layout)
        ]
        shown += [("", placed, 0) for placed in table_entries(layout)]
        for prefix, placed, who in shown:
            if placed.entry.form in (VALUES, BITS):
                assert named[prefix + placed.entry.name].tolist() == expected(placed, words, who)
                compared += 1
    assert compared > 5 * len(states)


def test_every_field_is_shown_to_learners_or_has_a_reason() -> None:
    """A field is an observation entry, part of a hand-written one, hidden, or useless for learning."""
    games = [*PAIRS, *((str(SHEETS / f"{game}.toml"), 2) for game in playable() if game not in qwixx.games())]
    names = {field.name for game in games for field in describe(*game).fields}
    for field in (*SHEET_FIELDS, *STATE_FIELDS):
        if field.encoded_by_hand:
            assert any(name.startswith(field.encoded_by_hand) for name in names), field.name
        for entry in field.entries:
            assert field.sees == EVERYBODY or entry.form == COMPUTED  # of hands only the numbers (K11)
            assert {entry.name, f"own.{entry.name}"} & names, entry.name
    silent = {field.name for field in STATE_FIELDS if not field.entries and not field.encoded_by_hand}
    # Sheets have their own list, pawns of the board are the cells of a sheet, and the turn number changes nothing.
    assert silent == {"rng", "seats", "turn", "ending", "waiting", "sheets", "board"}


# ---- a new field

EDITS = {
    "kernel/state/fields.py": [
        (
            '"""The fields of one seat\'s sheet."""',
            "\nSHEET_FIELDS += (\n"
            '    Field("coins", "coins of the seat", text=Text("coins", Number(fixed(0), fixed(40))),\n'
            '          entries=(Entry("coins", VALUES, fixed(1), fixed(40), "coins"),)),\n'
            '    Field("plan", "places it thinks of", sees=OWN_SEAT,\n'
            '          text=Text("plan", Places(fixed(6), "place of a plan"))),\n'
            ")\n",
        ),
        (
            '"""The fields of a whole game."""',
            "\nSTATE_FIELDS += (\n"
            '    Field("toll", "coins paid so far", text=Text("toll", Number(fixed(0), fixed(99))),\n'
            '          entries=(Entry("toll", VALUES, fixed(1), fixed(99), "coins paid"),)),\n'
            ")\n",
        ),
    ],
    "kernel/flow.py": [
        (
            "            state.sheets[active].misses += 1  # C6, K6, D6\n",
            "            state.sheets[active].coins += 2\n            state.toll += 1\n",
        )
    ],
    "game/view.py": [
        ("    struck: tuple[int, ...] = ()\n", "    coins: int = 0\n    plan: tuple[int, ...] = ()\n"),
        ("    pile_size: int = 0\n", "    toll: int = 0\n"),
    ],
}
"""Three invented fields with all necessary edits: for each file, lines after which text is inserted."""

PROOF = """
import numpy as np
import pytest
import qwixx
from qwixx.kernel import api
from qwixx.kernel.state.records import MENU, STATE
from qwixx.rl import stepping
from qwixx.rl.spaces import describe
from qwixx.sim.block import Block
from qwixx.game.view import read_view

# the rule, the view, the memory of drawn sheets
game = qwixx.Game("classic", 2, seed=1, first=0)
assert (game.view().sheets[0].coins, game.view().toll) == (0, 0)
game.roll()
for seat in (0, 1, 0):
    game.decide(seat, "pass")
assert [sheet.coins for sheet in game.view().sheets] == [2, 0]
assert game.view(1).toll == 1

# the position line, and what cannot be
line = "classic active=0 phase=roll turn=3 toll=4 | misses=1 coins=2 plan=1,3 | coins=40"
again = qwixx.Game.from_position(line)
assert again.position() == line
assert "toll" not in game.from_position("classic | -").position()
for wrong, problem in (
    ("classic | coins=41", "'coins' should be from 0 to 40, not '41'"),
    ("classic | coins=x", "'coins' should be from 0 to 40, not 'x'"),
    ("classic | plan=7", "seat 0: '7' is no place of a plan"),
    ("classic toll=100 | -", "'toll' should be from 0 to 99, not '100'"),
):
    with pytest.raises(qwixx.PositionError, match=problem):
        qwixx.Game.from_position(wrong)

# who sees it
assert again.view(0).sheets[0].plan == (1, 3)
assert again.view(1).sheets[0].plan == again.view().sheets[0].plan == ()
assert again.view(1).sheets[0].coins == 2

# learners
space = describe("classic", 2)
names = [field.name for field in space.fields]
assert names.index("own.coins") < names.index("next1.cells") and "next1.coins" in names and "toll" in names
assert not any("plan" in name for name in names)
layouts, states = again.raw()
seen, mask = np.zeros((1, space.size), np.int8), np.zeros((1, space.actions), np.int8)
stepping.observe_into(layouts, states, 1, stepping.NOBODY, np.zeros(1, MENU), seen, mask)
named = space.named(seen[0])
assert (named["own.coins"].tolist(), named["next1.coins"].tolist(), named["toll"].tolist()) == ([40], [2], [4])
assert (named["next1.misses"].tolist(), named["gone"].tolist()) == ([1], [0, 0, 0, 0])
assert space.high()[space.fields[names.index("toll")].start] == 99

# who works from lists of their own leaves it alone
with pytest.raises(qwixx.QwixxError, match="the solver does not know field-coins, field-plan, field-toll"):
    qwixx.solve("classic")
assert not Block(again.variant, ("gap", "gap"), rotate=True, seed=0, first=0, count=1).uses_fast_path

# a new game begins without it
states.view(np.int32)[:] = 9
api.begin(layouts, states, 0, np.uint64(1), np.uint64(1), 2, 0)
fresh = read_view(again.variant, layouts, states, None)
assert [(sheet.coins, sheet.plan) for sheet in fresh.sheets] == [(0, ()), (0, ())] and fresh.toll == 0
print("proved")
"""


@pytest.mark.slow
def test_a_new_field_takes_three_edits(tmp_path: Path) -> None:
    """Declared, used by a rule and shown by the view, a field is everywhere: in lines, hiding, learning, resetting."""
    package = tmp_path / "qwixx"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("web", "__pycache__"))
    for name, edits in EDITS.items():
        text = (package / name).read_text("utf-8")
        for line, added in edits:
            assert text.count(line) == 1, f"{name} has changed: {line!r}"
            text = text.replace(line, line + added)
        (package / name).write_text(text, "utf-8")
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROOF],
        env={**os.environ, "QWIXX_JIT": "0", "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.stdout == "proved\n", answer.stderr
