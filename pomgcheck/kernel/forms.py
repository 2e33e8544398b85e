"""Affine enclosures: a function on a box, written as an affine function of the box's cube and a bound of the rest.

Numbers are integers in units of 2^-BITS; every rounding goes into the radius, so an enclosure always contains the
function.  Sums are exact and a product loses the square of the box's width only, which interval arithmetic does not.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

BITS = 96
ONE = 1 << BITS


class Unbounded(ArithmeticError):
    """A reciprocal of what may vanish on the box."""


class Form:
    """|f(z) - centre - slopes . z| <= radius for every z in [-1,1]^d, in units of 2^-BITS."""

    __slots__ = ("centre", "radius", "slopes")

    def __init__(self, centre: int, slopes: tuple[int, ...], radius: int) -> None:
        self.centre, self.slopes, self.radius = centre, slopes, radius

    @property
    def zero(self) -> bool:
        """Whether it is the number zero, of which every multiple is zero exactly."""
        return not (self.centre or self.radius or any(self.slopes))

    @property
    def reach(self) -> int:
        """The largest distance from the centre."""
        return sum(map(abs, self.slopes)) + self.radius

    @property
    def low(self) -> int:
        return self.centre - self.reach

    @property
    def high(self) -> int:
        return self.centre + self.reach

    def __add__(self, other: Form) -> Form:
        slopes = tuple(x + y for x, y in zip(self.slopes, other.slopes, strict=True))
        return Form(self.centre + other.centre, slopes, self.radius + other.radius)

    def __sub__(self, other: Form) -> Form:
        slopes = tuple(x - y for x, y in zip(self.slopes, other.slopes, strict=True))
        return Form(self.centre - other.centre, slopes, self.radius + other.radius)

    def __mul__(self, other: Form) -> Form:
        """Slopes to first order; z_i^2 lies in [0,1] and other products of coordinates in [-1,1]."""
        if self.zero or other.zero:
            return self if self.zero else other
        c, b, r, d = self.centre, self.slopes, self.radius, other.centre
        s, t = sum(map(abs, b)), sum(map(abs, other.slopes))
        squares = [x * y for x, y in zip(b, other.slopes, strict=True)]
        spread = 2 * (s * t + r * (abs(d) + t) + other.radius * (abs(c) + s + r)) - sum(map(abs, squares))
        slopes = tuple((c * y + d * x) >> BITS for x, y in zip(b, other.slopes, strict=True))
        return Form((2 * c * d + sum(squares)) >> (BITS + 1), slopes, (spread >> (BITS + 1)) + len(b) + 2)

    def times(self, number: Fraction | int) -> Form:
        """An exact multiple."""
        if self.zero:
            return self
        n, d = number.numerator, number.denominator
        slopes = tuple(x * n // d for x in self.slopes)
        return Form(self.centre * n // d, slopes, -(-self.radius * abs(n) // d) + len(slopes) + 1)

    def reciprocal(self) -> Form:
        """1/f lies between its tangent 2/m - f/m^2 at the centre m and that plus reach^2/(low m^2)."""
        if self.low <= 0:
            raise Unbounded
        m = self.centre
        excess = -(-(self.reach**2 << BITS) * ONE // (self.low * m * m))
        slopes = tuple(-((x << 2 * BITS) // (m * m)) for x in self.slopes)
        radius = -(-(self.radius << 2 * BITS) // (m * m))
        return Form((1 << 2 * BITS) // m + excess // 2, slopes, radius + excess // 2 + len(slopes) + 3)

    def least_reciprocal(self) -> Form:
        """What is at most 1/f wherever f > 0: where f may vanish, the reciprocal of its largest value."""
        if self.low > 0:
            return self.reciprocal()
        if self.high <= 0:
            raise Unbounded
        return constant(Fraction(ONE, self.high), len(self.slopes))

    def magnitude(self) -> Form:
        """|f|: f or -f where the sign is known, else between a chord of |.| and that less its value at zero."""
        low, high = self.low, self.high
        if low >= 0:
            return self
        if high <= 0:
            return Form(-self.centre, tuple(-x for x in self.slopes), self.radius)
        width = high - low
        lean = high + low  # the chord is (lean f - 2 low high)/width, its value at zero -2 low high/width
        gap = -low * high // width + 1
        slopes = tuple(x * lean // width for x in self.slopes)
        radius = -(-self.radius * abs(lean) // width)
        return Form(self.centre * lean // width + gap, slopes, radius + gap + len(slopes) + 2)


def constant(number: Fraction | int, dimension: int) -> Form:
    """A number on a cube of some dimension."""
    return Form((number.numerator << BITS) // number.denominator, (0,) * dimension, 1)


def coordinate(low: Fraction, high: Fraction, axis: int, dimension: int) -> Form:
    """The coordinate of one axis of a box."""
    middle, half = (low + high) / 2, (high - low) / 2
    slopes = tuple((half.numerator << BITS) // half.denominator if k == axis else 0 for k in range(dimension))
    return Form((middle.numerator << BITS) // middle.denominator, slopes, 2)


def total(forms: Any, dimension: int) -> Form:
    out = Form(0, (0,) * dimension, 0)
    for form in forms:
        out = out + form
    return out
