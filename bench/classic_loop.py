"""
The classic game for two, written by hand: the reference for the speed of the general kernel.

Plain arrays, one function, no layout, no phases, no actions. It plays the `gap` bot on both seats with the same random
stream as the kernel, so its games are the kernel's games and their checksums are equal.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.state.records import Ints

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ROLLS = np.uint64(6**6)
_POINTS = np.array([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78], np.int64)


@kernel
def _mix(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@eager_entry
def play_classic(seed: np.uint64, most: int, most_or_miss: int, lock: int, results: Ints) -> None:
    """Play games 0, 1, 2 and so on of a run; a row of results is turns and the two scores."""
    right = np.zeros((2, 4), np.int64)  # the first position that can still be crossed
    crosses = np.zeros((2, 4), np.int64)
    misses = np.zeros(2, np.int64)
    dice = np.zeros(6, np.int64)
    choice = np.zeros(2, np.int64)  # row * 11 + position, or -1
    for game in range(len(results)):
        stream = _mix(_mix(seed + _GOLDEN) + np.uint64(game))
        right[:] = 0
        crosses[:] = 0
        misses[:] = 0
        closed = 0
        closed_rows = 0
        active = 0
        turn = 1
        while True:
            stream += _GOLDEN
            throw = np.int64(((_mix(stream) >> np.uint64(18)) * _ROLLS) >> np.uint64(46))
            for die in range(6):
                dice[die] = throw % 6 + 1
                throw //= 6
            total = dice[0] + dice[1]
            for seat in range(2):
                choice[seat] = -1
                lowest = most + 1
                for row in range(4):
                    position = total - 2 if row < 2 else 12 - total
                    if closed >> row & 1 or position < right[seat, row]:
                        continue
                    cost = position - right[seat, row]
                    if position == 10:
                        if crosses[seat, row] < 5:
                            continue
                        cost -= lock
                    if cost < lowest:
                        lowest = cost
                        choice[seat] = row * 11 + position
            newly = 0
            for seat in range(2):
                if choice[seat] >= 0:
                    row = choice[seat] // 11
                    position = choice[seat] % 11
                    right[seat, row] = position + 1
                    crosses[seat, row] += 1
                    if position == 10:
                        crosses[seat, row] += 1
                        newly |= 1 << row
            for row in range(4):
                closed_rows += newly >> row & 1
            closed |= newly
            if closed_rows >= 2:
                break
            best = -1
            lowest = (most if choice[active] >= 0 else most_or_miss) + 1
            for row in range(4):
                if closed >> row & 1:
                    continue
                low = min(dice[0], dice[1]) + dice[2 + row]
                high = max(dice[0], dice[1]) + dice[2 + row]
                for position in (low - 2, high - 2) if row < 2 else (12 - high, 12 - low):
                    if position < right[active, row]:
                        continue
                    cost = position - right[active, row]
                    if position == 10:
                        if crosses[active, row] < 5:
                            continue
                        cost -= lock
                    if cost < lowest:
                        lowest = cost
                        best = row * 11 + position
            if best >= 0:
                row = best // 11
                position = best % 11
                right[active, row] = position + 1
                crosses[active, row] += 1
                if position == 10:
                    crosses[active, row] += 1
                    closed |= 1 << row
                    closed_rows += 1
                    if closed_rows >= 2:
                        break
            elif choice[active] < 0:
                misses[active] += 1
                if misses[active] == 4:
                    break
            active = 1 - active
            turn += 1
        results[game, 0] = turn
        for seat in range(2):
            total = -5 * misses[seat]
            for row in range(4):
                total += _POINTS[crosses[seat, row]]
            results[game, 1 + seat] = total
