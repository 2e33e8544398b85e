"""Writes exact numbers as a reader wants them: the fraction, and beside it a decimal rounded the safe way.

A lower bound's decimal is rounded down and an upper bound's up, so the decimal is itself a valid bound.
Integers of any length are read (``decimal`` has no limit of digits, ``int(str)`` does).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Literal

from pomgcheck.reporting.spans import Number

Direction = Literal["down", "up", "nearest"]
ROUNDING = {"down": ROUND_FLOOR, "up": ROUND_CEILING, "nearest": ROUND_HALF_EVEN}
LONGEST = 24  # characters of a numerator or denominator shown in full
LOG_DIGITS = 80  # working precision of logarithms


def fraction(text: str) -> Fraction:
    """Return the exact number written ``"p"``, ``"p/q"`` or as a decimal."""
    p, _, q = text.partition("/")
    return Fraction(Decimal(p)) / Fraction(Decimal(q or "1"))


def _rounded(value: Fraction | Decimal, direction: Direction, digits: int) -> Decimal:
    context = Context(prec=digits, rounding=ROUNDING[direction], Emax=MAX_EMAX, Emin=MIN_EMIN)
    if isinstance(value, Decimal):
        return context.plus(value)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _written(value: Decimal) -> str:
    if value == 0 or Decimal("1e-5") <= abs(value) < Decimal("1e9"):
        return format(value, "f")
    mantissa, _, exponent = format(value, "e").partition("e")
    return f"{mantissa}e{int(exponent)}"


def decimal(value: Fraction, direction: Direction = "nearest", digits: int = 6) -> str:
    """Return ``value`` to ``digits`` significant digits, rounded in ``direction``."""
    return _written(_rounded(value, direction, digits))


def with_spread(mean: Fraction, spread: Fraction) -> str:
    """Return ``24.1 ± 4.7``: the spread to two digits, and the mean to the same decimal place."""
    if not spread:
        return f"{decimal(mean, digits=5)} ± 0"
    width = _rounded(spread, "nearest", 2)
    place = Decimal(1).scaleb(width.adjusted() - 1)
    shown = (_rounded(x, "nearest", 40).quantize(place, rounding=ROUND_HALF_EVEN) for x in (mean, spread))
    return " ± ".join(map(_written, shown))


def log_decimal(value: Fraction, direction: Direction = "nearest", digits: int = 6) -> str:
    """Return the natural logarithm of ``value`` > 0, rounded in ``direction`` from an enclosure of it."""
    if value == 1:
        return "0"
    context = Context(prec=LOG_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)
    log = context.ln(context.divide(Decimal(value.numerator), Decimal(value.denominator)))
    slack = context.scaleb(max(abs(log), Decimal(1)), 8 - LOG_DIGITS)
    end = {"down": context.subtract(log, slack), "up": context.add(log, slack), "nearest": log}[direction]
    return _written(_rounded(end, direction, digits))


def shortened(text: str) -> str:
    """Return ``p/q`` with the middle of long integers left out and the count of digits stated."""
    if all(len(part) <= LONGEST for part in text.split("/")):
        return text
    parts = [part if len(part) <= LONGEST else f"{part[:5]}…{part[-3:]}" for part in text.split("/")]
    digits = "/".join(str(len(part.lstrip("-"))) for part in text.split("/"))
    return f"{'/'.join(parts)} ({digits} digits)"


def number(value: str | Mapping[str, str], direction: Direction = "nearest") -> Number:
    """Return a value of a certificate, ``"p/q"`` or ``{"log_of": "p/q"}``, with its decimal."""
    if not isinstance(value, str):
        inner = value["log_of"]
        return Number(f"log({shortened(inner)})", "≈", log_decimal(fraction(inner), direction))
    exact = fraction(value)
    if exact.denominator == 1 and len(value) <= LONGEST:
        return Number(value)
    shown = decimal(exact, direction)
    return Number(shortened(value), "=" if Fraction(shown) == exact else "≈", shown)
