"""Forgeries of Assumption 3.1(e): false constants, charts that are missing, and laws of play that differ."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, added, again, distinct, evidence, exchanged, refuses, value, witness

K = "kl-joint"
NONE: dict[str, Any] = {"values": {}, "evidence": None}
CONVERTED = {
    "difference": "1/4",
    "h": 1,
    "pi": "idle",
    "trajectory": ["o0", "a0"],
    "xi_star": {"Phi": {"y": "1/4"}, "theta": {"x": "0"}},
    "xi": {"Phi": {"y": "1/8"}, "theta": {"x": "0"}},
}
STEEP = [["1", *["theta.x"] * 65]]  # of a degree beyond what a monomial may have


FORGERIES = distinct(
    # finite classes
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
    # interval axes
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
        "c_KL of W where it is that of J",
        "drifts",
        (value("kl-world", c_KL_world_lower="1/5", c_KL_world_upper="1/5"),),
        "kl-world pairs: found no proof of KL >= 1/5 Delta on theta.x in [1/20, 3/20]",
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
        "c_KL in a shear of an axis that the class does not have",
        "interval",
        (evidence(K, "shears", to={"p": {"theta.z": {}}}),),
        "kl-joint read kl-joint.shears.p: found theta.z, required an axis of the class",
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
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
