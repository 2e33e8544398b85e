"""Nonnegative reals between two rationals: arithmetic, roots and logarithms, rounded outwards; nothing here is a float."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from .logarithms import log_enclosure

BITS = 128


@dataclass(frozen=True)
class Interval:
    """This is a nonnegative real between two rationals; every operation rounds outwards to multiples of 2^-BITS, but
    leaves a number that is known exactly and short as it is."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low + x.low, self.high + x.high)

    def __mul__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low * x.low, self.high * x.high)

    def __truediv__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low / x.high, self.high / x.low)

    __radd__, __rmul__ = __add__, __mul__


Real = Interval | Fraction | int


def interval(x: Real) -> Interval:
    """Return a number as an interval, and an interval as it is."""
    return x if isinstance(x, Interval) else Interval(Fraction(x), Fraction(x))


def down(x: Fraction) -> int:
    """Return floor(2^BITS x)."""
    return (x.numerator << BITS) // x.denominator


def outward(low: Fraction, high: Fraction) -> Interval:
    """Return the interval between two numbers, rounded outwards unless they are one short number."""
    if low == high and low.denominator.bit_length() <= BITS:
        return Interval(low, low)
    return Interval(Fraction(down(low), 1 << BITS), Fraction(-down(-high), 1 << BITS))


def root(x: Interval) -> Interval:
    """Return the square root."""
    low, high = isqrt(down(x.low) << BITS), -down(-x.high) << BITS
    return Interval(Fraction(low, 1 << BITS), Fraction(isqrt(high - 1) + 1 if high else 0, 1 << BITS))


def log(x: Real) -> Interval:
    """Return the logarithm of a number above 0, or 0 if that is more: log^+."""
    ends = interval(x)
    low, high = log_enclosure(ends.low, BITS)[0], log_enclosure(ends.high, BITS)[1]
    return Interval(Fraction(max(low, 0), 1 << BITS), Fraction(max(high, 0), 1 << BITS))


def log2(x: Real) -> Interval:
    """Return the logarithm to base 2, exact at powers of two.

    There alone the bound of a class of one model, (m-1) R' log2(T+2), is rational and can tie with D T, which no wider
    enclosure would ever decide.
    """
    ends = interval(x)
    n = ends.low.numerator
    if ends.low == ends.high == n and n > 0 and n.bit_count() == 1:
        return interval(n.bit_length() - 1)
    return log(x) / log(2)


def least(*xs: Real) -> Interval:
    """Return the least of some numbers."""
    return Interval(min(interval(x).low for x in xs), min(interval(x).high for x in xs))


def most(*xs: Real) -> Interval:
    """Return the largest of some numbers."""
    return Interval(max(interval(x).low for x in xs), max(interval(x).high for x in xs))


def ceiling(x: Interval) -> Interval:
    """Return the least integer that is not below a number."""
    return Interval(Fraction(-(-x.low // 1)), Fraction(-(-x.high // 1)))
