"""The oracle plays the scenarios of all dice games in which each player has a sheet."""

from __future__ import annotations

import pytest

from oracle import Oracle
from oracle.sheets import DICE_GAMES
from support.games.engine_pair import event_text, line_of
from support.games.oracle_reader import oracle_of
from support.games.scenario_files import Scenario, Step, read_all

SCENARIOS = [scenario for scenario in read_all() if scenario.game in DICE_GAMES]


class Runner:
    """One game and the events of the last command."""

    def __init__(self, opening: Step) -> None:
        self.oracle = oracle_of(opening.rest) if opening.word == "start" else self._new(opening)
        self.events: list[str] = []

    @staticmethod
    def _new(step: Step) -> Oracle:
        variant, *words = step.rest.split()
        facts = dict(word.split("=", 1) for word in words)
        lucky = [tuple(map(int, pair.split("/"))) for pair in facts["lucky"].split(",")] if "lucky" in facts else None
        pairs = [(pair[0], pair[1]) for pair in lucky] if lucky else None
        return Oracle(variant, int(facts["seats"]), int(facts["first"]), lucky=pairs)

    def follow(self, step: Step) -> None:
        """Run the command of a line, or check its claim."""
        oracle = self.oracle
        match step.word:
            case "roll":
                self.events = [event_text(event) for event in oracle.chance(step.rest)]
            case "decide":
                self.events = [event_text(event) for event in oracle.decide(step.seat, step.text)]
            case "refused" | "whynot" | "unreadable":
                refused = step.text if step.word == "unreadable" else step.text.split()[0]
                assert refused not in oracle.legal(step.seat), f"{step}\n  it is legal"
            case "unchanged":
                pass
            case _:
                asked, expected = self._claim(step)
                assert asked == expected, f"{step}\n  found    {asked}\n  expected {expected}\n  in {line_of(oracle)}"

    def _claim(self, step: Step) -> tuple[object, object]:
        oracle, rest = self.oracle, step.rest
        facts, (_, *sheets) = oracle.snapshot(), line_of(oracle).split(" | ")
        match step.word:
            case "legal":
                return sorted(oracle.legal(step.seat)), sorted(step.text.split())
            case "deciders":
                return " ".join(map(str, sorted(oracle.deciders()))) or "-", rest
            case "phase":
                return oracle.phase, rest
            case "active":
                return str(oracle.active), rest
            case "dice":
                return facts["roll"] or "-", rest
            case "closed":
                return " ".join(facts["closed"]) or "-", rest
            case "over":
                return oracle.ending, rest
            case "winners":
                return " ".join(map(str, oracle.winners())), rest
            case "scores":
                return " ".join(map(str, oracle.scores())), rest
            case "sheet":
                return sheets[step.seat], step.text
            case "events":
                return "; ".join(self.events), rest
            case _:
                raise AssertionError(f"{step}: the oracle cannot answer this")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario.id))
def test_the_oracle_follows_the_scenario(scenario: Scenario) -> None:
    """The oracle follows the rule book too, line by line."""
    opening, *steps = scenario.steps
    runner = Runner(opening)
    for step in steps:
        runner.follow(step)
