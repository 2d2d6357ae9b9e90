"""Positions in the middle of a game: the oracle with sheets filled at random by the rules."""

from __future__ import annotations

from random import Random

from oracle import Oracle
from oracle.big_points import BonusRowPaper
from oracle.bonus import BarPaper, PairPaper
from oracle.cards import CardTable, hand_order
from oracle.connected import ChainPaper
from oracle.double import SecondBoxPaper
from oracle.duel import DuelTable
from oracle.exchange import ExchangePaper
from oracle.fifteen import SmallFieldPaper, TrackPaper
from oracle.paper import Paper
from oracle.sheet_games import SheetTable
from oracle.sheets import BONUS_ROWS, BOXED, CHAINS, FIELDS, PAIRS, SMALL, STAIRS, TRACK
from support.games.engine_pair import PADS, Setting


def prepared(setting: Setting, rng: Random) -> Oracle:
    """Return an oracle game in progress: rows half full, some nearly closed, perhaps one closed."""
    pads = rng.sample(PADS, setting.seats) if setting.variant == "longo" else None
    pairs = [(int(small), int(large)) for small, large in (pad.split("/") for pad in pads)] if pads else None
    blocks = list(STAIRS if setting.variant == "connected-a" else CHAINS)
    dealt = "".join(rng.sample(blocks, setting.seats))
    oracle = Oracle(setting.variant, setting.seats, rng.randrange(setting.seats), setting.sheet, pairs, dealt)
    table = oracle.table
    table.turn = rng.randint(2, 40)
    if isinstance(table, SheetTable):
        _fill_sheets(table, rng)
    elif isinstance(table, CardTable):
        _fill_hands(table, rng)
        for paper in table.papers:
            _fill(paper, rng, closable=rng.choice([*table.sheet.rows, ""]))
    elif isinstance(table, DuelTable):
        _fill_board(table, rng)
    return oracle


def _fill(paper: Paper, rng: Random, closable: str) -> None:
    """Cross about half of a sheet from left to right; only one named row may be closed."""
    paper.misses = rng.choice((0, 0, 1, 2, 3))
    full = rng.random() < 0.6
    for row, cells in paper.sheet.rows.items():
        openings = [place for place in range(len(cells)) if not paper.sheet.closes(row, place)]
        most = len(openings) if full else 5
        least = paper.sheet.need if full and rng.random() < 0.6 else 0
        places = set(rng.sample(openings, rng.randint(least, most)))
        if isinstance(paper, PairPaper):  # one half of a pair, so that the other has an effect
            halves = [paper.sheet.find(cell)[1] for cells in PAIRS.values() for cell in cells if cell[0] == row]
            places = places - set(halves) | {place for place in halves if rng.random() < 0.4}
        for place in sorted(places):
            paper.cross(row, place)
        if isinstance(paper, SecondBoxPaper):
            paper.second[row] = [place for place in sorted(places) if rng.random() < 0.4]
        if row == closable and paper.toward_closing(row) >= paper.sheet.need and rng.random() < 0.5:
            paper.cross(row, rng.randrange(len(openings), len(cells)))
    _fill_beside(paper, rng)


def _fill_beside(paper: Paper, rng: Random) -> None:
    """Make the marks that only some sheets have, fitting to the crosses."""
    if isinstance(paper, ChainPaper):
        for row, place in [(row, place) for row, places in paper.crosses.items() for place in places]:
            partner = paper.partner(paper.sheet.name(row, place))
            if partner is not None:
                other, there = paper.sheet.find(partner)
                paper.crosses[other] = sorted({*paper.crosses[other], there})
    elif isinstance(paper, ExchangePaper):
        paper.used = sorted(rng.sample(range(1, len(FIELDS) + 1), rng.randint(0, 4)))
    elif isinstance(paper, TrackPaper):
        paper.fields = rng.randint(0, len(TRACK))
    elif isinstance(paper, SmallFieldPaper):
        for row, values in SMALL.items():
            places = [paper.sheet.find(f"{row}{value}")[1] for value in values]
            paper.small[row] = [place for place in places if rng.random() < 0.3]
    elif isinstance(paper, BonusRowPaper):
        for bonus_row, neighbours in BONUS_ROWS.items():
            open_to_it = {place for row in neighbours for place in paper.crosses[row]}
            paper.bonus[bonus_row] = [place for place in sorted(open_to_it) if rng.random() < 0.3]


def _fill_sheets(table: SheetTable, rng: Random) -> None:
    closable = rng.choice([*table.sheet.rows, ""])
    for paper in table.papers:
        _fill(paper, rng, closable)
        if isinstance(paper, BarPaper):
            crossed = {paper.sheet.name(row, place) for row, places in paper.crosses.items() for place in places}
            paper.used = set(range(1, 1 + len(crossed & set(BOXED))))  # each box used the leftmost free cell (BA2)
    for row in table.sheet.rows:
        if table.shut(row):
            table.closed.append(row)
            table.strike(table.sheet.die(row))


def _fill_hands(table: CardTable, rng: Random) -> None:
    cards = rng.sample(table.deck, len(table.deck))
    for seat in range(table.seats):
        size = rng.randint(2, 4)
        table.hands[seat] = sorted((cards.pop() for _ in range(size)), key=hand_order)
    table.display = [cards.pop() for _ in range(4)]
    at = rng.randint(1, len(cards))
    table.pile, table.discards = cards[:at], cards[at:]
    table.phase = "draw"


def _fill_board(table: DuelTable, rng: Random) -> None:
    """Place pawns on the board of the duel, so many that a supply may be nearly empty."""
    most = rng.randint(2, 5)
    crowded = rng.random() < 0.5
    for row in table.sheet.rows:
        for place in sorted(rng.sample(range(10), rng.randint(0, 2 * most))):
            seat = rng.randrange(2)
            table.pawns[seat][row][place] = rng.randint(1, 3) if crowded and rng.random() < 0.5 else 1
    if rng.random() < 0.3:
        table.misses[rng.randrange(2)] = 1
    for seat in range(2):
        for row in table.sheet.rows:  # no player has more than 21 on the board
            while table.supply(seat) < 1 and table.pawns[seat][row]:
                del table.pawns[seat][row][min(table.pawns[seat][row])]
