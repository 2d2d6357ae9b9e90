"""
How things are said, as tables for the page: written from what Python declares, so that nobody says it twice.

The page reads a state by the places of its fields, puts notes of a trail into events, and says why something is
refused. Which fields there are, what an event tells and which rule a refusal names is all found here by asking the
package. What a table cannot say, such as how the text of an action looks, `page/src/kernel` writes by hand, and tests
compare it with Python at every step of many games.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

import qwixx
from qwixx import chance, events, notation, record, view
from qwixx.analysis.grades import GRADES, MISTAKE, NOTHING, THRESHOLDS
from qwixx.analysis.learned import ERRORS
from qwixx.errors import CODES, MOMENTS, Refusal
from qwixx.kernel import records, refusals, telling, trail
from qwixx.kernel.facts import FACTS
from qwixx.kernel.records import LAYOUT, SHEET, STATE, WORD, word_of
from qwixx.learn.bench import BENCH
from qwixx.learn.net import HIDDEN, LAYERS
from qwixx.learn.tables import INPUTS, VERSION, lay_out
from qwixx.learn.weighing import CHOICE, MOST_CHOICES, ROOM
from qwixx.learn.weights import FORMAT, MAGIC, find_weights, sheet_key
from qwixx.players import Registered, find, house_names
from qwixx.players.house.levels import LEVELS, Level
from qwixx.players.house.master import MASTER
from qwixx.players.weights import SEATING, WEIGHTS, Weigher, kind_of
from qwixx.reasons import explain, explain_chance, explain_play
from qwixx.server.catalogue import catalogue
from qwixx.server.players import Allowed
from qwixx.server.room import rules_of, sheets_of
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import COLORS, Variant

_SIZES = (
    *("ROWS", "POSITIONS", "CELLS", "COLORS", "TOTALS", "SEATS", "HAND", "DISPLAY", "DECK"),
    *("NO_CARD", "NO_CHOICE", "JOKER", "ACTIONS", "PASS", "TIES", "TAKES", "PLAYS", "CROSSINGS"),
)
"""Numbers of the kernel that the page needs."""
_LAYOUT_READ = ("closes_need", "deck_size", "deck")
"""Fields of a layout that the page reads."""


def variants() -> list[Variant]:
    """List every game on every sheet that a table can have."""
    return [rules_of(name, sheet) for name in qwixx.games() for sheet in sheets_of(qwixx.variant(name))]


def layouts() -> bytes:
    """Give what is compiled from the sheets, one after the other, in the order of `variants`."""
    return b"".join(compile_layout(variant).tobytes() for variant in variants())


def tables() -> bytes:
    """Write all tables."""
    players = {name: weigher for name in house_names() if (weigher := _weigher(find(name))) is not None}
    reasons: list[Any] = []
    return msgspec.json.encode(
        {
            "sizes": {name: getattr(records, name) for name in _SIZES},
            "subsets": records.SUBSETS,
            "state": _places(STATE),
            "sheet": _places(SHEET),
            "layout": {**_places(LAYOUT, _LAYOUT_READ), "bytes": LAYOUT.itemsize},
            "menu": records.MENU.itemsize,
            "seating": SEATING.itemsize,
            "trail": {"length": len(trail.new_trail()), "note": trail.NOTE, "pack": trail.PACK},
            "telling": {
                "kinds": telling.KINDS,
                "length": telling.MOST_TOLD,
                "reason": telling.REASON,
                "none": telling.NONE,
                "facts": FACTS.itemsize,
            },
            "phases": records.PHASES,
            "over": records.OVER,
            "roll": records.ROLL,
            "deal": records.DEAL,
            "diceLie": view.DICE_LIE,
            "lastActions": records.LAST_ACTIONS,
            "endings": records.ENDINGS,
            "chance": {records.PHASES[phase]: word for phase, word in chance.WORDS.items()},
            "colors": COLORS,
            "cards": notation.CARD_LETTERS,
            "faces": notation.FACES,
            "longest": {"action": notation.LONGEST, "deck": notation.LONGEST_DECK, "record": record.LONGEST_RECORD},
            "record": {"first": record.FIRST_LINE, "header": record.HEADER, "drawing": record.DRAWING},
            "events": [_event(kind) for kind in range(len(events.NOTES))],
            "missed": trail.MISSED,
            "rowView": _shown(view.RowView, []),
            "codes": [CODES[reason] for reason in range(len(CODES))],
            "moments": sorted(MOMENTS),
            "reasons": reasons,
            "games": [_game(variant, players, reasons) for variant in variants()],
            "players": {name: _weights(weigher) for name, weigher in players.items()},
            "catalogue": msgspec.Raw(catalogue(Allowed(",".join(players)))),
        }
    )


def _places(record_type: np.dtype[np.record], names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Say in which word of a record its fields begin, and how many words it has."""
    found = {name: word_of(record_type, name) for name in names or record_type.names or ()}
    return {"words": record_type.itemsize // WORD, "places": found}


def _event(kind: int) -> list[Any]:
    """Say what an event is called, and what it tells under which names."""
    event, forms = events.NOTES[kind]
    return [event.word, list(zip(event.__struct_encode_fields__, forms, strict=True))]


# ---- a game


def _game(variant: Variant, players: dict[str, Weigher], reasons: list[Any]) -> dict[str, Any]:
    layouts = compile_layout(variant)
    reading = view.Reading(layouts)
    why = _reasons(variant)
    nets = _nets(variant)
    if why not in reasons:
        reasons.append(why)
    return {
        "id": variant.id,
        "sheet": variant.sheet,
        "seats": [variant.fewest_seats, variant.most_seats],
        "isCards": variant.is_cards,
        "isDuel": variant.is_duel,
        "sides": variant.sides,
        "lucky": _lucky(variant),
        "rows": [
            {"key": row.key, "values": [c.value for c in row.cells], "colors": "".join(c.color for c in row.cells)}
            for row in variant.rows
        ],
        "pairs": list(variant.pairs.values()),
        "view": _shown(view.View, reading.table),
        "sheetView": _shown(view.SheetView, reading.sheet),
        "reasons": reasons.index(why),
        "players": {
            name: [n for n in variant.seats if weigher.plays(variant, n) and (name != MASTER.name or n in nets)]
            for name, weigher in players.items()
        },
        "kind": kind_of(variant),
        "nets": nets,
        "noises": {
            name: {seats: _noise(find(name), variant, seats) for seats in nets}
            for name in (*(level.name for level in LEVELS), MASTER.name)
        },
    }


def _weigher(player: Registered) -> Weigher | None:
    """Give who weighs as a player does, or in its place where its net is not at hand; None if nobody does."""
    if player is MASTER:
        return LEVELS[-1].thumb
    if isinstance(player, Level):
        return player.thumb
    return player if isinstance(player, Weigher) else None


def _noise(player: Registered, variant: Variant, seats: int) -> float:
    """Tell how far a player misjudges what a net says."""
    return player.noise(variant, seats) if isinstance(player, Level) else 0.0


def _nets(variant: Variant) -> dict[int, str]:
    """Name the weights of the player that has learned, for every number of seats that it can play with."""
    found = {seats: find_weights(variant, seats, only_shipped=True) for seats in variant.seats if seats > 1}
    return {seats: path.name for seats, path in found.items() if path is not None}


def _lucky(variant: Variant) -> list[str]:
    """List the lucky numbers that can be chosen (L5); none where there are none."""
    sums = range(2 * variant.sides + 1) if variant.lucky else ()
    return [notation.lucky_text((a, b)) for a in sums for b in sums if variant.can_be_lucky(a, b)]


def _shown(struct: type[msgspec.Struct], plain: view.Plain) -> list[Any]:
    """
    Say how the page fills in each detail of a view, in the order in which they are sent.

    Either it is a field that is shown as it is, and then its place and form are told; or it is read by hand, and then
    there is the value that stands in games that do not have it, if there is one.
    """
    known = {name: (place, form) for name, place, form in plain}
    blanks = {each.name: each.default for each in msgspec.structs.fields(struct)}
    found = []
    for name, sent in zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True):
        if name in known:
            found.append([sent, *known[name]])
        else:
            blank = blanks[name]
            found.append([sent] if blank is msgspec.NODEFAULT else [sent, None, blank])
    return found


def _weights(player: Weigher) -> dict[str, list[int]]:
    """Give the weights of a player for every kind of game it plays, in the order of their record."""
    names = WEIGHTS.names or ()
    return {kind: [weights.get(name, 0) for name in names] for kind, weights in player.weights.items()}


# ---- refusals


def _reasons(variant: Variant) -> dict[str, Any]:
    """
    Say which rule a refusal names in each phase, and what it speaks of.

    The package is asked about every reason in every phase; what it says does not depend on anything else of the state.
    """
    layout = compile_layout(variant)[0]
    states: records.Records = np.zeros(1, STATE)
    state = states[0]

    def asked(reason: int, phase: int, action: int) -> list[str]:
        state.phase = phase
        return _told(explain(variant, layout, state, 0, action, reason))

    def by_phase(reason: int, action: int) -> Any:
        found = [asked(reason, phase, action) for phase in range(len(records.PHASES))]
        return found[0] if all(each == found[0] for each in found) else found

    by_chance = (refusals.NO_CHANCE_NOW, refusals.BAD_DIE, refusals.BAD_DECK)
    by_rules = [reason for reason in range(1, len(CODES)) if reason not in by_chance]
    no_play = (refusals.NOT_IN_HAND, refusals.WRONG_NUMBER_OF_CARDS, refusals.NOT_PLAYED)
    return {
        "cell": {reason: by_phase(reason, 0) for reason in by_rules},
        "play": {reason: by_phase(reason, records.PLAYS) for reason in by_rules},
        "noPlay": {reason: _told(explain_play(variant, [], [1], [0], reason)) for reason in no_play},
        "chance": {reason: _told(explain_chance(variant, state, reason)) for reason in by_chance},
    }


def _told(refusal: Refusal) -> list[str]:
    """Give the rule that a refusal names, and what it speaks of."""
    return [refusal.rule, *refusal.details]


# ---- the player that has learned


def inputs() -> bytes:
    """Say where the tables of weights stand, for one game after the other, in the order of `variants`."""
    return b"".join(lay_out(compile_layout(variant)).tobytes() for variant in variants())


def learned_tables() -> bytes:
    """Write what the page has to know to read weights, and to make room for them."""
    sizes = {"inputs": INPUTS, "layers": LAYERS, "bench": BENCH, "room": ROOM, "choice": CHOICE}
    return msgspec.json.encode(
        {
            "heading": {"magic": MAGIC, "format": FORMAT, "inputs": VERSION},
            "hidden": HIDDEN,
            "bytes": {name: kind.itemsize for name, kind in sizes.items()},
            "places": {name: _places(kind)["places"] for name, kind in (("room", ROOM), ("choice", CHOICE))},
            "mostChoices": MOST_CHOICES,
            "grading": {
                "errors": ERRORS,
                "grades": GRADES,
                "thresholds": THRESHOLDS,
                "nothing": NOTHING,
                "half": MISTAKE,
            },
            "noise": {"at": word_of(BENCH, "noise"), "seats": records.SEATS},
            "rows": [int(lay_out(compile_layout(variant))["rows"][0]) for variant in variants()],
            "sheets": [sheet_key(variant) for variant in variants()],
        }
    )
