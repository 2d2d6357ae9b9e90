"""The card game, with or without jokers, on three sheets."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from oracle.paper import Paper
from oracle.sheets import COLORS, SHEETS, UP
from oracle.table import Event, Table

JOKER = "j"


def number(card: str) -> int:
    """Return the number of a card, which its back shows too (K1)."""
    return int(card[1:])


def hand_order(card: str) -> tuple[int, int]:
    """Red, yellow, green, blue, jokers; small numbers first."""
    return (COLORS + JOKER).index(card[0]), number(card)


class CardTable(Table):
    """Hands, display, pile and discards (K1, K2)."""

    def __init__(self, seats: int, first: int, sheet: str, jokers: bool) -> None:
        super().__init__(seats, first, "deal")
        if sheet not in ("classic", "gemixxt-a", "gemixxt-b"):
            raise ValueError(f"no cards on sheet {sheet} (K10)")
        self.sheet = SHEETS[sheet]
        self.mixed_colors = sheet == "gemixxt-a"
        suits = COLORS + JOKER if jokers else COLORS
        self.deck = [f"{suit}{value}" for suit in suits for value in UP]
        self.papers = [Paper(seat, self.sheet) for seat in range(seats)]
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.display: list[str | None] = [None] * 4
        self.pile: list[str] = []
        self.discards: list[str] = []

    def chance(self, text: str) -> list[Event]:
        """Deal the deck, or turn the shuffled discards into the pile (K2, K3)."""
        cards = text.split(",")
        if self.phase == "deal":
            if sorted(cards) != sorted(self.deck):
                raise ValueError("not the whole deck")
            for seat in range(self.seats):
                self.hands[seat] = sorted(cards[4 * seat : 4 * seat + 4], key=hand_order)
            rest = cards[4 * self.seats :]
            self.display = list(rest[:4])
            self.pile = rest[4:]
            return [("dealt",), *self.begin("draw")]
        if self.phase == "shuffle":
            if sorted(cards) != sorted(self.discards):
                raise ValueError("not the discards")
            self.pile, self.discards = cards, []
            return [("shuffled", len(cards)), *self.fill()]
        raise ValueError("nothing to shuffle now")

    def fill(self) -> list[Event]:
        """Fill the display from the pile, shuffling if it runs out; then name the number (K3, K4)."""
        for slot in range(4):
            if self.display[slot] is None and self.pile:
                self.display[slot] = self.pile.pop(0)
        if not self.pile:
            if not self.discards:
                raise ValueError("no pile and no discards (ruling 7)")
            return self.begin("shuffle")
        return [("number", number(self.pile[0])), *self.begin("number")]

    def asked(self) -> list[int]:
        """All seats for the number, the active seat for drawing and playing (K3, K4, K5)."""
        if self.phase == "number":
            return list(range(self.seats))
        return [self.active] if self.phase in ("draw", "play") else []

    def actions(self, seat: int) -> list[str]:
        """List the cards to take, the cells to cross or the plays (K3, K4, K5)."""
        if self.phase == "draw":
            return self.takes(seat)
        if self.phase == "number":
            spots = self.sheet.spots(number(self.pile[0]), None)
            paper = self.papers[seat]
            allowed = [(row, place) for row, place in spots if paper.may(row, place, [])]
            return [*(self.sheet.name(row, place) for row, place in allowed), "pass"]
        return self.plays(seat)

    def takes(self, seat: int) -> list[str]:
        """As many cards of the display as make five in hand (K3)."""
        missing = 5 - len(self.hands[seat])
        return ["take:" + ",".join(slots) for slots in combinations("1234", missing)]

    def plays(self, seat: int) -> list[str]:
        """One to three cards that share a color, crossing none, some or all of their numbers (K5, K9)."""
        texts: set[str] = set()
        for size in (1, 2, 3):
            for cards in combinations(self.hands[seat], size):
                suits = {card[0] for card in cards} - {JOKER}
                if len(suits) > 1:
                    continue
                played = "play:" + ",".join(cards)
                texts.add(played)
                numbers = {number(card) for card in cards}
                for color in suits or set(COLORS):
                    for cells in self.crossings(seat, color, numbers):
                        names = [self.sheet.name(row, place) for row, place in cells]
                        texts.add(played + "=" + ",".join(names))
        return sorted(texts)

    def crossings(self, seat: int, color: str, numbers: set[int]) -> list[list[tuple[str, int]]]:
        """Every non-empty set of cells of this color and these numbers that may be crossed (K5, K10)."""
        order = [(row, place) for row, cells in self.sheet.rows.items() for place in range(len(cells))]
        spots = [spot for value in numbers for spot in self.sheet.spots(value, color)]
        spots.sort(key=order.index)
        sets = [list(cells) for size in range(1, len(spots) + 1) for cells in combinations(spots, size)]
        return [cells for cells in sets if self.gap_allowed(cells) and self.all_allowed(seat, cells)]

    def gap_allowed(self, cells: list[tuple[str, int]]) -> bool:
        """At most one cell left out between the first and the last; no limit on gemixxt A (K5, K10)."""
        places = [place for _, place in cells]
        return self.mixed_colors or max(places) - min(places) + 1 - len(places) <= 1

    def all_allowed(self, seat: int, cells: list[tuple[str, int]]) -> bool:
        """Whether the cells can be crossed one after the other; each counts toward closing (C1, C7, K5)."""
        paper = Paper(seat, self.sheet)
        paper.crosses = {row: list(places) for row, places in self.papers[seat].crosses.items()}
        paper.locks = set(self.papers[seat].locks)
        for row, place in cells:
            if not paper.may(row, place, []):
                return False
            paper.cross(row, place)
        return True

    def resolve(self, chosen: list[str]) -> list[Event]:
        """Apply the decisions of a phase."""
        if self.phase == "draw":
            return self.draw(chosen[self.active])
        if self.phase == "number":
            return self.number_for_all(chosen)
        return self.play(chosen[self.active])

    def draw(self, text: str) -> list[Event]:
        """Take cards from the display and fill it again (K3)."""
        taken: list[str] = []
        for slot in text.removeprefix("take:").split(","):
            card = self.display[int(slot) - 1]
            assert card is not None
            taken.append(card)
            self.display[int(slot) - 1] = None
        self.hands[self.active] = sorted(self.hands[self.active] + taken, key=hand_order)
        return [("took", self.active, tuple(number(card) for card in taken)), *self.fill()]

    def number_for_all(self, chosen: list[str]) -> list[Event]:
        """Cross the choices of all seats; the card stays on the pile (K4, K8)."""
        events: list[Event] = []
        for seat, text in enumerate(chosen):
            if text != "pass":
                events += self.papers[seat].cross(*self.sheet.find(text))
        ending = self.check()
        if ending is not None:
            return events + self.finish(ending)
        self.crossed = chosen[self.active] != "pass"
        return events + self.begin("play")

    def play(self, text: str) -> list[Event]:
        """Play cards and cross their cells; a turn without a cross is a miss (K5, K6, K8)."""
        paper = self.papers[self.active]
        cards, _, cells = text.removeprefix("play:").partition("=")
        for card in cards.split(","):
            self.hands[self.active].remove(card)
            self.discards.append(card)
        events: list[Event] = [("played", self.active, tuple(cards.split(",")))]
        for cell in cells.split(",") if cells else []:
            events += paper.cross(*self.sheet.find(cell))
        if not cells and not self.crossed:
            paper.misses += 1
            events.append(("missed", self.active))
        ending = self.check()
        if ending is not None:
            return events + self.finish(ending)
        return events + self.pass_on("draw")

    def check(self) -> str | None:
        """Two rows closed by one player on their own sheet, or four misses (K7, K8)."""
        if any(len(paper.locks) >= 2 for paper in self.papers):
            return "rows"
        if any(paper.misses >= 4 for paper in self.papers):
            return "misses"
        return None

    def scores(self) -> list[int]:
        """Points of every sheet (C12, K8)."""
        return [paper.score() for paper in self.papers]

    def seen_by(self, seat: int | None) -> list[list[str]]:
        """Return all hands as a seat or a spectator sees them: its own cards, of others sorted backs (K11)."""
        return [
            list(hand)
            if self.phase == "over" or owner == seat
            else [f"?{value}" for value in sorted(map(number, hand))]
            for owner, hand in enumerate(self.hands)
        ]

    def snapshot(self) -> dict[str, Any]:
        """Add sheets, hands, display, pile and discards."""
        return super().snapshot() | {
            "seats": [
                paper.snapshot() | {"hand": list(hand)} for paper, hand in zip(self.papers, self.hands, strict=True)
            ],
            "display": list(self.display),
            "pile": list(self.pile),
            "discards": sorted(self.discards),
        }
