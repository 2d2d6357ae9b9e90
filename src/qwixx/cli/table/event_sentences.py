"""Events as English sentences for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qwixx.game import events as ev
from qwixx.game.game import Outcome
from qwixx.text.arguments import with_noun
from qwixx.text.effect_texts import effect_text
from qwixx.variants.model import COLOR_NAMES, Variant

_ORDINALS = ("first", "second", "third", "fourth")


def sentences_of(happened: Iterable[ev.Event], variant: Variant, names: Sequence[str]) -> list[str]:
    """Return a sentence for each event, except those that are visible anyway, such as the start of a turn."""
    sentences = (_sentence(event, variant, names) for event in happened)
    return [sentence for sentence in sentences if sentence]


def _sentence(event: ev.Event, variant: Variant, names: Sequence[str]) -> str:
    who = names[seat] if isinstance(seat := getattr(event, "seat", None), int) else ""
    match event:
        case ev.Rolled(roll):
            return f"The dice show {dice_words(roll)}."
        case ev.Dealt():
            return "The cards are dealt."
        case ev.Shuffled(cards):
            return f"The {cards} discards are shuffled and become the new pile."
        case ev.Crossed(_, cell):
            return f"{who} crosses {cell}."
        case ev.Locked(_, row):
            return f"{who} closes row {row} and gets the lock."
        case ev.BonusUsed(_, bar_cell):
            color = COLOR_NAMES[variant.bar[bar_cell - 1]]
            return f"{who} uses cell {bar_cell} of the bonus bar, {color}."
        case ev.BonusLost(_, row):
            return f"{who} loses a bonus cross in row {row}."
        case ev.PairCompleted(_, kind):
            return f"{who} completes a pair: {effect_text(kind)}."
        case ev.Played(_, cards):
            return f"{who} plays {', '.join(cards)}."
        case ev.Took(_, numbers):
            return f"{who} takes {', '.join(map(str, numbers))} from the display."
        case ev.NumberShown(number):
            return f"A {number} for all."
        case ev.Placed(_, cell):
            return f"{who} puts a pawn on {cell}."
        case ev.Captured(_, cell):
            return f"{who} captures the pawn on {cell}."
        case ev.Stacked(_, cell):
            return f"{who} stacks a pawn on {cell}."
        case ev.RowClosed(row):
            return f"Row {row} is closed."
        case ev.DieLeft(color):
            return f"The {COLOR_NAMES[color]} die leaves the game."
        case ev.BarStruck(_, bar_cell):
            return f"{who} strikes cell {bar_cell} of the bonus bar."
        case ev.Missed():
            return f"{who} {'placed' if variant.is_duel else 'crossed'} nothing: a miss."
        case _:
            return ""


def dice_words(roll: str) -> str:
    """Return a roll in words: `34/2615` is white 3 and 4, red 2, and so on."""
    whites, colors = roll.split("/")
    words = [f"white {whites[0]} and {whites[1]}"]
    words += [f"{name} {die}" for name, die in zip(COLOR_NAMES.values(), colors, strict=True) if die != "-"]
    return ", ".join(words)


def outcome_sentences(outcome: Outcome, variant: Variant, names: Sequence[str]) -> list[str]:
    """Return sentences about the end of a game and its winners."""
    own, last = with_noun(variant.end_rows, "row"), _ORDINALS[variant.end_rows - 1]
    # More rows than that may close at the same time, so the sentence does not count the rows that all share (C11).
    ending = {
        "rows": f"a player has closed {own}" if variant.is_cards else f"the {last} row is closed",
        "misses": f"there are {with_noun(variant.end_misses, 'miss')}" + ("" if variant.is_duel else " on one sheet"),
        "pawns": "a player has placed the last pawn",
    }[outcome.ending]
    points = {seat: with_noun(outcome.scores[seat], "point") for seat in outcome.winners}
    if len(names) == 1:
        return [f"The game is over: {ending}.", f"{names[0]} has {points[0]}."]
    if len(outcome.winners) == 1:
        winner = outcome.winners[0]
        return [f"The game is over: {ending}.", f"{names[winner]} wins with {points[winner]}."]
    winners = " and ".join(names[seat] for seat in outcome.winners)
    return [f"The game is over: {ending}.", f"{winners} share the win with {points[outcome.winners[0]]}."]
