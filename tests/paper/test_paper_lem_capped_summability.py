"""Lemma "Capped Weighted Eluder Summability", which the bin lemma of docs/bound.md takes the place of: its constants, and the lemma itself on random sequences."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import ceil, isqrt, log, log2, sqrt

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.paper.ranges import implied, reals, rises_from_zero

Functions = list[list[int]]


def test_damage_of_a_bucket() -> None:
    """N <= d(R/w + 2) queries of a bucket, each of damage at most 8w where w <= cap, cost d(8R + 16 cap) at most."""
    N, R, w, cap, d = reals("N R w cap d")
    assert implied(N * 8 * w <= d * (8 * R + 16 * cap), N * w <= d * (R + 2 * w), 0 < w, w <= cap, d >= 0, R >= 0)


def test_consolidated_constants() -> None:
    """d(8R + 16 cap) + cap is at most the paper's 40 d(R + cap) + 2 cap."""
    R, cap, d = reals("R cap d")
    assert implied(d * (8 * R + 16 * cap) + cap <= 40 * d * (R + cap) + 2 * cap, R >= 0, cap >= 0, d >= 0)


def test_scale_is_at_least_the_one_the_dimensions_are_taken_at() -> None:
    """a/2 >= 1/(2T) for a^2 = cap/(2T) wherever cap >= 2, and the cap is at least 5 c = 80."""
    cap, T = reals("cap T")
    assert implied(cap / (2 * T) / 4 >= 1 / (4 * T * T), cap >= 2, T >= 1)


def test_cauchy_schwarz_step_for_two_channels() -> None:
    """(x+y)^2 <= 2x^2 + 2y^2: R_G = 2R_J + 2R_W, and the sum over epochs is at most 2 S_W + 2 S_G."""
    x, y = sp.symbols("x y")
    assert sp.expand(2 * x**2 + 2 * y**2 - (x + y) ** 2 - (x - y) ** 2) == 0


def test_shares_of_a_growing_total() -> None:
    """n/N' <= log(N'/N) for N' = N + n, that is x <= -log(1-x): with x = 1 - e^-y, y - 1 + e^-y >= 0."""
    y = sp.Symbol("y", nonnegative=True)
    assert rises_from_zero(y - 1 + sp.exp(-y), y, 2)


@settings(max_examples=200)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30))
def test_episodes_of_one_policy(counts: list[int]) -> None:
    """The sum of n_e / (n_1 + ... + n_e) is at most 1 + log of the total."""
    total, shares = 0, 0.0
    for n in counts:
        total += n
        shares += n / total
    assert shares <= 1 + log(total) + 1e-9


def dimension(functions: Functions, scale: Fraction) -> int:
    """The longest sequence of queries each independent of its predecessors, over every order and every larger scale."""
    queries = range(len(functions[0]))
    scales = {scale, *(Fraction(v) for row in functions for v in row if v >= scale)}
    scales |= {s - Fraction(1, 1000) for s in scales if s - Fraction(1, 1000) >= scale}
    best = 0
    for s in scales:
        for order in permutations(queries):
            length = 0
            for x in order:
                before = order[:length]
                if not any(sum(row[z] ** 2 for z in before) <= s * s and row[x] > s for row in functions):
                    break
                length += 1
            best = max(best, length)
    return best


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_capped_summability_itself(data: st.DataObject) -> None:
    """On any sequence of epochs, with R and the cap as small as it allows, the weighted sum of squares is at most
    d (8R + 16 cap) times the number of buckets, plus the cap."""
    queries, most = data.draw(st.integers(1, 3)), 8
    functions = data.draw(
        st.lists(st.lists(st.integers(0, most), min_size=queries, max_size=queries), min_size=1, max_size=4)
    )
    epochs = data.draw(
        st.lists(
            st.tuples(st.integers(0, len(functions) - 1), st.integers(0, queries - 1), st.integers(1, 64)),
            min_size=1,
            max_size=12,
        )
    )
    damage = [n * functions[f][x] ** 2 for f, x, n in epochs]
    past = [sum(m * functions[f][z] ** 2 for _, z, m in epochs[:k]) for k, (f, _, _) in enumerate(epochs)]
    cap, R, T = max(damage), max(past), sum(n for _, _, n in epochs)
    if cap:
        floor = Fraction(isqrt(cap * 2**40 // (2 * T)), 2**21)
        buckets = ceil(log2(2 * most / sqrt(cap / (2 * T)))) * (4 * T - 1).bit_length()
        assert sum(damage) <= dimension(functions, floor) * (8 * R + 16 * cap) * buckets + cap
