"""Assumption 3.1(d), well-defined predictive states."""

from __future__ import annotations

from tests.paper.facts import facts, found
from tests.search import small


def test_assumption_3_1d_follows_from_positivity() -> None:
    """Assumption 3.1(d): where every trajectory is possible, so is every prefix."""
    assert "proved" == found(facts(small.drift()), "predictive-states").verdict


def test_assumption_3_1d_an_impossible_prefix() -> None:
    """Assumption 3.1(d): a noise that world x = 0 never makes has no predictive state there, whatever follows."""
    document = small.gauge([["(-x+2)/2", "x/2"]], [[["1"]]], horizon=2)
    assert "refuted" == found(facts(document), "predictive-states").verdict


def test_assumption_3_1d_impossible_everywhere_is_no_failure() -> None:
    """Assumption 3.1(d) asks only of prefixes possible under the true model: one impossible under all is left out."""
    document = small.gauge([["1", "0"], ["1", "0"]], [[["(-x+3)/4", "(x+1)/4"]]] * 2)
    assert "proved" == found(facts(document), "predictive-states").verdict
