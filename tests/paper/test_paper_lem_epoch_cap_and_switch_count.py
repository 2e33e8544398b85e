"""Lemmas "Per-epoch error cap" and "Switch count", and the radius beta_T that dominates what they use: arithmetic over
the whole range, in the paper's form and in the form for finite classes."""

from __future__ import annotations

import sympy as sp

from tests.paper.ranges import implied, log_ends, nonnegative, number, reals

T, t, e = sp.symbols("T t e")


def test_running_budget_is_dominated_by_Lambda_T() -> None:
    """log(2t(t+1)/delta_e) <= 5 log(2T) + log(1/delta) for t <= T, e <= T+1: 4 t(t+1) e^2 grows in t and e, and
    4 T(T+1)(T+1)^2 <= 32 T^4 <= (2T)^5."""
    assert nonnegative(32 * T**4 - 4 * T * (T + 1) ** 3, T=1)
    assert nonnegative((2 * T) ** 5 - 32 * T**4, T=1)


def test_epoch_budget_is_dominated() -> None:
    """log(1/delta_e) <= 3 log(2T) + log(1/delta) for e <= T+1: 2 (T+1)^2 <= (2T)^3."""
    assert nonnegative((2 * T) ** 3 - 2 * (T + 1) ** 2, T=1)


def test_sharp_running_budget() -> None:
    """4 t(t+1) e^2 <= ((T+1)(T+2)/2)^2 where t + e <= T+1, each earlier epoch having an episode: 4te <= (t+e)^2 and
    4(t+1)e <= (t+1+e)^2, whose product is 16 t(t+1) e^2."""
    assert sp.expand((t + e) ** 2 - 4 * t * e - (t - e) ** 2) == 0
    assert sp.expand((t + 1 + e) ** 2 - 4 * (t + 1) * e - (t + 1 - e) ** 2) == 0
    s = sp.Symbol("s")  # T + 1 = t + e + s
    assert nonnegative((t + e + s) * (t + e + s + 1) - (t + e) * (t + e + 1), t=1, e=1, s=0)


def test_running_confidence() -> None:
    """beta_e/2 + 2u_t + 2B_0 <= 5/8 beta_e(t) for c = 16, u_t = log N + log(2t(t+1)/delta_e), beta_e <= beta_e(t)."""
    n, L, B_0, m, beta_e = reals("n L B m beta")
    beta = 16 * (n + L + m * B_0)
    assert implied(beta_e / 2 + 2 * (n + L) + 2 * B_0 <= 5 * beta / 8, n >= 0, L >= 0, B_0 >= 1, m >= 1, beta_e <= beta)


def test_cap() -> None:
    """n_e KL_e <= 5 beta + 4 C_0 B_0 Lambda + B_0: the test had not fired at n >= n_e - 1, and KL_e <= B_0.
    Here K = n KL_e and slack = C_0 B_0 Lambda."""
    K, KL, beta, beta_e, slack, G, g, B_0, total = reals("K KL beta betae slack G g B total")
    unfired = g + G >= -(2 * beta + slack)
    assert implied(
        total <= 5 * beta + 4 * slack + B_0,
        unfired,
        g <= beta_e / 2,
        beta_e <= beta,
        G <= -K / 2 + slack,
        total <= K + KL,
        KL <= B_0,
    )


def test_cap_of_an_epoch_of_one_episode() -> None:
    """KL_e <= B_0 <= 5 beta + ...: nothing is asked of the test."""
    n, L, B_0, m, KL, slack = reals("n L B m KL slack")
    ground = (n >= 0, L >= 0, B_0 >= 1, m >= 1, slack >= 0, KL <= B_0)
    assert implied(KL <= 80 * (n + L + m * B_0) + 4 * slack + B_0, *ground)


def test_firing_takes_evidence() -> None:
    """A firing needs n KL >= 3/16 beta_e(n) (the paper's lower tail, -2nKL - C_0 B_0 Lambda)."""
    K, beta, beta_e, slack, G, g, ahead = reals("K beta betae slack G g ahead")
    fired = g + G < ahead - (2 * beta + slack)
    assert implied(K >= 3 * beta / 16, fired, ahead <= 5 * beta / 8, g >= -beta_e, beta_e <= beta, G >= -2 * K - slack)


def test_evidence_is_at_least_its_floor() -> None:
    """beta_e(n) >= (c/2)(1 + m B_0), hence n KL >= (3c/32)(1 + m B_0) for c = 16."""
    n, L, B_0, m = reals("n L B m")
    beta = 16 * (n + L + m * B_0)
    ground = (n >= 0, L >= number(log_ends(2)[0]), B_0 >= 1, m >= 1)
    assert implied(3 * beta / 16 >= number(48) / 32 * (1 + m * B_0), *ground)


def test_scheduled_completions() -> None:
    """k epochs that exhaust their caps hold 2 + 4 + ... + 2^k = 2^(k+1) - 2 <= T episodes at least, so that
    k <= log2(T+2) - 1 <= log2(2T)."""
    k = sp.Symbol("k", integer=True, positive=True)
    i = sp.Symbol("i", integer=True)
    assert sp.simplify(sp.summation(2**i, (i, 1, k)) - (2 ** (k + 1) - 2)) == 0
    assert nonnegative(4 * T - (T + 2), T=1)


def test_sharp_evidence_against_a_deployed_model() -> None:
    """Past and present evidence together: K_{e-1} + n KL <= 2 tau + 2 C_0 B_0 u at the last n without firing, and the
    episode that fired adds at most B_0; an epoch that fired at once is covered by its confidence set, beta_e <= tau."""
    past, K, KL, tau, beta_e, noise, gap, B_0, total = reals("past K KL tau betae noise gap B total")
    tail = gap <= -(past + K) / 2 + noise
    assert implied(total <= 2 * tau + 2 * noise + B_0, gap >= -tau, tail, total <= past + K + KL, KL <= B_0)
    assert implied(
        total <= 2 * tau + 2 * noise + B_0, gap >= -beta_e, beta_e <= tau, K == 0, tail, total <= past + KL, KL <= B_0
    )


def test_sharp_firing_takes_more_evidence() -> None:
    """With one event for all episodes, 2u <= beta_e(n)/8, and the lower tail -3/2 nKL - C_0 B_0 Lambda:
    n KL >= 7/12 beta_e(n)."""
    K, beta, beta_e, slack, G, g, ahead = reals("K beta betae slack G g ahead")
    fired = g + G < ahead - (2 * beta + slack)
    assert implied(K >= 7 * beta / 12, fired, ahead <= beta / 8, g >= -beta_e, beta_e <= beta, G >= -3 * K / 2 - slack)


def test_sharp_budgets_fit() -> None:
    """log(8/delta) <= log(2n(n+1)/delta_e) for n, e >= 1; then 2(log N + log(8/delta)) <= beta_e(n)/8, and the tail at
    budget delta_e/4 needs no more than that logarithm."""
    N, L, B_0, m, u = reals("N L B m u")
    assert nonnegative(4 * t * (t + 1) * e**2 - 8, t=1, e=1)
    assert nonnegative(2 * t * (t + 1) - 4, t=1)
    assert implied(2 * (N + u) <= 16 * (N + L + m * B_0) / 8, u <= L, N >= 0, m >= 1, B_0 >= 1)


def test_failure_budgets_add_up() -> None:
    """The paper's events fail with at most 2 sum delta_e = pi^2/6 delta <= 2 delta, the sharp ones with at most
    delta/8 + delta/8 + sum delta_e/4 (and delta/8 for a fading memory) <= delta."""
    k = sp.Symbol("k", integer=True, positive=True)
    epochs = sp.summation(1 / (2 * k**2), (k, 1, sp.oo))
    assert epochs == sp.pi**2 / 12
    assert (2 - 2 * epochs).is_positive
    assert (1 - sp.Rational(3, 8) - epochs / 4).is_positive


def test_fading_margins() -> None:
    """With beta + 2s in place of beta, s bounding what the transient moves of any log-likelihood difference, the cap is
    6 beta + 4 C_0 B_0 Lambda + B_0, the evidence constant stays, and a firing needs as much evidence as before."""
    K, KL, B_0, total, beta, large, slack, G, g, s, ahead, C_B = reals("K KL B total beta large slack G g s ahead CB")
    wider = (large == beta + 2 * s, s >= 0, beta >= 0)
    assert implied(
        total <= 6 * large + 4 * slack + B_0,
        *wider,
        g + G >= -(2 * large + slack),
        g <= beta / 2 + s,
        G <= -K / 2 + slack + s,
        total <= K + KL,
        KL <= B_0,
    )
    assert implied(K <= (2 + C_B) * large, *wider, C_B >= 1, -large <= -K / 2 + C_B * beta / 2 + s)
    fired = g + G < ahead + s - (2 * large + slack)
    assert implied(K >= 3 * beta / 16, *wider, fired, ahead <= 5 * beta / 8, g >= -large, G + s >= -2 * K - slack)
    assert implied(K >= 7 * beta / 12, *wider, fired, ahead <= beta / 8, g >= -large, G + s >= -3 * K / 2 - slack)


def test_confidence_with_a_net_at_every_level() -> None:
    """2u + B_0 <= beta_e with u = log N + log(4(l+1)(l+2)/delta), l <= e: 4(e+1)(e+2) <= 24 (2e^2), and 2 log 24 <= 7.
    Here o = log(4(l+1)(l+2)), d = log(1/delta), r = log(2e^2)."""
    assert nonnegative(24 * 2 * e**2 - 4 * (e + 1) * (e + 2), e=1)
    n, o, d, r, B_0, m = reals("n o d r B m")
    assert implied(
        2 * (n + o + d) + B_0 <= 16 * (n + d + r + m * B_0),
        n >= 0,
        d >= 0,
        r >= 0,
        B_0 >= 1,
        m >= 1,
        2 * o <= 2 * r + 7,
    )


def test_firing_with_a_net_at_every_level() -> None:
    """2u + B_0 <= beta_e(n)/4 with l <= e+1: 4(e+2)(e+3) <= (8e^2)^2 <= (4e^2 n(n+1))^2; then a firing leaves
    3/2 n KL >= 3/4 beta_e(n), also when log-likelihoods are off by s twice and radii enlarged by 2s."""
    assert nonnegative(64 * e**4 - 4 * (e + 2) * (e + 3), e=1)
    n, o, d, r, B_0, m = reals("n o d r B m")
    beta = 16 * (n + d + r + m * B_0)
    known = (n >= 0, d >= 0, r >= 0, B_0 >= 1, m >= 1, o <= 2 * r)
    assert implied(2 * (n + o + d) + B_0 <= beta / 4, *known)
    K, G, g, slack, s, b, b_e, u = reals("K G g slack s b be u")
    assert implied(
        3 * K / 2 >= 3 * b / 4,
        g + G < u + s - (2 * (b + 2 * s) + slack),
        g >= -(b_e + 2 * s),
        b_e <= b,
        u <= b / 4,
        G >= -3 * K / 2 - slack - s,
    )


def test_evidence_with_a_net() -> None:
    """K <= 2 tau + 2 C_0 B_0 u + 3 B_0 where the test has not fired, the net costing 3 B_0/2; a firing adds B_0."""
    K, tau, u, B_0, KL, total = reals("K tau u B KL total")
    assert implied(total <= 2 * tau + 2 * u + 4 * B_0, -tau <= -K / 2 + u + 3 * B_0 / 2, total <= K + KL, KL <= B_0)
