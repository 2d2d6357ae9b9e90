"""
The course of a game, for every variant: begin, roll, legal, refusal, decide.

    dice   ROLL -> WHITE -> COLOR -> ROLL (next seat)
    cards  DEAL -> DRAW (-> SHUFFLE) -> NUMBER -> PLAY -> DRAW (next seat)

Deciding only stores a choice. When the last seat has decided, the phase is resolved: all choices are applied, then
rows close for all seats at the same time, then a miss is counted and the end is tested (ruling 1).
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import as_int32_view, inlined, kernel
from qwixx.kernel import board, cards, crossing, dice, window
from qwixx.kernel.game_end import dice_gone, ends_by_misses, ends_by_rows
from qwixx.kernel.state.event_log import (
    CLOSED,
    DEALT,
    DECIDED,
    DIE_LEFT,
    GAME_OVER,
    MISSED,
    NUMBER_SHOWN,
    PHASE_BEGAN,
    ROLLED,
    SHUFFLED,
    STRUCK,
    TURN_BEGAN,
    EventLog,
    append_event,
    clear_log,
)
from qwixx.kernel.state.records import (
    ACTIONS,
    BLANK,
    BY_MISSES,
    BY_PAWNS,
    BY_ROWS,
    CARDS,
    COLOR,
    COLORS,
    DEAL,
    DECK,
    DRAW,
    LAST_ACTIONS,
    LUCKY,
    MENU,
    MORE,
    NO_CARD,
    NO_CHOICE,
    NUMBER,
    OVER,
    PLAY,
    PLAYS,
    ROLL,
    ROWS,
    SEATS,
    SHUFFLE,
    STATE,
    STATE_WORDS,
    TAKES,
    TRACK,
    WHITE,
    Ints,
    Record,
    word_of,
)
from qwixx.kernel.state.refusals import ALLOWED, CHANCE_FIRST, GAME_IS_OVER, NO_CHANCE_NOW, NOT_YOUR_TURN, WRONG_PHASE
from qwixx.kernel.state.rng import randbelow

# ---- beginning

_RNG_WORDS = word_of(STATE, "seats")
"""The words of the random stream, which are the first of a state."""


@kernel
def begin(layout: Record, state: Record, seats: int, first: int) -> None:
    """
    Set up a new game; the random stream keeps its seed.

    With `first` -1 the first active seat is random (C2). Longo's lucky numbers are random, no pad twice (L4, L5).
    """
    words = as_int32_view(state, STATE_WORDS)
    for word in range(_RNG_WORDS, STATE_WORDS):
        words[word] = BLANK[word]
    state.seats = seats
    state.active = randbelow(state, seats) if first < 0 else first
    state.phase = DEAL if layout.flow == CARDS else ROLL
    if layout.lucky_pads:
        pads = np.arange(LUCKY).astype(np.int32)
        cards.shuffle(pads, layout.lucky_pads, state)
        for seat in range(seats):
            state.sheets[seat].lucky[0] = layout.lucky[pads[seat], 0]
            state.sheets[seat].lucky[1] = layout.lucky[pads[seat], 1]
    if layout.pads:
        for seat in range(seats):
            state.sheets[seat].pad = seat  # FR8


# ---- phases


@inlined
def asked(layout: Record, state: Record) -> int:
    """Return the seats that are asked in this phase, as a mask: all in the window, else the active one (C3, C4)."""
    if state.phase == NUMBER or (state.phase == WHITE and not layout.shared):
        return int((1 << state.seats) - 1)
    if state.phase in (WHITE, COLOR, DRAW, PLAY):
        return int(1 << state.active)
    return 0


@inlined
def _begin_phase(layout: Record, state: Record, phase: int, log: EventLog) -> None:
    state.phase = phase
    for seat in range(SEATS):
        state.choices[seat] = NO_CHOICE
    state.waiting = asked(layout, state)
    append_event(log, PHASE_BEGAN, 0, phase, 0)


@inlined
def _next_turn(layout: Record, state: Record, log: EventLog) -> None:
    """Start the turn of the next seat clockwise (C13)."""
    state.active = (int(state.active) + 1) % int(state.seats)
    state.turn += 1
    state.crossed = 0
    state.first_cell = -1
    for die in range(2 + COLORS):
        state.dice[die] = 0
    append_event(log, TURN_BEGAN, int(state.active), 0, 0)
    _begin_phase(layout, state, DRAW if layout.flow == CARDS else ROLL, log)


@kernel
def _show_number(layout: Record, state: Record, log: EventLog) -> None:
    """Continue after a draw: refill the display, shuffle a new pile if it is empty, show the number (K3, K4)."""
    if cards.fill_display(state):
        append_event(log, NUMBER_SHOWN, 0, cards.number_for_all(state), 0)
        _begin_phase(layout, state, NUMBER, log)
    else:
        _begin_phase(layout, state, SHUFFLE, log)


# ---- chance


@kernel
def roll(layout: Record, state: Record, log: EventLog) -> int:
    """Roll, deal or shuffle from the game's random stream; return the refusal, if any."""
    clear_log(log)
    if state.phase == ROLL:
        dice.roll(layout, state)
        append_event(log, ROLLED, 0, 0, 0)
        _begin_phase(layout, state, WHITE, log)
        return ALLOWED
    if state.phase not in (DEAL, SHUFFLE):
        return NO_CHANCE_NOW
    deck = np.empty(DECK, np.int32)
    size = layout.deck_size if state.phase == DEAL else state.discarded
    for index in range(size):
        deck[index] = layout.deck[index] if state.phase == DEAL else state.discards[index]
    cards.shuffle(deck, size, state)
    return set_deck(layout, state, deck, size, log)


@kernel
def set_dice(layout: Record, state: Record, faces: Ints, log: EventLog) -> int:
    """Set given dice instead of rolling; return the refusal, if any. Refused dice change nothing."""
    clear_log(log)
    if state.phase != ROLL:
        return NO_CHANCE_NOW
    reason = dice.dice_refusal(layout, state, faces)
    if reason != ALLOWED:
        return reason
    for die in range(2 + COLORS):
        state.dice[die] = faces[die]
    append_event(log, ROLLED, 0, 0, 0)
    _begin_phase(layout, state, WHITE, log)
    return ALLOWED


@kernel
def set_deck(layout: Record, state: Record, deck: Ints, size: int, log: EventLog) -> int:
    """Deal a given deck, or make it the new pile; return the refusal, if any. A refused deck changes nothing."""
    clear_log(log)
    if state.phase == DEAL:
        reason = cards.deck_refusal(layout.deck, layout.deck_size, deck, size)
        if reason != ALLOWED:
            return reason
        cards.deal(layout, state, deck)
        append_event(log, DEALT, 0, 0, 0)
        _begin_phase(layout, state, DRAW, log)
        return ALLOWED
    if state.phase != SHUFFLE:
        return NO_CHANCE_NOW
    reason = cards.deck_refusal(state.discards, state.discarded, deck, size)
    if reason != ALLOWED:
        return reason
    cards.stack_pile(state, deck[:size])
    state.discarded = 0
    state.discards[:] = NO_CARD
    append_event(log, SHUFFLED, 0, size, 0)
    _show_number(layout, state, log)
    return ALLOWED


# ---- deciding


@inlined
def number_for_all(state: Record) -> int:
    """Return the number that all seats may cross: the white sum (C3) or the number of the pile's top card (K4)."""
    return cards.number_for_all(state) if state.phase == NUMBER else state.dice[0] + state.dice[1]


@kernel
def legal(layout: Record, state: Record, seat: int, actions: Ints) -> int:
    """Write the legal actions of a seat to `actions`, ascending; return how many, 0 if it is not asked."""
    return fill_menu(layout, state, seat, actions.view(MENU)[0])


@inlined
def fill_menu(layout: Record, state: Record, seat: int, menu: Record) -> int:
    """Write the legal actions of a seat to a menu; `legal` does the same for an array of ACTIONS places."""
    if seat < 0 or seat >= state.seats or not asked(layout, state) >> seat & 1:
        return 0
    phase = state.phase
    if phase == DRAW:
        return cards.draw_legal(state, seat, menu)
    if phase == PLAY:
        return cards.play_legal(layout, state, seat, menu)
    if phase == COLOR or layout.shared:
        return dice.legal(layout, state, seat, menu)
    return window.legal(layout, state, seat, number_for_all(state), menu)


@inlined
def refusal(layout: Record, state: Record, seat: int, action: int) -> int:
    """Return why a seat may not choose this action now, or ALLOWED. This is the one definition of legal."""
    phase = state.phase
    if phase == OVER:
        return GAME_IS_OVER
    if phase in (ROLL, DEAL, SHUFFLE):
        return CHANCE_FIRST
    if seat < 0 or seat >= state.seats or not asked(layout, state) >> seat & 1:
        return NOT_YOUR_TURN
    if phase in (WHITE, COLOR, NUMBER):
        if action < 0 or action >= ACTIONS or (action >= TAKES and (action < MORE or not layout.has_extras)):
            return WRONG_PHASE
        if phase == COLOR or layout.shared:
            return dice.refusal(layout, state, seat, action)
        return window.refusal(layout, state, seat, number_for_all(state), action)
    if phase == DRAW:
        if action < TAKES or action >= PLAYS:
            return WRONG_PHASE
        return cards.draw_refusal(state, seat, action)
    if action < PLAYS or action >= MORE:
        return WRONG_PHASE
    return cards.play_refusal(layout, state, seat, action)


@kernel
def decide(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> int:
    """
    Store a seat's decision and return ALLOWED, or return the refusal and change nothing.

    The last decision of a phase resolves it. Until then a seat may change its decision (ruling 1).
    """
    return inlined_decide(layout, state, seat, action, log)


@inlined
def inlined_decide(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> int:
    """Do the same as `decide`, compiled into the caller: for loops that only play whole games."""
    clear_log(log)
    reason = refusal(layout, state, seat, action)
    if reason == ALLOWED:
        decide_legal(layout, state, seat, action, log)
    return reason


@inlined
def decide_legal(layout: Record, state: Record, seat: int, action: int, log: EventLog) -> None:
    """Do the same as `decide` with an action that is known to be legal, such as one of `legal`."""
    state.choices[seat] = action
    state.waiting &= ~(1 << seat)
    append_event(log, DECIDED, seat, 0, 0)
    if state.waiting == 0:
        _resolve(layout, state, log)


# ---- resolving


@inlined
def _resolve(layout: Record, state: Record, log: EventLog) -> None:
    """Apply the choices of the phase, then begin the next phase or end the game."""
    phase = state.phase
    active = state.active
    if phase == DRAW:
        cards.draw(state, active, state.choices[active], log)
        _show_number(layout, state, log)
        return
    if phase == PLAY:
        cards.play(layout, state, active, state.choices[active], log)
    elif layout.shared:
        dice.place(layout, state, log)
    locked = 0
    for seat in range(state.seats):
        if not layout.shared and phase != PLAY:
            window.apply_decision(layout, state, seat, state.choices[seat], log)
        locked |= state.sheets[seat].locks
    ending = 0
    # A game on paper can end here only if a row closes.
    if locked & ~state.closed or layout.shared:
        if not layout.personal:
            close_rows(layout, state, log)
        ending = ending_of(layout, state)
    # Who takes a field of the track has no action 2 (F2).
    if ending == 0 and (phase in LAST_ACTIONS or (phase == WHITE and state.choices[active] == TRACK)):
        if not state.crossed:
            state.sheets[active].misses += 1  # C6, K6, D6
            append_event(log, MISSED, active, 0, 0)
            ending = ending_of(layout, state)
        if ending == 0:
            _next_turn(layout, state, log)
    elif ending == 0:
        _begin_phase(layout, state, PLAY if phase == NUMBER else COLOR, log)
    if ending:
        _finish(state, ending, log)


@kernel
def close_rows(layout: Record, state: Record, log: EventLog) -> None:
    """Close for all seats the rows that a seat closed in this phase; their dice leave immediately (C8, C9, G3)."""
    locked = 0
    for seat in range(state.seats):
        locked |= state.sheets[seat].locks
        if layout.shared:  # D7: a player's last pawn closes a row even without a pawn for the lock
            for row in range(ROWS):
                locked |= int(state.sheets[seat].marks[row] >> layout.closes_from[row] != 0) << row
    new = locked & ~state.closed
    if new == 0:
        return
    closed = int(state.closed | new)
    state.closed = closed
    state.gone = dice_gone(layout, closed)
    for row in range(ROWS):
        if new >> row & 1:
            state.dice[2 + layout.lock_color[row]] = 0
            append_event(log, CLOSED, 0, row, 0)
            append_event(log, DIE_LEFT, 0, layout.lock_color[row], 0)
            for seat in range(state.seats):
                strike(layout, state.sheets[seat], seat, row, log)


@kernel
def strike(layout: Record, sheet: Record, seat: int, row: int, log: EventLog) -> None:
    """Strike the unused cells of a closed row in a seat's bar (BA4)."""
    for index in range(layout.bar_length):
        if layout.bar[index] == row and not (sheet.used | sheet.struck) >> index & 1:
            sheet.struck |= 1 << index
            append_event(log, STRUCK, seat, index, 0)


@kernel
def ending_of(layout: Record, state: Record) -> int:
    """Return why the game is over now, 0 if it is not (C11, K8, BB6, D8)."""
    is_by_rows = ends_by_rows(layout, state.closed)
    misses = 0
    for seat in range(state.seats):
        sheet = state.sheets[seat]
        if layout.personal:
            is_by_rows = is_by_rows or ends_by_rows(layout, sheet.locks)
        misses = misses + sheet.misses if layout.shared else max(misses, sheet.misses)
    if is_by_rows:
        return BY_ROWS
    if ends_by_misses(layout, misses):
        return BY_MISSES
    if layout.shared and (board.supply(layout, state, 0) == 0 or board.supply(layout, state, 1) == 0):
        return BY_PAWNS
    return 0


@kernel
def _finish(state: Record, ending: int, log: EventLog) -> None:
    state.phase = OVER
    state.ending = ending
    state.waiting = 0
    state.crossed = 0
    state.first_cell = -1
    for seat in range(state.seats):
        state.choices[seat] = NO_CHOICE
    append_event(log, GAME_OVER, 0, ending, 0)


@kernel
def score(layout: Record, state: Record, seat: int) -> int:
    """Return the score of a seat (C12, L3, D9)."""
    return crossing.score(layout, state.sheets[seat])
