"""Forgeries that a kernel with one thing changed would let pass (tests/mutation/README.md)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import Certificate, Edit, get, put
from tests.kernel.forged import Forgery, added, evidence, refuses, value, witness

L, W, B, K = "posterior-lipschitz", "weak-revealing", "bounded-increments", "kl-joint"
HARMED = ("claims", "regret", "evidence", "truths", 0, "policies", 0)
SIGNS = ("claims", L, "evidence", "signs")
ORDERED: dict[str, Any] = {"theta": {}, "policies": [["never", "ask"]], "tau_B": ["d0"], "choice": None}


def another_tree(**place: Any) -> Edit:
    """The last tree of 2.4 once more, for another problem."""

    def edit(certificate: Certificate) -> None:
        trees = get(certificate, "claims", W, "evidence", "trees")
        trees.append(trees[-1] | place)

    return edit


FORGERIES = [
    Forgery(
        "L of blocks is half of what it is",
        "drift-table",
        (value(L, L_lower="4/13", L_upper="4/13"),),
        f"{L} box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "a choice for what is not compared",
        "interval-blocks",
        (added(*SIGNS, by=ORDERED),),
        f"{L} box: found a choice for never and ask",
    ),
    Forgery(
        "a sign too few", "interval-blocks", (put(*SIGNS, 0, "choice", to=[0, 1]),), f"{L} read {L}.signs[0]: found "
    ),
    Forgery(
        "a tree for a problem that the class does not pose",
        "drift",
        (another_tree(h=2),),
        f"{W} tests: found a tree for",
    ),
    Forgery("a tree for a step beyond the last", "drift", (another_tree(h=99),), f"{W} read {W}.h: found 99"),
    Forgery(
        "KL is least between a model and itself",
        "drift",
        (
            evidence(K, "attained", to=lambda place: place | {"xi": place["xi_star"]}),
            value(K, c_KL_joint_upper="2166924413/10000000000"),
        ),
        f"{K} log: found KL > upper * Delta at the attaining models",
    ),
    Forgery(
        "B_0 is attained where the ratio is below one",
        "drift",
        (
            evidence(B, "attained", "xi", to={"theta": {"x": "0"}, "Phi": {"y": "1/4"}}),
            evidence(B, "attained", "xi_prime", to={"theta": {"x": "1/8"}, "Phi": {"y": "1/4"}}),
        ),
        f"{B} eval: found P = ",
    ),
    Forgery(
        "a trajectory that may have a negative chance",
        "interval",
        (evidence(B, "bounds", "+3+1*theta.x", 0, to="-1"),),
        f"{B} box: found the lower bound -3/32 of a trajectory",
    ),
    Forgery(
        "a function that is no more than the scale",
        "interval",
        (evidence("eluder-world", "scale_squared", to="21025/262144"),),
        "eluder-world sequence: found query 1 with square 21025/262144 and 0 before it",
    ),
    Forgery(
        "a policy that loses less, in other digits",
        "list",
        (put(*HARMED, "regret", to="9/40"),),
        "regret list: found regret 9/40",
    ),
    Forgery("a policy that is never told apart", "list", (put(*HARMED, "c", to="0"),), "regret list: found c = 0"),
    Forgery(
        "G differs from itself",
        "own-world-in-G",
        (
            witness("factorization", "xi_prime", to={"Phi": {"y": "0"}, "theta": {"x": "0"}}),
            witness("factorization", "entry_prime", to="1"),
        ),
        "factorization witness: found {'entry': '1', 'entry_prime': '1'}",
    ),
    Forgery(
        "a constraint that is not affine",
        "interval-tied",
        (put("model", "worlds", "constraints", 0, to="-8*x*y+7 >= 0"),),
        "file read worlds.constraints: found a constraint of higher degree",
    ),
    Forgery(
        "a constraint with a quotient",
        "interval-tied",
        (put("model", "worlds", "constraints", 0, to="7-1/x >= 0"),),
        "file read worlds.constraints: found a constraint of higher degree",
    ),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
