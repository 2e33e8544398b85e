"""Forgeries about classes with interval axes: boxes, charts, cells, bounds and points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, added, again, evidence, exchanged, refuses, value, witness

W, L, K, E, A, B, C, N, D, F = (
    "weak-revealing",
    "posterior-lipschitz",
    "kl-joint",
    "eluder-world",
    "eluder-adversary",
    "bounded-increments",
    "covering",
    "nonexpansive",
    "predictive-states",
    "warmup-stationary",
)
TREE = "claims", W, "evidence", "trees"
SUM = "+1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta.y >= 0"
RISE = "+1-1*theta.x-1*theta.y > 0 where +7-8*theta.x-8*theta.y >= 0"
DIP = "+1-4*theta.x+8*theta.x*theta.x-8*theta.x*theta.x*theta.x+4*theta.x*theta.x*theta.x*theta.x > 0"
FADE = "+5-16*Phi.y*Phi.y-4*Phi.z >= 0 where +3-4*Phi.y-4*Phi.z >= 0"
ENTRY = "model", "operators"
STEEP = [["1", *["theta.x"] * 65]]  # of a degree beyond what a monomial may have
GAP = "1*(-1*Phi.y), 1*(+1*Phi.y)"
HALVES = ["split", "theta.x", "1/2", ["test", 0], ["test", 0]]
NONE: dict[str, Any] = {"values": {}, "evidence": None}


FORGERIES = [
    # ---------------------------------------------------------------- rule box: nonexpansive
    Forgery(
        "a weight of a constraint is negative",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["-1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a weight is too large",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1"]]}]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "a weight changes its sign in the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1/8"], ["-1", "theta.x"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a weight of a constraint that is not there",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"1": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 1",
    ),
    Forgery(
        "a weight of constraint -1",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"-1": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint -1",
    ),
    Forgery(
        "a weight of constraint 0 in other digits",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"٠": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint ٠",
    ),
    Forgery(
        "a weight along an axis that is not there",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1/8", "theta.z"]]}]),),
        "nonexpansive read nonexpansive.trees: found ['theta.z']",
    ),
    Forgery(
        "no point of the class is in the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["outside", 0]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "no point is in half of the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["split", "theta.x", "1/2", ["outside", 0], ["weighted", {"0": [["1/8"]]}]]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "outside of constraint true",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["outside", False]),),
        "nonexpansive read nonexpansive.trees: found ['outside', False]",
    ),
    Forgery(
        "a half is left out: the cut is at an end",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["split", "theta.x", "1/8", ["box"], ["weighted", {"0": [["1/8"]]}]]),),
        "nonexpansive read nonexpansive.trees: found a cut of theta.x at 1/8",
    ),
    Forgery(
        "the box alone shows it",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["box"]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "a tree for the goal without its constraint",
        "interval-tied",
        (evidence(N, "trees", to={"+1-1*theta.x-1*theta.y >= 0": ["weighted", {"0": [["1/8"]]}]}),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "entries are probabilities by word",
        "interval-tied",
        (evidence(N, "trees", to={}),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "entries may be anything",
        "interval",
        (claim(N, verdict="unknown", values={}, evidence=None),),
        "nonexpansive owed: found no proof that entries are probabilities",
    ),
    Forgery(
        "entries are probabilities vacuously",
        "interval",
        (claim(N, verdict="vacuous", evidence={"rule": "eval"}),),
        "nonexpansive owed: found no proof that entries are probabilities",
    ),
    # ---------------------------------------------------------------- 3.1(d), (c), (b)
    Forgery(
        "a polynomial is positive without a cut",
        "interval-splits",
        (evidence(D, "trees", DIP, to=["box"]),),
        "predictive-states box: found no proof of +1-4*theta.x+8*theta.x*theta.x-8*theta.x*theta.x*",
    ),
    Forgery(
        "half of a box is the box",
        "interval-splits",
        (evidence(D, "trees", DIP, 3, to=["split", "theta.x", "1/2", ["box"], ["box"]]),),
        "predictive-states read predictive-states.trees: found a cut of theta.x at 1/2",
    ),
    Forgery(
        "a cut outside of the box",
        "interval-splits",
        (evidence(D, "trees", DIP, 2, to="3/2"),),
        "predictive-states read predictive-states.trees: found a cut of theta.x at 3/2",
    ),
    Forgery(
        "a cut along the other side's axis",
        "interval-splits",
        (evidence(D, "trees", DIP, 1, to="Phi.x"),),
        "predictive-states read predictive-states.trees: found ['split', 'Phi.x', '1/2', ['box'], [",
    ),
    Forgery(
        "a node that says it is true",
        "interval-splits",
        (evidence(D, "trees", DIP, 3, to=["true"]),),
        "predictive-states read predictive-states.trees: found ['true']",
    ),
    Forgery(
        "a constraint where the class has none",
        "interval-splits",
        (evidence(D, "trees", DIP, 3, to=["outside", 0]),),
        "predictive-states read predictive-states.trees: found ['outside', 0]",
    ),
    Forgery(
        "not strictly positive will do",
        "interval-tied",
        (evidence(D, "trees", RISE, to=["weighted", {"0": [["1"]]}]),),
        "predictive-states box: found no proof of +1-1*theta.x-1*theta.y > 0 where +7-8*theta.x-8*t",
    ),
    Forgery(
        "3.1(d) holds where a law vanishes at an end",
        "interval-impossible",
        (claim(D, verdict="proved", values={}, evidence={"rule": "box", "trees": {}}, witness=None),),
        "predictive-states box: found no proof of +1*theta.x > 0",
    ),
    Forgery(
        "a witness whose impossible model is possible",
        "interval-impossible",
        (witness(D, "xi_prime", "theta", "x", to="1/4"),),
        "predictive-states eval: found refuted",
    ),
    Forgery(
        "a witness that is not of the class",
        "interval-impossible",
        (witness(D, "xi_prime", "theta", "x", to="-1/4"),),
        "predictive-states read worlds: found {'x': '-1/4'}",
    ),
    Forgery(
        "a bound of a probability a unit too tight",
        "interval",
        (evidence(B, "bounds", "+3+1*theta.x", to=["3", "3999999/1000000"]),),
        "bounded-increments box: found no proof of +999999-1000000*theta.x >= 0",
    ),
    Forgery(
        "a lower bound a unit too tight",
        "interval",
        (evidence(B, "bounds", "+5-1*theta.x", to=["4000001/1000000", "5"]),),
        "bounded-increments box: found no proof of +999999-1000000*theta.x >= 0",
    ),
    Forgery(
        "bounds in the other order",
        "interval",
        (evidence(B, "bounds", "+5-1*theta.x", to=["5", "4"]),),
        "bounded-increments box: found no proof of -1*theta.x >= 0",
    ),
    Forgery(
        "bounds of one polynomial for another",
        "interval",
        (
            exchanged(
                ("claims", B, "evidence", "bounds", "+5-1*theta.x"), ("claims", B, "evidence", "bounds", "+3+1*theta.x")
            ),
        ),
        "bounded-increments box: found no proof of -1+1*theta.x >= 0",
    ),
    Forgery(
        "a bound is left out",
        "interval",
        (drop("claims", B, "evidence", "bounds", "+3+1*theta.x"),),
        "bounded-increments box: found no bounds of +3+1*theta.x",
    ),
    Forgery(
        "B_0 is smaller than its bounds say",
        "interval",
        (put("claims", B, "values", "B0_upper", "log_of", to="5/4"),),
        "bounded-increments box: found B0_upper 5/4, slope 64/3",
    ),
    Forgery(
        "log-likelihoods are flatter",
        "interval",
        (value(B, log_likelihood_lipschitz_upper="1"),),
        "bounded-increments box: found B0_upper 4/3, slope 1",
    ),
    Forgery(
        "B_0 is attained outside of the box",
        "interval",
        (evidence(B, "attained", "xi", "theta", "x", to="2"),),
        "bounded-increments read worlds: found {'x': '2'}",
    ),
    Forgery(
        "B_0 is attained inside the box",
        "interval",
        (evidence(B, "attained", "xi", "theta", "x", to="1/2"),),
        "bounded-increments eval: found P = 21/64 and 9/32 where B0_lower is said to be attained",
    ),
    Forgery(
        "B_0 is attained in another cell",
        "interval-answers",
        (evidence(B, "attained", "xi", "theta", "z", to="1/3"),),
        "bounded-increments eval: found P = 737/3072 and 1369/6144 where B0_lower is said to be att",
    ),
    Forgery(
        "a cell between the values of a finite axis",
        "interval-answers",
        (evidence(B, "attained", "xi", "theta", "z", to="7/24"),),
        "bounded-increments read worlds: found {'x': '1/16', 'z': '7/24'}",
    ),
    Forgery(
        "a point that breaks the constraint",
        "interval-tied",
        (evidence(B, "attained", "xi_prime", "theta", to={"x": "3/4", "y": "3/4"}),),
        "bounded-increments read worlds: found {'x': '3/4', 'y': '3/4'}",
    ),
    Forgery(
        "a bound through a weight of the wrong sign",
        "interval-tied",
        (
            evidence(
                B,
                "trees",
                "+7-8*theta.x-8*theta.y >= 0 where +7-8*theta.x-8*theta.y >= 0",
                to=["weighted", {"0": [["-1"]]}],
            ),
        ),
        "bounded-increments read bounded-increments.trees: found the weight of constraint 0",
    ),
    Forgery(
        "3.1(c) holds where a law vanishes at an end",
        "interval-impossible",
        (
            claim(
                B,
                verdict="proved",
                values={
                    "B0_lower": {"log_of": "1"},
                    "B0_upper": {"log_of": "2"},
                    "log_likelihood_lipschitz_upper": "1",
                },
                evidence={
                    "rule": "box",
                    "bounds": {"+1*theta.x": ["0", "1/2"], "+1-1*theta.x": ["1/2", "1"]},
                    "trees": {},
                    "attained": {},
                },
                witness=None,
            ),
        ),
        "bounded-increments box: found the lower bound 0 of a trajectory",
    ),
    Forgery(
        "a grid of a point less",
        "interval",
        (
            evidence(C, "grid", "theta.x", to=6144),
            put("claims", C, "values", "log_covering_upper", "log_of", to="6144"),
        ),
        "covering box: found a column of J that moves by 1/32768 within a square of the grid",
    ),
    Forgery(
        "a grid smaller than it says",
        "interval",
        (put("claims", C, "values", "log_covering_upper", "log_of", to="6144"),),
        "covering box: found 6144 points and a slope of 3/8",
    ),
    Forgery(
        "a grid without an axis",
        "interval-bandit",
        (
            drop("claims", C, "evidence", "grid", "theta.mu2"),
            put("claims", C, "values", "log_covering_upper", "log_of", to="12290"),
        ),
        "covering box: found a column of J that moves by 3/8 within a square of the grid",
    ),
    Forgery(
        "a grid along an axis that is not there",
        "interval",
        (added("claims", C, "evidence", "grid", by={"theta.y": 1}),),
        "covering box: found 1 points along theta.y",
    ),
    Forgery(
        "a grid of true points",
        "interval",
        (evidence(C, "grid", "theta.x", to=True),),
        "covering box: found True points along theta.x",
    ),
    Forgery(
        "a grid of no points",
        "interval",
        (evidence(C, "grid", "theta.x", to=0),),
        "covering box: found 0 points along theta.x",
    ),
    Forgery(
        "a grid of a negative number of points",
        "interval",
        (evidence(C, "grid", "theta.x", to=-6145),),
        "covering box: found -6145 points along theta.x",
    ),
    Forgery(
        "columns of J are flatter",
        "interval",
        (value(C, covering_lipschitz_upper="1/8"),),
        "covering box: found 6145 points and a slope of 1/8",
    ),
    Forgery(
        "a slope a unit too flat",
        "interval-splits",
        (evidence(C, "bounds", "+1-2*theta.x", to=["-1", "999999/1000000"]),),
        "covering box: found no proof of -1+2000000*theta.x >= 0",
    ),
    Forgery(
        "a grid of half squares where a constraint takes whole ones",
        "interval-tied",
        (
            evidence(C, "grid", to={"theta.x": 28676, "theta.y": 28676}),
            put("claims", C, "values", "log_covering_upper", "log_of", to="822312976"),
        ),
        "covering box: found a column of J that moves by 7/114704 within a square of the grid",
    ),
    Forgery(
        "one cell where there are two",
        "interval-answers",
        (put("claims", C, "values", "log_covering_upper", "log_of", to="4723201"),),
        "covering box: found 4723201 points and a slope of 15/8",
    ),
    # ---------------------------------------------------------------- 2.3
    Forgery(
        "responses differ by less",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="1/4"), value(L, L_lower="2/7", L_upper="2/7")),
        "posterior-lipschitz box: found no proof of +1-8*Phi.y >= 0",
    ),
    Forgery(
        "responses differ by a unit less",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="499999/1000000"),),
        "posterior-lipschitz box: found no proof of +499999-2000000*Phi.y >= 0",
    ),
    Forgery(
        "responses do not differ",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="0"), value(L, L_lower="0", L_upper="0"), evidence(L, "attained", to=None)),
        "posterior-lipschitz box: found no proof of -1*Phi.y >= 0",
    ),
    Forgery(
        "a gap that is left out",
        "interval-answers",
        (evidence(L, "gaps", to={}),),
        "posterior-lipschitz box: found no bound of the difference 1*(-1*Phi.y), 1*(+1*Phi.y)",
    ),
    Forgery(
        "L_upper is a millionth smaller",
        "interval-answers",
        (value(L, L_lower="571427/1000000", L_upper="571427/1000000"),),
        "posterior-lipschitz box: found no proof of -571449+9142832*theta.x >= 0",
    ),
    Forgery(
        "L_upper is negative",
        "interval-answers",
        (value(L, L_lower="-1", L_upper="-1"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is attained in another cell",
        "interval-answers",
        (evidence(L, "attained", "theta", "z", to="1/3"),),
        "posterior-lipschitz eval: found the ratio 24/47 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained outside of the box",
        "interval-answers",
        (evidence(L, "attained", "Phi", "y", to="1/2"),),
        "posterior-lipschitz read responses: found {'y': '1/2'}",
    ),
    Forgery(
        "L is attained nowhere",
        "interval-answers",
        (evidence(L, "attained", to=None),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained at a later step",
        "interval-answers",
        (evidence(L, "attained", "h", to=1),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "L is attained without a response",
        "interval-answers",
        (drop("claims", L, "evidence", "attained", "Phi"),),
        "posterior-lipschitz read responses: found no parameter point",
    ),
    Forgery(
        "L of blocks is that of one policy",
        "interval-blocks",
        (value(L, L_lower="1/4", L_upper="1/4"),),
        "posterior-lipschitz box: found no proof of -1+2*theta.p >= 0",
    ),
    Forgery(
        "a block of one policy for two",
        "interval-blocks",
        (evidence(L, "attained", "pi", to=["ask"]),),
        "posterior-lipschitz read posterior-lipschitz.place: found 1 entries",
    ),
    Forgery(
        "blocks of equal policies attain L",
        "interval-blocks",
        (evidence(L, "attained", "nu", to=["ask", "ask"]),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L of the policy form is that of the step form",
        "interval-blocks",
        (
            put("options", "lipschitz_form", to="policy"),
            put("readings", 0, to="2.3:form=policy"),
            value(L, L_lower="1/4", L_upper="1/4"),
            evidence(L, "signs", to=[]),
        ),
        "posterior-lipschitz box: found no proof of -1+2*theta.p >= 0",
    ),
    Forgery(
        "posteriors meet and 2.3 holds",
        "interval-meeting",
        (
            claim(
                L,
                verdict="proved",
                values={"L_lower": "1", "L_upper": "100"},
                evidence={"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": None},
                witness=None,
            ),
        ),
        "posterior-lipschitz box: found no bound of the difference 1*(+1*Phi.u), 1*(-1*Phi.u)",
    ),
    Forgery(
        "posteriors meet elsewhere",
        "interval-meeting",
        (witness(L, "theta", "x", to="1/2"),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "posteriors that meet are others",
        "interval-meeting",
        (witness(L, "posteriors", to=[["1/2", "1/2"], ["1/2", "1/2"]]),),
        "posterior-lipschitz eval: found other rows",
    ),
    # ---------------------------------------------------------------- 2.4 and rule pairs
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
        "c_KL is what it is in one place",
        "interval",
        (value(K, c_KL_joint_lower="6881267451/40000000000"),),
        "kl-joint pairs: found no proof of KL >= 6881267451/40000000000 Delta on theta.x in [0, 1/2",
    ),
    Forgery(
        "c_KL without cuts",
        "interval",
        (evidence(K, "trees", "p", 0, to=["box"]),),
        "kl-joint pairs: found no proof of KL >= 34263469271/200000000000 Delta on theta.x in [0, 1",
    ),
    Forgery(
        "c_KL with the cut at an end",
        "interval",
        (evidence(K, "trees", "p", 0, 2, to="1"),),
        "kl-joint read kl-joint.trees.p: found a cut of theta.x' at 1",
    ),
    Forgery(
        "c_KL with half of the chart",
        "interval",
        (evidence(K, "trees", "p", 0, to=["split", "theta.x'", "1/2", ["box"], ["outside", 0]]),),
        "kl-joint read kl-joint.trees.p: found ['outside', 0]",
    ),
    Forgery(
        "c_KL with no chart",
        "interval",
        (evidence(K, "trees", "p", to=[]),),
        "kl-joint read kl-joint.trees.p: found 0 entries",
    ),
    Forgery(
        "c_KL with a chart twice",
        "interval",
        (again("claims", K, "evidence", "trees", "p"),),
        "kl-joint read kl-joint.trees.p: found 2 entries",
    ),
    Forgery(
        "c_KL for no policy",
        "interval",
        (evidence(K, "trees", to={}),),
        "kl-joint read kl-joint.trees: found no key 'p'",
    ),
    Forgery(
        "c_KL for another policy besides",
        "interval",
        (added("claims", K, "evidence", "trees", by={"q": []}),),
        "kl-joint read kl-joint.trees: found the unknown key 'q'",
    ),
    Forgery(
        "c_KL over an axis that changes sign",
        "interval",
        (evidence(K, "trees", "p", 0, to=lambda tree: ["over", [["1", "theta.x"]], tree]),),
        "kl-joint read kl-joint.trees.p: found a factor that leaves a remainder",
    ),
    Forgery(
        "c_KL over a number",
        "interval",
        (evidence(K, "trees", "p", 0, to=lambda tree: ["over", [["1/1000"]], ["box"]]),),
        "kl-joint pairs: found no proof of KL >= 34263469271/200000000000 Delta on theta.x in [0, 1",
    ),
    Forgery(
        "c_KL over a factor of the wrong sign",
        "pairs-over",
        (evidence(K, "trees", "p", 0, 1, 0, 0, to="1"),),
        "kl-joint read kl-joint.trees.p: found a factor that leaves a remainder",
    ),
    Forgery(
        "c_KL with a common factor forgotten",
        "pairs-over",
        (evidence(K, "trees", "p", 0, to=lambda tree: tree[2]),),
        "kl-joint pairs: found no proof of KL >= 2597452962707/1000000000000 Delta on theta.x in [2",
    ),
    Forgery(
        "c_KL where a probability vanishes, without cuts",
        "pairs-vanishing",
        (evidence(K, "trees", "p", 0, to=["box"]),),
        "kl-joint pairs: found no proof of KL >= 2665333066799/1000000000000 Delta on theta.x in [0",
    ),
    Forgery(
        "c_KL in a shear of an axis by itself",
        "interval",
        (evidence(K, "shears", to={"p": {"theta.x": {"theta.x": "1"}}}),),
        "kl-joint read kl-joint.shears.p: found theta.x with theta.x",
    ),
    Forgery(
        "c_KL in a shear of two axes by each other",
        "interval-bandit",
        (evidence(K, "shears", to={"a1": {"theta.mu1": {"theta.mu2": "1"}, "theta.mu2": {"theta.mu1": "1"}}}),),
        "kl-joint read kl-joint.shears.a1: found theta.mu1 with theta.mu2",
    ),
    Forgery(
        "c_KL in a shear of another policy",
        "interval",
        (evidence(K, "shears", to={"q": {}}),),
        "kl-joint read kl-joint.shears: found the unknown key 'q'",
    ),
    Forgery(
        "c_KL is attained outside of the box",
        "interval",
        (evidence(K, "attained", "xi", "theta", "x", to="2"),),
        "kl-joint read worlds: found {'x': '2'}",
    ),
    Forgery(
        "c_KL is attained by one model",
        "interval",
        (evidence(K, "attained", "xi", "theta", "x", to="0"),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL of the joint clause attained in the middle",
        "interval",
        (evidence(K, "attained", "xi", "theta", "x", to="1/2"),),
        "kl-joint log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "c_KL of the world clause without cuts",
        "interval",
        (evidence("kl-world", "trees", "p", 0, to=["box"]),),
        "kl-world pairs: found no proof of KL >= 34263469271/200000000000 Delta on theta.x in [0, 1",
    ),
    Forgery(
        "3.1(e) asks nothing where models move",
        "interval",
        (claim(K, verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "kl-joint eval: found vacuous",
    ),
    # ---------------------------------------------------------------- 2.6, 3.1(f), Theorem 3.3
    Forgery(
        "an entry of the sequence twice",
        "interval-bandit",
        (again("claims", E, "evidence", "sequence"), value(E, d_W_lower="3", d_W_upper="3")),
        "eluder-world sequence: found d_W_upper 3, rank 2",
    ),
    Forgery(
        "queries in an order that is not independent",
        "interval-answers",
        (exchanged(("claims", E, "evidence", "sequence", 0), ("claims", E, "evidence", "sequence", 1)),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "a query of a point outside",
        "interval",
        (evidence(E, "sequence", 0, "theta", "x", to="3/2"),),
        "eluder-world read worlds: found {'x': '3/2'}",
    ),
    Forgery(
        "a scale finer than the sequence's",
        "interval-answers",
        (evidence(E, "scale_squared", to="1/1073741824"),),
        "eluder-world sequence: found query 2 with square 33536503327041/72057594037927936 and 8169",
    ),
    Forgery(
        "a square of a nearer point",
        "interval",
        (evidence(E, "sequence", 0, "theta", "x", to="3/4"),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "an upper end below the lower",
        "interval-answers",
        (value(E, d_W_upper="1"),),
        "eluder-world sequence: found d_W_upper 1, rank 3",
    ),
    Forgery(
        "a rank of constants",
        "interval-bandit",
        (value(E, p_W="1"),),
        "eluder-world sequence: found d_W_upper 2, rank 1",
    ),
    Forgery(
        "entries vary by less",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "3/2"]),),
        "eluder-world box: found no proof of +1-2*theta.x >= 0",
    ),
    Forgery(
        "entries do not vary",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "1"]),),
        "eluder-world box: found no proof of -1*theta.x >= 0",
    ),
    Forgery(
        "a bound of three ends",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "2", "3"]),),
        "eluder-world read eluder-world.bounds[+1+1*theta.x]: found 3 entries",
    ),
    Forgery(
        "a tree for the goal of another polynomial",
        "interval-quotients",
        (evidence(E, "trees", to={}),),
        "eluder-world box: found no proof of +2442-4393*theta.x+1993*theta.x*theta.x >= 0",
    ),
    Forgery(
        "the adversary's sequence of another cell",
        "interval-answers",
        (evidence(A, "xi_star", "theta", "z", to="1/3"),),
        "eluder-adversary sequence: found other squares at query 1",
    ),
    Forgery(
        "the adversary's response differs by less",
        "interval-answers",
        (evidence(A, "bounds", "+1+2*Phi.y", to=["5/4", "4/3"]),),
        "eluder-adversary box: found no proof of +1-6*Phi.y >= 0",
    ),
    Forgery(
        "an adversary that never moves has a query",
        "interval",
        (value(A, d_G_lower="1", d_G_upper="1"),),
        "eluder-adversary sequence: found d_G_upper 1, rank 0",
    ),
    Forgery(
        "the fading response moves by less",
        "interval-fading",
        (evidence(F, "gaps", to=lambda gaps: dict.fromkeys(gaps, "1/2")), value(F, L_g="1/4")),
        "warmup-stationary box: found no proof of +1-4*Phi.y*Phi.y-1*Phi.z >= 0 where +3-4*Phi.y-4*",
    ),
    Forgery(
        "half of what a response moves by",
        "interval-fading",
        (value(F, L_g="5/32"),),
        "warmup-stationary box: found gamma 9/10, L_g 5/32",
    ),
    Forgery(
        "a fading response with a negative weight",
        "interval-fading",
        (evidence(F, "trees", FADE, 1, to={"0": [["-1/3"]]}),),
        "warmup-stationary read warmup-stationary.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a fading response with a weight negative at an end",
        "interval-fading",
        (evidence(F, "trees", FADE, 1, to={"0": [["-1"], ["8/3", "Phi.y"]]}),),
        "warmup-stationary read warmup-stationary.trees: found the weight of constraint 0",
    ),
    Forgery(
        "forgetting at another rate",
        "interval-fading",
        (value(F, gamma="1/2"),),
        "warmup-stationary box: found gamma 1/2, L_g 5/16",
    ),
    Forgery(
        "observations are likelier than at an end",
        "interval",
        (value("constants", least_observation="1/3"),),
        "constants box: found no proof of -1 >= 0",
    ),
    Forgery(
        "the regret is bounded by half",
        "interval-bandit",
        (value("constants", sharp_regret_upper="3894171/1000"),),
        "constants bound: found sharp_regret_upper = 3894171/1000",
    ),
    Forgery(
        "T_star is half", "interval-bandit", (value("constants", T_star="334"),), "constants bound: found T_star = 334"
    ),
    Forgery(
        "observations are impossible",
        "interval",
        (value("constants", least_observation="0"),),
        "constants bound: found least_observation = 0",
    ),
    Forgery(
        "a bound though 3.1(c) is refuted",
        "interval-impossible",
        (claim("constants", verdict="proved", values={"c": "16"}, evidence={"rule": "bound", "trees": {}}),),
        "constants eval: found proved",
    ),
    Forgery(
        "3.1(e) by a factor of degree 65",
        "interval",
        (put("claims", "kl-joint", "evidence", "trees", "p", 0, to=lambda tree: ["over", STEEP, tree]),),
        "kl-joint pairs: found a polynomial of too many terms",
    ),
    Forgery(
        "an axis is moved along itself",
        "interval",
        (put("claims", "kl-joint", "evidence", "shears", to={"p": {"theta.x": {"theta.x": "1"}}}),),
        "kl-joint read kl-joint.shears.p: found theta.x with theta.x",
    ),
    Forgery(
        "2.4 by a factor of degree 65",
        "interval",
        (put("claims", "weak-revealing", "evidence", "trees", 0, "tree", to=lambda tree: ["over", STEEP, tree]),),
        "weak-revealing tests: found a polynomial of too high degree",
    ),
    Forgery(
        "a sign by a weight of degree 65",
        "interval-tied",
        (
            put(
                "claims",
                "nonexpansive",
                "evidence",
                "trees",
                to=lambda trees: dict.fromkeys(trees, ["weighted", {"0": STEEP}]),
            ),
        ),
        "nonexpansive box: found the goal +1-1*theta.x-1*theta.y >= 0",
    ),
    Forgery(
        "L is negative where no response differs",
        "interval",
        (value(L, L_upper="-1"),),
        "posterior-lipschitz box: found L_upper = -1, required at least the ratio 0",
    ),
    Forgery(
        "2.3 is declared on an interval",
        "interval",
        (claim(L, verdict="declared", values={}, evidence=None),),
        "posterior-lipschitz box: found declared, required unknown, since an axis is an interval",
    ),
    Forgery(
        "nothing to compare, with more than that in evidence",
        "interval",
        (claim("regret", evidence={"rule": "eval", "trees": {}}),),
        "regret eval: found values, a witness or other evidence",
    ),
    Forgery(
        "a number of models in a class without kernels",
        "own-interval",
        (claim(C, verdict="proved", values={"log_covering_upper": {"log_of": "2"}}, evidence={"rule": "eval"}),),
        "covering eval: found proved, required unknown, since an axis is an interval",
    ),
    Forgery(
        "J is G W where their product is not formed",
        "own-interval",
        (put(*ENTRY, "W", 0, 0, 0, 0, to="x^40"), put(*ENTRY, "G", "p", 0, 0, 0, 0, to="y^40")),
        "factorization eval: found proved, required unknown",
    ),
    Forgery(
        "J is G W though W is not there at x = 1/2",
        "own-interval",
        (put(*ENTRY, "W", 0, 0, 0, 0, to="1/(2*x-1)"),),
        "factorization eval: found proved, required unknown",
    ),
    Forgery(
        "that there is nothing to learn",
        "interval-net",
        (claim("regret", verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "regret eval: found vacuous",
    ),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)


def test_labels_are_different() -> None:
    """No forgery is listed twice."""
    assert len({str(each) for each in FORGERIES}) == len(FORGERIES)


BOX, READ = "posterior-lipschitz box: found ", "posterior-lipschitz read posterior-lipschitz.signs[0]: found "
FIRST = ("claims", L, "evidence", "signs", 0)
CHOICES = [
    Forgery("signs of the other end of the axis", "interval-blocks", (put(*FIRST, "choice", to=[0, -1, 1]),), BOX),
    Forgery("no choice where one is needed", "interval-blocks", (evidence(L, "signs", to=[]),), BOX),
    Forgery("a choice for policies in another order", "interval-blocks", (exchanged((*FIRST, "policies", 0), (*FIRST, "policies", 1)),), BOX),
    Forgery("a choice for all histories", "interval-blocks", (put(*FIRST, "tau_B", to=None),), BOX),
    Forgery("the posterior false", "interval-blocks", (put(*FIRST, "choice", to=[False, 1, -1]),), READ),
    Forgery("the sign true", "interval-blocks", (put(*FIRST, "choice", to=[0, True, -1]),), READ),
    Forgery("signs of two", "interval-blocks", (put(*FIRST, "choice", to=[0, 2, -2]),), READ),
    Forgery("no signs", "interval-blocks", (put(*FIRST, "choice", to=[0, 0, 0]),), READ),
    Forgery("a posterior counted from the end", "interval-blocks", (put(*FIRST, "choice", to=[-1, 1, -1]),), READ),
    Forgery("a choice of nothing", "interval-blocks", (put(*FIRST, "choice", to=[]),), READ),
    Forgery("a half is left out", "interval-blocks", (put(*FIRST, "choice", to=["split", "theta.p", "0", None, None]),), READ),
]  # fmt: skip


@pytest.mark.parametrize("forgery", CHOICES, ids=str)
def test_choice(forgery: Forgery) -> None:
    """A choice of signs that is not of the comparison, or shows nothing there, is refused."""
    refuses(forgery)
