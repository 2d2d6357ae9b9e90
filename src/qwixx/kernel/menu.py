"""The list of actions that a seat may choose from."""

from __future__ import annotations

from qwixx.jit.decorators import inlined
from qwixx.kernel.state.records import Record


@inlined
def add(menu: Record, count: int, action: int) -> int:
    """Insert an action into the ascending menu; return its new length."""
    at = count
    while at > 0 and menu.actions[at - 1] >= action:
        if menu.actions[at - 1] == action:  # equal white dice make the same sum twice
            return count
        at -= 1
    for index in range(count, at, -1):
        menu.actions[index] = menu.actions[index - 1]
    menu.actions[at] = action
    return count + 1
