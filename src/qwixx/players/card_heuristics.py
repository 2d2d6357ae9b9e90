"""
Heuristics of the card game: many crosses, few skipped cells, and numbers that are near the next free cells.

They use the own hand and the numbers in the display; never the colors of cards seen from behind.
"""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import kernel
from qwixx.kernel.cards import color_of, crossed_after, crosses_of, places_of
from qwixx.kernel.paper import closes, refuses
from qwixx.kernel.state.records import CELLS, COLORS, DISPLAY, HAND, JOKER, POSITIONS, TAKES, TOTALS, Record
from qwixx.kernel.state.refusals import ALLOWED

_WORST: Final = -(1 << 20)


@kernel
def _usefulness(layout: Record, state: Record, seat: int, color: int, number: int, player: Record) -> int:
    """Return how useful a number of a color is: the fewer cells it would skip, the more."""
    cell = layout.color_spots[color, number]
    if cell < 0:
        return 0
    row = cell // POSITIONS
    position = cell % POSITIONS
    sheet = state.sheets[seat]
    if refuses(layout, sheet, state.closed, row, position) != ALLOWED:
        return 0
    return int(max(0, player.reach - (position - sheet.next[row])))


@kernel
def _usefulness_of_number(layout: Record, state: Record, seat: int, number: int, player: Record) -> int:
    """Return how useful a card is of which only the number shows: its front may have any color (K2)."""
    total = 0
    for color in range(COLORS):
        total += _usefulness(layout, state, seat, color, number, player)
    return total


@kernel
def best_draw(layout: Record, state: Record, seat: int, player: Record, menu: Record, count: int) -> int:
    """Return the draw with the most useful numbers of the display (K3)."""
    best = menu.actions[0]
    highest = _WORST
    for index in range(count):
        value = 0
        for place in range(DISPLAY):
            if menu.actions[index] - TAKES >> place & 1:
                value += _usefulness_of_number(layout, state, seat, state.display[place] % TOTALS, player)
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)


@kernel
def _wasted(layout: Record, state: Record, seat: int, places: int, crosses: int, player: Record) -> int:
    """Return how useful the cards are that a play gives away without a cross."""
    wasted = 0
    card = 0
    for place in range(HAND):
        if places >> place & 1:
            if not crosses >> card & 1:
                code = state.hands[seat, place]
                if code // TOTALS == JOKER:
                    wasted += player.reach
                else:
                    wasted += _usefulness(layout, state, seat, code // TOTALS, code % TOTALS, player)
            card += 1
    return wasted


@kernel
def _value_of_play(layout: Record, state: Record, seat: int, player: Record, action: int) -> int:
    """Return the value of a play: its crosses and locks, less skipped cells and useful cards given away (K5)."""
    places = places_of(action)
    color = color_of(action)
    crosses = crosses_of(action)
    sheet = state.sheets[seat]
    value = -_wasted(layout, state, seat, places, crosses, player)
    if crosses == 0 and not state.crossed:
        value -= player.miss  # K6
    before = -CELLS
    cell = crossed_after(layout, state, seat, places, color, crosses, -1)
    while cell < CELLS:
        row = cell // POSITIONS
        free = cell % POSITIONS - sheet.next[row]
        if before // POSITIONS == row:
            free = cell - before - 1
        value += player.cross - free
        if closes(layout, row, cell % POSITIONS):
            value += player.lock
        before = cell
        cell = crossed_after(layout, state, seat, places, color, crosses, cell)
    return int(value)


@kernel
def best_play(layout: Record, state: Record, seat: int, player: Record, menu: Record, count: int) -> int:
    """Return the play with the highest value; of equal plays the one with fewest cards (K5)."""
    best = menu.actions[0]
    highest = _WORST
    for index in range(count):
        value = _value_of_play(layout, state, seat, player, menu.actions[index])
        if value > highest:
            highest = value
            best = menu.actions[index]
    return int(best)
