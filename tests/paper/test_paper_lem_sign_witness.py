"""Lemma "Sign-witness Eluder bound": the inequality that solves its self-referential bound, for every C >= 1."""

from __future__ import annotations

import sympy as sp

from tests.paper.ranges import log_ends, nonnegative

C = sp.Symbol("C")


def test_solving_inequality() -> None:
    """u - 4 log(1+u) at u = 12 log(1+8C) exceeds 4 log(1+C) for all C >= 1: it does at C = 1, and the difference rises,
    its slope being 96 (1 - 4/(1+u))/(1+8C) - 4/(1+C) with 1 - 4/(1+u) >= 4/5 from u >= 19 on."""
    low, high = (12 * end for end in log_ends(9))
    assert low > 19
    assert low - 4 * log_ends(1 + high)[1] > 4 * log_ends(2)[1]
    assert nonnegative(96 * sp.Rational(4, 5) * (1 + C) - 4 * (1 + 8 * C), C=1)


def test_left_side_rises_from_three_on() -> None:
    """u - 4 log(1+u) has slope 1 - 4/(1+u) >= 0 for u >= 3."""
    u = sp.Symbol("u")
    assert sp.simplify(sp.diff(u - 4 * sp.log(1 + u), u) - (u - 3) / (1 + u)) == 0


def test_splitting_the_logarithm() -> None:
    """1 + u C <= (1+u)(1+C) for u, C >= 0."""
    u = sp.Symbol("u")
    assert nonnegative(sp.expand((1 + u) * (1 + C) - (1 + u * C)), u=0, C=0)
