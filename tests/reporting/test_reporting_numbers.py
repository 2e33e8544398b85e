"""Decimals beside exact numbers are themselves bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.reporting.numbers import decimal, fraction, log_decimal, number, shortened, with_spread

positive = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9)


@settings(deadline=None)
@given(st.fractions())
def test_directed(value: Fraction) -> None:
    """Rounded down is at most the number, rounded up at least, and they are a unit of the last place apart."""
    low, high = fraction(decimal(value, "down")), fraction(decimal(value, "up"))
    assert low <= value <= high
    assert high - low <= abs(value) * Fraction(1, 10**5)


@settings(deadline=None, max_examples=30)
@given(positive)
def test_directed_logarithm(value: Fraction) -> None:
    """The two decimals of log x enclose it: the exponentials of nearby rationals straddle x."""
    low, high = fraction(log_decimal(value, "down", 12)), fraction(log_decimal(value, "up", 12))
    assert exp_between(low)[0] <= value <= exp_between(high)[1]
    assert (value == 1) == (low == high == 0)


def exp_between(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds of e^x by a Taylor sum of x / 2^k, squared k times."""
    small, k = x, 0
    while abs(small) > Fraction(1, 8):
        small, k = small / 2, k + 1
    total = term = Fraction(1)
    for n in range(1, 16):
        term = term * small / n
        total += term
    low, high = total - 2 * abs(term) - Fraction(1, 10**30), total + 2 * abs(term) + Fraction(1, 10**30)
    for _ in range(k):
        low, high = low**2, high**2
    return low, high


@pytest.mark.parametrize(
    ("value", "direction", "shown"),
    [
        ("7/17", "nearest", "7/17 ≈ 0.411765"),
        ("7/17", "down", "7/17 ≈ 0.411764"),
        ("7/20", "down", "7/20 = 0.35"),
        ("-1/3", "down", "-1/3 ≈ -0.333334"),
        ("3", "up", "3"),
        ("1/3000000", "up", "1/3000000 ≈ 3.33334e-7"),
        ({"log_of": "6"}, "up", "log(6) ≈ 1.79176"),
        ({"log_of": "6"}, "down", "log(6) ≈ 1.79175"),
        ({"log_of": "1"}, "up", "log(1) ≈ 0"),
        ({"log_of": "36864/22661"}, "nearest", "log(36864/22661) ≈ 0.486590"),
    ],
)
def test_shown(value: object, direction: object, shown: str) -> None:
    """A number is its fraction with a decimal beside it; = where the decimal is exact, none for an integer."""
    assert shown == number(value, direction).plain()  # type: ignore[arg-type]


def test_longer_than_the_interpreter_reads() -> None:
    """Integers beyond the interpreter's own limit of digits are read, and shown shortened with their length."""
    text = "1" + "0" * 5000 + "/3" + "0" * 5001
    assert "0.0333333" == decimal(fraction(text), "down")
    assert "10000…000/30000…000 (5001/5002 digits) ≈ 0.0333333" == number(text, "down").plain()


def test_short_numbers_stand_whole() -> None:
    """A numerator and denominator of up to 24 digits are shown in full."""
    assert "123456789012345678901234/7" == shortened("123456789012345678901234/7")


@pytest.mark.parametrize(
    ("mean", "spread", "shown"),
    [
        ("24.0812", "4.7311", "24.1 ± 4.7"),
        ("79.9", "112", "80 ± 110"),
        ("1/20", "1/10", "0.05 ± 0.10"),
        ("3", "0", "3 ± 0"),
    ],
)
def test_spread(mean: str, spread: str, shown: str) -> None:
    """A mean is rounded to the place its spread reaches."""
    assert shown == with_spread(fraction(mean), fraction(spread))
