"""Expressions: what is read, what is refused, and the one canonical spelling."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.reading import Malformed
from pomgcheck.modelclass.expressions import ExpressionRing, polynomial_text

CANONICAL = [
    ("0.15", "3/20"),
    ("6/40", "3/20"),
    ("-0", "0"),
    ("007", "7"),
    ("1-(1/10+x)", "(-10*x+9)/10"),
    ("-1+3*x-y*x^2", "-x^2*y+3*x-1"),
    ("x/2", "x/2"),
    ("0.5*-x", "-x/2"),
    ("(1+x)/(2+x)", "(x+1)/(x+2)"),
    ("1/x^2", "1/(x^2)"),
    ("x^-2", "1/(x^2)"),
    ("x^(-1)", "1/x"),
    ("1/(2*x)", "1/(2*x)"),
    ("1/(-x)", "-1/x"),
    ("x/x", "1"),
    ("(x^2-y^2)/(x-y)", "x+y"),
    ("-x^2", "-x^2"),
    ("(-x)^2", "x^2"),
    ("y*0+y-y", "0"),
    ("(x-y)/(y-x)", "-1"),
    ("1/(1/x)", "x"),
    (" x +\t1 ", "x+1"),
    ("2^3/16", "1/2"),
    ("1/2/2", "1/4"),
    ("--x", "x"),
    ("x^0", "1"),
]


@pytest.mark.parametrize(("spelled", "canonical"), CANONICAL)
def test_canonical_text(spelled: str, canonical: str) -> None:
    """Every spelling has the canonical text of its value."""
    assert canonical == ExpressionRing(["y", "x"]).read(spelled, "w").text


@pytest.mark.parametrize("text", sorted({canonical for _, canonical in CANONICAL}))
def test_canonical_text_is_a_fixed_point(text: str) -> None:
    """Canonical text reads back to itself."""
    assert text == ExpressionRing(["x", "y"]).read(text, "w").text


def test_decimals_are_exact() -> None:
    """0.15 is 3/20, not the nearest float."""
    assert Fraction(3, 20) == ExpressionRing().read("0.15", "w").value


def test_divisors_are_those_before_cancelling() -> None:
    """x/x is 1 and divides by x."""
    expression = ExpressionRing(["x"]).read("x/x + 1/(x+1)", "w")
    assert ["x", "x+1"] == [polynomial_text(divisor) for divisor in expression.divisors]


GRAMMAR = "required an expression of exact numbers, parameters, + - * / ^ and ( )"
NUMBERS = "required numbers as 3/20 or 0.15, with * before a parameter"
REFUSED = [
    ("1e-3", f'w: found "1e-3" with "e" at character 2, {NUMBERS}'),
    ("1_000", f'w: found "1_000" with "_" at character 2, {NUMBERS}'),
    ("2x", f'w: found "2x" with "x" at character 2, {NUMBERS}'),
    ("5.", f'w: found "5." with "." at character 2, {NUMBERS}'),
    ("1.2.3", f'w: found "1.2.3" with "." at character 4, {NUMBERS}'),
    (".5", f'w: found ".5" with "." at character 1, {GRAMMAR}'),
    ("１", f'w: found "１" with "１" at character 1, {GRAMMAR}'),
    ("x + ½", f'w: found "x + ½" with "½" at character 5, {GRAMMAR}'),
    ("x**2", f'w: found "x**2" with "*" at character 3, {GRAMMAR}; write powers with ^'),
    ("x^2^2", f'w: found "x^2^2" with "^" at character 4, {GRAMMAR}'),
    ("+x", f'w: found "+x" with "+" at character 1, {GRAMMAR}'),
    ("x x", f'w: found "x x" with "x" at character 3, {GRAMMAR}'),
    ("x)", f'w: found "x)" with ")" at character 2, {GRAMMAR}'),
    ("x+", f'w: found "x+" with its end too early, {GRAMMAR}'),
    ("", f'w: found "" with its end too early, {GRAMMAR}'),
    ("(x", 'w: found "(x" with its end too early, required a closing parenthesis'),
    ("x^y", 'w: found "x^y" with "y" at character 3, required an integer exponent of at most 999'),
    ("x^1000", 'w: found "x^1000" with "1" at character 3, required an integer exponent of at most 999'),
    ("1/0", 'w: found "1/0" dividing by zero at character 3, required a divisor that is not zero'),
    ("0^-1", 'w: found "0^-1" dividing by zero at character 1, required a divisor that is not zero'),
    ("x/(x-x)", 'w: found "x/(x-x)" dividing by zero at character 3, required a divisor that is not zero'),
    ("z", 'w: found "z" with the undeclared name "z", required only the parameters x'),
    (
        "sqrt(x)",
        'w: found "sqrt(x)" with the undeclared name "sqrt", required only the parameters x; '
        "an entry has numbers, names, + - * / ^ and brackets, and no functions",
    ),
    (
        "y",
        'w: found "y" with the undeclared name "y", required only the parameters x; '
        "y is a parameter of responses alone",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused_text(text: str, message: str) -> None:
    """What is outside the grammar is refused, with its place in the text."""
    with pytest.raises(InputError) as caught:
        ExpressionRing(["x"], {"y": "responses"}).read(text, "w")
    assert message == str(caught.value)


@pytest.mark.parametrize("text", ["((2^999)^999)^999", "((2*x)^900)^900", "(x+y+z+1)^900", "(" * 101 + "x" + ")" * 101])
def test_oversized_expressions(text: str) -> None:
    """Powers that would fill memory, and endless parentheses, are refused before they are worked out."""
    with pytest.raises(InputError, match="too large to expand|nested too deep"):
        ExpressionRing(["x", "y", "z"]).read(text, "w")


def test_degree_stays_readable_by_the_kernel() -> None:
    """A degree over 999 would give an exponent that the kernel refuses, so it is refused here."""
    with pytest.raises(LimitExceeded, match=r"found 1,200 as the degree of a polynomial, required at most 999"):
        ExpressionRing(["x"]).read("x^600*x^600", "w")


def test_numbers_too_long_to_print() -> None:
    """A number of more digits than Python prints is refused."""
    ring = ExpressionRing()
    with pytest.raises(InputError, match="a number of 4001 digits, required at most 4000 digits"):
        ring.read("1" * 4001, "w")
    with pytest.raises(InputError, match="a number too long to print"):
        ring.read("*".join(["9" * 900] * 5), "w")


LEAVES = st.one_of(
    st.integers(0, 12).map(str),
    st.fractions(0, 3, max_denominator=12).map(lambda q: f"({q})"),
    st.sampled_from(["0.15", "2.50", "x", "y", "longer_name"]),
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", " - "]), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        inner.map(lambda t: f"-{t}"),
        st.tuples(inner, st.integers(0, 3)).map(lambda t: f"({t[0]})^{t[1]}"),
    ),
    max_leaves=8,
)
POINTS = st.fixed_dictionaries({n: st.fractions(-3, 3, max_denominator=7) for n in ("longer_name", "x", "y")})


@settings(deadline=None)
@given(EXPRESSIONS, POINTS)
def test_value_agrees_with_the_kernel(text: str, point: dict[str, Fraction]) -> None:
    """The canonical text has, at every point where the spelling has a value, the kernel's value of the spelling."""
    exact = text.replace("0.15", "(3/20)").replace("2.50", "(5/2)")
    try:
        expected = evaluate(exact, point, "w")
    except Malformed:
        return  # divides by zero at this point
    assert expected == evaluate(ExpressionRing(point).read(text, "w").text, point, "w")


@settings(deadline=None)
@given(EXPRESSIONS)
def test_canonical_text_is_idempotent(text: str) -> None:
    """Reading canonical text gives the same text."""
    ring = ExpressionRing(["x", "y", "longer_name"])
    try:
        once = ring.read(text, "w").text
    except InputError:
        return  # divides by zero everywhere
    assert once == ExpressionRing(["x", "y", "longer_name"]).read(once, "w").text


@settings(deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_equal_values_have_equal_texts(one: str, other: str) -> None:
    """e·f/f and e have one text, whatever e and f."""
    ring = ExpressionRing(["x", "y", "longer_name"])
    try:
        ring.read(f"1/({other})", "w")
        expected = ring.read(one, "w").text
    except InputError:
        return  # divides by zero everywhere
    assert expected == ring.read(f"({other})*({one})/({other})", "w").text
