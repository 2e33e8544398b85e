"""A divisor has one sign on the region of its class, and every part of the region is cleared by that sign."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import check, problems
from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.continua import goal
from pomgcheck.kernel.polynomials import Inverse, Polynomial, divisors, inverse, polynomial, value, variable
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from tests import second
from tests.kernel.editing import canonical, claim, edited, put
from tests.search.small import document as small

TURNING = "1/2-(x-1/5)/(15*(11/20-x))", "1/2+(x-1/5)/(15*(11/20-x))"
x, y = variable("x"), variable("y")
fractions = st.fractions(0, 1, max_denominator=12)
coefficients = st.fractions(-3, 3, max_denominator=6)


def turning() -> Any:
    """A class on x in [0,1], x <= 1/2, one action of which moves by a quotient whose divisor 11/20 - x is positive
    there and negative on the rest of the box."""
    same, moves = [["1/10", "9/10"]] * 2, [[*TURNING]] * 2
    last = [[["0", "1"], ["0", "1"]]] * 2
    return {
        "format": "pomgcheck-model-class/1",
        "name": "turning",
        "game": {
            "horizon": 2,
            "states": ["s0", "s1"],
            "learner_actions": ["a0", "a1"],
            "adversary_actions": ["b0", "b1"],
            "learner_observations": ["o0", "o1"],
            "adversary_observations": ["d0"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "initial": ["1/2", "1/2"],
            "learner_emission": [["1", "0"], ["0", "1"]],
            "adversary_emission": [["1"], ["1"]],
            "transition": {"steps": [[[same, moves]] * 2, [last] * 2]},
            "parameters": {"x": {"interval": ["0", "1"]}},
            "constraints": ["-x+1/2 >= 0"],
        },
        "responses": {
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "parameters": {},
            "table": {"nu": [["1", "0"]], "pi": [["1/2", "1/2"]]},
        },
        "policies": {
            "window": 1,
            "list": {
                "nu": {"steps": [[["0", "1"], ["0", "1"]], [["1", "0"], ["0", "1"]]]},
                "pi": {"steps": [[["1", "0"], ["1", "0"]], [["1", "0"], ["0", "1"]]]},
            },
        },
    }


@settings(max_examples=150)
@given(
    st.tuples(fractions, st.sampled_from([1, -1]), st.sampled_from([0, 1])),
    st.lists(st.tuples(coefficients, st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=3),
    st.lists(st.tuples(st.sampled_from("xy"), fractions, st.booleans()), max_size=4),
    st.lists(st.tuples(fractions, fractions), min_size=3, max_size=6),
)
def test_a_goal_on_a_part_has_the_sign_of_what_was_divided(divisor: Any, terms: Any, cuts: Any, points: Any) -> None:
    """On every part of a region edge - x - k y >= 0 where the divisor D = s(edge - x - k y + 1/100) has the sign s, the
    cleared polynomial has the sign of the quotient at every point, wherever the part's middle lies."""
    edge, sign, lean = divisor
    constraint = polynomial(edge) - x - y * lean
    D = (constraint + Fraction(1, 100)) * sign
    region = Region({"x": (Fraction(0), Fraction(1)), "y": (Fraction(0), Fraction(1))}, (constraint,))
    over = inverse(D)
    region = region._replace(signs=dict.fromkeys(divisors([over]), sign))
    quotient = sum((x**n * over**power * c for c, n, power in terms), Polynomial())
    part = region
    for axis, t, upper in cuts:
        low, high = part.box[axis]
        if low < t < high:
            part = part.halves(axis, str(t), "part")[upper]
    found = goal(quotient, False, part)
    for u, v in points:
        at = {
            name: low + share * (high - low)
            for (name, (low, high)), share in zip(part.box.items(), (u, v), strict=True)
        }
        if value(constraint, at) >= 0:
            exact = value(quotient, at)
            shown = value(found.polynomial, at)
            assert (exact > 0, exact < 0) == (shown > 0, shown < 0)


def test_a_part_cannot_turn_the_sign_of_a_divisor() -> None:
    """At x = 1/2 two policies answered apart have one posterior, so 2.3 is refuted.  A proof that takes the sign of the
    divisor from the middle of a part outside the constraint would show the reversed inequality there."""
    honest = certify(load(turning()), only=["nonexpansive", "posterior-lipschitz"]).document
    assert ["proved", "refuted"] == [c["verdict"] for c in honest["claims"][2:4]]
    place = {"theta": {"x": "1/5"}, "Phi": {}, "h": 2, "tau_B": ["d0", "b0", "d0"], "pi": "pi", "nu": "nu"}
    parts = ["split", "theta.x", "1/5", [0, 1, -1], [0, 1, -1]]
    evidence = {
        "rule": "box",
        "gaps": {},
        "signs": [
            {"theta": {}, "policies": [["nu", "pi"]], "tau_B": ["d0", b, "d0"], "choice": parts} for b in ("b0", "b1")
        ],
        "trees": {},
        "attained": place,
    }
    values = {"L_lower": "5/4", "L_upper": "5/4"}
    forged = edited(
        honest, claim("posterior-lipschitz", verdict="proved", values=values, evidence=evidence, witness=None)
    )
    verdict = check.verify_bytes(canonical(forged))
    assert ("posterior-lipschitz", "box") == (verdict.claim, verdict.rule)
    assert "1/5 <= theta.x <= 1" in verdict.found


def test_a_divisor_without_a_sign_is_not_cleared() -> None:
    """A goal is not stated where no sign is known of a divisor in it."""
    symbol = Inverse("1/(+1*x)")
    symbol.divisor = x
    with pytest.raises(KeyError, match="1/"):
        goal(Polynomial({(symbol,): 1}), False, Region({"x": (Fraction(1), Fraction(2))}))


def test_the_signs_of_both_models_clear_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where moves are quotients, with divisors 1+x and 1-x, a change has those of both models; alpha is proved with their
    signs and not with those of the second model turned round, and a larger one is refused."""
    document = small(
        "halting",
        learner=[["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]],
        moves=[[["1/(1+x)", "x/(1+x)", "0"]], [["0", "x/(2-2*x)", "(2-3*x)/(2-2*x)"]], [["0", "0", "1"]]],
        worlds={},
        initial=["1/2", "1/4", "1/4"],
        responses={"table": {"p": [["1"]]}},
    )
    document["worlds"]["parameters"] = {"x": {"interval": ["1/8", "1/4"]}}
    found = json.loads(canonical(certify(load(document), only=["weak-revealing"]).document))
    values = next(entry["values"] for entry in found["claims"] if entry["id"] == "weak-revealing")
    assert "1/3" == values["alpha_upper"]
    assert [["weak-revealing", "agrees"]] == [[*line] for line in second.verdicts(found) if line[0] == "weak-revealing"]
    assert check.verify_bytes(canonical(found)).accepted
    larger = (put("claims", "weak-revealing", "values", name, to="167/500") for name in ("alpha_lower", "alpha_upper"))
    assert "REJECTED weak-revealing tests" in check.verify_bytes(canonical(edited(found, *larger))).line
    turned = problems.moved_signs
    monkeypatch.setattr(problems, "moved_signs", lambda *given: {of: -sign for of, sign in turned(*given).items()})
    assert "test function 0 does not show it" in check.verify_bytes(canonical(found)).line
