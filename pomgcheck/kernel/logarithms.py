"""Rational enclosures of logarithms, by integer series with proved error."""

from __future__ import annotations

from fractions import Fraction


def log_enclosure(x: Fraction, bits: int) -> tuple[int, int]:
    """Integers (lo, hi) with lo <= 2^bits log x <= hi, for x > 0: log x = k log 2 + 2 atanh((m-1)/(m+1)).

    Raises ValueError for any other x, whose series would never end.
    """
    if x <= 0:
        raise ValueError(f"the logarithm of {x.numerator}, which is not positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** k  # in (1/2, 2)
    lo, hi = _atanh((m - 1) / (m + 1), bits + 8)
    lo2, hi2 = _atanh(Fraction(1, 3), bits + 8)
    low = 2 * lo + 2 * (k * lo2 if k >= 0 else k * hi2)
    high = 2 * hi + 2 * (k * hi2 if k >= 0 else k * lo2)
    return low >> 8, -(-high >> 8)


def _atanh(z: Fraction, bits: int) -> tuple[int, int]:
    """Enclosure of 2^bits atanh z for |z| <= 1/3: odd power series, each term rounded down, remainder bounded."""
    if z < 0:
        low, high = _atanh(-z, bits)
        return -high, -low
    power = (z.numerator << bits) // z.denominator
    square = (z.numerator**2 << bits) // z.denominator**2
    value, n = 0, 1
    while power:
        value += power // n
        power = power * square >> bits
        n += 2
    # a power is short by less than 2 units (the error shrinks by z^2 <= 1/9 and gains 4/3 a step), so each of the
    # (n-1)/2 terms by less than 3 and the tail by less than 4
    return value, value + 2 * n + 4
