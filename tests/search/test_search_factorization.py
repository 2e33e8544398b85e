"""Theorem 2.5 by the search: through the kernel, against brute.py, and what z3 says of shapes it should refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.search import cross_check
from pomgcheck.search.certify import certify
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.finding import Finding
from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents, model_of

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
    verdicts = cross_check.second_opinion(Tables(Game(small.drift()), "window"))
    assert {"proved"} == set(verdicts.values())
    assert 4 <= len(verdicts)


@settings(max_examples=10)
@given(documents(full=True))
def test_a_cross_check_adds_opinions_and_nothing_else(document: Any) -> None:
    """sympy compares both sides of J = G W entry by entry, z3 proves the structure, and the digest is the same."""
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    space: Any = "history" if full else "window"
    only = ["factorization", "nonexpansive"]
    plain, asked = (certify(model_of(document), only=only, space=space, cross_check=check) for check in (False, True))
    assert plain.sha256 == asked.sha256
    assert [{}, {}] == [plain.entries[name]["search"]["solvers"] for name in only]
    said = [asked.entries[name]["search"] for name in only]
    assert [{"sympy"}, {"z3"}] == [set(search["solvers"]) for search in said]
    assert "entries of J and G W equal" in said[0]["sympy"]
    assert {"proved"} == {answer for key, answer in said[1].items() if key.startswith("z3")}


def test_an_opinion_that_differs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """sympy's and z3's: neither is passed over."""
    game = Game(small.drift())
    with monkeypatch.context() as patch:
        patch.setattr(cross_check, "composed_column", lambda *place: {})
        with pytest.raises(AssertionError, match="J differs from G W"):
            certify(model_of(small.drift()), only=["factorization"], cross_check=True)
    monkeypatch.setattr(cross_check, "output_claims", lambda inputs, actions: {"J = G W": "counterexample"})
    with pytest.raises(AssertionError, match="z3 has a counterexample to z3: J = G W"):
        cross_check.cross_checked(game, "window", {name: (Finding("proved", ""), 0.0) for name in CLAIMS})


@pytest.mark.parametrize(
    ("claim", "negation"), [("holds", lambda x: x > 1), ("fails", lambda x: x > 0)], ids=["holds", "fails"]
)
def test_z3_can_say_no(claim: str, negation: Any) -> None:
    """The second opinion is not always yes: a number in [0,1] may exceed 0 but not 1."""
    import z3

    x = z3.Real("x")
    assert {"holds": "proved", "fails": "counterexample"}[claim] == cross_check.decide(
        [z3.And(x >= 0, x <= 1)], negation(x)
    )
