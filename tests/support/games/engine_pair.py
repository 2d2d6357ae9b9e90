"""Two engines, one game: the package and the naive oracle play side by side and are compared at every step.

The state of the oracle is written as a position line, as in docs/formats.md. So the whole state of both is compared as
one text, and a difference can be read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import qwixx
from oracle import Oracle
from oracle.cards import CardTable, hand_order
from oracle.duel import DuelTable
from oracle.sheet_games import SheetTable
from oracle.sheets import BONUS_ROWS
from qwixx import Game
from support.games.game_sources import playable, sheet_file

CHANCE = ("roll", "deal", "shuffle")
COUNTED = (
    *("struck", "lost", "captured", "stacked", "locked", "missed", "bonus", "pair"),
    *("second", "linked", "exchanged", "track", "small", "bonus-cell"),
)
"""Events that are counted by their word."""
COLORS = "rygb"
PADS = ("5/10", "6/11", "7/12", "8/13", "4/9", "2/16", "3/9", "5/8")


@dataclass(frozen=True)
class Setting:
    """A game with its number of seats; `sheet` matters to the card games only."""

    variant: str
    seats: int
    sheet: str = "classic"

    def __str__(self) -> str:
        return f"{self.variant}-{self.sheet}-{self.seats}" if self.is_cards else f"{self.variant}-{self.seats}"

    @property
    def is_cards(self) -> bool:
        """Return whether it is a card game."""
        return self.variant.startswith("cards")


def _sheets(variant: str) -> tuple[str, ...]:
    deck = qwixx.variant(variant).deck
    return deck.sheets if deck else ("classic",)


SETTINGS = tuple(
    Setting(variant, seats, sheet)
    for variant in qwixx.games()
    for sheet in _sheets(variant)
    for seats in qwixx.variant(variant).seats
)
"""All games on all sheets with all seat counts."""

SHEET_FILE_SETTINGS = tuple(
    Setting(variant, seats) for variant in playable() if sheet_file(variant) for seats in (1, 2, 3, 4, 5)
)
"""The games that the package does not have yet, played from their sheet files."""


class DifferenceError(AssertionError):
    """The two engines disagree; the message has the details."""


# ---- the oracle as a position line


def _cards(cards: list[str]) -> str:
    return ",".join(cards)


def _seat_words(table: Any, seat: int, facts: dict[str, Any]) -> str:
    words = []
    for row, values in facts["rows"].items():
        heights = dict(facts["pawns"][row]) if "pawns" in facts else {}
        marks = [f"{value}x{heights[value]}" if heights.get(value, 1) > 1 else str(value) for value in values]
        if row in facts["locks"]:
            marks.append("L")
        if marks:
            words.append(f"{row}={','.join(marks)}")
    words += _beside_rows(facts)
    if facts["misses"]:
        words.append(f"misses={facts['misses']}")
    for bar in ("used", "struck"):
        if facts[bar]:
            words.append(f"{bar}={','.join(map(str, facts[bar]))}")
    if isinstance(table, SheetTable):
        if table.lucky[seat] != (0, 0):
            words.append("lucky={}/{}".format(*table.lucky[seat]))
        words += _beside_sheet(facts, table.pads[seat : seat + 1])
    if facts["hand"]:
        words.append(f"hand={_cards(facts['hand'])}")
    return " ".join(words) or "-"


def _beside_rows(facts: dict[str, Any]) -> list[str]:
    """Write bonus rows, second crosses and small fields (BP, DA, F)."""
    words = [f"{row}={','.join(map(str, values))}" for row, values in facts.get("bonus", {}).items() if values]
    for name in ("small", "second"):
        if cells := [f"{row}{value}" for row, values in facts.get(name, {}).items() for value in values]:
            words.append(f"{name}={','.join(cells)}")
    return words


def _beside_sheet(facts: dict[str, Any], pad: str) -> list[str]:
    """Write the bar that exchanges, the pad and the track (XC, CA, CB, F)."""
    words = []
    if facts.get("exchanged"):
        words.append(f"exchanged={','.join(map(str, facts['exchanged']))}")
    if pad:
        words.append(f"pad={pad}")
    if facts.get("track"):
        words.append(f"track={facts['track']}")
    return words


def line_of(oracle: Oracle, sheet: str = "classic") -> str:
    """Write the whole state of the oracle as a position line."""
    facts, table = oracle.snapshot(), oracle.table
    words = [oracle.variant, f"active={facts['active']}", f"phase={facts['phase']}"]
    if facts["turn"] != 1:
        words.append(f"turn={facts['turn']}")
    if sheet != "classic":
        words.append(f"sheet={sheet}")
    if facts["roll"]:
        words.append(f"roll={facts['roll']}")
    if facts["crossed"]:
        words.append("crossed=yes")
    if isinstance(table, DuelTable) and table.first is not None and facts["phase"] == "color":
        words.append(f"first={table.sheet.name(*table.first)}")
    if any(facts["choices"]):
        choices = [choice or "-" for choice in facts["choices"]]
        if oracle.variant == "connect-15":  # two cells of one choice
            choices = [choice.replace(",", "&") for choice in choices]
        words.append("choices=" + ",".join(choices))
    if facts["pile"] or facts["discards"]:
        words.append("display=" + ",".join(card or "-" for card in facts["display"]))
        words.append(f"pile={_cards(facts['pile'])}")
        if facts["discards"]:
            words.append(f"discards={_cards(sorted(facts['discards'], key=hand_order))}")
    seats = [_seat_words(table, seat, own) for seat, own in enumerate(facts["seats"])]
    return " | ".join([" ".join(words), *seats])


def event_text(event: tuple[Any, ...]) -> str:
    """Write an event of the oracle as the package writes its own."""
    return " ".join(",".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in event)


def _hands(view: qwixx.View) -> list[list[str]]:
    """Return the hands of a view, their cards or their backs."""
    return [list(s.hand) if s.hand is not None else [f"?{number}" for number in s.backs] for s in view.sheets]


# ---- the two together


class EnginePair:
    """One game, played by both engines; every method compares everything afterwards."""

    def __init__(self, game: Game, oracle: Oracle, setting: Setting, seed: int) -> None:
        self.game = game
        self.oracle = oracle
        self.setting = setting
        self.seed = seed
        self.steps = 0
        self.rare_events: Counter[str] = Counter()
        self.legal: list[list[str]] = []
        self.theirs: list[list[str]] = []
        self.compare([], [])

    @classmethod
    def new(cls, setting: Setting, seed: int) -> EnginePair:
        """Start a game on empty sheets; the seed gives the first seat and the lucky numbers."""
        rng = Random(f"{setting} {seed}")
        first = rng.randrange(setting.seats)
        pads = rng.sample(PADS, setting.seats) if setting.variant == "longo" else None
        pairs = [(int(small), int(large)) for small, large in (pad.split("/") for pad in pads)] if pads else None
        sheet = setting.sheet if setting.is_cards else None
        source = sheet_file(setting.variant) or setting.variant
        game = Game(source, setting.seats, seed=seed, first=first, sheet=sheet, lucky=pads)
        return cls(game, Oracle(setting.variant, setting.seats, first, setting.sheet, pairs), setting, seed)

    @classmethod
    def prepared(cls, setting: Setting, oracle: Oracle, seed: int) -> EnginePair:
        """Start from the state of the oracle: the package reads its position line."""
        line, file = line_of(oracle, setting.sheet), sheet_file(setting.variant)
        return cls(Game.from_position(line, variant=file, seed=seed), oracle, setting, seed)

    def compare(self, ours: list[str], theirs: list[str]) -> None:
        """Fail unless both agree on events, state, deciders, legal actions of every seat, and scores."""
        game, oracle = self.game, self.oracle
        if len(theirs) != 1:  # more than "decided": the table changed, so the oracle's legal actions may have changed
            self.theirs = [sorted(oracle.legal(seat)) for seat in range(self.setting.seats)]
        self._same("events", ours, theirs)
        self._same("position", game.position(), line_of(oracle, self.setting.sheet))
        self._same("deciders", set(game.deciders()), oracle.deciders())
        self._same("closed rows", list(game.closed), oracle.snapshot()["closed"])
        self._same("scores", list(game.scores()), oracle.scores())
        self.legal = [sorted(str(action) for action in game.legal(seat)) for seat in range(self.setting.seats)]
        for seat, actions in enumerate(self.legal):
            self._same(f"legal actions of seat {seat}", actions, self.theirs[seat])
        if isinstance(oracle.table, CardTable):
            viewer = (None, *range(self.setting.seats))[self.steps % (self.setting.seats + 1)]
            self._same(f"hands as seat {viewer} sees them", _hands(game.view(viewer)), oracle.table.seen_by(viewer))
        outcome = game.outcome()
        self._same("ending", outcome and outcome.ending, oracle.ending)
        if outcome:
            self._same("winners", list(outcome.winners), oracle.winners())

    def _same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise DifferenceError(
                f"{what} differ in {self.setting}, seed {self.seed}, step {self.steps}\n"
                f"  package: {ours}\n  oracle:  {theirs}\n"
                f"  in {line_of(self.oracle, self.setting.sheet)}\n{self.game.record()}"
            )

    def chance(self) -> None:
        """Draw chance in the package, and script the same for the oracle."""
        ours = [str(event) for event in self.game.roll()]
        what = ours[0] if ours[0].startswith("rolled") else self.game.record().splitlines()[-1]
        theirs = self.oracle.chance(what.partition(" ")[2])
        self.steps += 1
        self.rare_events["shuffle"] += theirs[0][0] == "shuffled"
        self.compare(ours, [event_text(event) for event in theirs])

    def decide(self, seat: int, text: str) -> None:
        """Decide for a seat in both engines."""
        table = self.oracle.table
        phase, before = table.phase, list(getattr(table, "closed", ()))
        total = sum(map(int, table.roll[:2])) if isinstance(table, SheetTable) and table.roll else 0
        changed = table.choices[seat] is not None
        ours = [str(event) for event in self.game.decide(seat, text)]
        theirs = self.oracle.decide(seat, text)
        self.steps += 1
        self._note(theirs, before)
        self._note_action(phase, text, total, changed=changed)
        self.compare(ours, [event_text(event) for event in theirs])

    def _note_action(self, phase: str, text: str, total: int, *, changed: bool) -> None:
        self.rare_events["change of mind"] += changed
        self.rare_events["tie"] += ">" in text
        if self.setting.variant == "longo" and phase == "white" and text not in ("pass", f"{text[0]}{total}"):
            self.rare_events["lucky"] += 1
        played, _, crossed = text.removeprefix("play:").partition("=")
        numbers = Counter(card[1:] for card in played.split(",")) if text.startswith("play:") else Counter[str]()
        doubles = [number for number, times in numbers.items() if times > 1]
        self.rare_events["joker and its double cross one cell"] += any(n in crossed for n in doubles) and bool(crossed)

    def _note(self, events: list[tuple[Any, ...]], closed_before: list[str]) -> None:
        """Count rare events."""
        words = Counter(event[0] for event in events)
        for word in COUNTED:
            self.rare_events[word] += words[word]
        locks = Counter(event[2] for event in events if event[0] == "locked")
        if not self.setting.is_cards:
            self.rare_events["shared closing"] += any(times > 1 for times in locks.values())
            closed_now = words["closed"]
            self.rare_events["third row in one window"] += len(closed_before) == 1 and closed_now >= 2
            self.rare_events["three rows at once"] += closed_now >= 3
            self.rare_events["closed in action 1, then action 2"] += closed_now == 1 and events[-1] == (
                "phase",
                "color",
            )
        else:
            self.rare_events["personal closing"] += words["locked"] > 0 and words["over"] == 0
        chains = Counter(event[1] for event in events if event[0] == "bonus")
        self.rare_events["bonus chain of three"] += any(length >= 3 for length in chains.values())
        pairs = Counter(event[1] for event in events if event[0] == "pair")
        self.rare_events["pair sets off pair"] += any(length >= 2 for length in pairs.values())
        at_work: tuple[Any, ...] = ()
        for word, *details in events:
            if word == "lost" and details[1] in closed_before and at_work == (details[0], "two-in-fewest"):
                self.rare_events["the fewest crosses are in a closed row"] += 1
            at_work = tuple(details) if word == "pair" else at_work
        if self.setting.variant == "duel":
            self.rare_events["closed without a pawn for the lock"] += words["closed"] > words["locked"]
        for event in events:
            if event[0] == "over":
                self.rare_events[f"ending {event[1]}"] += 1

    # ---- playing at random

    def play(self, rng: Random, *, most_steps: int = 3000) -> None:
        """Play to the end, mostly with sensible choices, so that rows close; change some choices."""
        style = rng.choice(("sensible", "sensible", "anyhow", "mixed"))
        while self.oracle.phase != "over":
            assert self.steps < most_steps, f"{self.setting}, seed {self.seed} does not end"
            if self.oracle.phase in CHANCE:
                self.chance()
                continue
            waiting = sorted(self.oracle.deciders())
            decided = [seat for seat in range(self.setting.seats) if self.oracle.table.choices[seat] is not None]
            again = decided and rng.random() < 0.1
            seat = rng.choice(decided if again else waiting)
            sensible = style == "sensible" or (style == "mixed" and rng.random() < 0.7)
            self.decide(seat, self.choose(seat, rng) if sensible else rng.choice(self.legal[seat]))

    def choose(self, seat: int, rng: Random) -> str:
        """Prefer cells that skip little, and most of all closing a row."""
        actions = [(self._cost(seat, text) + rng.random(), text) for text in self.legal[seat]]
        return min(actions)[1]

    def _cost(self, seat: int, text: str) -> float:
        table = self.oracle.table
        if text.startswith("take"):
            return 0.0
        if text.startswith("play"):
            cells = text.partition("=")[2]
            return 3.0 - 2.0 * len([cell for cell in cells.split(",") if cell])
        if text == "pass":
            return 2.5
        if text == "track" or text[:2] in BONUS_ROWS or text.endswith("+"):  # F2, BP2, F4
            return 0.0
        assert isinstance(table, SheetTable | CardTable | DuelTable)
        row, place = table.sheet.find(text.partition(">")[0])
        if table.sheet.closes(row, place):
            return -3.0
        if isinstance(table, DuelTable):
            return float(place - max(table.pawns[seat][row], default=-1) - 1)
        return float(place - table.papers[seat].next(row))
