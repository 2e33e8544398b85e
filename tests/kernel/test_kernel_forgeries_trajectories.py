"""Forgeries of Assumptions 3.1(c) and 3.1(d): false increments, and trajectories that both models allow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, distinct, evidence, exchanged, refuses, value, witness

B = "bounded-increments"
D = "predictive-states"
NONE: dict[str, Any] = {"values": {}, "evidence": None}
IMPOSSIBLE = {
    "pi": "idle",
    "probability": "1/2",
    "trajectory": ["o0", "a0", "o0", "a0"],
    "xi": {"Phi": {"y": "1/4"}, "theta": {"x": "0"}},
    "xi_prime": {"Phi": {"y": "1/8"}, "theta": {"x": "0"}},
}
RISE = "+1-1*theta.x-1*theta.y > 0 where +7-8*theta.x-8*theta.y >= 0"
DIP = "+1-4*theta.x+8*theta.x*theta.x-8*theta.x*theta.x*theta.x+4*theta.x*theta.x*theta.x*theta.x > 0"


FORGERIES = distinct(
    # finite classes
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
    # interval axes
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
        "log-likelihoods are flatter, and B_0 is larger",
        "interval",
        (value(B, B0_upper={"log_of": "2"}, log_likelihood_lipschitz_upper="1"),),
        "bounded-increments box: found B0_upper 2, slope 1",
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
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
