"""Quadratic enclosures contain what they enclose."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.divergence import tangent
from pomgcheck.kernel.forms import ONE, Form, Unbounded, constant, coordinate, places

SHARES = st.fractions(0, 1, max_denominator=50)
ENDS = st.tuples(st.fractions(-2, 2, max_denominator=30), st.fractions(0, 2, max_denominator=30))


def contains(form: Form, z: tuple[Fraction, ...], value: Fraction) -> bool:
    linear = sum(b * x for b, x in zip(form.slopes, z, strict=True))
    square = sum(a * z[i] * z[j] for (i, j), a in zip(places(len(z)), form.bends, strict=True))
    return form.low <= value * ONE <= form.high and abs(value * ONE - form.centre - linear - square) <= form.radius


@given(ENDS, ENDS, SHARES, SHARES)
def test_products_magnitudes_and_reciprocals_contain_the_value(
    x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction], s: Fraction, t: Fraction
) -> None:
    """At every point of two axes: x y + x, |x y|, its thirds, x^3 y - x y, and 1/(x^2 + 10)."""
    f, g = coordinate(x[0], x[0] + x[1], 0, 2), coordinate(y[0], y[0] + y[1], 1, 2)
    a, b, z = x[0] + s * x[1], y[0] + t * y[1], (2 * s - 1, 2 * t - 1)
    assert contains(f * g + f, z, a * b + a)
    assert contains((f * g).magnitude(), z, abs(a * b))
    assert contains((f * g).times(Fraction(-1, 3)), z, -a * b / 3)
    assert contains(f * f * (f * g) - f * g, z, a**3 * b - a * b)
    square = f * f + constant(10, 2)
    assert contains(square.reciprocal(), z, 1 / (a * a + 10))


def test_no_reciprocal_of_what_may_vanish() -> None:
    """A divisor whose enclosure reaches zero is refused."""
    with pytest.raises(Unbounded):
        coordinate(Fraction(0), Fraction(1), 0, 1).reciprocal()


@given(ENDS, ENDS, SHARES, SHARES)
def test_a_tangent_lies_below_the_quotient(
    x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction], s: Fraction, t: Fraction
) -> None:
    """r (2d - r size) <= d^2/size wherever size is positive, though it may vanish or be negative elsewhere on the box;
    and it is the quotient itself on a box of one point."""
    d, size = coordinate(x[0], x[0] + x[1], 0, 2), coordinate(y[0], y[0] + y[1], 1, 2)
    a, b = x[0] + s * x[1], y[0] + t * y[1]
    if b > 0:
        for level in (0, 1):
            assert tangent(d, size, level).low <= a * a / b * ONE
            point = tangent(coordinate(a, a, 0, 2), coordinate(b, b, 1, 2), level)
            assert point.high >= a * a / b * ONE * (1 - Fraction(1, 10**20))


def test_a_tangent_of_what_is_never_positive_is_zero() -> None:
    """There no pair of models lies."""
    assert tangent(constant(1, 1), coordinate(Fraction(-2), Fraction(-1), 0, 1), 0).low in (0, -1)
