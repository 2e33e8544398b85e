"""Theorem 4.1 with an explicit constant: E[PR(T)] >= (1/20) min{sqrt(dT), T} on the bandit family with d >= 2 arms.

After Auer, Cesa-Bianchi, Freund, Schapire, "The nonstochastic multiarmed bandit problem", SIAM J. Comput. 32 (2002),
Theorem 5.1, derived again in docs/bound.md: one arm at 1/2 + eps, drawn uniformly, the others at 1/2, eps = (1/4)
min{sqrt(d/T), 1}.  There the regret is at least eps T (1 - 1/d - (1/2) sqrt(-(T/d) log(1 - 4 eps^2))): its arithmetic,
and the least regret of any learner, computed exactly where the horizon is short.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import log, sqrt

import pytest
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


def least_regret(d: int, T: int, eps: Fraction) -> Fraction:
    """The smallest expected regret of any learner: that of the Bayes learner, by dynamic programming over counts."""

    @cache
    def good(counts: tuple[tuple[int, int], ...], left: int) -> Fraction:
        """Most good episodes in the ``left`` to come, times the probability of the rewards so far, by prior 1/d."""
        if not left:
            return Fraction(0)
        weights = []  # of each arm's being the good one: the likelihood of the rewards against all coins fair
        for won, lost in counts:
            weights.append((1 + 2 * eps) ** won * (1 - 2 * eps) ** lost / d)
        best = Fraction(0)
        for arm in range(d):
            after = [
                tuple((w + (k == arm and hit), x + (k == arm and not hit)) for k, (w, x) in enumerate(counts))
                for hit in (True, False)
            ]  # the order of the arms does not matter
            later = sum((good(tuple(sorted(state)), left - 1) for state in after), Fraction(0)) / 2
            best = max(best, weights[arm] + later)
        return best

    return eps * (T - good(((0, 0),) * d, T))


@pytest.mark.parametrize(
    ("d", "T", "eps"), [(2, 2, "1/4"), (2, 8, "1/8"), (2, 18, "1/12"), (3, 12, "1/8"), (4, 3, "1/4")]
)
def test_no_learner_is_below_the_line(d: int, T: int, eps: str) -> None:
    """The best learner loses at least what the proof shows, and that is at least min{sqrt(dT), T}/20."""
    gap = Fraction(eps)
    assert min(sqrt(d / T), 1) / 4 == pytest.approx(float(gap))
    proved = float(gap) * T * (1 - 1 / d - sqrt(-T / d * log(1 - 4 * float(gap) ** 2)) / 2)
    assert min(sqrt(d * T), T) / 20 <= proved <= float(least_regret(d, T, gap))


def test_best_learner_by_hand() -> None:
    """d = 2, T = 2, eps = 1/4: any arm first, then the same if it won: 1/2 + 5/8 good episodes, regret 7/32."""
    assert Fraction(7, 32) == least_regret(2, 2, Fraction(1, 4))
