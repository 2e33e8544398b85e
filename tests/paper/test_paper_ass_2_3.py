"""Assumption 2.3, posterior-Lipschitz adversaries."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from tests.paper.facts import facts, least_constant, reacts_at_most
from tests.search import small


def test_assumption_2_3_by_hand() -> None:
    """Assumption 2.3: responses differ by 2y <= 1/2 and posteriors by twice the chance of a patrol, at least 13/16."""
    assert least_constant(facts(small.drift()), "8/13")


def test_assumption_2_3_holds_uniformly_over_theta() -> None:
    """Assumption 2.3 asks one L for all theta: in world x = 1/8 alone a wait leaves s1 with 7/16, the posteriors differ
    by 15/16 and L = 8/15 would do."""
    document = small.drift()
    document["worlds"]["parameters"]["x"]["values"] = ["1/8"]
    assert least_constant(facts(document), "8/15")


def test_assumption_2_3_positive_over_zero() -> None:
    """Assumption 2.3 fails when policies that look alike to the adversary are answered differently."""
    document = small.drift()
    document["policies"]["list"]["watch"] = document["policies"]["list"]["idle"]
    assert not reacts_at_most(facts(document), 10**12)


@pytest.mark.parametrize("memory", [1, 2, 3])
def test_assumption_2_3_blocks_of_an_averaging_rule(memory: int) -> None:
    """Assumption 2.3 over blocks: for R = the mean of the last m responses, written out as a table of all blocks, the
    constant is that of single policies, since max_i dominates the average."""
    document = small.drift()
    responses = document["responses"]
    ends = {"idle": Fraction(0), "watch": Fraction(1)}
    blocks = {}
    for block in product(sorted(ends), repeat=memory):
        part = sum((ends[name] for name in block), Fraction(0)) / memory
        up = f"({2 * part.numerator}*y+{part.denominator})/{2 * part.denominator}"
        down = f"(-{2 * part.numerator}*y+{part.denominator})/{2 * part.denominator}"
        blocks[" ".join(block)] = [[up, down]]
    responses |= {"block_rule": "table", "memory": memory, "blocks": blocks}
    assert least_constant(facts(document), "8/13")


def test_assumption_2_3_step_and_policy_forms() -> None:
    """Assumption 2.3 compares step h with step h; an adversary that moves before the policies part fails it, and meets
    the form that compares with the largest difference over all steps, here 2 x 9/16 against a response gap of 1/2 in
    world x = 1/8, and 2 x 1/2 in world x = 0."""
    document = small.drift()
    tables = document["policies"]["list"]
    tables["watch"] = {"steps": [tables["idle"], tables["watch"]]}
    assert not reacts_at_most(facts(document), 10**12)
    assert least_constant(facts(document, lipschitz_form="policy"), "1/2")
