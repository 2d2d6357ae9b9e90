"""Every rule of the rule book has a sentence and a test, and the coverage page is up to date."""

from __future__ import annotations

import pytest

from support.tools.rule_coverage import PAGE, cited, coverage_page, proofs_by_rule, rule_sentences, scenarios_by_rule

IDS = [
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14",
    "G1", "G2", "G3", "G4", "G5",
    "BA1", "BA2", "BA3", "BA4", "BA5",
    "BB1", "BB2", "BB3", "BB3a", "BB4", "BB5", "BB6", "BB7",
    "L1", "L2", "L3", "L4", "L5",
    "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K11",
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9",
    "BP1", "BP2", "BP3", "BP4", "BP5", "BP6",
    "CA1", "CA2",
    "CB1", "CB2", "CB3",
    "DA1", "DA2", "DA3", "DA4",
    "DB1", "DB2", "DB3",
    "XC1", "XC2", "XC3",
    "F1", "F2", "F3", "F4", "F5",
    "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
    "FR1", "FR2", "FR3", "FR4", "FR5", "FR6", "FR7", "FR8", "FR9", "FR10", "FR11", "FR12",
    "FR13", "FR14", "FR15", "FR16", "FR17", "FR18", "FR19", "FR20", "FR21", "FR22", "FR23", "FR24",
    "FR25", "FR26", "FR27", "FR28", "FR29", "FR30", "FR31", "FR32", "FR33", "FR34", "FR35", "FR36",
    "FR37", "FR38", "FR39", "FR40", "FR41", "FR42", "FR43", "FR44", "FR45", "FR46", "FR47", "FR48",
    "M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "M11", "M12", "M13",
]  # fmt: skip
"""The ids of the rule book, in its order."""


def test_the_rule_book_has_exactly_these_rules() -> None:
    """rules.toml has exactly the ids of the rule book, and each has a sentence."""
    sentences = rule_sentences()
    assert list(sentences) == IDS
    assert [rule for rule, sentence in sentences.items() if len(sentence.split()) < 5 or sentence[-1] != "."] == []


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_has_a_test(rule: str) -> None:
    """A rule has a scenario, or a test that cites it."""
    assert scenarios_by_rule()[rule] or proofs_by_rule()[rule]


def test_scenarios_show_rules_that_exist() -> None:
    """Every scenario cites a rule of the rule book."""
    assert set(scenarios_by_rule()) <= set(rule_sentences())


@pytest.mark.slow
def test_the_page_is_up_to_date() -> None:
    """docs/rules/coverage.md is what `python tests/support/tools/make_golden.py` writes."""
    assert PAGE.read_text("utf-8") == coverage_page()


def test_citing() -> None:
    """An id counts at the start of a name, before a colon and in brackets, not where a cell is meant."""
    assert cited("test_c7_c8_five_crosses", "") == {"C7", "C8"}
    assert cited("test_rolls", "K1, R7: a deck that cannot be dealt from.") == {"K1", "R7"}
    assert cited("test_rolls", "Somebody closes a row (C9, BB5), then D2 is free.") == {"C9", "BB5"}
    assert cited("test_d3_and_more_r7", "") == {"D3"}
    assert cited("test_rolls", "No effect can be declined (BB3a, BB4).") == {"BB3a", "BB4"}
    assert cited("test_rolls", "Row C has a cell C11 and no rule C99 (C99).") == set()
