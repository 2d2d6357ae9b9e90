"""
Supervision of third-party players: exceptions, time limit and invalid answers.

A player runs in a separate thread, so that one that never answers cannot hang the program. Such a thread is abandoned
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
from qwixx.game.question import Question, private_seed
from qwixx.game.view import SheetCache, View
from qwixx.kernel import api
from qwixx.kernel.state.records import ACTIONS, Ints, Records
from qwixx.kernel.state.refusals import ALLOWED
from qwixx.players.player import InvalidAnswerError, Pads, Player, Registered, Words, read_answer
from qwixx.players.redirect_stdout import PLAYER, player_output_to_stderr
from qwixx.text.notation import Action
from qwixx.variants.model import Variant

SECONDS_TO_DECIDE: Final = 10.0
"""The default time limit for one decision."""
_VARIABLE = "QWIXX_BOT_SECONDS"
_PACKAGE: Final = Path(__file__).parents[1]
_STANDARD: Final = Path(os.__file__).parent
_INSTALLED: Final = {"site-packages", "dist-packages"}


class PlayerFailed(QwixxError):  # noqa: N818 - the name says it better without "Error"
    """A player raised an exception, took too long or gave an invalid answer; the text says which."""

    is_late = False
    """Whether it did not answer in time: then it must not be called again, because its thread is still busy."""
    game: int | None = None
    """The number of the game, in a simulation."""
    seat: int | None = None
    slot: int = 0
    """The index of the game in a batch."""
    record: str = ""
    """The record up to this decision, if a single game was replayed."""


def seconds_to_decide(given: float | None = None) -> float:
    """Return the time limit for one decision: as given, from QWIXX_BOT_SECONDS, or ten seconds."""
    text = os.environ.get(_VARIABLE)
    try:
        seconds = given if given is not None else SECONDS_TO_DECIDE if text is None else float(text)
    except ValueError:
        raise QwixxError(f"{_VARIABLE} should be a number, not {text!r}.") from None
    if not 0 < seconds <= 86_400:
        raise QwixxError(f"A player has more than 0 and up to 86400 seconds for a decision, not {seconds:g}.")
    return seconds


class PlayerTimeoutError(Exception):
    """A call of a player's code took longer than its time limit."""


class PlayerThread:
    """A thread that runs players' code, one call after the other; after a timeout a new thread replaces it."""

    def __init__(self, seconds: float) -> None:
        """Set the time limit of one decision."""
        self.seconds = seconds
        self._jobs: SimpleQueue[Any] | None = None

    def ask(self, function: Callable[..., Any], *args: Any, decisions: int = 1) -> tuple[Any, BaseException | None]:
        """
        Call a function that makes `decisions` decisions; return its result, or the exception that it raised.

        Raises `PlayerTimeoutError` if it takes too long.
        """
        if self._jobs is None:
            self._jobs = SimpleQueue()
            Thread(target=_run_jobs, args=(self._jobs,), name=PLAYER, daemon=True).start()
        reply: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        try:
            with player_output_to_stderr():
                self._jobs.put((function, args, reply))
                return reply.get(timeout=self.seconds * decisions)
        except Empty:
            self.close()
            raise PlayerTimeoutError from None

    def close(self) -> None:
        """Let the thread end after its current call."""
        if self._jobs is not None:
            self._jobs.put(None)
            self._jobs = None


def call_with_timeout(seconds: float, function: Callable[..., Any], *args: Any) -> Any:
    """Call third-party code once, with a time limit. Raises `PlayerTimeoutError`, or the exception of the code."""
    thread = PlayerThread(seconds)
    try:
        result, error = thread.ask(function, *args)
    finally:
        thread.close()
    if error is not None:
        raise error
    return result


def _run_jobs(jobs: SimpleQueue[Any]) -> None:
    while (job := jobs.get()) is not None:
        function, args, reply = job
        try:
            reply.put((function(*args), None))
        except BaseException as error:  # any exception is passed to the caller and not lost
            reply.put((None, error))


_prepared: list[View] = []
"""The first view that was built for a third-party player in this process."""


class SupervisedPlayer(Player):
    """A third-party player under supervision. Every failure becomes a `PlayerFailed` with an explanation."""

    def __init__(
        self, known: Registered, variant: Variant, seats: int, seed: int, pads: Pads | None, thread: PlayerThread
    ) -> None:
        """Store the arguments; the player is instantiated at its first decision, under the time limit."""
        super().__init__(variant, seats)
        self._known = known
        self._seed = seed
        self._pads = pads
        self._thread = thread
        self._player: Player | None = None
        self._drawn: SheetCache = {}

    def answer(self, question: Question) -> Action:
        """Return one decision."""
        if not _prepared:  # the compile time of the first view does not count as the player's time
            _prepared.append(question.view)
        action: Action = self._ask(self._think, question, question.for_custom_player(self._drawn))
        return action

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """
        Decide in many games at once, within the time limit of that many decisions.

        The `slot` of a `PlayerFailed` is the index of the state at which it failed.
        """
        if not _prepared and len(states):
            _prepared.append(Question(self.variant, layouts, states[:1], int(seats[0])).view)
        own = np.array([private_seed(int(luck), int(seat)) for luck, seat in zip(lucks, seats, strict=True)], np.uint64)
        try:
            answers: npt.NDArray[Any] = self._ask(self._think_many, layouts, states, seats, own, decisions=len(states))
        except PlayerFailed as failed:
            if not failed.is_late:
                failed.slot = self._index_of_failure(layouts, states, seats, own)
            raise
        if answers.shape != (len(states),) or answers.dtype.kind not in "iu":
            some = f"{answers.dtype} of shape {answers.shape}"
            raise self._failed(InvalidAnswerError(f"{some} instead of {len(states)} numbers of actions"))
        for at, number in enumerate(answers.tolist()):
            if not 0 <= number < ACTIONS or api.refusal(layouts, states, at, int(seats[at]), number) != ALLOWED:
                try:
                    read_answer(Question(self.variant, layouts, states[at : at + 1], int(seats[at])), number)
                except InvalidAnswerError as error:
                    failure = self._failed(error)
                    failure.slot = at
                    raise failure from None
        return answers.astype(np.int32)

    def _ask(self, function: Callable[..., Any], *args: Any, decisions: int = 1) -> Any:
        """Call a function in the thread. Raises `PlayerFailed` if it fails."""
        try:
            answer, error = self._thread.ask(function, *args, decisions=decisions)
        except PlayerTimeoutError:
            taken = f"{self._thread.seconds * decisions:g} seconds"
            what = "to decide" if decisions == 1 else f"for {decisions} decisions"
            failed = PlayerFailed(f"The player {self._known.name!r} took longer than {taken} {what}.")
            failed.is_late = True
            raise failed from None
        if error is not None:
            raise self._failed(error) from None
        return answer

    def _failed(self, error: BaseException) -> PlayerFailed:
        """Return the `PlayerFailed` for an exception in the thread."""
        what = f"answered nonsense: {error}" if isinstance(error, InvalidAnswerError) else f"raised {describe(error)}"
        return PlayerFailed(f"The player {self._known.name!r} {what}.")

    def _index_of_failure(self, layouts: Records, states: Records, seats: Ints, own: Words) -> int:
        """Return the index of the state that fails when asked separately; 0 if none does."""
        for at in range(len(states)):
            here = slice(at, at + 1)
            try:
                self._ask(self._think_many, layouts, states[here], seats[here], own[here])
            except PlayerFailed:
                return at
        return 0

    def _think(self, question: Question, copy: Question) -> Action:
        return read_answer(question, self._instance().answer(copy))

    def _think_many(self, layouts: Records, states: Records, seats: Ints, own: Words) -> npt.NDArray[Any]:
        return np.asarray(self._instance().answer_many(layouts, states.copy(), seats.copy(), own.copy()))

    def _instance(self) -> Player:
        """Return the player; instantiate it at the first call."""
        if self._player is None:
            self._player = self._known.sit(self.variant, self.seats, seed=self._seed, pads=self._pads)
        return self._player


def describe(error: BaseException) -> str:
    """Return a text for an exception, with the line in the player's own code."""
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
    """Return whether a file belongs to this package or to Python, where the author of a player need not look."""
    path = Path(file)
    if file.startswith("<") or path.is_relative_to(_PACKAGE):
        return True
    return path.is_relative_to(_STANDARD) and not _INSTALLED & set(path.parts)


def instantiate_supervised(
    known: Registered,
    variant: Variant,
    seats: int,
    *,
    seed: int = 0,
    pads: Pads | None = None,
    thread: PlayerThread | None = None,
) -> Player:
    """Return a player for a seat: a built-in one directly, any other under supervision."""
    if known.is_built_in:
        return known.sit(variant, seats, seed=seed, pads=pads)
    return SupervisedPlayer(known, variant, seats, seed, pads, thread or PlayerThread(seconds_to_decide()))
