"""Quadratic enclosures: a function on a box, written as a quadratic function of the box's cube and a bound of the rest.

Numbers are integers in units of 2^-BITS; every rounding goes into the radius, so an enclosure always contains the
function.  Sums are exact and a product loses the cube of the box's width only, which interval arithmetic does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import lcm
from operator import mul

from .budget import spend

BITS = 96
ONE = 1 << BITS


class Unbounded(ArithmeticError):
    """This is raised for a reciprocal of what may vanish on the box."""


@lru_cache
def places(dimension: int) -> tuple[tuple[int, int], ...]:
    """Return the products z_i z_j, i <= j, in the order of ``bends``."""
    return tuple(combinations_with_replacement(range(dimension), 2))


class Form:
    """A form says that |f(z) - centre - slopes . z - sum of bends z_i z_j| <= radius for every z in [-1,1]^d, in units
    of 2^-BITS."""

    __slots__ = ("bends", "centre", "radius", "slopes")

    def __init__(self, centre: int, slopes: tuple[int, ...], bends: tuple[int, ...], radius: int) -> None:
        self.centre, self.slopes, self.bends, self.radius = centre, slopes, bends, radius

    @property
    def zero(self) -> bool:
        """Return whether it is the number zero, of which every multiple is zero exactly."""
        return not (self.centre or self.radius or any(self.slopes) or any(self.bends))

    @property
    def low(self) -> int:
        """Return a lower bound of f: along each axis the least of b z + a z^2, -b^2/4a inside or a - |b| at an end; z_i
        z_j >= -1."""
        out = self.centre - self.radius
        for (i, j), a in zip(places(len(self.slopes)), self.bends, strict=True):
            b = abs(self.slopes[i]) if i == j else 0
            out -= abs(a) if i != j else -(-b * b // (4 * a)) if b < 2 * a else b - a
        return out

    @property
    def high(self) -> int:
        """Return an upper bound of f, found as ``low`` is."""
        return -self.times(-1).low

    @property
    def reach(self) -> int:
        """Return the largest distance from the centre."""
        return max(self.high - self.centre, self.centre - self.low)

    def __add__(self, other: Form) -> Form:
        slopes = tuple(x + y for x, y in zip(self.slopes, other.slopes, strict=True))
        bends = tuple(x + y for x, y in zip(self.bends, other.bends, strict=True))
        return Form(self.centre + other.centre, slopes, bends, self.radius + other.radius)

    def __sub__(self, other: Form) -> Form:
        return self + other.times(-1)

    def __mul__(self, other: Form) -> Form:
        """Return the product to second order; what is beyond is at most the products of the sizes."""
        if self.zero or other.zero:
            return self if self.zero else other
        spend(4 * len(self.bends) + 4, "quadratic enclosures")
        c, b, d, e = self.centre, self.slopes, other.centre, other.slopes
        s, t, p, q = (sum(map(abs, x)) for x in (b, e, self.bends, other.bends))
        rest = s * q + p * (t + q) + self.radius * (abs(d) + t + q) + other.radius * (abs(c) + s + p + self.radius)
        slopes = tuple((c * y + d * x) >> BITS for x, y in zip(b, e, strict=True))
        bends = tuple(
            (c * y + d * x + b[i] * e[j] + (b[j] * e[i] if i != j else 0)) >> BITS
            for (i, j), x, y in zip(places(len(b)), self.bends, other.bends, strict=True)
        )
        return Form(c * d >> BITS, slopes, bends, (rest >> BITS) + len(slopes) + len(bends) + 2)

    def times(self, number: Fraction | int) -> Form:
        """Return an exact multiple."""
        if self.zero:
            return self
        spend(1 + len(self.slopes) + len(self.bends), "quadratic enclosures")
        n, unit = number.numerator, number.denominator
        slopes, bends = (tuple([x * n // unit for x in part]) for part in (self.slopes, self.bends))
        lost = len(slopes) + len(bends) + 1 if unit != 1 else 0
        return Form(self.centre * n // unit, slopes, bends, -(-self.radius * abs(n) // unit) + lost)

    def reciprocal(self) -> Form:
        """Return 1/f by 1/f = 1/m - x/m^2 + x^2/m^3 - x^3/(m^3 f), where m is the centre and x = f - m.

        Raises ``Unbounded`` where f is not shown to be positive.
        """
        low, m = self.low, self.centre
        if low <= 0:
            raise Unbounded
        x, unit = Form(0, self.slopes, self.bends, self.radius), Fraction(ONE, m)
        out = (x * x).times(unit**3) - x.times(unit**2)
        rest = -(-(self.reach**3) * ONE**2 // (m**3 * low))
        return Form(out.centre + ONE**2 // m, out.slopes, out.bends, out.radius + rest + 1)

    def magnitude(self) -> Form:
        """Return |f|: f or -f where the sign is known, else between a chord of |.| and that less its value at zero."""
        low, high = self.low, self.high
        if low >= 0:
            return self
        if high <= 0:
            return self.times(-1)
        width = high - low
        lean = high + low  # the chord is (lean f - 2 low high)/width, its value at zero -2 low high/width
        gap = -low * high // width + 1
        chord = self.times(Fraction(lean, width))
        return Form(chord.centre + gap, chord.slopes, chord.bends, chord.radius + gap + 1)


def constant(number: Fraction | int, dimension: int) -> Form:
    """Return a number on a cube of some dimension."""
    bends = (0,) * len(places(dimension))
    return Form((number.numerator << BITS) // number.denominator, (0,) * dimension, bends, 1)


def coordinate(low: Fraction, high: Fraction, axis: int, dimension: int) -> Form:
    """Return the coordinate of one axis of a box."""
    middle, half = constant((low + high) / 2, dimension), constant((high - low) / 2, dimension)
    slopes = tuple(half.centre if k == axis else 0 for k in range(dimension))
    return Form(middle.centre, slopes, middle.bends, 2)


def combination(terms: Sequence[tuple[Form, Fraction | int]], dimension: int) -> Form:
    """Return the sum of c f over pairs (f, c), rounded once."""
    if not terms:
        return Form(0, (0,) * dimension, (0,) * len(places(dimension)), 0)
    spend(len(terms) * (1 + dimension + len(places(dimension))), "quadratic enclosures")
    unit = lcm(*(c.denominator for _, c in terms))
    numbers = [c.numerator * (unit // c.denominator) for _, c in terms]
    rows = zip(*((f.centre, *f.slopes, *f.bends) for f, _ in terms), strict=True)
    centre, *rest = (sum(map(mul, row, numbers)) // unit for row in rows)
    radius = -(-sum(f.radius * abs(n) for (f, _), n in zip(terms, numbers, strict=True)) // unit)
    lost = len(rest) + 1 if unit != 1 else 0
    return Form(centre, tuple(rest[:dimension]), tuple(rest[dimension:]), radius + lost)
