"""Networks for tests: random ones, which play badly and differently, and positions to evaluate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from qwixx import Game
from qwixx.nets.feature_tables import empty_net, feature_layout
from qwixx.nets.network import Net
from qwixx.nets.weight_files import Heading, own_path, sheet_key, write_weights
from qwixx.variants import load, names
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant
from support.games.random_games import choose


def random_network(variant: Variant, seed: int = 1) -> Net:
    """Make a network with random values in every row."""
    net = empty_net(feature_layout(compile_layout(variant)), seed)
    draw = np.random.default_rng(seed)
    net.tables[:] += draw.normal(0.0, 0.1, net.tables.shape).astype(np.float32)
    return net


def header_of(variant: Variant, seats: Sequence[int], net: Net) -> Heading:
    """Return the header of a network file."""
    return Heading(variant.id, sheet_key(variant), tuple(seats), len(net.tables), 0, 1, "")


_files: dict[tuple[str, tuple[int, ...]], bytes] = {}
"""Random networks that were stored before: to pack one takes longer than most tests with it."""


def store_random_network(name: str, *seats: int) -> Path:
    """Store a random network where the player `master` finds it; QWIXX_DATA has to name a folder of the test."""
    variant = load(name)
    path = own_path(variant, seats)
    if (name, seats) not in _files:
        net = random_network(variant)
        write_weights(path, header_of(variant, seats, net), net)
        _files[name, seats] = path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_files[name, seats])
    return path


def positions(name: str, seats: int, phase: int, seed: int = 0) -> Iterator[Game]:
    """Return positions of a random game in one phase."""
    rng = Random(f"{name} {seats} {seed}")
    game = Game(name, seats, seed=seed, first=0)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            continue
        if game.raw()[1][0].phase == phase:
            yield game.copy()
        for seat in game.deciders():
            game.decide(seat, choose(game, seat, rng))


def every_sheet() -> list[Variant]:
    """List all games, the card games on each of their sheets."""
    decks = {name: load(name).deck for name in names()}
    return [load(name, sheet) for name, deck in decks.items() for sheet in (deck.sheets if deck else (None,))]
