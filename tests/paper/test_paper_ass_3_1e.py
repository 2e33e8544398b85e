"""Assumption 3.1(e), stepwise KL-to-operator conversion."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from pomgcheck.kernel.claims.kl import conversions, dominates
from tests.kernel.trajectories import is_square_error
from tests.paper.facts import facts, found
from tests.search import small, truth

TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]


def right_sides_are(value: Fraction, document: Any, world: bool, **options: Any) -> bool:
    """Whether there are pairs with a positive right side, and it is ``value`` for every one."""
    found = list(conversions(facts(document, **options), world))
    return bool(found) and all(is_square_error(value, play, x, y[0] if world else y) for play, x, y in found)


def test_assumption_3_1e_right_side_by_hand() -> None:
    """Assumption 3.1(e): one step, one state, chances of o0 1/2 and 1/4: J differs by 1/4 at either observation, so the
    sum of expected squares is 1/16 in both clauses."""
    document = small.gauge([["(-x+2)/4", "(x+2)/4"]], [[["1"]]], horizon=1)
    assert right_sides_are(Fraction(1, 16), document, False)
    assert right_sides_are(Fraction(1, 16), document, True)


def test_assumption_3_1e_world_clause_keeps_the_adversarys_action_open() -> None:
    """Assumption 3.1(e), norm on V: with two actions b that the world treats alike W has two copies, the difference
    doubles to 1/2 and its square to 1/4, while J mixes them back to 1/16."""
    document = small.gauge([["(-x+2)/4", "(x+2)/4"]], [[["1"], ["1"]]], ["1/2", "1/2"], horizon=1)
    assert right_sides_are(Fraction(1, 16), document, False)
    assert right_sides_are(Fraction(1, 4), document, True)


def test_assumption_3_1e_constant_by_hand() -> None:
    """Assumption 3.1(e): the lesser divergence, of (1/4, 3/4) from (1/2, 1/2), is log(27/16)/4, so c_KL = 4 log(27/16):
    the kernel accepts what is below and refuses what is above."""
    known = facts(small.gauge([["(-x+2)/4", "(x+2)/4"]], [[["1"]]], horizon=1))
    scale = 10**12
    below = Fraction(int(truth.middle(4 * flint.arb(flint.fmpq(27, 16)).log()) * scale), scale)
    ((play, star, xi),) = (pair for pair in conversions(known, False) if pair[1] == (1, 0))

    def shown(c: Fraction) -> bool:
        return dominates(play, star, xi, False, c)

    assert [True, False] == [shown(below), shown(below + Fraction(2, scale))]


def test_assumption_3_1e_sees_the_final_step() -> None:
    """Assumption 3.1(e) fails where 2.4 asks nothing: the last transition differs and nothing is observed after it."""
    known = facts(small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2, horizon=1))
    assert "vacuous" == found(known, "weak-revealing").verdict  # type: ignore[union-attr]
    assert ["refuted", "refuted"] == [
        found(known, "kl-world" if world else "kl-joint").verdict for world in (False, True)
    ]


def test_assumption_3_1e_joint_clause_depends_on_the_space() -> None:
    """Assumption 3.1(e): merged windows forget which action was played, histories do not: two responses that lead to
    one
    state differ on histories by 2 x 1/2 x 1/4 (o0 has chance 1/2) and on windows by nothing."""
    document = small.gauge([["1/2", "1/2"]], [[["1"], ["1"]]], ["1/2", "1/2"], horizon=1)
    document["worlds"]["parameters"] = {}
    document["responses"] |= {"parameters": {"y": {"values": ["0", "1"]}}, "table": {"p": [["(y+2)/4", "(-y+2)/4"]]}}
    assert [] == list(conversions(facts(document), False))
    assert right_sides_are(Fraction(1, 4) ** 2, document, False, space="history")


def test_assumption_3_1e_asks_nothing_of_equal_operators() -> None:
    """Assumption 3.1(e): where all models have the same operators there is nothing to convert."""
    document = small.gauge(TILTED, [[["1/4", "3/4"]]] * 2)
    document["worlds"]["parameters"] = {"w": {"values": ["0", "1"]}}
    assert "vacuous" == found(facts(document), "kl-joint").verdict
