"""Lemma "Likelihood Concentration" and "Confidence Set Validity": each elementary inequality over its whole range."""

from __future__ import annotations

import sympy as sp

from tests.paper.ranges import implied, log_ends, nonnegative, number, reals, rises_from_zero

y = sp.Symbol("y", nonnegative=True)
e, C_0, B = sp.E, 6 * (sp.E - 2), sp.Symbol("B", positive=True)


def test_variance_inequality_on_the_right() -> None:
    """x^2 <= (2+B)(e^x-1-x) for 0 <= x: e^x-1-x-x^2/2 has three vanishing derivatives at 0 and a positive third."""
    assert rises_from_zero(sp.exp(y) - 1 - y - y**2 / 2, y, 3)


def test_variance_inequality_on_the_left() -> None:
    """x^2 <= (2+B)(e^x-1-x) for -B <= x = -y <= 0: 2+B >= 2+y, and (2+y)(e^-y-1+y)-y^2 has second derivative y e^-y."""
    assert rises_from_zero((2 + y) * (sp.exp(-y) - 1 + y) - y**2, y, 2)


def test_exponential_inequality_below_zero() -> None:
    """e^z <= 1+z+z^2/2 <= 1+z+(e-2)z^2 for z = -y <= 0."""
    assert rises_from_zero(1 - y + y**2 / 2 - sp.exp(-y), y, 3)
    assert (e - sp.Rational(5, 2)).is_positive


def test_exponential_inequality_up_to_one() -> None:
    """k(z) = 1+z+(e-2)z^2-e^z >= 0 on [0,1]: k vanishes at both ends, k'(0) = 0 < k''(0), k'(1) < 0 and k' is concave,
    so k rises and then falls."""
    z = sp.Symbol("z", real=True)
    k = 1 + z + (e - 2) * z**2 - sp.exp(z)
    slope = sp.diff(k, z)
    assert (0, 0, 0) == (k.subs(z, 0), sp.simplify(k.subs(z, 1)), slope.subs(z, 0))
    assert sp.diff(k, z, 2).subs(z, 0).is_positive
    assert sp.simplify(slope.subs(z, 1)).is_negative
    assert sp.diff(k, z, 3) == -sp.exp(z)  # below zero everywhere


def test_freedman_step_needs_exactly_this_constant() -> None:
    """With lambda = 1/(C_0 B_0), C_0 = 6(e-2): lambda Z <= 2/C_0 <= 1 and (e-2) lambda^2 3B_0 KL = lambda KL / 2; and
    2 + B_0 <= 3 B_0 for B_0 >= 1."""
    rate = 1 / (C_0 * B)
    assert sp.simplify((e - 2) * rate**2 * 3 * B - rate / 2) == 0
    assert (C_0 - 2).is_positive
    assert nonnegative(3 * sp.Symbol("B") - (2 + sp.Symbol("B")), B=1)


def test_level_overhead() -> None:
    """2 log(4(l+1)(l+2)) <= 2 log(1/delta_e) + 7 for l <= e+1 and e >= 1: (e+2)(e+3) <= 12 e^2, and 48 e^2 is at most
    exp(7/2) 2 e^2, where 2 e^2 <= 1/delta_e."""
    epoch = sp.Symbol("epoch")
    assert nonnegative(12 * epoch**2 - (epoch + 2) * (epoch + 3), epoch=1)
    assert 3.5 >= log_ends(24)[1]


def test_validity_radius() -> None:
    """2u + B_0 <= beta_e/2 for c = 16 with a net, u = log N + 2 log(1/delta_e) + 7/2: so that xi* is in every
    confidence set."""
    n, L, B_0, m = reals("n L B m")
    beta = 16 * (n + L + m * B_0)
    assert implied(2 * (n + 2 * L + 3.5) + B_0 <= beta / 2, n >= 0, L >= 0, B_0 >= 1, m >= 1)


def test_validity_radius_of_a_finite_class() -> None:
    """2(log N + log(8/delta)) <= beta_e: one event for all episodes, at an eighth of the budget."""
    n, L, B_0, m, epochs = reals("n L B m epochs")  # L = log(1/delta), epochs = log(2 e^2)
    beta = 16 * (n + L + epochs + m * B_0)
    ground = (n >= 0, L >= 0, epochs >= number(log_ends(2)[0]), B_0 >= 1, m >= 1)
    assert implied(2 * (n + L + number(log_ends(8)[1])) <= beta, *ground)


def test_evidence_constant() -> None:
    """C_0 B_0 u + 3B_0/2 <= C_B beta_e/2, C_B = max{1, C_0 B_0/4, (7 C_0+3)/16}: K_{e-1}(xi) <= (2+C_B) beta_e."""
    n, L, B_0, m, C, C_B = reals("n L B m C CB")
    ground = (n >= 0, L >= 0, B_0 >= 1, m >= 1, C >= 1, C_B >= 1, 4 * C_B >= C * B_0, 16 * C_B >= 7 * C + 3)
    for left, right in ((C * B_0 * n, n), (2 * C * B_0 * L, L), (B_0 * (3.5 * C + 1.5), m * B_0)):
        assert implied(left <= 8 * C_B * right, *ground)


def test_evidence_constant_of_a_finite_class() -> None:
    """Without a net the 3B_0/2 that pays for it goes, and 7 C_0/16 stands in place of (7 C_0+3)/16."""
    n, L, B_0, m, C, C_B = reals("n L B m C CB")
    ground = (n >= 0, L >= 0, B_0 >= 1, m >= 1, C >= 1, C_B >= 1, 4 * C_B >= C * B_0, 16 * C_B >= 7 * C)
    for left, right in ((C * B_0 * n, n), (2 * C * B_0 * L, L), (3.5 * C * B_0, m * B_0)):
        assert implied(left <= 8 * C_B * right, *ground)
