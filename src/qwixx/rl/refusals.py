"""Why an action is refused, in a sentence, for every adapter the same."""

from __future__ import annotations

from dataclasses import replace

from qwixx.errors import QwixxError
from qwixx.kernel import door
from qwixx.kernel.records import Records
from qwixx.reasons import explain
from qwixx.rl.spaces import Space


def refused(space: Space, states: Records, seat: int, action: int, where: str = "") -> QwixxError:
    """Make the error that says why a seat may not take a compact action in the first of these states."""
    if not 0 <= action < space.actions:
        return QwixxError(f"{where}{action} is no action; actions are numbered from 0 to {space.actions - 1}.")
    number = int(space.kernel_actions[action])
    reason = door.refusal(space.layouts, states, 0, seat, number)
    refusal = explain(space.variant, space.layouts[0], states[0], seat, number, reason)
    return replace(refusal, sentence=f"{where}action {action} is illegal: {refusal.sentence}").error()
