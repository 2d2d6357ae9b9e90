"""`qwixx players`: the bots, and the games they play."""

from __future__ import annotations

import json
from typing import Any

import click

from qwixx.cli.terminal.screen import make_console, say
from qwixx.cli.terminal.tables import show_table
from qwixx.errors import QwixxError
from qwixx.players import Registered, all_players
from qwixx.variants import load, names


@click.command("players")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def players_command(as_json: bool) -> None:
    """
    List the bots: their names, which games they play and how.

    The names work everywhere: in qwixx play, simulate and replay, and at tables of the server if its operator allows
    them. There are also gap:0, gap:1 and so on, which skip up to that many cells, and custom bots: a class in a file,
    such as my_bot.py:MyBot.

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
    """Return a player as plain data, with the numbers of seats it plays in each game."""
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
    return {"name": name, "habit": player.habit, "house": player.is_built_in, "games": games}


def _games_text(games: dict[str, list[int]]) -> str:
    """Return games as text, with numbers of seats if not all are possible."""
    words = []
    for name, seats in games.items():
        with_any = seats == list(load(name).seats)
        words.append(name if with_any else f"{name} ({', '.join(map(str, seats))} seats)")
    return "every game" if words == list(names()) else ", ".join(words) or "nothing"
