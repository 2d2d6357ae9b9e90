"""One game in progress, for the adapters that play one: compact actions in, observations and rewards out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.game.view import View, make_view
from qwixx.kernel import api
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.rl import stepping
from qwixx.rl.encode import Bytes
from qwixx.rl.opponents import Opponents, decide_one
from qwixx.rl.refusals import refused
from qwixx.rl.spaces import Space
from qwixx.rl.stepping import NOBODY, REFUSED

RENDER_MODES: Final = ("human", "ansi", "svg", "rgb_array")
"""Print the text, return the text, return SVG text, return a picture as an array."""


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode. Raises `QwixxError` if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise QwixxError(f"There is no render mode {mode!r}; there are {', '.join(RENDER_MODES)}.")
    return mode


class SingleGame:
    """A game that advances automatically until a seat has to decide: `asked` is that seat, NOBODY when it is over."""

    def __init__(self, space: Space, rewards: int, opponents: Mapping[int, str] | None = None) -> None:
        """Allocate a game; `begin` begins it. `opponents` names players who decide automatically for seats."""
        self.space = space
        self.asked = NOBODY
        self.states: Records = np.zeros(1, STATE)
        self._layouts = space.layouts
        self._kind = rewards
        self._menus: Records = np.zeros(1, MENU)
        self._seen = np.zeros((1, space.size), np.int8)
        self._mask = np.zeros((1, space.actions), np.int8)
        self._scores = np.zeros((1, space.seats), np.int32)
        self._rewards = np.zeros((1, space.seats))
        self.opponents = None if opponents is None else Opponents(space, opponents)
        """The players who decide automatically; they can be replaced between games."""
        self._seed = np.uint64(0)
        self._shown = NOBODY
        """The seat whose observation and mask are in the arrays."""
        # One row each, so that returning a copy is a single call.
        self._seen_row: Bytes = self._seen[0]
        self._mask_row: Bytes = self._mask[0]

    def begin(self, generator: np.random.Generator, start: Records | None = None) -> None:
        """
        Begin a game, new or from a state; its random numbers come from the caller's generator.

        Rewards by gain count from the score at the start. Raises `QwixxError` if opponents end the game before another
        seat is asked.
        """
        seed = generator.integers(1 << 64, dtype=np.uint64)
        self._scores.fill(0)
        self._shown = NOBODY
        self._seed = seed
        if self.opponents is not None:
            self.opponents.forget()
        if start is None:
            self.asked = stepping.begin_one(self._layouts, self.states, seed, np.uint64(0), self.space.seats)
        else:
            self.states[:] = start
            self._scores[0] = [api.score(self._layouts, self.states, 0, seat) for seat in range(self.space.seats)]
            self.asked = stepping.resume_one(self._layouts, self.states, seed, np.uint64(0))
        self._let_opponents()
        if self.asked == NOBODY:
            raise QwixxError("The opponents ended this game before anybody else was asked; begin at another position.")

    def step(self, action: int) -> bool:
        """
        Decide for the asked seat; return whether the kernel accepted it. A refused action changes nothing.

        The action has to be a Python int: another type would trigger a new compilation.
        """
        asked = stepping.step_one(self._layouts, self.states, self.asked, action, self._menus, self._seen, self._mask)
        if asked <= REFUSED:
            return False
        self._shown = self.asked if asked == NOBODY else asked
        self.asked = asked
        self._let_opponents()
        return True

    def _let_opponents(self) -> None:
        """Let the opponents decide until another seat is asked."""
        if self.opponents is None:
            return
        games = np.zeros(1, np.uint64)
        asked = np.array([self.asked], np.int32)
        while self.asked != NOBODY and len(slots := self.opponents.slots(asked)):
            action = int(self.opponents.answer(self.states, slots, asked, self._seed, games)[0])
            self.asked = asked[0] = decide_one(self._layouts, self.states, self.asked, action)
            self._shown = NOBODY

    def stop(self) -> None:
        """End the game now: no seat is asked any more."""
        self.asked = NOBODY
        self._shown = NOBODY

    def refusal(self, action: int, seat: int | None = None) -> ValueError:
        """Return the error that explains why a seat, by default the asked one, may not take this action."""
        return refused(self.space, self.states, self.asked if seat is None else seat, action)

    def owes(self, seat: int) -> bool:
        """Return whether a seat owes a decision in the open window."""
        return bool(api.asked(self._layouts, self.states, 0) >> seat & 1)

    def observe_deciding(self, seat: int, is_deciding: bool) -> tuple[Bytes, Bytes]:
        """Return the observation of a seat, with its legal actions if it owes a decision, asked or not."""
        asked = seat if is_deciding else NOBODY
        stepping.observe_into(self._layouts, self.states, seat, asked, self._menus, self._seen, self._mask)
        self._shown = NOBODY
        return self._seen_row.copy(), self._mask_row.copy()

    def observe(self, seat: int) -> tuple[Bytes, Bytes]:
        """Return the observation and the action mask of a seat, as new arrays."""
        if seat != self._shown:
            stepping.observe_into(self._layouts, self.states, seat, self.asked, self._menus, self._seen, self._mask)
            self._shown = seat
        return self._seen_row.copy(), self._mask_row.copy()

    def observe_everything(self) -> Bytes:
        """Return the full state, including hidden information, as a new array."""
        out = np.zeros((1, self.space.state_size), np.int8)
        stepping.observe_everything(self._layouts, self.states, out)
        row: Bytes = out[0]
        return row

    def pay(self) -> list[float]:
        """Return every seat's reward: of a finished game, or with rewards by gain since the last call."""
        stepping.pay_one(self._layouts, self.states, self._kind, self._scores, self._rewards)
        paid: list[float] = self._rewards[0].tolist()
        return paid

    @property
    def pays_on_the_way(self) -> bool:
        """Whether there are rewards before the game is over."""
        return self._kind == stepping.GAIN

    def scores(self) -> tuple[int, ...]:
        """Return the final scores of a game that has been paid."""
        return tuple(self._scores[0].tolist())

    def view(self) -> View:
        """Show the table as a spectator sees it."""
        return make_view(self.space.variant, self._layouts, self.states, None)

    def render(self, mode: str) -> npt.NDArray[np.uint8] | str | None:
        """Draw the table: text, SVG text, or a picture as an array; `human` prints the text."""
        # Imported only when something is drawn: playing does not need it.
        variant, view = self.space.variant, self.view()
        if mode == "rgb_array":
            from qwixx.rl.pixels import picture  # noqa: PLC0415

            return picture(variant, view)
        if mode == "svg":
            from qwixx.render.svg import table_svg  # noqa: PLC0415

            return table_svg(variant, view)
        from qwixx.render.text import table_text  # noqa: PLC0415

        text = table_text(variant, view)
        if mode == "human":
            print(text)  # noqa: T201 - this is what the mode is for
            return None
        return text
