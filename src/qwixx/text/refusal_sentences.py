"""Refusals as text: the id of the rule and one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.base.languages import ENGLISH
from qwixx.errors import CODES, Details, Refusal
from qwixx.kernel.flow import number_for_all
from qwixx.kernel.paper import refuses
from qwixx.kernel.setup import PROBLEMS
from qwixx.kernel.state import refusals
from qwixx.kernel.state.records import (
    BONUS_CELLS,
    CARDS,
    CELLS,
    DRAW,
    HAND,
    MORE,
    NUMBER,
    PHASES,
    PLAY,
    PLAYS,
    POSITIONS,
    TOTALS,
    TRACK,
    WHITE,
    WITH_SMALL,
    Record,
)
from qwixx.kernel.window import cell_of
from qwixx.text.catalogue import read_catalogue
from qwixx.text.notation import action_text, card_text, cell_text, read_cell
from qwixx.variants.model import COLOR_NAMES, Variant


def explain(variant: Variant, layout: Record, state: Record, seat: int, action: int, reason: int) -> Refusal:
    """Return the refusal of an action for the kernel's code."""
    rule, sentence = _TURN.get(reason, ("", ""))
    details: Details = {}
    if reason == refusals.WRONG_PHASE and action >= MORE and variant.extras:
        rule, sentence = (
            ("F2" if action == TRACK else "F4"),
            "That belongs to action 1, when all may cross the white sum.",
        )
    elif reason == refusals.WRONG_PHASE:
        rule, sentence = _WANTED.get(int(state.phase), ("C3", "Cross a cell or pass."))
    if not rule:
        rule, sentence = _about_card_action(state, seat, reason)
    if not rule and action >= PLAYS and reason == refusals.NO_SUCH_CELL:
        rule, sentence = "K5", "A card played has a number that its color does not have on this sheet."
        if action >= MORE:
            rule, sentence = "C1", "The sheet has no such cell."
    if not rule:
        cell = _refused_cell(variant, layout, state, seat, action, reason)
        rule, sentence = _about_cell(variant, layout, state, seat, cell, reason)
        details = _details(variant, layout, state, seat, cell, reason)
    return Refusal(CODES[reason], rule, sentence, details)


def _refused_cell(variant: Variant, layout: Record, state: Record, seat: int, action: int, reason: int) -> int:
    """Return the cell that a refusal is about."""
    if action < PLAYS:
        return int(cell_of(action))
    if action < MORE:
        return _cell_of_play(variant, state, seat, action, reason)
    if action < WITH_SMALL:
        return action
    small, cell = divmod(action - WITH_SMALL, CELLS)
    row, position = divmod(cell, POSITIONS)
    is_other = reason != refusals.NOT_THE_SUM and not refuses(layout, state.sheets[seat], state.closed, row, position)
    return int(layout.small[small]) if is_other or reason == refusals.NO_PAIR_OF_FACES else cell


def explain_cross(variant: Variant, layout: Record, state: Record, seat: int, cell: int, reason: int) -> Refusal:
    """Return why a position set up by hand cannot have this cross, or this pawn."""
    rule, sentence = _about_cell(variant, layout, state, seat, cell, reason)
    if reason in (refusals.ROW_CLOSED, refusals.ROW_CLOSED_FOR_YOU):
        key = variant.rows[cell // POSITIONS].key
        rule = "D7" if layout.shared else "L2" if layout.lucky_pads else "C8"
        sentence = f"Row {key} is closed, and {cell_text(variant, cell)} comes after that."
    return Refusal(CODES[reason], rule, sentence, _details(variant, layout, state, seat, cell, reason))


def explain_problem(variant: Variant, reason: int, about: int, least: int, most: int) -> str:
    """Return why a position set up by hand is impossible, as the page says it too."""
    name, rule = PROBLEMS[reason]
    [sentence] = read_catalogue(ENGLISH)[f"setup.{name}"]
    row = f"row {variant.rows[about].key}" if name == "shared" else ""
    cards = f"{least}" if least == most else f"{least}\N{EN DASH}{most}"
    text = sentence.format(name=f"seat {about}", row=row, n=most, cards=cards)
    return f"{text.rstrip('.')} ({rule})"


def explain_play(
    variant: Variant, hand: Sequence[int], cards: Sequence[int], cells: Sequence[int], reason: int
) -> Refusal:
    """Return why no action plays these cards and crosses these cells (K5)."""
    if reason == refusals.WRONG_NUMBER_OF_CARDS:
        return Refusal(CODES[reason], "K5", "At most three cards are played at once.")
    if reason == refusals.NOT_IN_HAND:
        if not variant.is_cards:
            return Refusal(CODES[reason], "C3", "Cross a cell or pass; this game has no cards.")
        card = card_text(next(card for card in cards if card not in hand))
        return Refusal(CODES[reason], "K5", f"{card} is not in hand.", {"card": card})
    numbers = {card % TOTALS for card in cards}
    others = [cell for cell in cells if _printed_number(variant, cell) not in numbers]
    cell = cell_text(variant, (others or cells)[0])
    return Refusal(CODES[reason], "K5", f"{cell} is not among the numbers and the color played.", {"cell": cell})


def _printed_number(variant: Variant, cell: int) -> int:
    return variant.rows[cell // POSITIONS].cells[cell % POSITIONS].value


def explain_chance(variant: Variant, state: Record, reason: int) -> Refusal:
    """Return why dice or a deck are refused."""
    if reason == refusals.NO_CHANCE_NOW:
        return Refusal(CODES[reason], "C2", f"Nobody rolls or shuffles in phase {PHASES[state.phase]!r}.")
    if reason == refusals.BAD_DIE:
        sentence = f"Dice show 1 to {variant.sides}, and exactly the dice that have left are written as '-'."
        return Refusal(CODES[reason], "C2", sentence, {"sides": variant.sides})
    return Refusal(CODES[reason], "K1", "These are not exactly the cards that have to be shuffled.")


_TURN = {
    refusals.GAME_IS_OVER: ("C11", "The game is over."),
    refusals.CHANCE_FIRST: ("C2", "The dice have to be rolled, or the cards shuffled, first."),
    refusals.NOT_YOUR_TURN: ("C4", "It isn't this seat's turn to choose."),
}
_WANTED = {
    NUMBER: ("K4", "Cross the number for all in one row, or pass."),
    DRAW: ("K3", "Take cards from the display, such as take:2 or take:1,3."),
    PLAY: ("K5", "Play one to three cards, such as play:r4 or play:r4,r5=r4."),
}


def _cell_of_play(variant: Variant, state: Record, seat: int, action: int, reason: int) -> int:
    """Return the cell of a play that cannot be crossed."""
    hand = [int(card) for card in state.hands[seat, : state.held[seat]]]
    crossed = action_text(variant, hand, action).partition("=")[2].split(",")
    cells = [read_cell(variant, cell) for cell in crossed if cell]
    # The last cell of a row is refused because of too few crosses, any other because of a cross right of it.
    return max(cells, default=0, key=lambda c: c % POSITIONS if reason == refusals.TOO_FEW_CROSSES else -c)


def _about_card_action(state: Record, seat: int, reason: int) -> tuple[str, str]:
    match reason:
        case refusals.WRONG_NUMBER_OF_CARDS:
            wanted = HAND - int(state.held[seat])
            return "K3", f"Draw up to {HAND} cards: take {wanted} from the display."
        case refusals.NOT_IN_HAND:
            return "K5", "Only cards in hand can be played."
        case refusals.COLORS_DIFFER:
            return "K5", "Cards played together share a color."
        case refusals.NOT_PLAYED:
            return "K5", "Only numbers of the cards played can be crossed, each once."
        case refusals.TOO_MANY_LEFT_OUT:
            return "K5", "Between the first and the last cross of a play at most one cell may be left out."
    return "", ""


def _about_cell(variant: Variant, layout: Record, state: Record, seat: int, cell: int, reason: int) -> tuple[str, str]:
    row, position = _place_of(variant, cell)
    key = _row_key(variant, cell)
    if reason == refusals.NO_SUCH_CELL or position >= len(variant.rows[row].cells):
        return "C1", f"Row {key} has no such cell."
    name = cell_text(variant, max(cell, 0))
    sheet = state.sheets[seat]
    need = int(layout.closes_need[row])
    have = int(sheet.count[row])
    match reason:
        case refusals.LEFT_OF_CROSS if cell >= MORE:
            return "BP2", f"{name} does not lie right of every cross in row {key}."
        case refusals.SECOND_BOX_GONE:
            return (
                "DA2",
                f"The second box of {name} is crossed already, or {name} is not the rightmost cross of its row.",
            )
        case refusals.NOT_EXCHANGED:
            white = number_for_all(state)
            return "C3", f"The white dice make {white}, and no field of the bar that is left exchanges it for {name}."
        case refusals.NO_NEIGHBOR:
            return "BP2", f"{name} needs its number crossed beside it; with a color die, in the row of that die."
        case refusals.NO_PAIR_OF_FACES:
            return "F4", f"No two dice show {_faces(layout)} for the small field {name}."
        case refusals.NOT_ACTIVE:
            return "F2", "Only the active player takes a field of the track."
        case refusals.NOT_THE_TRACK_SUM:
            return "F2", f"The white dice and one color die do not make {layout.track_sum}."
        case refusals.TRACK_FULL:
            return "F2", "All fields of the track are crossed."
        case refusals.LEFT_OF_CROSS if name.endswith("+"):
            return "F3", f"The small field {name} does not lie right of every cross in row {key}."
        case refusals.NOT_THE_SUM if name.endswith("+"):
            return "F4", "Small fields are crossed in action 1, when all may cross the white sum."
        case refusals.LEFT_OF_CROSS if _is_crossed(sheet, row, position):
            return "C1", f"{name} is crossed already."
        case refusals.LEFT_OF_CROSS:
            return "C1", f"{name} does not lie right of every cross in row {key}."
        case refusals.ROW_CLOSED:
            return "C8", f"Row {key} is closed."
        case refusals.ROW_CLOSED_FOR_YOU:
            return "K7", f"You have closed row {key}."
        case refusals.TOO_FEW_CROSSES:
            rule = _closing_rule(variant, layout)
            # Crosses of the same play count too (K5), so the count on the sheet is not the number that matters.
            count = "" if state.phase == PLAY else f"; there are {have}"
            return rule, f"Closing row {key} with {name} takes at least {need} crosses in it before{count}."
        case refusals.NOT_THE_SUM:
            return _about_sum(layout, state, name)
        case refusals.DIE_GONE:
            color = COLOR_NAMES[variant.rows[row].cells[position].color]
            return "C8", f"The {color} die has left the game."
        case refusals.TIE_UNDECIDED:
            return "BB2", f"Several rows have the fewest crosses: say which one takes the bonus, like {name}>{key}."
        case refusals.NO_SUCH_TIE:
            return "BB2", f"{name} leaves no such tie to decide."
        case refusals.NOT_RIGHT_OF_OWN:
            return "D2", f"{name} does not lie right of your pawns in row {key}."
        case refusals.PAWN_IS_SAFE:
            return "D3", f"Only the rightmost pawn of a row can be captured; the one on {name} is not."
        case refusals.STACK_IS_SAFE:
            return "D4", f"The stack on {name} cannot be captured."
        case refusals.NOT_RIGHTMOST:
            return "D4", f"You can stack on {name} only while no pawn stands further right."
        case refusals.SAME_CELL_TWICE:
            return "D5", f"The two pawns of a turn go to different cells, and {name} has had one."
        case _:
            pawns = f"at least {need} of your own pawns in it; there are {have}"
            return "D7", f"Closing row {key} with {name} takes {pawns}."


def _closing_rule(variant: Variant, layout: Record) -> str:
    """Return the rule about the crosses that closing a row takes."""
    if layout.flow == CARDS:
        return "K7"
    if layout.lucky_pads:
        return "L2"
    return "DA3" if layout.twice else "DB3" if "double" in variant.pairs.values() else "C7"


def _place_of(variant: Variant, cell: int) -> tuple[int, int]:
    """Return the row and the position of a cell; of a bonus cell, those of the cell above it."""
    if cell == TRACK:
        return 0, 0
    if cell >= MORE:
        beside, position = divmod(cell - BONUS_CELLS, POSITIONS)
        return variant.bonus_rows[beside].above, position
    return divmod(max(cell, 0), POSITIONS)


def _row_key(variant: Variant, cell: int) -> str:
    """Return the key of the row of a cell, also of a bonus row."""
    if MORE <= cell < TRACK:
        return variant.bonus_rows[(cell - BONUS_CELLS) // POSITIONS].key
    return variant.rows[_place_of(variant, cell)[0]].key


def _faces(layout: Record) -> str:
    return f"{layout.faces[0]} and {layout.faces[1]}"


def _is_crossed(sheet: Record, row: int, position: int) -> bool:
    return bool(int(sheet.marks[row]) >> position & 1)


def _details(variant: Variant, layout: Record, state: Record, seat: int, cell: int, reason: int) -> Details:
    """Return the details of a refusal about a cell, for translations."""
    if reason in (refusals.NOT_ACTIVE, refusals.TRACK_FULL):
        return {}
    if reason == refusals.NOT_THE_TRACK_SUM:
        return {"sum": int(layout.track_sum)}
    row, position = _place_of(variant, cell)
    details: Details = {"row": _row_key(variant, cell)}
    if position >= len(variant.rows[row].cells):
        return details
    details["cell"] = cell_text(variant, max(cell, 0))
    sheet = state.sheets[seat]
    match reason:
        case refusals.TOO_FEW_CROSSES if state.phase == PLAY:
            details["need"] = int(layout.closes_need[row])
        case refusals.TOO_FEW_CROSSES | refusals.TOO_FEW_PAWNS:
            details |= {"need": int(layout.closes_need[row]), "have": int(sheet.count[row])}
        case refusals.NO_PAIR_OF_FACES:
            details |= {"face": int(layout.faces[0]), "other": int(layout.faces[1])}
        case refusals.NOT_EXCHANGED:
            details["sum"] = int(number_for_all(state))
        case refusals.LEFT_OF_CROSS if cell < MORE:
            details["crossed"] = int(_is_crossed(sheet, row, position))
        case refusals.DIE_GONE:
            details["color"] = variant.rows[row].cells[position].color
        case refusals.NOT_THE_SUM if state.phase in (NUMBER, WHITE):
            details["number" if state.phase == NUMBER else "sum"] = int(number_for_all(state))
    return details


def _about_sum(layout: Record, state: Record, name: str) -> tuple[str, str]:
    if state.phase == NUMBER:
        return "K4", f"The number for all is {number_for_all(state)}, so {name} is not possible."
    if state.phase == WHITE:
        return "C3", f"The white dice make {number_for_all(state)}, so {name} is not possible."
    return "C4", f"No white die and color die add up to {name}."
