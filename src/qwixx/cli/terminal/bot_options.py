"""What the commands with bots share: the optimal player's tables, and the option about time."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qwixx.cli.solving import solve_with_progress
from qwixx.players.base import Pads
from qwixx.players.house.optimal import OPTIMAL, optimal_tables
from qwixx.variants.model import Variant

BOT_SECONDS = click.option(
    "--bot-seconds",
    type=float,
    metavar="S",
    help="How long a bot of your own may take for a decision; QWIXX_BOT_SECONDS or 10 if not given.",
)


def prepare_optimal(variant: Variant, bots: Sequence[str], pads: Pads) -> None:
    """Get the tables of the optimal player, if it plays; what is not solved yet is solved, with a progress bar."""
    if OPTIMAL.name in bots:
        optimal_tables(variant, pads, lambda sheet, pair: solve_with_progress(sheet, pair)[1])
