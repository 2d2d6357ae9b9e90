"""Plays the scenarios of tests/golden/scenarios: the rules, example by example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

import qwixx
from support.games import scenario_files
from support.games.game_sources import playable, sheet_file
from support.games.scenario_files import RULES, Scenario, ScenarioError, Step

ALL = scenario_files.read_all()
SCENARIOS = [scenario for scenario in ALL if scenario.game in playable()]
"""Scenarios of games that the package can play; the oracle plays the others too (test_oracle_scenarios)."""

ERRORS: dict[str, type[qwixx.QwixxError]] = {"NOTURN": qwixx.NotYourTurn, "ANY": qwixx.QwixxError}
"""Words instead of a rule id: the seat may not act now; any rule."""


class Runner:
    """One game and the results of the last command."""

    def __init__(self, opening: Step) -> None:
        self.game = self._open(opening)
        self.before = self.game.position()
        self.events: list[str] = []

    @staticmethod
    def _open(step: Step) -> qwixx.Game:
        if step.word == "start":
            return qwixx.Game.from_position(step.rest, variant=sheet_file(step.rest.split()[0]))
        variant, *words = step.rest.split()
        facts = dict(word.split("=", 1) for word in words)
        return qwixx.Game(
            sheet_file(variant) or variant,
            seats=int(facts["seats"]),
            first=int(facts["first"]),
            sheet=facts.get("sheet"),
            lucky=facts["lucky"].split(",") if "lucky" in facts else None,
        )

    def follow(self, step: Step) -> None:
        """Run the command of a line, or check its claim."""
        method = getattr(self, f"do_{step.word}", None)
        if method is not None:
            self.before = self.game.position()
            method(step)
            return
        asked, expected = self._claim(step)
        assert asked == expected, f"{step}\n  found    {asked}\n  expected {expected}\n  in {self.game.position()}"

    def _heard(self, events: Sequence[object]) -> None:
        self.events = [str(event) for event in events]

    def do_roll(self, step: Step) -> None:
        """Apply scripted chance: a roll, a deal or a shuffle."""
        self._heard(self.game.set_roll(step.rest))

    do_deal = do_roll
    do_shuffle = do_roll

    def do_decide(self, step: Step) -> None:
        """Let a seat decide."""
        self._heard(self.game.decide(step.seat, step.text))

    def do_refused(self, step: Step) -> None:
        """Try an illegal action: it is refused with that rule and nothing changes."""
        action, rule = step.text.split()
        if rule in ERRORS:
            with pytest.raises(ERRORS[rule]):
                self.game.decide(step.seat, action)
        else:
            with pytest.raises(qwixx.IllegalAction) as refusal:
                self.game.decide(step.seat, action)
            assert refusal.value.rule == rule, f"{step}\n  refused by {refusal.value.rule}: {refusal.value}"
        assert self.game.position() == self.before, f"{step}\n  changed the position"

    def do_unreadable(self, step: Step) -> None:
        """Give a text that is not an action."""
        with pytest.raises(qwixx.NotationError):
            self.game.decide(step.seat, step.text)
        assert self.game.position() == self.before, f"{step}\n  changed the position"

    def do_whynot(self, step: Step) -> None:
        """Ask why something is refused, without trying it."""
        action, rule = step.text.split()
        refusal = self.game.why_not(step.seat, action)
        assert refusal is not None, f"{step}\n  it is not refused"
        assert refusal.rule == rule, f"{step}\n  refused by {refusal.rule}: {refusal.sentence}"
        assert refusal.sentence
        assert self.game.position() == self.before

    def _claim(self, step: Step) -> tuple[object, object]:
        game, rest = self.game, step.rest
        outcome = game.outcome()
        table, *sheets = game.position().split(" | ")
        match step.word:
            case "unchanged":
                return game.position(), self.before
            case "legal":
                return sorted(str(action) for action in game.legal(step.seat)), sorted(step.text.split())
            case "deciders":
                return " ".join(map(str, game.deciders())) or "-", rest
            case "phase":
                return game.phase, rest
            case "active":
                return str(game.active), rest
            case "dice":
                return str(game.dice or "-"), rest
            case "closed":
                return " ".join(game.closed) or "-", rest
            case "over":
                return outcome and str(outcome.ending), rest
            case "winners":
                return outcome and " ".join(map(str, outcome.winners)), rest
            case "scores":
                return " ".join(map(str, game.scores())), rest
            case "sheet":
                return sheets[step.seat], step.text
            case "hand":
                return _fact(sheets[step.seat], "hand"), step.text
            case "backs":
                views = [game.view(seat) for seat in (None, *range(game.seats))]
                shown = {",".join(map(str, view.sheets[step.seat].backs)) for view in views}
                return " or ".join(sorted(shown)), step.text
            case "display":
                return _fact(table, "display"), rest
            case "top":
                return _fact(table, "pile").split(",")[0][1:], rest
            case _:
                return "; ".join(self.events), rest


def _fact(words: str, name: str) -> str:
    for word in words.split():
        key, _, value = word.partition("=")
        if key == name:
            return value
    return "-"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario.id))
def test_scenario(scenario: Scenario) -> None:
    """The game follows the rule book, line by line."""
    opening, *steps = scenario.steps
    runner = Runner(opening)
    for step in steps:
        runner.follow(step)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_scenario(rule: str) -> None:
    """Each id of the rule book has at least one scenario."""
    assert any(rule in scenario.rules for scenario in ALL)


def test_no_two_scenarios_share_a_name() -> None:
    """A name belongs to one scenario."""
    names = Counter(scenario.id for scenario in ALL)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("roll 11/1111", "a.txt:1: before the first scenario"),
        ("scenario five crosses", "a.txt:1: a header is"),
        ("scenario C99 nothing\n new classic seats=1 first=0", "a.txt:1: no such rule: C99"),
        ("scenario C1 x\n roll 11/1111", "a.txt:1: a scenario begins with"),
        ("scenario C1 x\n new classic seats=1 first=0\n\n throw 3", "a.txt:4: there is no command 'throw'"),
        ("scenario C1 x\n new classic seats=1 first=0\n roll 11", "a.txt:3: 'roll' cannot be followed by '11'"),
    ],
)
def test_an_error_in_a_scenario_is_reported_with_its_line(text: str, slip: str) -> None:
    """A scenario file with a mistake names the file and the line."""
    with pytest.raises(ScenarioError, match=slip):
        scenario_files.parse(text, "a.txt")
