"""The error for a refused action, the same for every adapter."""

from __future__ import annotations

from dataclasses import replace

from qwixx.errors import QwixxError
from qwixx.kernel import api
from qwixx.kernel.state.records import Records
from qwixx.rl.spaces import Space
from qwixx.text.refusal_sentences import explain


def refused(space: Space, states: Records, seat: int, action: int, where: str = "") -> QwixxError:
    """Return the error that explains why a seat may not take a compact action in the first of these states."""
    if not 0 <= action < space.actions:
        return QwixxError(f"{where}{action} is no action; actions are numbered from 0 to {space.actions - 1}.")
    number = int(space.kernel_actions[action])
    reason = api.refusal(space.layouts, states, 0, seat, number)
    refusal = explain(space.variant, space.layouts[0], states[0], seat, number, reason)
    return replace(refusal, sentence=f"{where}action {action} is illegal: {refusal.sentence}").error()
