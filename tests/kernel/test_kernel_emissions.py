"""Assumption 2.4 in the literal form on an interval where what the learner sees now depends on the parameter."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from pomgcheck.kernel import check
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.pairs import STEP
from pomgcheck.kernel.polynomials import polynomial, variable
from pomgcheck.kernel.problems import problems
from pomgcheck.kernel.simplex import Proof, Rules
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.kernel.editing import canonical, edited, get
from tests.kernel.forged import base, value

W = "weak-revealing"


@cache
def certificate() -> Any:
    """``interval`` with the first emission in state s0 in place of its transitions at x; s1 may be where play begins."""
    document = json.loads(base("interval"))["model"]
    worlds = document["worlds"]
    worlds["initial"] = ["1/2", "1/2"]
    worlds["parameters"]["x"] = {"interval": ["1/4", "1/2"]}
    worlds["learner_emission"] = [["x", "1-x"], ["1/4", "3/4"]]
    worlds["transition"] = [[[["x", "1-x"]]], [[["1-x", "x"]]]]
    return certify(load(document)).document


def test_a_class_whose_emissions_differ_is_proved() -> None:
    """The search's trees for charts where Z, the chance of the observation now, is another at x' than at x."""
    assert "proved" == get(certificate(), "claims", W, "verdict")
    assert check.verify_bytes(canonical(certificate())).accepted


@pytest.mark.parametrize("factor", ["101/100", "11/10", "2"])
def test_no_larger_alpha_passes_with_its_trees(factor: str) -> None:
    """alpha_lower above what is attained is refused, and so is all of the bracket moved up."""
    moved = edited(certificate(), value(W, alpha_lower=lambda x: str(Fraction(x) * Fraction(factor))))
    both = edited(moved, value(W, alpha_upper=lambda x: str(Fraction(x) * Fraction(factor))))
    for each in (moved, both):
        verdict = check.verify_bytes(canonical(each))
        assert (False, W) == (verdict.accepted, verdict.claim), verdict.line


@pytest.mark.parametrize("factor", ["1", "2", "-3"])
@pytest.mark.parametrize("name", ["drift", ""], ids=["two points", "two points of one cell"])
def test_the_chance_at_the_other_model_is_the_same_over_any_factor(name: str, factor: str) -> None:
    """Z' = Z + t f (dZ/f): whatever number both sides are divided by, beside t on the chart of an axis."""
    document = json.loads(base(name)) if name else certificate()
    case = Case(Facts(Game(document["model"]), document["options"]), W, {})
    for problem in problems(case.facts):
        proof = Proof(Rules(case, Fraction(1), [], []), problem)
        plain, _ = Proof(Rules(case, Fraction(1), [], []), problem).opened(["test", 0])
        over, below = proof.opened(["over", [[factor]], ["test", 0]])
        t = problem.placed(variable(STEP)) if problem.chart.step else polynomial(1)
        assert ["test", 0] == below
        for (Z, dZ, *_), (Z_, divided, *_) in zip(plain, over, strict=True):
            assert polynomial(Z) + t * dZ == polynomial(Z_) + polynomial(proof.step) * divided
