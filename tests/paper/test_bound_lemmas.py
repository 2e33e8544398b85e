"""docs/bound.md, lemma by lemma: Theorem N in the form of a root, and what bounds the regret of Algorithm 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import e, exp, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.bound import SIXTEENTHS, filled
from pomgcheck.kernel.enclosures import interval
from pomgcheck.kernel.nested import Costly, Truth
from pomgcheck.kernel.paper_bound import binned
from tests.paper.ranges import implied, number, reals
from tests.paper.test_paper_lem_capped_summability import dimension

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


# ------------------------------------------------------------------------- Algorithm 1 (docs/bound.md, What both use)

laws = st.lists(st.floats(0.02, 1), min_size=2, max_size=6)


@given(laws, laws, st.sampled_from([k / 16 for k in SIXTEENTHS] + [1.0]), st.sampled_from([1, -1]))
def test_bound_lem_tuned_freedman(left: list[float], right: list[float], eta: float, sign: int) -> None:
    """E*[exp(lambda (+-Z - eta KL))] <= 1 at lambda = eta / (3 (e-2) B_0), Z = log(P/P*) + KL, and lambda Z < 1."""
    n = min(len(left), len(right))
    P, truth = ([x / sum(w[:n]) for x in w[:n]] for w in (left, right))
    X = [log(p / q) for p, q in zip(P, truth, strict=True)]
    KL = -sum(q * x for q, x in zip(truth, X, strict=True))
    B_0 = max(1.0, *map(abs, X))
    rate = eta / (3 * (e - 2) * B_0)
    assert all(rate * abs(x + KL) < 1 for x in X)
    assert sum(q * exp(rate * (sign * (x + KL) - eta * KL)) for q, x in zip(truth, X, strict=True)) <= 1 + 1e-12


def test_the_events_fit_into_the_budget() -> None:
    """delta/8 of (V), delta/8 of (E) for each eta, the sum of delta/(8 e^2) of (F), delta/2 of (B), and delta/8 for the
    transients of a fading rule come to less than 2 delta; one more eta for every sixteenth up to one would not."""
    spent = Fraction(1, 8) + Fraction(len(SIXTEENTHS), 8) + Fraction(1, 2) + Fraction(1, 8)
    firings = Fraction(1, 8) * (sum(Fraction(1, k * k) for k in range(1, 100)) + Fraction(1, 99))  # the rest by 1/99
    assert spent + firings < 2
    assert spent + firings + Fraction(15 - len(SIXTEENTHS), 8) > 2


@pytest.mark.parametrize("k", SIXTEENTHS)
@pytest.mark.parametrize("net", [False, True])
def test_bound_lem_evidence_against_a_model(k: int, net: bool) -> None:
    """From (E) and a test that had not fired one episode before, K <= (tau + A/eta)/(1-eta) + B_0, with (2-eta) B_0 more
    above where L and K of a model are those of a point of the net up to B_0; and not with less."""
    gain, K, Kp, KL, tau, A, B_0, moved_L, moved_K, total = reals("gain K Kp KL tau A B mL mK total")
    eta = Fraction(k, 16)
    known = [gain >= -tau, A >= 0, tau >= 0, B_0 >= 1, KL <= B_0, total <= K + KL]
    near = [moved_L <= (B_0 if net else 0), moved_K <= (B_0 if net else 0)]
    event = gain - moved_L <= -number(1 - eta) * Kp + A / number(eta)  # (E), of the point
    between = number(2 - eta) * B_0 if net else 0
    most = (tau + between + A / number(eta)) / number(1 - eta) + B_0
    assert implied(total <= most, event, K <= Kp + moved_K, *known, *near)
    assert not implied(total <= most - B_0 / 2, event, K <= Kp + moved_K, *known, *near)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 50)), min_size=1, max_size=20),
    st.lists(st.floats(0.01, 1), min_size=4, max_size=4),
    st.floats(0.5, 40),
)
def test_bound_lem_last_epoch(epochs: list[tuple[int, int]], gaps: list[float], Q: float) -> None:
    """Where N_pi r(pi)^2 <= R^2 Q/2 for every policy and one policy costs nothing, the sum of N_pi r(pi) is at most
    R sqrt(T Q (|Pi|-1)/2)."""
    played = [sum(n for p, n in epochs if p == policy) for policy in range(4)]
    regret = [0.0, *(min(gap, sqrt(Q / 2 / n)) if n else gap for gap, n in zip(gaps[1:], played[1:], strict=True))]
    assert sum(n * r for n, r in zip(played, regret, strict=True)) <= sqrt(sum(played) * Q * 3 / 2) + 1e-9


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 9)), min_size=1, max_size=5),
    st.integers(1, 120),
    st.integers(0, 40),
)
def test_bound_lem_fill(policies: list[tuple[int, int]], T: int, threshold: int) -> None:
    """No counts x <= 1 + (tau/2 + log(2h/delta))/c with sum at most T lose more than the dearest first: by all counts of
    the first two and what is best of the rest; and never more than T times the dearest."""
    truth = Truth(1, len(policies), tuple(Costly(Fraction(r, 40), Fraction(c, 3)) for r, c in policies))
    delta = Fraction(1, 20)
    most = filled((truth,), delta, interval(threshold), T)
    evidence = threshold / 2 + log(2 * len(policies) / delta)
    n = [min(T, int(1 + evidence * 3 / c)) for _, c in policies]
    cost = [r / 40 for r, _ in policies]
    orders = permutations(range(len(n))) if len(n) < 5 else [sorted(range(len(n)), key=lambda k: -cost[k])]
    for order in orders:
        left, lost = T, 0.0
        for k in order:
            x = min(left, n[k])
            left, lost = left - x, lost + x * cost[k]
        assert lost <= float(most.high) + 1e-9
    assert most.low <= most.high <= T * max(each.regret for each in truth.costly)
    assert filled((), delta, interval(threshold), T).high == 0


def test_the_fill_is_exact_where_T_is_what_limits() -> None:
    """Two policies of 1/3 and 1/7, the first playable for long: at T = 10 the most is 10/3, without rounding."""
    truth = Truth(1, 2, (Costly(Fraction(1, 7), None), Costly(Fraction(1, 3), Fraction(1, 1000))))
    assert filled((truth,), Fraction(1, 20), interval(4), 10) == interval(Fraction(10, 3))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_bound_lem_bins(data: st.DataObject) -> None:
    """For any epochs, Q being as small as they allow: episodes with f_e(x_e) > eps number at most dim(eps) Q / eps^2, and
    the sum of n_e f_e(x_e) is at most 2 sqrt(d Q T), what the kernel's ``binned`` is."""
    queries = data.draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 8), min_size=queries, max_size=queries)
    functions = data.draw(st.lists(row, min_size=1, max_size=4))
    one = st.tuples(st.integers(0, len(functions) - 1), st.integers(0, queries - 1), st.integers(1, 64))
    epochs = data.draw(st.lists(one, min_size=1, max_size=12))
    totals = []
    for k, (f, x, n) in enumerate(epochs):
        past = sum(m * functions[f][z] ** 2 for _, z, m in epochs[:k])
        totals.append(past + n * functions[f][x] ** 2)
    Q, T = max(totals), sum(n for *_, n in epochs)
    for eps in (Fraction(1, 2), Fraction(2), Fraction(9, 2), Fraction(7)):
        often = sum(n for f, x, n in epochs if functions[f][x] > eps)
        assert often <= dimension(functions, eps) * Q / eps**2
    if Q:
        d = dimension(functions, Fraction(1, 2 * T))
        assert sum(n * functions[f][x] for f, x, n in epochs) <= binned(d, interval(Q), T).high
