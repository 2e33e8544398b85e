"""Theorem 4.1 with an explicit constant: E[PR(T)] >= (1/20) min{sqrt(dT), T} on the bandit family with d >= 2 arms.

Source: Auer, Cesa-Bianchi, Freund, Schapire, "The nonstochastic multiarmed bandit problem", SIAM J. Comput. 32 (2002),
Theorem 5.1, with gap eps = (1/4) min{sqrt(d/T), 1}: one arm at 1/2 + eps, drawn uniformly, the others at 1/2.  There
the regret is at least eps T (1 - 1/d - (1/2) sqrt(-(T/d) log(1 - 4 eps^2))); what follows is its arithmetic.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from tests.paper.ranges import log_ends


def test_logarithm_of_the_gap() -> None:
    """-log(1-x) <= 4 log(4/3) x on [0, 1/4], x = 4 eps^2 <= 1/4: convex, with equality at both ends."""
    x = sp.Symbol("x", real=True)
    convex = sp.diff(-sp.log(1 - x), x, 2)
    assert sp.simplify(convex - 1 / (1 - x) ** 2) == 0
    assert 0 == sp.simplify(-sp.log(1 - sp.Rational(1, 4)) - 4 * sp.log(sp.Rational(4, 3)) / 4)


def test_constant_of_one_twentieth() -> None:
    """(1/4)(1 - 1/d - (1/2) sqrt(log(4/3))) >= 1/20 for d >= 2.  For d <= T the gap is sqrt(d/T)/4 and
    (T/d) 4 log(4/3) 4 eps^2 = log(4/3); for T < d it is 1/4 and that product is (T/d) log(4/3), less still."""
    eps, d, T = sp.symbols("eps d T", positive=True)
    assert sp.simplify((T / d * 16 * eps**2).subs(eps, sp.sqrt(d / T) / 4) - 1) == 0
    assert sp.simplify((T / d * 16 * eps**2).subs(eps, sp.Rational(1, 4)) - T / d) == 0
    margin = 1 - Fraction(1, 2) - 4 * Fraction(1, 20)  # at d = 2; it must be at least sqrt(log(4/3))/2
    assert (2 * margin) ** 2 >= log_ends(Fraction(4, 3))[1]
