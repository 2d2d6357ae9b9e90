"""Options that the commands of the coach share."""

from __future__ import annotations

import click

from qwixx.coach.review.analysis import DEEP_GAMES

DEEP = click.option("--deep", is_flag=True, help="Evaluate close calls by many rollouts after each choice.")
DEEP_ROLLOUTS = click.option(
    "--games",
    type=click.IntRange(2, 1_000_000),
    default=DEEP_GAMES,
    metavar="N",
    help="With --deep: rollouts per choice.",
)
