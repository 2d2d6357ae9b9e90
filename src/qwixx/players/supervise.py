"""
Asking a player that came from elsewhere: what it raises, how long it takes and what it answers is watched.

It is asked in a thread of its own, so that one that never answers cannot hang the program; such a thread is left behind
and ends with the program.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.kernel import door
from qwixx.kernel.records import ACTIONS, Ints, Records
from qwixx.kernel.refusals import ALLOWED
from qwixx.notation import Action
from qwixx.players.aside import PLAYER, aside
from qwixx.players.base import NonsenseError, Pads, Player, Registered, Words, read_answer
from qwixx.question import Question, seed_of
from qwixx.variants.model import Variant
from qwixx.view import Drawn, View

SECONDS_TO_DECIDE: Final = 10.0
"""What a player has for one decision where nobody says anything else."""
_VARIABLE = "QWIXX_BOT_SECONDS"
_PACKAGE: Final = Path(__file__).parents[1]
_STANDARD: Final = Path(os.__file__).parent
_INSTALLED: Final = {"site-packages", "dist-packages"}


class PlayerFailed(QwixxError):  # noqa: N818 - the name says it better without "Error"
    """A player that raised something, took too long or answered nonsense; the text says which."""

    is_late = False
    """Whether it never answered: then it must not be asked again, its thread is still busy."""
    game: int | None = None
    """The number of the game, in a simulation."""
    seat: int | None = None
    slot: int = 0
    """Which of many games played side by side."""
    record: str = ""
    """The game up to this decision, where one game was replayed."""


def seconds_to_decide(given: float | None = None) -> float:
    """Give the time that a player has for one decision: as given, from QWIXX_BOT_SECONDS, or ten seconds."""
    text = os.environ.get(_VARIABLE)
    try:
        seconds = given if given is not None else SECONDS_TO_DECIDE if text is None else float(text)
    except ValueError:
        raise QwixxError(f"{_VARIABLE} should be a number, not {text!r}.") from None
    if not 0 < seconds <= 86_400:
        raise QwixxError(f"A player has more than 0 and up to 86400 seconds for a decision, not {seconds:g}.")
    return seconds


class LateError(Exception):
    """Nobody answered in time."""


class QuestionThread:
    """A thread that asks, one question after the other; a new one takes over when a question is never answered."""

    def __init__(self, seconds: float) -> None:
        """Wait so long for each answer."""
        self.seconds = seconds
        self._jobs: SimpleQueue[Any] | None = None

    def ask(self, function: Callable[..., Any], *args: Any, decisions: int = 1) -> tuple[Any, BaseException | None]:
        """
        Call a function that makes so many decisions; give its result or what it raised.

        Raises `LateError` if it takes too long.
        """
        if self._jobs is None:
            self._jobs = SimpleQueue()
            Thread(target=_work, args=(self._jobs,), name=PLAYER, daemon=True).start()
        reply: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        try:
            with aside():
                self._jobs.put((function, args, reply))
                return reply.get(timeout=self.seconds * decisions)
        except Empty:
            self.close()
            raise LateError from None

    def close(self) -> None:
        """Let the thread end, once it has nothing more to do."""
        if self._jobs is not None:
            self._jobs.put(None)
            self._jobs = None


def within(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Call code from elsewhere once, for so long at most. Raises `LateError`, or what it raises."""
    thread = QuestionThread(seconds)
    try:
        result, error = thread.ask(function, *args)
    finally:
        thread.close()
    if error is not None:
        raise error
    return result


def _work(jobs: SimpleQueue[Any]) -> None:
    while (job := jobs.get()) is not None:
        function, args, reply = job
        try:
            reply.put((function(*args), None))
        except BaseException as error:  # whatever it is, it is told and not lost
            reply.put((None, error))


_prepared: list[View] = []
"""The first view that was ever drawn for a player from elsewhere."""


class Guarded(Player):
    """A player from elsewhere, asked with care. Every failure becomes a `PlayerFailed` with a sentence."""

    def __init__(
        self, known: Registered, variant: Variant, seats: int, seed: int, pads: Pads | None, thread: QuestionThread
    ) -> None:
        """Invite a player; it sits down when it is first asked."""
        super().__init__(variant, seats)
        self._known = known
        self._seed = seed
        self._pads = pads
        self._thread = thread
        self._player: Player | None = None
        self._drawn: Drawn = {}

    def answer(self, question: Question) -> Action:
        """Decide once."""
        if not _prepared:  # what the compiler takes for the first view of all is not the player's time
            _prepared.append(question.view)
        action: Action = self._ask(self._think, question, question.for_a_guest(self._drawn))
        return action

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """
        Decide in many games at once, in the time that so many decisions may take.

        The `slot` of a `PlayerFailed` is the place of the question at which it failed.
        """
        if not _prepared and len(states):
            _prepared.append(Question(self.variant, layouts, states[:1], int(seats[0])).view)
        own = np.array([seed_of(int(luck), int(seat)) for luck, seat in zip(lucks, seats, strict=True)], np.uint64)
        try:
            answers: npt.NDArray[Any] = self._ask(self._think_many, layouts, states, seats, own, decisions=len(states))
        except PlayerFailed as failed:
            if not failed.is_late:
                failed.slot = self._place_of_failure(layouts, states, seats, own)
            raise
        if answers.shape != (len(states),) or answers.dtype.kind not in "iu":
            some = f"{answers.dtype} of shape {answers.shape}"
            raise self._failed(NonsenseError(f"{some} instead of {len(states)} numbers of actions"))
        for at, number in enumerate(answers.tolist()):
            if not 0 <= number < ACTIONS or door.refusal(layouts, states, at, int(seats[at]), number) != ALLOWED:
                try:
                    read_answer(Question(self.variant, layouts, states[at : at + 1], int(seats[at])), number)
                except NonsenseError as error:
                    nonsense = self._failed(error)
                    nonsense.slot = at
                    raise nonsense from None
        return answers.astype(np.int32)

    def _ask(self, function: Callable[..., Any], *args: Any, decisions: int = 1) -> Any:
        """Have something done in the thread. Raises `PlayerFailed` if it is not."""
        try:
            answer, error = self._thread.ask(function, *args, decisions=decisions)
        except LateError:
            taken = f"{self._thread.seconds * decisions:g} seconds"
            what = "to decide" if decisions == 1 else f"for {decisions} decisions"
            failed = PlayerFailed(f"The player {self._known.name!r} took longer than {taken} {what}.")
            failed.is_late = True
            raise failed from None
        if error is not None:
            raise self._failed(error) from None
        return answer

    def _failed(self, error: BaseException) -> PlayerFailed:
        """Say what went wrong in the thread."""
        what = f"answered nonsense: {error}" if isinstance(error, NonsenseError) else f"raised {describe(error)}"
        return PlayerFailed(f"The player {self._known.name!r} {what}.")

    def _place_of_failure(self, layouts: Records, states: Records, seats: Ints, own: Words) -> int:
        """Find the question at which it fails by asking each alone; the first if none of them does it alone."""
        for at in range(len(states)):
            here = slice(at, at + 1)
            try:
                self._ask(self._think_many, layouts, states[here], seats[here], own[here])
            except PlayerFailed:
                return at
        return 0

    def _think(self, question: Question, copy: Question) -> Action:
        return read_answer(question, self._seated().answer(copy))

    def _think_many(self, layouts: Records, states: Records, seats: Ints, own: Words) -> npt.NDArray[Any]:
        return np.asarray(self._seated().answer_many(layouts, states.copy(), seats.copy(), own.copy()))

    def _seated(self) -> Player:
        """Let it sit down, the first time it is asked."""
        if self._player is None:
            self._player = self._known.sit(self.variant, self.seats, seed=self._seed, pads=self._pads)
        return self._player


def describe(error: BaseException) -> str:
    """Say what was raised, and where in the code of whoever wrote the player."""
    if isinstance(error, SyntaxError) and error.filename:
        text, places = error.msg, [(error.filename, error.lineno)]
    else:
        text = str(error)
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    text = " ".join(text.split())[:200]
    theirs = [place for place in places if not _is_ours(place[0])]
    own = [place for place in theirs if not _INSTALLED & set(Path(place[0]).parts)] or theirs
    where = f" ({Path(own[-1][0]).name}, line {own[-1][1]})" if own else ""
    return f"{type(error).__name__}{': ' + text if text else ''}{where}"


def _is_ours(file: str) -> bool:
    """Whether a file is of this package or of Python itself, where nobody who wrote a player has to look."""
    path = Path(file)
    if file.startswith("<") or path.is_relative_to(_PACKAGE):
        return True
    return path.is_relative_to(_STANDARD) and not _INSTALLED & set(path.parts)


def take_seat(
    known: Registered,
    variant: Variant,
    seats: int,
    *,
    seed: int = 0,
    pads: Pads | None = None,
    thread: QuestionThread | None = None,
) -> Player:
    """Seat a player: one of the house as it is, any other with a guard."""
    if known.is_house:
        return known.sit(variant, seats, seed=seed, pads=pads)
    return Guarded(known, variant, seats, seed, pads, thread or QuestionThread(seconds_to_decide()))
