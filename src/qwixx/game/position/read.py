"""Read a position line: read all of it first, then report all problems together."""

from __future__ import annotations

import re

import numpy as np

from qwixx.errors import NotationError, PositionError, QwixxError
from qwixx.game.position.fields import (
    BOTH,
    MAX_LINE_CHARS,
    SEAT_FIELDS,
    SMALL,
    TABLE_FIELDS,
    WORDS_OF_SHEET,
    WORDS_OF_TABLE,
    keys_of,
    read_number,
    read_word,
)
from qwixx.kernel import api
from qwixx.kernel.setup import PROBLEM, PROBLEM_BUFFER
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import (
    COLOR,
    DEAL,
    DISPLAY,
    HAND,
    LAST_ACTIONS,
    MORE,
    NO_CARD,
    OVER,
    PHASES,
    PHASES_OF,
    POSITIONS,
    STATE,
    TAKES,
    WHITE,
    Records,
)
from qwixx.text.action_parser import read_action
from qwixx.text.notation import read_card, read_cell, read_deck, read_lucky, read_roll, row_keys
from qwixx.text.refusal_sentences import explain_cross, explain_problem
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant


def read_position(text: str, variant: Variant | None = None) -> tuple[Variant, Records, Records]:
    """
    Read a position line: the variant, its layout and the state.

    A custom sheet has to be passed as `variant`. Raises `PositionError` with all problems.
    """
    if len(text) > MAX_LINE_CHARS:
        raise PositionError([f"a position line has at most {MAX_LINE_CHARS} characters"])
    sections = [section.split() for section in text.strip().split("|")]
    if not sections[0]:
        raise PositionError(["the line starts with the id of the variant"])
    name, *words = sections[0]
    problems: list[str] = []
    facts = _facts(words, ("sheet", *keys_of(TABLE_FIELDS)), "the table", problems)
    try:
        variant = _variant(name, facts.pop("sheet", None), variant)
    except QwixxError as error:
        raise PositionError([str(error).rstrip(".")]) from None
    seats = len(sections) - 1
    if seats not in variant.seats:
        raise PositionError([f"{variant.id} has {variant.seat_counts}, a section after a '|' for each, not {seats}"])
    reader = _Reader(variant, seats, problems)
    reader.read_table(facts)
    for seat, section in enumerate(sections[1:]):
        reader.read_seat(seat, section)
    reader.read_cards(facts)
    reader.finish(facts)
    assert not facts, f"no code reads {', '.join(facts)}"
    if problems:
        raise PositionError(problems)
    return variant, reader.layouts, reader.states


def _variant(name: str, sheet: str | None, given: Variant | None) -> Variant:
    if given is None:
        if name.endswith(".toml"):  # a line of text must not open files
            raise NotationError(f"{name!r} is not the id of a game")
        if sheet is not None and sheet.endswith(".toml"):
            raise NotationError(f"{sheet!r} is not the id of a sheet")
        return load(name, sheet)
    if given.id != name or (sheet or "classic") != (given.sheet or "classic"):
        raise NotationError(f"the line is of another game than {given.id!r}")
    return given


def _facts(words: list[str], known: tuple[str, ...], where: str, problems: list[str]) -> dict[str, str]:
    """Split `key=value` words."""
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
    """The state under construction and the problems found so far."""

    def __init__(self, variant: Variant, seats: int, problems: list[str]) -> None:
        self.variant = variant
        self.problems = problems
        self.layouts = compile_layout(variant)
        self.states: Records = np.zeros(1, STATE)
        api.begin(self.layouts, self.states, 0, np.uint64(0), np.uint64(0), seats, 0)
        self.state = self.states[0]
        self.seats = seats

    # ---- the table

    def read_table(self, facts: dict[str, str]) -> None:
        """Read the active seat, the phase, and the words that are one field each."""
        names = [PHASES[phase] for phase in PHASES_OF[int(self.layouts[0].flow)]]
        phase = facts.pop("phase", names[0])
        if phase not in names:
            self.problems.append(f"'phase' should be one of {', '.join(names)}, not {phase[:20]!r}")
            phase = names[0]
        self.state.phase = PHASES.index(phase)
        self.state.active = read_number("active", facts.pop("active", "0"), (0, self.seats - 1), 0, self.problems)
        for field, text in WORDS_OF_TABLE:
            if text.key in facts:
                word = facts.pop(text.key)
                if not field.when(self.layouts[0]):
                    self.problems.append(f"{text.key!r} does not belong to {self.variant.id}")
                    continue
                self.state[field.name] = read_word(field, text, self.layouts[0], word, self.problems, "the table")
        if "crossed" in facts:
            if facts.pop("crossed") != "yes" or self.state.phase not in LAST_ACTIONS:
                self.problems.append("'crossed=yes' belongs to the active seat's last action of a turn")
            self.state.crossed = 1

    # ---- a seat

    def read_seat(self, seat: int, section: list[str]) -> None:
        """Read a seat's crosses and cards."""
        if section == ["-"]:
            section = []
        elif not section:
            self.problems.append(f"seat {seat} is empty; an untouched seat is written '-'")
        keys, layout = row_keys(self.variant), self.layouts[0]
        bonus_keys = tuple(bonus.key for bonus in self.variant.bonus_rows)
        own = (*bonus_keys, *([SMALL] if self.variant.faces else []))
        facts = _facts(section, (*keys, *own, *keys_of(SEAT_FIELDS, layout)), f"seat {seat}", self.problems)
        rows = {key: facts.pop(key) for key in keys if key in facts}
        if SMALL in facts:
            self.add_cells(seat, rows, [f"{word}+" for word in facts.pop(SMALL).split(",")])
        if "second" in facts:
            self.add_cells(seat, rows, facts.pop("second").split(","))
        self.read_rows(seat, rows)
        for beside, key in enumerate(bonus_keys):
            if key in facts:
                self.read_bonus_row(seat, beside, facts.pop(key))
        sheet = self.state.sheets[seat]
        for field, text in WORDS_OF_SHEET:
            if text.key in facts:
                word = facts.pop(text.key)
                sheet[field.name] = read_word(field, text, layout, word, self.problems, f"seat {seat}")
        if "lucky" in facts:
            self.read_lucky(seat, facts.pop("lucky"))
        if "pad" in facts:
            self.read_pad(seat, facts.pop("pad"))
        if "hand" in facts:
            self.read_hand(seat, facts.pop("hand"))
        assert not facts, f"no code reads {', '.join(facts)}"
        if sheet.used & sheet.struck:
            self.problems.append(f"seat {seat} has a cell of the bar both used and struck")

    def add_cells(self, seat: int, rows: dict[str, str], cells: list[str]) -> None:
        """Add small fields, or second crosses, to the words of the rows, from left to right."""
        for cell in cells:
            key, label = cell[:1], cell[1:]
            row = next((row for row in self.variant.rows if row.key == key), None)
            labels = [] if row is None else [each.label for each in row.cells]
            words = rows[key].split(",") if key in rows else []
            if label not in labels or (label in words) != (not label.endswith("+")):
                self.problems.append(f"seat {seat}: {cell[:20]!r} is no such cell of the sheet")
                continue
            before = [word for word in words if word in labels and labels.index(word) <= labels.index(label)]
            at = words.index(before[-1]) + 1 if before else 0
            rows[key] = ",".join([*words[:at], label, *words[at:]])

    def read_rows(self, seat: int, rows: dict[str, str]) -> None:
        """Read the crosses, or pawns, of all rows; a player's pawns are first placed on a separate board."""
        states = self.states
        if self.variant.is_duel:
            states = np.zeros(1, STATE)
            api.begin(self.layouts, states, 0, np.uint64(0), np.uint64(0), self.seats, 0)
        for r, key in enumerate(row_keys(self.variant)):
            if key in rows:
                self.read_row(states, seat, r, rows[key])
        if self.variant.is_duel:
            self.state.sheets[seat] = states[0].sheets[seat]
            self.state.board[seat] = states[0].board[seat]

    def read_row(self, states: Records, seat: int, r: int, text: str) -> None:
        """Read one row: its crosses are made one after the other, so that the kernel refuses impossible ones."""
        row = self.variant.rows[r]
        values = [cell.label for cell in row.cells]
        words = text.split(",")
        is_locked = words[-1] == "L"
        problems_before = len(self.problems)
        if len(words) > (1 + self.variant.twice) * len(values) + 1:
            self.problems.append(f"seat {seat}: row {row.key} has {len(values)} cells and a lock, not {len(words)}")
            return
        for word in words[:-1] if is_locked else words:
            found = re.fullmatch(r"0?([0-9]{1,2}\+?)(?:x([0-9]{1,2}))?", word)
            height = int(found[2] or 1) if found else 0
            if not found or found[1] not in values or height < 1 or (height > 1 and not self.variant.is_duel):
                self.problems.append(f"seat {seat}: {word[:20]!r} is no cross in row {row.key}")
                continue
            cell = r * POSITIONS + values.index(found[1])
            for _ in range(height):
                reason = api.cross_in_setup(self.layouts, states, 0, seat, cell)
                if reason:
                    refusal = explain_cross(self.variant, self.layouts[0], states[0], seat, cell, reason)
                    self.problems.append(f"seat {seat}: {refusal.sentence.rstrip('.')} ({refusal.rule})")
                    break
        if len(self.problems) > problems_before:
            return  # the lock of an invalid row cannot be checked
        has_lock = bool(states[0].sheets[seat].locks >> r & 1)
        if has_lock and not is_locked and self.variant.is_duel:
            api.take_lock_back(states, 0, seat, r)
        elif has_lock != is_locked:
            self.problems.append(f"seat {seat}: the lock L of row {row.key} goes with its closing cell (C7)")

    def read_bonus_row(self, seat: int, beside: int, text: str) -> None:
        """Read the crosses of a bonus row (BP1); the kernel checks them with the rows beside it."""
        bonus = self.variant.bonus_rows[beside]
        values = [cell.label for cell in self.variant.rows[bonus.above].cells]
        for word in text.split(","):
            if word in values:
                self.state.sheets[seat].bonus |= 1 << beside * POSITIONS + values.index(word)
            else:
                self.problems.append(f"seat {seat}: {word[:20]!r} is no cross in row {bonus.key}")

    def read_pad(self, seat: int, text: str) -> None:
        """Read the pad of a seat (CA1, CB1)."""
        if text in self.variant.pads:
            self.state.sheets[seat].pad = self.variant.pads.index(text)
        else:
            pads = ", ".join(self.variant.pads)
            self.problems.append(f"seat {seat}: {text[:20]!r} is no pad; there are {pads}")

    def read_lucky(self, seat: int, text: str) -> None:
        """Read a seat's lucky numbers."""
        try:
            self.state.sheets[seat].lucky[:] = read_lucky(self.variant, text)
        except QwixxError as error:
            self.problems.append(f"seat {seat}: {str(error).rstrip('.')}")

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
        """Read display, pile and discards, and check that every card of the deck is in exactly one place."""
        given = {key: facts.pop(key) for key in ("display", "pile", "discards") if key in facts}
        if not self.variant.is_cards:
            if given:
                self.problems.append(f"{next(iter(given))!r} belongs to the card games")
            return
        if self.state.phase == DEAL:
            if given or self.state.held.any():
                self.problems.append("before the deal nobody holds cards and none lie on the table")
            return
        whole = [int(card) for card in self.layouts[0].deck[: self.layouts[0].deck_size]]
        held = [int(c) for seat in range(self.seats) for c in self.state.hands[seat, : self.state.held[seat]]]
        try:
            places = given.get("display", "").split(",")
            display = [NO_CARD if word == "-" else read_card(word) for word in places]
            discards = read_deck(given.get("discards", ""), whole, held)
            placed = [*held, *discards, *display]
            pile = read_deck(given.get("pile", ""), whole, placed)
        except NotationError as error:
            self.problems.append(str(error).rstrip("."))
            return
        if len(display) != DISPLAY:
            self.problems.append(f"the display has {DISPLAY} places")
            return
        self.state.display[:] = display
        self.state.pile[: len(pile)] = pile[::-1]
        self.state.pile_size = len(pile)
        self.state.discards[: len(discards)] = discards
        self.state.discarded = len(discards)

    # ---- rows, dice and choices

    def finish(self, facts: dict[str, str]) -> None:
        """Read dice and choices, close rows by their locks, and check that the whole position is possible."""
        state = self.state
        self.read_dice(facts.pop("roll", None))
        found = np.zeros(PROBLEM_BUFFER, np.int32)
        api.check_position(self.layouts, self.states, 0, new_log(), found)
        for at in range(1, 1 + PROBLEM * int(found[0]), PROBLEM):
            self.problems.append(explain_problem(self.variant, *(int(word) for word in found[at : at + PROBLEM])))
        if "first" in facts:
            self.read_first(facts.pop("first"))
        state.waiting = api.asked(self.layouts, self.states, 0)
        choices = facts.pop("choices", None)
        if choices is not None and not self.problems:
            self.read_choices(choices)

    def read_dice(self, text: str | None) -> None:
        """Read the dice, in phases that have dice."""
        state = self.state
        if text is None:
            return
        if state.phase not in (WHITE, COLOR, OVER) or self.variant.is_cards:
            self.problems.append(f"no dice lie on the table in phase {PHASES[state.phase]}")
            return
        try:
            state.dice[:] = read_roll(text)
        except NotationError as error:
            self.problems.append(str(error).rstrip("."))

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
        """Read the choices of seats in the open window."""
        words = text.split(",")
        if len(words) != self.seats:
            self.problems.append("'choices' has a word for each seat, '-' for one that has not decided")
            return
        for seat, word in enumerate(words):
            if word == "-":
                continue
            try:
                action = read_action(self.variant, (), word.replace(BOTH, ","))
            except QwixxError as error:
                self.problems.append(str(error).rstrip("."))
                continue
            if TAKES <= action < MORE or api.refusal(self.layouts, self.states, 0, seat, action):
                self.problems.append(f"seat {seat} cannot have chosen {word[:20]!r}")
                continue
            self.state.choices[seat] = action
            self.state.waiting &= ~(1 << seat)
        if self.state.waiting == 0:
            self.problems.append("when all have chosen the window is no longer open")
