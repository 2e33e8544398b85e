"""Forgeries about Theorem N on interval axes: nets, chi square, moments, ranges and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, added, evidence, refuses, value

R = "regret"
JOINT, OWN = "interval-net", "interval-net-own"
X = "list", "axes", "theta.mu0"


def listed(*path: Any, to: Any) -> Any:
    """Another entry of the list."""
    return evidence(R, "list", *path, to=to)


def without(count: int) -> Any:
    """The cells of an axis but ``count`` in the middle, one wide one in their place."""

    def edit(axis: Any) -> Any:
        ends, points = axis["ends"], axis["points"]
        return {"ends": ends[:1] + ends[count + 1 :], "points": points[:1] + points[count + 1 :]}

    return edit


FORGERIES = [
    Forgery(
        "a net with wider cells",
        JOINT,
        (evidence(R, *X, to=without(3)),),
        "regret net: found a row that moves by more than rho in a cell",
    ),
    Forgery(
        "rho is smaller than a cell needs",
        JOINT,
        (listed("rho", "learner_emission", to="148/100000"),),
        "regret net: found a row that moves by more than rho in a cell",
    ),
    Forgery(
        "a negative rho beside a large one",
        JOINT,
        (listed("rho", "transition", to="-1/1000"),),
        "regret net: found a row that moves by more than rho in a cell, or rho < 0",
    ),
    Forgery(
        "chi of one step where two tables move",
        JOINT,
        (value(R, chi_upper="1/1000"),),
        "regret net: found chi_upper = 1/1000, required at least",
    ),
    Forgery(
        "a point beside its cell",
        JOINT,
        (evidence(R, *X, "points", 0, to="7/8"),),
        "regret read regret.list.axes.theta.mu0: found other cells",
    ),
    Forgery(
        "cells that leave the end of the axis out",
        JOINT,
        (evidence(R, *X, "ends", 0, to="13/100"),),
        "regret read regret.list.axes.theta.mu0: found other cells",
    ),
    Forgery(
        "an axis is not cut", JOINT, (drop("claims", R, "evidence", *X),), "regret read regret.list.axes: found no key"
    ),
    Forgery(
        "a mean of squares that is larger somewhere",
        JOINT,
        (listed("moments", "a1", "M", to="6/25"),),
        "regret box: found no proof of",
    ),
    Forgery(
        "squares from another centre", JOINT, (listed("moments", "a0", "c", to="1/4"),), "regret box: found no proof of"
    ),
    Forgery(
        "optimistic values that some model exceeds",
        JOINT,
        (listed("range", "high", to="4/5"),),
        "regret box: found no proof of",
    ),
    Forgery(
        "a value that the sure policy does not earn everywhere",
        JOINT,
        (listed("range", "low", to="1/4"),),
        "regret box: found no proof of",
    ),
    Forgery(
        "a coarser list without its cost",
        JOINT,
        (listed("quantum", to="1/2"),),
        "regret net: found nested_regret_upper = ",
    ),
    Forgery("a quantum below zero", JOINT, (listed("quantum", to="-1/100"),), "regret net: found quantum -1/100"),
    Forgery("fewer points", JOINT, (value(R, N="483"),), "regret net: found N and span"),
    Forgery("a smaller range of rewards", JOINT, (value(R, span="1/2"),), "regret net: found N and span"),
    Forgery("less is lost", JOINT, (value(R, nested_regret_upper="80"),), "regret net: found nested_regret_upper = 80"),
    Forgery("it says something earlier", JOINT, (value(R, worth_T="116"),), "regret net: found worth_T = 116"),
    Forgery("it says something later", JOINT, (value(R, worth_T="118"),), "regret net: found worth_T = 118"),
    Forgery("more can be lost in an episode", JOINT, (value(R, D_lower="4/5"),), "regret net: found D_lower = 4/5"),
    Forgery(
        "it is lost by the best policy",
        JOINT,
        (evidence(R, "attained", "D", "pi", to="a0"),),
        "regret net: found D_lower = 49/64",
    ),
    Forgery(
        "it is lost outside the class",
        JOINT,
        (evidence(R, "attained", "D", "xi", "theta", "mu0", to="1"),),
        "regret read worlds: found",
    ),
    Forgery(
        "one arm is called best everywhere",
        JOINT,
        (
            evidence(R, "deployed", to=["a0"]),
            evidence(R, "dominated", to={"a1": "a0"}),
            evidence(R, "list", to=None),
            value(R, N="1", chi_upper="0"),
        ),
        "regret box: found no proof of",
    ),
    Forgery(
        "nets differ though nothing is learned",
        "interval-answers",
        (value(R, chi_upper="1"),),
        "regret net: found chi_upper = 1, required 0, where nothing is learned",
    ),
    Forgery(
        "a net of cells that constraints cut",
        "interval-tied",
        (
            claim(
                R,
                verdict="proved",
                values=dict.fromkeys(("N", "span", "D_lower", "chi_upper", "nested_regret_upper", "worth_T"), "1"),
                evidence={"rule": "net", "deployed": ["p"], "dominated": {}, "attained": {}, "trees": {}, "list": None},
            ),
        ),
        "regret net: found constraints between intervals",
    ),
    Forgery(
        "an arm is left out as below itself",
        JOINT,
        (evidence(R, "deployed", to=["a0"]), evidence(R, "dominated", to={"a1": "a1"}), evidence(R, "list", to=None)),
        "regret net: found a1 below a1",
    ),
    Forgery(
        "no arm is deployed",
        JOINT,
        (evidence(R, "deployed", to=[]), evidence(R, "dominated", to={"a0": "a1", "a1": "a0"})),
        "regret net: found deployed []",
    ),
    Forgery(
        "an arm is deployed twice",
        JOINT,
        (evidence(R, "deployed", to=["a0", "a0", "a1"]),),
        "regret net: found deployed",
    ),
    Forgery(
        "policies are listed in another order",
        JOINT,
        (evidence(R, "deployed", to=["a1", "a0"]),),
        "regret net: found deployed",
    ),
    Forgery(
        "several arms and no list",
        JOINT,
        (evidence(R, "list", to=None), value(R, N="1", chi_upper="0")),
        "regret net: found 2 deployed policies",
    ),
    Forgery("one test for laws of each arm", OWN, (listed("test", to="joint"),), "regret net: found N and span"),
    Forgery("tests of another kind", OWN, (listed("test", to="none"),), "regret net: found the test 'none'"),
    Forgery(
        "own tests where models are counted together",
        JOINT,
        (listed("test", to="own"),),
        "regret net: found N and span",
    ),
    Forgery(
        "a moment of no arm",
        JOINT,
        (added("claims", R, "evidence", "list", "moments", by={"a2": {"c": "0", "M": "1"}}),),
        "regret read regret.list.moments: found the unknown key 'a2'",
    ),
    Forgery(
        "the truth need not be in the class",
        JOINT,
        (claim("well-specified", verdict="unknown", evidence=None, values={}),),
        "regret net: found",
    ),
    Forgery(
        "vacuous, though policies differ",
        JOINT,
        (claim(R, verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "regret eval: found vacuous",
    ),
    Forgery("by the rule of a finite class", JOINT, (evidence(R, "rule", to="list"),), "regret list: found this rule"),
    Forgery(
        "a policy of which no trajectory is known",
        JOINT,
        (put("claims", R, "evidence", "list", "range", "pi", to="a2"),),
        "regret read regret.pi: found 'a2'",
    ),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_a_forged_net_is_refused(forgery: Forgery) -> None:
    """With its reason: the claim, the rule, and what was found."""
    refuses(forgery)
