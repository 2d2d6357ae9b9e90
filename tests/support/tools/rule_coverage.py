"""Which test proves which rule: collected from scenarios and from tests that cite an id."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict

from support.games.scenario_files import RULES, read_all
from support.paths import TESTS

PAGE = TESTS.parent / "docs" / "rules" / "coverage.md"
RULEBOOK = TESTS.parent / "src" / "qwixx" / "rulebook" / "rules.toml"

_ID = r"(?:BA|BB|BP|CA|CB|DA|DB|XC|FR|[CGLKDFRM])\d{1,2}a?"
_AT_START = re.compile(rf"{_ID}(?:(?:, | and | to ){_ID})*(?=: )")
_IN_BRACKETS = re.compile(rf"\(({_ID}(?:, {_ID})*)\)")
_IN_NAME = re.compile(r"(?:(?:ba|bb|bp|ca|cb|da|db|xc|fr|[cglkdfrm])\d{1,2}_)+")

_HEAD = """# Which test proves which rule

`make golden` writes this page. A test fails if it is out of date, or if a rule has no test.

- The ids are those of the rule book: C the common dice game, G gemixxt, BA and BB Bonus A and B, L Longo, K the card
  games, D the duel, R rulings where the printed rules are silent, M common mistakes. BP Big Points, CA and CB Connected
  A and B, DA and DB Double A and B, XC X-Change, F Qwixx 15, FR rulings for these eight games.
- Each game of the eight that is not in the package yet is played by the oracle only.
- Scenarios are in `tests/golden/scenarios`; `pytest -k C9` runs those of a rule.
- A `w` marks tests of the oracle, the simple second engine with which random games are compared.

| id | rule | scenarios | other tests |
|---|---|---|---|
"""


def rule_sentences() -> dict[str, str]:
    """Return the sentence of every rule."""
    return {key: str(rule["sentence"]) for key, rule in tomllib.loads(RULEBOOK.read_text("utf-8")).items()}


def cited(name: str, docstring: str) -> set[str]:
    """Find the ids that a test cites: at the start of its name, before a colon, or in brackets."""
    found: set[str] = set()
    if in_name := _IN_NAME.match(name.removeprefix("test_")):
        found |= set(in_name[0].upper().strip("_").split("_"))
    if at_start := _AT_START.match(docstring):
        found |= set(re.findall(_ID, at_start[0]))
    for brackets in _IN_BRACKETS.findall(docstring):
        found |= set(re.findall(_ID, brackets))
    return found & set(RULES)


def proofs_by_rule() -> dict[str, list[str]]:
    """List the test functions that cite each rule."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in cited(node.name, ast.get_docstring(node) or ""):
                    mark = " w" if path.name == "test_oracle.py" else ""
                    found[rule].append(f"`{node.name}`{mark}")
    return found


def scenarios_by_rule() -> dict[str, list[str]]:
    """List the scenarios that show each rule, by their titles."""
    found: dict[str, list[str]] = defaultdict(list)
    for scenario in read_all():
        for rule in scenario.rules:
            found[rule].append(scenario.title)
    return found


def coverage_page() -> str:
    """Write the page."""
    sentences, shown, tests = rule_sentences(), scenarios_by_rule(), proofs_by_rule()
    rows = [
        f"| {rule} | {sentence} | {'<br>'.join(shown[rule])} | {'<br>'.join(tests[rule])} |"
        for rule, sentence in sentences.items()
    ]
    return _HEAD + "\n".join(rows) + "\n"
