"""Events and results as sentences for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qwixx.base.languages import current_language
from qwixx.game import events as ev
from qwixx.game.game import Outcome
from qwixx.text.catalogue import listed, t
from qwixx.text.effect_texts import effect_text
from qwixx.text.labels import card_name, cell_name, row_name, sentence
from qwixx.variants.model import COLORS, Variant

_SHOWN_BY_TABLE = (ev.Decided, ev.PhaseBegan, ev.TurnBegan, ev.GameOver)
_USUAL = {"rows": 2, "misses": 4}
"""How many end a game; other sheets have other numbers."""


def sentences_of(happened: Iterable[ev.Event], names: Sequence[str]) -> list[str]:
    """Return a sentence for each event, except those that are visible anyway, such as the start of a turn."""
    shown = (event for event in happened if not isinstance(event, _SHOWN_BY_TABLE))
    return [_sentence(t(f"event.{event.word}", **_details(event, names)), names) for event in shown]


def _sentence(text: str, names: Sequence[str]) -> str:
    """Return a text with a capital first letter, unless it begins with a name."""
    return text if text.startswith(tuple(names)) else sentence(text)


def _details(event: ev.Event, names: Sequence[str]) -> dict[str, str | int]:
    """Return the details of an event in words."""
    match event:
        case ev.Rolled(roll):
            return {"roll": dice_words(roll)}
        case ev.Played(seat, cards):
            return {"name": names[seat], "cards": listed(map(card_name, cards))}
        case ev.Took(seat, numbers):
            return {"name": names[seat], "numbers": listed(numbers)}
        case ev.NumberShown(number):
            return {"number": number}
        case ev.DieLeft(color):
            return {"color": t(f"color.{color}")}
        case ev.PairCompleted(seat, kind):
            return {"name": names[seat], "pair": effect_text(kind, current_language())}
        case ev.BonusUsed(seat, cell) | ev.BarStruck(seat, cell) | ev.Exchanged(seat, cell):
            return {"name": names[seat], "place": cell}
        case ev.TrackCrossed(seat, field):
            return {"name": names[seat], "field": field}
        case ev.Crossed(seat, cell) | ev.Placed(seat, cell) | ev.Captured(seat, cell) | ev.Stacked(seat, cell):
            return {"name": names[seat], "cell": cell_name(cell)}
        case ev.SecondCrossed(seat, cell) | ev.LinkedCrossed(seat, cell):
            return {"name": names[seat], "cell": cell_name(cell)}
        case ev.SmallCrossed(seat, cell) | ev.BonusCellCrossed(seat, cell):
            return {"name": names[seat], "cell": cell_name(cell)}
        case ev.Locked(seat, row) | ev.BonusLost(seat, row):
            return {"name": names[seat], "row": row_name(row)}
        case ev.RowClosed(row):
            return {"row": row_name(row)}
        case ev.Missed(seat) | ev.TakenBack(seat) | ev.Hinted(seat) | ev.TimedOut(seat):
            return {"name": names[seat]}
    return {}


def dice_words(roll: str) -> str:
    """Return a roll in words: white 3 + 4 = 7; red 2, yellow 6, and so on."""
    whites, colors = roll.split("/")
    white = t("dice.white", dice=" + ".join(whites), n=sum(map(int, whites)))
    words = [f"{t(f'color.{color}')} {die}" for color, die in zip(COLORS, colors, strict=True) if die != "-"]
    return f"{white}; {', '.join(words)}" if words else white


def outcome_sentences(outcome: Outcome, variant: Variant, names: Sequence[str]) -> list[str]:
    """Return sentences about the end of a game and its winners."""
    score = outcome.scores[outcome.winners[0]]
    if len(names) == 1:
        won = t("end.solo", score=score, n=score)
    elif len(outcome.winners) == 1:
        won = t("end.won", name=names[outcome.winners[0]], score=score, n=score)
    else:
        won = t("end.tie", names=listed(names[seat] for seat in outcome.winners), score=score, n=score)
    return [t("event.over", ending=_ending(outcome.ending, variant)), f"{won}."]


def _ending(ending: str, variant: Variant) -> str:
    """Return why a game is over; in the card games a row closes for one player; custom sheets have other numbers."""
    key = "ending.rows.one" if ending == "rows" and variant.is_cards else f"ending.{ending}"
    count = {"rows": variant.end_rows, "misses": variant.end_misses}.get(ending)
    return t(key) if count == _USUAL.get(ending) else t(f"cli.{key}", n=count or 0)
