"""Exact polynomials of the kernel: arithmetic, divisors, spelling, derivatives."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.game import Malformed, evaluate
from pomgcheck.kernel.polynomials import (
    MAX_DEGREE,
    Polynomial,
    TooLarge,
    cleared,
    derivative,
    divisors,
    inverse,
    names,
    parameters,
    polynomial,
    primitive,
    substituted,
    text,
    value,
    variable,
)

X, Y = variable("x"), variable("y")
small = st.fractions(-3, 3, max_denominator=6)
monomials = st.lists(st.sampled_from(["x", "y"]), max_size=3).map(lambda key: tuple(sorted(key)))
polynomials = st.dictionaries(monomials, small.filter(bool), max_size=5).map(Polynomial)
points = st.fixed_dictionaries({"x": small, "y": small})


@given(polynomials, polynomials, points)
def test_arithmetic_agrees_with_numbers(p: Polynomial, q: Polynomial, point: dict[str, Fraction]) -> None:
    """Sum, difference, product and powers have the value of those of the values; no coefficient is zero."""
    u, v = value(p, point), value(q, point)
    results = {p + q: u + v, p - q: u - v, p * q: u * v, p**2: u**2, -p: -u, 2 - p: 2 - u, p * Fraction(1, 3): u / 3}
    for result, number in results.items():
        assert number == value(result, point)
        assert all(result.values())


@given(polynomials, polynomials, points)
def test_a_quotient_is_a_product_with_an_inverse(p: Polynomial, q: Polynomial, point: dict[str, Fraction]) -> None:
    """p/q has the value u/v; cleared by the sign that q has at a point, it keeps the sign of p/q and its zeros there."""
    v = value(q, point)
    if q and v:
        quotient = p / q
        assert value(p, point) / v == value(quotient, point)
        whole = cleared(quotient, {d: 1 if value(d.divisor, point) > 0 else -1 for d in divisors([quotient])})
        assert [] == divisors([whole])
        sign = value(whole, point) * value(quotient, point)
        assert sign > 0 or value(whole, point) == 0 == value(quotient, point)


@given(polynomials, polynomials)
def test_one_spelling(p: Polynomial, q: Polynomial) -> None:
    """Primitive parts are spelled alike exactly when they are equal, and give the polynomial back."""
    scale, whole = primitive(p)
    assert p == whole * scale
    assert (whole == primitive(q)[1]) == (text(whole) == text(primitive(q)[1]))


@given(polynomials, points)
def test_derivatives_of_polynomials_and_quotients(p: Polynomial, point: dict[str, Fraction]) -> None:
    """d/dx by the symmetric difference, which is exact up to the third derivative; (1/p)' = -p'/p^2."""

    def at(x: Fraction) -> Fraction:
        return value(p, point | {"x": x})

    x = point["x"]
    step, double = (at(x + 1) - at(x - 1)) / 2, (at(x + 2) - at(x - 2)) / 4
    assert (4 * step - double) / 3 == value(derivative(p, "x"), point)
    if p and at(x):
        assert -value(derivative(p, "x"), point) / at(x) ** 2 == value(derivative(inverse(p), "x"), point)


def test_spelling() -> None:
    """Monomials in the order of their names, constants first, powers as products."""
    assert "-2+3*x*x-1*y" == text(3 * X * X - Y - 2)
    assert "0" == text(Polynomial())
    assert {"x", "1/(+1+1*x)"} == set(names(X / (X + 1)))
    assert ["x", "y"] == parameters(Y / (X + 1))


def test_a_divisor_is_kept_without_its_content() -> None:
    """1/(2x+2) is half of 1/(x+1)."""
    assert inverse(X + 1) * Fraction(1, 2) == inverse(2 * X + 2)
    assert polynomial(Fraction(1, 2)) == inverse(polynomial(2))
    with pytest.raises(ZeroDivisionError):
        inverse(Polynomial())
    with pytest.raises(ValueError, match="inside a divisor"):
        inverse(1 + inverse(X + 1))


def test_numbers_are_put_in() -> None:
    """x -> 2 turns x/(x+y) into 2/(2+y)."""
    assert 2 / (Y + 2) == substituted(X / (X + Y), {"x": Fraction(2)})


def test_sizes_are_bounded() -> None:
    """A power beyond the largest degree is refused, and an expression that asks for it is malformed."""
    with pytest.raises(TooLarge):
        _ = X ** (MAX_DEGREE + 1)
    with pytest.raises(TooLarge):
        _ = X**MAX_DEGREE * X
    with pytest.raises(Malformed, match="moderate size"):
        evaluate("x^900", {"x": X}, "here")


def test_expressions_are_read_as_polynomials() -> None:
    """The text of a document gives the polynomial where a parameter stands for an indeterminate."""
    assert Fraction(9, 10) - X == evaluate("(-10*x+9)/10", {"x": X}, "here")
    assert X / (X + 1) == evaluate("x/(x+1)", {"x": X}, "here")
    assert Fraction(1, 3) == evaluate("1/3", {"x": X}, "here")
    with pytest.raises(Malformed, match="dividing by zero"):
        evaluate("1/(x-x)", {"x": X}, "here")
