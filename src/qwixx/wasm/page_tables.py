"""
Tables for the page, generated from Python's declarations, so that the page does not repeat them.

The page reads the fields of a state by their offsets, turns log entries into events, and explains refusals. These
tables list the fields, the details of each event, and the rule that each refusal names. Code that a table cannot
express, such as the text of an action, is written by hand in `page/src/engine`; tests compare it with Python at every
step of many games.
"""

from __future__ import annotations

from typing import get_args

import msgspec
import numpy as np

import qwixx
from qwixx.coach.grades import GRADES, MISTAKE, NOTHING, THRESHOLDS
from qwixx.coach.judges.net_errors import error_of
from qwixx.coach.reasons import select_reasons
from qwixx.errors import CODES, MOMENTS, Refusal
from qwixx.game import chance, events, view
from qwixx.kernel import setup
from qwixx.kernel.decision_effects import FACTS
from qwixx.kernel.state import event_log, records, refusals
from qwixx.kernel.state.records import LAYOUT, SHEET, STATE, WORD, word_of
from qwixx.nets.evaluate import CHOICE, MOST_CHOICES, WORKSPACE
from qwixx.nets.feature_tables import INPUTS, VERSION, feature_layout
from qwixx.nets.network import HIDDEN, LAYERS
from qwixx.nets.scratch import SCRATCH
from qwixx.nets.weight_files import FORMAT, MAGIC, find_weights, sheet_key
from qwixx.players import Registered, built_in_names, find
from qwixx.players.built_in.levels import LEVELS, Level, has_levels
from qwixx.players.built_in.master import MASTER
from qwixx.players.heuristics import SEATING, WEIGHTS, HeuristicPlayer, heuristic_kind
from qwixx.server.room.bots import AllowedBots
from qwixx.server.room.catalogue import Catalogue, catalogue
from qwixx.server.room.room import rules_of, sheets_of
from qwixx.text import notation, record
from qwixx.text.refusal_sentences import explain, explain_chance, explain_play
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import COLORS, Variant
from qwixx.wasm.table_types import GameTable, Places, RefusalTables, Shown, Size, Tables

_LAYOUT_READ = ("closes_need", "deck_size", "deck")
"""Fields of a layout that the page reads."""


def variants() -> list[Variant]:
    """List every game on every sheet that a server offers."""
    return [rules_of(name, sheet) for name in qwixx.games() for sheet in sheets_of(qwixx.variant(name))]


def layouts() -> bytes:
    """Return the compiled layouts of the sheets, in the order of `variants`."""
    return b"".join(compile_layout(variant).tobytes() for variant in variants())


def tables() -> bytes:
    """Return all tables as JSON."""
    players = {name: heuristic for name in built_in_names() if (heuristic := _heuristic_of(find(name))) is not None}
    reasons: list[RefusalTables] = []
    found: Tables = {
        "sizes": {name: getattr(records, name) for name in get_args(Size)},
        "subsets": records.SUBSETS,
        "state": _places(STATE),
        "sheet": _places(SHEET),
        "layout": {**_places(LAYOUT, _LAYOUT_READ), "bytes": LAYOUT.itemsize},
        "menu": records.MENU.itemsize,
        "seating": SEATING.itemsize,
        "trail": {"length": len(event_log.new_log()), "note": event_log.EVENT_SIZE, "pack": event_log.PACK},
        "telling": {
            "kinds": select_reasons.KINDS,
            "length": select_reasons.REASON_BUFFER,
            "reason": select_reasons.REASON,
            "none": select_reasons.NONE,
            "facts": FACTS.itemsize,
        },
        "problems": {"names": setup.PROBLEMS, "words": setup.PROBLEM},
        "phases": records.PHASES,
        "over": records.OVER,
        "roll": records.ROLL,
        "deal": records.DEAL,
        "diceLie": view.DICE_LIE,
        "lastActions": records.LAST_ACTIONS,
        "endings": records.ENDINGS,
        "chance": {records.PHASES[phase]: word for phase, word in chance.CHANCE_WORDS.items()},
        "colors": COLORS,
        "cards": notation.CARD_LETTERS,
        "faces": notation.FACES,
        "longest": {
            "action": notation.MAX_CHARS,
            "deck": notation.MAX_DECK_CHARS,
            "record": record.MAX_RECORD_CHARS,
        },
        "record": {"first": record.FIRST_LINE, "header": record.HEADER, "drawing": record.DRAWING},
        "events": [_event(kind) for kind in range(len(events.EVENT_FORMS))],
        "missed": event_log.MISSED,
        "rowView": _shown(view.RowView, []),
        "codes": [CODES[reason] for reason in range(len(CODES))],
        "moments": sorted(MOMENTS),
        "reasons": reasons,
        "games": [_game(variant, players, reasons) for variant in variants()],
        "players": {name: _weights(heuristic) for name, heuristic in players.items()},
        "catalogue": msgspec.json.decode(catalogue(AllowedBots(",".join(players))), type=Catalogue),
    }
    return msgspec.json.encode(found)


def _places(record_type: np.dtype[np.record], names: tuple[str, ...] = ()) -> Places:
    """Return the word offset of each field of a record, and the number of words of the record."""
    found = {name: word_of(record_type, name) for name in names or record_type.names or ()}
    return {"words": record_type.itemsize // WORD, "places": found}


def _event(kind: int) -> tuple[str, list[tuple[str, str]]]:
    """Return the name of an event, and the name and form of each of its details."""
    event, forms = events.EVENT_FORMS[kind]
    return event.word, list(zip(event.__struct_encode_fields__, forms, strict=True))


# ---- a game


def _game(variant: Variant, players: dict[str, HeuristicPlayer], reasons: list[RefusalTables]) -> GameTable:
    reading = view.ViewReader(variant)
    why = _reasons(variant)
    nets = _nets(variant)
    if why not in reasons:
        reasons.append(why)
    return {
        "id": variant.id,
        "sheet": variant.sheet,
        "seats": (variant.fewest_seats, variant.most_seats),
        "isCards": variant.is_cards,
        "isDuel": variant.is_duel,
        "sides": variant.sides,
        "phases": [*records.PHASES_OF[int(compile_layout(variant)[0].flow)]],
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
            name: [n for n in variant.seats if heuristic.plays(variant, n) and (name != MASTER.name or n in nets)]
            for name, heuristic in players.items()
        },
        "kind": heuristic_kind(variant),
        "nets": nets,
        "noises": {
            player.name: {
                seats: _noise(player, variant, seats) for seats in nets if _follows_net(player, variant, seats)
            }
            for player in (*LEVELS, MASTER)
        },
    }


def _heuristic_of(player: Registered) -> HeuristicPlayer | None:
    """Return the heuristic player behind a player, or its fallback without a net; None if there is none."""
    if player is MASTER:
        return LEVELS[-1].fallback
    if isinstance(player, Level):
        return player.fallback
    return player if isinstance(player, HeuristicPlayer) else None


def _follows_net(player: Registered, variant: Variant, seats: int) -> bool:
    """Return whether a player follows the net of a game: in solitaire only `master` does."""
    return player is MASTER or has_levels(variant, seats)


def _noise(player: Registered, variant: Variant, seats: int) -> float:
    """Return the noise that a player adds to the values of a net."""
    return player.noise(variant, seats) if isinstance(player, Level) else 0.0


def _nets(variant: Variant) -> dict[int, str]:
    """Return the weight files of the trained player, by number of seats."""
    found = {seats: find_weights(variant, seats, only_shipped=True) for seats in variant.seats}
    return {seats: path.name for seats, path in found.items() if path is not None}


def _lucky(variant: Variant) -> list[str]:
    """List the lucky numbers that can be chosen (L5); empty if the game has none."""
    sums = range(2 * variant.sides + 1) if variant.lucky else ()
    return [notation.lucky_text((a, b)) for a in sums for b in sums if variant.can_be_lucky(a, b)]


def _shown(struct: type[msgspec.Struct], plain: view.PlainFields) -> list[Shown]:
    """
    Return how the page fills in each detail of a view, in the order of the message.

    A field that is copied as it is has its offset and form. Any other is computed by hand-written code, and has its
    value for games without it, if there is one.
    """
    known = {name: (place, form) for name, place, form in plain}
    blanks = {each.name: each.default for each in msgspec.structs.fields(struct)}
    found: list[Shown] = []
    for name, sent in zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True):
        if name in known:
            place, form = known[name]
            found.append({"name": sent, "place": place, "form": form})
        else:
            blank = blanks[name]
            found.append({"name": sent} if blank is msgspec.NODEFAULT else {"name": sent, "place": None, "form": blank})
    return found


def _weights(player: HeuristicPlayer) -> dict[str, list[int]]:
    """Return the weights of a heuristic player for every kind of game, in the order of their record."""
    names = WEIGHTS.names or ()
    return {kind: [weights.get(name, 0) for name in names] for kind, weights in player.weights.items()}


# ---- refusals


def _reasons(variant: Variant) -> RefusalTables:
    """
    Return the rule and the details of every refusal in each phase.

    They depend on nothing else in the state, so every reason is tried in every phase.
    """
    layout = compile_layout(variant)[0]
    states: records.Records = np.zeros(1, STATE)
    state = states[0]

    def asked(reason: int, phase: int, action: int) -> list[str]:
        state.phase = phase
        return _rule_and_details(explain(variant, layout, state, 0, action, reason))

    def by_phase(reason: int, action: int) -> list[list[str]]:
        found = [asked(reason, phase, action) for phase in range(len(records.PHASES))]
        return found[:1] if all(each == found[0] for each in found) else found

    by_chance = (refusals.NO_CHANCE_NOW, refusals.BAD_DIE, refusals.BAD_DECK)
    by_rules = [reason for reason in range(1, len(CODES)) if reason not in by_chance]
    no_play = (refusals.NOT_IN_HAND, refusals.WRONG_NUMBER_OF_CARDS, refusals.NOT_PLAYED)
    return {
        "cell": {reason: by_phase(reason, 0) for reason in by_rules},
        "play": {reason: by_phase(reason, records.PLAYS) for reason in by_rules},
        "noPlay": {reason: [_rule_and_details(explain_play(variant, [], [1], [0], reason))] for reason in no_play},
        "chance": {reason: [_rule_and_details(explain_chance(variant, state, reason))] for reason in by_chance},
    }


def _rule_and_details(refusal: Refusal) -> list[str]:
    """Return the rule and the details of a refusal."""
    return [refusal.rule, *refusal.details]


# ---- the trained player


def inputs() -> bytes:
    """Return the layout of the feature tables of each game, in the order of `variants`."""
    return b"".join(feature_layout(compile_layout(variant)).tobytes() for variant in variants())


def learned_tables() -> bytes:
    """Return what the page needs to read weights and allocate memory for them, as JSON."""
    sizes = {"inputs": INPUTS, "layers": LAYERS, "scratch": SCRATCH, "workspace": WORKSPACE, "choice": CHOICE}
    return msgspec.json.encode(
        {
            "heading": {"magic": MAGIC, "format": FORMAT, "inputs": VERSION},
            "hidden": HIDDEN,
            "bytes": {name: kind.itemsize for name, kind in sizes.items()},
            "places": {name: _places(kind)["places"] for name, kind in (("workspace", WORKSPACE), ("choice", CHOICE))},
            "mostChoices": MOST_CHOICES,
            "grading": {
                "grades": GRADES,
                "thresholds": THRESHOLDS,
                "nothing": NOTHING,
                "half": MISTAKE,
            },
            "noise": {"at": word_of(SCRATCH, "noise"), "seats": records.SEATS},
            "rows": [int(feature_layout(compile_layout(variant))["rows"][0]) for variant in variants()],
            "sheets": [sheet_key(variant) for variant in variants()],
            "errors": [
                {seats: error_of(variant, seats, only_shipped=True) for seats in _nets(variant)}
                for variant in variants()
            ],
        }
    )
