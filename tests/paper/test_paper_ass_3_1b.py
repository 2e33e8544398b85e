"""Assumption 3.1(b), finite covering."""

from __future__ import annotations

from tests.paper.facts import facts, found
from tests.search import small


def test_assumption_3_1b_counts_models() -> None:
    """Assumption 3.1(b): a finite class is its own net, for every epsilon: 2 worlds and 2 responses are log 4."""
    assert {"log_covering_upper": {"log_of": "4"}} == found(facts(small.drift()), "covering").values


def test_assumption_3_1b_counts_operators_not_parameters() -> None:
    """Assumption 3.1(b) covers in operator norm: parameter points with equal kernels are one model."""
    document = small.drift()
    document["worlds"]["parameters"]["w"] = {"values": ["0", "1", "2"]}
    assert {"log_of": "4"} == found(facts(document), "covering").values["log_covering_upper"]
