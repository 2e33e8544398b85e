"""Rational ends of balls (python-flint's arb), and short rationals on one side of a number."""

from __future__ import annotations

from fractions import Fraction

import flint


class TooCoarse(Exception):
    """This is raised where the enclosures that a certificate may use do not tell what is asked."""


def rational_ends(ball: flint.arb) -> tuple[Fraction, Fraction]:
    """Return rationals below and above every point of a ball."""
    return dyadic(ball.lower()), dyadic(ball.upper())


def dyadic(point: flint.arb) -> Fraction:
    """Return the midpoint of a ball, which is exact."""
    mantissa, exponent = point.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def arb(x: Fraction) -> flint.arb:
    """Return a ball around a rational number."""
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def round_down(x: Fraction, digits: int = 12) -> Fraction:
    """Return a short rational at most ``x`` > 0, relative loss below 10^-(digits-1)."""
    scale = scale_of(x, digits)
    return (x * scale).__floor__() / scale


def round_up(x: Fraction) -> Fraction:
    """Return a short rational at least ``x`` > 0, relative excess below 10^-11."""
    scale = scale_of(x, 12)
    return (x * scale).__ceil__() / scale


def scale_of(x: Fraction, digits: int) -> Fraction:
    """Return the power of ten that leaves about so many digits of x before the point."""
    zeros = max(0, length(x.denominator) - length(x.numerator))
    return Fraction(10) ** (digits - length(x.numerator // x.denominator) + zeros)


def length(n: int) -> int:
    """Return how many decimal digits n >= 0 has, without writing them: Python refuses to write more than some
    thousands."""
    size = max(1, n.bit_length() * 30103 // 100_000)
    while 10**size <= n:
        size += 1
    while size > 1 and 10 ** (size - 1) > n:
        size -= 1
    return size
