"""Parts of the learned player: the inputs of a position, decisions that follow from values, and training updates."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from qwixx import Game
from qwixx.kernel.state.records import Ints, Record, Records
from qwixx.nets.duel_board import CAPTURE_STATES, SIDE_STATES, list_board
from qwixx.nets.feature_tables import empty_net, feature_layout, load_net
from qwixx.nets.hand_features import BEST_PLAYS, list_hand
from qwixx.nets.network import (
    BUFFERS,
    ENOUGH_UPDATES,
    HIDDEN,
    MAX_INPUTS,
    OUTPUTS,
    OWN_POINTS,
    THEIR_POINTS,
    WIN,
    Features,
    Net,
    backward,
    copy_net,
    forward,
)
from qwixx.nets.scratch import SCRATCH
from qwixx.nets.sheet_features import list_alone, list_both, list_sheet, row_state
from qwixx.nets.training.calibration import _fit_last_layer, calibration, fit_calibration
from qwixx.nets.training.self_play import self_play
from qwixx.players.built_in.master import net_of
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.random_games import choose

DICE_GAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")


def records_of(layouts: Records) -> Features:
    """Return what it takes to list features."""
    scratches: Records = np.zeros(1, SCRATCH)
    return Features(layouts[0], feature_layout(layouts)[0], scratches[0])


def inputs_of(game: Game, own: int = 0, other: int = 1) -> tuple[Record, list[int], list[int], list[int]]:
    """List the inputs of a position: of the own sheet, of the other's, and of both together."""
    layouts, states = game.raw()
    features = records_of(layouts)
    inputs, state = features.inputs, states[0]
    ids: Ints = np.zeros(MAX_INPUTS, np.int32)
    one = list_sheet(features, state.sheets[own], state.closed, 0, ids, 0)
    two = list_sheet(features, state.sheets[other], state.closed, inputs.other_side, ids, one)
    three = list_both(features, state.sheets[own], state.sheets[other], state.closed, ids, two)
    return inputs, ids[:one].tolist(), ids[one:two].tolist(), ids[two:three].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", DICE_GAMES)
def test_inputs_stay_in_their_tables(name: str) -> None:
    """Through whole games every input is a row of the tables of its side, and none is listed twice for a sheet."""
    rng = Random(f"inputs {name}")
    seen = 0
    for seed in range(2):
        game = Game(name, 2, seed=seed, first=0)
        while not game.is_over:
            inputs, own, other, both = inputs_of(game)
            side = int(inputs.other_side)
            assert all(0 <= row < side for row in own)
            assert all(side <= row < 2 * side for row in other)
            assert all(2 * side <= row < inputs.rows for row in both)
            seen += 1
            if game.awaits_chance:
                game.roll()
            else:
                for seat in game.deciders():
                    game.decide(seat, choose(game, seat, rng))
    assert seen > 20


@pytest.mark.slow
def test_inputs_of_the_board_stay_in_its_tables() -> None:
    """The same for the duel, with captures and stacks; the own inputs of one seat are the other's for its opponent."""
    rng = Random("board")
    layouts = compile_layout(load("duel"))
    inputs: Record = feature_layout(layouts)[0]
    places = inputs.board
    ids: Ints = np.zeros(MAX_INPUTS, np.int32)
    for seed in range(3):
        game = Game("duel", 2, seed=seed, first=0)
        while not game.is_over:
            state = game.raw()[1][0]
            rows = [ids[: list_board(layouts[0], inputs, state, seat, ids)].tolist() for seat in range(2)]
            assert all(0 <= row < inputs.rows for row in rows[0] + rows[1])
            own, other = (
                [[row - at for row in rows[seat] if at <= row < at + SIDE_STATES] for seat in range(2)]
                for at in (int(places.own_at[0]), int(places.other_at[0]))
            )
            assert own == other[::-1]
            if game.awaits_chance:
                game.roll()
            else:
                for seat in game.deciders():
                    game.decide(seat, choose(game, seat, rng))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sheet"), [("cards", "classic"), ("cards", "gemixxt-a"), ("cards-joker", "gemixxt-b")]
)
def test_inputs_of_a_hand_stay_in_their_tables(name: str, sheet: str) -> None:
    """Through a whole game, at every stage of a hand."""
    rng = Random(f"hand {name} {sheet}")
    game = Game(name, 2, seed=2, first=0, sheet=sheet)
    layouts = game.raw()[0]
    features = records_of(layouts)
    inputs, ids = features.inputs, features.scratch.buffers.ids[0]
    while not game.is_over:
        state = game.raw()[1][0]
        for stage in range(5):
            count = list_hand(features, state, 0, stage, 0)
            # Rows, what jokers add to them, cards without a color in each, the hand, the display.
            assert count <= 3 * 4 + 4 + 5 * 5 + 2 + 4
            assert all(
                2 * inputs.other_side <= row < inputs.hand.kind_at or inputs.first_rows <= row < inputs.rows
                for row in ids[:count]
            )
        if game.awaits_chance:
            game.roll()
        else:
            for seat in game.deciders():
                game.decide(seat, choose(game, seat, rng))


def test_inputs_of_a_hand_by_hand() -> None:
    """Red 2, 3 and 5 are 0, 1 and 3 cells away; blue 7 was played before, and is five cells from the start."""
    line = "cards active=0 phase=play display=y2,y3,y4,y5 pile=* discards=b7,b9,g12 | hand=r2,r3,r5,y9,b2 | hand=g4,g5"
    game = Game.from_position(line)
    layouts, states = game.raw()
    features = records_of(layouts)
    inputs, scratch, ids = features.inputs, features.scratch, features.scratch.buffers.ids[0]
    places = inputs.hand
    count = list_hand(features, states[0], 0, 3, 0)
    listed = ids[:count].tolist()
    assert scratch.patterns.tolist() == [0b1011, 0, 0, 0]  # yellow 9 and blue 2 are too far away to count
    # On an empty sheet each row is in its first state. A full hand comes after one that waits.
    assert places.held_at[0] + 64 + 0b1011 in listed
    # Green 12 is the next cell of its row, blue 9 the fourth; blue 7 is too far away to count.
    assert [places.out_at[row] + mask in listed for row, mask in ((0, 0), (2, 0b1), (3, 0b1000))] == [True] * 3
    # Red 2, 3 and 5 skip one cell: the second best of plays with three crosses; no other row has any.
    best = [row - places.best_at for row in listed if places.best_at <= row < places.best_at + BEST_PLAYS]
    assert best == [((3 * 10 + 8) * 10 + 0) * 3]


def test_a_joker_in_every_row() -> None:
    """A joker 4 lies between red 3 and 5, and is the third cell of yellow; in green and blue it is far away (K9)."""
    line = "cards-joker active=0 phase=play display=y2,y3,y5,y6 pile=* | r=2 hand=r3,r5,{},b7,b8 | hand=g4,g5"
    layouts, states = Game.from_position(line.format("j4")).raw()
    features = records_of(layouts)
    inputs, scratch, ids = features.inputs, features.scratch, features.scratch.buffers.ids[0]
    wild_at = inputs.hand.wild_at
    count = list_hand(features, states[0], 0, 3, 0)
    listed = ids[:count].tolist()
    assert scratch.patterns.tolist() == [0b101, 0, 0, 0b110000]
    red, yellow = (row_state(inputs, states[0].sheets[0], 0, row) for row in (0, 1))
    expected = {wild_at[0] + (red * 2 + 1) * 64 + 0b111, wild_at[1] + (yellow * 2 + 1) * 64 + 0b100}
    assert {row for row in listed if row >= inputs.first_rows} == expected
    states = Game.from_position(line.format("b9")).raw()[1]
    count = list_hand(features, states[0], 0, 3, 0)
    assert max(ids[:count]) < inputs.first_rows


def test_a_pawn_that_can_be_captured() -> None:
    """Grey has one pawn on red 7 and one on 3: a capture leaves grey the 3; a stack cannot be captured (D3, D4)."""
    layouts = compile_layout(load("duel"))
    inputs: Record = feature_layout(layouts)[0]
    first = int(inputs.board.capture_at[0])
    ids: Ints = np.zeros(MAX_INPUTS, np.int32)
    for line, expected in (("r=3,7", [(16 + 6) * 16 + 2]), ("r=3,7,7", [])):
        state = Game.from_position(f"duel active=0 phase=roll | {line} | -").raw()[1][0]
        listed = ids[: list_board(layouts[0], inputs, state, 0, ids)]
        assert [int(row) - first for row in listed if first <= row < first + CAPTURE_STATES] == expected


@pytest.mark.parametrize("name", DICE_GAMES)
def test_tables_do_not_overlap(name: str) -> None:
    """Tables that are not shared follow one another: the largest row of each lies before the next table."""
    layouts = compile_layout(load(name))
    inputs = feature_layout(layouts)[0]
    states = [int(number) for number in inputs.row_states]
    tables = {int(at): size for at, size in zip(inputs.row_at, states, strict=True)}
    for (one, two), at in zip(inputs.two_rows, inputs.two_at, strict=True):
        tables[int(at)] = states[one] * states[two]
    tables[int(inputs.misses_at)] = int(layouts[0].end_misses) + 1
    for at, size in zip(inputs.same_at, states, strict=True):
        tables[int(at)] = size * size
    starts = sorted(tables)
    assert all(start + tables[start] <= following for start, following in pairwise(starts))
    assert starts[-1] + tables[starts[-1]] <= inputs.rows


def test_classic_has_69_states_of_a_row_and_all_rows_share_them() -> None:
    """56 states of an open row, by last cross and count, and 13 of a closed one; all four rows share them."""
    inputs = feature_layout(compile_layout(load("classic")))[0]
    assert inputs.row_states.tolist() == [69] * 4
    assert len(set(inputs.row_at.tolist())) == len(set(inputs.same_at.tolist())) == 1
    assert inputs.two_rows.tolist() == [[0, 1], [2, 3]]
    assert inputs.two_alike.tolist() == [1, 1]
    assert len(set(inputs.two_at.tolist())) == 1


@pytest.mark.parametrize(("name", "tables"), [("gemixxt-a", 2), ("gemixxt-b", 4), ("bonus-a", 4), ("longo", 1)])
def test_rows_share_tables_only_if_a_symmetry_exchanges_them(name: str, tables: int) -> None:
    """Gemixxt A maps row 1 to 3 and 2 to 4 (G1); on sheet B and with boxes no rows share tables (G5, BA1)."""
    inputs = feature_layout(compile_layout(load(name)))[0]
    assert len(set(inputs.row_at.tolist())) == tables


def test_mirrored_positions_have_the_same_inputs() -> None:
    """In classic, red 2 is the mirror image of green 12: mirrored positions have the same inputs (C1)."""
    one = Game.from_position("classic active=0 phase=roll | r=2,5 y=3 misses=1 | b=12")
    two = Game.from_position("classic active=0 phase=roll | g=12,9 b=11 misses=1 | r=2")
    for left, right in zip(inputs_of(one)[1:], inputs_of(two)[1:], strict=True):
        assert sorted(left) == sorted(right)


def inputs_alone(position: str, lucky: tuple[int, int] | None = None) -> tuple[Record, list[int]]:
    """List the inputs that only a net for one seat has."""
    layouts, states = Game.from_position(position).raw()
    if lucky:
        states["sheets"]["lucky"][0, 0] = lucky
    features = records_of(layouts)
    ids: Ints = np.zeros(MAX_INPUTS, np.int32)
    end = list_alone(features, states[0].sheets[0], ids, 0)
    return features.inputs, ids[:end].tolist()


@pytest.mark.parametrize("name", DICE_GAMES)
def test_a_net_for_one_seat_has_four_more_couples_in_tables_of_other_sheets(name: str) -> None:
    """Each row of one couple with each of the other, and in Longo each row with both lucky numbers."""
    inputs, ids = inputs_alone(f"{name} active=0 phase=roll | -")
    assert len(ids) == (12 if name == "longo" else 4)
    assert all(inputs.other_side <= row < inputs.turns_at for row in ids)
    couples = [*inputs.two_rows.tolist(), *inputs.cross_rows.tolist()]
    assert len({frozenset(couple) for couple in couples}) == 6, "every two rows are a couple"


def test_couples_of_one_seat_are_mirrored_too() -> None:
    """In classic all four tables are one; in Longo lucky 5/10 is for red what 8/13 is for green (L4: 5 + 13 = 18)."""
    one = inputs_alone("classic active=0 phase=roll | r=2,5 y=3 misses=1")[1]
    assert sorted(one) == sorted(inputs_alone("classic active=0 phase=roll | g=12,9 b=11 misses=1")[1])
    red = inputs_alone("longo active=0 phase=roll | r=2,4 y=3", (5, 10))[1]
    assert sorted(red) == sorted(inputs_alone("longo active=0 phase=roll | g=16,14 b=15", (8, 13))[1])
    assert sorted(red) != sorted(inputs_alone("longo active=0 phase=roll | g=16,14 b=15", (5, 10))[1])


def test_states_of_a_row_by_hand() -> None:
    """No cross is 0; the last cross at position 3 with two crosses is 3 + 2 states later than the first ones."""
    layouts = compile_layout(load("classic"))
    inputs = feature_layout(layouts)[0]
    sheets = Game("classic", 2, first=0).raw()[1][0].sheets
    assert row_state(inputs, sheets[0], 0, 0) == 0
    game = Game.from_position("classic active=0 phase=roll | r=2,4 | r=2")
    sheet = game.raw()[1][0].sheets[0]
    assert row_state(inputs, sheet, 0, 0) == 1 + 2 + 2  # after 1 state with the last cross on 2, 2 with it on 3
    assert row_state(inputs, sheet, 0b0001, 0) == 56 + 2  # closed by another seat


# ---- calibration


@pytest.mark.slow
def test_win_probabilities_are_compared_with_results() -> None:
    """A network that always gives an even probability: all positions are in one bin, and about half are won."""
    layouts = compile_layout(load("classic"))
    net = empty_net(feature_layout(layouts), seed=1)
    net.layers["out"] = 0
    bins = calibration(layouts, net, 2, 4, seed=2)
    assert [each.positions > 0 for each in bins] == [number == 5 for number in range(10)]
    positions, scores = self_play(load_net(layouts, net, 2), 2, 4, seed=2, first=0, explore_per_mille=0)
    won = [np.sign(scores[each.game, each.active] - scores[each.game, 1 - each.active]) for each in positions]
    assert bins[5].positions == len(positions)
    assert bins[5].predicted == pytest.approx(0.5)
    assert bins[5].won == pytest.approx((np.mean(won) + 1) / 2)


@pytest.mark.slow
def test_overconfident_probabilities_are_calibrated() -> None:
    """If every value of the network is half as sure again as it should be, calibration corrects it."""
    variant = load("classic")
    layouts = compile_layout(variant)
    net = copy_net(Net(net_of(variant, 2).tables, net_of(variant, 2).layers))
    net.layers["out"][:, :, WIN] *= 1.5
    net.layers["out_bias"][:, WIN] *= 1.5
    before = net.layers["out"].copy()
    line = fit_calibration(layouts, net, 2, 400, seed=1)
    assert line is not None
    assert line[0] == pytest.approx(1 / 1.5, abs=0.1)
    assert abs(line[1]) < 0.15
    size = float(np.abs(before[0, :, WIN]).max())
    assert net.layers["out"][0, :, WIN] == pytest.approx(before[0, :, WIN] * line[0], abs=size / 50)
    assert net.layers["out"][0, :, OWN_POINTS] == pytest.approx(before[0, :, OWN_POINTS])


@pytest.mark.slow
@pytest.mark.parametrize(("games", "share"), [(10**8, 0.0), (10, 1.0)])
def test_the_last_layer_is_fitted_to_the_games(games: int, share: float) -> None:
    """Results that follow from other weights: many games lead to these weights, a few change nothing."""
    draw = np.random.default_rng(1)
    right = np.array([1.5, -2.0, 0.5])
    said = np.array([1.0, -1.0, 0.0])
    mixed = np.column_stack([np.maximum(draw.normal(size=(200_000, 2)), 0), np.ones(200_000)])
    won = (draw.random(200_000) < 1 / (1 + np.exp(-(mixed @ right)))).astype(np.float64)
    assert _fit_last_layer(said, mixed, won, games) == pytest.approx(right + share * (said - right), abs=0.05)


def test_too_few_games_change_nothing() -> None:
    """A network with one constant value gives nothing to fit."""
    layouts = compile_layout(load("classic"))
    net = empty_net(feature_layout(layouts), seed=1)
    net.layers["out"] = 0
    assert fit_calibration(layouts, net, 2, 4, seed=2) is None


# ---- the network


def small_network() -> tuple[Net, Records]:
    """Make a network with random tables of ten rows, and a desk with inputs of two opponents."""
    draw = np.random.default_rng(5)
    net = empty_network(10)
    net.tables[:] = draw.normal(0.1, 0.3, net.tables.shape)
    desks: Records = np.zeros(1, BUFFERS)
    desks["counts"][0, :2] = 3
    desks["ids"][0, 0, :3] = 1, 4, 9
    desks["ids"][0, 1, :3] = 1, 2, 9
    return net, desks


def empty_network(rows: int) -> Net:
    """Make an empty network with this many rows."""
    net = empty_net(feature_layout(compile_layout(load("classic"))), seed=3)
    return Net(net.tables[:rows].copy(), net.layers.copy())


def test_forward_equals_the_formula() -> None:
    """Rows are added, the mean over opponents of the positive parts is mixed in, and three outputs read the result."""
    net, desks = small_network()
    forward(net.tables, net.layers[0], desks[0], 2)
    layers = net.layers[0]
    hidden = [net.tables[[1, 4, 9]].sum(axis=0), net.tables[[1, 2, 9]].sum(axis=0)]
    summed = sum(np.maximum(units, 0) for units in hidden) / 2
    mixed = np.maximum(summed @ layers.mix + layers.mix_bias, 0)
    assert np.allclose(desks["outputs"][0], mixed @ layers.out + layers.out_bias, atol=1e-5)


@pytest.mark.parametrize("output", [WIN, OWN_POINTS, THEIR_POINTS])
def test_backward_is_the_gradient(output: int) -> None:
    """An update moves every weight by rate times gradient: compared with the difference of two forward passes."""
    net, desks = small_network()
    desk = desks[0]
    rate, step = 1e-3, 1e-2
    slopes = []
    places = [(1, 0), (4, 7), (2, 30), (9, HIDDEN - 1), (5, 3)]
    for row, unit in places:
        values = []
        for side in (1, -1):
            tables = net.tables.copy()
            tables[row, unit] += side * step
            forward(tables, net.layers[0], desk, 2)
            values.append(float(desk.outputs[output]))
        slopes.append((values[0] - values[1]) / (2 * step))
    before = net.tables.copy()
    forward(net.tables, net.layers[0], desk, 2)
    desk.errors[:] = [float(output == each) for each in range(OUTPUTS)]
    backward(net.tables, net.layers[0], np.full(10, ENOUGH_UPDATES), desk, 2, np.float32(rate))
    moved = [(before[row, unit] - net.tables[row, unit]) / rate for row, unit in places]
    assert moved == pytest.approx(slopes, abs=2e-2)
    assert any(abs(slope) > 0.02 for slope in slopes)
    assert moved[-1] == 0  # a row that is not an input of the position


def test_a_rare_row_moves_further() -> None:
    """A row with fewer updates moves further.

    Row 4 is updated for the first time and moves eight times as far as row 2, which had 2,000 updates. After 499
    updates it moves twice as far, because a row moves by the square root of 2,000 divided by its updates.
    """
    for had, times in ((0, 8), (499, 2), (2000, 1), (50_000, 1)):
        net, desks = small_network()
        net.tables[[2, 4]] = 0.5  # both add the same to the units of their opponents
        forward(net.tables, net.layers[0], desks[0], 2)
        desks[0].errors[:] = 1, 0, 0
        seen = np.full(10, 2000, np.float32)
        seen[4] = had
        before = net.tables.copy()
        backward(net.tables, net.layers[0], seen, desks[0], 2, np.float32(1e-3))
        far, near = (np.abs(before[row] - net.tables[row]).sum() for row in (4, 2))
        assert far / near == pytest.approx(times, rel=0.02)
        assert seen[[1, 2, 4, 5, 9]].tolist() == [2002, 2001, had + 1, 2000, 2002]
