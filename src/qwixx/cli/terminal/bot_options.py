"""Shared by the commands with bots: the optimal player's tables, and the option --bot-seconds."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qwixx.cli.terminal.solve_progress import solve_with_progress
from qwixx.players.built_in.optimal import OPTIMAL, optimal_tables
from qwixx.players.player import Pads
from qwixx.variants.model import Variant

BOT_SECONDS = click.option(
    "--bot-seconds",
    type=float,
    metavar="S",
    help="Seconds a custom bot may take for a decision; QWIXX_BOT_SECONDS or 10 if not given.",
)


def prepare_optimal(variant: Variant, bots: Sequence[str], pads: Pads) -> None:
    """Load the tables of the optimal player, if it plays; solve missing ones, with a progress bar."""
    if OPTIMAL.name in bots:
        optimal_tables(variant, pads, lambda sheet, pair: solve_with_progress(sheet, pair)[1])
