"""
The error of the values in analyses, and the time of an analysis.

    python -m bench.analysis [--only GAME ...] [--seats N ...] [--decisions N] [--games N]

For decisions of good players, the network's difference between the best choice and its rival is compared with the same
difference over rollouts. The mean square of the deviation, minus the noise of the rollouts, is the error of the
network. In solitaire the exact solution takes the place of the rollouts, where the sheet is solved; points are compared
there. Seconds are of one core, for the analysis of one game, with loaded tables.
"""

from __future__ import annotations

import argparse
import time
from math import sqrt

from qwixx.coach.judges.exact import ExactJudge
from qwixx.coach.judges.judge import deciding_seats, ranked
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.coach.judges.rollouts import Rollouts, interval
from qwixx.coach.review.analysis import analyse
from qwixx.game.game import Game
from qwixx.players.built_in.master import has_net, net_of
from qwixx.players.built_in.optimal import is_solved
from qwixx.sim import replay_game
from qwixx.sim.statistics import Z_95
from qwixx.solver import lucky_of, recall
from qwixx.variants import load, names

ROLLED_TURNS = 5
"""With rollouts every fifth turn of a solitaire is compared: decisions of one turn are alike."""


def error_of(name: str, seats: int, decisions: int, games: int) -> tuple[float, float, int]:
    """Return the root mean square of the error and of the noise, and the number of compared decisions."""
    variant = load(name)
    judge = NetJudge(variant, seats)
    squares, noise, number = 0.0, 0.0, 0
    done = 0
    while done < decisions:
        record = replay_game(variant, seats, ("strong",), 77, number).record()
        number += 1
        moments = [
            game.copy() for game in Game.replay(record) if game.deciders() and game.deciders() == deciding_seats(game)
        ]
        for game in moments[3::9]:
            seat = game.deciders()[0]
            evaluated = judge.action_values(game)
            choices = ranked(evaluated.choices[seat], seat)
            if len(choices) < 2 or done == decisions:
                continue
            settled = judge.refine(game, seat, evaluated, [choice.action for choice in choices[:2]], games)
            assert settled is not None
            after = {weight.action.id: weight for weight in settled.choices[seat]}
            first, second = (after[choice.action.id] for choice in choices[:2])
            differs = first.values[seat] - second.values[seat] - choices[1].loss
            squares += differs**2
            noise += (max(first.interval, second.interval) / Z_95) ** 2
            done += 1
    return sqrt(max(squares - noise, 0.0) / done), sqrt(noise / done), done


def solitaire_error_of(name: str, decisions: int) -> tuple[float, int]:
    """
    Return the root mean square error of the difference between the best choice and another, and how many were compared.

    The other choice is one of the next three, in turn, in games of `normal`, whose choices vary.
    """
    variant = load(name)
    judge = NetJudge(variant, 1)
    squares, done, number = 0.0, 0, 0
    while done < decisions:
        start = Game(variant, 1, seed=77, number=number)
        exact = ExactJudge(recall(variant, lucky_of(start)))
        for game in Game.replay(replay_game(variant, 1, ("normal",), 77, number).record(), copies=False):
            if not game.deciders() or done == decisions:
                continue
            values = {option.action.id: option.values[0] for option in judge.action_values(game).choices[0]}
            best, *others = ranked(exact.action_values(game).choices[0], 0)
            if others:
                other = others[done % min(len(others), 3)]
                squares += (values[best.action.id] - values[other.action.id] - other.loss) ** 2
                done += 1
        number += 1
    return sqrt(squares / done), done


def solitaire_error_by_rollouts(name: str, decisions: int, games: int) -> tuple[float, float, int]:
    """Return the same as `solitaire_error_of` without a solved sheet, by rollouts of the net, and their noise."""
    variant = load(name)
    judge = NetJudge(variant, 1)
    rollouts = Rollouts(variant, 1, net_of(variant, 1), worlds=1)
    squares, noise, done, number = 0.0, 0.0, 0, 0
    while done < decisions:
        record = replay_game(variant, 1, ("normal",), 77, number).record()
        number += 1
        for game in Game.replay(record, copies=False):
            if not game.deciders() or game.turn % ROLLED_TURNS or done == decisions:
                continue
            best, *others = ranked(judge.action_values(game).choices[0], 0)
            if others:
                other = others[done % min(len(others), 3)]
                starts = rollouts.starts(game, 0, games)
                one, two = (rollouts.play(starts, games, 0, each.action).points[:, 0] for each in (best, other))
                squares += (float((one - two).mean()) - other.loss) ** 2
                noise += (interval(one, two) / Z_95) ** 2
                done += 1
    return sqrt(max(squares - noise, 0.0) / done), sqrt(noise / done), done


def seconds_of(name: str, seats: int) -> tuple[float, int]:
    """Return the seconds of one core for the analysis of a game, and its decisions."""
    record = replay_game(name, seats, ("normal",), 5, 1).record()
    analyse(record)
    start = time.process_time()
    found = analyse(record)
    return time.process_time() - start, len(found.decisions)


def main() -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--decisions", type=int, default=100, help="decisions that are compared")
    parser.add_argument("--games", type=int, default=2000, help="rollouts after each choice")
    wanted = parser.parse_args()
    for name in wanted.only or names():
        for seats in load(name).seats:
            if wanted.seats and seats not in wanted.seats:
                continue
            if seats == 1 and wanted.decisions and has_net(load(name), 1):
                by_noise = ""
                if is_solved(load(name)):
                    points, count = solitaire_error_of(name, wanted.decisions)
                else:
                    points, noise, count = solitaire_error_by_rollouts(name, wanted.decisions, wanted.games)
                    by_noise = f" (noise {noise:.2f})"
                print(f"{name:<12} 1 seat: error {points:.2f} points over {count} decisions{by_noise}", flush=True)
            if seats > 1 and has_net(load(name), seats):
                taken, decisions = seconds_of(name, seats)
                line = f"{name:<12} {seats} seats: {decisions} decisions in {taken:.2f} s"
                if wanted.decisions and seats == 2:
                    error, noise, count = error_of(name, seats, wanted.decisions, wanted.games)
                    line += f"; error {100 * error:.2f} % over {count} decisions (noise {100 * noise:.2f} %)"
                print(line, flush=True)


if __name__ == "__main__":
    main()
