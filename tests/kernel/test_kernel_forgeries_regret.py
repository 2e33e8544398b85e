"""Forgeries of Theorem N: lists, nets and costs that are not those of the class."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim
from tests.kernel.forged import Forgery, distinct, evidence, exchanged, refuses, value

R = "regret"
NONE: dict[str, Any] = {"values": {}, "evidence": None}


FORGERIES = distinct(
    # finite classes
    Forgery(
        "c above -log of the affinity by 2^-60",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "c", to="10857821999999999999/100000000000000000000"),),
        "regret list: found c = 10857821999999999999/100000000000000000000 for models (0, 0) and (1",
    ),
    Forgery(
        "the models of a truth are told apart at once",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "c", to=None),),
        "regret read regret.c: found None",
    ),
    Forgery(
        "c is negative",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "c", to="-1/10"),),
        "regret list: found c = -1/10 for models (0, 0) and (1, 0)",
    ),
    Forgery(
        "c is a number of JSON",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "c", to=1),),
        "regret read regret.c: found 1",
    ),
    Forgery(
        "c of one policy for the other",
        "list",
        (
            exchanged(
                ("claims", R, "evidence", "truths", 0, "policies", 0, "c"),
                ("claims", R, "evidence", "truths", 0, "policies", 1, "c"),
            ),
        ),
        "regret list: found c = 88874797/500000000 for models (0, 0) and (1, 0)",
    ),
    Forgery(
        "a policy costs less",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "regret", to="1/32"),),
        "regret list: found regret 1/32, nearest {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '3/4', ",
    ),
    Forgery(
        "the nearest model is the farther one",
        "list",
        (evidence(R, "truths", 0, "policies", 0, "xi", "theta", "mu2", to="7/8"),),
        "regret list: found regret 9/32, nearest {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '3/4', ",
    ),
    Forgery(
        "no model before the truth harms",
        "list",
        (evidence(R, "truths", 0, "harmful", to=0), evidence(R, "truths", 0, "policies", to=[])),
        "regret list: found model, runs, harmful models and their policies [(0, 0), 3, 0, []]",
    ),
    Forgery(
        "one run of a policy is enough",
        "list",
        (evidence(R, "truths", 0, "runs", to=1),),
        "regret list: found model, runs, harmful models and their policies [(0, 0), 1, 2, [1, 2]]",
    ),
    Forgery(
        "truths in another order",
        "list",
        (exchanged(("claims", R, "evidence", "truths", 0), ("claims", R, "evidence", "truths", 2)),),
        "regret list: found model, runs, harmful models and their policies [(2, 0), 1, 0, []]",
    ),
    Forgery(
        "a truth twice, another never",
        "list",
        (evidence(R, "truths", 1, "xi", "theta", "mu2", to="7/8"),),
        "regret list: found model, runs, harmful models and their policies [(2, 0), 2, 1, [2]]",
    ),
    Forgery(
        "the bound is one smaller",
        "list",
        (value(R, gap_upper="811/32", nested_regret_upper="811/32"),),
        "regret list: found gap_upper = 811/32 at {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '1/4',",
    ),
    Forgery(
        "the bound at T is smaller than at any T",
        "list",
        (value(R, nested_regret_upper="1"),),
        "regret list: found nested_regret_upper = 1 at {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '",
    ),
    Forgery("D is smaller", "list", (value(R, D="1/16"),), "regret eval: found D = 1/16"),
    Forgery("it is worth it one episode sooner", "list", (value(R, worth_T="32"),), "regret list: found worth_T = 32"),
    Forgery("it is worth it at once", "list", (value(R, worth_T="1"),), "regret list: found worth_T = 1"),
    Forgery("a span of zero", "list", (value(R, span="0"),), "regret eval: found span = 0"),
    Forgery("fewer models", "list", (value(R, N="2"),), "regret eval: found N = 2"),
    Forgery(
        "a policy that is always best",
        "list",
        (evidence(R, "always_best", to=["a0"]),),
        "regret list: found always best ['a0']",
    ),
    Forgery(
        "a policy twice always best",
        "drift",
        (evidence(R, "always_best", to=["watch", "watch"]),),
        "regret list: found always best ['watch', 'watch']",
    ),
    Forgery(
        "the bound is attained at an easier truth",
        "list",
        (
            evidence(R, "attained", "gap_upper", "theta", "mu2", to="7/8"),
            evidence(R, "attained", "gap_upper", "theta", "mu1", to="3/4"),
        ),
        "regret list: found gap_upper = 843/32 at {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '3/4',",
    ),
    Forgery(
        "nothing is ever lost",
        "list",
        (claim(R, verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "regret eval: found vacuous",
    ),
    Forgery(
        "a bound though the truth is outside",
        "refuted-truth",
        (
            claim(
                R,
                verdict="proved",
                values={
                    "N": "4",
                    "span": "1",
                    "D": "3/128",
                    "gap_upper": "1",
                    "nested_regret_upper": "1",
                    "worth_T": "43",
                },
                evidence={"rule": "list", "truths": [], "always_best": [], "attained": {}},
            ),
        ),
        "regret eval: found proved",
    ),
    Forgery(
        "fading memory needs no warm-up",
        "list-fading",
        (value(R, gap_upper="843/32", nested_regret_upper="843/32"),),
        "regret list: found gap_upper = 843/32 at {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '1/4',",
    ),
    Forgery(
        "Theorem N though 3.1(a) is open",
        "drift",
        (claim("well-specified", verdict="unknown", **NONE), claim("constants", verdict="unknown", **NONE)),
        "regret eval: found proved, required unknown",
    ),
    Forgery(
        "Theorem N is false where 3.1(a) is open",
        "drift",
        (
            claim("well-specified", verdict="unknown", **NONE),
            claim("constants", verdict="unknown", **NONE),
            claim(R, verdict="refuted", witness={}, **NONE),
        ),
        "regret witness: found a refutation",
    ),
    Forgery(
        "a policy costs less than it does",
        "two-ways",
        (evidence(R, "truths", 1, "policies", 0, "regret", to="1/1000"),),
        "regret list: found regret 1/1000",
    ),
    # interval axes
    Forgery(
        "nothing to compare, with more than that in evidence",
        "interval",
        (claim("regret", evidence={"rule": "eval", "trees": {}}),),
        "regret eval: found values, a witness or other evidence",
    ),
    Forgery(
        "that there is nothing to learn",
        "interval-net",
        (claim("regret", verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "regret eval: found vacuous",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
