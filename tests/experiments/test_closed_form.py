"""The oracles of a product Bernoulli class, against their definitions."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.experiments import closed_form
from pomgcheck.experiments.closed_form import ProductBernoulli

CLASS = ProductBernoulli(1 / 8, 7 / 8)


def divergence(p: float, q: float) -> float:
    """KL of two coins."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def ints(*values: int) -> np.ndarray:
    """A row of integers."""
    return np.array(values, dtype=np.int64)


def test_estimate_is_the_clipped_mean() -> None:
    """Half the rewards is 1/2; none and all are clipped to the ends of the class."""
    assert [0.5, 0.125, 0.875] == CLASS.estimate(ints(4, 4, 4), ints(2, 0, 4)).tolist()


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 5000), st.floats(0, 1), st.floats(0.01, 200))
def test_optimistic_value_is_the_largest_in_the_confidence_interval(n: int, share: float, beta: float) -> None:
    """At it the evidence is at most beta, and a little above it more, unless it is the top of the class."""
    s = round(share * n)
    (q,) = CLASS.optimistic(ints(n), ints(s), np.array([beta]))
    p = min(max(s / n, 1 / 8), 7 / 8)
    assert p <= q <= 7 / 8
    assert n * divergence(p, q) <= beta + 1e-6
    assert q == 7 / 8 or n * divergence(p, q + 1e-6) > beta


def test_unplayed_arm_promises_the_top() -> None:
    """An arm without data may be as good as the class allows, and the first or the last such arm is taken."""
    n, s, beta = ints(0, 5, 0)[None], ints(0, 5, 0)[None], np.array([3.0])
    assert ([2], [0.875]) == tuple(x.tolist() for x in CLASS.choose(n, s, beta, "last"))
    assert ([0], [0.875]) == tuple(x.tolist() for x in CLASS.choose(n, s, beta, "first"))


def test_ties_go_to_the_first_arm() -> None:
    """Arms of equal data are tied; among played arms the first is taken whatever the fresh rule."""
    n, s = ints(40, 90, 90)[None], ints(4, 45, 45)[None]
    arm, promised = CLASS.choose(n, s, np.array([5.0]), "last")
    assert [1] == arm.tolist()
    assert 0.5 < promised[0] < 0.875


def plain(n: int, s: float, coins: list[int], mean: float, threshold: float, below: bool) -> int:
    """The test episode by episode."""
    for k, coin in enumerate(coins, start=1):
        n, s = n + 1, s + coin
        p = min(max(s / n, 1 / 8), 7 / 8)
        if n * divergence(p, mean) > threshold + 1e-3 * k and (p < mean or not below):
            return k
    return 0


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_refutation_is_found_where_the_plain_loop_finds_it(data: st.DataObject) -> None:
    """Two runs at once, on coins of any bias, penalties before them, a threshold that grows, one side or both."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    most = ints(data.draw(st.integers(0, 900)), data.draw(st.integers(1, 900)))
    coins = rng.random(2000) < data.draw(st.sampled_from([0.05, 0.3, 0.5, 0.9]))
    mean = np.array([data.draw(st.floats(0.2, 0.875)), 0.875])
    n, s = ints(data.draw(st.integers(0, 50)), 4), np.array([0.0, 1.4])
    s[0] = n[0] * data.draw(st.sampled_from([-0.15, 0.0, 0.4]))
    at, low, below = ints(0, 1000), data.draw(st.floats(0.5, 60)), data.draw(st.booleans())
    found = CLASS.refuted(
        n, s, np.concatenate([[0], np.cumsum(coins)]), at, most, mean, lambda run, t: low + 1e-3 * t, below
    )
    expected = [
        plain(int(n[i]), float(s[i]), coins[at[i] : at[i] + most[i]].astype(int).tolist(), float(mean[i]), low, below)
        for i in range(2)
    ]
    assert expected == found.tolist()


@pytest.mark.parametrize("length", [1, 7, 10_000])
def test_answer_does_not_depend_on_the_stretch(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cleared in short or long stretches, or looked at one by one, the first refutation is the same."""
    coins = np.concatenate([[0], np.cumsum(np.random.default_rng(5).random(5000) < 0.5)])

    def first() -> list[int]:
        return CLASS.refuted(
            ints(0), ints(0), coins, ints(0), ints(5000), np.array([0.7]), lambda run, t: np.full(t.shape, 60.0)
        ).tolist()

    expected = first()
    monkeypatch.setattr(closed_form, "SHORTEST", length)
    assert expected == first()
    assert expected[0] > 100
