"""Rational enclosures of logarithms, by integer series with proved error."""

from __future__ import annotations

from fractions import Fraction
from functools import cache


def log_enclosure(x: Fraction, bits: int) -> tuple[int, int]:
    """Return integers (lo, hi) with lo <= 2^bits log x <= hi, for x > 0, by log x = k log 2 + 2 atanh((m-1)/(m+1)).

    Raises ``ValueError`` for any other x, whose series would never end.
    """
    if x <= 0:
        raise ValueError(f"the logarithm of {x.numerator}, which is not positive")
    n, d = x.numerator, x.denominator
    k = n.bit_length() - d.bit_length()
    n, d = (n, d << k) if k >= 0 else (n << -k, d)  # m = n/d in (1/2, 2)
    lo, hi = _atanh(n - d, n + d, bits + 8)
    lo2, hi2 = _half_log_two(bits + 8)
    low = 2 * lo + 2 * (k * lo2 if k >= 0 else k * hi2)
    high = 2 * hi + 2 * (k * hi2 if k >= 0 else k * lo2)
    return low >> 8, -(-high >> 8)


@cache
def _half_log_two(bits: int) -> tuple[int, int]:
    """Return the enclosure of 2^bits log(2)/2 = 2^bits atanh(1/3)."""
    return _atanh(1, 3, bits)


def _atanh(p: int, q: int, bits: int) -> tuple[int, int]:
    """Return the enclosure of 2^bits atanh(p/q) for |p/q| <= 1/3, by the odd power series: each term is rounded down,
    and the remainder is bounded."""
    if p < 0:
        low, high = _atanh(-p, q, bits)
        return -high, -low
    power = (p << bits) // q
    square = (p**2 << bits) // q**2
    value, n = 0, 1
    while power:
        value += power // n
        power = power * square >> bits
        n += 2
    # a power is short by less than 2 units (the error shrinks by z^2 <= 1/9 and gains 4/3 a step), so each of the
    # (n-1)/2 terms by less than 3 and the tail by less than 4
    return value, value + 2 * n + 4
