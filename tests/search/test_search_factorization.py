"""Theorem 2.5 by the search: through the kernel, against brute.py, and what z3 says of shapes it should refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.search import structure
from pomgcheck.search.exact.tables import Tables
from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents

CLAIMS = ("factorization", "oom-identity", "nonexpansive")


@settings(max_examples=25)
@given(documents(full=True), st.sampled_from(["window", "history"]))
def test_any_class(document: Any, space: str) -> None:
    """J = G W, the OOM identity and nonexpansiveness hold for every class given by kernels (truth.py plays them)."""
    if "full" in (document["policies"]["window"], document["responses"]["window"]):
        space = "history"
    assert ["proved"] * 3 == [entry["verdict"] for entry in found(document, *CLAIMS, space=space)]


def test_z3_agrees_on_every_shape_of_the_class() -> None:
    """Nonnegativity, column sums, nonexpansiveness and J = G W are each proved with free entries."""
    verdicts = structure.second_opinion(Tables(Game(small.drift()), "window"))
    assert {"proved"} == set(verdicts.values())
    assert 4 <= len(verdicts)


@pytest.mark.parametrize(
    ("claim", "negation"), [("holds", lambda x: x > 1), ("fails", lambda x: x > 0)], ids=["holds", "fails"]
)
def test_z3_can_say_no(claim: str, negation: Any) -> None:
    """The second opinion is not always yes: a number in [0,1] may exceed 0 but not 1."""
    import z3

    x = z3.Real("x")
    assert {"holds": "proved", "fails": "counterexample"}[claim] == structure.decide(
        [z3.And(x >= 0, x <= 1)], negation(x)
    )
