"""
The tools: one struct for each, with the bounds of every argument.

The name of the struct gives the tool its name, its docstring is the description that an assistant reads, and its fields
become the JSON schema of the arguments.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import Meta, Struct

from qwixx.base.languages import ENGLISH
from qwixx.errors import QwixxError
from qwixx.kernel.state.records import SEATS

MAX_GAMES: Final = 16
"""How many games are kept at once."""
_SEAT: Final = f"The number of the seat, from 0 to {SEATS - 1}."

GameId = Annotated[str, Meta(max_length=8, description="The id that start_game gave the game, such as g1.")]
Variant = Annotated[str, Meta(max_length=40, description="The id of a game from list_games, such as classic.")]
SeatIfOne = Annotated[int, Meta(ge=0, lt=SEATS, description=f"{_SEAT} Needed if several of your seats decide.")] | None
Action = Annotated[
    str, Meta(max_length=200, description="An action such as r7 or pass, as `legal` of look_at_game writes it.")
]
Language = Annotated[str, Meta(max_length=2, description="The language of the texts: en, fr, de, it or nl.")]


class Tool(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of a tool."""


class ListGames(Tool, frozen=True):
    """List the games: their ids, numbers of seats, and the bots that play them."""


class ReadRules(Tool, frozen=True):
    """Read the rules of a game, with the ids that refusals cite."""

    variant: Variant
    language: Language = ENGLISH


class StartGame(Tool, frozen=True):
    """
    Start a game. You decide for all seats without a bot; one seat alone is solitaire.

    Dice are rolled and bots decide by themselves, until one of your seats has to decide.
    """

    variant: Variant
    seats: Annotated[int, Meta(ge=1, le=SEATS, description="The number of seats, those of bots included.")] = 1
    bots: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(max_length=SEATS, description="Bots for the last seats: easy, normal, strong or master; see list_games."),
    ] = []
    seed: (
        Annotated[int, Meta(ge=0, lt=1 << 53, description="The same seed gives the same dice. Else they are random.")]
        | None
    ) = None
    first: Annotated[int, Meta(ge=0, lt=SEATS, description="The seat that begins; random without it.")] | None = None
    sheet: Annotated[str, Meta(max_length=40, description="Card games only: the sheet to play on.")] | None = None


class LookAtGame(Tool, frozen=True):
    """See the position as one of your seats sees it, and its legal actions with the reasons for and against each."""

    game: GameId
    seat: SeatIfOne = None
    language: Language = ENGLISH


class CheckAction(Tool, frozen=True):
    """Ask whether a seat may decide this now; if not, the rule and a sentence say why. Nothing changes."""

    game: GameId
    action: Action
    seat: SeatIfOne = None


class Decide(Tool, frozen=True):
    """
    Decide for one of your seats; return the events, and the position when one of your seats decides next.

    In solitaire the answer has the exact regret of the decision, if the sheet is solved on this computer.
    """

    game: GameId
    action: Action
    seat: SeatIfOne = None


class AskCoach(Tool, frozen=True):
    """Rank the legal actions of one of your seats, best first, with values and reasons."""

    game: GameId
    seat: SeatIfOne = None
    language: Language = ENGLISH


class ReviewGame(Tool, frozen=True):
    """Review a finished game: its record, luck and accuracy of each seat, and the loss of each of your decisions."""

    game: GameId


class EndGame(Tool, frozen=True):
    """Drop a game, finished or not, to make room for another."""

    game: GameId


AnyTool = ListGames | ReadRules | StartGame | LookAtGame | CheckAction | Decide | AskCoach | ReviewGame | EndGame
TOOLS: Final[dict[str, type[AnyTool]]] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tool.__name__).lower(): tool for tool in get_args(AnyTool)
}
"""The tools by name."""
CHANGES_NOTHING: Final = ("list_games", "read_rules", "look_at_game", "check_action", "ask_coach", "review_game")


def read_call(name: str, arguments: dict[str, Any] | None) -> AnyTool:
    """Read the arguments of a call. Raises `QwixxError`."""
    if name not in TOOLS:
        raise QwixxError(f"There is no tool {name[:40]!r}; there are {', '.join(TOOLS)}.")
    try:
        call: AnyTool = msgspec.convert(arguments or {}, TOOLS[name])
    except msgspec.ValidationError as error:
        raise QwixxError(f"This call of {name} is not valid: {str(error)[:200]}.") from None
    return call


def input_schema(tool: type[Tool]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    (schema,), parts = msgspec.json.schema_components([tool])
    assert schema == {"$ref": f"#/$defs/{tool.__name__}"}
    found: dict[str, Any] = parts[tool.__name__]
    return {key: value for key, value in found.items() if key not in ("title", "description")}


def description(tool: type[Tool]) -> str:
    """Return what an assistant reads about a tool."""
    return re.sub(r"\s+", " ", tool.__doc__ or "").strip()
