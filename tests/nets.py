"""Nets for tests: random ones, which play badly and differ in everything they do."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qwixx.learn.net import Net
from qwixx.learn.tables import empty_net, lay_out
from qwixx.learn.weights import Heading, own_path, sheet_key, write_weights
from qwixx.variants import load
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant


def random_net(variant: Variant, seed: int = 1) -> Net:
    """Make a net with something in every row."""
    net = empty_net(lay_out(compile_layout(variant)), seed)
    draw = np.random.default_rng(seed)
    net.tables[:] += draw.normal(0.0, 0.1, net.tables.shape).astype(np.float32)
    return net


def heading_of(variant: Variant, seats: int, net: Net) -> Heading:
    """Say what a net is for."""
    return Heading(variant.id, sheet_key(variant), seats, len(net.tables), 0, 1, "")


def keep_random_net(name: str, seats: int) -> Path:
    """Keep a random net where the player `master` finds it; QWIXX_DATA has to name a folder of the test's own."""
    variant = load(name)
    net = random_net(variant)
    path = own_path(variant, seats)
    write_weights(path, heading_of(variant, seats, net), net)
    return path
