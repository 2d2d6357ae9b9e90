"""The types of the tables for the page: `page_tables` fills them in, and `generate_types` writes them in TypeScript."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from qwixx.server.room.catalogue import Catalogue

Size = Literal[
    "ROWS",
    "POSITIONS",
    "CELLS",
    "COLORS",
    "TOTALS",
    "SEATS",
    "HAND",
    "DISPLAY",
    "DECK",
    "NO_CARD",
    "NO_CHOICE",
    "JOKER",
    "ACTIONS",
    "PASS",
    "TIES",
    "TAKES",
    "PLAYS",
    "CROSSINGS",
]
"""Constants of the kernel that the page needs, with the kernel's names."""
Reasons = dict[int, list[list[str]]]
"""By reason: a rule and the names of the details of its refusal; one for each phase, or one for all phases."""


class Places(TypedDict):
    """The memory layout of a record: its size in 32-bit words, and the offsets of its fields."""

    words: int
    places: dict[str, int]


class LayoutPlaces(Places):
    """The memory layout of a compiled sheet, and its size in bytes."""

    bytes: int


class Shown(TypedDict):
    """A detail of a view: the offset and form of a copied field; or null and the default in games without it."""

    name: str
    place: NotRequired[int | None]
    form: NotRequired[Any]


class RowTable(TypedDict):
    """One row of a sheet."""

    key: str
    values: list[int]
    colors: str


class GameTable(TypedDict):
    """One game on one sheet; nets and noises are by number of seats."""

    id: str
    sheet: str
    seats: tuple[int, int]
    isCards: bool
    isDuel: bool
    sides: int
    phases: list[int]
    lucky: list[str]
    rows: list[RowTable]
    pairs: list[str]
    view: list[Shown]
    sheetView: list[Shown]
    reasons: int
    players: dict[str, list[int]]
    kind: str
    nets: dict[int, str]
    noises: dict[str, dict[int, float]]


class RefusalTables(TypedDict):
    """The rule and the details of every refusal."""

    cell: Reasons
    play: Reasons
    noPlay: Reasons
    chance: Reasons


class TrailTable(TypedDict):
    """Sizes of the event log."""

    length: int
    note: int
    pack: int


class TellingTable(TypedDict):
    """Kinds of reasons for a choice, and sizes of their memory."""

    kinds: tuple[str, ...]
    length: int
    reason: int
    none: int
    facts: int


class ProblemTable(TypedDict):
    """Why a position is impossible: the name and the rule by number, and the numbers of one problem."""

    names: tuple[tuple[str, str], ...]
    words: int


class LongestTexts(TypedDict):
    """Limits of texts, in characters."""

    action: int
    deck: int
    record: int


class RecordTable(TypedDict):
    """The words of a record."""

    first: str
    header: tuple[str, ...]
    drawing: str


class Tables(TypedDict):
    """All tables of the module with the rules."""

    sizes: dict[Size, int]
    subsets: tuple[int, ...]
    state: Places
    sheet: Places
    layout: LayoutPlaces
    menu: int
    seating: int
    trail: TrailTable
    telling: TellingTable
    problems: ProblemTable
    phases: tuple[str, ...]
    over: int
    roll: int
    deal: int
    diceLie: tuple[int, ...]
    lastActions: tuple[int, ...]
    endings: tuple[str, ...]
    chance: dict[str, str]
    colors: str
    cards: str
    faces: str
    longest: LongestTexts
    record: RecordTable
    events: list[tuple[str, list[tuple[str, str]]]]
    missed: int
    rowView: list[Shown]
    codes: list[str]
    moments: list[str]
    reasons: list[RefusalTables]
    games: list[GameTable]
    players: dict[str, dict[str, list[int]]]
    catalogue: Catalogue
