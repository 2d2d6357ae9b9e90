"""`qwixx players`: who can be invited, and to which games."""

from __future__ import annotations

import json
from typing import Any

import click

from qwixx.cli.listing import show_table
from qwixx.cli.screen import make_console, say
from qwixx.errors import QwixxError
from qwixx.players import Registered, all_players
from qwixx.variants import load, names


@click.command("players")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def players_command(as_json: bool) -> None:
    """
    List the players that are programs: their names, what they play and how.

    They sit down under these names everywhere: qwixx play, simulate, replay, and at tables of the server if its
    operator allows them. There are also gap:0, gap:1 and so on, which skip up to so many cells, and players of your
    own: a class in a file, such as my_bot.py:MyBot.

    Example: qwixx players --json
    """
    facts = [_facts(name, player) for name, player in all_players()]
    if as_json:
        click.echo(json.dumps(facts, indent=2))
        return
    console = make_console()
    rows = [(fact["name"], _games_text(fact["games"]), fact["habit"]) for fact in facts if "problem" not in fact]
    show_table(console, ("name", "plays", "how"), rows, prose=("plays", "how"))
    for fact in facts:
        if "problem" in fact:
            say(console, str(fact["problem"]))


def _facts(name: str, player: Registered | QwixxError) -> dict[str, Any]:
    """Give what is known about a player as plain data; it is asked about each game with every number of seats."""
    try:
        if isinstance(player, QwixxError):
            raise player
        games = {}
        for variant in map(load, names()):
            seats = [count for count in variant.seats if player.plays(variant, count)]
            if seats:
                games[variant.id] = seats
    except QwixxError as problem:
        return {"name": name, "problem": str(problem)}
    return {"name": name, "habit": player.habit, "house": player.is_house, "games": games}


def _games_text(games: dict[str, list[int]]) -> str:
    """Write games, with the seats where it is not any number of them."""
    words = []
    for name, seats in games.items():
        with_any = seats == list(load(name).seats)
        words.append(name if with_any else f"{name} ({', '.join(map(str, seats))} seats)")
    return "every game" if words == list(names()) else ", ".join(words) or "nothing"
