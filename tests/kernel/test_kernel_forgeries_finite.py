"""Forgeries about finite classes: false constants, evidence of another place, witnesses that witness nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, added, again, evidence, exchanged, refuses, value, witness

W, L, R, K, E, A, B = (
    "weak-revealing",
    "posterior-lipschitz",
    "regret",
    "kl-joint",
    "eluder-world",
    "eluder-adversary",
    "bounded-increments",
)
TREE = "claims", W, "evidence", "trees"
CUT = ["cut", 0, 1, "1/4", ["test", 0], ["test", 0]]
NONE: dict[str, Any] = {"values": {}, "evidence": None}
IMPOSSIBLE = {
    "pi": "idle",
    "probability": "1/2",
    "trajectory": ["o0", "a0", "o0", "a0"],
    "xi": {"Phi": {"y": "1/4"}, "theta": {"x": "0"}},
    "xi_prime": {"Phi": {"y": "1/8"}, "theta": {"x": "0"}},
}
CONVERTED = {
    "difference": "1/4",
    "h": 1,
    "pi": "idle",
    "trajectory": ["o0", "a0"],
    "xi_star": {"Phi": {"y": "1/4"}, "theta": {"x": "0"}},
    "xi": {"Phi": {"y": "1/8"}, "theta": {"x": "0"}},
}
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
ALIKE = {
    "Phi": {"y": "1/4"},
    "h": 2,
    "nu": "watch",
    "pi": "idle",
    "posteriors": [["1", "0"], ["1", "0"]],
    "responses": [["1/2", "1/2"], ["3/4", "1/4"]],
    "tau_B": ["d0", "b0", "d0"],
    "theta": {"x": "0"},
}


def raised(text: str) -> str:
    """A little more than a number written as text."""
    top, _, bottom = text.partition("/")
    return f"{int(top) * 10**6 + 1}/{int(bottom or 1) * 10**6}"


FORGERIES = [
    # ---------------------------------------------------------------- 2.3
    Forgery(
        "L is half of what it is",
        "drift",
        (value(L, L_lower="4/13", L_upper="4/13"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is zero: no response ever changes",
        "drift",
        (value(L, L_lower="0", L_upper="0"), evidence(L, "attained", to=None)),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is infinite: negative constant",
        "drift",
        (value(L, L_lower="-8/13", L_upper="-8/13"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is known in a bracket",
        "drift",
        (value(L, L_lower="1/13"),),
        "posterior-lipschitz eval: found the ratio 8/13 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained under the other response",
        "drift",
        (evidence(L, "attained", "Phi", "y", to="1/8"),),
        "posterior-lipschitz eval: found the ratio 4/13 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained in the other world",
        "drift",
        (evidence(L, "attained", "theta", "x", to="1/8"),),
        "posterior-lipschitz eval: found the ratio 8/15 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained a step too early",
        "drift",
        (evidence(L, "attained", "h", to=1),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "L is attained after another history",
        "drift",
        (evidence(L, "attained", "tau_B", to=["d0", "b1", "d0"]),),
        "posterior-lipschitz eval: found the ratio 1/2 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained between a policy and itself",
        "drift",
        (evidence(L, "attained", "nu", to="idle"),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained before the adversary has seen",
        "drift",
        (evidence(L, "attained", "tau_B", to=[]),),
        "posterior-lipschitz eval: found the adversary history []",
    ),
    Forgery(
        "L is attained at a history of actions",
        "drift",
        (evidence(L, "attained", "tau_B", to=["b0", "d0", "b0"]),),
        "posterior-lipschitz read posterior-lipschitz.tau_B: found 'b0'",
    ),
    Forgery(
        "L of the step form is that of the policy form",
        "drift",
        (
            put("options", "lipschitz_form", to="policy"),
            put("readings", 0, to="2.3:form=policy"),
            value(L, L_lower="16/13", L_upper="16/13"),
        ),
        "posterior-lipschitz eval: found the ratio 1/2 where L_lower is said to be attained",
    ),
    Forgery(
        "equal posteriors are answered differently",
        "drift",
        (claim(L, verdict="refuted", witness=ALIKE, **NONE),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "a block and itself in the other order",
        "drift-table",
        (evidence(L, "attained", "pi", to=["watch", "idle"]),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "one policy stands for a block of two",
        "drift-table",
        (evidence(L, "attained", "nu", to=["watch"]),),
        "posterior-lipschitz read posterior-lipschitz.place: found 1 entries",
    ),
    Forgery(
        "2.3 holds though equal posteriors are answered apart",
        "refuted-lipschitz",
        (
            claim(
                L,
                verdict="proved",
                values={"L_lower": "1", "L_upper": "1"},
                evidence={"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": None},
                witness=None,
            ),
        ),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "a history of a later step refutes 2.3",
        "refuted-lipschitz",
        (witness(L, "tau_B", to=["d0", "b0", "d0"]),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "a policy compared with itself refutes 2.3",
        "refuted-lipschitz",
        (witness(L, "nu", to="idle"),),
        "posterior-lipschitz eval: found other rows",
    ),
    # ---------------------------------------------------------------- 2.4, finite
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
    # ---------------------------------------------------------------- 3.1(c), (d)
    Forgery(
        "B_0 is a millionth smaller",
        "drift",
        (
            put(
                "claims",
                B,
                "values",
                to={"B0_lower": {"log_of": "26333333/22000000"}, "B0_upper": {"log_of": "26333333/22000000"}},
            ),
        ),
        "bounded-increments eval: found B0_lower = {'log_of': '26333333/22000000'}",
    ),
    Forgery(
        "B_0 is the ratio, not its logarithm",
        "drift",
        (put("claims", B, "values", to={"B0_lower": "79/66", "B0_upper": "79/66"}),),
        "bounded-increments eval: found B0_lower = 79/66",
    ),
    Forgery(
        "B_0 is larger than it is",
        "drift",
        (put("claims", B, "values", "B0_upper", "log_of", to="2"),),
        "bounded-increments eval: found B0_upper = {'log_of': '2'}",
    ),
    Forgery(
        "B_0 is attained by the models in the other order",
        "drift",
        (exchanged(("claims", B, "evidence", "attained", "xi"), ("claims", B, "evidence", "attained", "xi_prime")),),
        "bounded-increments eval: found P = 99/512 and 237/1024 where B_0 is said to be attained",
    ),
    Forgery(
        "B_0 is attained by one model",
        "drift",
        (evidence(B, "attained", "xi_prime", to={"Phi": {"y": "1/8"}, "theta": {"x": "1/8"}}),),
        "bounded-increments eval: found P = 237/1024 and 237/1024 where B_0 is said to be attained",
    ),
    Forgery(
        "B_0 is attained under a policy that does not play so",
        "drift",
        (evidence(B, "attained", "pi", to="idle"),),
        "bounded-increments eval: found the trajectory ['o0', 'a0', 'o1', 'a1']",
    ),
    Forgery(
        "B_0 is attained by half a trajectory",
        "drift",
        (evidence(B, "attained", "trajectory", to=["o0", "a0"]),),
        "bounded-increments eval: found the trajectory ['o0', 'a0']",
    ),
    Forgery(
        "B_0 is attained by an action not played",
        "drift",
        (evidence(B, "attained", "trajectory", to=["o0", "a1", "o1", "a1"]),),
        "bounded-increments eval: found the trajectory ['o0', 'a1', 'o1', 'a1']",
    ),
    Forgery(
        "B_0 is attained by a model of another class",
        "drift",
        (evidence(B, "attained", "xi", "theta", "x", to="1/4"),),
        "bounded-increments read bounded-increments.theta: found {'x': '1/4'}",
    ),
    Forgery(
        "a possible trajectory refutes 3.1(c)",
        "drift",
        (claim(B, verdict="refuted", witness=IMPOSSIBLE, **NONE),),
        "bounded-increments eval: found refuted",
    ),
    Forgery(
        "3.1(c) holds where a trajectory is impossible",
        "refuted-increments",
        (
            claim(
                B,
                verdict="proved",
                values={"B0_lower": {"log_of": "1"}, "B0_upper": {"log_of": "1"}},
                evidence={"rule": "eval", "attained": {}},
                witness=None,
            ),
        ),
        "bounded-increments eval: found proved",
    ),
    Forgery(
        "a witness whose models are exchanged",
        "refuted-increments",
        (exchanged(("claims", B, "witness", "xi"), ("claims", B, "witness", "xi_prime")),),
        "bounded-increments witness: found P = 0 and 1/2",
    ),
    Forgery(
        "a witness possible under both",
        "refuted-increments",
        (witness(B, "trajectory", to=["o0", "a0"]),),
        "bounded-increments witness: found P = 1/2 and 1",
    ),
    Forgery(
        "a witness of another probability",
        "refuted-increments",
        (witness(B, "probability", to="1/3"),),
        "bounded-increments witness: found P = 1/2 and 0",
    ),
    Forgery(
        "3.1(d) holds where a trajectory is impossible",
        "refuted-increments",
        (claim("predictive-states", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "predictive-states eval: found proved",
    ),
    Forgery(
        "3.1(d) is vacuous where a trajectory is impossible",
        "refuted-increments",
        (claim("predictive-states", verdict="vacuous", values={}, evidence={"rule": "eval"}, witness=None),),
        "predictive-states eval: found vacuous",
    ),
    Forgery(
        "3.1(d) fails where every trajectory is possible",
        "drift",
        (claim("predictive-states", verdict="refuted", witness=IMPOSSIBLE, **NONE),),
        "predictive-states eval: found refuted",
    ),
    Forgery(
        "a witness of 3.1(d) without probability",
        "refuted-increments",
        (witness("predictive-states", "probability", to="0"),),
        "predictive-states witness: found P = 1/2 and 0",
    ),
    Forgery(
        "a witness of 3.1(d) by one model",
        "refuted-increments",
        (witness("predictive-states", "xi_prime", "theta", "x", to="1"),),
        "predictive-states witness: found P = 1/2 and 1/2",
    ),
    Forgery(
        "a witness of 3.1(d) by a prefix",
        "refuted-increments",
        (witness("predictive-states", "trajectory", to=["o1"]),),
        "predictive-states eval: found the trajectory ['o1']",
    ),
    Forgery(
        "a witness of 3.1(d) outside the class",
        "refuted-increments",
        (witness("predictive-states", "xi_prime", "theta", "x", to="1/2"),),
        "predictive-states read predictive-states.theta: found {'x': '1/2'}",
    ),
    Forgery(
        "a witness of 3.1(d) under no policy",
        "refuted-increments",
        (witness("predictive-states", "pi", to="P"),),
        "predictive-states read predictive-states.pi: found 'P'",
    ),
    # ---------------------------------------------------------------- 3.1(e)
    Forgery(
        "c_KL of the world clause for the joint one",
        "drift",
        (value(K, c_KL_joint_lower="16192161099/400000000000", c_KL_joint_upper="40480402789/1000000000000"),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL is 10^-9 larger",
        "drift",
        (value(K, c_KL_joint_lower="86676977/400000000", c_KL_joint_upper="1083462213/5000000000"),),
        "kl-joint log: found KL < c_KL_joint_lower * Delta for models (0, 1), (0, 0), policy 1",
    ),
    Forgery(
        "c_KL has no lower end",
        "drift",
        (value(K, c_KL_joint_lower="0"),),
        "kl-joint log: found the bracket [0, 108346220759/500000000000]",
    ),
    Forgery(
        "c_KL is negative",
        "drift",
        (value(K, c_KL_joint_lower="-1"),),
        "kl-joint log: found the bracket [-1, 108346220759/500000000000]",
    ),
    Forgery(
        "c_KL ends below where it begins",
        "drift",
        (value(K, c_KL_joint_upper="1/10"),),
        "kl-joint log: found the bracket [2166924413/10000000000, 1/10]",
    ),
    Forgery(
        "c_KL is attained by models in the other order",
        "drift",
        (exchanged(("claims", K, "evidence", "attained", "xi"), ("claims", K, "evidence", "attained", "xi_star")),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL is attained by one model",
        "drift",
        (evidence(K, "attained", "xi", "Phi", "y", to="1/4"),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL is attained under the other policy",
        "drift",
        (evidence(K, "attained", "pi", to="idle"),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL is attained outside the class",
        "drift",
        (evidence(K, "attained", "xi", "theta", "x", to="1/16"),),
        "kl-joint read kl-joint.theta: found {'x': '1/16'}",
    ),
    Forgery(
        "c_KL is attained without a policy",
        "drift",
        (drop("claims", K, "evidence", "attained", "pi"),),
        "kl-joint read kl-joint.attained: found no key 'pi'",
    ),
    Forgery(
        "models told apart refute 3.1(e)",
        "drift",
        (claim(K, verdict="refuted", witness=CONVERTED, **NONE),),
        "kl-joint eval: found refuted",
    ),
    Forgery(
        "3.1(e) holds where laws are equal and operators are not",
        "refuted-conversion",
        (
            claim(
                K,
                verdict="proved",
                values={"c_KL_joint_lower": "1/10", "c_KL_joint_upper": "1"},
                evidence={"rule": "log", "attained": {}},
                witness=None,
            ),
        ),
        "kl-joint eval: found proved",
    ),
    Forgery(
        "3.1(e) asks nothing where operators differ",
        "refuted-conversion",
        (claim(K, verdict="vacuous", values={}, evidence={"rule": "eval"}, witness=None),),
        "kl-joint eval: found vacuous",
    ),
    Forgery(
        "a witness at a step it is not of",
        "refuted-conversion",
        (witness(K, "h", to=2),),
        "kl-joint read kl-joint.h: found 2",
    ),
    Forgery(
        "a witness whose operators are equal",
        "refuted-conversion",
        (witness(K, "xi", "theta", "x", to="0"),),
        "kl-joint witness: found a difference of 0",
    ),
    Forgery(
        "a witness whose laws differ",
        "refuted-conversion",
        (witness(K, "xi", "theta", "w", to="1"),),
        "kl-joint witness: found different laws of play",
    ),
    Forgery(
        "a witness whose difference is larger",
        "refuted-conversion",
        (witness("kl-world", "difference", to="1/2"),),
        "kl-world witness: found a difference of 3/8",
    ),
    Forgery(
        "a witness at an empty prefix",
        "refuted-conversion",
        (witness("kl-world", "trajectory", to=[]),),
        "kl-world witness: found the trajectory []",
    ),
    Forgery(
        "the world clause has the constant of the joint one",
        "drift",
        (value("kl-world", c_KL_world_lower="2166924413/10000000000", c_KL_world_upper="2708655519/12500000000"),),
        "kl-world log: found KL < c_KL_world_lower * Delta for models (0, 0), (1, 0), policy 0",
    ),
    Forgery(
        "the world clause is attained where W is one",
        "drift",
        (evidence("kl-world", "attained", "xi", "theta", "x", to="0"),),
        "kl-world log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "the world clause is attained by nobody",
        "drift",
        (evidence("kl-world", "attained", to=None),),
        "kl-world read kl-world.attained: found NoneType",
    ),
    Forgery(
        "the world clause is 10^-9 larger",
        "drift",
        (
            value(
                "kl-world", c_KL_world_lower="40480402999/1000000000000", c_KL_world_upper="404804029991/10000000000000"
            ),
        ),
        "kl-world log: found KL < c_KL_world_lower * Delta for models (0, 0), (1, 1), policy 1",
    ),
    # ---------------------------------------------------------------- 2.6
    Forgery(
        "an entry of the sequence twice",
        "drift",
        (again("claims", E, "evidence", "sequence"), value(E, d_W_lower="2", d_W_upper="2")),
        "eluder-world eval: found d_W_upper = 2",
    ),
    Forgery(
        "a sequence of nothing has length one",
        "drift",
        (evidence(E, "sequence", to=[]),),
        "eluder-world sequence: found a sequence of 0 queries",
    ),
    Forgery(
        "a lower end without its sequence",
        "drift",
        (value(E, d_W_lower="2"),),
        "eluder-world sequence: found a sequence of 1 queries",
    ),
    Forgery(
        "an upper end below the true one",
        "drift",
        (value(E, d_W_lower="0", d_W_upper="0"), evidence(E, "sequence", to=[])),
        "eluder-world eval: found d_W_upper = 0",
    ),
    Forgery(
        "an upper end above the kernel's", "drift", (value(E, d_W_upper="2"),), "eluder-world eval: found d_W_upper = 2"
    ),
    Forgery("a rank of zero", "drift", (value(E, p_W="0"),), "eluder-world eval: found p_W = 0"),
    Forgery(
        "a square that is larger",
        "drift",
        (evidence(E, "sequence", 0, "square", to="1/2"),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "a query of the reference model itself",
        "drift",
        (evidence(E, "sequence", 0, "theta", "x", to="0"),),
        "eluder-world sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "a scale below 1/(2T)",
        "drift",
        (evidence(E, "scale_squared", to="1/1073741825"),),
        "eluder-world sequence: found the squared scale 1/1073741825",
    ),
    Forgery(
        "a scale of zero",
        "drift",
        (evidence(E, "scale_squared", to="0"),),
        "eluder-world sequence: found the squared scale 0",
    ),
    Forgery(
        "a scale above the square",
        "drift",
        (evidence(E, "scale_squared", to="1/2"),),
        "eluder-world sequence: found query 1 with square 68112009/268435456 and 0 before it",
    ),
    Forgery(
        "a query of the other channel",
        "drift",
        (
            evidence(
                E,
                "sequence",
                0,
                to={"Phi": {"y": "1/4"}, "before": "0", "pi": "watch", "square": "173421440721/70368744177664"},
            ),
        ),
        "eluder-world read eluder-world.evidence.sequence: found no key 'theta'",
    ),
    Forgery(
        "a reference model outside the class",
        "drift",
        (evidence(E, "xi_star", "theta", "x", to="1"),),
        "eluder-world read eluder-world.theta: found {'x': '1'}",
    ),
    Forgery(
        "another reference model with the same squares",
        "drift",
        (evidence(E, "xi_star", to={"Phi": {"y": "1/4"}, "theta": {"x": "1/8"}}),),
        "eluder-world sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "a square before, of nothing",
        "drift",
        (evidence(A, "sequence", 0, "before", to="1/4"),),
        "eluder-adversary sequence: found other squares at query 1",
    ),
    Forgery(
        "the adversary's sequence under a policy answered alike",
        "drift",
        (evidence(A, "sequence", 0, "pi", to="idle"),),
        "eluder-adversary sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "the adversary's dimension is zero",
        "drift",
        (value(A, d_G_lower="0", d_G_upper="0"), evidence(A, "sequence", to=[])),
        "eluder-adversary eval: found d_G_upper = 0",
    ),
    Forgery(
        "the adversary's sequence is of the reference response",
        "drift",
        (evidence(A, "sequence", 0, "Phi", "y", to="1/8"),),
        "eluder-adversary sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "the adversary's rank is that of two", "drift", (value(A, p_G="2"),), "eluder-adversary eval: found p_G = 2"
    ),
    Forgery(
        "an entry of the adversary's sequence twice",
        "drift",
        (again("claims", A, "evidence", "sequence"), value(A, d_G_lower="2")),
        "eluder-adversary sequence: found query 2 with square 173421440721/70368744177664 and 17342",
    ),
    Forgery(
        "a finer scale for the adversary",
        "drift",
        (evidence(A, "scale_squared", to="1/10737418240"),),
        "eluder-adversary sequence: found the squared scale 1/10737418240",
    ),
    Forgery(
        "a policy nobody has",
        "drift",
        (evidence(A, "sequence", 0, "pi", to="Watch"),),
        "eluder-adversary read eluder-adversary.pi: found 'Watch'",
    ),
    Forgery(
        "a dimension that is half",
        "drift",
        (value(A, d_G_lower="1/2"),),
        "eluder-adversary sequence: found a sequence of 1 queries",
    ),
    Forgery(
        "a dimension of a negative number of queries",
        "drift",
        (value(A, d_G_lower="-1", d_G_upper="-1"), evidence(A, "sequence", to=[])),
        "eluder-adversary eval: found d_G_upper = -1",
    ),
    # ---------------------------------------------------------------- Theorem N
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
    # ---------------------------------------------------------------- Theorem 3.3
    Forgery(
        "the regret is bounded a unit lower",
        "drift",
        (value("constants", sharp_regret_upper="86"),),
        "constants bound: found sharp_regret_upper = 86",
    ),
    Forgery(
        "the regret is bounded by half",
        "drift",
        (value("constants", sharp_regret_upper="2173327/50000"),),
        "constants bound: found sharp_regret_upper = 2173327/50000",
    ),
    Forgery(
        "T_star is one sooner", "drift", (value("constants", T_star="3183"),), "constants bound: found T_star = 3183"
    ),
    Forgery(
        "T_star is one later", "drift", (value("constants", T_star="3185"),), "constants bound: found T_star = 3185"
    ),
    Forgery(
        "T_star is no integer",
        "drift",
        (value("constants", T_star="6369/2"),),
        "constants bound: found T_star = 6369/2",
    ),
    Forgery(
        "optimism errs on a narrower range of rewards",
        "drift",
        (value("constants", reward_range="1/2"),),
        "constants bound: found reward_range = 1/2",
    ),
    Forgery(
        "warm-up costs half",
        "drift",
        (value("constants", later_range="1/2"),),
        "constants bound: found later_range = 1/2",
    ),
    Forgery("T_star is zero", "drift", (value("constants", T_star="0"),), "constants bound: found T_star = 0"),
    Forgery(
        "observations are likelier",
        "drift",
        (value("constants", least_observation="1/2"),),
        "constants bound: found least_observation = 1/2",
    ),
    Forgery(
        "the constant of the radius is eight", "drift", (value("constants", c="8"),), "constants bound: found c = 8"
    ),
    Forgery(
        "C_0 lies below 6(e-2)",
        "drift",
        (value("constants", C_0={"lower": "4", "upper": "430969/100000"}),),
        "constants bound: found C_0 in {'lower': '4', 'upper': '430969/100000'}",
    ),
    Forgery(
        "C_0 is one number",
        "drift",
        (value("constants", C_0="430969/100000"),),
        "constants read constants.values.C_0: found str",
    ),
    Forgery(
        "no warm-up",
        "drift",
        (value("constants", sharp_warmup_upper="0"),),
        "constants bound: found sharp_warmup_upper = 0",
    ),
    Forgery(
        "fewer switches",
        "drift",
        (value("constants", sharp_switches_upper="86"),),
        "constants bound: found sharp_switches_upper = 86",
    ),
    Forgery(
        "less evidence", "drift", (value("constants", evidence_upper="1"),), "constants bound: found evidence_upper = 1"
    ),
    Forgery(
        "a smaller Lambda",
        "drift",
        (value("constants", sharp_Lambda_T_upper="40"),),
        "constants bound: found sharp_Lambda_T_upper = 40",
    ),
    Forgery(
        "a bound though 2.4 is refuted",
        "refuted-crossing",
        (claim("constants", verdict="proved", values={"c": "16"}, evidence={"rule": "bound"}),),
        "constants eval: found proved",
    ),
    Forgery(
        "the bound of another delta",
        "drift",
        (put("options", "delta", to="1/2"), value("constants", sharp_regret_upper="80")),
        "constants bound: found sharp_switches_upper = 2173327/25000",
    ),
    # ---------------------------------------------------------------- 3.1(a), (b), (f), Theorem 2.5
    Forgery(
        "a truth of no class is declared",
        "refuted-truth",
        (claim("well-specified", verdict="declared", values={}, evidence={"rule": "assume"}, witness=None),),
        "well-specified eval: found declared",
    ),
    Forgery(
        "a truth outside is inside",
        "refuted-truth",
        (claim("well-specified", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "well-specified eval: found proved",
    ),
    Forgery(
        "another truth is the one that is outside",
        "refuted-truth",
        (witness("well-specified", "truth", "worlds", "x", to="0"),),
        "well-specified witness: found another truth",
    ),
    Forgery(
        "a truth inside is outside",
        "drift",
        (
            claim(
                "well-specified",
                verdict="refuted",
                witness={"truth": {"responses": {"y": "1/4"}, "worlds": {"x": "1/8"}}},
                **NONE,
            ),
        ),
        "well-specified eval: found refuted",
    ),
    Forgery(
        "no truth is a proof",
        "factor",
        (claim("well-specified", verdict="proved", evidence={"rule": "eval"}),),
        "well-specified eval: found proved",
    ),
    Forgery(
        "no truth is a refutation",
        "factor",
        (
            claim(
                "well-specified", verdict="refuted", witness={"truth": {"worlds": {"x": "2"}, "responses": {}}}, **NONE
            ),
        ),
        "well-specified eval: found refuted",
    ),
    Forgery(
        "nothing is asked of the truth",
        "factor",
        (claim("well-specified", verdict="vacuous", evidence={"rule": "eval"}),),
        "well-specified eval: found vacuous",
    ),
    Forgery(
        "a truth inside is only declared",
        "drift",
        (claim("well-specified", verdict="declared", evidence={"rule": "assume"}),),
        "well-specified eval: found declared",
    ),
    Forgery(
        "a declared truth by evaluation",
        "factor",
        (claim("well-specified", evidence={"rule": "eval"}),),
        "well-specified eval: found this rule",
    ),
    Forgery(
        "the truth of a truth",
        "refuted-truth",
        (witness("well-specified", "truth", to=None),),
        "well-specified witness: found another truth",
    ),
    Forgery(
        "fewer models in the cover",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="3"),),
        "covering eval: found log_covering_upper = {'log_of': '3'}",
    ),
    Forgery(
        "more models in the cover",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="5"),),
        "covering eval: found log_covering_upper = {'log_of': '5'}",
    ),
    Forgery(
        "the covering number for its logarithm",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", to="4"),),
        "covering eval: found log_covering_upper = 4",
    ),
    Forgery(
        "one model covers",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="1"),),
        "covering eval: found log_covering_upper = {'log_of': '1'}",
    ),
    Forgery(
        "no cover is needed",
        "drift",
        (claim("covering", verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "covering eval: found vacuous",
    ),
    Forgery(
        "a Lipschitz constant of a finite class",
        "drift",
        (added("claims", "covering", "values", by={"covering_lipschitz_upper": "0"}),),
        "covering values: found ['covering_lipschitz_upper', 'log_covering_upper']",
    ),
    Forgery(
        "a grid of a finite class",
        "drift",
        (added("claims", "covering", "evidence", by={"grid": {}}),),
        "covering read covering.evidence: found the unknown key 'grid'",
    ),
    Forgery(
        "the class has no finite cover",
        "drift",
        (claim("covering", verdict="refuted", witness={}, **NONE),),
        "covering eval: found refuted",
    ),
    Forgery(
        "the cover is assumed",
        "drift",
        (evidence("covering", "rule", to="assume"),),
        "covering assume: found this rule",
    ),
    Forgery(
        "a cover with a lower end",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", to={"lower": "1", "upper": "4"}),),
        "covering eval: found log_covering_upper = {'lower': '1', 'upper': '4'}",
    ),
    Forgery(
        "slower forgetting",
        "drift-fading",
        (value("warmup-stationary", gamma="1/10"),),
        "warmup-stationary eval: found gamma = 1/10",
    ),
    Forgery(
        "responses that differ by nothing",
        "drift-fading",
        (value("warmup-stationary", L_g="0"),),
        "warmup-stationary eval: found L_g = 0",
    ),
    Forgery(
        "a settled rule that fades",
        "drift",
        (put("claims", "warmup-stationary", "values", to={"gamma": "1/2", "L_g": "0"}),),
        "warmup-stationary values: found ['L_g', 'gamma']",
    ),
    Forgery(
        "a fading rule that settles",
        "drift-fading",
        (put("claims", "warmup-stationary", "values", to={}),),
        "warmup-stationary values: found []",
    ),
    Forgery(
        "3.1(f) fails",
        "drift",
        (claim("warmup-stationary", verdict="refuted", witness={}, **NONE),),
        "warmup-stationary eval: found refuted",
    ),
    Forgery(
        "3.1(f) asks nothing",
        "drift",
        (claim("warmup-stationary", verdict="vacuous", evidence={"rule": "eval"}),),
        "warmup-stationary eval: found vacuous",
    ),
    Forgery(
        "3.1(f) is assumed",
        "drift",
        (claim("warmup-stationary", verdict="declared", evidence={"rule": "assume"}),),
        "warmup-stationary eval: found declared",
    ),
    Forgery(
        "a larger L_g by a box",
        "drift-fading",
        (evidence("warmup-stationary", "rule", to="box"),),
        "warmup-stationary box: found this rule",
    ),
    Forgery(
        "gaps of a finite class",
        "drift-fading",
        (added("claims", "warmup-stationary", "evidence", by={"gaps": {}}),),
        "warmup-stationary read warmup-stationary.evidence: found the unknown key 'gaps'",
    ),
    Forgery(
        "a larger L_g than there is",
        "drift-fading",
        (value("warmup-stationary", L_g="1"),),
        "warmup-stationary eval: found L_g = 1",
    ),
    Forgery(
        "operators of a game expand",
        "drift",
        (claim("nonexpansive", verdict="refuted", witness={"operator": "G", "entry": "-1"}, **NONE),),
        "nonexpansive eval: found refuted",
    ),
    Forgery(
        "operators of a game are not those of its law",
        "drift",
        (claim("oom-identity", verdict="refuted", witness={"mass": "2"}, **NONE),),
        "oom-identity eval: found refuted",
    ),
    Forgery(
        "given operators are lawful along more sequences than may be played",
        "own-signed",
        (put("options", "limits", "trajectories", to=1),),
        "oom-identity eval: found proved, required unknown",
    ),
    Forgery(
        "given operators fade",
        "own",
        (
            drop("model", "responses", "memory"),
            added("model", "responses", by={"block_rule": "fading", "gamma": "1/2"}),
        ),
        "warmup-stationary eval: found proved, required unknown",
    ),
    Forgery(
        "J is G W where W divides by zero",
        "own",
        (put("model", "operators", "W", 0, 0, 0, 0, to="1/(1-1)"),),
        "factorization read operators: found '1/(1-1)' dividing by zero",
    ),
    Forgery(
        "signs for a class of numbers",
        "drift",
        (evidence(L, "signs", to=[{}]),),
        "posterior-lipschitz box: found gaps, signs or trees",
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
    Forgery(
        "J of a game is not G W",
        "drift",
        (claim("factorization", verdict="refuted", witness={"J": "1", "GW": "0"}, **NONE),),
        "factorization eval: found refuted",
    ),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)


def test_labels_are_different() -> None:
    """No forgery is listed twice, and every claim has ten or more of its own or by shape."""
    assert len({str(each) for each in FORGERIES}) == len(FORGERIES)
