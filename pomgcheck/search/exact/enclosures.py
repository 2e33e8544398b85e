"""Rational enclosures of logarithms and KL divergences by ball arithmetic (python-flint's arb)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

BITS = 256


def rational_ends(ball: flint.arb) -> tuple[Fraction, Fraction]:
    """Rationals below and above every point of a ball."""
    return dyadic(ball.lower()), dyadic(ball.upper())


def dyadic(point: flint.arb) -> Fraction:
    mantissa, exponent = point.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def kl(law: Sequence[tuple[Fraction, Fraction, Fraction]], bits: int = BITS) -> tuple[Fraction, Fraction]:
    """Enclosure of sum w p log(p/q) over ``(w, p, q)`` with p, q > 0."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        value = flint.arb(0)
        for weight, p, q in law:
            value += arb(weight * p) * arb(p / q).log()
        return rational_ends(value)
    finally:
        flint.ctx.prec = before


def arb(x: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def round_down(x: Fraction, digits: int = 12) -> Fraction:
    """A short rational at most ``x`` > 0, relative loss below 10^-(digits-1)."""
    scale = 10 ** (digits - len(str(x.numerator // x.denominator or 1)) + _leading_zeros(x))
    return Fraction(x.numerator * scale // x.denominator, scale)


def round_up(x: Fraction, digits: int = 12) -> Fraction:
    """A short rational at least ``x`` > 0, relative excess below 10^-(digits-1)."""
    scale = 10 ** (digits - len(str(x.numerator // x.denominator or 1)) + _leading_zeros(x))
    return Fraction(-(-x.numerator * scale // x.denominator), scale)


def _leading_zeros(x: Fraction) -> int:
    return max(0, len(str(x.denominator)) - len(str(x.numerator)))
