"""Setting up a position from its line: read everything, report everything that is wrong, only then play."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np

from qwixx.errors import NotationError, PositionError, QwixxError
from qwixx.kernel import door
from qwixx.kernel.records import (
    COLOR,
    DEAL,
    DISPLAY,
    DRAW,
    HAND,
    NO_CARD,
    NUMBER,
    OVER,
    PHASES,
    PLAY,
    ROLL,
    SHUFFLE,
    STATE,
    TAKES,
    WHITE,
    Records,
)
from qwixx.notation import read_action, read_card, read_cell, read_deck, read_roll, row_keys
from qwixx.position import LONGEST_LINE, MOST_SECTIONS
from qwixx.variants import load
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

_FACTS = ("active", "phase", "turn", "roll", "crossed", "choices", "first", "sheet", "display", "pile", "discards")
_DICE_PHASES = (ROLL, WHITE, COLOR, OVER)
_CARD_PHASES = (DEAL, DRAW, SHUFFLE, NUMBER, PLAY, OVER)
_MOST_TURNS = 100_000


def read_position(text: str, variant: Variant | None = None) -> tuple[Variant, Records, Records]:
    """
    Read a position line: the variant, its layout and the state.

    A sheet of your own has to be handed in. Raises `PositionError` with all that is wrong.
    """
    if len(text) > LONGEST_LINE:
        raise PositionError([f"a position line has at most {LONGEST_LINE} characters"])
    sections = [section.split() for section in text.strip().split("|")]
    if not sections[0]:
        raise PositionError(["the line starts with the id of the variant"])
    name, *words = sections[0]
    problems: list[str] = []
    facts = _facts(words, _FACTS, "the table", problems)
    try:
        variant = _variant(name, facts.pop("sheet", None), variant)
    except QwixxError as error:
        raise PositionError([str(error).rstrip(".")]) from None
    seats = len(sections) - 1
    if not 1 <= seats < MOST_SECTIONS or seats not in variant.seats:
        at = f"{variant.fewest_seats} to {variant.most_seats}"
        raise PositionError([f"{variant.id} has {at} seats, a section after a '|' for each, not {seats}"])
    reader = _Reader(variant, seats, problems)
    reader.read_table(facts)
    for seat, section in enumerate(sections[1:]):
        reader.read_seat(seat, section)
    reader.read_cards(facts)
    reader.settle(facts)
    if problems:
        raise PositionError(problems)
    return variant, reader.layouts, reader.states


def _variant(name: str, sheet: str | None, given: Variant | None) -> Variant:
    if given is None:
        if name.endswith(".toml"):  # a line of text must not open files
            raise NotationError(f"{name!r} is no id of a game")
        if sheet is not None and sheet.endswith(".toml"):
            raise NotationError(f"{sheet!r} is no id of a sheet")
        return load(name, sheet)
    if given.id != name or (sheet or "classic") != (given.sheet or "classic"):
        raise NotationError(f"the line is of another game than {given.id!r}")
    return given


def _facts(words: list[str], known: tuple[str, ...], where: str, problems: list[str]) -> dict[str, str]:
    """Take apart `key=value` words."""
    facts: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            problems.append(f"{word[:40]!r} is no fact of {where}; known are {', '.join(known)}")
        elif key in facts:
            problems.append(f"{key!r} stands twice at {where}")
        else:
            facts[key] = value
    return facts


class _Reader:
    """One reading: the state under construction and the problems found so far."""

    def __init__(self, variant: Variant, seats: int, problems: list[str]) -> None:
        self.variant = variant
        self.problems = problems
        self.layouts = compile_layout(variant)
        self.states: Records = np.zeros(1, STATE)
        door.begin(self.layouts, self.states, 0, np.uint64(0), np.uint64(0), seats, 0)
        self.state = self.states[0]
        self.seats = seats

    def number(self, facts: dict[str, str], key: str, least: int, most: int, default: int) -> int:
        """Read a whole number within bounds."""
        text = facts.get(key, str(default))
        if not re.fullmatch(r"\d{1,6}", text) or not least <= int(text) <= most:
            self.problems.append(f"{key!r} should be from {least} to {most}, not {text[:20]!r}")
            return default
        return int(text)

    # ---- the table

    def read_table(self, facts: dict[str, str]) -> None:
        """Read whose turn it is and where in the turn the game stands."""
        phases = _CARD_PHASES if self.variant.is_cards else _DICE_PHASES
        names = [PHASES[phase] for phase in phases]
        default = DRAW if self.variant.is_cards else ROLL
        if facts.get("phase", PHASES[default]) not in names:
            self.problems.append(f"'phase' should be one of {', '.join(names)}, not {facts['phase'][:20]!r}")
            self.state.phase = default
        else:
            self.state.phase = PHASES.index(facts.get("phase", PHASES[default]))
        self.state.active = self.number(facts, "active", 0, self.seats - 1, 0)
        self.state.turn = self.number(facts, "turn", 1, _MOST_TURNS, 1)
        if "crossed" in facts:
            if facts["crossed"] != "yes" or self.state.phase not in (COLOR, PLAY):
                self.problems.append("'crossed=yes' belongs to the active seat's last action of a turn")
            self.state.crossed = 1

    # ---- a seat

    def read_seat(self, seat: int, section: list[str]) -> None:
        """Read a seat's marks, and its cards."""
        if section == ["-"]:
            section = []
        elif not section:
            self.problems.append(f"seat {seat} is empty; an untouched seat is written '-'")
        keys = row_keys(self.variant)
        extra = ["misses"]
        extra += ["used", "struck"] if self.variant.bar else []
        extra += ["lucky"] if self.variant.lucky else []
        extra += ["hand"] if self.variant.is_cards else []
        facts = _facts(section, (*keys, *extra), f"seat {seat}", self.problems)
        sheet = self.state.sheets[seat]
        for r, key in enumerate(keys):
            if key in facts:
                self.read_row(seat, r, facts[key])
        most = int(self.layouts[0].end_misses)
        sheet.misses = self.number(facts, "misses", 0, most, 0)
        for name in ("used", "struck"):
            if name in facts:
                setattr(sheet, name, self.read_bar(seat, facts[name]))
        if "lucky" in facts:
            self.read_lucky(seat, facts["lucky"])
        if "hand" in facts:
            self.read_hand(seat, facts["hand"])
        if sheet.used & sheet.struck:
            self.problems.append(f"seat {seat} has a cell of the bar both used and struck")

    def read_row(self, seat: int, r: int, text: str) -> None:
        """Read the crosses, or pawns, of one row."""
        row = self.variant.rows[r]
        values = [cell.value for cell in row.cells]
        sheet = self.state.sheets[seat]
        last = -1
        words = text.split(",")
        locked = words[-1] == "L"
        for word in words[:-1] if locked else words:
            found = re.fullmatch(r"(\d{1,2})(?:x(\d{1,2}))?", word)
            height = int(found[2] or 1) if found else 0
            if not found or int(found[1]) not in values or height < 1 or (height > 1 and not self.variant.is_duel):
                self.problems.append(f"seat {seat}: {word[:20]!r} is no cross in row {row.key}")
                return
            position = values.index(int(found[1]))
            if position <= last:
                self.problems.append(f"seat {seat}: the crosses of row {row.key} go from left to right (C1)")
                return
            if last >= row.closes_from:
                self.problems.append(f"seat {seat}: row {row.key} is closed by one cell only (L2)")
            if position >= row.closes_from and sheet.count[r] < self.variant.closing_crosses:
                self.problems.append(f"seat {seat}: row {row.key} is closed with too few crosses (C7)")
            sheet.marks[r] |= 1 << position
            sheet.next[r] = position + 1
            sheet.count[r] += height
            if self.variant.is_duel:
                self.state.board[seat, r, position] = height
            last = position
        closing = last >= row.closes_from
        if locked != closing and not (self.variant.is_duel and closing):
            self.problems.append(f"seat {seat}: the lock L of row {row.key} goes with its closing cell (C7)")
        if locked:
            sheet.locks |= 1 << r
            sheet.count[r] += 1

    def read_bar(self, seat: int, text: str) -> int:
        """Read cells of the bar, counted from 1."""
        mask = 0
        for word in text.split(","):
            if not re.fullmatch(r"\d{1,2}", word) or not 1 <= int(word) <= len(self.variant.bar):
                self.problems.append(f"seat {seat}: {word[:20]!r} is no cell of the bar")
            else:
                mask |= 1 << int(word) - 1
        return mask

    def read_lucky(self, seat: int, text: str) -> None:
        """Read a seat's lucky numbers."""
        found = re.fullmatch(r"(\d{1,2})/(\d{1,2})", text)
        if not found or not self.variant.can_be_lucky(int(found[1]), int(found[2])):
            self.problems.append(f"seat {seat}: lucky numbers look like 6/11, not {text[:20]!r}")
        else:
            self.state.sheets[seat].lucky[:] = int(found[1]), int(found[2])

    def read_hand(self, seat: int, text: str) -> None:
        """Read the cards a seat holds."""
        try:
            hand = sorted(read_card(word) for word in text.split(","))
        except NotationError as error:
            self.problems.append(f"seat {seat}: {str(error).rstrip('.')}")
            return
        if len(hand) > HAND:
            self.problems.append(f"seat {seat}: a hand has at most {HAND} cards")
            return
        self.state.hands[seat, : len(hand)] = hand
        self.state.held[seat] = len(hand)

    # ---- cards

    def read_cards(self, facts: dict[str, str]) -> None:
        """Read display, pile and discards, and check that every card of the deck is somewhere, once."""
        given = [key for key in ("display", "pile", "discards") if key in facts]
        if not self.variant.is_cards:
            if given:
                self.problems.append(f"{given[0]!r} belongs to the card games")
            return
        if self.state.phase == DEAL:
            if given or self.state.held.any():
                self.problems.append("before the deal nobody holds cards and none lie on the table")
            return
        whole = [int(card) for card in self.layouts[0].deck[: self.layouts[0].deck_size]]
        held = [int(c) for seat in range(self.seats) for c in self.state.hands[seat, : self.state.held[seat]]]
        try:
            places = facts.get("display", "").split(",")
            display = [NO_CARD if word == "-" else read_card(word) for word in places]
            discards = read_deck(facts.get("discards", ""), whole, held)
            lying = [*held, *discards, *display]
            pile = read_deck(facts.get("pile", ""), whole, lying)
        except NotationError as error:
            self.problems.append(str(error).rstrip("."))
            return
        if len(display) != DISPLAY:
            self.problems.append(f"the display has {DISPLAY} places")
            return
        count = Counter(card for card in [*lying, *pile] if card != NO_CARD)
        if count != Counter(whole):
            self.problems.append("every card of the deck lies in one hand, the display, the pile or the discards")
            return
        self.state.display[:] = display
        self.state.pile[: len(pile)] = pile[::-1]
        self.state.pile_size = len(pile)
        self.state.discards[: len(discards)] = discards
        self.state.discarded = len(discards)
        self.check_hands(display)

    def check_hands(self, display: list[int]) -> None:
        """Check that hands, display and pile are as the phase wants them (K3, K5)."""
        phase, active = self.state.phase, int(self.state.active)
        least = min(HAND - 3, int(self.layouts[0].dealt))  # after playing three of five, or before the first turn
        for seat in range(self.seats):
            full = phase in (SHUFFLE, NUMBER, PLAY) and seat == active
            held = int(self.state.held[seat])
            if phase != OVER and not (held == HAND if full else least <= held < HAND):
                wanted = f"{HAND} cards" if full else f"{least} to {HAND - 1} cards"
                self.problems.append(f"seat {seat} should hold {wanted} in phase {PHASES[phase]}")
        if phase == SHUFFLE and (self.state.pile_size or not self.state.discarded):
            self.problems.append("in phase shuffle the pile is empty and there are discards")
        elif phase != SHUFFLE and (NO_CARD in display or not self.state.pile_size):
            self.problems.append("the display is full and the pile is not empty outside phase shuffle")

    # ---- what follows

    def settle(self, facts: dict[str, str]) -> None:
        """Close rows by their locks, put dice and choices in place, and check that the phase fits."""
        state = self.state
        if self.variant.is_duel:
            self.check_board()
        struck = [int(state.sheets[seat].struck) for seat in range(self.seats)]
        for seat in range(self.seats):
            state.sheets[seat].struck = 0
        state.ending = door.settle(self.layouts, self.states, 0)
        for seat in range(self.seats):
            if struck[seat] not in (0, state.sheets[seat].struck):
                self.problems.append(f"seat {seat}: exactly the unused bar cells of closed rows are struck (BA4)")
            elif not door.bar_fits(self.layouts, self.states, 0, seat):
                self.problems.append(
                    f"seat {seat}: 'used' does not fit: {self.boxes(seat)} boxed cells are crossed, and each has used"
                    " the leftmost free cell of the bar (BA2)"
                )
        if bool(state.ending) != (state.phase == OVER):
            self.problems.append("the phase is 'over' exactly when two rows are closed or the misses are full (C11)")
        self.read_dice(facts.get("roll"))
        if "first" in facts:
            self.read_first(facts["first"])
        state.waiting = door.asked(self.layouts, self.states, 0)
        if "choices" in facts and not self.problems:
            self.read_choices(facts["choices"])

    def boxes(self, seat: int) -> int:
        """Count the boxed cells that a seat has crossed."""
        marks = self.state.sheets[seat].marks
        return sum(
            cell.boxed and bool(marks[r] >> position & 1)
            for r, row in enumerate(self.variant.rows)
            for position, cell in enumerate(row.cells)
        )

    def check_board(self) -> None:
        """Check that a cell of the duel has pawns of one player only, and nobody more than there are (D1, D2)."""
        for r, row in enumerate(self.variant.rows):
            if self.state.sheets[0].marks[r] & self.state.sheets[1].marks[r]:
                self.problems.append(f"a cell of row {row.key} has pawns of both players (D2)")
        for seat in range(2):
            if door.supply(self.layouts, self.states, 0, seat) < 0:
                self.problems.append(f"seat {seat} has more than {self.variant.pawns} pawns (D1)")

    def read_dice(self, text: str | None) -> None:
        """Put the dice on the table, where there are any."""
        state = self.state
        if state.phase in (WHITE, COLOR) and text is None:
            self.problems.append(f"phase {PHASES[state.phase]} needs a 'roll'")
        elif text is not None and (state.phase not in (WHITE, COLOR, OVER) or self.variant.is_cards):
            self.problems.append(f"no dice lie on the table in phase {PHASES[state.phase]}")
        elif text is not None:
            try:
                dice = read_roll(text)
            except NotationError as error:
                self.problems.append(str(error).rstrip("."))
                return
            if door.dice_refusal(self.layouts, self.states, 0, dice):
                self.problems.append(
                    f"dice show 1 to {self.variant.sides}, and exactly the dice of closed rows are written as '-'"
                )
            else:
                state.dice[:] = dice

    def read_first(self, text: str) -> None:
        """Read the duel's cell of action 1 (D5)."""
        if not self.variant.is_duel or self.state.phase != COLOR:
            self.problems.append("'first' belongs to action 2 of the duel")
            return
        try:
            self.state.first_cell = read_cell(self.variant, text)
        except NotationError as error:
            self.problems.append(str(error).rstrip("."))
        self.state.crossed = 1

    def read_choices(self, text: str) -> None:
        """Read what seats have chosen in the open window."""
        words = text.split(",")
        if len(words) != self.seats:
            self.problems.append("'choices' has a word for each seat, '-' for one that has not decided")
            return
        for seat, word in enumerate(words):
            if word == "-":
                continue
            try:
                action = read_action(self.variant, (), word)
            except QwixxError as error:
                self.problems.append(str(error).rstrip("."))
                continue
            if action >= TAKES or door.refusal(self.layouts, self.states, 0, seat, action):
                self.problems.append(f"seat {seat} cannot have chosen {word[:20]!r}")
                continue
            self.state.choices[seat] = action
            self.state.waiting &= ~(1 << seat)
        if self.state.waiting == 0:
            self.problems.append("when all have chosen the window is no longer open")


def variant_of(source: str | Path | Variant, sheet: str | Path | None = None) -> Variant:
    """Give the variant that a caller means: by id, by file, or as it is."""
    return source if isinstance(source, Variant) else load(source, sheet)
