"""
The codes of refusals: one number per reason, 0 for none.

`qwixx.text.refusal_sentences` turns them into sentences with the id of the rule.
"""

from __future__ import annotations

(
    ALLOWED,
    # the moment
    GAME_IS_OVER,
    CHANCE_FIRST,  # the dice have to be rolled or the cards dealt first
    NOT_YOUR_TURN,
    WRONG_PHASE,  # for example a card action in a dice phase
    # sheets
    NOT_THE_SUM,  # no sum on the table reaches the cell
    DIE_GONE,
    ROW_CLOSED,
    ROW_CLOSED_FOR_YOU,
    LEFT_OF_CROSS,
    TOO_FEW_CROSSES,
    NO_SUCH_CELL,
    TIE_UNDECIDED,  # the bonus meets a tie and the action names no row
    NO_SUCH_TIE,  # the action names a row, but there is no tie or the row is not in it
    # extras
    SECOND_BOX_GONE,  # the second box is crossed, or lies left of a cross
    NOT_EXCHANGED,  # no field of the bar exchanges the white sum for this number
    NO_NEIGHBOR,  # a bonus cell whose number is not crossed beside it, where it has to be
    NO_PAIR_OF_FACES,  # no two dice offer this small field
    NOT_ACTIVE,
    NOT_THE_TRACK_SUM,  # two white dice and a color die do not make it
    TRACK_FULL,
    # cards
    WRONG_NUMBER_OF_CARDS,
    NOT_IN_HAND,
    COLORS_DIFFER,
    NOT_PLAYED,  # a cell whose number is not among the cards played
    TOO_MANY_LEFT_OUT,
    # the duel
    NOT_RIGHT_OF_OWN,
    PAWN_IS_SAFE,
    STACK_IS_SAFE,
    NOT_RIGHTMOST,
    SAME_CELL_TWICE,
    TOO_FEW_PAWNS,
    # chance
    NO_CHANCE_NOW,
    BAD_DIE,
    BAD_DECK,
) = range(35)
