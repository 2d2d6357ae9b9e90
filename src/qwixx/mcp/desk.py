"""The desk: keeps the games of one assistant and answers its calls with plain data, or refuses them with a sentence."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from qwixx.base.languages import LANGUAGES
from qwixx.coach import Analysis
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.game.position import write_position
from qwixx.mcp.seated_game import SeatedGame
from qwixx.mcp.tools import (
    MAX_GAMES,
    AnyTool,
    AskCoach,
    CheckAction,
    Decide,
    EndGame,
    ListGames,
    LookAtGame,
    ReadRules,
    ReviewGame,
    StartGame,
)
from qwixx.players import built_in_names, find
from qwixx.players.built_in.optimal import OPTIMAL
from qwixx.render.text import table_text
from qwixx.rulebook import rules_page
from qwixx.variants import load, names
from qwixx.variants.model import Variant

Answer = dict[str, Any]
_DIGITS: Final = 4
"""Decimal places of values and regrets: a ten-thousandth of a point."""


class Desk:
    """The games of one assistant."""

    def __init__(self) -> None:
        """Begin without games."""
        self._games: dict[str, SeatedGame] = {}
        self._begun = 0

    def answer(self, call: AnyTool) -> Answer:
        """Answer a call. Raises `QwixxError`; then nothing has changed."""
        match call:
            case ListGames():
                return {"games": [_described(load(name)) for name in names()]}
            case ReadRules():
                return {"rules": rules_page(_variant(call.variant).id, _language(call.language))}
            case StartGame():
                return self._start(call)
            case LookAtGame():
                seated = self._find(call.game)
                return self._look(call.game, seated, seated.deciding_seat(call.seat), _language(call.language))
            case CheckAction():
                seated = self._find(call.game)
                refusal = seated.game.why_not(seated.deciding_seat(call.seat), call.action)
                if refusal is None:
                    return {"legal": True}
                return {"legal": False, "rule": refusal.rule, "why": str(refusal.error())}
            case Decide():
                return self._decide(call)
            case AskCoach():
                seated = self._find(call.game)
                return seated.hint(seated.deciding_seat(call.seat)).to_dict(_language(call.language))
            case ReviewGame():
                seated = self._find(call.game)
                return _reviewed(seated, seated.review())
            case EndGame():
                self._find(call.game)
                del self._games[call.game]
                return {"games": list(self._games)}

    def _start(self, call: StartGame) -> Answer:
        variant = _variant(call.variant)
        sheets = variant.deck.sheets if variant.deck else ()
        if call.sheet is not None and call.sheet not in sheets:  # a name must not open a file
            offered = f"one of {', '.join(sheets)}" if sheets else "not chosen in this game"
            raise QwixxError(f"The sheet is {offered}, not {call.sheet!r}.")
        seated = SeatedGame(Game(variant, call.seats, seed=call.seed, first=call.first, sheet=call.sheet), call.bots)
        self._make_room()
        self._begun += 1
        name = f"g{self._begun}"
        self._games[name] = seated
        return self._look(name, seated, seated.next_seat())

    def _make_room(self) -> None:
        """Drop the oldest finished game if no more games can be kept. Raises `QwixxError` if none is finished."""
        if len(self._games) < MAX_GAMES:
            return
        finished = next((name for name, each in self._games.items() if each.game.is_over), None)
        if finished is None:
            raise QwixxError(f"At most {MAX_GAMES} games are kept, and none is over: drop one with end_game.")
        del self._games[finished]

    def _find(self, name: str) -> SeatedGame:
        if name not in self._games:
            kept = ", ".join(self._games) or "none"
            raise QwixxError(f"There is no game {name!r} here; the games are: {kept}.")
        return self._games[name]

    def _decide(self, call: Decide) -> Answer:
        seated = self._find(call.game)
        seat = seated.deciding_seat(call.seat)
        events = seated.decide(seat, call.action)
        return {
            "events": [str(event) for event in events],
            **({"decision": _measured(seated)[-1]} if seated.measured else {}),
            **self._look(call.game, seated, seated.next_seat()),
        }

    @staticmethod
    def _look(name: str, seated: SeatedGame, seat: int, language: str = LANGUAGES[0]) -> Answer:
        """Return a game as a seat sees it: nothing that the rules hide from this seat."""
        game = seated.game
        view = game.view(seat)
        outcome = game.outcome()
        answer: Answer = {
            "game": name,
            "seat": seat,
            "own_seats": list(seated.own),
            "bots": {str(bot): level for bot, level in seated.bots.items()},
            "deciding": [each for each in game.deciders() if each in seated.own],
            "table": table_text(game.variant, view),
            "position": write_position(game.variant, game.question(seat).states),
            "scores": list(game.scores()),
            "hints": seated.hints,
            "legal": [{"action": each.action, "why": each.why} for each in seated.legal(seat, language)],
        }
        if outcome is not None:
            answer["outcome"] = {"ending": outcome.ending, "winners": list(outcome.winners)}
        if game.seats == 1:
            answer["regret"] = _regret(seated)
        return answer


def _described(variant: Variant) -> Answer:
    """Describe a game, with the bots that play it with every number of seats from two on."""
    counts = [seats for seats in variant.seats if seats > 1]
    players = [find(name) for name in built_in_names()]
    bots = [each for each in players if each is not OPTIMAL and all(each.plays(variant, seats) for seats in counts)]
    return {
        "variant": variant.id,
        "name": variant.name,
        "seats": list(variant.seats),
        "bots": {each.name: each.habit for each in bots},
        **({"sheets": list(variant.deck.sheets)} if variant.deck else {}),
    }


def _variant(name: str) -> Variant:
    """Return a built-in game; a name never opens a file. Raises `QwixxError`."""
    if name not in names():
        near = get_close_matches(name, names(), 1)
        meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names())}."
        raise QwixxError(f"There is no game {name!r}; {meant}")
    return load(name)


def _language(name: str) -> str:
    if name not in LANGUAGES:
        raise QwixxError(f"The languages are {', '.join(LANGUAGES)}, not {name!r}.")
    return name


def _measured(seated: SeatedGame) -> list[Answer]:
    return [
        {
            "turn": each.turn,
            "phase": each.phase,
            "action": each.action,
            "best": each.best,
            "regret": round(each.regret, _DIGITS),
        }
        for each in seated.measured
    ]


def _regret(seated: SeatedGame) -> Answer:
    """Return the exact regret of a solitaire so far, or how to have it measured."""
    if not seated.is_measured:
        command = f"qwixx solve {seated.game.variant.id}"
        return {"exact": False, "why": f"This sheet is not solved here. Run `{command}`, then start a new game."}
    total = sum(each.regret for each in seated.measured)
    return {"exact": True, "decisions": len(seated.measured), "total": round(total, _DIGITS)}


def _reviewed(seated: SeatedGame, review: Analysis) -> Answer:
    return {
        "measure": review.measure,
        "by": review.by,
        "source": review.source,
        "error": review.error,
        "scores": list(review.scores or ()),
        "seats": [
            {
                "seat": each.seat,
                "accuracy": each.accuracy,
                "luck": round(each.luck, _DIGITS),
                "lost": round(-each.own, _DIGITS),
            }
            for each in review.accounts
        ],
        "decisions": [
            {
                "turn": each.turn,
                "seat": each.seat,
                "phase": each.phase,
                "action": each.chosen_action.text,
                "best": each.best_action.text,
                "loss": round(each.loss, _DIGITS),
                "grade": each.grade,
            }
            for each in review.decisions
            if each.seat in seated.own and each.had_choice
        ],
        "record": seated.game.record(),
    }
