"""Quadratic enclosures contain what they enclose."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.divergence import tangent
from pomgcheck.kernel.forms import ONE, Form, Unbounded, combination, constant, coordinate, places

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


# ------------------------------------------------------------------------------- at the worst point, the worst rounding

TINY = Fraction(1, 10**6)


def at(form: Form, z: tuple[int, ...]) -> int:
    """The quadratic function of an enclosure at a corner of the cube."""
    square = sum(a * z[i] * z[j] for (i, j), a in zip(places(len(z)), form.bends, strict=True))
    return form.centre + sum(b * x for b, x in zip(form.slopes, z, strict=True)) + square


def functions(form: Form, z: tuple[int, ...]) -> set[int]:
    """The least and the largest value there of the functions that a form encloses."""
    return {at(form, z) - form.radius, at(form, z) + form.radius}


CORNERS = [*product((-1, 1), repeat=2)]


def parts(size: int) -> list[Form]:
    """Forms of which one part alone is not zero, of either sign."""
    none, flat = (0, 0), (0, 0, 0)
    return [
        *(Form(sign * size, none, flat, 0) for sign in (1, -1)),
        *(Form(0, (sign * size,) * 2, flat, 0) for sign in (1, -1)),
        *(Form(0, none, (sign * size,) * 3, 0) for sign in (1, -1)),
        Form(0, none, flat, size),
    ]


@pytest.mark.parametrize("size", [1, 3 * ONE, ONE // 12])
def test_a_product_contains_every_product_at_every_corner(size: int) -> None:
    """Of any two parts, as large as they may be, and of parts whose products are all rounded down by nearly one unit."""
    rounded = Form(-1, (-1, -1), (-1, -1, -1), 0), Form(1, (0, 0), (0, 0, 0), ONE // 12)
    for f, g in [*product(parts(size), repeat=2), rounded, rounded[::-1]]:
        for z in CORNERS:
            for x, y in product(functions(f, z), functions(g, z)):
                assert abs(Fraction(x * y, ONE) - at(f * g, z)) <= (f * g).radius


@pytest.mark.parametrize("c", [Fraction(-3), Fraction(2), Fraction(1, 2), -TINY, TINY, Fraction(-5, 7)])
def test_a_multiple_and_a_sum_of_multiples_contain_theirs_at_every_corner(c: Fraction) -> None:
    """Every coefficient is rounded by nearly one unit where it is one unit times -1/10^6; a sum of nothing is zero."""
    assert combination([], 2).zero
    many = [Form(1, (1, 1), (1, 1, 1), 0), Form(1, (1, 1), (1, 1, 1), 1), Form(-1, (1, -1), (1, -1, 1), 3)]
    for f in [*parts(1), *parts(3 * ONE), *many]:
        found, sums = f.times(c), [(more, combination([(f, c), (f, more)], 2)) for more in (c * 2, Fraction(1, 3))]
        for z in CORNERS:
            for x in functions(f, z):
                assert abs(x * c - at(found, z)) <= found.radius
                assert all(abs(x * (c + more) - at(two, z)) <= two.radius for more, two in sums)


def test_numbers_and_coordinates_that_are_no_multiples_of_a_unit_are_contained() -> None:
    """Middle and half a width are each rounded by nearly one unit; nothing of another axis is in them."""
    number, high = constant((1 - TINY) / ONE, 2), 2 * (1 - TINY)
    axis = coordinate(Fraction(0), high / ONE, 1, 2)
    for z in CORNERS:
        assert abs(1 - TINY - at(number, z)) <= number.radius
        assert abs((high if z[1] > 0 else 0) - at(axis, z)) <= axis.radius


@pytest.mark.parametrize("bend", [0, ONE // 5])
def test_a_reciprocal_contains_what_its_last_term_is_largest_for(bend: int) -> None:
    """1/f at an end of f = 2 + z, with a little of its square, and 1/3, which is no multiple of a unit."""
    f, third = Form(2 * ONE, (ONE,), (bend,), 0), Form(3 * ONE, (0,), (0,), 0)
    for z in (-1, 1):
        assert abs(Fraction(ONE**2, at(f, (z,))) - at(f.reciprocal(), (z,))) <= f.reciprocal().radius
    assert abs(Fraction(ONE, 3) - third.reciprocal().centre) <= third.reciprocal().radius


@pytest.mark.parametrize("centre", [-1, 0, 1])
def test_the_size_of_what_changes_its_sign_is_contained_where_the_chord_is_farthest(centre: int) -> None:
    """|c + 2z| at both ends and at its zero."""
    f = Form(centre * ONE, (2 * ONE,), (0,), 0)
    found = f.magnitude()
    for z in (Fraction(-1), Fraction(-centre, 2), Fraction(1)):
        assert contains(found, (z,), abs(centre + 2 * z))


@given(*[st.integers(-3, 3)] * 3, st.integers(0, 2))
def test_the_size_of_what_changes_its_sign_by_a_unit_is_contained(c: int, b: int, a: int, radius: int) -> None:
    """At both ends of c + b z + a z^2, in units and with some units of radius: z alone is -1 and 1 there."""
    for f in (Form(c, (b,), (a,), radius), Form(0, (1,), (0,), 0), Form(-1, (0,), (0,), 0)):
        found = f.magnitude()
        for z in ((-1,), (1,)):
            assert all(abs(abs(x) - at(found, z)) <= found.radius for x in functions(f, z))


@given(*[st.integers(-9, 9)] * 6)
def test_the_ends_are_those_of_the_quadratic_function(c: int, b: int, e: int, a: int, d: int, m: int) -> None:
    """c + b x + e y + a x^2 + m x y + d y^2 on a grid of the square is never beyond ``low`` and ``high``, nor
    farther than ``reach`` from its centre; of one coordinate alone the ends are its own, but for the rounding."""
    steps = [Fraction(k, 36) for k in range(-36, 37)]
    form, line = Form(c, (b, e), (a, m, d), 0), Form(c, (b,), (a,), 0)
    for x, y in product(steps[::9], repeat=2):
        here = c + b * x + e * y + a * x * x + m * x * y + d * y * y
        assert form.low <= here <= form.high
        assert abs(here - c) <= form.reach
    alone = [c + b * x + a * x * x for x in [*steps, *([max(-1, min(1, Fraction(-b, 2 * a)))] if a else [])]]
    assert line.low <= min(alone) < line.low + 1
    assert line.high - 1 < max(alone) <= line.high
