"""docs/bound.md, Theorem N in the form of a root: the two inequalities it takes, over random laws and their whole range."""

from __future__ import annotations

from math import exp, sqrt

from hypothesis import given
from hypothesis import strategies as st

weights = st.lists(st.floats(0, 1), min_size=2, max_size=6).filter(lambda w: sum(w) > 0.01)


@given(weights, weights, st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_bound_lem_hellinger(left: list[float], right: list[float], f: list[float]) -> None:
    """|E_P f - E_Q f|^2 <= R^2 h^2 (2 - h^2), R the range of f and h^2 = 1 - sum sqrt(PQ)."""
    n = min(len(left), len(right))
    if sum(left[:n]) <= 0 or sum(right[:n]) <= 0:
        return
    P, Q = ([x / sum(w[:n]) for x in w[:n]] for w in (left, right))
    gap = sum((p - q) * y for p, q, y in zip(P, Q, f, strict=False))
    h2 = max(0.0, 1 - sum(sqrt(p * q) for p, q in zip(P, Q, strict=True)))
    R = max(f[:n]) - min(f[:n])
    assert gap**2 <= R**2 * h2 * (2 - h2) + 1e-9


@given(st.integers(1, 10**6), st.floats(1e-9, 50), st.floats(0, 20))
def test_bound_lem_leaving_episode(n: int, ell: float, more: float) -> None:
    """If (n-1) l <= a and a >= 2 then n (1 - e^-l) <= a: the episode at which a model is refuted is free."""
    a = max(2.0, (n - 1) * ell) + more
    assert n * (1 - exp(-ell)) <= a * (1 + 1e-12)


def test_bound_lem_leaving_episode_needs_a_of_two() -> None:
    """At a = 1 it fails: n = 2 and l = 1 give 2 (1 - 1/e) = 1.26."""
    n, ell, a = 2, 1.0, 1.0
    assert (n - 1) * ell <= a
    assert n * (1 - exp(-ell)) > a
