"""Assumption 3.1(a), well-specification."""

from __future__ import annotations

import pytest

from tests.paper.facts import facts, found
from tests.search import small


@pytest.mark.parametrize(
    ("truth", "verdict"),
    [
        ({}, "declared"),
        ({"truth": {"worlds": {"x": "1/8"}, "responses": {"y": "1/8"}}}, "proved"),
        ({"truth": {"worlds": {"x": "1/8"}, "responses": {"y": "3/16"}}}, "refuted"),
        ({"truth": {"worlds": {"x": "1/16"}, "responses": {"y": "1/8"}}}, "refuted"),
        ({"truth": {"worlds": {"x": "2/16"}, "responses": {"y": "1/8"}}}, "proved"),
    ],
    ids=["not stated", "inside", "another response", "another world", "the same number"],
)
def test_assumption_3_1a(truth: dict[str, object], verdict: str) -> None:
    """Assumption 3.1(a), xi* in Xi: both sides must be points of the class; without a truth it cannot be known."""
    assert verdict == found(facts(small.drift(**truth)), "well-specified").verdict
