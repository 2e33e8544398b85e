"""Forgeries of Assumption 2.4: false constants, trees that leave something out, and witnesses that are seen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, put
from tests.kernel.forged import Forgery, distinct, evidence, exchanged, refuses, value, witness

W = "weak-revealing"
TREE = "claims", W, "evidence", "trees"
NONE: dict[str, Any] = {"values": {}, "evidence": None}
SILENT = {
    "Phi": {"y": "1/8"},
    "a": "a0",
    "difference": "1/4",
    "h": 1,
    "learner_part": [],
    "o": "o0",
    "pi": "idle",
    "q": [["s0", [], "1"]],
    "signal": "0",
    "theta": {"x": "0"},
    "theta_prime": {"x": "1/8"},
}
STEEP = [["1", *["theta.x"] * 65]]  # of a degree beyond what a monomial may have
HALVES = ["split", "theta.x", "1/2", ["test", 0], ["test", 0]]


def raised(text: str) -> str:
    """A little more than a number written as text."""
    top, _, bottom = text.partition("/")
    return f"{int(top) * 10**6 + 1}/{int(bottom or 1) * 10**6}"


FORGERIES = distinct(
    # finite classes
    Forgery(
        "alpha is a millionth larger",
        "drift",
        (value(W, alpha_lower=raised, alpha_upper=raised),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {"y": "1/8"}, "a":',
    ),
    Forgery(
        "alpha_lower is a millionth larger than what q attains",
        "split-literal",
        (value(W, alpha_lower=raised),),
        "weak-revealing values: found the bracket [6000001/5000000, 6/5]",
    ),
    Forgery(
        "alpha is unbounded above its attained value",
        "drift",
        (value(W, alpha_lower="1/4", alpha_upper="1/2"),),
        "weak-revealing eval: found the ratio 1/3 at q",
    ),
    Forgery(
        "alpha is zero", "drift", (value(W, alpha_lower="0"),), "weak-revealing values: found the bracket [0, 1/3]"
    ),
    Forgery(
        "alpha is negative and so holds for ever",
        "drift",
        (value(W, alpha_lower="-1"),),
        "weak-revealing values: found the bracket [-1, 1/3]",
    ),
    Forgery(
        "the whole simplex needs no cut",
        "split-literal",
        ((put(*TREE, 0, "tree", to=["test", 0])), value(W, alpha_lower="6/5")),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "trees of two observations, each at the other",
        "split-literal",
        (exchanged((*TREE, 0, "tree"), (*TREE, 1, "tree")),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "a tree of one policy for another",
        "drift",
        (put(*TREE, 0, "pi", to="watch"),),
        'weak-revealing read weak-revealing.trees[2]: found a second tree for {"Phi": {"y": "1/8"},',
    ),
    Forgery(
        "a tree of one response for another",
        "drift",
        (put(*TREE, 2, "Phi", "y", to="1/4"),),
        'weak-revealing read weak-revealing.trees[4]: found a second tree for {"Phi": {"y": "1/4"},',
    ),
    Forgery(
        "the two worlds in the other order are another problem",
        "drift",
        (exchanged((*TREE, 0, "theta"), (*TREE, 0, "theta_prime")),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a world compared with itself is a problem",
        "drift",
        (put(*TREE, 0, "theta_prime", "x", to="0"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "the number 0/1 names another world",
        "drift",
        (put(*TREE, 0, "theta", "x", to="0/1"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a finite class has a chart",
        "drift",
        (put(*TREE, 0, "chart", to="theta.x"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a test function of 2 sees twice as much",
        "drift",
        (evidence(W, "tests", 0, to=["-2", "2"]), value(W, alpha_lower="2/3", alpha_upper="2/3")),
        "weak-revealing tests: found a test function that leaves [-1,1]",
    ),
    Forgery(
        "a constant test function sees a change",
        "drift",
        (evidence(W, "tests", 0, to=["1", "1"]),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {"y": "1/8"}, "a":',
    ),
    Forgery(
        "a test function that vanishes sees a change",
        "drift",
        (evidence(W, "tests", 0, to=["0", "0"]),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {"y": "1/8"}, "a":',
    ),
    Forgery(
        "a test function of the other sign",
        "drift",
        (evidence(W, "tests", 0, to=["1", "-1"]),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {"y": "1/8"}, "a":',
    ),
    Forgery(
        "a test function of three windows where there are two",
        "drift",
        (evidence(W, "tests", 0, to=["-1", "1", "1"]),),
        "weak-revealing read weak-revealing.tests: found 3 entries",
    ),
    Forgery(
        "windows of two observations in another order",
        "two-observations",
        (evidence(W, "tests", 0, to=["1", "1", "1", "-1"]),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "a cut leaves a vertex out: the left piece twice",
        "split-literal",
        (put(*TREE, 0, "tree", to=["cut", 0, 1, "1/4", ["test", 0], ["cut", 0, 0, "1/2", ["test", 0], ["test", 0]]]),),
        "weak-revealing read weak-revealing.trees[0]: found a cut of the edge (0, 0) at 1/2",
    ),
    Forgery(
        "a cut beyond the edge",
        "split-literal",
        (put(*TREE, 0, "tree", 3, to="-1/4"),),
        "weak-revealing read weak-revealing.trees[0]: found a cut of the edge (0, 1) at -1/4",
    ),
    Forgery(
        "a cut at a float",
        "split-literal",
        (put(*TREE, 0, "tree", 3, to="0.25"),),
        "weak-revealing read weak-revealing.trees[0]: found '0.25'",
    ),
    Forgery(
        "a cut of a vertex counted from the end",
        "split-literal",
        (put(*TREE, 0, "tree", 1, to=-1),),
        "weak-revealing read weak-revealing.trees[0]: found -1",
    ),
    Forgery(
        "a cut with the vertex true",
        "split-literal",
        (put(*TREE, 0, "tree", 2, to=True),),
        "weak-revealing read weak-revealing.trees[0]: found True",
    ),
    Forgery(
        "a split along an axis that a finite class has not",
        "drift",
        (put(*TREE, 0, "tree", to=["split", "theta.x", "1/16", ["test", 0], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found ['split', 'theta.x', '1/16', ['test', 0",
    ),
    Forgery(
        "both sides over t, which is one",
        "drift",
        (put(*TREE, 0, "tree", to=["over", [["1", "t"]], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found a factor that leaves a remainder",
    ),
    Forgery(
        "both sides over a factor given twice",
        "drift",
        (put(*TREE, 0, "tree", to=["over", [["2"]], ["over", [["1/2"]], ["test", 0]]]),),
        "weak-revealing read weak-revealing.trees[0]: found ['over', [['1/2']], ['test', 0]]",
    ),
    Forgery(
        "both sides over nothing",
        "drift",
        (put(*TREE, 0, "tree", to=["over", [], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found the factor 0",
    ),
    Forgery(
        "a factor of half the size",
        "factor",
        (evidence(W, "factors", 0, to=[["0", "-1"], ["-1", "0"]]), value(W, alpha_lower="4/3", alpha_upper="4/3")),
        'weak-revealing tests: found a matrix P with P dM unlike dW at {"Phi": {}, "a": "a0", "char',
    ),
    Forgery(
        "a factor of the other sign",
        "factor",
        (evidence(W, "factors", 0, to=[["0", "2"], ["2", "0"]]),),
        'weak-revealing tests: found a matrix P with P dM unlike dW at {"Phi": {}, "a": "a0", "char',
    ),
    Forgery(
        "a factor that is right in one world",
        "factor",
        (evidence(W, "factors", 0, to=[["-2", "0"], ["0", "-2"]]),),
        'weak-revealing tests: found a matrix P with P dM unlike dW at {"Phi": {}, "a": "a0", "char',
    ),
    Forgery(
        "a factor with alpha N beyond one",
        "factor",
        (value(W, alpha_lower="1", alpha_upper="1"),),
        'weak-revealing tests: found alpha N = 2 with too likely an observation at {"Phi": {}, "a":',
    ),
    Forgery(
        "a factor with a row too few",
        "factor",
        (evidence(W, "factors", 0, to=[["0", "-2"]]),),
        'weak-revealing tests: found a matrix that is not 2 x 2 at {"Phi": {}, "a": "a0", "chart": ',
    ),
    Forgery(
        "a factor where the observation tells the worlds apart",
        "split-literal",
        (evidence(W, "factors", to=[[["1", "0"], ["0", "1"]]]), put(*TREE, 0, "tree", to=["factor", 0])),
        'weak-revealing tests: found a factor where emissions differ at {"Phi": {}, "a": "a0", "cha',
    ),
    Forgery(
        "alpha is attained at a q of mass two",
        "drift",
        (evidence(W, "attained", "q", to=[["s0", [], "2"]]),),
        "weak-revealing eval: found a q that is not normalised",
    ),
    Forgery(
        "alpha is attained at a signed q",
        "drift",
        (evidence(W, "attained", "q", to=[["s0", [], "2"], ["s1", [], "-1"]]),),
        "weak-revealing eval: found a q that is not normalised",
    ),
    Forgery(
        "alpha is attained at one state named twice",
        "drift",
        (evidence(W, "attained", "q", to=[["s0", [], "1/2"], ["s0", [], "1/2"]]),),
        "weak-revealing eval: found a q that is not normalised",
    ),
    Forgery(
        "alpha is attained at an impossible step",
        "drift",
        (evidence(W, "attained", "h", to=2),),
        "weak-revealing read weak-revealing.h: found 2",
    ),
    Forgery(
        "alpha is attained where nothing changes",
        "drift",
        (evidence(W, "attained", "theta_prime", "x", to="0"),),
        "weak-revealing eval: found a q where ratio(q) is undefined",
    ),
    Forgery(
        "alpha is attained at a memory of a later step",
        "drift",
        (evidence(W, "attained", "learner_part", to=["o0"]),),
        "weak-revealing read weak-revealing.memory: found ['o0']",
    ),
    Forgery(
        "alpha is attained at a state the class does not reach",
        "drift-reachable",
        (evidence(W, "attained", "q", to=[["s0", [], "1"]]),),
        "weak-revealing eval: found a q that no model reaches",
    ),
    Forgery(
        "at reachable states alpha is larger",
        "drift-reachable",
        (value(W, alpha_lower=raised, alpha_upper=raised),),
        "weak-revealing eval: found alpha_lower = 1000001/2000000",
    ),
    Forgery(
        "the joint form has the alpha of the literal one",
        "split-literal",
        (put("options", "weak_revealing", "form", to="joint"), put("readings", 1, to="2.4:form=joint")),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "the literal form has the alpha of the joint one",
        "split-joint",
        (put("options", "weak_revealing", "form", to="literal"), put("readings", 1, to="2.4:form=literal")),
        'weak-revealing tests: found test function 1 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "one observation ahead shows what two show",
        "two-observations",
        (
            put("options", "kappa", to=1),
            put("readings", to=lambda r: [x for x in r if x != "2.4:policies=class"]),
            put("claims", W, "evidence", "tests", 0, to=["-1", "1"]),
        ),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "2.4 is refuted by a q with a signal",
        "drift",
        (claim(W, verdict="refuted", witness=SILENT, **NONE),),
        "weak-revealing witness: found signal 1/8, difference 3/8",
    ),
    Forgery(
        "2.4 holds where a change cannot be seen",
        "refuted-revealing",
        (
            claim(
                W,
                verdict="proved",
                values={"alpha_lower": "1/9", "alpha_upper": "1"},
                evidence={"rule": "tests", "tests": [["1", "-1"]], "factors": [], "trees": [], "attained": {}},
                witness=None,
            ),
        ),
        'weak-revealing tests: found no tree for {"Phi": {}, "a": "a0", "chart": null, "h": 1, "lea',
    ),
    Forgery(
        "a witness whose change is larger",
        "refuted-revealing",
        (witness(W, "difference", to="1/2"),),
        "weak-revealing witness: found signal 0, difference 1/4",
    ),
    Forgery(
        "a witness of the world before itself",
        "refuted-revealing",
        (witness(W, "theta_prime", "x", to="0"),),
        "weak-revealing eval: found a q where ratio(q) is undefined",
    ),
    Forgery(
        "a crossing whose signals have one sign",
        "refuted-crossing",
        (witness(W, "q_other", to=[["s0", [], "1"]]), witness(W, "signal_other", to="1/8")),
        "weak-revealing witness: found no change of sign",
    ),
    Forgery(
        "a crossing in the joint form",
        "refuted-crossing",
        (put("options", "weak_revealing", "form", to="joint"), put("readings", 1, to="2.4:form=joint")),
        "weak-revealing witness: found signals ['-7/32', '1/32'], 2 windows",
    ),
    Forgery(
        "a crossing whose other end has mass two",
        "refuted-crossing",
        (witness(W, "q_other", to=[["s1", [], "2"]]),),
        "weak-revealing eval: found a q that is not normalised",
    ),
    # interval axes
    Forgery(
        "alpha is what it is at a point",
        "interval",
        (value(W, alpha_lower="2/3", alpha_upper="1"),),
        "weak-revealing eval: found the ratio 2/3 at q",
    ),
    Forgery(
        "alpha_lower above the attained ratio",
        "interval",
        (value(W, alpha_lower="3/4", alpha_upper="3/4"),),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "one half of a chart is the chart",
        "interval",
        (put(*TREE, 0, "tree", to=["split", "theta.x", "0", ["test", 0], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found a cut of theta.x at 0",
    ),
    Forgery(
        "halves of a chart with a larger alpha",
        "interval",
        (put(*TREE, 0, "tree", to=HALVES), value(W, alpha_lower="7/10", alpha_upper="7/10")),
        'weak-revealing tests: found test function 0 does not show it at {"Phi": {}, "a": "a0", "ch',
    ),
    Forgery(
        "a chart of another axis",
        "interval",
        (put(*TREE, 0, "chart", to="theta.y"),),
        'weak-revealing tests: found no tree for {"Phi": {}, "a": "a0", "chart": "theta.x", "h": 1,',
    ),
    Forgery(
        "no chart where an axis moves",
        "interval",
        (put(*TREE, 0, "chart", to=None),),
        'weak-revealing tests: found no tree for {"Phi": {}, "a": "a0", "chart": "theta.x", "h": 1,',
    ),
    Forgery(
        "the chart of one axis twice, of the other never",
        "pairs-factor",
        (put(*TREE, 1, "chart", to="theta.x"),),
        'weak-revealing read weak-revealing.trees[1]: found a second tree for {"Phi": {}, "a": "a0"',
    ),
    Forgery(
        "a chart is left out",
        "pairs-factor",
        (put(*TREE, to=lambda trees: trees[:3]),),
        'weak-revealing tests: found no tree for {"Phi": {}, "a": "a0", "chart": "theta.y", "h": 1,',
    ),
    Forgery(
        "a box without pairs",
        "interval",
        (put(*TREE, 0, "tree", to=["outside", 0]),),
        "weak-revealing read weak-revealing.trees[0]: found ['outside', 0]",
    ),
    Forgery(
        "a split along the slope of an axis to itself",
        "interval",
        (put(*TREE, 0, "tree", to=["split", "theta.x/theta.x", "1/2", ["test", 0], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found ['split', 'theta.x/theta.x', '1/2', ['t",
    ),
    Forgery(
        "a split along t",
        "interval",
        (put(*TREE, 0, "tree", to=["split", "t", "1/2", ["test", 0], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found ['split', 't', '1/2', ['test', 0], ['te",
    ),
    Forgery(
        "both sides over t once more",
        "interval",
        (put(*TREE, 0, "tree", to=["over", [["1", "t"]], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found a factor that leaves a remainder",
    ),
    Forgery(
        "both sides over a factor that vanishes in the box",
        "interval",
        (put(*TREE, 0, "tree", to=["over", [["1", "theta.x"]], ["test", 0]]),),
        "weak-revealing read weak-revealing.trees[0]: found a factor that leaves a remainder",
    ),
    Forgery(
        "a factor over two axes is right up to its sign",
        "pairs-factor",
        (evidence(W, "factors", 0, to=[["0", "2"], ["2", "0"]]),),
        'weak-revealing tests: found a matrix P with P dM unlike dW at {"Phi": {}, "a": "a0", "char',
    ),
    Forgery(
        "a factor whose alpha is exact",
        "pairs-factor",
        (value(W, alpha_lower="666667/1000000", alpha_upper="2/3"),),
        "weak-revealing values: found the bracket [666667/1000000, 2/3]",
    ),
    Forgery(
        "alpha is attained by one model of a cell",
        "interval",
        (evidence(W, "attained", "theta_prime", "x", to="1/2"),),
        "weak-revealing eval: found a q where ratio(q) is undefined",
    ),
    Forgery(
        "alpha is attained outside of the box",
        "interval",
        (evidence(W, "attained", "theta_prime", "x", to="-1"),),
        "weak-revealing read worlds: found {'x': '-1'}",
    ),
    Forgery(
        "reachable states of an interval class",
        "interval",
        (put("options", "weak_revealing", "scope", to="reachable"), put("readings", 2, to="2.4:scope=reachable")),
        "weak-revealing scope: found the scope reachable",
    ),
    Forgery(
        "2.4 asks nothing where W moves",
        "interval",
        (claim(W, verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "weak-revealing eval: found vacuous",
    ),
    Forgery(
        "2.4 is shown where it is not asked",
        "interval-bandit",
        (
            claim(
                W,
                verdict="proved",
                values={"alpha_lower": "1", "alpha_upper": "1"},
                evidence={"rule": "tests", "tests": [], "factors": [], "trees": [], "attained": {}},
            ),
        ),
        "weak-revealing read worlds: found no parameter point",
    ),
    Forgery(
        "2.4 by a factor of degree 65",
        "interval",
        (put("claims", "weak-revealing", "evidence", "trees", 0, "tree", to=lambda tree: ["over", STEEP, tree]),),
        "weak-revealing tests: found a polynomial of too high degree",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
