"""Assumption 3.1(f), stationarity after warm-up, and Theorem 5.2's condition in its place."""

from __future__ import annotations

import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import Malformed
from tests.paper.facts import facts, found
from tests.search import small


@pytest.mark.parametrize("rule", ["latest", "mean"])
def test_assumption_3_1f_holds_by_construction(rule: str) -> None:
    """Assumption 3.1(f): m equal policies in a row are answered by the stationary response, for the last policy as for
    the mean of m."""
    document = small.drift()
    document["responses"]["block_rule"] = rule
    assert ("proved", {}) == found(facts(document), "warmup-stationary")


def test_assumption_3_1f_tables_must_agree() -> None:
    """Assumption 3.1(f): a table of blocks whose constant block is not the stationary response is not a class."""
    document = small.drift()
    table = document["responses"]["table"]
    blocks = {f"{p} {n}": table[n] for p in table for n in table}
    document["responses"] |= {"block_rule": "table", "blocks": blocks}
    assert "proved" == found(facts(document), "warmup-stationary").verdict
    blocks["watch watch"] = table["idle"]
    with pytest.raises(Malformed, match="block of watch alone"):
        Game(document)


def test_theorem_5_2_condition_of_fading_memory() -> None:
    """Theorem 5.2 in place of 3.1(f): gamma as declared, and g is L_g-Lipschitz in the mixture of policies with L_g
    half
    the largest l1 distance of two responses: (1/2, 1/2) and (3/4, 1/4) give 1/4."""
    document = small.drift()
    del document["responses"]["memory"]
    document["responses"] |= {"block_rule": "fading", "gamma": "9/10"}
    assert ("proved", {"gamma": "9/10", "L_g": "1/4"}) == found(facts(document), "warmup-stationary")
