"""Exact polynomials of the kernel: arithmetic, divisors, spelling, derivatives."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.budget import OverBudget, limited
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.polynomials import (
    MAX_DEGREE,
    Polynomial,
    TooLarge,
    cleared,
    derivative,
    divided,
    divisors,
    inverse,
    names,
    parameters,
    polynomial,
    primitive,
    substituted,
    text,
    total,
    value,
    variable,
    without,
)
from pomgcheck.kernel.reading import Malformed

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
        assert all(c for _, c in result.items())
        assert result == Polynomial(dict(result.items()))


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


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("other", [1, -1])
def test_a_divisor_that_goes_with_another_changes_no_sign(sign: int, other: int) -> None:
    """(x/(x+5) + 5/(x+5) - 1)/(y+7) + 1/(x+5) is 1/(x+5): with x + 5 multiplied away nothing is left of y + 7, and the
    sign is that of x + 5 whatever that of y + 7 is."""
    p = (X / (X + 5) + 5 / (X + 5) - 1) / (Y + 7) + 1 / (X + 5)
    first, second = divisors([p])
    assert polynomial(sign) == cleared(p, {first: sign, second: other})


@given(polynomials, polynomials)
def test_a_product_is_divided_by_its_factors(p: Polynomial, q: Polynomial) -> None:
    """A product over one factor is the other; what a division gives times the divisor is the dividend; x is no multiple
    of y, nor x^2 of x y, nor 2 x + 3 of 3 x + 2; over a number every coefficient is divided."""
    if q:
        assert p == divided(p * q, q)
        found = divided(p, q)
        assert found is None or p == found * q
    assert X * 2 + 1 == divided(X * 6 + 3, polynomial(3))
    assert [None] * 4 == [divided(X, Y), divided(Y, X), divided(X * X, X * Y), divided(X * 2 + 3, X * 3 + 2)]


@given(polynomials, polynomials, polynomials, points)
def test_polynomials_in_place_of_indeterminates(
    p: Polynomial, q: Polynomial, r: Polynomial, point: dict[str, Fraction]
) -> None:
    """p(q, r) has the value of p at the values of q and r, in divisors as well; so does p(y, x), where both change at
    once; a sum has the sum of the values."""
    inside = {"x": q, "y": r}
    at = {name: value(new, point) for name, new in inside.items()}
    assert value(p, at) == value(substituted(p, inside), point)
    assert value(p, {"x": point["y"], "y": point["x"]}) == value(substituted(p, {"x": Y, "y": X}), point)
    assert value(p, point) + value(q, point) + value(r, point) == value(total([p, q, r]), point)
    if value(X + 2, at) and value(q + 2, point):
        assert value(p / (X + 2), at) == value(substituted(p / (X + 2), inside), point)


@given(st.lists(st.integers(0, MAX_DEGREE), min_size=3, max_size=3), st.integers(0, MAX_DEGREE + 1))
def test_no_exponent_runs_into_the_next(exponents: list[int], more: int) -> None:
    """x^a y^b z^c x^d is refused beyond the largest degree, and is the sorted monomial otherwise, as it is read and as
    a sum with others."""
    key = tuple(name for name, count in zip("xyz", exponents, strict=True) for _ in range(count))
    if len(key) > MAX_DEGREE:
        with pytest.raises(TooLarge):
            Polynomial({key: 1})
    elif len(key) + more > MAX_DEGREE:
        with pytest.raises(TooLarge):
            Polynomial({key: 1}) * X**more
        with pytest.raises(TooLarge):
            (Polynomial({key: 1}) + X + Y) * (X**more - Y)
    else:
        product = Polynomial({key: 3}) * X**more
        assert [(("x",) * more + key, 3)] == product.items()
        assert 3 == (product + variable("a") - variable("a")).get(("x",) * more + key)


@given(polynomials, st.sampled_from([X, Y, X * Y]))
def test_equal_polynomials_have_equal_parts(p: Polynomial, q: Polynomial) -> None:
    """What cancels leaves no trace: neither an indeterminate nor a factor of the unit."""
    there = (p + q / 7 * variable("w")) * Fraction(3, 5) - q * variable("w") * Fraction(3, 35)
    assert (p * Fraction(3, 5), hash(p * Fraction(3, 5))) == (there, hash(there))
    assert names(p) == names(there)


def test_polynomials_that_differ_in_one_part_are_not_equal() -> None:
    """x is neither x/2 nor 2 x, nor y, nor x + 1, in either order: unit, coefficients and indeterminates all count."""
    for p in (X / 2, X * 2, Y, X + 1, X + Y):
        assert [True, True] == [p != X, X != p]


def test_a_product_is_counted_before_it_is_formed() -> None:
    """A product of 5,000 and 5,001 monomials is refused by a budget of less than their products, with the count."""
    wide = Polynomial({("x",) * (k % 50) + (f"w{k // 50}",): 1 for k in range(5000)})
    with limited(25_000_000), pytest.raises(OverBudget, match="5000 and 5001 terms: 25005001 units of work"):
        (wide + 1) * wide


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


def test_a_divisor_is_multiplied_away_as_often_as_it_occurs() -> None:
    """x/(x+1)^2 + 3/(x+1) is x + 3 (x+1) over the square, by D or by -D; what lacks the divisor stays as it is."""
    p, (symbol,) = X / (X + 1) / (X + 1) + 3 / (X + 1), divisors([1 / (X + 1)])
    assert [(4 * X + 3, 2)] * 2 == [without(p, symbol), without(p, symbol, -1)]
    assert (X, 0) == without(X, symbol)


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


def test_a_product_of_too_many_terms_is_refused() -> None:
    """The product of two sums of 200 indeterminates would have 40,000 terms, twice as many as are kept."""
    left, right = (total(variable(f"{side}{n}") for n in range(200)) for side in "xy")
    with pytest.raises(TooLarge):
        left * right


def test_an_expression_nested_too_deep_is_refused() -> None:
    """A sum of 2,000 parameters has as many levels, more than are followed; one of 100 has its value."""
    assert 100 == evaluate("+".join(["x"] * 100), {"x": Fraction(1)}, "here")
    with pytest.raises(Malformed, match="required an expression that parses"):
        evaluate("+".join(["x"] * 2000), {"x": Fraction(1)}, "here")
