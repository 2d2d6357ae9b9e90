"""
A dataset of graded decisions, for learning and for studies: one row for each decision, in Parquet.

The games are those of a simulation with a seed, so anybody can make the same rows again. `COLUMNS` states the schema.
Parquet needs pyarrow: `pip install qwixx[data]`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import qwixx
from qwixx.coach.judges.judge import POINTS, WIN, Judge, check_games
from qwixx.coach.judges.select import find_judge
from qwixx.coach.review.analysis import analyse
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.jit.decorators import make_eager
from qwixx.nets.evaluate import action_values, state_value
from qwixx.players.rotation import player_of
from qwixx.sim.lineup import lineup, player_named
from qwixx.sim.replay import replay_game
from qwixx.text.arguments import require_int
from qwixx.variants import variant_of
from qwixx.variants.model import Variant

MOST_GAMES: Final = 1_000_000
_ROWS: Final = 20_000
"""Rows that are written at a time, so that memory does not grow with the number of games."""
Row = dict[str, Any]
Progress = Callable[[int, int], None]
"""Called with the number of games done and the number of all games."""


class Column(NamedTuple):
    """A column of the dataset."""

    name: str
    type: str
    """The name of an Arrow type; `choices` is a list of structs."""
    meaning: str


CHOICES: Final = "list of action string, value float64, points float64"
COLUMNS: Final = (
    Column("game", "int64", "number of the game in the simulation with this seed"),
    Column("step", "int32", "index of the decision among the steps of the game's record"),
    Column("turn", "int32", "turn of the game, from 1"),
    Column("phase", "string", "phase of the game: what is decided"),
    Column("seat", "int8", "deciding seat, from 0"),
    Column("bot", "string", "bot on this seat"),
    Column("position", "string", "position line before the decision; in card games with all hands, also hidden ones"),
    Column("action", "string", "the choice"),
    Column("value", "float64", "its value for the seat, in the unit of `measure`"),
    Column("best", "string", "the choice with the highest value"),
    Column("loss", "float64", "value of the best choice less that of this one"),
    Column("grade", "string", "best, good, slip, mistake or blunder"),
    Column("close", "bool", "the loss is smaller than the error of the values"),
    Column("source", "string", "exact, learned, rollouts or played on"),
    Column("choices", CHOICES, "all legal choices, best first, with their expected final points"),
    Column("score", "int16", "final score of the seat"),
    Column("won", "float64", "share of the win of the seat: k winners get 1/k each"),
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """
    The decisions with a choice in games of bots, graded by the judge of a review.

    The judge is the exact table in solitaire, else the net. `deep` is the number of rollouts after each choice of a
    close call. The same settings give the same rows.
    """

    variant: str | Path | Variant
    seats: int
    bots: tuple[str, ...]
    games: int
    seed: int = 0
    deep: int = 0

    def check(self) -> Variant:
        """Return the game. Raises `QwixxError` for settings that make no sense."""
        if not 1 <= require_int(self.games, "The number of games") <= MOST_GAMES:
            raise QwixxError(f"The number of games must be from 1 to {MOST_GAMES:,}, not {self.games}.")
        check_games(self.deep)
        chosen = variant_of(self.variant)
        chosen.check_seats(require_int(self.seats, "The number of seats"))
        lineup(chosen, self.seats, self.bots)
        return chosen

    def rows(self, progress: Progress | None = None) -> Iterator[Row]:
        """Yield the rows, game by game."""
        chosen, judge = self.check(), None
        make_eager(action_values, state_value)  # interpreted and compiled nets differ in the eighth digit
        names = [player_named(bot).name for bot in lineup(chosen, self.seats, self.bots)]
        for number in range(self.games):
            game = replay_game(chosen, self.seats, self.bots, self.seed, number)
            if judge is None or chosen.lucky:  # a table of Longo is for one pad
                judge = find_judge(game)
            seated = [names[player_of(seat, number % self.seats, self.seats)] for seat in range(self.seats)]
            yield from _rows_of(game, seated, number, judge, self.deep)
            if progress is not None:
                progress(number + 1, self.games)

    def write(self, path: str | Path, progress: Progress | None = None) -> int:
        """
        Write a Parquet file; return the number of rows.

        The file is replaced when it is complete. Its metadata has everything that is needed to make it again.
        """
        arrow, parquet = _pyarrow()
        chosen, target = self.check(), Path(path)
        facts = {"variant": chosen.id, "sheet": chosen.sheet or "", "seats": self.seats, "bots": ",".join(self.bots)}
        facts |= {"games": self.games, "seed": self.seed, "deep": self.deep}
        facts |= {"measure": WIN if self.seats > 1 else POINTS, "version": qwixx.__version__}
        metadata = {f"qwixx.{name}": str(fact) for name, fact in facts.items()}
        schema = arrow.schema([(each.name, _arrow_type(arrow, each)) for each in COLUMNS], metadata)
        rows, written = list[Row](), 0
        temporary = target.parent / f".qwixx-{secrets.token_hex(8)}"
        try:
            with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
                for row in self.rows(progress):
                    rows.append(row)
                    if len(rows) == _ROWS:
                        writer.write_table(arrow.Table.from_pylist(rows, schema))
                        written, rows = written + len(rows), []
                writer.write_table(arrow.Table.from_pylist(rows, schema))
            temporary.replace(target)
        except OSError as error:
            raise QwixxError(f"{str(target)!r} cannot be written: {error.strerror or error}.") from None
        finally:
            temporary.unlink(missing_ok=True)
        return written + len(rows)


def _rows_of(game: Game, bots: list[str], number: int, judge: Judge, deep: int) -> Iterator[Row]:
    """Yield the rows of one game."""
    outcome = game.outcome()
    assert outcome is not None
    for each in analyse(game, by=judge, deep=deep).decisions:
        if each.had_choice:
            yield {
                "game": number,
                "step": each.step,
                "turn": each.turn,
                "phase": each.phase,
                "seat": each.seat,
                "bot": bots[each.seat],
                "position": each.position,
                "action": each.chosen_action.text,
                "value": each.chosen.value,
                "best": each.best_action.text,
                "loss": each.loss,
                "grade": each.grade,
                "close": each.is_close,
                "source": each.source,
                "choices": [{"action": c.action.text, "value": c.value, "points": c.points} for c in each.choices],
                "score": outcome.scores[each.seat],
                "won": 1 / len(outcome.winners) if each.seat in outcome.winners else 0.0,
            }


def _arrow_type(arrow: Any, column: Column) -> Any:
    if column.type == CHOICES:
        names = {"action": arrow.string(), "value": arrow.float64(), "points": arrow.float64()}
        return arrow.list_(arrow.struct(list(names.items())))
    return arrow.type_for_alias(column.type)


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise QwixxError("Parquet files need pyarrow: pip install 'qwixx[data]'.") from None
