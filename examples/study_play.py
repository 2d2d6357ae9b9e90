"""
Print how bots play pawns and cards: misses in the duel and plays of the card game, for docs/study.md.

    python examples/study_play.py [--games N]

Both seats have the same bot: first `greedy`, then `master`. It takes a minute or two.
"""

# ruff: noqa: T201 - a script that shows tables prints them

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from qwixx import Game
from qwixx.game.events import Crossed, Event, GameOver, Missed, Played
from qwixx.players import find
from qwixx.variants import load

PLAYERS = ("greedy", "master")


@dataclass(frozen=True)
class Turn:
    """A finished turn."""

    seat: int
    lead: int
    """The lead over the other seat at the start of the turn."""
    could: bool
    """Whether the seat could have crossed or placed anything."""
    events: list[Event]


def turns(name: str, player: str, games: int) -> Iterator[Turn]:
    """Play games with the same bot on both seats, turn by turn."""
    for seed in range(games):
        game = Game(name, 2, seed=seed, first=seed % 2)
        seats = [find(player).sit(load(name), 2, seed=2 * seed + seat) for seat in range(2)]
        while not game.is_over:
            seat, turn, scores = game.active, game.turn, game.scores()
            could, events = False, list[Event]()
            while not game.is_over and game.turn == turn:
                if game.awaits_chance:
                    events += game.roll()
                    continue
                if game.phase != "draw":
                    could |= any(is_used(action.text) for action in game.legal(seat))
                answers = {each: seats[each].answer(game.question(each)) for each in game.deciders()}
                for each, answer in answers.items():
                    events += game.decide(each, answer)
            yield Turn(seat, scores[seat] - scores[1 - seat], could, events)


def is_used(action: str) -> bool:
    """Return whether an action crosses or places something: `r7` and `play:r4=r4` do, `pass` and `play:r4` do not."""
    return "=" in action or (action != "pass" and not action.startswith("play"))


def percent(part: int, whole: int) -> str:
    """Format a share."""
    return f"{100 * part / max(whole, 1):.0f} %"


def duel(player: str, games: int) -> str:
    """Print the reasons for misses in the duel."""
    seen = Counter[str]()
    for turn in turns("duel", player, games):
        for event in turn.events:
            if isinstance(event, Missed):
                seen["misses"] += 1
                seen["chosen"] += turn.could
                seen["ahead"] += turn.could and turn.lead > 0
            elif isinstance(event, GameOver):
                seen["ended"] += "miss" in event.ending
    chosen = percent(seen["chosen"], seen["misses"])
    ahead = percent(seen["ahead"], seen["chosen"])
    ended = percent(seen["ended"], games)
    return f"| {player} | {seen['misses'] / games:.2f} | {chosen} | {ahead} | {ended} |"


def cards(player: str, games: int) -> str:
    """Print how the cards are played."""
    seen = Counter[str]()
    for turn in turns("cards", player, games):
        seen["turns"] += 1
        played = [event for event in turn.events if isinstance(event, Played)]
        for event in played:
            seen["cards"] += len(event.cards)
            crossed = turn.events[turn.events.index(event) :]
            crosses = sum(isinstance(each, Crossed) for each in crossed)
            seen["crosses"] += crosses
            seen["none"] += crosses == 0
            seen["plays"] += 1
            before = turn.events[: turn.events.index(event)]
            seen["number"] += any(isinstance(each, Crossed) and each.seat == turn.seat for each in before)
            seen["other's"] += any(isinstance(each, Crossed) and each.seat != turn.seat for each in before)
        seen["misses"] += sum(isinstance(event, Missed) for event in turn.events)
    plays = seen["plays"]
    shares = [percent(seen[what], plays) for what in ("none", "number", "other's")]
    means = [f"{seen[what] / plays:.2f}" for what in ("cards", "crosses")]
    return (
        f"| {player} | {' | '.join([*means, *shares])} | {seen['misses'] / games:.2f} | {seen['turns'] / games:.1f} |"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games of each player")
    games = parser.parse_args().games
    print("duel: misses a game, of them chosen, of these when ahead, games ended by misses")
    for player in PLAYERS:
        print(duel(player, games))
    print("cards: cards a play, crosses a play, without any, number used when active, when not, misses, turns")
    for player in PLAYERS:
        print(cards(player, games))


if __name__ == "__main__":
    main()
