"""Affine enclosures contain what they enclose."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.forms import ONE, Form, Unbounded, constant, coordinate

SHARES = st.fractions(0, 1, max_denominator=50)
ENDS = st.tuples(st.fractions(-2, 2, max_denominator=30), st.fractions(0, 2, max_denominator=30))


def contains(form: Form, z: tuple[Fraction, ...], value: Fraction) -> bool:
    return abs(value * ONE - form.centre - sum(b * x for b, x in zip(form.slopes, z, strict=True))) <= form.radius


@given(ENDS, ENDS, SHARES, SHARES)
def test_products_magnitudes_and_reciprocals_contain_the_value(x: tuple[Fraction, Fraction],
                                                               y: tuple[Fraction, Fraction],
                                                               s: Fraction, t: Fraction) -> None:  # fmt: skip
    """At every point of two axes: x y + x, |x y|, its thirds, and 1/(x^2 + 1)."""
    f, g = coordinate(x[0], x[0] + x[1], 0, 2), coordinate(y[0], y[0] + y[1], 1, 2)
    a, b, z = x[0] + s * x[1], y[0] + t * y[1], (2 * s - 1, 2 * t - 1)
    assert contains(f * g + f, z, a * b + a)
    assert contains((f * g).magnitude(), z, abs(a * b))
    assert contains((f * g).times(Fraction(-1, 3)), z, -a * b / 3)
    square = f * f + constant(10, 2)
    assert contains(square.reciprocal(), z, 1 / (a * a + 10))


def test_no_reciprocal_of_what_may_vanish() -> None:
    """A divisor whose enclosure reaches zero is refused."""
    with pytest.raises(Unbounded):
        coordinate(Fraction(0), Fraction(1), 0, 1).reciprocal()


@given(ENDS, SHARES)
def test_the_least_reciprocal_is_below_the_reciprocal(ends: tuple[Fraction, Fraction], s: Fraction) -> None:
    """Wherever the function is positive, though it may vanish elsewhere on the box."""
    x, length = ends
    a = x + s * length
    if a > 0:
        below = coordinate(x, x + length, 0, 1).least_reciprocal()
        assert below.centre + below.slopes[0] * (2 * s - 1) - below.radius <= ONE / a


def test_there_is_no_least_reciprocal_of_what_is_never_positive() -> None:
    """It is refused."""
    with pytest.raises(Unbounded):
        coordinate(Fraction(-1), Fraction(-1, 2), 0, 1).least_reciprocal()
